"""The ledger of a tournament: what was played, and what came of it."""
