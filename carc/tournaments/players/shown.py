"""A game as others see it while a worker plays it: in memory shared with the worker's parent.

A move costs a copy of some bytes, whoever looks. Nothing but the actions so far is there.
"""

import mmap
from typing import Final

SIZE: Final = 1 << 17  # bytes; the longest games have a fifth of that
_HEAD: Final = 4  # of these, which say how long the text is


class Screen:
    """The game of one worker: its id and its actions, a line each."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, SIZE)
        self._is_full = False
        self.is_on = False
        """Whether games are shown."""

    def begin(self, game: str) -> None:
        """Show a game of this id from its beginning."""
        self._memory[:_HEAD] = bytes(_HEAD)
        self._is_full, self.is_on = False, True
        self.show(game)

    def show(self, line: str) -> None:
        """Show an action."""
        text = line.encode() + b"\n"
        begin = _HEAD + self._length()
        end = begin + len(text)
        self._is_full = self._is_full or end > SIZE
        if not self._is_full:
            self._memory[begin:end] = text
            self._memory[:_HEAD] = (end - _HEAD).to_bytes(_HEAD)

    def actions(self, game: str) -> list[str] | None:
        """Return the actions of a game so far; None if it is not the one that is shown."""
        begun, length = f"{game}\n".encode(), self._length()
        text = self._memory[_HEAD : _HEAD + length]
        if not text.startswith(begun) or length > self._length():  # another one has begun
            return None
        return text[len(begun) :].decode(errors="replace").split("\n")[:-1]

    def _length(self) -> int:
        return int.from_bytes(self._memory[:_HEAD])


screen = Screen()  # of this process; a pool gives each of its workers one
