"""What the example's network reads: what each action would change, computed from tokens."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.notation import do, start
from support.values import decisions

from carc import CHANCE, Place, Rules, State
from carc.base.cells import WIDTH
from carc.base.tiles.tile import FIELD
from carc.base.turn.actions import Draw
from carc.learn.observation import encoding_for
from carc.learn.token_arrays import views
from carc.learn.tokens import TokenWriter

BASE = Rules.cached("base", 2)


@pytest.fixture
def changes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The module."""
    monkeypatch.syspath_prepend(str(Path(__file__).resolve().parents[2] / "examples" / "learn"))
    yield importlib.import_module("changes")
    del sys.modules["changes"]


def seen_by(state: State, player: int) -> Any:
    """What a player sees, as a network is given it."""
    writer = TokenWriter(encoding_for(BASE))
    writer.write(state, player)
    return views(writer)


def test_features_become_what_an_action_makes_of_them(changes: Any) -> None:
    """The rows that stay and those that change are the rows after the action."""
    geometry = changes.Geometry(BASE)
    names = ["kind", "tiles", "open", "marks", "missing", "own", "others"]

    def told(rows: Any) -> list[Any]:
        rows = rows[:, [changes.FEATURE.index(name) for name in names]]
        rows[rows[:, 2] == 0, -2:] = 0  # what is complete may have been scored meanwhile
        return sorted(rows.tolist())

    # In the last two, segments of one tile come together by what they meet.
    for state in [*decisions(88)[::9], *decisions(79)[75::3]]:
        found = changes.changes(geometry, seen_by(state, state.current_player)).rows
        for number, action in enumerate(state.legal_actions()):
            if isinstance(action, Place) and number % 5 != 3:
                continue  # every fifth placement, each claim
            after = state.copy()
            after.apply(action)
            of, which = found["gone"].T
            stay = np.delete(found["features"], which[of == number], axis=0)
            new = found["changed"][found["changed"][:, 0] == number, 1:]
            became = changes.changes(geometry, seen_by(after, state.current_player)).rows
            together = told(np.concatenate([stay, new]))
            assert together == told(became["features"]), (state.to_text(), str(action))


def test_free_cells_beside_a_placement_tell_how_many_tiles_fit(changes: Any) -> None:
    geometry = changes.Geometry(BASE)
    late = [state for state in decisions(88) if state.tiles_left < 28]
    for state in [state for state in late if state.step.name == "place"][::4]:
        rows = changes.changes(geometry, seen_by(state, state.current_player)).rows
        action = state.legal_actions()[0]
        assert isinstance(action, Place)
        after = state.copy()
        after.apply(action)
        while after.current_player != CHANCE:
            after.apply(after.legal_actions()[-1])
        fitting: dict[int, int] = {}
        for draw, _ in after.chance_outcomes():
            drawn = after.copy()
            drawn.apply(draw)
            assert isinstance(draw, Draw)
            for cell in {each.cell for each in drawn.legal_actions() if isinstance(each, Place)}:
                fitting[cell] = fitting.get(cell, 0) + after.bag[draw.kind]
        beside = [fitting.get(action.cell + step, 0) for step in (-WIDTH, 1, WIDTH, -1)]
        free = rows["cells"][rows["cells"][:, 0] == 0, 1]
        assert sorted(free[free > 0].tolist()) == sorted(n for n in beside if n)


def test_fields_know_the_cities_that_they_border(changes: Any) -> None:
    """E completes the city of the first tile; the field south of its road does not border it."""
    geometry = changes.Geometry(BASE)
    state = do(start(), "draw:E")
    rows = changes.changes(geometry, seen_by(state, 0)).rows
    complete, cities = (1 + changes.FEATURE.index(name) for name in ("complete cities", "cities"))
    number = [str(action) for action in state.legal_actions()].index("place:0,-1,2")
    fields = rows["changed"][(rows["changed"][:, 0] == number) & (rows["changed"][:, 1] == FIELD)]
    assert fields[:, [complete, cities]].tolist() == [[1, 0]]
    before = rows["features"][rows["features"][:, 0] == FIELD]
    assert sorted(before[:, [complete - 1, cities - 1]].tolist()) == [[0, 0], [0, 1]]
    after = do(start(), "draw:E place:0,-1,2")
    rows = changes.changes(geometry, seen_by(after, 0)).rows["features"]
    assert sorted(rows[rows[:, 0] == FIELD, complete - 1].tolist()) == [0, 1, 1]
