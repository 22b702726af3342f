"""Playing the games of a tournament in many processes, here or on a cluster.

Called by: arena, commands, tournament.
Imports: bots, isolation, ledger, outcomes, players, schedule, submission.
"""
