"""Positions as planes and numbers: small boards by hand, and what must hold on random ones."""

import copy
import pickle
import random
from collections.abc import Mapping
from itertools import islice
from typing import Any, ClassVar

import numpy as np
import pytest
from support.fuzzed import CLASSICS
from support.notation import do, kept, start
from support.values import in_play

from carc import PASS, Place, Rules, State
from carc.base.cells import xy
from carc.base.expansions.expansion import Expansion
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.instance_attributes import attributes
from carc.base.position.state_fields import Count, FollowerNumber, Owner
from carc.errors import CarcError
from carc.learn.encoding import Encoding
from carc.learn.expansion_fields import name_number_fields, name_place_fields
from carc.learn.observation import (
    Observation,
    action_mask,
    empty_observation,
    encoding_for,
    observation,
)

SPECS = ["base", "base+ghosts+spellcircles", "mists:6+spellcircles"]
EVERYTHING = "+".join(["base", "ghosts", "spellcircles", *CLASSICS])


def at(state: State, seen: Observation, plane: str, x: int, y: int) -> int:
    """The value of a plane at a cell of the table."""
    of = encoding_for(state.rules)
    left, top = xy(of.corner(state))
    return int(seen["board"][of.plane_names.index(plane), y - top, x - left])


def number(seen: Observation, of: Encoding, name: str) -> int:
    return int(seen["numbers"][of.number_names.index(name)])


def test_a_small_board_as_each_player_sees_it() -> None:
    state = do(start(), "draw:N place:0,-1,2 claim:0,meeple")
    of = encoding_for(state.rules)
    for player in (0, 1):
        seen = observation(state, player)
        mine, theirs = player, 1 - player  # the follower is player 0's

        def plane(name: str, x: int, y: int, seen: Observation = seen) -> int:
            return at(state, seen, name, x, y)

        assert seen["board"][of.plane_names.index("tile")].sum() == 2
        # The start tile: city north, road east and west, field south.
        assert [plane(f"edge {side}", 0, 0) for side in ("N C", "E R", "S F", "W R")] == [1] * 4
        assert plane("edge N F", 0, 0) == 0
        assert plane("joined EW", 0, 0) == 1
        assert plane("joined NS", 0, 0) == 0
        # Both tiles show the same city: 2 tiles, one open edge, one follower.
        for x, y, slot in ((0, 0, "N"), (0, -1, "S")):
            assert plane(f"open {slot}", x, y) == 1
            assert plane(f"size {slot}", x, y) == 2
            assert plane(f"power {slot} {mine}", x, y) == 1
            assert plane(f"power {slot} {theirs}", x, y) == 0
        # He stands on the tile laid.
        assert plane(f"meeple S {mine}", 0, -1) == 1
        assert plane(f"meeple N {mine}", 0, 0) == 0
        assert number(seen, of, f"supply {mine} meeple") == 6
        assert number(seen, of, f"supply {theirs} meeple") == 7
        assert number(seen, of, "bag N") == 2
        assert number(seen, of, "step draw") == 1
        assert number(seen, of, f"active {theirs}") == 1  # it is player 1's turn


def test_the_tile_laid_last_is_told_while_it_matters() -> None:
    state = do(start(), "draw:N place:0,-1,2")
    seen = observation(state, 0)
    assert (at(state, seen, "last", 0, -1), at(state, seen, "last", 0, 0)) == (1, 0)
    state.apply(PASS)
    last = encoding_for(state.rules).plane_names.index("last")
    assert not observation(state, 0)["board"][last].any()


def wrong_arrays(state: State) -> dict[str, Any]:
    """What cannot be written into, by what is said of it."""
    of = encoding_for(state.rules)
    closed, good = empty_observation(of), empty_observation(of)
    closed["board"].flags.writeable = False
    small = {**good, "numbers": np.zeros(3, np.int32)}
    return {
        r"'board' an array of uint8 of shape .*25, 25.* it is uint8 .* 7, 7": empty_observation(
            encoding_for(state.rules, 7)
        ),
        "it is a read-only array, uint8 of shape": closed,
        r"'numbers' an array of int32 of shape \(64,\); it is .* \(3,\)": small,
        "'board' .* it is missing": {},
        "it is a list": [0],
        "it is a ndarray": np.zeros(3),
        "'board' .* it is a list": {"board": [[0]]},
        "'board' .* it is int8": {**good, "board": good["board"].astype(np.int8)},
    }


