"""Bots as players of a game: inside this process, or by the protocol.

Called by: arena, commands, running, schedule, submission, web.
Imports: base, bots, isolation, match, outcomes.
"""
