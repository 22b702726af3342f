"""`carc show` and `carc replay`: a game told, its positions as pictures, step by step."""

import json
import re
import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from support.notation import do
from support.program import Run, refused

from carc import Rules
from carc.drawing import score_plot
from carc.drawing.descriptions import Target, describe, imperative, target
from carc.drawing.history import read_history
from carc.errors import BadRecord
from carc.match.record import read_saved_game


@pytest.fixture
def run(run: Run) -> Run:
    """The folder has a record `m.jsonl`."""
    assert run("play", "--bots", "greedy,random", "--seed", "7", "--record", "m.jsonl")[0] == 0
    return run


def record() -> list[dict]:
    return [json.loads(line) for line in Path("m.jsonl").read_text().splitlines()]


# -- in words --------------------------------------------------------------------------------------


def test_actions_in_words() -> None:
    state = Rules.from_spec("base").start()
    rules = state.rules

    def said(action: str) -> str:
        before = state.to_dict()
        do(state, action)
        return describe(action, before, rules)

    assert said("draw:X") == "draws X"
    assert said("place:1,0,0") == "places X at (1, 0)"
    assert (
        describe("claim:1,meeple", state.to_dict(), state.rules)
        == "places a follower on the road, east side"
    )
    assert said("pass") == "passes"
    do(state, "draw:V")
    assert (
        describe("place:0,1,3", state.to_dict(), state.rules)
        == "places V at (0, 1), rotated 270 degrees"
    )


def test_fields_that_reach_the_same_side_are_told_apart_by_corners() -> None:
    state = do(Rules.from_spec("base").start(), "draw:P place:1,0,1")
    tile = state.rules.catalogue.tiles[state.rules.draw("P").kind]
    fields = [n for n, each in enumerate(tile.segments) if each.kind == "field"]
    words = [describe(f"claim:{n},meeple", state.to_dict(), state.rules) for n in fields]
    at = "places a follower on the field,"
    assert words == [f"{at} northwest and southeast corners", f"{at} southwest corner"]


def test_actions_of_expansions_never_heard_of_in_words() -> None:
    rules = Rules.from_spec("base")
    before = rules.start().to_dict()
    assert describe("scare:0,0,1", before, rules) == "plays scare on the road at (0, 0)"
    assert describe("jump:3,-2", before, rules) == "plays jump on the tile at (3, -2)"
    assert describe("swap:1+2", before, rules) == "plays swap: 1 and 2"
    assert describe("scare:0,0,1,wolf,red", before, rules).endswith("at (0, 0): wolf, red")
    assert describe("rest", before, rules) == "plays rest"
    assert describe("scare:9,9,7", before, rules) == "plays scare on the segment 7 at (9, 9)"
    assert target("scare:0,0,1", before) == Target((0, 0), segment=1)
    assert target("hide:3,-2", before) == Target((3, -2))
    assert target("place:3,-2,1", before) == Target((3, -2), rotation=1)
    assert target("claim:2,guard", before) == Target((0, 0), segment=2)  # of the tile laid last
    assert target("take:1+2", before) == target("pass", before) == Target()