def test_what_is_no_observation_is_refused_in_a_sentence() -> None:
    state = do(start(), "draw:N")
    for says, into in wrong_arrays(state).items():
        with pytest.raises(CarcError, match=says):
            observation(state, 0, into)
    other: Any = encoding_for(Rules.cached("base", 3))
    calls: list[tuple[Any, tuple[Any, ...], str]] = [
        (observation, (state, 2), "no player 2; players are 0 to 1"),
        (observation, (state, -2), "there is no player -2"),
        (observation, (state, "me"), "a player is a whole number, not 'me'"),
        (encoding_for, (state.rules, 10**6), "is at most 1[0-9]+ cells wide, not 1000000"),
        (encoding_for, (state.rules, "9"), "the size of a window is a whole number, not '9'"),
        *(
            (ask, (state,), "cannot encode a state")
            for ask in (other.legal_codes, other.action_mask)
        ),
        *((ask, (state, 0), "of base for 3 players") for ask in (other.board, other.numbers)),
    ]
    for call, arguments, says in calls:
        with pytest.raises(CarcError, match=says):
            call(*arguments)


def test_what_is_given_is_the_callers_own() -> None:
    state = do(start(), "draw:N")
    seen, allowed = observation(state, 0), action_mask(state)
    for array in (seen["board"], seen["numbers"], allowed):
        array[...] = 7
    assert (observation(state, 0)["board"] != 7).all()
    assert (action_mask(state) != 7).all()
    of = encoding_for(state.rules)
    planes = of.board(state, 0)
    planes[0] = 7
    assert of.board(state, 0)[0] == 0


def test_arrays_that_are_views_are_written_into() -> None:
    state = do(start(), "draw:N")
    of = encoding_for(state.rules)
    backing = np.zeros((len(of.plane_names), of.size, 2 * of.size), np.float32)
    into = {"board": backing[:, :, ::2], "numbers": np.zeros(len(of.number_names), np.int32)}
    observation(state, 0, into)  # type: ignore[arg-type]
    assert backing[0].sum() == 1


def test_scores_the_hand_and_who_decides_are_told_from_the_player_on() -> None:
    state = do(start(), "draw:E place:0,-1,2 claim:0,meeple draw:V")
    of = encoding_for(state.rules)
    mine, other = observation(state, 0), observation(state, 1)
    assert (number(mine, of, "score 0"), number(mine, of, "score 1")) == (4, 0)
    assert (number(other, of, "score 0"), number(other, of, "score 1")) == (0, 4)
    assert (number(mine, of, "to decide 1"), number(other, of, "to decide 0")) == (1, 1)
    assert (number(mine, of, "hand V"), number(mine, of, "hand U")) == (1, 0)
    assert number(mine, of, "unseen") == 0
    assert (number(mine, of, "seat"), number(other, of, "seat")) == (0, 1)


def test_ghosts_and_what_else_expansions_keep_have_planes_and_numbers() -> None:
    for state in in_play("base+ghosts", 2, 2):
        if kept(state, "ghosts").ghosts:
            break
    of = encoding_for(state.rules)
    haunted = [f"ghosts.ghosts {index}" for index in range(of.most_segments)]
    assert not {*haunted} - {*of.plane_names}
    seen = observation(state, 0)
    (ghost,) = [one for one in state.to_dict()["pieces"] if one["kind"] == "ghost"]
    assert [at(state, seen, name, ghost["x"], ghost["y"]) for name in haunted] == [
        ghost["count"] * (index == ghost["segment"]) for index in range(of.most_segments)
    ]
    planes = [seen["board"][of.plane_names.index(name)] for name in haunted]
    assert np.sum(planes) == ghost["count"]
    assert number(seen, of, "ghosts.stock") == 15 - ghost["count"]
    assert [number(seen, of, f"ghosts.guards {n}") for n in (0, 1)] == [3, 3]


