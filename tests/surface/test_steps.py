"""Steps and actions of one's own: subclasses of the base's in play, effects, whose turn is next."""

import random

import pytest
from support.notation import begin as base_game
from support.notation import do, legal, scored

from carc import Action, Claim, Expansion, ExpansionState, Place, Rules, State, Step, playout
from carc.base.cells import cell_at
from carc.base.turn.actions import Draw, OnCell, OnSegment, chosen_segment
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.scoring import Journal
from carc.base.turn.steps import ClaimStep, DrawStep, EndStep, PlaceStep, ScoreStep
from carc.testing import check


class Notes(ExpansionState):
    """What happened in the workshop."""

    def __init__(self) -> None:
        self.drawn: list[str] = []
        self.ended = 0
        self.scored = 0
        self.finished: list[str] = []
        self.flags: list[int] = []  # cells


class LoudDraw(Draw):
    """A draw that is noted."""

    def perform(self, state: State, player: int) -> None:
        super().perform(state, player)
        notes(state).drawn.append(self.tile)


class LoudDrawStep(DrawStep):
    def choices(self, state: State, player: int) -> Choices:
        found = super().choices(state, player).actions(state)
        return Listed([LoudDraw(a.tile, a.kind) for a in found if isinstance(a, Draw)])


class PaidPlace(Place):
    """A placement that earns a point in column 0."""

    def perform(self, state: State, player: int) -> None:
        super().perform(state, player)
        if self.x == 0:
            state.award(player, "column", 1, 1)


class PaidPlaceStep(PlaceStep):
    def choices(self, state: State, player: int) -> Choices:
        found = super().choices(state, player).actions(state)
        return Listed([PaidPlace(a.cell, a.rotation) for a in found if isinstance(a, Place)])


class PaidClaim(Claim):
    """A claim that costs a point."""

    def perform(self, state: State, player: int) -> None:
        super().perform(state, player)
        state.award(player, "fee", 1, -1)


class LateClaimStep(ClaimStep):
    """No claims in the first turn."""

    def choices(self, state: State, player: int) -> Choices:
        return super().choices(state, player) if state.board.tile_count > 2 else NO_CHOICES


class CountingScoreStep(ScoreStep):
    def apply(self, state: State, player: int, action: Action | None) -> None:
        notes(state).scored += bool(state.board.completed)
        super().apply(state, player, action)


class CountingEndStep(EndStep):
    def apply(self, state: State, player: int, action: Action | None) -> None:
        notes(state).ended += 1
        super().apply(state, player, action)


class Bless(OnSegment):
    """Two points for a segment of the tile just laid instead of a claim."""

    def perform(self, state: State, player: int) -> None:
        assert state.board.cell_under(chosen_segment(state.board, self)) == self.cell
        state.award(player, "blessing", 1, 2)


class Flag(OnCell):
    """A flag on the cell of the tile just laid."""

    def perform(self, state: State, player: int) -> None:
        notes(state).flags.append(self.cell)


class Workshop(Expansion):
    """Replaces every step of a turn with a subclass, and every sort of action."""

    def setup(self, state: State) -> ExpansionState | None:
        return Notes()

    def turn(self, steps: list[Step]) -> list[Step]:
        return [
            LoudDrawStep(),
            PaidPlaceStep(),
            LateClaimStep(),
            CountingScoreStep(),
            CountingEndStep(),
        ]

    def bind(self, rules: Rules) -> None:
        self.rules = rules

    def restrict_claims(self, state: State, player: int, actions: list[Action]) -> list[Action]:
        cell = state.board.cell_of(state.board.last_tile)
        paid: list[Action] = [self._paid(a) for a in actions if isinstance(a, Claim)]
        return [*paid, Bless("bless", cell, 0), Flag("flag", cell)]

    def feature_scored(self, state: State, feature: int, final: bool) -> None:
        who = "claimed" if state.board.is_claimed(feature) else "free"
        notes(state).finished.append(f"{state.board.kind_of(feature)} {who}")

    def parse(self, text: str) -> Action | None:
        verb, _, rest = text.partition(":")
        if verb == "draw" and rest in self.rules.catalogue.index:
            return LoudDraw(rest, self.rules.catalogue.index[rest])
        if verb == "claim" and rest[:1].isdigit() and rest[1:] == ",meeple":
            return self._paid(self.rules.claim(int(rest[0]), 0, 0))
        if verb in ("place", "bless", "flag"):
            numbers = [int(part) for part in rest.split(",")]
            cell = cell_at(numbers[0], numbers[1])
            if verb == "place":
                return PaidPlace(cell, numbers[2])
            return Flag(verb, cell) if verb == "flag" else Bless(verb, cell, numbers[2])
        return None

    @staticmethod
    def _paid(claim: Claim) -> PaidClaim:
        return PaidClaim(claim.segment, claim.follower, claim.owner, claim.text)


