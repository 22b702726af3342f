"""Four classic expansions, each in one module: what `docs/write-an-expansion.md` teaches, put to use."""
