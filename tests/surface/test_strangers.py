"""What strangers' expansions found missing, and the slips of theirs that are said in a sentence."""

from types import SimpleNamespace
from typing import Any

import pytest
from support.notation import do, legal, scored, skip

from carc import PASS, Expansion, ExpansionState, FollowerKind, Rules, State, Step, play
from carc.base.tiles.tile import SegmentKind
from carc.base.turn.choices import Choices, Listed
from carc.base.turn.scoring import Journal
from carc.base.turn.steps import DrawStep, EndStep
from carc.bots import by_name
from carc.drawing import history as history_module
from carc.errors import BadRules
from carc.testing import check


def expansion(**hooks: Any) -> Expansion:
    """One made of these hooks."""
    made: type[Expansion] = type("Slip", (Expansion,), hooks)
    return made()


def begin(*expansions: Expansion) -> State:
    state = Rules(expansions, 2).start()
    state.journal = Journal()
    return state


def copied_set(self: Expansion, sets: list[Any], read: object) -> list[Any]:
    return [*sets, sets[0]]


@pytest.mark.parametrize(
    ("hooks", "sentence"),
    [
        (
            {"follower_kinds": lambda self, kinds: [*kinds, FollowerKind("meeple")]},
            "Slip.follower_kinds adds 'meeple', which there is already",
        ),
        (
            {"follower_kinds": lambda self, kinds: [FollowerKind("giant"), *kinds]},
            "Slip.follower_kinds gives giant, meeple; meeple come first and stay in order",
        ),
        (
            {"follower_kinds": lambda self, kinds: [*kinds, FollowerKind("elf", on=("garden",))]},
            "a elf may claim 'garden', which is no kind of segment here; there are city, road",
        ),
        (
            {"segment_kinds": lambda self, kinds: [*kinds, SegmentKind("city", "Y")]},
            "Slip.segment_kinds adds 'city', which there is already",
        ),
        (
            {
                "segment_kinds": lambda self, kinds: [
                    *kinds,
                    SegmentKind("lake", completed_by="edge"),
                ]
            },
            "a lake is completed by 'edge'; allowed are edges, neighbours, never",
        ),
        ({"tile_sets": copied_set}, "Slip.tile_sets gives two sets of one name: base, base"),
        (
            {"turn": lambda self, steps: [s for s in steps if not isinstance(s, DrawStep)]},
            "Slip.turn leaves no DrawStep or no EndStep",
        ),
        (
            {"turn": lambda self, steps: [s for s in steps if not isinstance(s, EndStep)]},
            "Slip.turn leaves no DrawStep or no EndStep",
        ),
        (
            {"ORDER": {"power": 1}},
            "Slip.ORDER names 'power'; it may name feature_points, game_ended, next_player, "
            "player_points, tile_sets",
        ),
        ({"ONLY_FOR": {"score": ("city",)}}, "Slip.ONLY_FOR names 'score'; it may name placements"),
        (
            {"ORDER": {"feature_points": "late"}},
            "Slip.ORDER['feature_points'] is 'late'; it is one of the numbers",
        ),
    ],
    ids=lambda value: "" if isinstance(value, dict) else value[:40],
)
def test_a_slip_is_said_in_a_sentence(hooks: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadRules) as refused:
        begin(expansion(**hooks))
    assert sentence in str(refused.value)


def test_a_slice_that_no_setup_made() -> None:
    bare = expansion()
    with pytest.raises(LookupError, match="Slip keeps no state: its setup returned None"):
        bare.state_of(begin(bare))


def test_no_follower_is_taken_from_an_empty_supply_or_from_where_none_stands() -> None:
    state = do(begin(), "draw:U place:1,0,1")
    segment = state.board.segment_at(1, 0, 0)
    state.board.add_supply(0, 0, -7)
    with pytest.raises(ValueError, match="owner 0 has no meeple in the supply"):
        state.put_follower(segment, 0, 0)
    state.put_follower(segment, 1, 0)
    with pytest.raises(ValueError, match="there is a meeple of owner 1"):
        state.take_follower(segment, 0, 0)
    with pytest.raises(ValueError, match="there is nobody"):
        state.take_follower(state.board.segment_at(0, 0, 0))
    assert state.to_dict()["supplies"] == [{"meeple": 0}, {"meeple": 6}]


def test_what_a_copy_shares_is_noticed() -> None:
    class Deep(ExpansionState):
        def __init__(self) -> None:
            self.rows: list[list[int]] = [[0], [0]]

    with pytest.raises(AssertionError, match=r"Deep.rows is shared by a state and its copy"):
        check(Rules([expansion(setup=lambda self, state: Deep())]), games=1)


class Mouths(ExpansionState):
    def __init__(self) -> None:
        self.open: list[int] = []


class Tunnel(Expansion[Mouths]):
    """Road tiles U have a mouth more, which leads to the other one: two far ends of one road."""

    def setup(self, state: State) -> ExpansionState:
        return Mouths()

    def tile_placed(self, state: State, tile: int) -> None:
        if state.has_begun and state.board.tile_data(tile).name == "U":
            segment = state.board.segment_of(tile, 0)
            mouths = self.state_of(state).open
            state.board.open_edge(segment)
            if mouths:
                state.board.connect(mouths.pop(), segment)
            else:
                mouths.append(segment)


