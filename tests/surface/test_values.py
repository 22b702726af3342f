"""States, rules and actions as values: pickled, copied, compared, hashed, written down and read again."""

import copy
import json
import pickle
import random
from collections.abc import Callable
from typing import Any, ClassVar

import key_run
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trial_expansions import Carnival
from values import play_on, seen

from carc import CHANCE, PASS, Action, Rules, Slice, State
from carc.base.cells import cell_at
from carc.base.spec import configured
from carc.errors import BadPosition, CarcError

SPECS = ["base", "base+ghosts+spellcircles", "mists:6+spellcircles", "mists:5"]
START = (
    "base 2 1-6d5ec840 D:0,0,0 - 7/7 0/0 A*2/B*4/C*1/D*3/E*5/F*2/G*1/H*3/I*2/J*3/K*3/L*3/M*2/N*3/O*2/P*3/Q*1/R*3"
    "/S*2/T*1/U*8/V*9/W*4/X*1 0 - - 0/end@0/score@0/claim@0/place@0/draw@-1 - - - -"
)


def positions(rules: Rules, seed: int, every: int = 1) -> list[State]:
    """Positions of a random game, as copies."""
    rng = random.Random(seed)
    state = rules.start()
    found = []
    while not state.is_terminal:
        if rng.random() * every < 1:
            found.append(state.copy())
        state.apply(rng.choice(state.legal_actions()))
    return [*found, state]


@pytest.mark.parametrize("spec", SPECS)
def test_a_position_is_made_again_from_its_data_its_text_and_its_pickle(spec: str) -> None:
    rules = Rules.named(spec, 3)
    for seed, state in enumerate(positions(rules, 5, every=12)):
        data = json.loads(json.dumps(state.to_dict()))
        again = State.from_dict(data)
        assert again.to_dict() == state.to_dict()
        pickled = pickle.loads(pickle.dumps(state))
        assert pickled.to_dict() == state.to_dict()
        written = State.from_text(state.to_text())
        assert seen(written) == seen(state)
        assert again == pickled == written == state
        assert len({again, pickled, written, state}) == 1
        assert written.to_text() == state.to_text()
        play_on([state, again, pickled, written], seed)


def test_rules_made_by_hand_and_their_states_are_pickled() -> None:
    rules = Rules([configured(Carnival(), "carnival", "large", "farmers=off")], 2)
    again = pickle.loads(pickle.dumps(rules))
    assert again == rules
    assert hash(again) == hash(rules)
    assert again.expansions[1].chosen == {"farmers": "off"}
    for seed, state in enumerate(positions(rules, 2, every=30)):
        pickled = pickle.loads(pickle.dumps(state))
        assert pickled.to_dict() == state.to_dict()
        play_on([state, pickled, State.from_text(state.to_text(), rules)], seed)


def test_rules_are_equal_that_play_the_same() -> None:
    rules = Rules.named("base+spellcircles+ghosts", 2)
    assert pickle.loads(pickle.dumps(rules)) == rules == Rules.named("base+ghosts+spellcircles")
    for other in (Rules.named("base+ghosts", 2), Rules.named("base+ghosts+spellcircles", 3)):
        assert other != rules
    assert copy.deepcopy(rules) is rules
    assert copy.copy(rules) is rules
    assert Rules.known("base", 2) is Rules.known("base", 2)


def test_the_users_own_tiles_are_pickled_with_the_rules(tmp_path: Any) -> None:
    tiles = tmp_path / "base.txt"
    tiles.write_text(
        "carc-tiles 1\nset base\n\ntile ONE 9 CFFF\n  city N\n  field E S W touches=0\n\nstart ONE 0,0\n"
    )
    rules = Rules.named("base", tiles=[tiles])
    dumped = pickle.dumps(rules.start())
    tiles.unlink()
    state = pickle.loads(dumped)
    assert state.rules == rules != Rules.named("base")
    assert state.to_dict()["bag"] == {"ONE": 8}
    with pytest.raises(BadPosition, match="rules version"):
        State.from_text(state.to_text())
    assert State.from_text(state.to_text(), rules) == state


