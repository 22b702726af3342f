"""Where wagons may go in JCloisterZone and not here, or the other way round."""

import pytest
from formats.jcz.test_asked import asked, kinds, played, written
from support.notation import begin, do, kept, lay, legal, put

from carc.base.turn.scoring import Scored
from carc.errors import BadRules
from carc.formats.jcz.asking import Asking
from carc.formats.jcz.wagons import AskedWagons


def test_a_wagon_is_sent_to_a_tile_beside_the_feature_that_was_scored() -> None:
    """By the older rule we let it go to any tile of the road that begins at the village."""
    state = lay(begin("base+abbey(wagon=touching)", 2), "W -1,0,0", "U -1,1,0", "V -1,2,1")
    do(put(state, 0, (0, 0, 1), kind="wagon"), "draw:A place:1,0,1 pass")
    assert asked(state, "wagon:-1,0,2,wagon") and asked(state, "pass")
    with pytest.raises(BadRules, match="to a tile beside the feature that was scored only"):
        asked(state, "wagon:-1,2,0,wagon")


@pytest.mark.parametrize("rule", ["touching", "near"])
def test_by_the_older_rule_no_wagon_is_sent_on_from_an_abbey_there(rule: str) -> None:
    """Here it goes where it goes to: to what ends at the abbey."""
    state = lay(begin(f"base+abbey(wagon={rule})", 2), "AM-abbey 1,0,0", "D 2,0,0", "G 1,1,0")
    lay(state, "B 2,1,0", "B 0,1,0", "B 0,-1,0", "B 2,-1,0")
    do(put(state, 0, (1, 0, 0), kind="wagon"), "draw:B place:1,-1,0 pass")
    assert state.step.name == "wagon" and asked(state, "pass") is (rule == "near")
    if rule == "touching":
        with pytest.raises(BadRules, match="sends no wagon on from an abbey"):
            asked(state, legal(state)[0])


def test_no_wagon_is_sent_to_a_monastery_with_tiles_all_around() -> None:
    """Here it is free for a wagon that lies down there."""
    around = ("B -1,1,0", "B 1,1,0", "B -1,2,0", "B 0,2,0", "B 1,2,0", "W -1,0,2")
    state = lay(begin("base+abbey+monasteries", 2), "MO05 0,1,0", *around)
    do(put(state, 0, (0, 0, 1), kind="wagon"), "draw:W place:1,0,2 pass")
    assert "wagon:0,1,1,wagon" in legal(state) and asked(state, "wagon:-1,1,0,wagon")
    with pytest.raises(BadRules, match="sends no wagon to a monastery with tiles all around"):
        asked(state, "wagon:0,1,1,wagon")


@pytest.mark.parametrize(
    ("tile", "figure", "loser", "lost"),
    [
        ("B", "wagon", 1, [1]),
        ("B", "wagon", 0, []),
        ("B", "meeple", 1, []),
        ("U", "wagon", 1, []),  # it came home from a road
    ],
)
def test_a_player_is_asked_for_a_wagon_that_lost_to_a_shrine_there(
    tile: str, figure: str, loser: int, lost: list[int]
) -> None:
    state = put(lay(begin("base+abbey+cult", 2), f"{tile} 5,5,0"), 1, (5, 5, 0), kind=figure)
    wagons = AskedWagons(state.rules)
    challenge = [Scored(loser, 0, "challenge 0 = 0")]
    for _ in range(2):
        wagons.follow(state, challenge)
        assert wagons.lost == [], "nobody went home"
    segment = state.board.segment_at(5, 5, 0)
    state.take_follower(segment, 1, state.rules.follower_number(figure))
    wagons.follow(state, challenge)
    assert wagons.asks_losers(state, 0, -1) == lost
    assert wagons.asks_losers(state, 0, -1) == [], "once"


def test_a_wagon_alone_is_offered_a_hut_there() -> None:
    """Here no wagon is put into one; the player has no other figure."""
    state = lay(begin("base(fields=off)+abbey(barn_count=0,mayor_count=0)+russian", 2), "B 5,5,0")
    put(state, 0, *[(5, 5, 0)] * 7)
    texts = "draw:RP01 place:0,1,0"
    assert Asking(do(state, texts).rules).asks_more(state, "place:0,1,0", 0)
    assert state.step.name != "claim" and not Asking(state.rules).asks_more(state, "pass", 0)
    put(state, 0, (5, 5, 0), kind="wagon")
    assert not Asking(state.rules).asks_more(state, "place:0,1,0", 0)


