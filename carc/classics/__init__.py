"""The classic expansions, a folder each: its rules by hooks alone, and its tiles (`docs/classics.md`)."""
