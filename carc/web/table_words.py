"""What a table says of itself: what is going on, what one meets, with whom, and for what points."""

from collections.abc import Mapping

from carc.base.turn.steps import CHANCE
from carc.drawing.descriptions import claimed, decision_words
from carc.drawing.history import points_by_kind
from carc.web.live_table import LiveTable
from carc.web.people import nameless
from carc.web.table_view import TableView


def status(live: LiveTable, view: TableView, seat: int | None, enters: bool) -> str:
    """Return what is going on, in a sentence."""
    match = live.match
    if match.is_over:
        return f"The game is over. {_winners(live, view, seat)}"
    if enters:
        return "Which tile was drawn?"
    if view.awaited == CHANCE:
        return "Waiting for the tile that was drawn."
    if view.awaited is not None and view.awaited == seat:
        progress = view.data.get("progress")
        return f"Your turn: {_decision(live, view)}{f'; {progress}' if progress else ''}."
    if view.awaited is not None:
        absent = "" if view.awaited in live.visited else ", who is not here yet"
        return f"Waiting for {live.titles[view.awaited]}{absent}."
    return f"{view.thinking} is thinking." if view.thinking else "A tile is being drawn."


def _decision(live: LiveTable, view: TableView) -> str:
    """Return what is to be decided, as a command."""
    if view.data["decision"] == "place" and view.data["tile_in_hand"]:
        return "place the tile"
    return decision_words(view.legal, live.match.rules)


def _winners(live: LiveTable, view: TableView, seat: int | None) -> str:
    winners = view.data["winners"]
    if not winners:
        return "Nobody wins."
    if len(winners) == live.match.rules.players > 1 or winners == [seat]:
        return "You win." if seat is not None else "Everybody wins."
    return f"Won by {', '.join(live.titles[winner] for winner in winners)}."


def mover(live: LiveTable, view: TableView, seat: int | None) -> int | None:
    """Return the seat whose figure stands beside what is going on: of who decides, or one's own."""
    player = view.data["current_player"]
    return seat if live.match.is_over or player == CHANCE else int(player)


def met(live: LiveTable, view: TableView) -> list[str]:
    """Return what a player meets now and may not know.

    That is what is on the tile, or what there is to decide and with which figures.
    """
    kind = view.data["tile_in_hand"]
    verbs = {action.partition(":")[0] for action in view.legal} - {"pass"}
    if kind is None:
        claims = filter(None, [claimed(action, 0) for action in view.legal])
        figures = dict.fromkeys([kind for _, kind, _ in claims])
        return [*(verbs if len(verbs) == 1 else ()), *figures]
    tile = live.tiles[kind]
    names = [name for name, _ in tile.symbols]
    for segment in tile.segments:
        names += [segment.kind, *(name for name, _ in segment.marks)]
    return list(dict.fromkeys(names))


def greeting(live: LiveTable, seat: int | None) -> tuple[str, bool]:
    """Return with whom an invited person plays, and whether to ask for a name.

    Only until this person has moved.
    """
    if seat is None or live.is_solo or any(move.player == seat for move in live.match.moves):
        return "", False
    others = [title for at, title in enumerate(live.titles) if at != seat]
    return "" if seat == min(live.keys) else ", ".join(others), live.titles[seat] == nameless(seat)


def breakdown(live: LiveTable) -> Mapping[str, list[int]]:
    """Return the points of each owner by what they were scored for, most points first."""
    match = live.match_so_far()
    scorings = [scored for move in match.moves for scored in move.scored]
    return points_by_kind([*scorings, *match.result.final], len(live.names))
