"""Positions as pure data, read from text or JSON data; `carc.base.game` checks and plays them."""
