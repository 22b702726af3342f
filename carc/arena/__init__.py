"""An arena that never closes: ladders of bots that come and go, each with a verifiable ledger.

Called by: commands, web.
Imports: base, bots, tournaments.
"""
