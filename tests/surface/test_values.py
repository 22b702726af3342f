"""States, rules and actions as values: pickled, copied, compared, hashed, written, read again."""

import copy
import json
import pickle
import random
from collections.abc import Callable
from typing import Any, ClassVar

import attrs
import numpy as np
import pytest
from support.notation import do, put, start
from support.trial_expansions import Carnival
from support.values import play_on, positions, reached

from carc import CHANCE, PASS, Action, Evaluation, ExpansionState, Rules, State, play, playout
from carc.base.cells import cell_at
from carc.base.expansions.spec import configured
from carc.base.game.bot_queries import changes
from carc.base.game.playout import random_action
from carc.base.position.state_fields import Cell, Feature, Segment, TileNumber
from carc.bots import by_name
from carc.errors import BadBot, BadPosition, BadRules, CarcError

START = (
    "base 2 1-6d5ec840 D:0,0,0 - 7/7 0/0 "
    "A*2/B*4/C*1/D*3/E*5/F*2/G*1/H*3/I*2/J*3/K*3/L*3/M*2/N*3/O*2/P*3/Q*1/R*3"
    "/S*2/T*1/U*8/V*9/W*4/X*1 0 - - 0/end@0/score@0/claim@0/place@0/draw@-1 - - - -"
)


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
    rules = Rules.from_spec("base+spellcircles+ghosts", 2)
    assert pickle.loads(pickle.dumps(rules)) == rules == Rules.from_spec("base+ghosts+spellcircles")
    for other in (
        Rules.from_spec("base+ghosts", 2),
        Rules.from_spec("base+ghosts+spellcircles", 3),
    ):
        assert other != rules
    assert copy.deepcopy(rules) is rules
    assert copy.copy(rules) is rules
    assert Rules.cached("base", 2) is Rules.cached("base", 2)


def test_the_users_own_tiles_are_pickled_with_the_rules(tmp_path: Any) -> None:
    tiles = tmp_path / "base.txt"
    tiles.write_text(
        "carc-tiles 1\nset base\n\ntile ONE 9 CFFF\n  city N\n  field E S W "
        "touches=0\n\nstart ONE 0,0\n"
    )
    rules = Rules.from_spec("base", tiles=[tiles])
    dumped = pickle.dumps(rules.start())
    tiles.unlink()
    state = pickle.loads(dumped)
    assert state.rules == rules != Rules.from_spec("base")
    assert state.to_dict()["bag"] == {"ONE": 8}
    with pytest.raises(BadPosition, match="rules version"):
        State.from_text(state.to_text())
    assert State.from_text(state.to_text(), rules) == state


@pytest.mark.parametrize(
    "spec",
    [
        "base+ghosts+spellcircles",
        "mists:6+spellcircles",
        "base+abbot+crops+dragon+festival+flier+hills+mage",
    ],
)
def test_actions_are_pickled_and_copied(spec: str) -> None:
    rules = Rules.from_spec(spec, 4)
    actions = {a for state in positions(rules, 1) for a in state.legal_actions()}
    for action in actions:
        again = pickle.loads(pickle.dumps(action))
        assert (type(again), again) == (type(action), action)
        assert copy.deepcopy(action) is action
        assert copy.copy(action) is action
    assert pickle.loads(pickle.dumps(PASS)) is PASS
    assert all(type(a) is not Action for a in actions if a.text != "points")


def test_a_match_and_what_it_is_made_of_are_values() -> None:
    rules = Rules.from_spec("base+flier", 2)
    match = play(rules, [by_name("greedy", 1), by_name("random", 2)], seed=3)
    scored = next(move for move in match.moves if move.scored)
    for one in (match, match.result, scored, scored.scored[0]):
        for again in (pickle.loads(pickle.dumps(one)), copy.deepcopy(one), copy.copy(one)):
            assert (type(again), again) == (type(one), one)
            assert hash(again) == hash(one)
    assert copy.deepcopy(match).end == match.end


def test_what_changed_is_a_value() -> None:
    before, after = reached(), reached("V place:1,0,1 claim:0,meeple")
    change, other = changes(before, after), changes(reached("V place:1,0,1 pass"), after)
    for again in (pickle.loads(pickle.dumps(change)), copy.deepcopy(change)):
        assert again == change != other
        assert (again.tiles, again.came) == ([1], change.came)
    with pytest.raises(CarcError, match="not of one game"):
        changes(Rules.cached("base", 3).start(), after)


@pytest.mark.parametrize("spec", ["base+flier", "base+river"])
def test_a_copy_of_a_deal_deals_on_as_the_deal_does(spec: str) -> None:
    """With its throws, and with tiles it has brought up from below in its deck."""
    state = Rules.from_spec(spec, 2).start()
    deal, rng = state.rules.deal("copied"), random.Random(1)

    def go_on() -> None:
        if state.current_player == CHANCE:
            state.apply(deal.choose(state))
            return
        flights = [action for action in state.legal_actions() if action.text.startswith("fly")]
        state.apply(flights[0] if flights else random_action(state, rng))

    while deal.tiles == state.rules.deal("copied").tiles and not (
        state.board.tile_count > 30 and "flier" in spec
    ):
        go_on()
    copies = [copy.deepcopy(deal), pickle.loads(pickle.dumps(deal))]
    while not state.is_terminal:
        if state.current_player == CHANCE:
            dealt = [one.choose(state) for one in copies]
            assert dealt == [copy.deepcopy(deal).choose(state)] * 2
        go_on()


