"""Bots as they are submitted: manifest, content, check, registry.

Called by: commands, contest, running, schedule, web.
Imports: bots, isolation, match, outcomes, players.
"""