@pytest.mark.parametrize(
    ("names", "action", "phrase"),
    [
        ("abbot", "abbot", "takes the abbot back"),
        ("abbot", "claim:0,abbot", "places an abbot on the city"),
        ("abbey", "abbey", "takes the abbey instead of drawing a tile"),
        ("abbey", "barn:0,0,2,barn", "builds a barn at the northwest corner of the tile at (0, 0)"),
        ("bigtop", "tent:4", "reveals a 4 under the big top"),
        ("bridges", "auction:D,2", "chooses the tile D and bids 2"),
        ("bridges", "bridge:0,0,0,ns", "builds a bridge over (0, 0), between north and south"),
        ("bridges", "castle:0,0,0", "makes the city at (0, 0) a castle"),
        ("buildings", "building:shed", "builds a little shed"),
        ("count", "count:-1,1,0", "moves the count to the blacksmith"),
        ("count", "enter:0,-1,0,meeple", "puts a follower into the castle"),
        ("crops", "add:0,0,1,meeple", "adds a follower to the road at (0, 0)"),
        ("crops", "crops:add", "lets everyone add a follower"),
        ("crops", "crops:take", "makes everyone take a follower back"),
        ("crops", "take:0,0,1,meeple", "takes a follower back from the road at (0, 0)"),
        ("dragon", "dragon:0,0", "moves the dragon to the tile at (0, 0)"),
        ("dragon+inns", "fairy:0,0,1,big", "moves the fairy to a large follower on {road}"),
        ("dragon", "portal:0,0,1,meeple", "sends a follower through the portal to {road}"),
        ("dragon", "princess:0,0,0,meeple,red", "sends a red follower away from {city}"),
        ("ferries", "ferry:0,0,1,to0", "puts the ferry from {road}, to the city"),
        ("festival", "festival:0,0,1,meeple", "takes a follower back from the road at (0, 0)"),
        ("flier", "flight:2", "sets the flight to distance 2"),
        ("flier", "fly:meeple", "puts a follower on the flying machine"),
        ("flier", "land:0,0,1", "lands on the road at (0, 0)"),
        ("ghosts", "haunt:0,0,1", "puts a ghost on {road}"),
        ("ghosts+spellcircles", "free:0,0,1", "frees a ghost on the road at (0, 0)"),
        ("ghosts+spellcircles", "lure:0,0,1", "lures a ghost from the road at (0, 0)"),
        ("gold", "gold:0,0", "puts gold on the tile at (0, 0)"),
        ("hills", "flock:grow", "adds a sheep to the flock"),
        ("hills", "flock:home", "brings the flock home"),
        ("hills", "token:wolf", "draws the token wolf"),
        ("inns+monasteries", "lie:1,big", "lays a large follower down in {road}"),
        ("mage", "leave:mage", "takes the mage off the board"),
        ("mage", "mage:0,0,1", "moves the mage to the road at (0, 0)"),
        ("mage", "witch:0,0,1", "moves the witch to the road at (0, 0)"),
        ("russian", "free:0,0,1,meeple", "frees a follower from the road at (0, 0)"),
        ("tower", "ransom:meeple,green", "pays green the ransom for a follower"),
        ("tunnel", "tunnel:0,0,1,b", "puts tunnel token b on the road at (0, 0)"),
    ],
)
def test_actions_of_the_shipped_expansions_in_words(names: str, action: str, phrase: str) -> None:
    """On the start tile: a city in the north, a road from west to east, two fields."""
    assert told(f"base+{names}", action) == phrase.format(
        road="the road at (0, 0)", city="the city at (0, 0)"
    )


def told(spec: str, action: str) -> str:
    rules = Rules.from_spec(spec)
    before = rules.start().to_dict()
    if action.partition(":")[0] not in ("count", "enter"):
        like_d = "D" if "D" in rules.catalogue.index else "M29"
        before["tiles"] = [{"kind": like_d, "x": 0, "y": 0, "rotation": 0}]
    return describe(action, before, rules)


@pytest.mark.parametrize(
    ("action", "phrase"),
    [
        ("bury:0,0,1", "buries the follower on the road at (0, 0)"),
        ("bury:red", "buries a red follower from the supply"),
        ("cat:0,0,1", "moves the cat to the road at (0, 0)"),
        ("cemetery:0,0", "puts the extra ghost on the tile at (0, 0)"),
        ("claim:0,meeple,red", "places a red follower on the city"),
        ("ghosts:0,0", "removes ghosts from the tile at (0, 0)"),
        ("hide:0,0", "places the tile face down at (0, 0)"),
        ("hound:0,0,1", "sends the hound to the road at (0, 0)"),
        ("marker:red", "moves the red marker"),
        ("markers:red,green,blue", "chooses the markers red, green, blue"),
        ("points", "takes the points"),
        ("score:0,0,1", "scores the road at (0, 0)"),
        ("take:1", "takes 1 ghost"),
        ("take:1+2", "takes 1 and 2 ghosts"),
    ],
)
def test_actions_of_a_team_in_words(action: str, phrase: str) -> None:
    assert told("mists:6+spellcircles", action) == phrase


def test_each_expansion_tells_its_own_verbs() -> None:
    """Both have the verb `free`."""
    both = "base+ghosts+russian+spellcircles"
    assert told(both, "free:0,0,1") == "frees a ghost on the road at (0, 0)"
    assert told(both, "free:0,0,1,meeple") == "frees a follower from the road at (0, 0)"


