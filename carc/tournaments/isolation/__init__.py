"""Bots in their own processes: kept from the host, from each other and from the others' time.

There are four levels, each with all of the one before: `none` (in this process), `process` (own
process, clock, resource limits), `confined` (own user id where possible, seccomp, Landlock),
`namespaces` (bubblewrap). `host` finds the levels of this host, `resources` what it has left,
`sandbox` decides what a bot may see, `launch` closes the doors from inside, and `process` is the
runner's end.

Called by: arena, commands, contest, players, running, schedule, submission, tournament, web.
Imports: base, match, outcomes.
"""
