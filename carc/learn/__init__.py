"""For learning: observations as arrays, actions as ints, and environments for other libraries.

`observation` and `vector` need numpy, `pettingzoo`, `gymnasium` and `openspiel` the library of that
name. Each raises `CarcError` with the extra to install (`pip install 'carc[gymnasium]'`) where it
is missing.

Called by: commands, testing.
Imports: base, bots, match.
"""
