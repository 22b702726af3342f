"""The list of moves of a replay: a line for each turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from carc.base.game.rules import COLOURS
from carc.base.turn.scoring import Scored
from carc.drawing import artwork
from carc.drawing.history import MatchHistory, Ply, capitalized
from carc.drawing.pieces import Data

if TYPE_CHECKING:
    from carc.analysis.results import MoveAnalysis

SIGNS: Mapping[str, str] = {"blunder": "??", "mistake": "?", "inaccuracy": "?!"}
"""The sign of each mark of an analysis, as in chess."""

_LEAST_SECONDS = 0.1  # shown beside a turn


def emblem(owner: int) -> str:
    """Return a small picture of an owner: its colour with its emblem."""
    fill, contrast, shape = artwork.OWNERS[owner % len(artwork.OWNERS)]
    return (
        '<svg class="carc-emblem" viewBox="-8 -8 16 16" aria-hidden="true">'
        f'<circle r="8" fill="{fill}"/><path d="{shape}" fill="{contrast}"/></svg>'
    )


def move_list(history: MatchHistory, analysed: Sequence[MoveAnalysis] = ()) -> str:
    """Return the turns as items of a list: a button for each move, a sign for each analysed."""
    marked = {move.last_action - 1: move for move in analysed}
    lines = []
    for number, turn in enumerate(history.turns, start=1):
        lines.append(_turn(history, number, turn, [marked[at] for at in turn if at in marked]))
    if history.result and history.result.final:
        scored = "".join(
            f"<span>{emblem(each.owner)} {COLOURS[each.owner]} scores {escape(each.text)}</span>"
            for each in history.result.final
        )
        end = len(history.plies)
        lines.append(
            f'<li class="carc-final"><button type="button" data-to="{end}">Final scoring</button>'
            f"{scored}</li>"
        )
    return "".join(lines)


def _turn(
    history: MatchHistory, number: int, turn: Sequence[int], marked: Sequence[MoveAnalysis]
) -> str:
    """Return the line of a turn: number, tile, player, moves, marks, clock, points."""
    plies = [history.plies[at] for at in turn]
    players = [ply.player for ply in plies if ply.player >= 0]
    owner = history.rules.colours[players[0]][0] if players else None
    before = history.positions[turn[0]]
    moves = "".join(_moves(turn, plies)) or _move(turn[-1] + 1, plies[-1], "passes")
    full = f"{history.turn_player(turn)} {', '.join(ply.words for ply in plies)}"
    return (
        f'<li data-from="{turn[0] + 1}" data-until="{turn[-1] + 1}">'
        f'<span class="carc-turn">{number}</span>'
        f"{_tile(before, plies[-1].after)}"
        f"{emblem(owner) if owner is not None else '<span></span>'}"
        f'<span class="carc-words" title="{escape(capitalized(full))}">{moves}</span>'
        f'<span class="carc-gains">{"".join(map(_mark, marked))}{_clock(plies)}'
        f"{''.join(_gains(plies))}</span></li>"
    )


def _tile(before: Data, after: Data) -> str:
    """Return a small picture of the tile that was placed between two positions."""
    if len(after["tiles"]) == len(before["tiles"]):
        return "<span></span>"
    placed = after["tiles"][-1]
    return (
        '<svg class="carc-tile" viewBox="0 0 100 100" aria-hidden="true">'
        f'<use href="#c-{placed["kind"]}" transform="rotate({90 * placed["rotation"]} 50 50)"/>'
        "</svg>"
    )


def _moves(turn: Sequence[int], plies: Sequence[Ply]) -> Iterator[str]:
    """Yield the moves of a turn without what the rest of the line shows: draws and passes."""
    for at, ply in zip(turn, plies, strict=True):
        verb = ply.action.partition(":")[0]
        if verb == "place":
            x, y, _ = ply.action.partition(":")[2].split(",")
            yield _move(at + 1, ply, f"tile at {x}, {y}")
        elif verb == "claim":
            yield _move(at + 1, ply, ply.words.removeprefix("places "))
        elif verb not in ("draw", "pass"):
            yield _move(at + 1, ply, ply.words)


def _move(number: int, ply: Ply, words: str) -> str:
    return (
        f'<button type="button" data-to="{number}" title="{escape(ply.action)}">'
        f"{escape(words)}</button>"
    )


def _mark(move: MoveAnalysis) -> str:
    """Return the sign of a move that lost much."""
    if not move.mark:
        title = f"{move.points_lost_text} points lost"
        return f'<abbr class="carc-lost" title="{title}">-{move.points_lost:.1f}</abbr>'
    lost = f"{move.mark}: {move.chance_lost_text}"
    return (
        f'<abbr class="carc-mark carc-{move.mark}" title="{lost} of the chance to win lost">'
        f"{SIGNS[move.mark]}</abbr>"
    )


def _clock(plies: Iterable[Ply]) -> str:
    spent = [ply.seconds for ply in plies if ply.seconds is not None]
    if sum(spent) < _LEAST_SECONDS:
        return ""
    return f'<span class="carc-clock">{sum(spent):.2f} s</span>'


def _gains(plies: Iterable[Ply]) -> Iterator[str]:
    """Yield the points of each owner, with what they are for."""
    scored: dict[int, list[Scored]] = {}
    for ply in plies:
        for each in ply.scored:
            scored.setdefault(each.owner, []).append(each)
    for owner, some in scored.items():
        why = "; ".join(f"{COLOURS[owner]} scores {each.text}" for each in some)
        points = sum(each.points for each in some)
        yield f'<span class="carc-gain" title="{escape(why)}">{emblem(owner)}{points:+}</span>'
