"""How likely the team is to win: for bots. Play does not ask.

Called by: game, bots.
Imports: base.
"""
