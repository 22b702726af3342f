"""Positions as texts and data: everything that counts is written, and what is none is refused."""

import gc
import json
import pickle
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from support.notation import do, start
from support.values import positions, reached

from carc import CHANCE, Rules, State
from carc.base.cells import cell_at
from carc.base.position.position import Position
from carc.base.turn.scoring import add_points
from carc.errors import BadPosition, CarcError

START = (
    "base 2 1-6d5ec840 D:0,0,0 - 7/7 0/0 "
    "A*2/B*4/C*1/D*3/E*5/F*2/G*1/H*3/I*2/J*3/K*3/L*3/M*2/N*3/O*2/P*3/Q*1/R*3"
    "/S*2/T*1/U*8/V*9/W*4/X*1 0 - - 0/end@0/score@0/claim@0/place@0/draw@-1 - - - -"
)


def test_the_text_of_the_start_and_what_repr_gives() -> None:
    state = Rules.from_spec("base").start()
    assert state.to_text() == START
    assert repr(state) == f"State.from_text({START!r})"
    assert eval(repr(state), {"State": State}) == state


def test_the_tile_laid_last_has_the_highest_number_whatever_the_order() -> None:
    """As in play: an expansion may count on it."""
    state = do(start("base+dragon"), "draw:V place:1,0,1 draw:N place:0,-1,2")
    assert state.board.last_tile == state.board.tile_count - 1
    again = State.from_text(state.to_text())
    assert (again.board.last_tile, again.board.cell_of(again.board.last_tile)) == (
        state.board.last_tile,
        state.board.cell_of(state.board.last_tile),
    )


CHANGES: dict[str, Callable[[State], object]] = {
    "a city was completed": lambda state: state.board.completed[0],
    "tiles out of the game": lambda state: (state._draw(3), state._discard()),
    "a tile face down": lambda state: state.lay_face_down(cell_at(0, 1)),
    "tiles set aside": lambda state: (state.set_aside(), state.set_aside()),
    "a feature kept open": lambda state: state.board.keep_open(state.board.segment_at(0, 0, 1)),
    "a way opened": lambda state: state.board.open_edge(state.board.segment_at(0, 0, 1)),
    "a way closed": lambda state: state.board.close_edge(state.board.segment_at(0, 0, 1)),
    "fields connected": lambda state: state.board.connect(2, 5),
    "what mist met": lambda state: setattr(state.board, "_overlays_met", 1),
    "scores": lambda state: add_points(state, 1, 7),
    "a supply": lambda state: state.board.add_supply(1, 0, 2),
    "whose turn it is": lambda state: setattr(state, "active_player", 1),
    "what waits": lambda state: state.schedule(state.rules.turn[2], 1, state.rules.turn[-1]),
}


@pytest.mark.parametrize("what", CHANGES)
def test_everything_that_counts_is_written_and_read(what: str) -> None:
    state = reached()
    for text in ("draw:E", "place:0,-1,2"):
        state.apply(state.rules.parse(text))
    CHANGES[what](state)
    data = json.loads(json.dumps(state.to_dict()))
    for again in (
        State.from_dict(data),
        State.from_text(state.to_text()),
        pickle.loads(pickle.dumps(state)),
    ):
        assert within(again) == within(state)


def within(state: State) -> list[Any]:
    """What a position is made of, by places: of each feature its edges too."""

    def places(features: Iterable[int]) -> list[list[tuple[int, int, int]]]:
        return [sorted(state.board.place_of(s) for s in state.board.members(f)) for f in features]

    edges = sorted(
        (members, state.board.open_edges(f))
        for f in state.board.all_features()
        for members in places([f])
    )
    return [
        [
            state.active_player,
            state.current_player,
            state.tiles_left,
            state._dealt,
            state.tile_in_hand,
            state.board._overlays_met,
        ],
        [
            state.scores,
            state.bag,
            state.discarded,
            state.board.face_down_cells(),
            list(state.board._supply),
        ],
        [(step.name, player) for step, player in state.agenda],
        [(state.board.place_of(s), owner, kind) for s, owner, kind in state.board.all_followers()],
        places(state.board.completed),
        places(state.board._never_complete),
        [
            (way, state.board.place_of(a), state.board.place_of(b))
            for way, a, b in state.board._edge_overrides
        ],
        edges,
    ]


