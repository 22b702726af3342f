"""What saved games of JCloisterZone play, and what carc says of what it lacks."""

from typing import Any

import pytest
from support.saved_games import BASE, HILLS, INNS, saved, text_of

from carc import Rules
from carc.errors import BadRecord, BadRules
from carc.formats.jcz import import_game
from carc.formats.jcz.setup import as_they_play, setup_of, spec_of

ABBEY: dict[str, object] = {"abbey": 1, "barn": 1, "mayor": 1, "wagon": 1}
BIG_TOP: dict[str, object] = {"ringmaster": 1, "acrobats": True}
KING: dict[str, object] = {"king": True, "robber": True}
ALONE = "tiles=off,abbey_count=0"  # no tiles, and no abbey
SETUPS: list[tuple[list[str], dict[str, object], dict[str, object], str]] = [
    ([], {}, {}, "base"),
    (["river/1:1"], {"river": True}, {}, "base+river"),
    (["river/1:1", "river/2:1"], {"river": True}, {}, "base+river(part=both)"),
    (["flier:1"], {}, {}, "base+flier(fields=off)"),
    (["siege/cathars"], {"siege": True}, {}, "base+siege(sets=cathars,escape=off)"),
    (
        ["siege/cathars"],
        {"siege": True, "escape": True},
        {"espace-variant": "siege-tile"},
        "base+siege(sets=cathars,escape=siege)",
    ),
    (["abbey-and-mayor:1"], ABBEY, {"wagon-move": "C1"}, "base+abbey(wagon=touching)"),
    (["abbey-and-mayor:1"], ABBEY, {"wagon-move": "C2"}, "base+abbey"),
    (["king-and-robber:1"], KING, {"king-and-robber-scoring": "default"}, "base+king"),
    (["king-and-robber:1"], KING, {"king-and-robber-scoring": "10/20"}, "base+king(worth=10)"),
    (["king-and-robber:1"], KING, {"king-and-robber-scoring": "15/40"}, "base+king(worth=15)"),
    (
        ["king-and-robber:1"],
        KING,
        {"king-and-robber-scoring": "continuously"},
        "base+king(worth=at_once)",
    ),
    (["abbey-and-mayor:1"], ABBEY, {"barn-placement": "occupied"}, "base+abbey(barns=together)"),
    (["gq11"], {"pig-herd": True}, {"gq11-pig-herd": "nothing"}, "base+gq11(herd=off)"),
    (["gq11"], {}, {}, "base+gq11(herd=none)"),  # as their client has it
    (
        ["traders-and-builders:1"],
        {"builder": 1, "pig": 1, "traders": True},
        {},
        "base+traders(herds=off)",
    ),
    ([], {"wagon": 2}, {}, f"base+abbey({ALONE},barn_count=0,mayor_count=0,wagon_count=2)"),
    ([], {"fairy": 1}, {}, "base+dragon(tiles=off)"),
    ([], {"pig": 1}, {}, "base+traders(herds=off,tiles=off,builder_count=0)"),
    ([], {"castle": 1}, {}, "base+bridges(bridges=off,bazaars=off,tiles=off)"),
    ([], {"big-follower": 1}, {}, "base+inns(tiles=off)"),
    ([], {"shepherd": 1}, {}, "base+hills(tiles=off)"),
    (
        ["bridges-castles-and-bazaars:1"],
        {"bazaar": True},
        {"bazaar-no-auction": True},
        "base+bridges(bridges=off,castles=off,bazaars=choose)",
    ),
    ([], {}, {"tiny-city-scoring": "2"}, "base(small_cities=half)"),
    (["tunnel"], {"tunnel": 1}, {"more-tunnel-tokens": "3/2"}, "base+tunnel"),
    (["tunnel"], {"tunnel": 1}, {"more-tunnel-tokens": "2/1"}, "base+tunnel(tokens=fewer)"),
    (["tunnel"], {"tunnel": 1}, {"more-tunnel-tokens": "1/1"}, "base+tunnel(tokens=one)"),
    (["tunnel"], {"tunnel": 1}, {"tunnelize-other-expansions": False}, "base+tunnel(others=off)"),
    (["monasteries"], {}, {"keep-monasteries": "keep"}, "base+monasteries"),
    (["monasteries"], {}, {}, "base+monasteries(others=off)"),
    (["festival"], {"festival": True}, {"festival-return": "meeple"}, "base+festival"),
    (["count"], {"count": 1}, {}, "base+count"),
    (
        ["count"],
        {"count": True},
        {"coc-final-scoring": "any-district", "count-move": "follow-meeple"},
        "base+count(final=all,moves=follow)",
    ),
    ([], {"abbot": 1}, {}, "base+abbot(gardens=off)"),
    (["inns-and-cathedrals:1"], {"abbot": 1, **INNS}, {}, "base+abbot(gardens=off)+inns"),
    (["labyrinth"], {}, {}, "base+labyrinth"),
    (["labyrinth"], {}, {"labyrinth-variant": "basic"}, "base+labyrinth(followers=off)"),
    ([], {"little-buildings": 1}, {}, "base+buildings(worth=each)"),
    ([], {"phantom": 1}, {"wagon-move": "C1"}, "base+phantom"),  # there is no wagon
    (
        ["hills-and-sheep:1"],
        {"shepherd": 1, "hill": True, "vineyard": True},
        {"hill-tiebreaker": "number-of-followers"},
        "base+hills(ties=most)",
    ),
]


