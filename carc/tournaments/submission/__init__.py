"""Bots as they are submitted: manifest, content, check, registry."""
