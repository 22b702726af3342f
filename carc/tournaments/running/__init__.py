"""Playing the games of a tournament in many processes, here or on a cluster.

Called by: commands, tournament.
Imports: bots, isolation, ledger, outcomes, players, schedule, submission.
"""
