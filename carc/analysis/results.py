"""What an analysis returns: values with documented fields, which become JSON by `to_dict`."""

from collections.abc import Mapping, Sequence
from math import exp
from typing import Any

import attrs

# A move is marked if it gives up at least so much of the chance to win.
INACCURACY, MISTAKE, BLUNDER = 0.05, 0.10, 0.15
_MARKS = {"blunder": BLUNDER, "mistake": MISTAKE, "inaccuracy": INACCURACY}
# The loss that makes a move worth 1/e of the best one: in points, and for a team in chance to win.
_POINTS_SCALE, _CHANCE_SCALE = 6.0, 0.1
# Without a marked move, so many are costly, if each lost so many points.
_MOST_UNMARKED, _LEAST_POINTS = 3, 1.0


@attrs.frozen
class LineAnalysis:
    """A way to play the rest of a turn.

    Attributes:
        actions: The actions in notation.
        chance: The chance of the player who decides to win.
        margin: The expected final margin of that player: the points less those of the best other
            player. In a game of a team, the points of the team less its goal.
    """

    actions: tuple[str, ...]
    chance: float
    margin: float


@attrs.frozen
class PositionAnalysis:
    """What a position is worth.

    Attributes:
        player: The player to decide; -1 if chance decides or the game is over.
        chances: Each player's chance to win if all go on as the search does.
        margins: Each player's expected final margin.
        lines: The best lines that were found, the best first; none if no player decides.
        exact: Whether the numbers are exact: every way to play on was tried.
        playouts: The playouts that were made.
    """

    player: int
    chances: tuple[float, ...]
    margins: tuple[float, ...]
    lines: tuple[LineAnalysis, ...]
    exact: bool
    playouts: int

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON data."""
        return to_dict(self)


@attrs.frozen
class Luck:
    """What the draw and other chance events before a move brought its player.

    Each event is compared with the average over all that could have happened, by their probability.

    Attributes:
        chance: The chance to win that was gained.
        margin: The points of expected margin that were gained.
    """

    chance: float = 0.0
    margin: float = 0.0


@attrs.frozen
class MoveAnalysis:
    """A player's move: all that a player decided at a time, such as a placement and a claim.

    Attributes:
        number: The number of the move, from 1.
        player: The seat.
        first_action: The number of actions of the record before the move; `carc show --move` shows
            the position.
        last_action: The number of actions of the record after the move.
        played: The actions of the move in notation.
        best: The best line that was found.
        chance_before: The chance to win with the best line.
        chance_after: The chance to win with the move played.
        margin_before: The expected final margin with the best line.
        margin_after: The expected final margin with the move played.
        chance_error: Half of the 95 % interval of the chance to win that the move gave up; what
            is within it counts as nothing. It is 0 if the move gave up nothing, or if it is exact.
        points_error: The same of the points.
        choices: How many lines were compared; 1 if there was no choice.
        exact: Whether the numbers are exact: every way to play on was tried.
        luck: What chance brought the player before the move.
        playouts: The playouts that were made.
    """

    number: int
    player: int
    first_action: int
    last_action: int
    played: tuple[str, ...]
    best: tuple[str, ...]
    chance_before: float
    chance_after: float
    margin_before: float
    margin_after: float
    choices: int
    exact: bool
    luck: Luck
    playouts: int
    chance_error: float = 0.0
    points_error: float = 0.0

    @property
    def chance_lost(self) -> float:
        """The chance to win that the move gave up."""
        return max(0.0, self.chance_before - self.chance_after)

    @property
    def points_lost(self) -> float:
        """The points of expected margin that the move gave up."""
        return max(0.0, self.margin_before - self.margin_after)

    @property
    def chance_lost_text(self) -> str:
        """The chance to win that the move gave up, and its error: `12 ± 5 %`."""
        error = f" ± {max(1, round(100 * self.chance_error))}"
        is_certain = not self.chance_error or not self.chance_lost
        return f"{round(100 * self.chance_lost)}{'' if is_certain else error} %"

    @property
    def points_lost_text(self) -> str:
        """The points that the move gave up, and their error: `5.4 ± 1.8`."""
        error = f" ± {max(0.1, self.points_error):.1f}"
        is_certain = not self.points_error or not self.points_lost
        return f"{self.points_lost:.1f}{'' if is_certain else error}"

    @property
    def mark(self) -> str:
        """`blunder`, `mistake`, `inaccuracy`, or empty for a move that lost little."""
        return next((mark for mark, least in _MARKS.items() if self.chance_lost >= least), "")


@attrs.frozen
class PlayerAnalysis:
    """How a player played, and what chance brought.

    Attributes:
        player: The seat.
        name: The name of who played.
        moves: How many moves had a choice.
        accuracy: From 0 to 100, the mean over these moves; 100 if there are none.
        inaccuracies: How many moves are marked so.
        mistakes: How many moves are marked so.
        blunders: How many moves are marked so.
        chance_lost: The chance to win that the moves gave up, added up.
        points_lost: The points that the moves gave up, added up.
        luck: What chance brought, added up.
    """

    player: int
    name: str
    moves: int
    accuracy: float
    inaccuracies: int
    mistakes: int
    blunders: int
    chance_lost: float
    points_lost: float
    luck: Luck


@attrs.frozen
class Lead:
    """What brought a player ahead of another, in points. The parts are estimates.

    Attributes:
        luck: What chance brought the player, less what it brought the other.
        moves: What the moves of the other gave up, less what those of the player gave up.
        rest: What neither of them explains.
    """

    luck: float
    moves: float
    rest: float

    @property
    def cause(self) -> str:
        """The larger of luck and moves if it is at least twice the other, or both, or neither."""
        luck, moves = max(self.luck, 0.0), max(self.moves, 0.0)
        if max(luck, moves) <= abs(self.rest):
            return "unclear"
        if luck >= 2 * moves:
            return "mostly luck"
        return "mostly moves" if moves >= 2 * luck else "luck and moves"


@attrs.frozen
class GameAnalysis:
    """Where a game was won and lost.

    Attributes:
        rules: The spec of the rules.
        seats: The name of each seat.
        team: Whether all players win or lose together.
        finished: Whether the game was played to its end.
        playouts_per_move: The budget.
        seed: The seed of the playouts.
        moves: The moves in order.
        players: A summary for each seat.
    """

    rules: str
    seats: tuple[str, ...]
    team: bool
    finished: bool
    playouts_per_move: int
    seed: int
    moves: tuple[MoveAnalysis, ...]
    players: tuple[PlayerAnalysis, ...]

    def costly(self, name: str) -> list[MoveAnalysis]:
        """Return the moves of a player that lost most, the worst first.

        They are the marked ones. In a game that is decided early, no move has a mark; then they are
        the three that lost most points.

        Args:
            name: Who played.
        """
        own = [move for move in self.moves if self.seats[move.player] == name]
        if marked := [move for move in own if move.mark]:
            return sorted(marked, key=lambda move: -move.chance_lost)
        some = [move for move in own if move.points_lost >= _LEAST_POINTS]
        return sorted(some, key=lambda move: -move.points_lost)[:_MOST_UNMARKED]

    def lead(self, player: int, other: int, margin: float) -> Lead:
        """Return what brought a player ahead of another.

        Args:
            player: The seat of who finished ahead.
            other: The seat of the other.
            margin: How many points they were apart.
        """
        first, second = self.players[player], self.players[other]
        luck = first.luck.margin - second.luck.margin
        moves = second.points_lost - first.points_lost
        return Lead(luck, moves, margin - luck - moves)

    def reason(self, ranks: Sequence[int], scores: Sequence[int], names: Sequence[str]) -> str:
        """Return in a sentence why the winner came in ahead of the second; empty if nobody did.

        Args:
            ranks: The rank of each seat, from 0; empty if the game was not played to its end.
            scores: The score of each seat.
            names: What each seat is called.
        """
        order = sorted(range(len(ranks)), key=ranks.__getitem__)
        if self.team or len(order) < 2 or ranks[order[1]] == 0:
            return ""
        ahead, behind = order[:2]
        lead = self.lead(ahead, behind, scores[ahead] - scores[behind])
        cause = "Why is unclear" if lead.cause == "unclear" else lead.cause.capitalize()
        return (
            f"{cause}: compared with {names[behind]}, the tiles brought {names[ahead]}"
            f" {lead.luck:+.0f} points, the moves {lead.moves:+.0f}, the rest {lead.rest:+.0f}."
        )

    @property
    def thresholds(self) -> Mapping[str, float]:
        """For each mark the least chance to win that a move with it gave up, the highest first."""
        return _MARKS

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON data. A move also has what it lost and its mark."""
        data = to_dict(self)
        for move, described in zip(self.moves, data["moves"], strict=True):
            described["chance_lost"] = _rounded(move.chance_lost)
            described["points_lost"] = _rounded(move.points_lost)
            described["mark"] = move.mark
        return data