@pytest.mark.parametrize("spec", ["base+ghosts+spellcircles", "mists:6+spellcircles"])
def test_actions_are_pickled_and_copied(spec: str) -> None:
    rules = Rules.named(spec, 4)
    actions = {a for state in positions(rules, 1) for a in state.legal_actions()}
    for action in actions:
        again = pickle.loads(pickle.dumps(action))
        assert (type(again), again) == (type(action), action)
        assert copy.deepcopy(action) is action
        assert copy.copy(action) is action
    assert pickle.loads(pickle.dumps(PASS)) is PASS
    assert all(type(a) is not Action for a in actions if a.text != "points")


def test_an_action_whose_effect_is_a_function_says_how_it_is_sent() -> None:
    class Shout(Action):
        def __init__(self, text: str, effect: Callable[[], None]) -> None:
            super().__init__(text)
            self.effect = effect

    with pytest.raises(TypeError, match=r"hey cannot be pickled: send str\(action\)"):
        pickle.dumps(Shout("hey", lambda: None))


def test_what_slices_hold_is_written_as_places() -> None:
    """Of each sort a slice may hold: numbers become places, and are found again where tiles came in another order."""
    state = reached("V place:1,0,1 pass", "E place:0,-1,2 claim:1,meeple")
    road = state.segment_at(1, 0, 0)

    class Kept(Slice):
        REFERS: ClassVar = {
            "at": "segment", "on": "tile", "of": "feature", "by": "tile:segment", "who": "segment,,", "where": "cell",
        }  # fmt: skip

        def __init__(self) -> None:
            self.at = [road]
            self.on = {1}
            self.of = road
            self.by = {1: road}
            self.who = (road, 1, 0)
            self.where = cell_at(3, 4)
            self.none = None
            self.plain = frozenset({7})

    kept = Kept()
    told = json.loads(json.dumps(kept.to_data(state)))
    assert told["at"] == [{"segment": [1, 0, 0]}]
    assert told["who"] == {"tuple": [{"segment": [1, 0, 0]}, 1, 0]}
    assert told["by"] == {"dict": [[{"tile": [1, 0]}, {"segment": [1, 0, 0]}]]}
    data = state.to_dict()
    data["tiles"].reverse()
    other = State.from_dict(data)
    again = Kept()
    again.from_data(other, told)
    moved = other.segment_at(1, 0, 0)
    assert moved != road
    assert again.at == [moved]
    assert again.on == {other.tile_on(1, 0)}
    assert again.of == other.feature_of(moved)
    assert again.by == {other.tile_on(1, 0): moved}
    assert again.who == (moved, 1, 0)
    assert (again.where, again.none, again.plain) == (cell_at(3, 4), None, frozenset({7}))
    with pytest.raises(BadPosition, match="a Kept keeps"):
        again.from_data(other, {"at": []})
    kept.plain = object()  # type: ignore[assignment]
    with pytest.raises(BadPosition, match="a slice holds a object"):
        kept.to_data(state)


def test_a_deep_copy_of_a_state_is_a_copy() -> None:
    state = Rules.named("base").start()
    for made in (copy.deepcopy(state), copy.copy(state)):
        made.apply(made.legal_actions()[0])
        assert made != state
    assert state == state.rules.start()


def test_the_text_of_the_start_and_what_repr_gives() -> None:
    state = Rules.named("base").start()
    assert state.to_text() == START
    assert repr(state) == f"State.from_text({START!r})"
    assert eval(repr(state), {"State": State}) == state


def reached(*turns: str) -> State:
    """The position after these turns of the base game: TILE PLACE CLAIM."""
    state = Rules.known("base", 2).start()
    for turn in turns:
        tile, *rest = turn.split()
        for text in (f"draw:{tile}", *rest):
            state.apply(state.check(state.rules.parse(text)))
    return state


def test_positions_reached_in_other_orders_are_equal() -> None:
    """The same two players lay the same tiles in the same places, the first player's two in either order."""
    city, field = "N place:0,-1,2 pass", "V place:0,1,0 pass"
    ends = "U place:1,0,1 claim:0,meeple"
    one = reached(city, ends, field)
    other = reached(field, ends, city)
    assert one.key() == other.key()
    assert one == other
    assert one.to_text() == other.to_text()
    assert [t["kind"] for t in one.to_dict()["tiles"]] != [
        t["kind"] for t in other.to_dict()["tiles"]
    ]
    assert reached(city, ends) != reached(field, ends)


