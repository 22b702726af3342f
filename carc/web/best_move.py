"""What the best move would have been, for a person who asks at a table."""

import attrs

from carc.analysis import MoveAnalysis, analyse_last_move
from carc.base.game.state import State
from carc.errors import CarcError
from carc.match.match import Match, initial_state
from carc.web.live_table import LiveTable
from carc.web.turn_words import turn_words

PLAYOUTS = 100  # about a second


@attrs.frozen
class BestMove:
    """A judgement of a move.

    Attributes:
        verdict: What the move gave up, in a sentence.
        best: The best move as a command; empty if it was played.
        cells: The cells that it points at.
    """

    verdict: str
    best: str = ""
    cells: tuple[tuple[int, int], ...] = ()


def judge_last_move(table: LiveTable, seat: int) -> BestMove:
    """Return a judgement of the last move of a seat.

    Raises `CarcError` if several people are still playing, or if the seat has not moved.
    """
    match = table.match_so_far()
    if not (table.is_solo or match.result.ranks):
        raise CarcError("the best move is shown to a person who plays alone, or after the game")
    if not match.result.ranks:  # as in a game saved before its end
        match = attrs.evolve(match, result=attrs.evolve(match.result, scores=()))
    if not any(move.player == seat for move in match.moves):
        raise CarcError("you have not moved yet")
    analysis = analyse_last_move(match, seat, playouts=PLAYOUTS)
    if analysis.best == analysis.played:
        return BestMove("Your last move was the best that was found.")
    before = _before(match, table, analysis.first_action)
    return BestMove(_verdict(analysis), *turn_words(table, before, analysis.best))


def _verdict(analysis: MoveAnalysis) -> str:
    name = analysis.mark or "good move"
    article = "an" if name[0] in "aeiou" else "a"
    of_the_chance = f"and {analysis.chance_lost_text}" if analysis.chance_lost else "but nothing"
    return (
        f"Your last move was {article} {name}: it gave up {analysis.points_lost_text} points"
        f" {of_the_chance} of the chance to win."
    )


def _before(match: Match, table: LiveTable, number: int) -> State:
    """Return the position of a match after so many actions."""
    state = initial_state(match, table.match.rules)
    for move in match.moves[:number]:
        state.apply(state.rules.parse(move.action))
    return state
