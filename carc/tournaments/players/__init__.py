"""Bots as players of a game: inside this process, or by the protocol."""
