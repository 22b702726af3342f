"""A match as one HTML page that steps through it. The page needs no other file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from carc.base.game.rules import COLOURS
from carc.base.game.scoring import Scored
from carc.drawing import artwork, board_svg, score_plot
from carc.drawing.history import MatchHistory, Ply
from carc.drawing.style import asset, style

_LEAST_SECONDS = 0.005  # shown beside a move
_CSP = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


def replay_page(history: MatchHistory, *, embed: bool = False) -> str:
    """Return the page.

    Args:
        history: The match.
        embed: Return only a part, for inclusion in another page.
    """
    css, script = asset("replay.css"), asset("replay.js")
    inside = f"<style>{css}</style>{replayer(history)}<script>{script}</script>"
    if embed:
        return inside + "\n"
    title = escape(history.title)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_CSP}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{title}</title><link rel="icon" href="data:,">'
        "<style>body{margin:0 auto;max-width:1200px;padding:.5rem}</style></head><body><main>"
        f'<h1 class="carc-title">{title}</h1>{inside}</main></body></html>\n'
    )


def replayer(history: MatchHistory) -> str:
    """Return the board, its controls and the list of moves, without style and script."""
    plot = score_plot.as_svg(history.scores(), history.names)
    return (
        '<div class="carc-replay" tabindex="0" role="group" '
        'aria-label="replay; arrow keys step, space plays">'
        f'<div class="carc-left">{_controls(len(history.plies))}'
        f'<div class="carc-board">{_board(history)}</div></div>'
        f'<div class="carc-right">{_scores(history)}<div class="carc-plot">{plot}</div>'
        f'{_statistics(history)}<ol class="carc-moves">{_moves(history)}</ol></div>'
        f'<script type="application/json" class="carc-data">{_json(_data(history))}</script></div>'
    )


def _board(history: MatchHistory) -> str:
    """Return every part of every position once, with the positions it is seen in."""
    tiles = history.tiles
    left, _, right, _ = board_svg.scene(history.positions[-1], tiles).box
    is_wide = right - left >= board_svg.WIDE
    scale = board_svg.LARGE_PIECE_SCALE if is_wide else board_svg.PIECE_SCALE
    scenes = [board_svg.scene(data, tiles, scale=scale) for data in history.positions]
    box = (
        min(scene.box[0] for scene in scenes),
        min(scene.box[1] for scene in scenes),
        max(scene.box[2] for scene in scenes),
        max(scene.box[3] for scene in scenes),
    )
    frames = [
        [board_svg.last_move(data["tiles"][-1]["x"], data["tiles"][-1]["y"])] if number else []
        for number, data in enumerate(history.positions)
    ]
    kinds = dict.fromkeys(kind for scene in scenes for kind in scene.kinds)
    x, y, width, height = board_svg.view(box)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x} {y} {width} {height}" role="img" '
        f'aria-label="the board"><style>{style("auto")}</style>'
        f"{board_svg.definitions(kinds, tiles)}{board_svg.axes(box)}"
        f"{_timed([scene.tiles for scene in scenes])}{_timed([scene.pieces for scene in scenes])}"
        f"{_timed(frames)}</svg>"
    )


def _timed(layers: Sequence[Iterable[str]]) -> str:
    """Return the parts of a layer, each with `data-t`: pairs of positions, first and after last."""
    seen: dict[str, list[int]] = {}
    for number, parts in enumerate(layers):
        for part in parts:
            times = seen.setdefault(part, [])
            if times and times[-1] == number:
                times[-1] = number + 1
            else:
                times += [number, number + 1]
    drawn = []
    for part, times in seen.items():
        mark = f'data-t="{" ".join(map(str, times))}"'
        hidden = "" if times[0] == 0 else ' style="display:none"'
        drawn.append(f"<g {mark}{hidden}>{part}</g>")
    return "".join(drawn)


def _controls(plies: int) -> str:
    def button(name: str, sign: str, label: str) -> str:
        names = f'data-do="{name}" aria-label="{label}" title="{label}"'
        return f'<button type="button" {names}>{sign}</button>'

    return (
        '<div class="carc-controls">'
        + button("first", "&laquo;", "first position")
        + button("back", "&lsaquo;", "previous move")
        + button("play", "▶", "play")
        + button("next", "&rsaquo;", "next move")
        + button("last", "&raquo;", "last position")
        + f'<input type="range" min="0" max="{plies}" value="0" aria-label="move">'
        '<output class="carc-number">0</output></div>'
        '<p class="carc-sentence" aria-live="polite"></p>'
    )


def _scores(history: MatchHistory) -> str:
    rows = []
    for owner, name in enumerate(history.names):
        figure = artwork.figure("meeple", owner, False)
        rows.append(
            '<tr><td><svg viewBox="-14 -19 30 34" width="26" height="30" aria-hidden="true">'
            f"{figure}</svg></td><th scope=row>{COLOURS[owner]} {escape(name)}</th>"
            "<td class=carc-score>0</td></tr>"
        )
    return f'<table class="carc-scores"><caption>Scores</caption>{"".join(rows)}</table>'


def _statistics(history: MatchHistory) -> str:
    """Return points by kind, and the largest scorings."""
    heads = "".join(f"<th scope=col>{COLOURS[owner]}</th>" for owner in range(len(history.names)))
    rows = "".join(
        f"<tr><th scope=row>{escape(kind)}</th>{''.join(f'<td>{n}</td>' for n in points)}</tr>"
        for kind, points in history.points_by_kind().items()
    )
    largest = "".join(
        f"<li>{COLOURS[scored.owner]}: {escape(scored.text)} {_when(at)}</li>"
        for at, scored in history.largest_scorings()
    )
    return (
        '<details class="carc-why"><summary>Points by kind</summary>'
        f"<table><thead><tr><th scope=col>for</th>{heads}</tr></thead><tbody>{rows}</tbody></table>"
        f"<p>Largest scorings</p><ul>{largest}</ul></details>"
    )


def _when(ply: int | None) -> str:
    if ply is None:
        return "(final scoring)"
    return f'<button type="button" data-to="{ply + 1}">move {ply + 1}</button>'


def _moves(history: MatchHistory) -> str:
    """Return the turns; each move is a button that jumps to it."""
    lines = []
    for turn in history.turns:
        moves = " ".join(_move(at + 1, history.plies[at], at == turn[-1]) for at in turn)
        lines.append(_turn(history.turn_player(turn), moves))
    if history.result and history.result.final:
        lines.append(_turn("final scoring", "".join(map(_scored, history.result.final))))
    return "".join(lines)


def _turn(player: str, moves: str) -> str:
    return f'<li><span class="carc-who">{escape(player)}</span> {moves}</li>'


def _move(number: int, ply: Ply, is_last: bool) -> str:
    clock = ""
    if ply.seconds is not None and ply.seconds >= _LEAST_SECONDS:
        clock = f' <span class="carc-clock">({ply.seconds:.2f} s)</span>'
    return (
        f'<button type="button" data-to="{number}" title="{escape(ply.action)}">'
        f"{escape(ply.words)}{clock}{'' if is_last else ','}</button>"
        f"{''.join(map(_scored, ply.scored))}"
    )


def _scored(scored: Scored) -> str:
    return f'<span class="carc-scored">{COLOURS[scored.owner]} scores {escape(scored.text)}</span>'


def _data(history: MatchHistory) -> dict[str, Any]:
    """Return what the script shows in each position."""
    sentences = [
        history.sentence(number)
        + "".join(
            f"; {COLOURS[scored.owner]} scores {scored.text}"
            for scored in (history.plies[number - 1].scored if number else ())
        )
        for number in range(len(history.positions))
    ]
    return {"scores": [data["scores"] for data in history.positions], "sentences": sentences}


def _json(data: object) -> str:
    """Return JSON that cannot end a script element."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
