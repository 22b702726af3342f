"""The classic expansions, each in a folder with its tiles, and what they share.

Called by: formats.
Imports: base.
"""
