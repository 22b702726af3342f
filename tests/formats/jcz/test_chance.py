"""How JCloisterZone draws: its numbers and the order of its tiles."""

import pytest
from support.saved_games import HILLS, commit, deploy, lay, saved, text_of

from carc import Rules
from carc.errors import BadRecord
from carc.formats.jcz import import_game
from carc.formats.jcz.chance import RandomNumbers, fitting_number, tiles_in_order
from carc.formats.jcz.tiles import TileNames


def test_the_next_number_follows_from_the_bits_of_the_last() -> None:
    """Of 1/3 the last 48 bits are 0101...: m/3 with m = 2^48 - 1. Times 3k+1, plus 11, modulo 2^48:
    m/3 - k + 11, with k = (25214903917 - 1) / 3.
    """
    numbers = RandomNumbers(1 / 3)
    assert numbers.below(10) == 3
    k = (25214903917 - 1) // 3
    assert numbers.number == ((2**48 - 1) // 3 - k + 11) / 2**48


@pytest.mark.parametrize("number", [0.0, 0.5, 0.75])
def test_a_number_without_low_bits_is_followed_by_eleven(number: float) -> None:
    numbers = RandomNumbers(number)
    assert numbers.below(4) == int(number * 4)
    assert numbers.number == 11 / 2**48


def test_a_number_is_found_for_what_was_drawn() -> None:
    draws = [(18, 17), (16, 0), (3, 2)]
    numbers = RandomNumbers(fitting_number(draws))
    assert [numbers.below(limit) for limit, _ in draws] == [17, 0, 2]


def test_the_tiles_lie_by_their_names_there() -> None:
    """The base game's by the code of their letters: + comes before . and before letters."""
    state = Rules.from_spec("base").start()
    names = TileNames(state.rules)
    theirs = [names.theirs(tile) for tile in tiles_in_order(state, names)]
    assert len(theirs) == 71
    assert theirs[:5] == ["BA/C"] * 5
    assert theirs[5:8] == ["BA/CC.2"] * 2 + ["BA/CFC.2"]
    assert theirs[-4:] == ["BA/Rr", "BA/RrC", "BA/RrC", "BA/RrC"]


def test_the_river_comes_first_and_dragons_wait_for_a_volcano() -> None:
    state = Rules.from_spec("base+dragon+river(part=two)").start()
    names = TileNames(state.rules)
    assert [names.theirs(tile) for tile in tiles_in_order(state, names)] == ["RI.2/III"]
    state = Rules.from_spec("base+dragon").start()
    tiles = state.rules.catalogue
    drawn = {
        tiles.tiles[tiles.index[name]] for name in tiles_in_order(state, TileNames(state.rules))
    }
    assert not any(tile.symbol("dragon") is not None for tile in drawn)
    assert len(tiles_in_order(state, TileNames(state.rules))) == 71 + 30 - 12


def test_tiles_are_drawn_by_numbers() -> None:
    """Number 4 of 71 is a tile with one city; the last of the 70 left a curve
    beside a city."""
    game = saved(lay("BA/C", 0, -1, 180), commit(0.999), number=4.5 / 71, order=[])
    assert import_game(text_of(game)).match.actions == ("draw:E", "place:0,-1,2", "pass", "draw:K")


def test_a_number_that_draws_another_tile_than_was_laid_is_not_trusted() -> None:
    """Number 0 is a tile with one city, which would fit, so it was not put away."""
    game = saved(lay("BA/RFr", 1, 0), commit(), number=0.0, order=[])
    assert import_game(text_of(game)).match.actions == ("draw:U", "place:1,0,1", "pass")


def test_what_chance_did_must_be_known() -> None:
    game = saved(
        lay("BA/RFr", 1, 0),
        deploy("0.shepherd.1", 1, 0, "Field", "NL.NR.EL.WR"),
        sets=["hills-and-sheep:1"],
        elements=HILLS,
        number=None,
    )
    with pytest.raises(BadRecord, match="does not say what chance did"):
        import_game(text_of(game))
    numbered = import_game(text_of({**game, "initialRandom": 0.999}))
    assert "token:wolf" in numbered.match.actions  # the last of their bag


def test_with_neither_order_nor_numbers_the_moves_say_what_was_drawn() -> None:
    game = saved(lay("BA/RFr", 1, 0), number=None, order=[])
    assert import_game(text_of(game)).match.actions == ("draw:U", "place:1,0,1")
