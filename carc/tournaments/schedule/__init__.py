"""What a tournament plays: its bots, its configuration and its games.

Called by: arena, campaign, commands, contest, pairing, ledger, rating, reports, running,
    tournament.
Imports: base, bots, isolation, players, submission.
"""
