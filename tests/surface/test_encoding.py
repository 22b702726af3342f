"""Positions as planes and numbers, actions as codes: small boards by hand, and what must hold on
random ones.
"""

import copy
import pickle
import random
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import pytest

from carc import CHANCE, PASS, Place, Rules, State
from carc.base.cells import xy
from carc.base.expansions.expansion import Expansion
from carc.base.expansions.spec import registered
from carc.base.game.rules import COLOURS
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.instance_attributes import attributes
from carc.base.position.state_fields import Count, FollowerNumber, Owner
from carc.base.turn.actions import OnSegment
from carc.base.turn.choices import Choices, Listed
from carc.errors import CarcError, IllegalAction
from carc.learn.action_codes import ActionCodes
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
CLASSICS = sorted(n for n, at in registered().items() if at.value.startswith("carc.classics."))
EVERYTHING = "+".join(["base", "ghosts", "spellcircles", *CLASSICS])


def after(spec: str, *actions: str) -> State:
    state = Rules.cached(spec, 2).start()
    for text in actions:
        state.apply(state.check(state.rules.parse(text)))
    return state


def at(state: State, seen: Observation, plane: str, x: int, y: int) -> int:
    """The value of a plane at a cell of the table."""
    of = encoding_for(state.rules)
    left, top = xy(of.corner(state))
    return int(seen["board"][of.plane_names.index(plane), y - top, x - left])


def number(seen: Observation, of: Encoding, name: str) -> int:
    return int(seen["numbers"][of.number_names.index(name)])


def test_a_small_board_as_each_player_sees_it() -> None:
    state = after("base", "draw:N", "place:0,-1,2", "claim:0,meeple")
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
    state = after("base", "draw:N", "place:0,-1,2")
    seen = observation(state, 0)
    assert (at(state, seen, "last", 0, -1), at(state, seen, "last", 0, 0)) == (1, 0)
    state.apply(PASS)
    assert not observation(state, 0)["board"][
        encoding_for(state.rules).plane_names.index("last")
    ].any()


def test_what_is_no_observation_is_refused_in_a_sentence() -> None:
    state = after("base", "draw:N")
    with pytest.raises(CarcError, match="no player 2; players are 0 to 1"):
        observation(state, 2)
    into = empty_observation(encoding_for(state.rules, 7))
    with pytest.raises(
        CarcError, match=r"'board' an array of uint8 of shape .*25, 25.* it is uint8 .* 7, 7"
    ):
        observation(state, 0, into)
    into = empty_observation(encoding_for(state.rules))
    into["board"].flags.writeable = False
    with pytest.raises(CarcError, match=r"it is a read-only array, uint8 of shape"):
        observation(state, 0, into)
    with pytest.raises(CarcError, match="there is no player -2"):
        observation(state, -2)
    into = {**empty_observation(encoding_for(state.rules)), "numbers": np.zeros(3, np.int32)}
    with pytest.raises(
        CarcError, match=r"'numbers' an array of int32 of shape \(64,\); it is .* \(3,\)"
    ):
        observation(state, 0, into)
    good = empty_observation(encoding_for(state.rules))
    for wrong, says in (
        ({}, "'board' .* it is missing"),
        ([0], "it is a list"),
        (np.zeros(3), "it is a ndarray"),
        ({"board": [[0]]}, "'board' .* it is a list"),
        ({**good, "board": good["board"].astype(np.int8)}, "'board' .* it is int8"),
    ):
        with pytest.raises(CarcError, match=says):
            observation(state, 0, wrong)  # type: ignore[arg-type]
    with pytest.raises(
        CarcError, match=r"a window for base is at most 1[0-9]+ cells wide, not 1000000"
    ):
        encoding_for(state.rules, 10**6)
    with pytest.raises(CarcError, match="the size of a window is a whole number, not '9'"):
        encoding_for(state.rules, "9")  # type: ignore[arg-type]
    with pytest.raises(CarcError, match="a player is a whole number, not 'me'"):
        observation(state, "me")  # type: ignore[arg-type]
    other = encoding_for(Rules.cached("base", 3))
    for ask in (
        other.legal_codes,
        other.action_mask,
        lambda s: other.board(s, 0),
        lambda s: other.numbers(s, 0),
    ):
        with pytest.raises(
            CarcError, match="of base for 3 players cannot encode a state of base for 2"
        ):
            ask(state)


