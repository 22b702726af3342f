"""What steps wait and what expansions keep, as data: by name, and without numbers that follow the order of laying."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Mapping, Sequence
from inspect import ismemberdescriptor
from typing import TYPE_CHECKING, Any, Final

from carc.base.cells import REACH, WIDTH, xy
from carc.base.game.schema import MANY, MOST, shown
from carc.base.game.steps import Step
from carc.errors import BadPosition

if TYPE_CHECKING:
    from carc.base.game.expansion import ExpansionState
    from carc.base.game.state import State


PLACES: Final = ("segment", "feature", "tile", "cell", "laid")
"""The words of `ExpansionState.REFERS` for what lies somewhere."""


# -- the parts of rules and slices, by name -------------------------------------------------------


_LISTED: Final[dict[type, list[str]]] = {}


def _listed(cls: type) -> list[str]:
    """The attributes that a class has in no `__dict__`: compiled classes list them, and those with slots."""
    found = _LISTED.get(cls)
    if found is None:
        found = []
        for one in cls.__mro__:
            slots = [name for name, held in vars(one).items() if ismemberdescriptor(held)]
            for name in (*vars(one).get("__mypyc_attrs__", ()), *slots):
                if not name.startswith("__") and name not in found:
                    found.append(name)
        _LISTED[cls] = found  # whole: another thread may ask
    return found


def attributes(thing: object) -> dict[str, Any]:
    """What an instance has, by name."""
    found: dict[str, Any] = {}
    for name in _listed(type(thing)):
        if hasattr(thing, name):
            found[name] = getattr(thing, name)
    found.update(getattr(thing, "__dict__", ()))
    return found


def steps_within(things: Sequence[object]) -> dict[str, Step]:
    """The steps that these steps and expansions are or hold, by name; a second of one name is NAME~2."""
    found: dict[str, Step] = {}
    seen: list[object] = []
    waiting = list(things)
    waiting.reverse()
    while waiting:
        thing = waiting.pop()
        if any(thing is one for one in seen):
            continue
        seen.append(thing)
        if isinstance(thing, Step):
            plain = thing.name.replace(" ", "_")
            name, n = plain, 1
            while name in found:
                n += 1
                name = f"{plain}~{n}"
            found[name] = thing
        values: list[object] = list(attributes(thing).values())
        values.reverse()
        for value in values:
            held: list[object] = [value]
            if isinstance(value, (list, tuple)):
                held = list(value)
            elif isinstance(value, dict):
                held = list(value.values())
            held.reverse()
            for one in held:
                if isinstance(one, Step):
                    waiting.append(one)
    return found


def step_number(state: State, step: Step) -> int:
    """The place of a step that waits in `Rules.steps`. Raises `BadPosition` if the rules hold no such step."""
    number = state.rules._step_numbers.get(step)
    if number is not None:
        return number
    raise BadPosition(
        f"the step {step.name!r} waits, which no turn, expansion or step holds as an attribute: such a position "
        "cannot be written"
    )


def step_name(state: State, step: Step) -> str:
    """The name of a step that waits. Raises `BadPosition` if the rules hold no such step."""
    return state.rules._step_names[step_number(state, step)]


# -- what expansions keep -------------------------------------------------------------------------


def of_places(refers: str) -> bool:
    """Whether an attribute of which `ExpansionState.REFERS` says so holds numbers of what lies somewhere."""
    return any(word in PLACES for word in re.split("[:,]", refers))


def words_of(refers: str, n: int) -> list[str]:
    """The word of each of so many items: of a tuple whose items differ each has its own."""
    return refers.split(",") if "," in refers else [refers] * n


def _written(state: State, value: Any, refers: str) -> Any:
    """A value of a slice as JSON data; a number of a segment or tile as where that is."""
    if isinstance(value, bool) or value is None or isinstance(value, str | float):
        return value
    if isinstance(value, int):
        if refers == "tile" and value >= 0:
            return {"tile": list(xy(state.board.cell_of(value)))}
        if refers == "feature" and value >= 0:
            return {"feature": list(first_place(state, value))}
        if refers == "segment" and value >= 0:
            return {"segment": list(state.board.place_of(value))}
        return value
    if isinstance(value, list | tuple):
        words = words_of(refers, len(value))
        told = [_written(state, one, word) for one, word in zip(value, words, strict=True)]
        return told if isinstance(value, list) else {"tuple": told}
    if isinstance(value, set | frozenset):
        told = sorted([_written(state, one, refers) for one in value], key=_sort_key)
        return {"frozenset" if isinstance(value, frozenset) else "set": told}
    if isinstance(value, dict):
        keys, _, values = refers.partition(":")
        return {
            "dict": [
                [_written(state, key, keys), _written(state, one, values)]
                for key, one in value.items()
            ]
        }
    raise BadPosition(
        f"a slice holds a {type(value).__name__}, which cannot be written: override ExpansionState.to_data and from_data"
    )


def _read(state: State, data: Any) -> Any:
    """The value that `_written` wrote. Raises `BadPosition` if it wrote no such data."""
    if isinstance(data, list):
        return [_read(state, one) for one in data]
    if not isinstance(data, dict):
        return data
    for kind, held in data.items():
        if len(data) > 1 or not isinstance(held, list):
            break
        if kind in ("segment", "feature") and _numbers(held, 3):
            segment = segment_of(state, held)
            return segment if kind == "segment" else state.board.feature_of(segment)
        if kind == "tile" and _numbers(held, 2):
            tile = state.board.tile_at(held[0], held[1])
            if tile >= 0:
                return tile
        elif kind == "dict" and all(isinstance(one, list) and len(one) == 2 for one in held):
            pairs = [(_read(state, key), _read(state, one)) for key, one in held]
            if all(isinstance(key, Hashable) for key, _ in pairs):
                return dict(pairs)
        elif kind in ("tuple", "set", "frozenset"):
            items = [_read(state, one) for one in held]
            if kind == "tuple":
                return tuple(items)
            if all(isinstance(one, Hashable) for one in items):
                return set(items) if kind == "set" else frozenset(items)
    raise BadPosition(f"an expansion keeps nothing that is told as {shown(data)}")


def _numbers(held: list[Any], n: int) -> bool:
    return len(held) == n and all(type(one) is int and abs(one) < REACH for one in held)


def _in_order(data: Any) -> Any:
    """Data of a slice with dicts in one order, whatever the order they came to be in."""
    if isinstance(data, list):
        return [_in_order(one) for one in data]
    if isinstance(data, dict):
        found = {name: _in_order(one) for name, one in data.items()}
        if list(found) == ["dict"]:
            found["dict"] = sorted(found["dict"], key=_sort_key)
        return found
    return data


def first_place(state: State, feature: int) -> tuple[int, int, int]:
    """The first place of a feature by y, x, index, whatever the order in which its tiles came."""
    return min(
        [state.board.place_of(segment) for segment in state.board.members(feature)], key=_by_y
    )


def _sort_key(data: Any) -> str:
    return json.dumps(data)


def _by_y(place: tuple[int, int, int]) -> tuple[int, int, int]:
    return place[1], place[0], place[2]


def slice_data(state: State, own: ExpansionState) -> dict[str, Any]:
    """All that a slice holds, as JSON data."""
    refers: Mapping[str, str] = type(own).REFERS
    names: Mapping[str, str] = type(own).DATA_NAMES
    return {
        names.get(name, name): _written(state, value, refers.get(name, ""))
        for name, value in attributes(own).items()
    }


def set_slice(state: State, own: ExpansionState, data: Mapping[str, Any]) -> None:
    """Set all that a slice holds. Raises `BadPosition` if these are not its attributes, or not such as it has."""
    name = type(own).__name__
    fresh = attributes(own)
    if isinstance(data, Mapping):
        names = {written: name for name, written in type(own).DATA_NAMES.items()}
        data = {names.get(name, name): told for name, told in data.items()}
    if not isinstance(data, Mapping) or fresh.keys() != data.keys():
        said = sorted(data) if isinstance(data, Mapping) else shown(data)
        raise BadPosition(f"a {name} keeps {sorted(fresh)}, not {said}")
    refers: Mapping[str, str] = type(own).REFERS
    for part, told in data.items():
        value = _read(state, told)
        if not _alike(state, value, fresh[part], refers.get(part, "")):
            raise BadPosition(f"what a {name} keeps as {part} cannot be {shown(told)}")
        setattr(own, part, value)


def _alike(state: State, value: Any, fresh: Any, refers: str) -> bool:
    """Whether a value may be in place of one that a new slice has: of its type, as many where that has some, numbers of what there is."""
    if fresh is None or value is None:
        return fresh is None
    if type(value) is not type(fresh):
        return False
    if isinstance(value, dict):
        keys, _, values = refers.partition(":")
        if fresh and not of_places(keys) and value.keys() != fresh.keys():
            return False
        old = list(fresh.values())
        return _all_alike(state, list(value), list(fresh), keys) and _all_alike(
            state, list(value.values()), old, values
        )
    if isinstance(value, tuple) and "," in refers:
        words = refers.split(",")
        return len(value) == len(words) == len(fresh) and all(
            map(_alike, [state] * len(words), value, fresh, words)
        )
    if isinstance(value, list) and fresh and not of_places(refers) and len(value) != len(fresh):
        return False
    if isinstance(value, list | tuple | set | frozenset):
        return _all_alike(state, list(value), list(fresh), refers)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return not refers
    if refers and not isinstance(value, int):
        return False
    return _may(state, value, refers)


def _all_alike(state: State, values: list[Any], fresh: list[Any], refers: str) -> bool:
    """The same of items, which are like the first that a new slice has."""
    return all(
        _alike(state, one, fresh[0] if fresh else one, refers)
        and not (refers and one is None)
        and (refers != "count" or isinstance(one, int))
        for one in values
    )


def _may(state: State, number: float, word: str) -> bool:
    """Whether a number may be of what a word of `ExpansionState.REFERS` says; below 0: of none."""
    rules = state.rules
    if word in ("segment", "feature", "tile"):
        laid: int = state.board.tile_count if word == "tile" else state.board.segment_count
        return -MOST <= number < laid
    if word == "count":
        return 0 <= number <= MANY
    if word in ("owner", "player", "follower"):
        there = {"owner": rules.owners, "player": rules.players}
        return -1 <= number < there.get(word, len(rules.follower_kinds))
    if word in ("cell", "laid"):
        known = -1 <= number < WIDTH * WIDTH
        return known and (
            word == "cell" or number < 0 or state.board.tile_on_cell(int(number)) >= 0
        )
    return abs(number) <= MOST


def segment_of(state: State, place: Sequence[int]) -> int:
    """The segment at x, y, index. Raises `BadPosition` if there is none."""
    x, y, index = place
    near = max(abs(x), abs(y)) < REACH
    segment = state.board.segment_at(x, y, index) if near else -1
    if segment < 0:
        raise BadPosition(f"there is no segment {x},{y},{index}")
    return segment


def slices_text(state: State) -> str:
    """What expansions keep, as JSON without a space, in one order."""
    told = _in_order([own.to_data(state) for own in state.expansion_states])
    return json.dumps(told, separators=(",", ":")).replace(" ", "\\u0020")
