"""A match as one HTML page that steps through it. The page needs no other file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from carc.base.game.rules import COLOURS
from carc.base.turn.scoring import Scored
from carc.drawing import artwork, board_svg, chance_plot, score_plot, turning_points
from carc.drawing.descriptions import after_placing, claimed, describe_line
from carc.drawing.history import MatchHistory
from carc.drawing.pieces import Data
from carc.drawing.replay_board import replay_board
from carc.drawing.replay_moves import SIGNS, emblem, move_list
from carc.drawing.style import asset
from carc.escape import escape_unprintable

if TYPE_CHECKING:
    from carc.analysis.results import GameAnalysis, MoveAnalysis

SCRIPTS = ("replay_camera.js", "replay_picture.js", "replay.js")
"""The scripts of a replay, in the order in which a page loads them."""

STYLES = ("theme.css", "replay.css")
"""Its style sheets."""

_CSP = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
_SPEEDS = ((1600, "slow"), (700, "normal"), (300, "fast"), (120, "very fast"))


def replay_page(
    history: MatchHistory, analysis: GameAnalysis | None = None, *, embed: bool = False
) -> str:
    """Return the page with an analysis, if there is one; to embed, only a part of a page."""
    scripts = "".join(f"<script>{asset(name)}</script>" for name in SCRIPTS)
    body = replayer(history, analysis, fill_window=not embed)
    inside = f"<style>{''.join(map(asset, STYLES))}</style>{body}{scripts}"
    if embed:
        return inside + "\n"
    title = escape(history.title)
    return (
        '<!doctype html><html lang="en" class="carc-theme"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_CSP}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{title}</title><link rel="icon" href="data:,">'
        "<style>body{margin:0}main{padding:.4rem}</style></head><body><main>"
        f'<h1 class="carc-title">{title}</h1>{inside}</main></body></html>\n'
    )


def replayer(
    history: MatchHistory,
    analysis: GameAnalysis | None = None,
    *,
    fill_window: bool = True,
    downloads: Mapping[str, str] | None = None,
) -> str:
    """Return the board, its controls and the list of moves, without style and script.

    Args:
        history: The match.
        analysis: Its analysis, to be shown with it.
        fill_window: Make it as high as the window.
        downloads: What else can be saved: addresses by what the menu calls them.
    """
    marked = turning_points.costly(analysis) if analysis else []
    advice = [_advice(history, move) for move in marked]
    hands = [data["tile_in_hand"] for data in history.positions]
    board, boxes = replay_board(history, filter(None, hands))
    data = _data(history, marked) | {"boxes": boxes, "advice": advice}
    if analysis:
        data["lucky"] = turning_points.draws(history, analysis)
        data["chances"] = [*chance_plot.chances(analysis, history.rules.colours)]
    size = " carc-whole" if fill_window else ""
    return (
        f'<div class="carc-replay carc-theme{size}" role="group" aria-label="replay">'
        f'<div class="carc-stage"><div class="carc-board">{board}{_ZOOM}</div>'
        '<div class="carc-below"><div class="carc-caption">'
        '<svg class="carc-hand" viewBox="0 0 100 100" aria-hidden="true"><use/></svg>'
        '<p class="carc-sentence" aria-live="polite"></p><p class="carc-verdict" hidden></p></div>'
        f"{_controls(history, analysis, downloads)}</div></div>"
        f'<div class="carc-side">{_players(history, analysis)}'
        f'<p class="carc-reasons">{escape(_reasons(history, analysis))}</p>'
        f"{_plots(history, analysis)}{_statistics(history)}"
        f"{turning_points.as_html(history, analysis) if analysis else ''}"
        '<ol class="carc-moves" tabindex="0" aria-label="moves">'
        f"{move_list(history, marked)}</ol></div>"
        f'<script type="application/json" class="carc-data">{_json(data)}</script></div>'
    )


def _button(name: str, sign: str, label: str) -> str:
    names = f'data-do="{name}" aria-label="{label}" title="{label}"'
    return f'<button type="button" {names}>{sign}</button>'


_ZOOM = (
    '<div class="carc-zoom">'
    + _button("in", "+", "zoom in (+)")
    + _button("out", "&minus;", "zoom out (-)")
    + _button(
        "follow",
        '<svg viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="5"/>'
        '<path d="M10 1v6M10 13v6M1 10h6M13 10h6"/></svg>',
        "follow the play (0)",
    )
    + "</div>"
)
_SHARE = (
    '<details class="carc-more"><summary>Share</summary><div>'
    '<button type="button" data-do="link">Copy link to this move</button>'
    '<button type="button" data-do="copy">Copy picture</button>'
    '<button type="button" data-do="png">Save picture as PNG</button>'
    '<button type="button" data-do="svg">Save picture as SVG</button>{downloads}</div></details>'
)
_KEYS = (
    '<details class="carc-more"><summary aria-label="help" title="help">?</summary><div>{marks}'
    "<p>A turn has several moves: draw a tile, place it, place a follower.</p>"
    '<p class="carc-keys">Keys: &larr; &rarr; moves, &uarr; &darr; turns, Home, End, space plays, '
    "+ &minus; zoom, 0 follows the play, b the next costly move.</p></div></details>"
)


def _help(analysis: GameAnalysis) -> str:
    """Return what the marks and numbers of an analysis mean."""
    marks = ", ".join(
        f"{SIGNS[mark]} {mark} {round(100 * least)} %"
        for mark, least in analysis.thresholds.items()
    )
    return (
        f"<p>Chance to win lost, at least: {marks}.</p>"
        "<p>Accuracy: 100 for the best moves only.</p>"
        "<p>Luck: the points that the tiles brought, compared with average tiles.</p>"
    )


def _controls(
    history: MatchHistory, analysis: GameAnalysis | None, downloads: Mapping[str, str] | None
) -> str:
    """Return the buttons, the slider, the speed and the menus."""
    links = "".join(
        f'<a class="carc-download" href="{escape(address)}" download>{escape(words)}</a>'
        for words, address in (downloads or {}).items()
    )
    speeds = "".join(
        f'<option value="{pause}"{" selected" if name == "normal" else ""}>{name}</option>'
        for pause, name in _SPEEDS
    )
    mark = _button("mark", "Costly &rsaquo;", "next costly move (b)") if analysis else ""
    return (
        '<div class="carc-controls">'
        + _button("first", "&laquo;", "first position")
        + _button("back", "&lsaquo;", "previous move")
        + _button("play", "▶", "play")
        + _button("next", "&rsaquo;", "next move")
        + _button("last", "&raquo;", "last position")
        + mark
        + f'<input type="range" min="0" max="{len(history.plies)}" value="0" aria-label="move">'
        + '<span class="carc-count">turn <output class="carc-turn-number">0</output>, '
        + 'move <output class="carc-number">0</output></span>'
        + f'<select class="carc-speed" aria-label="speed">{speeds}</select>'
        + _SHARE.replace("{downloads}", links)
        + _KEYS.replace("{marks}", _help(analysis) if analysis else "")
        + '<span class="carc-done" role="status"></span></div>'
    )


def _players(history: MatchHistory, analysis: GameAnalysis | None) -> str:
    """Return the scores, and what the analysis says of each player."""
    seats = {owner: seat for seat, own in enumerate(history.rules.colours) for owner in own}
    rows = []
    for owner, name in enumerate(history.names):
        figure = artwork.figure("meeple", owner, False)
        rows.append(
            '<tr><td><svg viewBox="-14 -19 30 34" width="22" height="25" aria-hidden="true">'
            f"{figure}</svg></td><th scope=row>{COLOURS[owner]} {escape(name)}</th>"
            f"{_judged(analysis, seats[owner]) if analysis else ''}"
            "<td class=carc-score>0</td></tr>"
        )
    heads = "<td></td><th scope=col>player</th>"
    if analysis:
        heads += "<th scope=col>accuracy</th><th scope=col>marks</th><th scope=col>luck</th>"
    return (
        '<table class="carc-scores"><thead><tr>'
        f"{heads}<th scope=col>score</th></tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _judged(analysis: GameAnalysis, seat: int) -> str:
    """Return the accuracy, marks and luck of a player as cells."""
    player = analysis.players[seat]
    counts = {
        "blunder": player.blunders,
        "mistake": player.mistakes,
        "inaccuracy": player.inaccuracies,
    }
    if not any(counts.values()):
        costly = analysis.costly(player.name)
        counts[""] = sum(move.player == seat for move in costly)
    name = escape(escape_unprintable(player.name))
    marks = " ".join(
        f'<button type="button" class="carc-mark carc-{mark or "lost"}" data-mark="{mark}"'
        f' data-player="{seat}" title="the next {mark or "costly move"} of {name}">'
        f"{SIGNS.get(mark, 'costly')}&thinsp;{count}</button>"
        for mark, count in counts.items()
        if count
    )
    return f"<td>{player.accuracy:.0f}</td><td>{marks}</td><td>{player.luck.margin:+.0f}</td>"


def _reasons(history: MatchHistory, analysis: GameAnalysis | None) -> str:
    """Return with what the game was won, and if it was analysed, why."""
    reasons = history.reasons()
    if not (reasons and analysis and history.result):
        return reasons
    owners = [own[0] for own in history.rules.colours]
    scores = [history.result.scores[owner] for owner in owners]
    names = [COLOURS[owner] for owner in owners]
    return f"{reasons} {analysis.reason(history.result.ranks, scores, names)}"


def _plots(history: MatchHistory, analysis: GameAnalysis | None) -> str:
    scores = score_plot.as_svg(history.scores(), history.names)
    title = "<figcaption>Scores</figcaption>"
    if analysis is None:
        return f'<figure class="carc-plot">{title}{scores}</figure>'
    chances = chance_plot.as_svg(analysis, history.rules.colours, len(history.plies))
    return (
        '<figure class="carc-plot carc-chances"><figcaption>Chance to win, in percent'
        '<span class="carc-chance"></span></figcaption>'
        f"{chances}</figure><details><summary>Scores</summary>"
        f'<figure class="carc-plot">{scores}</figure></details>'
    )


def _statistics(history: MatchHistory) -> str:
    """Return points by kind, and the largest scorings."""
    owners = range(len(history.names))
    heads = "".join(f"<th scope=col>{emblem(owner)} {COLOURS[owner]}</th>" for owner in owners)
    kinds = history.points_by_kind()
    most = max((abs(n) for points in kinds.values() for n in points), default=1) or 1
    rows = "".join(
        f"<tr><th scope=row>{escape(kind)}</th>"
        + "".join(_bar(owner, points[owner], most) for owner in owners)
        + "</tr>"
        for kind, points in kinds.items()
    )
    totals = "".join(f"<td>{score}</td>" for score in history.positions[-1]["scores"])
    largest = "".join(
        f"<li>{COLOURS[scored.owner]}: {escape(scored.text)} {_when(at)}</li>"
        for at, scored in history.largest_scorings()
    )
    return (
        '<details class="carc-why"><summary>Points by kind</summary>'
        f"<table><thead><tr><th scope=col>for</th>{heads}</tr></thead><tbody>{rows}</tbody>"
        f"<tfoot><tr><th scope=row>score</th>{totals}</tr></tfoot></table>"
        f"<p>Largest scorings</p><ul>{largest}</ul></details>"
    )


def _bar(owner: int, points: int, most: int) -> str:
    """Return a cell with points and a bar as long as they are many."""
    fill = artwork.OWNERS[owner % len(artwork.OWNERS)][0]
    bar = f'<i style="width:{3 * abs(points) / most:.2f}em;background:{fill}"></i>'
    return f"<td>{bar if points else ''}{points}</td>"


def _when(ply: int | None) -> str:
    if ply is None:
        return "(final scoring)"
    return f'<button type="button" data-to="{ply + 1}">move {ply + 1}</button>'


def _advice(history: MatchHistory, move: MoveAnalysis) -> dict[str, Any]:
    """Return what the script shows at a move that lost much: a sentence, and the better place."""
    before, moved = (history.positions[at] for at in (move.first_action, move.last_action))
    advice: dict[str, Any] = {
        "at": move.last_action,
        "player": move.player,
        "mark": move.mark,
    }
    after = after_placing(move.best[0], before)
    if after is not before and move.best[0] != move.played[0]:
        tile = after["tiles"][-1]
        x, y = cell = tile["x"], tile["y"]
        advice |= {"tile": tile["kind"], "place": [x, y, tile["rotation"]]}
        advice["same"] = any((each["x"], each["y"]) == cell for each in moved["tiles"])
    if move.best != move.played:
        advice |= _claimed(history, move, after)
    better = describe_line(move.best, before, history.rules)
    chances = [round(100 * chance) for chance in (move.chance_before, move.chance_after)]
    points = f"{move.points_lost_text} points lost{' (exact)' if move.exact else ''}"
    changed = f"chance to win {chances[0]} % → {chances[1]} %"
    if chances[0] == chances[1]:
        changed = f"the chance to win stays {chances[1]} %"
    sign = f"{SIGNS[move.mark]} {move.mark.capitalize()}" if move.mark else "Costly"
    advice["text"] = f"{sign}: {changed}, {points}. Better: {better}"
    return advice


def _claimed(history: MatchHistory, move: MoveAnalysis, after: Data) -> dict[str, Any]:
    """Return what the script shows of a better claim: the tile's place, the follower on it."""
    own = history.rules.colours[move.player][0]
    claim = next(filter(None, [claimed(action, own) for action in move.best]), None)
    if claim is None:
        return {}
    segment, kind, owner = claim
    placed = after["tiles"][-1]
    tile = history.tiles[placed["kind"]]
    lying = tile.segments[segment].kind in artwork.LYING
    drawing = artwork.figure(kind, owner, lying)
    drawing = f'<g transform="scale({board_svg.PIECE_SCALE})">{drawing}</g>'
    return {
        "place": [placed["x"], placed["y"], placed["rotation"]],
        "piece": [*board_svg.spot(tile, placed["rotation"], segment), drawing],
    }


def _data(history: MatchHistory, costly: Sequence[MoveAnalysis]) -> dict[str, Any]:
    """Return what the script shows in each position; all of a move where one was costly."""
    actions = {move.last_action: move.last_action - move.first_action for move in costly}

    def scored(each: Scored) -> str:
        return f"; {COLOURS[each.owner]} scores {each.text}"

    sentences = [
        history.sentence(number, actions.get(number, 1))
        + "".join(map(scored, history.plies[number - 1].scored if number else ()))
        for number in range(len(history.positions))
    ]
    return {
        "scores": [data["scores"] for data in history.positions],
        "sentences": sentences,
        "hands": [data["tile_in_hand"] for data in history.positions],
        "last": [[data["tiles"][-1]["x"], data["tiles"][-1]["y"]] for data in history.positions],
        "ends": [0, *(turn[-1] + 1 for turn in history.turns)],
    }


def _json(data: object) -> str:
    """Return JSON that cannot end a script element."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
