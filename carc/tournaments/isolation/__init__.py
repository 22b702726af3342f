"""Bots in processes of their own: kept from the host, from each other and from the other's time.

Four levels, each with all of the one before: `none` (in this process), `process` (own process, clock, resource limits),
`confined` (own user id where possible, seccomp, Landlock), `namespaces` (bubblewrap). `levels` says what the host can do,
`sandbox` what a bot may see, `launch` closes the doors from inside, `process` is the runner's end.
"""