def test_a_bridge_is_told_as_its_tile_lies() -> None:
    rules = Rules.from_spec("base+bridges")
    before = rules.start().to_dict()
    for rotation, sides in enumerate(("north and south", "east and west") * 2):
        before["tiles"] = [{"kind": "B", "x": 2, "y": 1, "rotation": rotation}]
        words = describe("bridge:2,1,0,ns", before, rules)
        assert words == f"builds a bridge over (2, 1), between {sides}"


@pytest.mark.parametrize(
    ("phrase", "command"),
    [
        ("places D at (1, 0)", "place D at (1, 0)"),
        ("passes", "pass"),
        ("buries the follower", "bury the follower"),
        ("chooses the markers red", "choose the markers red"),
        ("takes 2", "take 2"),
    ],
)
def test_a_phrase_as_a_command(phrase: str, command: str) -> None:
    assert imperative(phrase) == command


# -- carc show -------------------------------------------------------------------------------------


def test_show_tells_every_scoring_the_plot_and_the_winner(run: Run) -> None:
    code, out, err = run("show", "m.jsonl")
    assert (code, err) == (0, "")
    lines = record()
    for line in lines[1:-1]:
        for scored in line.get("scored", ()):
            assert f" scores {scored['text']}" in out
    for scored in lines[-1]["result"]["final"]:
        assert f"final scoring: {('red', 'green')[scored['owner']]} scores {scored['text']}" in out
    assert "Scores over time" in out
    assert out.splitlines()[-1] == "Won by red greedy."


def test_points_by_kind_add_up_to_the_score(run: Run) -> None:
    out = run("show", "m.jsonl")[1]
    table = out.partition("Points for")[2].partition("\n\n")[0].splitlines()[1:]
    rows = [[int(n) for n in re.findall(r"-?\d+", row)] for row in table]
    *parts, total = rows
    assert total == record()[-1]["result"]["scores"]
    assert [sum(column) for column in zip(*parts, strict=True)] == total


def test_the_biggest_scoring_comes_first(run: Run) -> None:
    out = run("show", "m.jsonl")[1]
    lines = record()
    points = [s["points"] for line in lines[1:-1] for s in line.get("scored", ())]
    points += [s["points"] for s in lines[-1]["result"]["final"]]
    first = out.partition("Largest scorings\n")[2].splitlines()[0]
    assert int(first.split()[0]) == max(points)


def test_one_position_as_text_svg_and_png(run: Run) -> None:
    laid = [n for n, line in enumerate(record()) if line.get("action", "").startswith("place:")]
    out = run("show", "m.jsonl", "--move", str(laid[1]))[1]
    assert re.match(rf"{laid[1]}\. (Red greedy|Green random) places \w+ at ", out)
    code, out, _ = run(
        "show", "m.jsonl", "--move", str(laid[1]), "--svg", "b.svg", "--png", "b.png"
    )
    assert (code, out) == (0, "")
    used = [e for e in ET.parse("b.svg").iter() if e.tag.endswith("}use")]
    assert len(used) == 1 + 2  # the start tile and two laid
    png = Path("b.png").read_bytes()
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    small = struct.unpack(">II", png[16:24])
    run("show", "m.jsonl", "--move", str(laid[1]), "--png", "b.png", "--size", "120")
    assert struct.unpack(">II", Path("b.png").read_bytes()[16:24])[0] == pytest.approx(
        2 * small[0], abs=2
    )


