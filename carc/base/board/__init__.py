"""The board: tiles laid, the features they make, the followers on them.

Called by: anybody.
Imports: tiles.
"""