def test_the_tile_laid_last_has_the_highest_number_whatever_the_order() -> None:
    """As in play: an expansion may count on it."""
    state = Rules.known("base+dragon", 2).start()
    for text in ("draw:V", "place:1,0,1", "pass", "draw:N", "place:0,-1,2"):
        state.apply(state.check(state.rules.parse(text)))
    assert state.last == state.tiles - 1
    again = State.from_text(state.to_text())
    assert (again.last, again.cell_of(again.last)) == (state.last, state.cell_of(state.last))


@settings(max_examples=25, deadline=None)
@given(st.tuples(st.integers(0, 10**9), st.integers(0, 10**9)))
def test_equal_positions_have_equal_keys_whatever_the_order(seeds: tuple[int, int]) -> None:
    """The tiles of a position are laid again in another order; a difference anywhere is another key."""
    rng = random.Random(seeds[0])
    some = positions(Rules.known(rng.choice(SPECS), 2), seeds[1])
    state = rng.choice(some)
    data = state.to_dict()
    rng.shuffle(data["tiles"])
    rng.shuffle(data["engine"]["followers"])
    rng.shuffle(data["discarded"])
    again = State.from_dict(data)
    assert again.key() == state.key()
    assert again.to_text() == state.to_text()
    play_on([again, state.copy()], seeds[0])
    for other in some:
        assert (other.key() == state.key()) == (other.to_text() == state.to_text())


def test_everything_that_counts_is_in_the_key() -> None:
    state = reached("E place:0,-1,2 claim:0,meeple", "V place:1,0,1 pass")
    keys = {state.key()}

    def other(name: str, change: Callable[[State], object]) -> None:
        changed = state.copy()
        change(changed)
        assert changed.key() not in keys, name
        keys.add(changed.key())

    def another(name: str, value: Any) -> None:
        other(name, lambda changed: setattr(changed, name, value))

    another("scores", [1, 0])
    another("bag", [*state.bag[1:], 0])
    another("left", state.left - 1)
    another("discarded", [2])
    another("active", 1 - state.active)
    another("never_complete", (0,))
    another("current_player", 0)
    other("supply", lambda changed: changed.add_supply(1, 0, -1))
    other("agenda", lambda changed: changed.push(changed.rules.turn[-1], 0))
    other("who decides", lambda changed: changed.push(changed.rules.turn[-1], 1))
    other("a tile face down", lambda changed: changed._lay_face_down(cell_at(0, 1)))
    state.apply(state.rules.parse("draw:V"))
    state.apply(state.legal_actions()[0])
    keys = {state.key()}
    another("last", 0)
    another("met", 1)
    another("completed", [3])
    unclaimed = reached("E place:0,-1,2 pass", "V place:1,0,1 pass")
    assert unclaimed.key() != reached("E place:0,-1,2 claim:0,meeple", "V place:1,0,1 pass").key()


@pytest.mark.parametrize("spec", ["base", "base+ghosts", "mists:5"])
def test_positions_with_one_key_have_one_text(spec: str) -> None:
    """The start has one key in every game; `tests/key_run.py` looks at millions."""
    looked, again, wrong = key_run.collisions(Rules.known(spec, 2), 1, 1500)
    assert wrong == 0 < again < looked


def test_where_and_how_each_tile_and_follower_is_is_in_the_key() -> None:
    """Alike in all else: a tile turned, a tile on another cell, a follower on another segment, of another player or kind."""
    turned = [reached(f"B place:0,1,{rotation} pass") for rotation in range(4)]
    moved = [reached(f"U place:{x},0,1 pass") for x in (-1, 1)]
    claimed = [reached(f"V place:1,0,1 claim:{segment},meeple") for segment in range(3)]
    data = reached("V place:1,0,1 claim:0,meeple").to_dict()
    owned = []
    for owner in (0, 1):
        data["engine"]["followers"] = [[1, 0, 0, owner, 0]]
        owned.append(State.from_dict(data))
    for some in (turned, moved, claimed, owned):
        assert len({state.key() for state in some}) == len(some)
        assert len({state.to_text() for state in some}) == len(some)


