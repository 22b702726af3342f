"""Random games, written as saved games of JCloisterZone and read again."""

import json
import re
from contextlib import suppress
from functools import cache
from itertools import pairwise
from typing import Any

import attrs
import pytest
from formats.jcz.test_asked import played
from support.recorded import Replay as Recording
from support.recorded_games import FEW, SPECS, recorded

from carc import Match, Rules, play
from carc.bots.random import Random
from carc.errors import BadRules
from carc.formats.jcz import export_game, import_game
from carc.formats.jcz.boxes import BOXES
from carc.formats.jcz.exporting import parting_line
from carc.match.match import Result
from carc.match.moves import Move
from carc.match.record import replay

NO_RESULT = Result((), (), (), ())

# What JCloisterZone plays of each expansion, where that is not our default.
OPTIONS = {
    "bridges": "bridges(bridges=own)",
    "buildings": "buildings(worth=each)",
    "flier": "flier(fields=off)",
    "windroses": "windroses(start=rose)",
}
ALONE = [f"base+{OPTIONS.get(name, name)}" for name in BOXES]
MIXED = [
    "base",
    "base(fields=off)+dragon(princess=must,moves=after)+siege(escape=siege)+hills(ties=most)",
    "base+abbey+bridges(bridges=own)+dragon+flier(fields=off)+gold+hills+inns+tower+traders",
    "base+abbot+crops(sets=2)+gq11+mage+river(part=both)+russian(sets=2013)+siege(sets=cathars)",
    "base+abbot(gardens=base)+count(moves=clockwise)+dragon(moves=after)+river+tower",
    "base+abbey(wagon=touching)+bridges(bridges=own)",
    "base+abbey(barns=together)+festival+king(worth=at_once)+tunnel(tokens=one)",
    "base+dragon+gq11(herd=off)+king(worth=15)+monasteries(others=off)+tunnel(others=off)",
    "base(fields=off)+abbot(gardens=off)+abbey+count(final=all,moves=follow)+inns",
    "base+abbey+dragon+flier(fields=off)+monasteries",
    "base+bigtop(acrobats=off)+buildings+cult+ferries+labyrinth(followers=off)+tunnel",
    "base+siege(escapes=turn)+traders(tiles=off)",
]


@cache
def match_of(spec: str, players: int, seed: int) -> tuple[Rules, Match]:
    """A random game."""
    rules = Rules.from_spec(spec, players)
    return rules, play(rules, [Random(seat) for seat in range(players)], seed=seed)


def exported(spec: str, players: int, seed: int) -> tuple[Rules, Match, str]:
    """A random game that JCloisterZone plays alike, and its file."""
    for other in range(seed, seed + 20):
        rules, match = match_of(spec, players, other)
        with suppress(BadRules):
            return rules, match, export_game(match, rules)
    raise AssertionError(f"no game of {spec} can be exported")


@pytest.mark.parametrize(
    ("spec", "players", "seed"),
    [*((spec, 2, 1) for spec in [*ALONE, *MIXED]), *((spec, 3, 2) for spec in MIXED[:2])],
)
def test_a_game_comes_back_as_it_went(spec: str, players: int, seed: int) -> None:
    rules, match, text = exported(spec, players, seed)
    imported = import_game(text)
    assert imported.match.rules == match.rules
    assert imported.match.actions == match.actions
    assert imported.match.result == match.result
    assert imported.is_finished
    replay(imported.match, rules)  # verifies each line


def test_who_came_through_a_portal_and_lies_down_comes_back_so() -> None:
    """In JCloisterZone it is an abbot in the German monastery."""
    rules, match = match_of("base+dragon+monasteries+phantom", 2, 10)
    assert "rest" in match.actions
    text = export_game(match, rules)
    assert "AS_ABBOT" in text and import_game(text).match.actions == match.actions


class Recorder(Recording):
    """One recorded game, whose actions are noted."""

    def __init__(self, spec: str, game: dict[str, Any]) -> None:
        super().__init__(spec, game)
        self.moves: list[Move] = []

    def do(self, text: str) -> None:
        self.moves.append(Move(self.state.current_player, text))
        super().do(text)


def match_from(spec: str, game: dict[str, Any]) -> tuple[Rules, Match]:
    """A recorded game as a match."""
    recorder = Recorder(spec, game)
    recorder.run()
    rules, moves = recorder.rules, tuple(recorder.moves)
    seats = tuple("abcdef"[: rules.players])
    return rules, Match(rules.spec, rules.version, rules.players, seats, 0, moves, NO_RESULT)


# Every expansion alone comes back above; here it meets what another program did with it.
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if "-" in name else pytest.mark.long) for name in SPECS]
)
def test_a_game_that_their_engine_played_comes_back(name: str) -> None:
    """The first of each file of games that JCloisterZone played, with its points."""
    game = recorded(name)[0]
    rules, match = match_from(SPECS[name], game)
    imported = import_game(export_game(match, rules))
    assert imported.match.actions == match.actions
    assert imported.end.scores == game["final"]