def to_dict(value: attrs.AttrsInstance) -> dict[str, Any]:
    """Return the fields of an analysis as JSON data, with four decimals."""
    return attrs.asdict(value, value_serializer=lambda _, __, field: _rounded(field))


def _rounded(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_rounded(each) for each in value]
    return round(value, 4) if isinstance(value, float) else value


def summarise(player: int, name: str, moves: Sequence[MoveAnalysis], team: bool) -> PlayerAnalysis:
    """Return the summary of a player's moves; of a team all win or lose together."""
    own = [move for move in moves if move.player == player]
    chosen = [move for move in own if move.choices > 1]
    marks = [move.mark for move in own]
    accuracy = sum(_accuracy(move, team) for move in chosen) / len(chosen) if chosen else 100.0
    return PlayerAnalysis(
        player=player,
        name=name,
        moves=len(chosen),
        accuracy=accuracy,
        inaccuracies=marks.count("inaccuracy"),
        mistakes=marks.count("mistake"),
        blunders=marks.count("blunder"),
        chance_lost=sum(move.chance_lost for move in own),
        points_lost=sum(move.points_lost for move in own),
        luck=Luck(
            sum(move.luck.chance for move in own),
            sum(move.luck.margin for move in own),
        ),
    )


def _accuracy(move: MoveAnalysis, team: bool) -> float:
    """Return the accuracy of a move, from 0 to 100: 100 for the best one.

    Rivals are judged by points: the chance to win hides what is lost in a game that is decided.
    """
    if team:
        return 100.0 * exp(-move.chance_lost / _CHANCE_SCALE)
    return 100.0 * exp(-move.points_lost / _POINTS_SCALE)
