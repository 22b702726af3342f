"""Where wagons may go in JCloisterZone and not here, or the other way round."""

import pytest
from formats.jcz.test_asked import asked
from support.notation import begin, do, lay, legal, put

from carc.errors import BadRules
from carc.formats.jcz.asking import Asking


def test_a_wagon_is_sent_to_a_tile_beside_the_feature_that_was_scored() -> None:
    """By the older rule we let it go to any tile of the road that begins at the village."""
    state = lay(begin("base+abbey(wagon=touching)", 2), "W -1,0,0", "U -1,1,0", "V -1,2,1")
    do(put(state, 0, (0, 0, 1), kind="wagon"), "draw:A place:1,0,1 pass")
    assert asked(state, "wagon:-1,0,2,wagon") and asked(state, "pass")
    with pytest.raises(BadRules, match="to a tile beside the feature that was scored only"):
        asked(state, "wagon:-1,2,0,wagon")


def test_no_wagon_is_sent_to_a_monastery_with_tiles_all_around() -> None:
    """Here it is free for a wagon that lies down there."""
    around = ("B -1,1,0", "B 1,1,0", "B -1,2,0", "B 0,2,0", "B 1,2,0", "W -1,0,2")
    state = lay(begin("base+abbey+monasteries", 2), "MO05 0,1,0", *around)
    do(put(state, 0, (0, 0, 1), kind="wagon"), "draw:W place:1,0,2 pass")
    assert "wagon:0,1,1,wagon" in legal(state) and asked(state, "wagon:-1,1,0,wagon")
    with pytest.raises(BadRules, match="sends no wagon to a monastery with tiles all around"):
        asked(state, "wagon:0,1,1,wagon")


def test_two_wagons_of_a_player_are_refused() -> None:
    state = lay(begin("base+abbey(wagon_count=2)", 2), "W -1,0,2")
    do(put(state, 0, (0, 0, 1), (-1, 0, 2), kind="wagon"), "draw:W place:1,0,2 pass")
    assert state.step.name == "wagon"
    with pytest.raises(BadRules, match="in the order in which they were placed"):
        asked(state, "pass")


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
