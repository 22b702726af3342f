"""The ledger of a tournament: what was played, and what came of it.

Called by: arena, commands, contest, pairing, reports, running, tournament, web.
Imports: outcomes, schedule.
"""
