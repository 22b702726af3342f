"""Tournaments of bots: what is played, who plays it, what became of it, and who is better.

A `schedule` names bots and games; `running` plays them between `players`, isolated where they are
strangers', over a pool of processes; the `ledger` keeps their `outcomes`; `rating` and `reports`
read it. `pairing` has the formats, `contest` is for strangers' bots and their `submission`.

Called by: arena, commands, web.
Imports: base, bots, drawing, match.
"""
