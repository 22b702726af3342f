"""What a player sees of a position in which others hold something, and how it is sampled."""

import itertools
import random
from collections import Counter

import pytest
from support.hands import Held
from support.hidden_hands import (
    decisions,
    held,
    late,
)

from carc import CHANCE, Rules, State
from carc.base.game.chance import Lot
from carc.base.game.playout import playout
from carc.base.position.state_fields import UNKNOWN
from carc.errors import BadPosition


def test_a_player_sees_the_own_hand_and_of_others_only_how_many_they_hold() -> None:
    state = late()
    own, theirs = held(state)
    seen = state.view(0)
    assert held(seen) == [own, [UNKNOWN, UNKNOWN]]
    assert seen.bag == [n + theirs.count(kind) for kind, n in enumerate(state.bag)]
    assert seen.tiles_left == state.tiles_left == sum(seen.bag) - 2
    assert seen.legal_actions() == state.legal_actions()
    assert held(state.view(1)) == [[UNKNOWN, UNKNOWN], theirs]
    assert held(state.view(CHANCE)) == [[UNKNOWN] * 2] * 2
    assert held(state) == [own, theirs]
    assert Rules.from_spec("base").start().view(0) == Rules.from_spec("base").start()


def test_once_the_game_is_over_all_is_seen() -> None:
    state = late()
    state.end()
    state._advance()
    assert state.is_terminal and UNKNOWN not in held(state)[1]
    assert state.view(0) == state == state.view(CHANCE)


def test_who_does_not_see_what_was_chosen_sees_a_choice_still_to_be_made() -> None:
    state = late()
    choice = state.legal_actions()[0]
    state.apply(choice)
    assert state.step.name == "place"
    assert state.view(0).tile_in_hand == state.tile_in_hand >= 0
    seen = state.view(1)
    assert (seen.tile_in_hand, held(seen)[0]) == (-1, [UNKNOWN, UNKNOWN])
    assert [step.name for step, _ in seen.agenda][-3:] == ["draw", "choose", "draw"]
    assert isinstance(choice, Held)
    assert [choice.seen_by(player) for player in (0, 1, CHANCE)] == [
        choice.text, "choose:0,?", "choose:0,?",
    ]  # fmt: skip


def test_a_view_is_a_position_that_is_written_and_read() -> None:
    for state in decisions(every=9):
        for player in (CHANCE, 0, 1):
            seen = state.view(player)
            again = State.from_text(seen.to_text(), state.rules)
            assert again == seen == State.from_dict(seen.to_dict(), state.rules)
            playout(again, random.Random(1))


@pytest.mark.parametrize(
    ("field", "old", "new", "sentence"),
    [
        (8, "2", "1", "1 tiles are unseen, fewer than lie face down or in"),
        (15, "[-1,-1]", "[99,-1]", r"should be a number, -1 to 23 \(hidden tile\)"),
    ],
)
def test_hands_that_cannot_be_are_refused(field: int, old: str, new: str, sentence: str) -> None:
    seen = late().view(0)
    fields = seen.to_text().split()
    fields[field] = fields[field].replace(old, new)
    with pytest.raises(BadPosition, match=sentence):
        State.from_text(" ".join(fields), seen.rules)


# -- how it is sampled -----------------------------------------------------------------------------


def test_chance_deals_what_is_not_known_uniformly_when_its_holder_comes_to_act() -> None:
    """All that the player does not see is equally likely, without replacement."""
    state = late()
    seen = state.view(0)
    while seen.current_player == 0:
        seen.apply(seen.legal_actions()[0])
    while len(held(seen)[0]) < 2:  # the own draw comes first
        seen.apply(seen.chance_outcomes()[0][0])
    for hidden in (2, 1):
        assert held(seen)[1].count(UNKNOWN) == hidden
        unseen = sum(seen.bag)
        assert {str(action): chance for action, chance in seen.chance_outcomes()} == {
            f"draw:{name}": pytest.approx(n / unseen)
            for name, n in zip(state.rules.tile_names, seen.bag, strict=True)
            if n
        }
        before = seen.tiles_left
        seen.apply(seen.chance_outcomes()[-1][0])
        assert (sum(seen.bag), seen.tiles_left) == (unseen - 1, before)
    assert UNKNOWN not in held(seen)[1]
    assert seen.current_player in (1, CHANCE)


def test_what_is_in_a_hand_after_all_is_not_drawn() -> None:
    """`Lot` keeps the tiles of the bag from draw to draw."""
    seen = late().view(0)
    draw, lot = seen.rules._draw_step, Lot(seen.rules)
    for known in (False, True):
        seen.push(draw, CHANCE)
        seen._advance()
        if known:
            last = max(kind for kind, n in enumerate(seen.bag) if n)
            held(seen)[1] = [last] * 2
            while seen._hidden:
                seen._recognise(last)
            assert seen.bag[last] == 0
        seen.apply(lot.choose(seen, 0.0 if not known else 0.999))
        seen.change_tile_in_hand(-1)
    assert min(seen.bag) >= 0


def test_playouts_draw_no_tile_twice() -> None:
    rng = random.Random(2)
    for state in decisions(every=11):
        seen = state.view(0)
        playout(seen, rng)
        assert min(seen.bag) >= 0
        laid = Counter(seen.board.kind_of_tile(tile) for tile in range(seen.board.tile_count))
        drawn = laid + Counter(seen.discarded) + Counter(itertools.chain(*held(seen)))
        drawn[state.board.kind_of_tile(0)] -= 1  # the start tile is in no bag
        copies = state.rules.catalogue.copies
        assert [drawn[kind] + n for kind, n in enumerate(seen.bag)] == list(copies)
