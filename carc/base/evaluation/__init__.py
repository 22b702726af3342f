"""What a position promises, for bots."""
