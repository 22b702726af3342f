"""Contests of strangers' bots: admission, publication, verification.

Called by: arena, commands.
Imports: pairing, isolation, ledger, outcomes, rating, reports, schedule, submission.
"""
