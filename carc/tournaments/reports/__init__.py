"""What people and programs read of a tournament: boards, pages, exports, progress.

Called by: commands, contest, web.
Imports: drawing, pairing, ledger, outcomes, rating, schedule.
"""
