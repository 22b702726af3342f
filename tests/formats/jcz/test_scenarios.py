"""Saved games of JCloisterZone written by hand, with points counted by its rules."""

import pytest
from support.saved_games import (
    HILLS,
    INNS,
    commit,
    deploy,
    lay,
    move,
    pointer,
    saved,
    skip,
    text_of,
)

from carc import Rules
from carc.errors import BadRecord
from carc.formats import Imported
from carc.formats.jcz import import_game
from carc.match.record import read_saved_game, replay


def imported(*args: object, **kwargs: object) -> Imported:
    """The game in a file made of these parts."""
    return import_game(text_of(saved(*args, **kwargs)))  # type: ignore[arg-type]


def test_a_city_of_two_tiles_scores_four() -> None:
    game = imported(
        lay("BA/C", 0, -1, 180),
        deploy("0.small.1", 0, -1, "City", "S"),
        commit(),
        lay("BA/RFr", 1, 0),
        skip(),
    )
    assert game.end.scores == [4, 0]
    assert game.match.actions == (
        "draw:E",
        "place:0,-1,2",
        "claim:0,meeple",
        "draw:U",
        "place:1,0,1",  # this tile lies otherwise there
        "pass",
        game.match.actions[-1],
    )
    assert game.match.seats == ("Ann", "Bob")


def test_it_is_a_record_that_was_saved_before_its_end() -> None:
    game = imported(lay("BA/C", 0, -1, 180), skip())
    match, is_finished = read_saved_game(game.to_text(), "record")
    assert not is_finished and match.actions == game.match.actions and match.deal == "given"


def test_a_cathedral_scores_three_for_each_tile_and_coat_of_arms() -> None:
    """Seven tiles with five coats of arms."""
    game = imported(
        lay("IC/Cccc.c", 0, -1),
        deploy("0.small.1", 0, -1, "City", "NWSE"),
        commit(),
        *(lay("BA/Cc+", 1, -1), *skip()),
        *(lay("BA/Cc+", 1, -2, 270), *skip()),
        *(lay("BA/Ccc+", 0, -2, 180), *skip()),
        *(lay("IC/CCc+", -1, -2, 180), *skip()),
        *(lay("BA/CcRr+", -1, -1, 90), *skip()),
        sets=["inns-and-cathedrals:1"],
        elements=INNS,
    )
    assert game.match.rules == "base+inns"
    assert game.end.scores == [3 * (7 + 5), 0]


def test_the_first_number_draws_a_shepherds_token() -> None:
    """Of four, five, five and two tokens with 1 to 4 sheep and two wolves, number 8 has two."""
    game = imported(
        lay("IC/CCCC", 0, -1),
        deploy("0.shepherd.1", 0, -1, "Field", "I"),
        commit(0.6808754389086455),
        sets=["hills-and-sheep:1", "inns-and-cathedrals:1"],
        elements={**INNS, **HILLS},
        number=8.5 / 18,
    )
    assert "token:2" in game.match.actions
    assert game.end.scores == [2, 0]  # the field is closed at once


def test_old_files_do_not_say_of_which_kind_a_place_is() -> None:
    game = imported(
        lay("BA/RFr", 1, 0),
        deploy("0.small.1", 1, 0, "", "WE"),
        move("COMMIT", salt="5354828326799509405"),
        lay("MW/CRRR.3", -1, 0),
        move("MOVE_NEUTRAL_FIGURE", figureId="mage.1", to=pointer(0, 0, "", "WE")),
        *(move("PASS"), move("COMMIT", salt="1")),
        *(lay("BA/RCr", 2, 0), *skip()),
        *(lay("BA/RRRR", 3, 0), *skip()),
        sets=["mage-and-witch:1"],
        elements={"mage": 1, "witch": 1},
        number=None,
    )
    assert game.end.scores == [10, 0]  # five tiles, and one point more for each


def test_a_city_becomes_a_castle_and_scores_nothing_yet() -> None:
    game = imported(
        lay("BA/C", 0, 1, 180),
        deploy("0.small.1", 0, 1, "City", "S"),
        commit(),
        lay("BA/RFr", 1, 0),
        skip(),
        lay("BA/C", 0, 2),
        move("PASS"),
        move("PLACE_TOKEN", token="CASTLE", pointer=pointer(0, 2, "City", "N")),
        commit(),
        sets=["bridges-castles-and-bazaars:1"],
        elements={"castle": 1},
    )
    assert game.match.rules == "base+bridges(bridges=off,bazaars=off)"
    assert "castle:0,2,0" in game.match.actions
    assert game.end.scores == [0, 0]


