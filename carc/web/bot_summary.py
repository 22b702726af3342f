"""What the page of a bot shows: results by opponent and seat, losses with their costly moves."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean

import attrs

from carc.analysis.saved import saved_analysis
from carc.tournaments.rating.ratings import Standing
from carc.web.board_cache import Board, GameRow

MOST_LOSSES = 10
"""Losses that a page lists."""
MOST_MOVES = 3
"""Costly moves that it lists of each."""


@attrs.frozen
class SeatResults:
    """A bot's results in one seat, from 1: its games, those won or shared, and its mean score."""

    seat: int
    games: int
    wins: int
    score: float

    @property
    def share(self) -> float:
        """The share of games that were won."""
        return self.wins / self.games


@attrs.frozen
class OpponentResults:
    """A bot's results against one opponent.

    Attributes:
        opponent: The opponent.
        games: Their common games.
        ahead: In how many of them the bot ranked ahead.
        level: In how many they shared a rank.
        margin: The mean of the bot's points less the opponent's.
        typical: The game with the median margin, the same for both bots.
    """

    opponent: str
    games: int
    ahead: int
    level: int
    margin: float
    typical: GameRow

    @property
    def behind(self) -> int:
        """In how many games the opponent ranked ahead."""
        return self.games - self.ahead - self.level


@attrs.frozen
class CostlyMove:
    """A move that lost much: the number of actions after it, and what it lost in words."""

    move: int
    lost: str


@attrs.frozen
class Loss:
    """A game that a bot lost.

    Attributes:
        game: The game.
        behind: By how many points it was behind the best other.
        costly: The moves that lost most, the worst first; None if it was not analysed.
        why: What brought the winner ahead, in words; empty if it was not analysed.
    """

    game: GameRow
    behind: int
    costly: tuple[CostlyMove, ...] | None = None
    why: str = ""


def results_by_seat(bot: str, games: Sequence[GameRow]) -> list[SeatResults]:
    """Return a bot's results in each seat it sat in."""
    ranks: dict[int, list[int]] = {}
    scores: dict[int, list[int]] = {}
    for game, seat in _seats(bot, games):
        ranks.setdefault(seat, []).append(game.ranks[seat])
        scores.setdefault(seat, []).append(game.scores[seat])
    return [
        SeatResults(seat + 1, len(own), own.count(0), mean(scores[seat]))
        for seat, own in sorted(ranks.items())
    ]


def results_by_opponent(bot: str, games: Sequence[GameRow]) -> dict[str, OpponentResults]:
    """Return a bot's results against each opponent."""
    met: dict[str, list[tuple[int, int, GameRow]]] = {}
    for game, seat in _seats(bot, games):
        for other, name in enumerate(game.seats):
            if name != bot:
                apart = game.ranks[other] - game.ranks[seat]
                margin = game.scores[seat] - game.scores[other]
                met.setdefault(name, []).append((margin, apart, game))
    results = {}
    for name, common in met.items():
        sign = 1 if bot < name else -1
        common.sort(key=lambda each: (sign * each[0], each[2].id))
        ahead = sum(apart > 0 for _, apart, _ in common)
        level = sum(apart == 0 for _, apart, _ in common)
        margins = mean(margin for margin, _, _ in common)
        typical = common[(len(common) - 1) // 2][2]
        results[name] = OpponentResults(name, len(common), ahead, level, margins, typical)
    return results


def _seats(bot: str, games: Sequence[GameRow]) -> Iterator[tuple[GameRow, int]]:
    """Yield each seat that a bot had in a game that was played."""
    for game in games:
        if game.ranks:  # void games have none
            yield from ((game, seat) for seat, name in enumerate(game.seats) if name == bot)


def losses(bot: str, games: Sequence[GameRow], folder: Path) -> list[Loss]:
    """Return the games that a bot lost by most points, with the costly moves where analysed."""
    lost = []
    for game in games:
        if not game.ranks or bot not in game.seats:
            continue
        seat = game.seats.index(bot)
        if game.ranks[seat] > 0:
            lost.append(Loss(game, max(game.scores) - game.scores[seat]))
    lost.sort(key=lambda each: -each.behind)
    return [_analysed(bot, each, folder) for each in lost[:MOST_LOSSES]]


def _analysed(bot: str, loss: Loss, folder: Path) -> Loss:
    """Return a loss with the moves that lost most, if the game was analysed."""
    analysis = saved_analysis(folder, loss.game.id)
    seats = loss.game.seats
    if analysis is None or analysis.seats != seats or len(analysis.players) != len(seats):
        return loss
    costly = tuple(
        CostlyMove(
            move.last_action,
            f"-{100 * move.chance_lost:.0f} %" if move.mark else f"-{move.points_lost:.1f} points",
        )
        for move in analysis.costly(bot)[:MOST_MOVES]
    )
    lead = analysis.lead(loss.game.ranks.index(0), seats.index(bot), loss.behind)
    parts = {"luck": lead.luck, "moves": lead.moves, "rest": lead.rest}
    why = f"{lead.cause}: {', '.join(f'{part} {-size:+.0f}' for part, size in parts.items())}"
    return attrs.evolve(loss, costly=costly, why=why)


def versions(bot: str, board: Board) -> list[Standing]:
    """Return the rows of all versions of a bot, by name; none if there is only one."""
    name = bot.partition("@")[0]
    rows = [row for row in board.rows if row.bot.partition("@")[0] == name]
    return sorted(rows, key=lambda row: row.bot) if len(rows) > 1 else []