def test_lists_and_dicts_that_expansions_keep_are_numbers_too() -> None:
    state = start("base+hills+king")
    of = encoding_for(state.rules)
    kept(state, "hills").with_shepherd[1] = (3, 4)
    kind = state.rules.catalogue.kind_of["road"]
    kept(state, "king").holder[kind], kept(state, "king").most[kind] = 1, 6
    seen = observation(state, 0)
    assert [number(seen, of, f"hills.with_shepherd {n}") for n in (0, 1)] == [0, 7]
    assert [number(seen, of, f"king.{what} {kind}") for what in ("holder", "most")] == [1, 6]


def test_middles_marks_and_kinds_of_follower_are_seen() -> None:
    state = do(start("base+inns"), "draw:C place:0,-1,0 pass draw:B place:0,1,0")
    (monastery,) = [
        n for n in (0, 1) if state.board.kind_of(state.board.segment_at(0, 1, n)) == "monastery"
    ]
    state.apply(state.check(state.rules.parse(f"claim:{monastery},big")))
    seen = observation(state, 1)
    assert at(state, seen, "mark coat_of_arms", 0, -1) == 1
    assert at(state, seen, "middle monastery", 0, 1) == 1
    assert at(state, seen, "middle monastery", 0, -1) == 0
    assert at(state, seen, "big middle 0", 0, 1) == 1
    assert at(state, seen, "meeple middle 0", 0, 1) == 0


def test_of_what_lies_on_a_place_the_number_is_seen() -> None:
    state = start("base+ghosts")
    kept(state, "ghosts").ghosts = {state.board.segment_at(0, 0, 0): 2}
    assert at(state, observation(state, 0), "ghosts.ghosts 0", 0, 0) == 2


def test_tiles_lying_face_down_are_seen() -> None:
    state = start()
    state.lay_face_down(state.board.cell_of(0) + 1)
    of = encoding_for(state.rules)
    seen = observation(state, 0)
    assert at(state, seen, "face down", 1, 0) == 1
    assert at(state, seen, "tile", 1, 0) == 0
    assert number(seen, of, "unseen") == 1


@pytest.mark.parametrize("spec", SPECS)
def test_each_plane_and_number_is_what_to_dict_tells(spec: str) -> None:
    """On random positions: planes give back tiles, followers' owners and open features."""
    state = start(spec)
    of = encoding_for(state.rules)
    into = empty_observation(of)
    colours = len(state.scores)
    kinds = [kind.name for kind in state.rules.follower_kinds]
    for state in islice(in_play(spec, 2, 5), 5, 120, 10):
        seen = observation(state, 1, into)
        assert seen is into
        data = state.to_dict()
        first = state.rules.colours[1][0]
        assert [seen["numbers"][k] for k in range(colours)] == [
            data["scores"][(first + k) % colours] for k in range(colours)
        ]
        assert into["board"][0].sum() == len(data["tiles"])
        standing = {
            ((one["owner"] - first) % colours, one["x"], one["y"])
            for feature in data["features"]
            for one in feature["followers"]
        }
        for k in range(colours):
            planes = [
                n
                for n, name in enumerate(of.plane_names)
                if name.split()[0] in kinds and name.endswith(f" {k}")
            ]
            rows, columns = np.nonzero(into["board"][planes].sum(axis=0))
            left, top = xy(of.corner(state))
            found = {(int(x) + left, int(y) + top) for y, x in zip(rows, columns, strict=True)}
            assert found == {(x, y) for owner, x, y in standing if owner == k}


