"""What the best move would have been, for a person who asks at a table."""

from __future__ import annotations

import attrs

from carc.analysis import MoveAnalysis, analyse_last_move
from carc.drawing.descriptions import imperative, target
from carc.errors import CarcError
from carc.match.match import Match, initial_state
from carc.web.live_table import LiveTable

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

    Raises:
        CarcError: Several people are still playing, or the seat has not moved.
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
    return BestMove(_verdict(analysis), *_best(match, table, analysis))


def _verdict(analysis: MoveAnalysis) -> str:
    name = analysis.mark or "good move"
    article = "an" if name[0] in "aeiou" else "a"
    of_the_chance = f"and {analysis.chance_lost_text}" if analysis.chance_lost else "but nothing"
    return (
        f"Your last move was {article} {name}: it gave up {analysis.points_lost_text} points"
        f" {of_the_chance} of the chance to win."
    )


def _best(
    match: Match, table: LiveTable, analysis: MoveAnalysis
) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return the best move as a command, and the cells that it points at."""
    rules = table.match.rules
    state = initial_state(match, rules)
    for move in match.moves[: analysis.first_action]:
        state.apply(rules.parse(move.action))
    phrases = []
    cells = []
    for text in analysis.best:
        if text != "pass":
            before = state.to_dict("tile_in_hand", "tiles")
            cells.append(target(text, before).cell)
            phrases.append(imperative(table.words_for(text, before)))
        state.apply(rules.parse(text))
    return ", then ".join(phrases) or "pass", tuple(cell for cell in dict.fromkeys(cells) if cell)
