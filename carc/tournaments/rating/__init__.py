"""Who is better, and how sure that is.

Called by: campaign, contest, formats, reports, tournament, web.
Imports: outcomes, schedule.
"""
