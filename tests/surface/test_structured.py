"""Saved data is read back as what it was, and refused in a sentence where it is not of its kind."""

import json
from collections.abc import Mapping

import attrs
import pytest

from carc.structured import structured


@attrs.frozen
class Part:
    name: str
    share: float


@attrs.frozen
class Whole:
    count: int
    is_whole: bool
    pair: tuple[int, str]
    parts: tuple[Part, ...] = ()
    by_name: Mapping[str, Part] = attrs.field(factory=dict)
    best: Part | None = None
    shares: dict[str, float] = attrs.field(factory=dict)


HALF = Part("half", 0.5)


@pytest.mark.parametrize(
    "value",
    [
        Whole(1, True, (2, "b")),
        Whole(10**30, False, (0, ""), (HALF, HALF), {"a": HALF}, HALF, {"b": 1.0}),
    ],
)
def test_what_was_written_is_read(value: Whole) -> None:
    data = attrs.asdict(value) | {"unknown": 1}
    assert structured(Whole, data, "it") == value
    assert structured(Whole, json.loads(json.dumps(data)), "it") == value


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"count": None}, "'count' of it is a whole number, not None"),
        ({"count": True}, "'count' of it is a whole number, not True"),
        ({"is_whole": 1}, "'is_whole' of it is true or false, not 1"),
        ({"pair": [1]}, "'pair' of it has 2 values, not 1"),
        ({"pair": [1, 2]}, "a value in 'pair' of it is a text, not 2"),
        ({"parts": {}}, "'parts' of it is a list, not {}"),
        ({"parts": [{"name": "a"}]}, "a value in 'parts' of it has no 'share'"),
        ({"by_name": []}, r"'by_name' of it is an object, not \[\]"),
        ({"by_name": {"a": 3}}, "'a' in 'by_name' of it is an object, not 3"),
        ({"best": {"name": "a", "share": 2e3}}, "'share' of 'best' of it is 2000, .* than 1000"),
        ({"best": {"name": "a", "share": -2e3}}, "'share' of 'best' of it is -2000, .* than 1000"),
    ],
)
def test_what_is_of_another_kind_is_refused(change: dict[str, object], message: str) -> None:
    data = {"count": 1, "is_whole": True, "pair": [1, "a"], **change}
    with pytest.raises(ValueError, match=f"^{message}"):
        structured(Whole, data, "it", most=1000)


def test_a_value_is_an_object_with_all_that_it_needs() -> None:
    with pytest.raises(ValueError, match=r"^it is an object, not \[\]"):
        structured(Part, [], "it")
    with pytest.raises(ValueError, match=r"^it has no 'share'"):
        structured(Part, {"name": "a"}, "it")
