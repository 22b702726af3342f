"""A match told: every action in words with the position it led to, turns, scores over time, where points came from."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import attrs

from carc.base.game.rules import COLOURS, Rules
from carc.base.game.scoring import Scored
from carc.base.tiles.tile import Tile
from carc.drawing import text
from carc.drawing.position import Data
from carc.drawing.words import words
from carc.errors import BadRecord, CarcError
from carc.match import Fault, Match, Result, initial_state, read_record


@attrs.frozen
class Ply:
    """One action: who took it (a seat or -1 for chance), in notation and in words, what it scored, and the position after."""

    player: int
    action: str
    words: str
    scored: tuple[Scored, ...]
    after: Data
    seconds: float | None = None  # how long the seat thought
    turn: int = 0  # counted from 0


@attrs.frozen
class Story:
    """A match with all its positions."""

    rules: Rules
    tiles: Mapping[str, Tile]
    seats: tuple[str, ...]
    names: tuple[str, ...]
    """Of who plays, by owner."""
    seed: int
    start: Data
    plies: tuple[Ply, ...]
    result: Result | None
    """None of a game that was saved before its end."""

    @property
    def positions(self) -> list[Data]:
        """The start and the position after each ply."""
        return [self.start, *(ply.after for ply in self.plies)]

    @property
    def turns(self) -> list[list[int]]:
        """Numbers of the plies, turn by turn."""
        found: list[list[int]] = []
        for number, ply in enumerate(self.plies):
            if not found or ply.turn != self.plies[number - 1].turn:
                found.append([])
            found[-1].append(number)
        return found

    def scores(self) -> list[list[int]]:
        """By owner, the score after each ply, the last with final scoring."""
        return [
            [data["scores"][owner] for data in self.positions] for owner in range(len(self.names))
        ]

    def scorings(self) -> list[tuple[int | None, Scored]]:
        """Every scoring with the number of its ply; those of the end with None."""
        found: list[tuple[int | None, Scored]] = [
            (number, scored) for number, ply in enumerate(self.plies) for scored in ply.scored
        ]
        return found + [(None, scored) for scored in (self.result.final if self.result else ())]

    def by_kind(self) -> dict[str, list[int]]:
        """Points by what they were scored for, by owner; the most first."""
        found: dict[str, Counter[int]] = {}
        for _, scored in self.scorings():
            found.setdefault(scored_for(scored), Counter())[scored.owner] += scored.points
        ordered = sorted(found.items(), key=lambda one: -sum(map(abs, one[1].values())))
        return {
            kind: [points[owner] for owner in range(len(self.names))] for kind, points in ordered
        }

    def swings(self, most: int = 5) -> list[tuple[int | None, Scored]]:
        """The scorings that moved most points, the largest first."""
        return sorted(self.scorings(), key=lambda one: -abs(one[1].points))[:most]

    def who(self, player: int) -> str:
        """A seat by colours and name."""
        colours = "+".join(COLOURS[owner] for owner in self.rules.colours[player])
        return f"{colours} {self.seats[player]}"

    def faults(self) -> tuple[Fault, ...]:
        """What seats did wrong."""
        return tuple(self.result.faults) if self.result else ()


def scored_for(scored: Scored) -> str:
    """What the points are for, in a word or two: the first item of the text."""
    match = re.match(r"[^\d=]*[^\d= ]", scored.text)
    return match[0].strip() if match else "other"


def read(path: Path) -> str:
    """The text of a record. Raises `BadRecord`."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadRecord(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadRecord(f"{path}: not a text file; is this a carc record?") from None


_OPEN: dict[str, list[object]] = {
    "scores": [],
    "ranks": [],
    "winners": [],
    "returns": [],
    "faults": [],
    "final": [],
}


def read_any(record: str, source: str) -> tuple[Match, bool]:
    """The match of a record, and whether it was played to its end: a game saved before has no last line. Raises `BadRecord`."""
    try:
        ended = "result" in json.loads(record.splitlines()[-1])
    except (IndexError, ValueError, TypeError):
        ended = True  # no record at all: let its reader say so
    if ended:
        return read_record(record, source), True
    return read_record(f"{record.rstrip()}\n{json.dumps({'result': _OPEN})}\n", source), False


def tell(
    record: str,
    source: str,
    tile_files: Iterable[Path | str] = (),
    times: Sequence[Sequence[tuple[float, float]]] = (),
) -> Story:
    """The story of a record. `times`: by seat, wall and CPU seconds of each of its moves. Raises `BadRecord`."""
    match, ended = read_any(record, source)
    rules = Rules.named(match.rules, match.players, tiles=tile_files)
    if rules.version != match.rules_version:
        raise BadRecord(
            f"{source}:1: played by rules version {match.rules_version}; these are {rules.version}"
        )
    if len(match.seats) != rules.players:
        raise BadRecord(f"{source}:1: {len(match.seats)} names for {rules.players} seats")
    tiles = {tile.name: tile for tile in rules.catalogue.tiles}
    try:
        state = initial_state(match, rules)
    except CarcError as error:
        raise BadRecord(f"{source}:1: {error}") from None
    before = start = state.to_dict()
    clocks = [iter(some) for some in times] or [iter(()) for _ in match.seats]
    plies = []
    turn, whose, beat = 0, state.active, 0
    for line, move in enumerate(match.moves, start=2):
        try:
            action = state.check(rules.parse(move.action))
        except CarcError as error:
            raise BadRecord(f"{source}:{line}: {error}") from None
        if move.player != state.current_player:
            raise BadRecord(
                f"{source}:{line}: player {state.current_player} decides here, not {move.player}"
            )
        at = rules.turn.index(state.step) if state.step in rules.turn else beat
        turn += state.active != whose or at < beat
        whose, beat = state.active, at
        state.apply(action)
        after = state.to_dict()
        said = words(move.action, before, tiles)
        spent = next(clocks[move.player], None) if move.player >= 0 else None
        took = spent[0] if spent else None
        plies.append(Ply(move.player, move.action, said, move.scored, after, took, turn))
        before = after
    if ended and not state.is_terminal:
        raise BadRecord(f"{source}:{len(match.moves) + 2}: the record ends before the game does")
    return Story(
        rules=rules,
        tiles=tiles,
        seats=match.seats,
        names=tuple(text.by_owner(rules.colours, match.seats)),
        seed=match.seed,
        start=start,
        plies=tuple(plies),
        result=match.result if ended else None,
    )
