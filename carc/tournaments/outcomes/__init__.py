"""How games end: their outcomes, the verdicts on bots, and what makes a game void.

Called by: arena, commands, contest, pairing, isolation, ledger, players, rating, reports, running,
    submission, web.
Imports: base, match.
"""