def setup(**changes: Any) -> dict[str, Any]:
    """The setup of a saved game."""
    game: dict[str, Any] = saved(**changes)
    parts: dict[str, Any] = game["setup"]
    return parts


@pytest.mark.parametrize(("sets", "elements", "rules", "spec"), SETUPS, ids=str)
def test_a_setup_is_a_spec(
    sets: list[str], elements: dict[str, object], rules: dict[str, object], spec: str
) -> None:
    named = spec_of(setup(sets=sets, elements=elements, rules=rules))
    assert Rules.from_spec(named).spec == spec
    again = spec_of(setup_of(Rules.from_spec(spec)))
    assert Rules.from_spec(again).spec == spec


def test_a_festival_for_followers_is_read_and_not_written() -> None:
    """Their engine offers nobody under this rule."""
    spec = "base+festival(returns=followers)"
    named = spec_of(
        setup(sets=["festival"], elements={"festival": True}, rules={"festival-return": "follower"})
    )
    assert Rules.from_spec(named).spec == spec
    with pytest.raises(BadRules, match=r"it plays festival\(returns=figures\)"):
        setup_of(Rules.from_spec(spec))


def test_an_element_that_is_null_is_not_played() -> None:
    shepherds = {**HILLS, "shepherd": None}
    named = spec_of(setup(sets=["hills-and-sheep"], elements=shepherds))
    assert Rules.from_spec(named).spec == "base+hills(shepherd_count=0)"


@pytest.mark.parametrize("at", [10**5, -(10**6)])
def test_a_start_off_the_table_is_refused(at: int) -> None:
    game = saved()
    game["setup"]["start"][0]["x"] = at
    with pytest.raises(BadRecord, match=f"{at},0 is off the table"):
        import_game(text_of(game))


def test_all_rules_of_what_is_played_are_written() -> None:
    """Also those with the usual value: nothing is left to what a version takes for usual."""
    rules = setup_of(Rules.from_spec("base+gq11+king+monasteries+tunnel"))["rules"]
    assert rules == {
        "gq11-pig-herd": "pig",
        "keep-monasteries": "keep",
        "king-and-robber-scoring": "default",
        "more-tunnel-tokens": "3/2",
        "tiny-city-scoring": "4",
        "tunnelize-other-expansions": True,
    }


def test_without_farmers_there_are_no_fields() -> None:
    parts = setup()
    del parts["elements"]["farmers"]
    assert Rules.from_spec(spec_of(parts)).spec == "base(fields=off)"


def test_gardens_may_be_on_the_tiles_of_the_base_game_alone() -> None:
    parts = setup_of(Rules.from_spec("base+abbot(gardens=base)+inns+gold"))
    assert parts["sets"] == {"basic:2": 1, "inns-and-cathedrals:1": 1, "goldmines": 1}
    assert "garden" in parts["elements"]
    assert Rules.from_spec(spec_of(parts)).spec == "base+abbot(gardens=base)+gold+inns"


def test_without_gardens_all_tiles_are_of_the_older_edition() -> None:
    parts = setup_of(Rules.from_spec("base+abbot(gardens=off)+inns"))
    assert parts["sets"] == {"basic:1": 1, "inns-and-cathedrals:1": 1}
    assert parts["elements"]["abbot"] == 1 and "garden" not in parts["elements"]


def test_gardens_on_some_sets_are_named() -> None:
    parts = setup_of(Rules.from_spec("base+abbot+inns+tower"))
    parts["sets"]["tower:1"] = parts["sets"].pop("tower:2")
    with pytest.raises(BadRecord, match="edition '2' of inns-and-cathedrals with gardens; carc"):
        spec_of(parts)