def test_what_is_given_is_the_callers_own() -> None:
    state = after("base", "draw:N")
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
    state = after("base", "draw:N")
    of = encoding_for(state.rules)
    backing = np.zeros((len(of.plane_names), of.size, 2 * of.size), np.float32)
    into = {"board": backing[:, :, ::2], "numbers": np.zeros(len(of.number_names), np.int32)}
    observation(state, 0, into)  # type: ignore[arg-type]
    assert backing[0].sum() == 1


def test_scores_the_hand_and_who_decides_are_told_from_the_player_on() -> None:
    state = after("base", "draw:E", "place:0,-1,2", "claim:0,meeple", "draw:V")
    of = encoding_for(state.rules)
    mine, other = observation(state, 0), observation(state, 1)
    assert (number(mine, of, "score 0"), number(mine, of, "score 1")) == (4, 0)
    assert (number(other, of, "score 0"), number(other, of, "score 1")) == (0, 4)
    assert (number(mine, of, "to decide 1"), number(other, of, "to decide 0")) == (1, 1)
    assert (number(mine, of, "hand V"), number(mine, of, "hand U")) == (1, 0)
    assert number(mine, of, "unseen") == 0
    assert (number(mine, of, "seat"), number(other, of, "seat")) == (0, 1)


def test_ghosts_and_what_else_expansions_keep_have_planes_and_numbers() -> None:
    rng = random.Random(2)
    state = Rules.cached("base+ghosts", 2).start()
    of = encoding_for(state.rules)
    haunted = [
        f"ghosts.ghosts {index}" for index in range(of.most_segments)
    ]  # by the segment's index
    assert not {*haunted} - {*of.plane_names}
    while not state.expansion_states[0].ghosts or state.is_terminal:  # type: ignore[attr-defined]
        state.apply(rng.choice(state.legal_actions()))
    seen = observation(state, 0)
    (ghost,) = [one for one in state.to_dict()["pieces"] if one["kind"] == "ghost"]
    assert [at(state, seen, name, ghost["x"], ghost["y"]) for name in haunted] == [
        ghost["count"] * (index == ghost["segment"]) for index in range(of.most_segments)
    ]
    assert (
        sum(seen["board"][of.plane_names.index(name)].sum() for name in haunted) == ghost["count"]
    )
    assert number(seen, of, "ghosts.stock") == 15 - ghost["count"]
    assert [number(seen, of, f"ghosts.guards {n}") for n in (0, 1)] == [3, 3]


def test_lists_and_dicts_that_expansions_keep_are_numbers_too() -> None:
    state = Rules.cached("base+hills+king", 2).start()
    of = encoding_for(state.rules)
    (flocks,) = [one for one in state.expansion_states if type(one).__name__ == "HillsState"]
    (titles,) = [one for one in state.expansion_states if type(one).__name__ == "KingState"]
    flocks.with_shepherd[1] = (3, 4)  # type: ignore[attr-defined]
    kind = state.rules.catalogue.kind_of["road"]
    titles.holder[kind], titles.most[kind] = 1, 6  # type: ignore[attr-defined]
    seen = observation(state, 0)
    assert [number(seen, of, f"hills.with_shepherd {n}") for n in (0, 1)] == [0, 7]
    assert (number(seen, of, f"king.holder {kind}"), number(seen, of, f"king.most {kind}")) == (
        1,
        6,
    )


def test_middles_marks_and_kinds_of_follower_are_seen() -> None:
    state = after("base+inns", "draw:C", "place:0,-1,0", "pass", "draw:B", "place:0,1,0")
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
    state = after("base+ghosts")
    mist: Any = state.expansion_states[0]
    mist.ghosts = {state.board.segment_at(0, 0, 0): 2}
    assert at(state, observation(state, 0), "ghosts.ghosts 0", 0, 0) == 2


def test_claims_of_several_kinds_have_codes_of_their_own() -> None:
    state = after("base+inns", "draw:V", "place:1,0,1")
    of = encoding_for(state.rules)
    codes = of.legal_codes(state)  # before anything is listed
    assert len({*codes}) == len(codes) == state.count_actions() == 7
    listed = {str(action): code for action, code in zip(state.legal_actions(), codes, strict=True)}
    assert listed["claim:0,big"] - listed["claim:0,meeple"] == 1
    assert of.legal_codes(state) == codes


