"""Where JCloisterZone scores or allows something else, as far as a game shows it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from carc.base.cells import AROUND
from carc.base.game.rules import Rules
from carc.base.game.scoring import Scored
from carc.base.game.state import State

_SENT_HOME: Final = ("dragon:", "festival:")  # by these a figure leaves without being scored

# By these a monastery with somebody who lies is completed.
_LAID: Final = ("place:", "lie:", "rest")


class Differences:
    """Notices, action by action, where they would go on otherwise."""

    def __init__(self, rules: Rules) -> None:
        """Begin a game."""
        self._playing: Final = {each.name for each in rules.expansions}
        self._on_watch: set[tuple[int, int]] = set()
        self._lying: set[tuple[int, int, int]] = set()

    def after(self, state: State, text: str, scorings: Sequence[Scored]) -> Iterator[str]:
        """Return what they do otherwise than an action did, as what `JCloisterZone` does.

        Args:
            state: The position after the action.
            text: The action.
            scorings: What was scored by it.
        """
        texts = " ".join(each.text for each in scorings)
        if "watchtowers" in self._playing:
            before, self._on_watch = self._on_watch, _helpers_on_watch(state)
            if before - self._on_watch and not text.startswith(_SENT_HOME):
                yield "scores a watchtower for builders and pigs, too"
        if {"cult", "monasteries"} <= self._playing:
            before_, self._lying = self._lying, _lying(state)
            if "challenge" in texts and before_ - self._lying:
                yield "lets who lies in a monastery stay when a shrine wins"
        with_beds = {"count", "monasteries"} <= self._playing
        if with_beds and text.startswith(_LAID) and _may_be_joined(state):
            yield "lets followers of the cathedral join a monastery in which somebody lies"
        if "castle by" in texts and "buildings" in texts.partition("castle by")[2]:
            yield "adds no buildings to a castle"
        if _has_guests(scorings):
            yield "gives who lies in a monastery no points for fairy or ringmaster"


def _has_guests(scorings: Sequence[Scored]) -> bool:
    """Return whether fairy or ringmaster brought points with a lying follower's."""
    lies = False
    for each in scorings:
        is_guest = each.text.startswith(("fairy", "ringmaster"))
        if lies and is_guest:
            return True
        lies = "row and column" in each.text or (lies and is_guest)
    return False


def is_surrounded(state: State, segment: int) -> bool:
    """Return whether tiles lie all around that of a segment."""
    board = state.board
    return board.count_neighbours(board.cell_under(segment)) == len(AROUND)


def _helpers_on_watch(state: State) -> set[tuple[int, int]]:
    """Return the figures that are no followers on tiles with a watchtower: owner and kind."""
    board, kinds = state.board, state.rules.follower_kinds
    tiles = state.rules.catalogue.tiles
    return {
        (owner, kind)
        for segment, owner, kind in board.all_followers()
        if not kinds[kind].is_follower
        if tiles[board.kind_of_tile(board.tile_under(segment))].symbol("watchtower") is not None
    }


def _may_be_joined(state: State) -> bool:
    """Return whether a monastery in which somebody lies is full, and the cathedral is not empty."""
    board = state.board
    x, y, _ = board.place_of(board.segment_of(board.last_tile, 0))
    near = [place for place in _lying(state) if abs(place[0] - x) <= 1 and abs(place[1] - y) <= 1]
    full = any(is_surrounded(state, board.segment_at(*place)) for place in near)
    residents = state.to_dict("residents")["residents"] if full else []
    return any(one["quarter"] == "cathedral" for one in residents)


def _lying(state: State) -> set[tuple[int, int, int]]:
    """Return the places where followers lie."""
    pieces = state.to_dict("pieces")["pieces"]
    return {(one["x"], one["y"], one["segment"]) for one in pieces if one["kind"] == "bed"}
