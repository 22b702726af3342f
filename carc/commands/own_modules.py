"""The user's own bots, `module:Class`, are found in the folder in which the program is called.

Nothing else is imported from there: neither what libraries look for, nor expansions. The folder may
be a stranger's, such as one with a bot to be checked.
"""

import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import FrameType, ModuleType


class OwnModules:
    """An import finder for modules named on the command line, and for what these import."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._named: set[str] = set()

    def name(self, bot: str) -> None:
        """Allow the module of a bot's spec, `module:Class`, to be found."""
        module, colon, _ = bot.partition(":")
        if colon:
            self._named.add(module.partition(".")[0])

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module, if it was named or a module found here asks for it."""
        if path is None and (name in self._named or self._is_own(_importer())):
            return PathFinder.find_spec(name, [str(self._folder)], target)
        return None

    def _is_own(self, frame: FrameType | None) -> bool:
        """Return whether the code of a frame is a module of the folder."""
        if frame is None:
            return False
        module = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        place = getattr(sys.modules.get(module), "__file__", None)
        return place is not None and Path(place).is_relative_to(self._folder)


_installed: list[OwnModules] = []


def install() -> None:
    """Take the current folder off the search path, and find the user's own bots there."""
    for finder in _installed:
        sys.meta_path.remove(finder)
    _installed.clear()
    chosen = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    try:
        here = Path.cwd()
    except OSError:  # it was removed
        here = None
    sys.path[:] = [path for path in sys.path if path and (path in chosen or path != str(here))]
    if here is not None:
        _installed.append(OwnModules(here))
        sys.meta_path.extend(_installed)


def name(bot: str) -> str:
    """Return a bot's spec that the command line names; its module may be the user's own."""
    for finder in _installed:
        finder.name(bot)
    return bot


def _importer() -> FrameType | None:
    """Return the frame of the code whose import is under way."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and (
        frame.f_globals is globals() or frame.f_code.co_filename.startswith("<frozen importlib")
    ):
        frame = frame.f_back
    if frame is not None and frame.f_globals.get("__name__") == "importlib":
        frame = frame.f_back
    return frame