def test_the_kind_of_a_follower_is_in_the_key() -> None:
    state = Rules.known("base+inns", 2).start()
    keys = set()
    for kind in ("meeple", "big"):
        one = state.copy()
        for text in ("draw:V", "place:1,0,1", f"claim:0,{kind}"):
            one.apply(one.check(one.rules.parse(text)))
        data = one.to_dict()
        data["supplies"] = state.to_dict()["supplies"]
        keys.add(State.from_dict(data).key())
    assert len(keys) == 2


@pytest.mark.parametrize(
    ("field", "told", "says"),
    [
        (0, "chess", "unknown rules 'chess'"),
        (1, "x", "no rules"),
        (1, "9", "is for 2 to 5 players"),
        (2, "1-ffff", "of base for 2 players, rules version 1-ffff; these are base for 2"),
        (3, "Y:0,0,0", "names no tile"),
        (3, "D:0,0,0/D:0,0,1", "two tiles lie at 0,0"),
        (3, "D:0,0,0/E:0,-1,1", "does not fit"),
        (3, "D:0,0,4", "turned by 4"),
        (3, "D:0,0", "the position's tiles"),
        (3, "C:0,0,0/C:9,9,0", "73 tiles are told of; there are 72"),
        (3, "D:400,0,0", "off the table"),
        (4, "0,0,9=0.meeple", "no segment 0,0,9"),
        (4, "0,0,0=0.duke", "the position's followers"),
        (4, "0,0,0=7.meeple", "nobody has"),
        (5, "7", "1 supplies"),
        (5, "7/-1", "no count"),
        (6, "0", "1 scores"),
        (6, "x/0", "the position's scores"),
        (7, "A*99", "100 tiles are told of"),
        (7, "A*-1", "no count"),
        (8, "-3", "no count"),
        (9, "A/A/A", "75 tiles are told of"),
        (10, "nothing", "no position of"),
        (11, "0/lunch@0", "no position of"),
        (11, "5/draw@-1", "no player 5"),
        (11, "0/draw@7", "chance decides draw, not player 7"),
        (11, "0/draw@0", "chance decides draw, not player 0"),
        (11, "0/place@7", "no player 7"),
        (11, "0/claim@0", "which tile was laid last"),
        (11, "0/end@0", "which tile was laid last"),
        (12, "0,0", "the position's last"),
        (13, "x", "the position's never complete"),
        (14, "x", "the position's ways"),
        (15, "[{}]", "1 slices"),
    ],
)
def test_what_is_no_position_is_refused_in_a_sentence(field: int, told: str, says: str) -> None:
    fields = START.split()
    fields[field] = told
    with pytest.raises(CarcError, match=says):
        State.from_text(" ".join(fields))


@pytest.mark.parametrize(("spec", "players"), [("base", 3), ("base+ghosts", 2)])
def test_a_position_of_other_rules_is_refused_in_a_sentence(spec: str, players: int) -> None:
    rules, start = Rules.known(spec, players), Rules.known("base", 2).start()
    says = rf"of base for 2 players, .*; these are {spec.replace('+', '.')} for {players}, "
    with pytest.raises(BadPosition, match=says):
        State.from_text(start.to_text(), rules)
    with pytest.raises(BadPosition, match=says):
        State.from_dict(start.to_dict(), rules)


def test_what_waits_first_leaves_something_to_decide() -> None:
    fields = START.split()
    fields[11:13] = ["0/end@0", "0,0,0"]
    with pytest.raises(BadPosition, match="nothing is to be decided"):
        State.from_text(" ".join(fields))


def test_a_tile_to_be_laid_is_in_the_hand() -> None:
    fields = START.split()
    fields[11:13] = ["0/place@0", "0,0,0"]
    with pytest.raises(BadPosition, match="none is in the hand"):
        State.from_text(" ".join(fields))


def test_a_text_with_too_few_fields_is_refused() -> None:
    with pytest.raises(BadPosition, match=r"16 fields .* not 3"):
        State.from_text("base 2 x")


def test_chance_and_the_end_are_positions_too() -> None:
    state = Rules.named("base").start()
    assert state.current_player == CHANCE
    ended = positions(state.rules, 4)[-1]
    again = State.from_text(ended.to_text())
    assert again.is_terminal
    assert again.winners == ended.winners
    assert again.legal_actions() == []