def test_with_the_abbot_all_tiles_are_of_the_newer_edition() -> None:
    parts = setup_of(Rules.from_spec("base+abbot+inns+gold"))
    assert parts["sets"] == {"basic:2": 1, "inns-and-cathedrals:2": 1, "goldmines": 1}
    assert Rules.from_spec(spec_of(parts)).spec == "base+abbot+gold+inns"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sets": ["winter:1"]}, "uses the tiles of 'winter', which carc cannot import"),
        ({"sets": ["cult/5"]}, "the tiles of 'cult/5'"),
        ({"sets": ["inns-and-cathedrals:2"], "elements": INNS}, "edition '2' of inns"),
        ({"sets": ["tower:1"]}, "has tower without 'tower'"),
        ({"elements": {"hill": True}}, "uses 'hill', which carc does not have in this game"),
        ({"elements": {"wagon": 3}}, "has 'wagon' 3 times; carc has it 1"),
        ({"sets": ["siege/cathars"], "elements": {"escape": True}}, "siege without 'siege'"),
        ({"sets": ["under-the-big-top:1"], "elements": BIG_TOP}, "bigtop without 'big-top'"),
        ({"sets": ["tower:1"], "elements": {"tower": 2}}, "has 'tower' 2 times; carc has it 1"),
        ({"elements": {"small-follower": 6}}, "'small-follower' 6 times; carc has it 7 times"),
        ({"rules": {"tiny-city-scoring": "3"}}, "rule tiny-city-scoring = '3'"),
        ({"rules": {"meteorites": True}}, "a rule 'meteorites', which carc does not know"),
        ({"rules": {"tiny-city-scoring": ["4"]}}, r"rule tiny-city-scoring = \['4'\]"),
        ({"sets": ["gq11", "gq11/river"], "elements": {"pig-herd": True}}, "without gq11 and"),
    ],
)  # fmt: skip
def test_what_a_game_uses_that_carc_lacks_is_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(BadRecord, match=message):
        import_game(text_of(saved(**changes)))


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ([], "'start' is not a list"),
        (
            [{"tile": "BA/RCr", "x": 1, "y": 0, "rotation": 0}],
            "tile at 1,0 touches no other; carc begins base with BA/RCr at 0,0",
        ),
        ([{"tile": "WR/CFR", "x": 0, "y": 0, "rotation": 0}], "base has no tile 'WR/CFR'"),
        (None, "'start' is not a list"),
        ([1], "not a JSON object"),
    ],
)
def test_a_start_that_cannot_be_is_named(start: object, message: str) -> None:
    game = saved()
    game["setup"]["start"] = start
    with pytest.raises(BadRecord, match=message):
        import_game(text_of(game))


def test_copies_of_a_box_are_named() -> None:
    game = saved()
    game["setup"]["sets"]["basic:1"] = 2
    with pytest.raises(BadRecord, match="tiles of 'basic' 2 times; carc has them once"):
        import_game(text_of(game))


def test_a_game_needs_followers_and_the_base_games_tiles() -> None:
    game = saved()
    game["setup"]["elements"] = {"farmers": BASE["farmers"]}
    with pytest.raises(BadRecord, match="without small followers"):
        import_game(text_of(game))
    game["setup"]["sets"] = {"tower:1": 1}
    with pytest.raises(BadRecord, match="without the base game's tiles"):
        import_game(text_of(game))


@pytest.mark.parametrize(
    ("names", "theirs"),
    [
        ("dragon", None),
        ("dragon+inns", "dragon(fairy=always)+inns"),
        ("dragon+siege", "dragon(fairy=always)+siege"),
        ("bigtop+bridges", "bigtop(castles=tile)+bridges"),
        ("bridges+watchtowers", "bridges+watchtowers(castles=none)"),
        ("traders+tunnel", "traders+tunnel(builders=off)"),
        ("count+traders", "count(enter=tile)+traders"),
        ("count+traders+tunnel(builders=off)", "count(enter=tile)+traders+tunnel(builders=off)"),
        ("count(enter=tile)+traders", None),
    ],
)
def test_options_that_matter_beside_others_are_as_they_play(names: str, theirs: str | None) -> None:
    found = as_they_play(Rules.from_spec(f"base+{names}", 2))
    assert (None if found is None else found.spec) == (theirs and f"base+{theirs}")
