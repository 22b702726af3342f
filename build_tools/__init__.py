"""How carc is compiled: which modules, with their docstrings; and how it is installed here."""