def test_no_wagon_moves_on_from_a_castle_there() -> None:
    """The castle scores what the road beside it does."""
    state = put(begin("base+abbey+bridges", 2), 0, (0, 0, 0), kind="wagon")
    do(state, "draw:E place:0,-1,2 pass castle:0,-1,0 draw:W place:-1,0,0")
    lay(state, "U 1,0,1", "B 0,1,0")
    put(state, 1, (1, 0, 0))
    do(state, "pass draw:W place:2,0,2 pass")
    assert state.step.name == "wagon" and not asked(state, "pass")
    with pytest.raises(BadRules, match="lets no wagon move on from a castle"):
        asked(state, legal(state)[0])


@pytest.mark.parametrize("somebody", [True, False])
def test_no_wagon_moves_on_to_a_labyrinth_with_somebody_on_its_road_there(somebody: bool) -> None:
    state = put(lay(begin("base+abbey+labyrinth", 2), "LA01 1,0,0"), 0, (0, 0, 0), kind="wagon")
    if somebody:
        put(state, 1, (0, 0, 1))
    do(state, "draw:E place:0,-1,2 pass")
    assert "wagon:1,0,0,wagon" in legal(state)
    assert asked(state, "pass") is not somebody
    if not somebody:
        assert asked(state, "wagon:1,0,0,wagon")
        return
    with pytest.raises(BadRules, match="no wagon to a labyrinth on whose road somebody is"):
        asked(state, "wagon:1,0,0,wagon")


# Red has a wagon on the road west of the crossing at 2,0, and one on that to the south.
WEST_FIRST = (
    "draw:U place:1,0,1 claim:0,wagon draw:B place:1,1,0 pass draw:U place:2,1,0 claim:0,wagon"
    " draw:W place:2,2,1 pass draw:W place:-1,0,0 pass draw:X place:2,0,0 pass "
)
SOUTH_FIRST = (
    "draw:B place:0,1,0 pass draw:B place:1,1,0 pass draw:U place:2,1,0 claim:0,wagon"
    " draw:W place:2,2,1 pass draw:U place:1,0,1 claim:0,wagon{} draw:W place:-1,0,0 pass"
    " draw:X place:2,0,0 pass "
)
TWO = "base(fields=off)+abbey(wagon_count=2)"


@pytest.mark.parametrize(
    ("texts", "moves"),
    [
        (WEST_FIRST + "wagon:0,0,0,wagon wagon:1,1,0,wagon", ["1:0,0", "2:1,1", "COMMIT"]),
        (WEST_FIRST + "pass wagon:1,1,0,wagon", ["PASS", "1:1,1", "COMMIT"]),
        (WEST_FIRST + "wagon:1,1,0,wagon pass", ["1:1,1", "PASS"]),
        (
            SOUTH_FIRST.format("") + "wagon:2,2,0,wagon wagon:0,0,0,wagon",
            ["1:2,2", "2:0,0", "COMMIT"],
        ),
        (SOUTH_FIRST.format("") + "pass pass", ["PASS", "PASS"]),
    ],
)
def test_two_wagons_of_a_player_move_on_as_they_were_placed_and_are_confirmed_once(
    texts: str, moves: list[str]
) -> None:
    """Their engine takes each of these files."""
    found = written(played(TWO, texts + " draw:V"))
    told = []
    for one in found[-len(moves) :]:
        told.append(one["type"])
        if one["type"] == "DEPLOY_MEEPLE":
            x, y = one["payload"]["pointer"]["position"]
            told[-1] = f"{one['payload']['meepleId'][-1]}:{x},{y}"
    assert told == moves and found[-len(moves) - 1]["type"] == "COMMIT"


def test_a_trap_catches_a_wagon_there_after_the_players_other_one_has_moved_on() -> None:
    texts = SOUTH_FIRST.format(" draw:RQ01 place:3,1,1 pass")
    with pytest.raises(BadRules, match="no trap catch a wagon before the player's other one"):
        written(played(f"{TWO}+russian", texts + "wagon:3,1,1,wagon pass draw:V"))


def test_the_wagons_of_two_players_move_on_to_one_road_where_a_trap_is() -> None:
    """The first one is caught, and the road is free again: their engine takes the file."""
    texts = SOUTH_FIRST.format(" draw:RQ01 place:3,1,1 pass")
    texts = texts.replace("1,0,1 claim:0,wagon", "1,0,1 pass").removesuffix("pass ")
    texts += "claim:3,wagon wagon:3,1,1,wagon wagon:3,1,1,wagon draw:V"
    moves = written(played("base(fields=off)+abbey+russian", texts))
    assert kinds(moves)[-5:] == ["COMMIT", *["DEPLOY_MEEPLE", "COMMIT"] * 2]


