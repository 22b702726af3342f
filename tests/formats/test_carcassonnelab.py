"""Links of CarcassonneLab."""

import random
from urllib.parse import quote

import attrs
import pytest
from formats.test_bga import SET_ASIDE, game, played, refused_in_a_sentence
from support import bga_logs

from carc import CHANCE, Rules, play, read_record, replay
from carc.bots import by_name
from carc.errors import BadRecord, BadRules
from carc.formats import import_games
from carc.formats.carcassonnelab import export_game
from carc.match.moves import Move

SITE = "https://www.carcassonnelab.com/#"
NAMES = "?players=Ann,Bob&colors=red,blue"


@pytest.mark.parametrize("seed", [1, 2, SET_ASIDE, 199])
def test_a_link_is_the_game(seed: int) -> None:
    match = played(seed)
    text = bga_logs.link(match)
    imported = game(f"{SITE}{text}{NAMES}")
    assert imported.actions == match.actions and imported.seats == ("Ann", "Bob")
    replay(read_record(imported.to_text()), Rules.from_spec("base", 2))
    exported = export_game(imported)
    assert exported == f"{SITE}{text}?players=Ann,Bob&colors=red,blue"


def test_the_numbers_in_a_link() -> None:
    """D then V, laid at -1,0 turned three times, with a follower on its road."""
    (imported,) = import_games(f"{SITE}/0/0/Fg/21L1?players=A,B")
    assert [str(each) for each in imported.match.actions] == [
        "draw:V",
        "place:-1,0,3",
        "claim:0,meeple",
    ]
    assert not imported.is_finished


@pytest.mark.parametrize(
    "text",
    [
        SITE + "{}" + NAMES,
        "www.carcassonnelab.com/#{}" + NAMES,
        "  {}" + NAMES + " \r\n\n",
        "\ufeff{}" + NAMES,
        SITE.replace("#", "%23") + "{}" + NAMES,
        SITE + "{}?colors=red,blue&players=Ann%2CBob",
    ],
)
def test_links_are_read_however_they_were_copied(text: str) -> None:
    assert game(text.format(bga_logs.link(played()))).seats == ("Ann", "Bob")
    bare = bga_logs.link(played()).removeprefix("/0/0/")
    assert game(text.format(bare)).actions == played().actions


def test_a_file_has_a_link_in_each_line() -> None:
    lines = [f"{SITE}{bga_logs.link(played(seed))}{NAMES}" for seed in (1, 2)]
    games = import_games("\n\n".join(lines))
    assert [each.match.actions for each in games] == [played(1).actions, played(2).actions]
    with pytest.raises(BadRecord, match=r"links.txt:3: turn 1: "):
        import_games("\n".join([*lines, f"{SITE}/0/0/Fg/99L1"]), "links.txt")


@pytest.mark.parametrize(
    ("names", "seats"),
    [
        ("", ("player 1", "player 2")),
        ("?players=", ("player 1", "player 2")),
        ("?players=Ann", ("Ann", "player 2")),
        ("?players=A%2C%20B,%C3%A9", ("A, B", "é")),
        ("?players=%1b[31mx,%E2%80%AE", ("\x1b[31mx", "\u202e")),
    ],
)
def test_names_are_decoded(names: str, seats: tuple[str, ...]) -> None:
    imported = game(f"{SITE}{bga_logs.link(played())}{names}")
    assert imported.seats == seats
    assert game(export_game(imported)).seats == seats


@pytest.mark.parametrize(
    ("link", "message"),
    [
        ("/0/0/Fg", "it ends in #/0/0/, the tiles, / and the moves"),
        ("/0/0/F!/21L1", "the tiles are not up to 100 characters"),
        (f"/0/0/{'F' * 101}/21L1", "the tiles are not up to 100 characters"),
        ("/0/0/qqq/21L1", "the first tile is not the start tile"),
        ("/0/0/Fg/21L", "the moves are cut off: they have 3 characters"),
        ("/0/0/Fg/0000", "turn 1: '0000' is not column, row, rotation"),
        ("/0/0/Fg/21Lx", "turn 1: '21Lx' is not column, row, rotation"),
        ("/0/0/Fg/21L121L1", "2 turns and 0 tiles set aside, but only 1 tiles"),
        ("/0/0/Fg/21L9", "turn 1: tile V has no place 9"),
        ("/0/0/Fg/31L0", "turn 1: tile V does not fit at -2,0"),
        ("/0/0.x/Fg/21L1", "the part of the link before the tiles is not 0"),
        ("/0/0.1.0/Fg/", "the tiles set aside are not in order"),
        ("/0/0.7/Fg/", "a tile is set aside after turn 7 of 0"),
        ("/0/0.0/Fg/", "the tile set aside after turn 0: tile V was set aside, but it fits"),
        ("/0/0/Fg/21L1?players=%ff,b", "the name of a player is no text in UTF-8"),
        ("/0/0/Fg/21L1?players=a,b,c,d,e,f", "the link has 6 players"),
        (f"/0/0/Fg/21L1?players={'a' * 101}", "more than 100 letters"),
        (f"/0/0/Fg/{'21L1' * 3000}", "the link has 120"),
    ],
)
def test_a_damaged_link_is_refused_in_a_sentence(link: str, message: str) -> None:
    with pytest.raises(BadRecord) as refused:
        import_games(SITE + link, "link")
    assert message in str(refused.value) and str(refused.value).startswith("link: ")


def test_unknown_texts_name_what_is_known() -> None:
    for text in ("", "hello", "some/path", '{"a": 1}', "https://example.org/a/b"):
        with pytest.raises(
            BadRecord, match="carc does not know this form of games; it reads: records"
        ):
            import_games(text)


def test_a_link_changed_at_random_is_read_or_refused() -> None:
    for seed in range(300):
        refused_in_a_sentence(changed_link(seed))


def changed_link(seed: int) -> str:
    rng = random.Random(seed)
    text = f"{SITE}{bga_logs.link(played(rng.choice((1, SET_ASIDE))))}{NAMES}"
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(text))
        what = rng.random()
        if what < 0.3:
            text = text[:at]
        elif what < 0.7:
            text = text[:at] + rng.choice("09Zz/#?%.-_\x00\x1bé&=") + text[at + 1 :]
        elif what < 0.9:
            text = text[:at] + text[rng.randrange(len(text)) :]
        else:
            text = quote(text)
        if not text:
            break
    return text


def test_only_games_of_the_base_rules_for_two_have_links() -> None:
    three = played(3, 3)
    with pytest.raises(BadRules, match="the base game for two from its start; this is base, 3 pl"):
        export_game(three)
    inns = play("base+inns", [by_name("random", seed=1), by_name("random", seed=2)], seed=1)
    with pytest.raises(BadRules, match="this is base\\+inns, 2 players"):
        export_game(inns)
    with pytest.raises(BadRecord, match="record:2: "):
        export_game(attrs.evolve(played(), moves=played().moves[1:]))


def test_a_tile_that_is_not_placed_yet_is_not_in_the_link() -> None:
    """The record ends with the draw of the second tile."""
    (imported,) = import_games(f"{SITE}/0/0/Fg/21L1?players=A,B")
    drawn = attrs.evolve(
        imported.match, moves=(*imported.match.moves, Move(CHANCE, "draw:U")), end=None
    )
    assert export_game(drawn) == f"{SITE}/0/0/Fg/21L1?players=A,B&colors=red,blue"
