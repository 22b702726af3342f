"""Who is better, and how sure that is.

Called by: arena, campaign, commands, contest, pairing, reports, tournament, web.
Imports: outcomes, schedule.
"""