def test_a_game_of_a_tournament_by_the_beginning_of_its_id_with_clocks(run: Run) -> None:
    words = "tournament --bots random,sluggish:Slow --deals 1 --seed 1 --jobs 1 --out t"
    Path("sluggish.py").write_text(
        "import time\nclass Slow:\n    def choose(self, state):\n"
        "        time.sleep(0.01)\n        return state.legal_actions()[0]\n"
    )
    assert run(*words.split())[0] == 0
    from carc.tournaments.ledger.ledger import Ledger

    with Ledger.reading(Path("t")) as ledger:
        game = sorted(ledger.ids())[0]
    code, out, _ = run("show", game[:10], "--out", "t")
    assert code == 0
    assert re.search(r"sluggish:Slow .*\[0\.0[1-9] s\]", out)
    assert run("show", "zzz", "--out", "t")[2] == "carc: the ledger holds no game 'zzz'\n"


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["show", "none.jsonl"], "none.jsonl: cannot be read: No such file"),
        (["show", "zzz"], "there is no tournament in runs/tournament"),
        (["show", "m.jsonl", "--move", "9999"], "move 9999: m.jsonl has the positions 0 to "),
        (["show", "m.jsonl", "--move", "-1"], "move -1: m.jsonl has the positions 0 to "),
        (["show", "m.jsonl", "--svg", "no/b.svg"], "no/b.svg cannot be written: No such file"),
        (["replay", "m.jsonl", "--embed"], "--embed changes what --html writes"),
        (["replay", "m.jsonl", "--html", "no/x.html"], "no/x.html cannot be written"),
        (["replay", "m.jsonl", "--svg", "no/x.svg"], "no/x.svg cannot be written"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_gets_one_sentence(run: Run, argv: list[str], sentence: str) -> None:
    assert sentence in refused(run(*argv))


def test_a_record_whose_player_or_action_is_forged_is_refused(run: Run) -> None:
    lines = Path("m.jsonl").read_text().splitlines()
    at = next(n for n, line in enumerate(lines) if "place:" in line)
    old_action = json.loads(lines[at])["action"]
    for old, new, why in (
        ('"player": 0', '"player": 1', "player 0 decides here, not 1"),
        ('"action": "place:', '"action": "place:70,70,0", "x": "', "unknown key 'x'"),
        (old_action, "place:70,70,0", "place:70,70,0 is not legal now"),
    ):
        forged = [*lines]
        forged[at] = forged[at].replace(old, new)
        with pytest.raises(BadRecord, match=rf"m:{at + 1}: .*{why}"):
            read_history("\n".join(forged), "m")


def test_a_game_saved_before_its_end_is_told_too(run: Run) -> None:
    lines = Path("m.jsonl").read_text().splitlines()
    Path("cut.jsonl").write_text("\n".join(lines[:30]) + "\n")
    assert read_saved_game(Path("cut.jsonl").read_text(), "cut")[1] is False
    code, out, _ = run("show", "cut.jsonl")
    assert code == 0
    assert out.splitlines()[-1] == "Saved before its end, after 29 actions."


# -- carc replay -----------------------------------------------------------------------------------


def test_stepping_forth_back_and_away(run: Run) -> None:
    code, out, _ = run("replay", "m.jsonl", "--step", typed="\n\nb\n40\n9999\nq\n")
    assert code == 0
    last = len(record()) - 2
    assert re.findall(r"\[(\d+)/(\d+)\]", out) == [
        (str(n), str(last)) for n in (0, 1, 2, 1, 40, last)
    ]
    first = record()[1]["action"].removeprefix("draw:")
    assert f"1. Chance draws {first}" in out
    assert run("replay", "m.jsonl", "--step", typed="")[0] == 0  # the end of the input ends it


def test_the_page_is_written(run: Run) -> None:
    assert run("replay", "m.jsonl", "--html", "m.html")[0] == 0
    assert Path("m.html").read_text().startswith("<!doctype html>")
    assert run("replay", "m.jsonl", "--html", "part.html", "--embed")[0] == 0
    assert "<html" not in Path("part.html").read_text()
    assert run("replay", "m.jsonl", "--html", "m.html", "--svg", "m.svg") == (0, "", "")
    assert "@keyframes" in Path("m.svg").read_text()


def test_names_in_records_cannot_command_the_terminal(run: Run) -> None:
    text = Path("m.jsonl").read_text().replace('"greedy"', '"\\u001b[2Jgreedy"')
    Path("bad.jsonl").write_text(text)
    for argv in (
        ["show", "bad.jsonl"],
        ["show", "bad.jsonl", "--move", "3"],
        ["replay", "bad.jsonl"],
    ):
        code, out, _ = run(*argv)
        assert code == 0
        assert "\x1b" not in out


# -- the plot --------------------------------------------------------------------------------------


def test_the_plot_shows_who_leads() -> None:
    lines = score_plot.as_text([[0, 0, 10, 20], [0, 5, 5, 5]], height=5).splitlines()
    assert lines[0] == "  20 |   a"
    assert lines[-1] == "   0 |aa"
    drawn = ET.fromstring(score_plot.as_svg([[0, 0, 10, 20], [0, 5, 5, 5]], ["x", "<y>"]))
    ends = [
        e.get("points", "").split()[-1].split(",")
        for e in drawn.iter()
        if e.tag.endswith("polyline")
    ]
    assert ends[0][0] == ends[1][0]
    assert float(ends[0][1]) < float(ends[1][1])  # 20 is above 5
