"""Four classic expansions, each in one module: examples for `docs/write-an-expansion.md`.

carc has three of them itself, in full. The ones here are called `little_river`, `little_abbot` and
`little_inns`.
"""
