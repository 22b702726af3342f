"""A match with all its positions: every action in words, turns, scores over time, statistics."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import attrs

from carc.base.game.rules import COLOURS, Rules
from carc.base.game.state import State
from carc.base.tiles.tile import Tile
from carc.base.turn.scoring import Scored
from carc.drawing import board_text
from carc.drawing.descriptions import describe
from carc.drawing.pieces import Data
from carc.errors import BadRecord
from carc.escape import escape_unprintable
from carc.match.match import Fault, Match, Result
from carc.match.record import begin_replay, read_saved_game, recorded_action


@attrs.frozen
class Ply:
    """One action of a match.

    Attributes:
        player: The seat that took it, or -1 for chance.
        action: The action in notation.
        words: The action as a verb phrase.
        scored: What was scored by it.
        after: The position after it.
        seconds: How long the seat thought, if known.
        turn: The index of its turn.
    """

    player: int
    action: str
    words: str
    scored: tuple[Scored, ...]
    after: Data
    seconds: float | None = None
    turn: int = 0


@attrs.frozen
class MatchHistory:
    """A match with all its positions.

    Attributes:
        rules: The rules.
        tiles: The kinds of tile by name.
        seats: The name of each seat, printable.
        names: The name of each owner, printable.
        seed: The seed of the deal.
        start: The first position.
        plies: The actions.
        result: The result; None if the game was saved before its end.
    """

    rules: Rules
    tiles: Mapping[str, Tile]
    seats: tuple[str, ...]
    names: tuple[str, ...]
    seed: int
    start: Data
    plies: tuple[Ply, ...]
    result: Result | None

    @property
    def title(self) -> str:
        """The seats, with their final scores, and the rules."""
        scores = self.result.scores if self.result else ()
        return f"{with_scores(self.seats, scores)} ({self.rules.spec})"

    @property
    def positions(self) -> list[Data]:
        """The start and the position after each ply."""
        return [self.start, *(ply.after for ply in self.plies)]

    @property
    def turns(self) -> list[list[int]]:
        """The indices of the plies of each turn."""
        turns: list[list[int]] = []
        for number, ply in enumerate(self.plies):
            if not turns or ply.turn != self.plies[number - 1].turn:
                turns.append([])
            turns[-1].append(number)
        return turns

    def scores(self) -> list[list[int]]:
        """Return, for each owner, the score in each position."""
        return [
            [data["scores"][owner] for data in self.positions] for owner in range(len(self.names))
        ]

    def scorings(self) -> list[tuple[int | None, Scored]]:
        """Return every scoring with the index of its ply, or None for final scoring."""
        scorings: list[tuple[int | None, Scored]] = [
            (number, scored) for number, ply in enumerate(self.plies) for scored in ply.scored
        ]
        return scorings + [(None, scored) for scored in (self.result.final if self.result else ())]

    def points_by_kind(self) -> dict[str, list[int]]:
        """Return the points of each owner by what they were scored for, most points first."""
        return points_by_kind([scored for _, scored in self.scorings()], len(self.names))

    def largest_scorings(self, most: int = 5) -> list[tuple[int | None, Scored]]:
        """Return the scorings of most points, the largest first."""
        return sorted(self.scorings(), key=lambda each: -abs(each[1].points))[:most]

    def reasons(self) -> str:
        """Return by how much the winner won, and with what; empty if that cannot be told."""
        owners = self.rules.colours
        if not self.result or len(self.result.winners) != 1 or any(len(own) > 1 for own in owners):
            return ""
        order = sorted(range(len(owners)), key=self.result.ranks.__getitem__)
        first, second = (owners[seat][0] for seat in order[:2])
        gaps = [(of[first] - of[second], kind) for kind, of in self.points_by_kind().items()]
        gaps.sort(key=lambda each: -abs(each[0]))
        most = ", ".join(f"{kind} {gap:+}" for gap, kind in gaps[:3] if gap)
        margin = self.result.scores[first] - self.result.scores[second]
        if other := sum(gap for gap, _ in gaps[3:]):
            most += f", other {other:+}"
        return f"{capitalized(self.player_name(order[0]))} won by {margin}: {most}."

    def player_name(self, player: int) -> str:
        """Return a seat's colours and name, or `chance`."""
        if player < 0:
            return "chance"
        colours = "+".join(COLOURS[owner] for owner in self.rules.colours[player])
        return f"{colours} {self.seats[player]}"

    def turn_player(self, turn: Sequence[int]) -> str:
        """Return the name of the player of a turn."""
        players = (self.plies[at].player for at in turn)
        return self.player_name(next((player for player in players if player >= 0), -1))

    def sentence(self, number: int, actions: int = 1) -> str:
        """Return what led to position `number`, such as `Red greedy places D at (1, 0)`.

        So many of the actions before it are told; one player took them.
        """
        if number == 0:
            return "Start of the game"
        plies = self.plies[number - actions : number]
        words = ", ".join(ply.words for ply in plies)
        return capitalized(f"{self.player_name(plies[0].player)} {words}")

    def faults(self) -> tuple[Fault, ...]:
        """Return what seats did wrong."""
        return tuple(self.result.faults) if self.result else ()


