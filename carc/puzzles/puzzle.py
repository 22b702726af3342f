"""A puzzle, and files of puzzles (`docs/puzzles.md`)."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import attrs

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.turn.steps import CHANCE
from carc.bounded import of_kind, parse_json, read_named
from carc.errors import CarcError
from carc.puzzles.turns import after_turn, is_complete, look_of

FORMAT: Final = 1
BEGINNING: Final = (25.0, 25.0 / 3)
"""The TrueSkill of what nobody has tried, and of who has not tried anything."""
_MOST_POINTS: Final = 1e4
_MOST_PUZZLES: Final = 10_000


@attrs.frozen
class Rival:
    """A turn that comes close to the answer of a puzzle.

    Attributes:
        turn: Its actions.
        margin: The points by which the answer is better.
        error: Half the width of a 95 % interval of the margin.
    """

    turn: tuple[str, ...]
    margin: float
    error: float


@attrs.frozen
class Puzzle:
    """A position in which one turn is better than all others.

    Attributes:
        rules: The spec of the rules.
        players: The number of players.
        moves: The actions that lead to it, chance's included; the last one draws the tile.
        answer: The best turn.
        rivals: The turns that were compared with it, the closest first.
        greedy: The turn that `greedy` plays.
        played: The turn that was played in the game.
        gains: What the answer gains on the closest rival, by what the points are for: how many
            more the player scores, and how many more all others score.
        rating: Its TrueSkill: mean and deviation.
    """

    rules: str
    players: int
    moves: tuple[str, ...]
    answer: tuple[str, ...]
    rivals: tuple[Rival, ...]
    greedy: tuple[str, ...]
    played: tuple[str, ...]
    gains: Mapping[str, tuple[float, float]] = attrs.field(hash=False)
    rating: tuple[float, float] = BEGINNING

    @property
    def id(self) -> str:
        """A name made from the position."""
        text = f"{self.rules} {self.players} {' '.join(self.moves)}"
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def tile(self) -> str:
        """The name of the tile in hand."""
        return self.moves[-1].removeprefix("draw:")

    @property
    def margin(self) -> float:
        """The points by which the answer is better than the closest rival."""
        return self.rivals[0].margin

    def position(self) -> State:
        """Return the position; `CarcError` if in the end no player has drawn a tile."""
        state = after_turn(Rules.cached(self.rules, self.players).start(), self.moves)
        if state.current_player == CHANCE or state.step.name != "place":
            raise CarcError("the moves do not end with the draw of a tile")
        return state

    def is_solved_by(self, turn: Sequence[str]) -> bool:
        """Return whether a turn is the answer, or looks the same on the table.

        Raises:
            CarcError: An action is not legal.
        """
        state = self.position()
        after_turn(state, turn)
        return look_of(state, turn) == look_of(state, self.answer)

    def to_line(self) -> str:
        """Return its line in a file."""
        data = {
            "carc-puzzle": FORMAT,
            "rules": self.rules,
            "players": self.players,
            "moves": " ".join(self.moves),
            "tile": self.tile,
            "answer": " ".join(self.answer),
            "rivals": [
                {"turn": " ".join(each.turn), "margin": each.margin, "error": each.error}
                for each in self.rivals
            ],
            "greedy": " ".join(self.greedy),
            "played": " ".join(self.played),
            "gains": self.gains,
            "rating": [round(each, 2) for each in self.rating],
        }
        return json.dumps(data)


def puzzles_text(puzzles: Sequence[Puzzle]) -> str:
    """Return the text of a file of puzzles."""
    return "".join(f"{puzzle.to_line()}\n" for puzzle in puzzles)


def read_puzzles(path: Path) -> list[Puzzle]:
    """Return the puzzles in a file, or raise `CarcError`."""
    return parse_puzzles(read_named(path, expected="a file of puzzles"), str(path))


@lru_cache(maxsize=1)
def shipped_puzzles() -> tuple[Puzzle, ...]:
    """Return the puzzles that ship with carc. A test has checked them."""
    text = files("carc.puzzles").joinpath("shipped.jsonl").read_text(encoding="utf-8")
    return tuple(map(_parse, text.splitlines()))


def parse_puzzles(text: str, source: str = "puzzles") -> list[Puzzle]:
    """Return the puzzles in the text of a file, one in each line.

    Raises `CarcError`, which names the line, if it is none, or if a turn in it is not legal.
    """
    lines = text.splitlines()
    if not 0 < len(lines) <= _MOST_PUZZLES:
        raise CarcError(f"{source}: a file has 1 to {_MOST_PUZZLES} puzzles, not {len(lines)}")
    puzzles: dict[str, Puzzle] = {}
    for number, line in enumerate(lines, start=1):
        try:
            puzzle = _parse(line)
            _check(puzzle)
        except CarcError as error:
            raise CarcError(f"{source}:{number}: {error}") from None
        if puzzle.id in puzzles:
            raise CarcError(f"{source}:{number}: this puzzle has been there before")
        puzzles[puzzle.id] = puzzle
    return list(puzzles.values())


def _parse(line: str) -> Puzzle:
    """Return the puzzle in a line, or raise `CarcError`. Its moves and turns are not checked."""
    try:
        return _puzzle(parse_json(line))
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError):
        raise CarcError(f"not a puzzle of format {FORMAT}") from None


def _puzzle(data: Any) -> Puzzle:
    """Return a puzzle from its data; raise `ValueError`, or what else bad data can cause."""
    if data["carc-puzzle"] != FORMAT or type(data["players"]) is not int:
        raise ValueError
    puzzle = Puzzle(
        rules=_text(data["rules"]),
        players=data["players"],
        moves=_words(data["moves"]),
        answer=_words(data["answer"]),
        rivals=tuple(
            Rival(_words(each["turn"]), _number(each["margin"]), _number(each["error"]))
            for each in data["rivals"]
        ),
        greedy=_words(data["greedy"]),
        played=_words(data["played"]),
        gains={_text(kind): _pair(gain) for kind, gain in data["gains"].items()},
        rating=_pair(data["rating"]),
    )
    if puzzle.tile != _text(data["tile"]) or not puzzle.rivals or puzzle.rating[1] <= 0:
        raise ValueError
    return puzzle


def _check(puzzle: Puzzle) -> None:
    """Raise `CarcError` if moves or turns are not legal, or if the answer has an equal rival."""
    state = puzzle.position()
    rivals = [rival.turn for rival in puzzle.rivals]
    for turn in (puzzle.answer, puzzle.greedy, puzzle.played, *rivals):
        if not is_complete(after_turn(state, turn), state.current_player):
            raise CarcError(f"{' '.join(turn)} is not a whole turn")
    for turn in rivals:
        if look_of(state, turn) == look_of(state, puzzle.answer):
            raise CarcError(f"{' '.join(turn)} is the answer and a rival of it")


def _text(value: Any) -> str:
    return of_kind(value, str, "a text")


def _words(value: Any) -> tuple[str, ...]:
    words = tuple(_text(value).split())
    if not words:
        raise ValueError
    return words


def _number(value: Any) -> float:
    number = of_kind(value, float, "a number")
    if abs(number) > _MOST_POINTS:
        raise ValueError
    return number


def _pair(value: Any) -> tuple[float, float]:
    first, second = map(_number, value)
    return first, second
