"""What a tournament plays: its bots, its configuration and its games."""
