"""Four classic expansions, each in one module: what `docs/write-an-expansion.md` teaches, put to use.

carc has three of them itself, at full length: these are called `little_river`, `little_abbot`, `little_inns`.
"""
