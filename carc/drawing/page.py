"""A match as one page that steps through it: everything in the file, nothing fetched."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from carc.base.game.rules import COLOURS
from carc.drawing import art, plot, svg
from carc.drawing.story import Story

_CSP = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


def asset(name: str) -> str:
    """A file of the page's own: `replay.css` or `replay.js`."""
    return files("carc.drawing").joinpath("assets", name).read_text(encoding="utf-8")


def page(story: Story, *, embed: bool = False) -> str:
    """The page; with `embed` a part of a page, to be put where one likes."""
    inside = f"<style>{asset('replay.css')}</style>{replayer(story)}<script>{asset('replay.js')}</script>"
    if embed:
        return inside + "\n"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_CSP}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{escape(title(story))}</title><link rel="icon" href="data:,">'
        f'<style>body{{margin:0 auto;max-width:1200px;padding:.5rem}}</style></head><body><main><h1 class="carc-title">'
        f"{escape(title(story))}</h1>{inside}</main></body></html>\n"
    )


def title(story: Story) -> str:
    """Who met whom at what."""
    return f"{' - '.join(story.seats)}, {story.rules.spec}"


def replayer(story: Story) -> str:
    """The table, its controls and the list of moves, without style and script."""
    return (
        '<div class="carc-replay" tabindex="0" role="group" aria-label="replay; arrow keys step, space plays">'
        f'<div class="carc-left">{_controls(len(story.plies))}<div class="carc-board">{_table(story)}</div></div>'
        f'<div class="carc-right">{_scores(story)}<div class="carc-plot">{plot.as_svg(story.scores(), story.names)}</div>'
        f'{_why(story)}<ol class="carc-moves">{_moves(story)}</ol></div>'
        f'<script type="application/json" class="carc-data">{_json(_data(story))}</script></div>'
    )


def _table(story: Story) -> str:
    """Every part of every position once, with the positions it is seen in."""
    left, _, right, _ = svg.scene(story.positions[-1], story.tiles).box
    figure = svg.FIGURE if right - left < svg.WIDE else svg.SMALL
    scenes = [svg.scene(data, story.tiles, figure=figure) for data in story.positions]
    box = (
        min(one.box[0] for one in scenes),
        min(one.box[1] for one in scenes),
        max(one.box[2] for one in scenes),
        max(one.box[3] for one in scenes),
    )
    frames = [
        [svg.last_move(data["tiles"][-1]["x"], data["tiles"][-1]["y"])] if number else []
        for number, data in enumerate(story.positions)
    ]
    kinds = dict.fromkeys(kind for one in scenes for kind in one.kinds)
    x, y, width, height = svg.view(box)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{x} {y} {width} {height}" role="img" aria-label="the table">'
        f"<style>{art.style('auto')}</style>{svg.definitions(kinds, story.tiles)}{svg.axes(box)}"
        f"{_timed([one.tiles for one in scenes])}{_timed([one.pieces for one in scenes])}{_timed(frames)}</svg>"
    )


def _timed(layers: Sequence[Iterable[str]]) -> str:
    """The parts of a layer over time, each with `data-t`: pairs of the positions it comes and goes at."""
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
        return f'<button type="button" data-do="{name}" aria-label="{label}" title="{label}">{sign}</button>'

    return (
        '<div class="carc-controls">'
        + button("first", "&laquo;", "to the start")
        + button("back", "&lsaquo;", "one move back")
        + button("play", "▶", "play")
        + button("next", "&rsaquo;", "one move on")
        + button("last", "&raquo;", "to the end")
        + f'<input type="range" min="0" max="{plies}" value="0" aria-label="move">'
        '<output class="carc-number">0</output></div><p class="carc-said" aria-live="polite"></p>'
    )


def _scores(story: Story) -> str:
    rows = []
    for owner, name in enumerate(story.names):
        figure = art.figure("meeple", owner, False)
        rows.append(
            f'<tr><td><svg viewBox="-14 -19 30 34" width="26" height="30" aria-hidden="true">{figure}</svg></td>'
            f"<th scope=row>{COLOURS[owner]} {escape(name)}</th><td class=carc-score>0</td></tr>"
        )
    return f'<table class="carc-scores"><caption>Scores</caption>{"".join(rows)}</table>'


def _why(story: Story) -> str:
    """Where points came from, and what moved most of them."""
    heads = "".join(f"<th scope=col>{COLOURS[owner]}</th>" for owner in range(len(story.names)))
    rows = "".join(
        f"<tr><th scope=row>{escape(kind)}</th>{''.join(f'<td>{one}</td>' for one in points)}</tr>"
        for kind, points in story.by_kind().items()
    )
    swings = "".join(
        f"<li>{COLOURS[scored.owner]}: {escape(scored.text)} "
        + (
            "(at the end)"
            if at is None
            else f'<button type="button" data-to="{at + 1}">move {at + 1}</button>'
        )
        + "</li>"
        for at, scored in story.swings()
    )
    return (
        f'<details class="carc-why"><summary>Where the points came from</summary><table><thead><tr><th scope=col>for</th>{heads}'
        f"</tr></thead><tbody>{rows}</tbody></table><p>Most points at once</p><ul>{swings}</ul></details>"
    )


def _moves(story: Story) -> str:
    """The turns; each move a button that goes there."""
    lines = []
    for turn in story.turns:
        who = next(
            (story.who(story.plies[at].player) for at in turn if story.plies[at].player >= 0),
            "chance",
        )
        moves = []
        for at in turn:
            ply = story.plies[at]
            scored = "".join(
                f'<span class="carc-scored">{COLOURS[one.owner]} {escape(one.text)}</span>'
                for one in ply.scored
            )
            clock = (
                f' <span class="carc-clock">{ply.seconds:.2f} s</span>'
                if ply.seconds is not None
                else ""
            )
            moves.append(
                f'<button type="button" data-to="{at + 1}" title="{escape(ply.action)}">{escape(ply.words)}</button>{clock}{scored}'
            )
        lines.append(f'<li><span class="carc-who">{escape(who)}</span> {" ".join(moves)}</li>')
    if story.result and story.result.final:
        ended = "".join(
            f'<span class="carc-scored">{COLOURS[one.owner]} {escape(one.text)}</span>'
            for one in story.result.final
        )
        lines.append(f'<li><span class="carc-who">at the end</span> {ended}</li>')
    return "".join(lines)


def _data(story: Story) -> dict[str, Any]:
    return {
        "scores": [data["scores"] for data in story.positions],
        "said": [
            "the start",
            *(
                f"{story.who(ply.player) if ply.player >= 0 else 'chance'} {ply.words}"
                + "".join(f"; {COLOURS[one.owner]} scores {one.text}" for one in ply.scored)
                for ply in story.plies
            ),
        ],
    }


def _json(data: object) -> str:
    """JSON that ends no script element, whatever it holds."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
