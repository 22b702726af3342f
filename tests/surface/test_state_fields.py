"""The types of the fields of an expansion's state: complete, true, and what data must be like."""

import random
from typing import Annotated, Any, ClassVar, get_args, get_origin

import pytest
from support.fuzzed import CLASSICS
from support.values import reached

from carc import ExpansionState, Rules
from carc.base.position.instance_attributes import attributes
from carc.base.position.state_fields import Count, Owner, Segment
from carc.errors import BadPosition, BadRules

SPECS = [
    "base+ghosts+spellcircles",
    "+".join(("base", *CLASSICS)),
    *(f"mists:{level}+spellcircles" for level in range(1, 7)),
]


def conforms(value: object, declared: Any) -> bool:
    """Whether a value is of a type, items included."""
    origin, arguments = get_origin(declared), get_args(declared)
    if origin is Annotated:
        return type(value) is arguments[0]
    if origin is None:
        return type(value) is declared
    if type(value) is not origin:
        return False
    if isinstance(value, dict):
        pairs = [(k, arguments[0]) for k in value] + [(v, arguments[1]) for v in value.values()]
        return all(conforms(*pair) for pair in pairs)
    assert isinstance(value, list | tuple | set | frozenset)
    if origin is tuple and arguments[-1] is not ...:
        return len(value) == len(arguments) and all(map(conforms, value, arguments))
    return all(conforms(item, arguments[0]) for item in value)


@pytest.mark.parametrize("spec", SPECS)
def test_fields_are_the_attributes_and_have_their_types(spec: str) -> None:
    state, rng = Rules.cached(spec, 3).start(), random.Random(5)
    fresh = state.expansion_states
    assert [type(own).FIELDS.keys() for own in fresh] == [attributes(own).keys() for own in fresh]
    while not state.is_terminal:
        for own in state.expansion_states:
            for name, value in attributes(own).items():
                assert conforms(value, type(own).FIELDS[name]), (type(own), name, value)
        state.apply(rng.choice(state.legal_actions()))


class Remembered(ExpansionState):
    """Its fields have annotations, as a stranger's have."""

    kind: ClassVar[str] = "no field"
    at: Segment | None
    by_owner: dict[Owner, list[Segment]]
    left: Count

    def __init__(self) -> None:
        self.at = None
        self.by_owner = {}
        self.left = 3
        self.rest = [1, 2]  # has none


def test_types_come_from_annotations_where_there_are_no_fields() -> None:
    state = reached("V place:1,0,1 pass")
    road = state.board.segment_at(1, 0, 0)
    own = Remembered()
    own.at, own.by_owner = road, {1: [road, -1]}
    data = own.to_data(state)
    place = {"segment": [1, 0, 0]}
    assert data == {
        "at": place,
        "by_owner": {"dict": [[1, [place, -1]]]},
        "left": 3,
        "rest": [1, 2],
    }
    again = Remembered()
    again.from_data(state, data)
    assert attributes(again) == attributes(own)


@pytest.mark.parametrize(
    ("name", "wrong", "says"),
    [
        ("at", 4, r"as at cannot be 4: 4 should be \{'segment': \[x, y, index\]\}, or -1 for none"),
        ("at", {"segment": [0, 0]}, r"should be \{'segment': \[x, y, index\]\}"),
        ("at", {"segment": [9, 9, 0]}, "there is no segment 9,9,0"),
        ("by_owner", {"dict": [[2, []]]}, "2 should be a number, -1 to 1 .owner."),
        ("by_owner", {"dict": [[0]]}, r"\[0\] should be \[key, value\]"),
        ("by_owner", [], r"\[\] should be \{'dict': \[...\]\}"),
        ("left", 1000, "1000 should be a number, 0 to 999 \\(count\\)"),
        ("left", True, "True should be a number"),
        ("left", -1, "-1 should be a number"),
        ("rest", [1], r"\[1\] should have 2 items"),
        ("rest", [1, 0.5], "0.5 should be a whole number"),
        ("rest", [1, 10**10], "10000000000 is too large a number"),
    ],
)
def test_data_of_another_type_are_refused_in_a_sentence(name: str, wrong: Any, says: str) -> None:
    state = reached("V place:1,0,1 pass")
    data = {**Remembered().to_data(state), name: wrong}
    with pytest.raises(BadPosition, match=says):
        Remembered().from_data(state, data)


def test_an_annotation_that_means_nothing_is_refused_in_a_sentence() -> None:
    class Lost(ExpansionState):
        at: "Nowhere"  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(BadRules, match=r"annotations of Lost cannot be evaluated .*import what"):
        Lost().to_data(reached())