def notes(state: State) -> Notes:
    (own,) = state.expansion_states
    assert isinstance(own, Notes)
    return own


class Again(Expansion):
    """Whoever lays a straight road (U) has another turn."""

    def next_player(self, state: State, player: int, following: int) -> int:
        return player if state.board.tile_data(state.board.last_tile).name == "U" else following


def workshop() -> State:
    state = Rules([Workshop()], 2, "base+workshop").start()
    state.journal = Journal()
    return state


def test_subclasses_of_every_step_and_action_do_what_they_say() -> None:
    state = do(workshop(), "draw:E place:0,1,2")
    # The first turn has no claims: on with the second player's. The tile lies in column 0.
    assert (state.active_player, state.scores) == (1, [1, 0])
    do(state, "draw:E place:0,-1,2")
    assert legal(state) == ["claim:0,meeple", "claim:1,meeple", "bless:0,-1,0", "flag:0,-1", "pass"]
    do(state, "claim:0,meeple")
    assert scored(state) == [
        "0: column 1x1 = 1",
        "1: column 1x1 = 1",
        "1: fee 1x-1 = -1",
        "1: city 2x2 = 4",
    ]
    do(state, "draw:U place:1,0,1 bless:1,0,0 draw:U place:-1,0,1 flag:-1,0")
    assert state.scores == [1 + 2, 1 - 1 + 4]
    assert notes(state).flags == [cell_at(-1, 0)]
    assert notes(state).drawn == ["E", "E", "U", "U"]
    assert (notes(state).ended, notes(state).scored) == (4, 1)


def test_a_deal_and_random_play_perform_the_subclasses_too() -> None:
    """`check` plays whole games and plays them again from their notation: both come to the same."""
    made = Rules([Workshop()], 3, "base+workshop")
    assert check(made, games=2, seed=7, every=20) > 10
    state, deal = made.start(), made.deal(4)
    for _ in range(3):
        state.apply(deal.choose(state))
        while state.current_player >= 0:
            state.apply(state.legal_actions()[-1])
    assert notes(state).drawn == [tile["kind"] for tile in state.to_dict()["tiles"]][1:]
    playout(state, random.Random(1))
    assert len(notes(state).drawn) == 71


@pytest.mark.parametrize("claimed", [True, False])
def test_a_completed_feature_is_an_event_claimed_or_not(claimed: bool) -> None:
    state = do(workshop(), "draw:U place:1,0,1")  # the first turn has no claims
    do(state, f"draw:E place:0,-1,2 {'claim:0,meeple' if claimed else 'pass'}")
    assert notes(state).finished == ["city claimed" if claimed else "city free"]
    assert state.scores == ([0, 1 - 1 + 4] if claimed else [0, 1])


def test_an_extra_turn_leaves_the_agenda_as_long_as_a_turns() -> None:
    state = Rules([Again()], 2, "base+again").start()
    usual = len(base_game("base", 2).agenda)
    assert usual == 5  # draw, place, claim, score, end
    for turn in range(1, 7):
        do(state, f"draw:U place:{turn},0,1 pass")
        assert (state.active_player, len(state.agenda)) == (0, usual)
    do(state, "draw:E place:0,-1,2 pass")
    assert (state.active_player, len(state.agenda)) == (1, usual)


def test_extra_turns_pass_whatever_all_rules_must() -> None:
    assert check(Rules([Again()], 3, "base+again"), games=1, seed=5, every=30) > 4
