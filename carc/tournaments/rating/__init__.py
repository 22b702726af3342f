"""Who is better, and how sure that is.

Called by: arena, campaign, commands, contest, formats, reports, tournament, web.
Imports: outcomes, schedule.
"""
