"""`report_player`: how somebody played in many games, from their analyses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs

from carc.analysis.results import GameAnalysis, Luck, MoveAnalysis, to_dict
from carc.base.game.rules import Rules
from carc.errors import CarcError
from carc.match.match import Match

KINDS: Final[Mapping[str, str]] = {
    "placing": "where the tile lies and how it is turned",
    "follower": "whether a follower goes on a city, a road or a monastery",
    "field": "whether a follower goes on a field",
    "end": "the last moves, of which every way to play on was tried",
}
"""The kinds of decision, with what they are about."""
PHASES: Final = ("first third", "second third", "last third")
"""The phases of a game, by the number of the move among the tiles."""
MOST_POSITIONS: Final = 10


@attrs.frozen
class AnalysedGame:
    """A game of the player, with what it is called, such as its file."""

    name: str
    match: Match
    analysis: GameAnalysis


@attrs.frozen
class Part:
    """Some moves of the player: how many, and the points that they gave up, added up."""

    moves: int = 0
    points_lost: float = 0.0

    def with_move(self, move: MoveAnalysis) -> Part:
        """Return it with one more move."""
        return Part(self.moves + 1, self.points_lost + move.points_lost)


@attrs.frozen
class GameReport:
    """How the player played in one game.

    Attributes:
        name: What the game is called.
        seat: The player's seat.
        seats: The names of all players.
        scores: Their final scores; empty if the game was saved before its end.
        accuracy: From 0 to 100.
        points_lost: The points that the player's moves gave up.
        luck: What chance brought the player.
    """

    name: str
    seat: int
    seats: tuple[str, ...]
    scores: tuple[int, ...]
    accuracy: float
    points_lost: float
    luck: Luck


@attrs.frozen
class Position:
    """A position of a game from which the player can learn: a move and a better one."""

    game: str
    kind: str
    move: MoveAnalysis


@attrs.frozen
class PlayerReport:
    """How somebody played in many games.

    Attributes:
        player: The name.
        games: The games.
        moves: How many moves had a choice.
        accuracy: From 0 to 100, the mean over these moves.
        points_lost: The points that the moves gave up, added up.
        luck: What chance brought, added up.
        kinds: The moves with a choice by kind of decision.
        phases: The moves with a choice by phase of the game.
        positions: Those where most was lost, the worst first, at most ten.
    """

    player: str
    games: tuple[GameReport, ...]
    moves: int
    accuracy: float
    points_lost: float
    luck: Luck
    kinds: Mapping[str, Part]
    phases: Mapping[str, Part]
    positions: tuple[Position, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON data."""
        return to_dict(self)


def report_player(player: str, games: Sequence[AnalysedGame]) -> PlayerReport:
    """Return how a player played in those games that have the name, or raise `CarcError`."""
    reports: list[GameReport] = []
    kinds, phases = dict.fromkeys(KINDS, Part()), dict.fromkeys(PHASES, Part())
    positions: list[Position] = []
    chosen, accurate = 0, 0.0
    for game in games:
        if player not in game.match.seats:
            continue
        report = _report(player, game)
        reports.append(report)
        own = game.analysis.players[report.seat]
        chosen += own.moves
        accurate += own.moves * own.accuracy
        rules = Rules.from_spec(game.match.rules, game.match.players)
        for move in game.analysis.moves:
            if move.player == report.seat and move.choices > 1:
                kind, phase = kind_of(move, game.match, rules), _phase(move, rules)
                kinds[kind] = kinds[kind].with_move(move)
                phases[phase] = phases[phase].with_move(move)
        for move in game.analysis.costly(player):
            if move.player == report.seat:
                positions.append(Position(game.name, kind_of(move, game.match, rules), move))
    if not reports:
        raise CarcError(f"{player!r} plays in none of the games")
    positions.sort(key=lambda each: (-each.move.chance_lost, -each.move.points_lost))
    return PlayerReport(
        player=player,
        games=tuple(reports),
        moves=chosen,
        accuracy=accurate / chosen if chosen else 100.0,
        points_lost=sum(each.points_lost for each in reports),
        luck=Luck(
            sum(each.luck.chance for each in reports), sum(each.luck.margin for each in reports)
        ),
        kinds=kinds,
        phases=phases,
        positions=tuple(positions[:MOST_POSITIONS]),
    )


def _report(player: str, game: AnalysedGame) -> GameReport:
    seat = game.match.seats.index(player)
    own = game.analysis.players[seat]
    return GameReport(
        name=game.name,
        seat=seat,
        seats=game.match.seats,
        scores=tuple(game.match.result.scores),
        accuracy=own.accuracy,
        points_lost=own.points_lost,
        luck=own.luck,
    )


def kind_of(move: MoveAnalysis, match: Match, rules: Rules) -> str:
    """Return the kind of decision that a move is.

    A move whose best line lays the tile elsewhere is about placing. With the same placement it is
    about a follower, or about a field if one of the two lines has a follower there. A move that is
    as good as the best is of the kind of what was done.
    """
    if move.exact:
        return "end"
    if move.played[0] != move.best[0]:
        return "placing"
    claims = [each for each in (*move.played[1:], *move.best[1:]) if each.startswith("claim:")]
    if any(_is_field(each, move, match, rules) for each in claims):
        return "field"
    return "follower" if claims else "placing"


def _is_field(claim: str, move: MoveAnalysis, match: Match, rules: Rules) -> bool:
    """Return whether a claim is of a field of the tile that was drawn for the move."""
    for at in range(move.first_action - 1, -1, -1):
        verb, _, kind = match.moves[at].action.partition(":")
        if verb == "draw" and kind in rules.catalogue.index:
            segments = rules.catalogue.tiles[rules.catalogue.index[kind]].segments
            segment = int(claim.removeprefix("claim:").partition(",")[0])
            return segment < len(segments) and segments[segment].kind == "field"
    return False


def _phase(move: MoveAnalysis, rules: Rules) -> str:
    tiles = max(1, sum(rules.catalogue.copies))
    return PHASES[min(3 * (move.number - 1) // tiles, 2)]