def test_an_evaluation_is_made_again_as_it_was() -> None:
    """With its weights, and blind to what a builder promises."""
    state = do(start("base+traders"), "draw:V place:1,0,1 claim:0,meeple draw:E place:0,-1,2 pass")
    put(state, 0, (1, 0, 0), kind="builder")
    of = Evaluation(state.rules, {"spare": 1.0}, blind=True)
    for other in (Evaluation(state.rules, blind=True), Evaluation(state.rules, {"spare": 1.0})):
        assert of.owners(state) != other.owners(state)
    for again in (copy.deepcopy(of), pickle.loads(pickle.dumps(of))):
        assert again.owners(state) == of.owners(state)


def test_a_deal_is_asked_of_chance_alone_and_of_its_own_rules() -> None:
    state = Rules.from_spec("base").start()
    deal = state.rules.deal(np.int64(4))
    assert deal.tiles == state.rules.deal(4).tiles
    with pytest.raises(CarcError, match=r"the deal is of .*base\+inns.*, not of .*base"):
        Rules.from_spec("base+inns").deal(4).choose(state)
    state.apply(deal.choose(state))
    with pytest.raises(CarcError, match="player 0 is to decide here, not chance"):
        deal.choose(state)
    playout(state, random.Random(1))
    with pytest.raises(CarcError, match="the game is over"):
        deal.choose(state)
    with pytest.raises(CarcError, match=r"a seed that is no text is a whole number, not 1\.5"):
        state.rules.deal(1.5)  # type: ignore[arg-type]


def test_rules_are_given_as_a_spec_or_made_and_anything_else_is_refused() -> None:
    bots = [by_name("random", np.int64(seed)) for seed in range(3)]  # type: ignore[arg-type]
    match = play("base", bots, seed=np.int64(1))  # type: ignore[arg-type]
    assert (match.players, match.rules, match.seed) == (3, "base", 1)
    assert Rules.coerce("base") is Rules.cached("base", 2)
    made = Rules.from_spec("base", 3)
    assert Rules.coerce(made) is Rules.coerce(made, 3) is made
    with pytest.raises(BadRules, match="the rules given are base for 3 players, not 2"):
        Rules.coerce(made, 2)
    with pytest.raises(BadRules, match=r"rules are made ones or a spec, .*, not None"):
        play(None, bots)  # type: ignore[arg-type]
    with pytest.raises(BadBot, match=r"a bot is an instance, not a class: pass Random\(\)"):
        play("base", [type(by_name("random"))] * 2)  # type: ignore[list-item]
    with pytest.raises(BadBot, match=r"'random' is not a bot: .* carc\.bots\.by_name makes a bot"):
        play("base", ["random", "random"])  # type: ignore[list-item]
    with pytest.raises(BadBot, match=r"a bot is named by a text, .*, not None"):
        by_name(None)  # type: ignore[arg-type]


def test_an_action_whose_effect_is_a_function_says_how_it_is_sent() -> None:
    class Shout(Action):
        def __init__(self, text: str, effect: Callable[[], None]) -> None:
            super().__init__(text)
            self.effect = effect

    with pytest.raises(TypeError, match=r"hey cannot be pickled: send str\(action\)"):
        pickle.dumps(Shout("hey", lambda: None))


def test_what_slices_hold_is_written_as_places() -> None:
    """Of each sort a slice may hold: numbers become places, and are found again where tiles came in
    another order.
    """
    state = reached("V place:1,0,1 pass", "E place:0,-1,2 claim:1,meeple")
    road = state.board.segment_at(1, 0, 0)

    class Kept(ExpansionState):
        FIELDS: ClassVar = {
            "at": list[Segment],
            "on": set[TileNumber],
            "of": Feature,
            "by": dict[TileNumber, Segment],
            "who": tuple[Segment, int, int],
            "where": Cell,
        }

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
    moved = other.board.segment_at(1, 0, 0)
    assert moved != road
    assert again.at == [moved]
    assert again.on == {other.board.tile_at(1, 0)}
    assert again.of == other.board.feature_of(moved)
    assert again.by == {other.board.tile_at(1, 0): moved}
    assert again.who == (moved, 1, 0)
    assert (again.where, again.none, again.plain) == (cell_at(3, 4), None, frozenset({7}))
    with pytest.raises(BadPosition, match="a Kept keeps"):
        again.from_data(other, {"at": []})
    kept.plain = object()  # type: ignore[assignment]
    with pytest.raises(BadPosition, match="holds a value of type object, which cannot be written"):
        kept.to_data(state)


def test_a_slice_may_be_an_attrs_class() -> None:
    """With slots, as attrs make them: copied one level deep, and written."""

    @attrs.define
    class Kept(ExpansionState):
        held: int = 0
        of: list[int] = attrs.field(factory=list)

    kept = Kept(3, [1])
    again = kept.copy()
    kept.of.append(2)
    assert (again, again.to_data(Rules.from_spec("base").start())) == (
        Kept(3, [1]),
        {"held": 3, "of": [1]},
    )


def test_a_slice_may_have_one_slot_and_private_ones() -> None:
    class Kept(ExpansionState):
        __slots__ = "held"  # noqa: PLC0205 (strangers may write so)

    class More(Kept):
        __slots__ = ("__own",)

        def __init__(self) -> None:
            self.held: int = 3
            self.__own = [1]

        def add(self) -> list[int]:
            self.__own.append(2)
            return self.__own

    kept = More()
    again: Any = kept.copy()
    assert (kept.add(), again.held, again.add()) == ([1, 2], 3, [1, 2])


def test_a_deep_copy_of_a_state_is_a_copy() -> None:
    state = Rules.from_spec("base").start()
    for made in (copy.deepcopy(state), copy.copy(state)):
        made.apply(made.legal_actions()[0])
        assert made != state
    assert state == state.rules.start()
