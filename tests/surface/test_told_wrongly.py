"""Positions told wrongly are refused in a sentence, or are positions like any other."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.fuzzed import PYTHONS, SPECS, one_of, tried
from support.modes import thinned
from support.values import reached

from carc import Rules, State
from carc.errors import BadPosition


@pytest.mark.parametrize("spec", thinned(SPECS, 5))
def test_what_is_told_wrongly_is_refused_in_a_sentence_or_is_a_position(spec: str) -> None:
    said = [tried(one_of(spec, f"{n}"), random.Random(n)) for n in range(12)]
    assert any(said)


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="0129-/:,@=*.?xAD[]{} ", max_size=40), st.integers(0, 15))
def test_any_text_for_a_field_is_read_or_refused(field: str, at: int) -> None:
    fields = Rules.cached("base+ghosts", 2).start().to_text().split()
    fields[at] = field
    tried(" ".join(fields), random.Random(1))


def data(**parts: Any) -> dict[str, Any]:
    """The data of a position with some parts told otherwise; those of `engine` as `engine_NAME`."""
    state = reached("V place:1,0,1 claim:0,meeple", "E place:0,-1,2 claim:1,meeple")
    found: dict[str, Any] = json.loads(json.dumps(state.to_dict()))
    for name, value in parts.items():
        if name.startswith("engine_"):
            found["engine"][name.removeprefix("engine_")] = value
        else:
            found[name] = value
    return found


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"tiles": None}, "the position's tiles is None; it should be a list"),
        ({"tiles": [{"x": 0}]}, r"tiles\[0\] has no 'y'; it should be a mapping with x, y, kind"),
        ({"scores": [0, "x"]}, r"scores\[1\] is 'x'; it should be a whole number"),
        ({"scores": [0, 10**20]}, r"scores\[1\] is 1000\d+; it should be a whole number"),
        (
            {"tiles": [data()["tiles"][0], {**data()["tiles"][1], "x": "a"}]},
            r"tiles\[1\] x is 'a'; it should be a whole number",
        ),
        (
            {"supplies": [{"meeple": 7}, {"meeple": None}]},
            r"supplies\[1\]\['meeple'\] is None; it should be a whole number",
        ),
        ({"supplies": [{"meeple": 7}, {}]}, "a supply is of meeple, not of none"),
        ({"supplies": [{"meeple": 7}, {"meeple": 64}]}, "owner 1 has 65 followers of a kind"),
        ({"bag": {"ZZ": 1}}, "'ZZ' names no tile; tiles are A B"),
        ({"tiles": []}, "no tile lies on the table"),
        (
            {"tiles": [*data()["tiles"], {"kind": "A", "x": 9, "y": 0, "rotation": 0}]},
            "the tile at 9,0 touches no other",
        ),
        ({"bag": {"X": 60}}, "not those of these rules: more of some than there are"),
        ({"engine": 3}, "engine is 3; it should be a mapping with active, agenda"),
        ({"engine_face_down": [[0, 0]]}, "two tiles lie at 0,0"),
        ({"engine_face_down": [7]}, r"face_down\[0\] is 7; it should be \[x, y\]"),
        ({"engine_face_down": [[1.5, 0]]}, r"face_down\[0\] is 1.5; it should be a whole number"),
        (
            {"engine_followers": [[0, 0, 1]]},
            r"followers\[0\] is \[0, 0, 1\]; it should be \[x, y, s",
        ),
        ({"engine_agenda": [["lunch", 0]]}, "'lunch' names no step; steps are draw place"),
        ({"engine_agenda": []}, "no step waits, as if the game were over, but tiles may be drawn"),
        ({"engine_unseen": 99}, "99 tiles are unseen; as the bag holds 69 and 0 lie face down"),
        ({"engine_face_down": [[9, 9]]}, "0 tiles are unseen; as the bag holds 69 and 1 lie"),
        ({"engine_ways": [[7, [0, 0, 0], [0, 0, 1]]]}, "there is no way 7; ways are 0 to 3"),
        ({"current_player": 1}, "current_player is 1; by its agenda it is -1"),
        ({"decision": "place"}, "decision is 'place'; by its agenda it is 'draw'"),
        (
            {"rules_version": "0-1"},
            "cannot be read: it is of base for 2 players, rules version 0-1; ",
        ),
    ],
)
def test_what_is_wrong_in_data_is_named(parts: dict[str, Any], says: str) -> None:
    assert State.from_dict(data()).board.tile_count == 3
    with pytest.raises(BadPosition, match=says) as caught:
        State.from_dict(data(**parts))
    assert not PYTHONS.search(str(caught.value))


@pytest.mark.parametrize("told", [None, 3, [], "base"])
def test_data_that_is_none_is_refused(told: Any) -> None:
    with pytest.raises(BadPosition, match="a position's data is a mapping, as `to_dict"):
        State.from_dict(told)
    with pytest.raises(BadPosition, match="a position's data is a mapping"):
        State.from_dict(told, Rules.cached("base", 2))


@pytest.mark.parametrize(
    ("spec", "part", "told"),
    [
        ("base+ghosts", "stock", -1),
        ("base+ghosts", "guards", [1]),
        ("base+ghosts", "ghosts", {"dict": [[{"segment": [0, 0, 0]}, 1]]}),
        ("base+ghosts", "ghosts", {"dict": [[99, 1]]}),
        ("base+ghosts", "ghosts", {"dict": [[{"segment": [0, 0, 0]}, []]]}),
        ("mists:3", "cemeteries", [999]),
        ("base+king", "holder", {"dict": []}),
        ("base+gold", "held", [0, "x"]),
        ("base+hills", "with_shepherd", [{"tuple": [9]}, {"tuple": []}]),
        ("base+hills", "at", [{"segment": [0, 0, 0]}, -1]),
        ("base+gold", "lying", {"dict": [[7, 1]]}),
        ("base+dragon", "fairy", 7),
        ("base+traders", "tokens", [0]),
        ("base+dragon", "beside", {"tuple": [{"segment": [0, 0, 0]}, 0, 0]}),
        ("base+dragon", "dragon", 10**8),
        ("base+flier", "flying", 7),
        ("base+mage", "at", [999, -1]),
        ("base+traders", "due", 3),
        ("mists:3", "left", 500),
        ("mists:3", "hounds", []),
        ("mists:5", "closing", [[]]),
        ("mists:5", "closing", [999]),
        ("mists:5", "closing", [1.5]),
        ("mists:5", "buried", {"dict": [[1.5, 0]]}),
        ("mists:5", "buried", {"dict": [[-1, 0]]}),
        ("mists:6", "markers", []),
        ("mists:3", "ghosts", {"dict": [[{"segment": [0, 0, 0]}, -4]]}),
        ("mists:3+spellcircles", "at", -7),
        ("base+ghosts+spellcircles", "held", {"dict": [[{"segment": [0, 0, 0]}, -1]]}),
    ],
)
def test_what_an_expansion_cannot_keep_is_refused(spec: str, part: str, told: Any) -> None:
    found = json.loads(json.dumps(Rules.cached(spec, 2).start().to_dict()))
    (own,) = [one for one in found["engine"]["slices"] if part in one and one[part] != told][-1:]
    State.from_dict(found)
    own[part] = told
    with pytest.raises(
        BadPosition, match=r"cannot keep|keeps as .* cannot be|there is no segment"
    ) as caught:
        State.from_dict(found)
    assert not PYTHONS.search(str(caught.value).partition("{")[0])