def with_scores(seats: Sequence[str], scores: Sequence[int]) -> str:
    """Return the names of the seats, with their scores if there is one for each."""
    if len(scores) != len(seats):
        return ", ".join(seats)
    return ", ".join(f"{seat} {score}" for seat, score in zip(seats, scores, strict=True))


def capitalized(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


_KINDS = {"completed city": "field"}  # a field is worth the cities at it


def scored_for(scored: Scored) -> str:
    """Return what points are for, in a word or two: the first item of the text."""
    match = re.match(r"[^\d=]*[^\d= ]", scored.text)
    kind = match[0].strip() if match else "other"
    return _KINDS.get(kind, kind)


def points_by_kind(scorings: Iterable[Scored], owners: int) -> dict[str, list[int]]:
    """Return the points of each owner by what they were scored for, most points first."""
    points: dict[str, Counter[int]] = {}
    for scored in scorings:
        points.setdefault(scored_for(scored), Counter())[scored.owner] += scored.points
    ordered = sorted(points.items(), key=lambda each: -sum(map(abs, each[1].values())))
    return {kind: [of[owner] for owner in range(owners)] for kind, of in ordered}


def read_history(
    record: str,
    source: str,
    tile_files: Iterable[Path | str] = (),
    times: Sequence[Sequence[tuple[float, float]]] = (),
) -> MatchHistory:
    """Return the history of the match in a record.

    Args:
        record: The text of the record. It may be a game saved before its end.
        source: What error messages call it, such as the name of its file.
        tile_files: Tile files that replace sets of the rules.
        times: For each seat wall and CPU seconds of each of its moves.

    Raises:
        BadRecord: This is not a record, or its actions cannot be replayed.
    """
    match, finished = read_saved_game(record, source)
    rules = Rules.from_spec(match.rules, match.players, tiles=tile_files)
    state = begin_replay(match, rules, source)
    if len(match.seats) != rules.players:
        raise BadRecord(f"{source}:1: {len(match.seats)} names for {rules.players} seats")
    tiles = {tile.name: tile for tile in rules.catalogue.tiles}
    start = state.to_dict()
    plies = tuple(_plies(match, state, source, times))
    if finished and not state.is_terminal:
        raise BadRecord(f"{source}:{len(match.moves) + 2}: the record ends before the game does")
    seats = tuple(map(escape_unprintable, match.seats))
    return MatchHistory(
        rules=rules,
        tiles=tiles,
        seats=seats,
        names=tuple(board_text.names_by_owner(rules.colours, seats)),
        seed=match.seed,
        start=start,
        plies=plies,
        result=match.result if finished else None,
    )


def _plies(
    match: Match,
    state: State,
    source: str,
    times: Sequence[Sequence[tuple[float, float]]],
) -> Iterator[Ply]:
    rules = state.rules
    before = state.to_dict()
    clocks = [iter(some) for some in times] or [iter(()) for _ in match.seats]
    turn, active, step = 0, state.active_player, 0
    for line, move in enumerate(match.moves, start=2):
        action = recorded_action(state, move, f"{source}:{line}")
        if move.player != state.current_player:
            raise BadRecord(
                f"{source}:{line}: player {state.current_player} decides here, not {move.player}"
            )
        # A turn begins with another player, or with an earlier step of the same player.
        at = rules.turn.index(state.step) if state.step in rules.turn else step
        turn += state.active_player != active or at < step
        active, step = state.active_player, at
        state.apply(action)
        after = state.to_dict()
        time = next(clocks[move.player], None) if move.player >= 0 else None
        yield Ply(
            move.player,
            move.action,
            describe(move.action, before, rules),
            move.scored,
            after,
            time[0] if time else None,
            turn,
        )
        before = after
