"""What the page of a bot shows: its results by seat, and its losses with their blunders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import attrs

from carc.analysis.saved import saved_analysis
from carc.tournaments.outcomes.verdicts import OK
from carc.web.board_cache import Board, BoardRow, GameRow

_MOST_LOSSES = 20  # listed on a page


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
class Loss:
    """A game that a bot lost.

    Attributes:
        game: The game.
        behind: By how many points it was behind the best other.
        blunder: The largest share of the chance to win that a move gave up; None if the game was
            not analysed.
        move: The number of actions after that move.
    """

    game: GameRow
    behind: int
    blunder: float | None = None
    move: int = 0


def results_by_seat(bot: str, games: Sequence[GameRow]) -> list[SeatResults]:
    """Return a bot's results in each seat it sat in."""
    ranks: dict[int, list[int]] = {}
    scores: dict[int, list[int]] = {}
    for game in games:
        if game.verdict != OK or not game.ranks:
            continue
        for seat, name in enumerate(game.seats):
            if name == bot:
                ranks.setdefault(seat, []).append(game.ranks[seat])
                scores.setdefault(seat, []).append(game.scores[seat])
    return [
        SeatResults(seat + 1, len(own), own.count(0), sum(scores[seat]) / len(own))
        for seat, own in sorted(ranks.items())
    ]


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
    return [_with_blunder(bot, each, folder) for each in lost[:_MOST_LOSSES]]


def _with_blunder(bot: str, loss: Loss, folder: Path) -> Loss:
    """Return a loss with the move that gave up most, if the game was analysed."""
    analysis = saved_analysis(folder, loss.game.id)
    if analysis is None or analysis.seats != loss.game.seats:
        return loss
    seats = [seat for seat, name in enumerate(loss.game.seats) if name == bot]
    moves = [move for move in analysis.moves if move.player in seats]
    worst = max(moves, key=lambda move: move.chance_lost, default=None)
    if worst is None:
        return loss
    return attrs.evolve(loss, blunder=worst.chance_lost, move=worst.last_action)


def versions(bot: str, board: Board) -> list[BoardRow]:
    """Return the rows of all versions of a bot, by name; none if there is only one."""
    name = bot.partition("@")[0]
    rows = [row for row in board.rows if row.bot.partition("@")[0] == name]
    return sorted(rows, key=lambda row: row.bot) if len(rows) > 1 else []