ROAD = "draw:L place:-1,0,0 draw:U place:1,0,1 claim:0,meeple draw:W place:2,0,0"


def test_features_far_apart_are_joined() -> None:
    """A road of three tiles with a mouth is open; a second mouth makes one of both, closed."""
    state = begin(Tunnel())
    do(state, ROAD)
    assert scored(skip(state)) == []  # L, D, U, W: closed but for the tunnel
    # Another road, from the village in the east to the south: W, U with the second mouth, W.
    do(state, "draw:U place:2,1,0")
    assert "claim:0,meeple" not in legal(state), "green is on it, beyond the tunnel"
    assert scored(skip(state)) == []
    do(state, "draw:W place:2,2,2")
    # -1,0  0,0  1,0  2,0  2,1  2,2: the village at 2,0 is met twice and counts once.
    assert scored(skip(state)) == ["1: road 6x1 = 6"]


def test_a_mouth_opens_the_road_that_its_tile_completes_and_another_closes_both() -> None:
    state = begin(Tunnel())
    do(state, "draw:L place:-1,0,0 claim:1,meeple draw:E place:0,-1,2 draw:E place:1,-1,0")
    do(state, "draw:E place:2,-1,0 draw:W place:2,0,0 draw:B place:0,1,0 draw:B place:0,2,0")
    assert scored(skip(do(state, "draw:U place:1,0,1"))) == []  # no gap is left but the tunnel
    do(state, "draw:B place:1,2,0 draw:A place:2,2,2")
    # The second mouth lies in the last gap: L, D, U, the village at 2,0, U, the monastery at 2,2.
    assert scored(skip(do(state, "draw:U place:2,1,0"))) == ["0: road 6x1 = 6"]


def test_who_may_claim_what_by_kind() -> None:
    abbot = expansion(
        follower_kinds=lambda self, kinds: [*kinds, FollowerKind("abbot", on=("monastery",))]
    )
    state = do(begin(abbot), "draw:A place:-1,0,3")
    road, monastery = (state.board.segment_at(-1, 0, index) for index in (0, 1))
    assert state.board.segment_kind(monastery).name == "monastery"
    assert [state.board.claim_allowed(monastery, kind) for kind in (0, 1)] == [True, True]
    assert [state.board.claim_allowed(road, kind) for kind in (0, 1)] == [True, False]


def test_a_road_with_an_open_mouth_is_never_complete() -> None:
    state = begin(Tunnel())
    do(state, ROAD)
    segment = state.board.segment_at(1, 0, 0)
    assert state.board.is_open(state.board.feature_of(segment))
    state.board.close_edge(segment)
    assert not state.board.is_open(state.board.feature_of(segment))


def test_the_tile_in_hand_may_become_a_variant() -> None:
    """Every U is laid as the curve V: the bag is as if nothing had happened."""

    class Bent(Expansion):
        def bind(self, rules: Rules) -> None:
            self.straight, self.bent = rules.draw("U").kind, rules.draw("V").kind

        def turn(self, steps: list[Step]) -> list[Step]:
            return [Bend(self) if isinstance(step, DrawStep) else step for step in steps]

    class Bend(DrawStep):
        def __init__(self, rule: Bent) -> None:
            super().__init__()
            self.rule = rule

        def apply(self, state: State, player: int, action: Any) -> None:
            super().apply(state, player, action)
            if state.tile_in_hand == self.rule.straight:
                state.change_tile_in_hand(self.rule.bent)

    state = do(begin(Bent()), "draw:U")
    data = state.to_dict()
    assert (data["tile_in_hand"], data["bag"]["U"], data["bag"]["V"]) == ("V", 7, 9)
    assert "place:1,0,0" in legal(state)
    check(Rules([Bent()]), games=2, every=5)


class Thought(Step):
    """A decision before the draw."""

    def __init__(self) -> None:
        super().__init__("think")

    def choices(self, state: State, player: int) -> Choices:
        return Listed([PASS])

    def apply(self, state: State, player: int, action: Any) -> None:
        pass


def test_what_is_decided_before_the_draw_is_told_of_who_decides(monkeypatch: Any) -> None:
    """Green's thought begins green's turn; it does not end red's."""

    class Thoughtful(Expansion):
        def turn(self, steps: list[Step]) -> list[Step]:
            return [Thought(), *steps]

    rules = Rules([Thoughtful()])
    monkeypatch.setattr(history_module, "Rules", SimpleNamespace(from_spec=lambda *_, **__: rules))
    match = play(rules, [by_name("random", 1), by_name("random", 2)], seed=1, names=["a", "b"])
    history = history_module.read_history(match.to_text(), "here")
    for turn in history.turns[:-1]:  # the last finds the bag empty
        plies = [history.plies[at] for at in turn]
        assert plies[0].words == "passes"
        assert len({ply.player for ply in plies if ply.player >= 0}) == 1
        assert sum(ply.action.startswith("draw:") for ply in plies) >= 1