def test_tiles_lying_face_down_are_seen() -> None:
    state = after("base")
    state.lay_face_down(state.board.cell_of(0) + 1)
    of = encoding_for(state.rules)
    seen = observation(state, 0)
    assert at(state, seen, "face down", 1, 0) == 1
    assert at(state, seen, "tile", 1, 0) == 0
    assert number(seen, of, "unseen") == 1


@pytest.mark.parametrize("spec", SPECS)
def test_each_plane_and_number_is_what_to_dict_tells(spec: str) -> None:
    """On random positions: planes give back tiles, followers' owners and open features."""
    rng = random.Random(5)
    state = Rules.cached(spec, 2).start()
    of = encoding_for(state.rules)
    into = empty_observation(of)
    colours = len(state.scores)
    kinds = [kind.name for kind in state.rules.follower_kinds]
    for _ in range(120):
        if state.is_terminal:
            break
        state.apply(rng.choice(state.legal_actions()))
        if rng.random() < 0.9:
            continue
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
    """Nothing of a position goes unseen: of one that came to be by another action at least a plane
    or a number differs.
    """
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


@pytest.mark.parametrize("spec", SPECS)
def test_codes_name_each_legal_action_and_no_other(spec: str) -> None:
    rng = random.Random(7)
    state = Rules.cached(spec, 2).start()
    of = encoding_for(state.rules)
    while not state.is_terminal:
        unlisted = state.copy()
        legal = state.legal_actions()
        if state.current_player != CHANCE:
            codes = of.legal_codes(state)
            assert of.legal_codes(unlisted) == codes
            assert len(set(codes)) == len(legal)
            assert 0 <= min(codes) <= max(codes) < of.num_actions
            allowed = action_mask(state)
            assert np.flatnonzero(allowed).tolist() == sorted(codes)
            some = rng.choice(legal)
            assert of.action(state, of.code(state, some)) is some
            assert of.action(unlisted, of.code(state, some)) == some
            if legal[-1] is PASS:
                assert codes[-1] == 0
        else:
            assert not action_mask(state).any()
        state.apply(rng.choice(legal))
    with pytest.raises(IllegalAction, match="no player is to decide"):
        of.action(state, 3)


def test_a_code_is_a_place_in_the_window_and_a_rotation() -> None:
    state = after("base", "draw:V")
    of = ActionCodes(state.rules, 5)
    assert xy(of.corner(state)) == (-2, -2)
    code = of.code(state, state.rules.parse("place:1,0,1"))
    assert code == 4 + (2 * 5 + 3) * 4 + 1
    state.apply(of.action(state, code))
    assert xy(of.corner(state)) == (-2, -2)
    state = after("base", "draw:V", "place:1,0,1", "pass", "draw:V", "place:2,0,2", "pass")
    assert xy(of.corner(state)) == (-1, -2)


def test_a_choice_of_a_segment_is_a_place_in_the_window_and_an_index() -> None:
    rng = random.Random(3)
    state = Rules.cached("base+ghosts", 2).start()
    of = encoding_for(state.rules)
    seen = set()
    while not state.is_terminal:
        legal = state.legal_actions()
        left, top = xy(of.corner(state))
        for action in legal:
            if str(action).startswith("haunt:"):
                x, y, index = map(int, str(action).removeprefix("haunt:").split(","))
                cell = (y - top) * of.size + x - left
                seen.add(index)
                assert of.code(state, action) == of.at_segment + cell * of.most_segments + index
        state.apply(rng.choice(legal))
    assert len(seen) > 1


def test_what_lies_outside_the_window_has_one_of_the_last_codes() -> None:
    state = after("base", "draw:V")
    of = ActionCodes(state.rules, 1)
    codes = of.legal_codes(state)
    assert codes == list(range(of.at_other, of.at_other + len(codes)))
    assert [of.action(state, code) for code in codes] == state.legal_actions()
    assert Encoding(state.rules, 1).board(state, 0) is not None


