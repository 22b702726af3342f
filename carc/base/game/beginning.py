"""Games that begin otherwise: with other tiles on the table, or with fewer in the bag."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.errors import BadPosition

Laid = tuple[str, int, int, int]  # kind of tile, x, y, quarter turns clockwise


def begin_with(rules: Rules, laid: Iterable[Laid], bag: Mapping[str, int] | None = None) -> State:
    """Return a position before the first draw.

    Args:
        rules: What is played.
        laid: The tiles on the table, in place of the usual ones.
        bag: How many tiles of each kind can be drawn. Default: all that are not on the table.

    Raises:
        BadPosition: The tiles cannot lie so, or there are not so many of a kind.
    """
    tiles = list(laid)
    catalogue = rules.catalogue
    names = rules.tile_names
    have = Counter(dict(zip(names, catalogue.copies, strict=True)))
    have.update(names[kind] for kind, _, _ in catalogue.start)
    on_table = Counter(name for name, *_ in tiles)
    for name, n in on_table.items():
        if n > have[name]:
            raise BadPosition(f"{n} tiles {name} lie on the table; {rules.spec} has {have[name]}")
    rest = have - on_table
    state = State(rules)
    state._begin([(catalogue.index[name], x, y, turns) for name, x, y, turns in tiles])
    data = state.to_dict()
    data["bag"] = {name: n for name, n in (rest if bag is None else bag).items() if n}
    return State.from_dict(data, rules)