@pytest.mark.parametrize("number", range(FEW["count"]))
def test_who_joins_from_carcassonne_is_who_entered(number: int) -> None:
    """A follower keeps its number in the city, and nobody else has it meanwhile."""
    game = recorded("count")[number]
    rules, match = match_from(SPECS["count"], game)
    text = export_game(match, rules)
    assert import_game(text).end.scores == game["final"]
    inside: set[str] = set()
    last: list[tuple[str, bool]] = []  # what comes after each who joins
    joined = 0
    replay = json.loads(text)["replay"]
    for message, following in pairwise([*replay, {}]):
        if message["type"] != "DEPLOY_MEEPLE":
            continue
        figure, place = message["payload"]["meepleId"], message["payload"]["pointer"]
        if place["feature"] == "Quarter":
            assert figure not in inside
            inside.add(figure)
        elif figure in inside:
            inside.remove(figure)
            joined += 1
            if message is not replay[-1]:  # asked again, or confirms
                last.append((following["type"], following["player"] == message["player"]))
    assert joined == sum(action.startswith("join:") for action in match.actions)
    assert all(kind in ("COMMIT", "PASS", "DEPLOY_MEEPLE") for kind, _ in last), last


def test_what_a_saved_game_looks_like() -> None:
    rules, match = match_of("base+inns+tower", 2, 1)
    saved = json.loads(export_game(match, rules))
    assert saved["setup"]["sets"] == {"basic:1": 1, "inns-and-cathedrals:1": 1, "tower:1": 1}
    assert saved["setup"]["elements"]["tower"] == 1
    assert saved["players"][0] == {"name": match.seats[0], "slot": 0}
    tiles = [m["payload"]["tileId"] for m in saved["replay"] if m["type"] == "PLACE_TILE"]
    assert tiles == saved["gameAnnotations"]["drawOrder"]  # no tile fitted nowhere
    confirmed = [m["type"] for m in saved["replay"]].count("COMMIT")
    assert confirmed == len(tiles) == 72 + 18 + 18 - 1


def test_a_figure_is_known_by_its_number_wherever_it_stands() -> None:
    """Nobody puts a figure on the board that stands there or is a prisoner already."""
    rules, match = match_of("base+tower", 2, 1)
    away: set[str] = set()
    messages = json.loads(export_game(match, rules))["replay"]
    deployed = [m["payload"]["meepleId"] for m in messages if m["type"] == "DEPLOY_MEEPLE"]
    assert {name.rpartition(".")[0] for name in deployed} == {"0.small", "1.small"}
    assert max(int(name.rpartition(".")[2]) for name in deployed) == 7
    for message in messages:
        pointer = message["payload"].get("pointer")
        if message["type"] == "DEPLOY_MEEPLE":
            away.add(message["payload"]["meepleId"])
        elif message["type"] == "CAPTURE_FOLLOWER":
            assert pointer["meepleId"] in away
        elif message["type"] == "PAY_RANSOM":
            assert message["payload"]["meepleId"] in away


@pytest.mark.parametrize(
    ("noted", "spec"),
    [
        ("base+siege(escapes=turn)", "base+siege(escapes=turn)"),
        ("base+siege", "base+siege"),
        ("base+inns", "base+siege"),  # another game than the file has
        ("base+siege(escapes=never)", "base+siege"),
        ("base+siege" * 1000, "base+siege"),
        (7, "base+siege"),
        (None, "base+siege"),
    ],
)
def test_a_file_says_how_we_play_what_they_play_in_one_way(noted: object, spec: str) -> None:
    """They keep the note in their own files, too; what does not fit the game is no note."""
    rules, match = match_of("base+siege(escapes=turn)", 2, 1)
    game = json.loads(export_game(match, rules))
    assert game["gameAnnotations"]["carc"] == rules.spec
    game["gameAnnotations"]["carc"] = noted
    game["replay"] = game["replay"][:20]
    assert import_game(json.dumps(game)).match.rules == spec


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("base+ghosts", "does not know ghosts"),
        ("mists:1", "does not know mists"),
        ("base+flier", r"does not know flier\(fields=on\); it plays flier\(fields=off\)"),
        ("base+river(bends=alternate)", r"river\(bends=alternate\)"),
        ("base+bridges", r"it plays bridges\(bridges=own or off\)"),
    ],
)
def test_rules_that_they_do_not_have_are_named(spec: str, message: str) -> None:
    rules, match = match_of(spec, 2, 1)
    with pytest.raises(BadRules, match=message):
        export_game(match, rules)


@pytest.mark.parametrize(("spec", "seed"), [("base+traders+tunnel(builders=off)", 57)])
def test_a_game_that_goes_otherwise_by_our_defaults_names_their_way(spec: str, seed: int) -> None:
    """And by our defaults it is refused when it is exported."""
    rules, match = match_of(spec, 2, seed)
    imported = import_game(export_game(match, rules))
    assert (imported.match.rules, imported.end.scores) == (spec, list(match.result.scores))
    ours = Rules.from_spec(re.sub(r"\(.*?\)", "", spec), 2)
    with pytest.raises(BadRules, match=r"play base\+traders\+tunnel\(b") as refused:
        export_game(match, ours)
    line = int(re.findall(r"line (\d+) of the record", str(refused.value))[0])
    export_game(attrs.evolve(match, moves=match.moves[: line - 2]), ours)  # all before it is alike


def test_where_a_game_parts_is_the_first_line_with_other_points() -> None:
    """Two small cities score half by the option, the first at the third action."""
    texts = "draw:E place:0,-1,2 claim:0,meeple draw:E place:0,1,2 pass draw:E place:0,2,0 "
    spec = "base(small_cities=half)"
    here, there = (Rules.from_spec(each, 2).start() for each in ("base", spec))
    assert parting_line(played("base", texts + "claim:0,meeple"), here, there) == 4