@pytest.mark.parametrize(
    ("field", "told", "says"),
    [
        (0, "chess", "unknown rules 'chess'"),
        (1, "x", "players 'x' cannot be read; it is written as a number"),
        (1, "9", "is for 1 to 5 players"),
        (2, "1-ffff", "of base for 2 players, rules version 1-ffff; these are base for 2"),
        (3, "Y:0,0,0", "names no tile"),
        (3, "D:0,0,0/D:0,0,1", "two tiles lie at 0,0"),
        (3, "D:0,0,0/E:0,-1,1", "does not fit"),
        (3, "D:0,0,4", "turned by 4"),
        (3, "D:0,0", "the position's tiles"),
        (3, "C:0,0,0/C:0,1,0", "the position has 73 tiles; there are 72"),
        (3, "D:400,0,0", "off the table"),
        (4, "0,0,9=0.meeple", "no segment 0,0,9"),
        (4, "0,0,0=0.duke", "the position's followers"),
        (4, "0,0,0=7.meeple", "nobody has"),
        (5, "7", "1 supplies"),
        (5, "7/-1", "no count"),
        (6, "0", "1 scores"),
        (6, "x/0", "the position's scores"),
        (7, "A*99", "the position has 100 tiles"),
        (7, "A*-1", "no count"),
        (8, "-3", "no count"),
        (9, "A/A/A", "the position has 75 tiles"),
        (10, "nothing", "'nothing' names no tile; tiles are A B C"),
        (11, "0/lunch@0", "'lunch' names no step; steps are draw place claim"),
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
        (3, "D:0", "tiles 'D:0' cannot be read; it is written KIND:X,Y,R"),
        (4, "0,0=x", "followers '0,0=x' cannot be read; it is written X,Y,SEGMENT=OWNER.KIND"),
        (7, "A", r"bag 'A' cannot be read; it is written KIND\*COPIES"),
        (8, "1000000", "1000000 tiles are unseen; as the bag holds 71"),
        (8, "x", "unseen 'x' cannot be read; it is written as a number"),
        (11, "0", "no step waits, as if the game were over, but tiles may be drawn"),
        (11, "0/draw", "turn '0/draw' cannot be read; it is written PLAYER, then STEP@PLAYER"),
        (15, "[", r"slices '\[' cannot be read; it is written as a JSON list"),
    ],
)
def test_what_is_no_position_is_refused_in_a_sentence(field: int, told: str, says: str) -> None:
    fields = START.split()
    fields[field] = told
    with pytest.raises(CarcError, match=says) as refused:
        State.from_text(" ".join(fields))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("spec", "players"), [("base", 3), ("base+ghosts", 2)])
def test_a_position_of_other_rules_is_refused_in_a_sentence(spec: str, players: int) -> None:
    rules, start = Rules.cached(spec, players), Rules.cached("base", 2).start()
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


@pytest.mark.parametrize("spec", ["base+ghosts", "base+dragon+inns", "mists:5"])
def test_a_position_read_from_a_text_is_written_as_it_was(spec: str) -> None:
    for state in positions(Rules.cached(spec, 2), 3, every=9):
        text = state.to_text()
        assert Position.parse(text).to_text() == text


def test_a_text_with_too_few_fields_is_refused() -> None:
    with pytest.raises(BadPosition, match=r"16 fields .* not 3"):
        State.from_text("base 2 x")


def test_chance_and_the_end_are_positions_too() -> None:
    state = Rules.from_spec("base").start()
    assert state.current_player == CHANCE
    ended = positions(state.rules, 4)[-1]
    again = State.from_text(ended.to_text())
    assert again.is_terminal
    assert again.winners == ended.winners
    assert again.legal_actions() == []


@pytest.mark.parametrize("collecting", [True, False])
def test_to_dict_leaves_the_collector_of_garbage_as_it_was(collecting: bool) -> None:
    """It rests meanwhile, also where a part is asked for that there is not."""
    state = Rules.from_spec("base").start()
    was = gc.isenabled()
    try:
        (gc.enable if collecting else gc.disable)()
        state.to_dict()
        assert gc.isenabled() == collecting
        with pytest.raises(KeyError):
            state.to_dict("nothing")
        assert gc.isenabled() == collecting
    finally:
        (gc.enable if was else gc.disable)()