def test_a_window_is_of_some_size_and_codes_are_of_legal_actions() -> None:
    rules = Rules.cached("base", 2)
    with pytest.raises(CarcError, match="not -3"):
        ActionCodes(rules, -3)
    state = after("base", "draw:V")
    with pytest.raises(IllegalAction, match="place:9,9,0 is not legal"):
        encoding_for(rules).code(state, rules.parse("place:9,9,0"))
    with pytest.raises(IllegalAction, match="code -1"):
        encoding_for(rules).action(state, -1)
    with pytest.raises(IllegalAction, match=r"code 3; legal codes are \[\d+, "):
        encoding_for(rules).action(state, 3)
    with pytest.raises(IllegalAction, match="code 1000000000000000000000000000000"):
        encoding_for(rules).action(state, 10**30)
    with pytest.raises(CarcError, match=r"a code is a whole number, not 2\.5"):
        encoding_for(rules).action(state, 2.5)  # type: ignore[arg-type]


def test_numpys_ints_are_players_and_codes() -> None:
    state = after("base", "draw:V")
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


@pytest.mark.parametrize(
    ("spec", "players"),
    [*((f"base+{name}", 3) for name in CLASSICS), (EVERYTHING, 2), ("mists:6+king", 4)],
)
def test_no_legal_action_is_without_a_code(spec: str, players: int) -> None:
    """The dragon's portals, the fairy and the mage offer up to some two hundred places at once."""
    rng = random.Random(11)
    rules = Rules.cached(spec, players)
    of = ActionCodes(rules)
    for _ in range(3):
        state = rules.start()
        while not state.is_terminal:
            legal = state.legal_actions()
            if state.current_player != CHANCE:
                codes = of.legal_codes(state)
                assert len({*codes}) == len(codes) == len(legal)
                assert 0 <= min(codes) <= max(codes) < of.num_actions
            state.apply(rng.choice(legal))


def test_choices_of_one_segment_are_told_apart_by_their_layer() -> None:
    rng = random.Random(1)
    state = Rules.cached("base+mage", 2).start()
    of = encoding_for(state.rules)
    while state.step.name != "mage":
        state.apply(rng.choice(state.legal_actions()))
    codes = {str(one): of.code(state, one) for one in state.legal_actions()}
    for text, code in codes.items():
        if text.startswith("mage:"):
            assert codes[text.replace("mage:", "witch:")] == code + 1 < of.at_cell


def test_choices_of_figures_are_told_apart_by_kind_and_owner() -> None:
    """Of one's own by kind: portal (DRG-04), fairy (DRG-05).

    The princess's (DRG-03) may be anybody's.
    """
    rng = random.Random(1)
    rules = Rules.cached("base+dragon+inns", 2)
    of = encoding_for(rules)
    kinds = [kind.name for kind in rules.follower_kinds]
    met = set()
    for _ in range(5):
        state = rules.start()
        while not state.is_terminal:
            left, top = xy(of.corner(state))
            legal = state.legal_actions()
            for action in legal:
                verb, _, where = str(action).partition(":")
                if verb in ("portal", "fairy", "princess"):
                    x, y, index, kind, *colour = where.split(",")
                    cell = (int(y) - top) * of.size + int(x) - left
                    layer = kinds.index(kind) + len(kinds) * (colour == [COLOURS[1]])
                    code = of.code(state, action)
                    if code < of.at_other:  # not taken by another verb's
                        assert (
                            code
                            == of.at_segment + (cell * of.most_segments + int(index)) * 4 + layer
                        )
                        met.add((verb, layer))
            state.apply(rng.choice(legal))
    assert {("portal", 0), ("portal", 1), ("fairy", 0), ("princess", 2)} <= met


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
    # Ferries join roads, and are seen as what is joined; what the phantom may follow (`after`) is
    # seen in its legal actions.
    assert unseen <= {"after", "ferries"}


class Forgetful(Expansion):
    """Offers two choices of a segment and does not say that there are `layers`."""

    def claims(self, state: State, player: int) -> Choices:
        cell = state.board.cell_of(state.board.last_tile)
        return Listed([OnSegment("look", cell, 0), OnSegment("peek", cell, 0, layer=1)])


def test_a_layer_that_was_not_announced_has_no_code_of_its_own() -> None:
    rules = Rules([*Rules.cached("base", 2).expansions, Forgetful()], 2, "base+forgetful")
    state = rules.start()
    for text in ("draw:V", "place:1,0,1"):
        state.apply(state.check(rules.parse(text)))
    of = ActionCodes(rules)
    *_, look, peek, _ = of.legal_codes(state)
    assert of.at_segment <= look < of.at_cell
    assert peek == of.at_other