# Green's shrine at 0,2 is completed beside red's wagon at 0,1.
LOST = (
    "draw:B place:0,1,0 claim:0,wagon draw:CU01 place:0,2,0 claim:0,meeple draw:E place:-1,1,0 pass"
    " draw:E place:1,1,0 pass draw:E place:-1,2,3 pass draw:E place:1,2,1 pass draw:E place:0,3,2"
    " pass draw:V place:-1,3,0 pass draw:V place:1,3,3 pass draw:U"
)


def test_a_player_declines_to_move_a_wagon_on_that_lost_to_a_shrine() -> None:
    """Their engine takes the file."""
    moves = written(played("base+abbey+cult", LOST))
    assert kinds(moves)[-2:] == ["COMMIT", "PASS"] and moves[-1]["player"] == 0


def test_a_wagon_that_lost_and_has_no_way_is_not_asked_about_later() -> None:
    """By the older rule nothing touches the monastery."""
    texts = LOST.replace("place:-1,1,0", "place:-1,1,3").replace("place:1,1,0", "place:1,1,1")
    texts += (
        " place:1,0,1 pass draw:U place:-1,0,1 claim:0,wagon draw:W place:2,0,1 pass"
        " draw:W place:-2,0,3 claim:0,meeple pass draw:V"
    )
    moves = written(played("base(fields=off)+abbey(wagon=touching)+cult", texts))
    assert kinds(moves)[-4:] == ["PLACE_TILE", "DEPLOY_MEEPLE", "COMMIT", "PASS"]


def test_a_wagon_that_lost_has_no_way_where_no_figure_may_go() -> None:
    """The monastery is on the dragon's tile, and nothing else is near."""
    state = lay(begin("base+abbey+cult+dragon", 2), "B 5,5,0")
    segment = state.board.segment_at(5, 5, 0)
    for dragon, asks in ((-1, True), (state.board.cell_under(segment), False)):
        kept(state, "dragon").dragon = dragon
        wagons = AskedWagons(state.rules)
        wagons.lost.append((1, segment))
        assert wagons.asks_loser(state, 1) is asks


def test_a_wagon_that_was_scored_beside_a_challenge_has_not_lost() -> None:
    ring = [f"B {x},{y},0" for x in (4, 5, 6) for y in (4, 5, 6)]
    state = put(lay(begin("base+abbey+cult", 2), *ring), 1, (5, 5, 0), kind="wagon")
    wagons = AskedWagons(state.rules)
    wagons.follow(state, [])
    state.take_follower(state.board.segment_at(5, 5, 0))
    wagons.follow(state, [Scored(1, 9, "monastery 9x1 = 9"), Scored(1, 0, "challenge 0 = 0")])
    assert wagons.lost == []


@pytest.mark.parametrize(("tile", "asks"), [("A 5,5,0", True), ("B 5,5,0", False)])
def test_by_the_older_rule_a_wagon_that_lost_may_go_on_to_what_touches_it(
    tile: str, asks: bool
) -> None:
    """A road leads to the one monastery."""
    state = lay(begin("base+abbey(wagon=touching)+cult", 2), tile)
    wagons = AskedWagons(state.rules)
    monastery = next(
        segment
        for segment in state.board.segments_of(state.board.tile_at(5, 5))
        if state.board.kind_of(segment) == "monastery"
    )
    wagons.lost.append((1, monastery))
    assert wagons.asks_loser(state, 1) is asks


@pytest.mark.parametrize(("lost", "asked"), [(0, [0]), (1, [])])
def test_of_two_wagons_one_of_which_lost_the_one_placed_first_is_asked_about_first(
    lost: int, asked: list[int]
) -> None:
    state = do(begin(TWO, 2), WEST_FIRST)
    wagons, own = AskedWagons(state.rules), kept(state, "abbey")
    wagons.lost.append((0, own.left[lost]))
    own.left[lost] = -1
    assert wagons.asks_losers(state, 1, 0) == asked
    assert wagons.is_last(state, 0) is (lost == 0)
    assert wagons.asks_losers(state, 1, -1) == []
    state = do(begin(TWO, 2), WEST_FIRST + "pass pass draw:V")
    assert wagons.asks_losers(state, 1, -1) == ([] if asked else [0])


def test_losers_are_asked_in_the_order_of_turns_before_and_after_others() -> None:
    state = lay(begin("base+abbey+cult", 3), "B 5,5,0", "B 8,5,0")
    wagons = AskedWagons(state.rules)
    for owner, x in ((0, 5), (2, 8)):
        wagons.lost.append((owner, state.board.segment_at(x, 5, 0)))
    assert wagons.asks_losers(state, 1, 1) == []
    assert wagons.asks_losers(state, 1, 2) == [2]
    assert wagons.asks_losers(state, 1, -1) == [0]
