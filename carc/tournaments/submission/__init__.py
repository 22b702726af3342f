"""Bots as they are submitted: manifest, content, check, registry.

Called by: arena, commands, contest, running, schedule, web.
Imports: bots, isolation, match, outcomes, players.
"""
