"""Saved games of JCloisterZone, the open-source Carcassonne program: files that end in `.jcz`.

Only the form of the files and the names in them are shared with that program.
"""
