"""What the page of a bot shows: results by opponent and seat, and losses with their blunders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean

import attrs

from carc.analysis.results import INACCURACY
from carc.analysis.saved import saved_analysis
from carc.web.board_cache import Board, BoardRow, GameRow

MOST_LOSSES = 10
"""Losses that a page lists."""
MOST_BLUNDERS = 3
"""Blunders that it lists of each."""


@attrs.frozen
class SeatResults:
    """A bot's results in one seat.

    Attributes:
        seat: The seat, from 1.
        games: The games it played there.
        wins: How many of them it won or shared.
        score: Its mean score.
    """

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
        typical: The game with the median margin.
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
class Blunder:
    """A move that lost much.

    Attributes:
        move: The number of actions after it.
        lost: The share of the chance to win that it gave up.
    """

    move: int
    lost: float


@attrs.frozen
class Loss:
    """A game that a bot lost.

    Attributes:
        game: The game.
        behind: By how many points it was behind the best other.
        blunders: The moves that gave up most, the largest first; None if it was not analysed.
        luck: The points that the tiles brought the bot, if the game was analysed.
    """

    game: GameRow
    behind: int
    blunders: tuple[Blunder, ...] | None = None
    luck: float = 0.0


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
        common.sort(key=lambda each: each[0])
        ahead = sum(apart > 0 for _, apart, _ in common)
        level = sum(apart == 0 for _, apart, _ in common)
        margins = mean(margin for margin, _, _ in common)
        typical = common[len(common) // 2][2]
        results[name] = OpponentResults(name, len(common), ahead, level, margins, typical)
    return results


def _seats(bot: str, games: Sequence[GameRow]) -> Iterator[tuple[GameRow, int]]:
    """Yield each seat that a bot had in a game that was played."""
    for game in games:
        if game.ranks:  # void games have none
            yield from ((game, seat) for seat, name in enumerate(game.seats) if name == bot)


def losses(bot: str, games: Sequence[GameRow], folder: Path) -> list[Loss]:
    """Return the games that a bot lost by most points, with their blunders where analysed.

    Args:
        bot: The bot.
        games: The games of the tournament.
        folder: The folder of the tournament, with saved analyses.
    """
    lost = []
    for game in games:
        if not game.ranks or bot not in game.seats:
            continue
        seat = game.seats.index(bot)
        if game.ranks[seat] > 0:
            lost.append(Loss(game, max(game.scores) - game.scores[seat]))
    lost.sort(key=lambda each: -each.behind)
    return [_with_blunders(bot, each, folder) for each in lost[:MOST_LOSSES]]


def _with_blunders(bot: str, loss: Loss, folder: Path) -> Loss:
    """Return a loss with the moves that gave up most, if the game was analysed."""
    analysis = saved_analysis(folder, loss.game.id)
    if analysis is None or analysis.seats != loss.game.seats:
        return loss
    moves = [
        move
        for move in analysis.moves
        if analysis.seats[move.player] == bot and move.chance_lost >= INACCURACY
    ]
    moves.sort(key=lambda move: -move.chance_lost)
    worst = (Blunder(move.last_action, move.chance_lost) for move in moves[:MOST_BLUNDERS])
    luck = sum(move.luck.margin for move in analysis.moves if analysis.seats[move.player] == bot)
    return attrs.evolve(loss, blunders=tuple(worst), luck=luck)


def versions(bot: str, board: Board) -> list[BoardRow]:
    """Return the rows of all versions of a bot, by name; none if there is only one."""
    name = bot.partition("@")[0]
    rows = [row for row in board.rows if row.bot.partition("@")[0] == name]
    return sorted(rows, key=lambda row: row.bot) if len(rows) > 1 else []