def test_a_token_may_be_written_with_its_class() -> None:
    game = imported(
        lay("BA/C", 0, -1, 180),
        move("PLACE_TOKEN", token=["com.example.LittleBuilding", "LB_SHED"], pointer=[0, -1]),
        commit(),
        elements={"little-buildings": 1},
        rules={"little-buildings-scoring": "3/2/1"},
    )
    assert game.match.rules == "base+buildings"
    assert "building:shed" in game.match.actions


def test_a_follower_enters_carcassonne_and_joins_a_road() -> None:
    """Ann's road of three tiles, which Bob completes; then Bob's road of two, which Ann does."""
    game = saved(
        *(lay("BA/RFr", 0, 2, 90), deploy("0.small.1", 0, 2, "Road", "NS"), commit()),
        *(lay("BA/RRRR", 0, 3), *skip()),
        deploy("1.small.1", 0, 0, "Quarter", "QUARTER_BLACKSMITH"),
        move("MOVE_NEUTRAL_FIGURE", figureId="count.1", to=pointer(0, 0, "", "QUARTER_MARKET")),
        *(lay("BA/RRR", 1, 3), *skip()),
        *(deploy("1.small.1", 0, 3, "Road", "E"), move("PASS")),
        sets=["count"],
        elements={"count": 1},
        order=["BA/RFr", "BA/RRRR", "BA/RRR"],
    )
    game["setup"]["start"] = [
        {"tile": f"CO/{4 * y + x + 7}", "x": x, "y": y, "rotation": 0}
        for y in (-1, 0, 1)
        for x in range(-2, 2)
    ]
    end = import_game(text_of(game)).end
    assert end.scores == [3, 2]
    assert end.to_dict()["count"] == "market" and end.to_dict()["residents"] == []


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        ([lay("BA/C", 0, -1)], r"move 1 \(PLACE_TILE\): place:0,-1,0 is not legal"),
        ([lay("BA/C", 999999, 0)], r"move 1 .*off the table"),
        ([lay("XX/C", 0, -1)], r"base has no tile 'XX/C'"),
        ([lay("BA/C", 0, -1, 180), deploy("0.small.1", 5, 5, "City", "S")], "no tile at 5,5"),
        (
            [lay("BA/C", 0, -1, 180), deploy("0.small.1", 0, -1, "City", "N")],
            "there is no City N on the tile at 0,-1",
        ),
        ([lay("BA/C", 0, -1, 180), deploy("small", 0, -1, "City", "S")], "'small' is no figure"),
        ([move("JUMP")], r"move 1 \(JUMP\): carc does not know this move"),
    ],
)
def test_a_move_that_cannot_be_is_named(moves: list[dict[str, object]], message: str) -> None:
    with pytest.raises(BadRecord, match=message):
        imported(*moves, order=["BA/C"])


@pytest.mark.parametrize("tile", ["BA/RFr", "HS/CFC.h"])
def test_a_game_that_ends_after_some_tiles_is_scored_at_its_end(tile: str) -> None:
    """The record begins from a position with these tiles in the bag, and can be verified.

    Under a hill one more tile goes unseen.
    """
    who = 0 if tile == "BA/RFr" else 1
    moves = [*(lay("BA/RFr", 1, 0), deploy(f"{who}.small.1", 1, 0, "Road", "WE"), commit())]
    if tile == "BA/RFr":
        moves += [lay(tile, 2, 0), *skip()]
    else:
        hill = next(t for t in (0, 90, 180, 270) if _fits(tile, t))
        moves = [lay(tile, 0, -1, hill), *skip(), *moves]
    game = saved(*moves, sets=["hills-and-sheep:1"], elements=HILLS)
    game["gameAnnotations"]["endTurn"] = 2
    imported_game = import_game(text_of(game))
    assert imported_game.is_finished and imported_game.match.position
    assert imported_game.end.scores[who] == (2 if who else 3)
    match, is_finished = read_saved_game(imported_game.to_text(), "record")
    rules = Rules.from_spec(match.rules, match.players)
    assert is_finished and replay(match, rules).scores == imported_game.end.scores


def _fits(tile: str, degrees: int) -> bool:
    game = saved(lay(tile, 0, -1, degrees), sets=["hills-and-sheep:1"], elements=HILLS)
    try:
        import_game(text_of(game))
    except BadRecord:
        return False
    return True