@pytest.mark.parametrize(
    ("spec", "players"),
    [
        *((spec, 2) for spec in ("base", "base+ghosts", "base+ghosts+spellcircles")),
        pytest.param(EVERYTHING, 2, marks=pytest.mark.long),
        *((f"base+{name}", 2) for name in CLASSICS),
        *((f"mists:{level}", players) for level in range(1, 7) for players in (1, 4)),
        ("mists:6+spellcircles", 3),
    ],
)
def test_what_different_actions_lead_to_is_seen_to_be_different(spec: str, players: int) -> None:
    """Of a position that came to be by another action at least a plane or a number differs."""
    rng = random.Random(4)
    state = Rules.cached(spec, players).start()
    while not state.is_terminal:
        legal = state.legal_actions()
        seen: dict[bytes, str] = {}
        for action in rng.sample(legal, min(len(legal), 12)) if rng.random() < 0.5 else ():
            if isinstance(action, Place):
                continue  # the same tile turned may look the same
            after = state.copy()
            after.apply(action)
            arrays = observation(after, 0)
            told = arrays["board"].tobytes() + arrays["numbers"].tobytes()
            text = after.to_text()
            assert seen.setdefault(told, text) == text, action
        state.apply(rng.choice(legal))


def test_numpys_ints_are_players_and_codes() -> None:
    state = do(start(), "draw:V")
    code = np.flatnonzero(action_mask(state))[0]
    assert encoding_for(state.rules).action(state, code) is state.legal_actions()[0]
    assert (observation(state, np.int64(1))["numbers"] == observation(state, 1)["numbers"]).all()


def test_an_encoding_is_pickled_and_shared_by_copies() -> None:
    of = encoding_for(Rules.cached("base", 2), 7)
    again = pickle.loads(pickle.dumps(of))
    assert (again.plane_names, again.num_actions, again.size) == (of.plane_names, of.num_actions, 7)
    assert copy.deepcopy(of) is of is copy.copy(of)


def test_names_are_as_many_as_planes_and_numbers_and_all_different() -> None:
    for spec in SPECS:
        state = Rules.cached(spec, 3).start()
        of = encoding_for(state.rules)
        seen = observation(state, 0)
        assert seen["board"].shape == (len(of.plane_names), of.size, of.size)
        assert seen["numbers"].shape == (len(of.number_names),)
        assert len(set(of.plane_names)) == len(of.plane_names)
        assert len(set(of.number_names)) == len(of.number_names)


class Debts(ExpansionState):
    """What owners owe each other, by kind of follower: at first nothing."""

    FIELDS: ClassVar[Mapping[str, object]] = {
        "owed": dict[tuple[Owner, Owner, FollowerNumber], Count]
    }

    def __init__(self) -> None:
        self.owed: dict[tuple[int, int, int], int] = {}

    def copy(self) -> "Debts":
        new = Debts()
        new.owed = self.owed.copy()
        return new


class Lenders(Expansion):
    """Remembers debts."""

    def setup(self, state: State) -> ExpansionState:
        return Debts()


def test_a_field_that_is_empty_at_first_has_a_number_for_each_owner_and_kind() -> None:
    rules = Rules([*Rules.cached("base", 2).expansions, Lenders()], 2, "base+lenders")
    state = rules.start()
    of = encoding_for(rules)
    debts = [name for name in of.number_names if name.startswith("Lenders.owed")]
    assert debts == [f"Lenders.owed {(a, b, 0)}" for a in (0, 1) for b in (0, 1)]
    own = state.expansion_states[-1]
    assert isinstance(own, Debts)
    own.owed[1, 0, 0] = 3
    seen = observation(state, 0)
    assert [number(seen, of, name) for name in debts] == [0, 0, 3, 0]


@pytest.mark.parametrize("name", CLASSICS)
def test_no_field_goes_unseen(name: str) -> None:
    """Each is shown as places or as numbers, but for one that says what is seen elsewhere."""
    rules = Rules.cached(f"base+{name}", 2)
    shown = {(field.state, field.name) for field in name_place_fields(rules, [], 9)}
    shown |= {(field.state, field.name) for field in name_number_fields(rules, [])}
    unseen = {
        field
        for state, own in enumerate(rules.start().expansion_states)
        for field in attributes(own)
        if (state, field) not in shown
    }
    # Ferries join roads, and are seen as what is joined; what the phantom may follow (`after`), and
    # which of two wagons was placed first (`standing`), is seen in legal actions.
    assert unseen <= {"after", "ferries", "standing"}
