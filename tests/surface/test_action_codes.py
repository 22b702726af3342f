"""Actions as codes: small boards by hand, and what must hold on random ones."""

import random
from typing import Any

import numpy as np
import pytest
from support.fuzzed import CLASSICS
from support.notation import do, start
from support.values import in_play

from carc import CHANCE, PASS, Rules, State
from carc.base.cells import xy
from carc.base.expansions.expansion import Expansion
from carc.base.game.rules import COLOURS
from carc.base.turn.actions import OnSegment
from carc.base.turn.choices import Choices, Listed
from carc.errors import CarcError, IllegalAction
from carc.learn.action_codes import ActionCodes
from carc.learn.encoding import Encoding
from carc.learn.observation import action_mask, encoding_for

SPECS = ["base", "base+ghosts+spellcircles", "mists:6+spellcircles"]


EVERYTHING = "+".join(["base", "ghosts", "spellcircles", *CLASSICS])


def test_claims_of_several_kinds_have_codes_of_their_own() -> None:
    state = do(start("base+inns"), "draw:V place:1,0,1")
    of = encoding_for(state.rules)
    codes = of.legal_codes(state)  # before anything is listed
    assert len({*codes}) == len(codes) == state.count_actions() == 7
    listed = {str(action): code for action, code in zip(state.legal_actions(), codes, strict=True)}
    assert listed["claim:0,big"] - listed["claim:0,meeple"] == 1
    assert of.legal_codes(state) == codes


@pytest.mark.parametrize("spec", SPECS)
def test_codes_name_each_legal_action_and_no_other(spec: str) -> None:
    rng = random.Random(7)
    of = encoding_for(Rules.cached(spec, 2))
    for state in in_play(spec, 2, 7):
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
    with pytest.raises(IllegalAction, match="no player is to decide"):
        of.action(state, 3)


def test_a_code_is_a_place_in_the_window_and_a_rotation() -> None:
    state = do(start(), "draw:V")
    of = ActionCodes(state.rules, 5)
    assert xy(of.corner(state)) == (-2, -2)
    code = of.code(state, state.rules.parse("place:1,0,1"))
    assert code == 4 + (2 * 5 + 3) * 4 + 1
    state.apply(of.action(state, code))
    assert xy(of.corner(state)) == (-2, -2)
    state = do(start(), "draw:V place:1,0,1 pass draw:V place:2,0,2 pass")
    assert xy(of.corner(state)) == (-1, -2)


def test_a_choice_of_a_segment_is_a_place_in_the_window_and_an_index() -> None:
    of = encoding_for(Rules.cached("base+ghosts", 2))
    seen = set()
    for state in in_play("base+ghosts", 2, 3):
        left, top = xy(of.corner(state))
        for action in state.legal_actions():
            if str(action).startswith("haunt:"):
                x, y, index = map(int, str(action).removeprefix("haunt:").split(","))
                cell = (y - top) * of.size + x - left
                seen.add(index)
                assert of.code(state, action) == of.at_segment + cell * of.most_segments + index
    assert len(seen) > 1


def test_what_lies_outside_the_window_has_one_of_the_last_codes() -> None:
    state = do(start(), "draw:V")
    of = ActionCodes(state.rules, 1)
    codes = of.legal_codes(state)
    assert codes == list(range(of.at_other, of.at_other + len(codes)))
    assert [of.action(state, code) for code in codes] == state.legal_actions()
    assert Encoding(state.rules, 1).board(state, 0) is not None


@pytest.mark.parametrize(
    ("code", "says"),
    [
        (-1, "code -1"),
        (3, r"code 3; legal codes are \[\d+, "),
        (10**30, "code 1000000000000000000000000000000"),
        (2.5, r"a code is a whole number, not 2\.5"),
    ],
)
def test_what_is_no_code_of_a_legal_action_is_refused(code: Any, says: str) -> None:
    state = do(start(), "draw:V")
    with pytest.raises(CarcError, match=says):
        encoding_for(state.rules).action(state, code)


def test_a_window_is_of_some_size_and_codes_are_of_legal_actions() -> None:
    state = do(start(), "draw:V")
    with pytest.raises(CarcError, match="not -3"):
        ActionCodes(state.rules, -3)
    with pytest.raises(IllegalAction, match="place:9,9,0 is not legal"):
        encoding_for(state.rules).code(state, state.rules.parse("place:9,9,0"))


@pytest.mark.parametrize(
    ("spec", "players"),
    [*((f"base+{name}", 3) for name in CLASSICS), (EVERYTHING, 2), ("mists:6+king", 4)],
)
def test_no_legal_action_is_without_a_code(spec: str, players: int) -> None:
    """The dragon's portals, the fairy and the mage offer up to some two hundred places at once."""
    of = ActionCodes(Rules.cached(spec, players))
    for seed in range(3):
        for state in in_play(spec, players, seed):
            if state.current_player != CHANCE:
                codes = of.legal_codes(state)
                assert len({*codes}) == len(codes) == state.count_actions()
                assert 0 <= min(codes) <= max(codes) < of.num_actions


def test_choices_of_one_segment_are_told_apart_by_their_layer() -> None:
    state = next(state for state in in_play("base+mage", 2, 1) if state.step.name == "mage")
    of = encoding_for(state.rules)
    codes = {str(one): of.code(state, one) for one in state.legal_actions()}
    for text, code in codes.items():
        if text.startswith("mage:"):
            assert codes[text.replace("mage:", "witch:")] == code + 1 < of.at_cell


def test_choices_of_figures_are_told_apart_by_kind_and_owner() -> None:
    """Of one's own by kind: portal (DRG-04), fairy (DRG-05).

    The princess's (DRG-03) may be anybody's.
    """
    rules = Rules.cached("base+dragon+inns", 2)
    of = encoding_for(rules)
    kinds = [kind.name for kind in rules.follower_kinds]
    met = set()
    for seed in range(14, 18):
        for state in in_play(rules.spec, 2, seed):
            left, top = xy(of.corner(state))
            for action in state.legal_actions():
                verb, _, where = str(action).partition(":")
                if verb in ("portal", "fairy", "princess"):
                    x, y, index, kind, *colour = where.split(",")
                    cell = (int(y) - top) * of.size + int(x) - left
                    layer = kinds.index(kind) + len(kinds) * (colour == [COLOURS[1]])
                    code = of.code(state, action)
                    if code < of.at_other:  # not taken by another verb's
                        at = cell * of.most_segments + int(index)
                        assert code == of.at_segment + 4 * at + layer
                        met.add((verb, layer))
    assert {("portal", 0), ("portal", 1), ("fairy", 0), ("princess", 2), ("princess", 3)} <= met


class Forgetful(Expansion):
    """Offers two choices of a segment and does not say that there are `layers`."""

    def claims(self, state: State, player: int) -> Choices:
        cell = state.board.cell_of(state.board.last_tile)
        return Listed([OnSegment("look", cell, 0), OnSegment("peek", cell, 0, layer=1)])


def test_a_layer_that_was_not_announced_has_no_code_of_its_own() -> None:
    rules = Rules([*Rules.cached("base", 2).expansions, Forgetful()], 2, "base+forgetful")
    state = do(rules.start(), "draw:V place:1,0,1")
    of = ActionCodes(rules)
    *_, look, peek, _ = of.legal_codes(state)
    assert of.at_segment <= look < of.at_cell
    assert peek == of.at_other
