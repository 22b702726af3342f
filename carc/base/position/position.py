"""`Position`: what a text or JSON data say of a position, whether or not any rules allow it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from carc.base.position import data, text
from carc.errors import BadPosition

Cell = tuple[int, int]  # x, y
Place = tuple[int, int, int]  # x, y, the segment's index on its tile


@attrs.frozen(kw_only=True)
class Position:
    """A position as data. It refers to tiles, segments and steps by place or name, never by number.

    Attributes:
        rules: The spec of the rules.
        players: How many play.
        version: The version of the rules.
        tiles: The tiles on the table: kind, x, y, rotation.
        face_down: The cells of the tiles that lie face down.
        followers: The followers on the table: x, y, index, owner, kind; the kind by name in a text,
            by its number in data.
        supplies: The followers of each owner by kind: by name in data, in the order of the rules in
            a text.
        scores: The points of each owner.
        bag: How many tiles of each kind nobody has seen yet.
        unseen: How many of these left the bag unseen.
        dealt: How many tiles were dealt; None if that follows from the rest.
        discarded: The kinds of the tiles that fitted nowhere.
        tile_in_hand: The kind of the tile in the hand.
        active_player: Whose turn it is.
        agenda: The steps that wait and who decides them; the next one is last.
        last_tile: The cell of the tile placed last, if it still matters.
        overlays_met: What the overlays of the last tile met.
        completed: Places of the features that the last tile completed.
        never_complete: Places of the features that stay open.
        edge_overrides: What expansions did to edges: code, place, other place.
        expansion_states: The data of expansions, in the order of the rules.
        claims: What data say besides, by name, of what follows from the rest.
    """

    rules: str
    players: int
    version: str
    tiles: Sequence[tuple[str, int, int, int]]
    face_down: Sequence[Cell]
    followers: Sequence[tuple[int, int, int, int, int | str]]
    supplies: Sequence[Mapping[str, int] | Sequence[int]]
    scores: Sequence[int]
    bag: Mapping[str, int]
    unseen: int
    dealt: int | None
    discarded: Sequence[str]
    tile_in_hand: str | None
    active_player: int
    agenda: Sequence[tuple[str, int]]
    last_tile: Cell | None
    overlays_met: int
    completed: Sequence[Place]
    never_complete: Sequence[Place]
    edge_overrides: Sequence[tuple[int, Place, Place]]
    expansion_states: Sequence[Any]
    claims: Mapping[str, Any] = attrs.field(factory=dict)

    @classmethod
    def parse(cls, line: str) -> Position:
        """Return the position in a text (`docs/positions.md`); `BadPosition` names a bad field."""
        return cls(**text.read_fields(line))

    @classmethod
    def from_dict(cls, described: Mapping[str, Any]) -> Position:
        """Return the position in data of `State.to_dict`, or raise `BadPosition`, naming a part."""
        return cls(**data.read_parts(described))

    def to_text(self) -> str:
        """Return the position as one line. Kinds of followers must be given by name."""
        last: list[str] = []
        if self.last_tile is not None:
            x, y = self.last_tile
            last = [text.place_text(x, y, self.overlays_met), *text.places_text(self.completed)]
        return text.compose(
            rules=self.rules,
            players=self.players,
            version=self.version,
            tiles=[
                *[text.tile_text(kind, x, y, turns) for kind, x, y, turns in self.tiles],
                *[text.face_down_text(x, y) for x, y in self.face_down],
            ],
            followers=[
                text.follower_text(x, y, index, owner, str(kind))
                for x, y, index, owner, kind in self.followers
            ],
            supplies=[",".join(map(str, supply)) for supply in self.supplies],
            scores=[str(score) for score in self.scores],
            bag=[text.count_text(kind, n) for kind, n in self.bag.items()],
            unseen=self.unseen,
            discarded=list(self.discarded),
            hand=self.tile_in_hand or text.NONE,
            turn=[
                str(self.active_player),
                *[text.turn_text(step, player) for step, player in self.agenda],
            ],
            last=last,
            never_complete=text.places_text(self.never_complete),
            ways=[
                text.override_text(what, first, second)
                for what, first, second in self.edge_overrides
            ],
            slices=list(self.expansion_states),
        )

    def supply(self, owner: int, kinds: Sequence[str]) -> list[int]:
        """Return the supply of an owner in the order of the kinds, or raise `BadPosition`."""
        supply = self.supplies[owner]
        if isinstance(supply, Mapping):
            if set(supply) != set(kinds):
                raise BadPosition(
                    f"a supply is of {' '.join(kinds)}, not of {' '.join(supply) or 'none'}"
                )
            return [supply[kind] for kind in kinds]
        if len(supply) != len(kinds):
            raise BadPosition(
                f"the position's supplies are of {len(supply)} kinds of follower, not of"
                f" {' '.join(kinds)}"
            )
        return list(supply)
