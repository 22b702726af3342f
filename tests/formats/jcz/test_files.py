"""Files that are no saved games, and the commands `carc import` and `carc export --jcz`."""

import json
import random
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from support.fuzzed import ODD
from support.program import Run, refused
from support.saved_games import HILLS, commit, deploy, lay, move, pointer, saved, skip, text_of

from carc import Rules
from carc.errors import BadRecord
from carc.formats.jcz import import_game
from carc.formats.jcz.importing import Replay
from carc.formats.jcz.saved_game import read_saved_game
from carc.formats.jcz.setup import setup_of

GOOD = saved(
    lay("BA/C", 0, -1, 180),
    deploy("0.small.1", 0, -1, "City", "S"),
    move("COMMIT", random=0.25),
    *(lay("BA/RFr", 1, 0), *skip()),
    move("PLACE_TOKEN", token="CASTLE", pointer={"position": [0, -1], "location": "S"}),
    move("RETURN_MEEPLE", source="FESTIVAL", pointer={"meepleId": "0.small.1"}),
    move("MOVE_NEUTRAL_FIGURE", figureId="dragon.1", to=[0, 0]),
    move("FLOCK_EXPAND_OR_SCORE", value="EXPAND"),
    move("BAZAAR_BID", supplyIndex=0, price=1),
    move("CAPTURE_FOLLOWER", pointer={"featurePointer": {"position": [0, 0], "location": "N"}}),
)

# Ends after two tiles, begins on two, and gives each player two shepherds.
SCENARIO = saved(
    lay("HS/CFC.h", 0, -1, 90),
    deploy("0.shepherd.1", 0, -1, "Field", "NL.NR.EL.SR.WL.WR"),
    *(lay("BA/RFr", 2, 0), *skip()),
    sets=["hills-and-sheep:1"],
    elements={**HILLS, "shepherd": 2},
    order=["HS/CFC.h", "BA/RFr"],
)
SCENARIO["setup"]["start"].append({"tile": "BA/RFr", "x": 1, "y": 0, "rotation": 0})
SCENARIO["gameAnnotations"]["endTurn"] = 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 100_000, "nested more than 32 deep"),
        ("[]", "it has no 'setup'"),
        ('{"appVersion": "5.7.0", "setup": {}}', "only the setup of a game is saved here"),
        (
            '{"appVersion": "5.7.0", "setup": 1, "players": [{"name": "x"}], "replay": []}',
            "'setup' is not a JSON object",
        ),
        (
            '{"appVersion": "5.7.0", "setup": {}, "players": [], "replay": []}',
            "a list of 1 to 9 players",
        ),
        (
            '{"appVersion": "5.7.0", "setup": {}, "players": [{"name": 3}], "replay": []}',
            "name of a player is not a text",
        ),
        (
            '{"appVersion": "5.7.0", "setup": {}, "players": [{"name": "x"}], "replay": 1}',
            "a list of up to 10000 moves",
        ),
        (
            '{"appVersion": "5.7.0", "setup": {}, "players": [{"name": "x"}], "replay": [1]}',
            "move 1 is not a JSON object",
        ),
        (
            '{"appVersion": "5.7.0", "setup": {}, "players": [{"name": "x"}], "replay": []}',
            "the base game's tiles",
        ),
        ("{" + '"setup": 1, "replay": 2,' * 9, "not JSON at line 1, column "),
        ('{"setup": {}, "players": [], "setup": {}}', "it says 'setup' twice"),
        ('{"setup": {"x": ' + "9" * 5000 + "}}", "a number has too many digits"),
        (
            '{"setup": {}, "players": []}',
            "'appVersion' does not say which version of JCloisterZone",
        ),
        ('{"setup": {}, "appVersion": 5}', "'appVersion' does not say which version"),
        (
            '{"setup": {}, "appVersion": "99.0.0"}',
            "by JCloisterZone 99.0.0; carc reads the files of 5.x",
        ),
        ('{"setup": {}, "appVersion": "4.6.1", "slots": []}', "by JCloisterZone 4.6.1; carc reads"),
    ],
)
def test_what_is_no_saved_game_is_refused_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(BadRecord, match=message):
        import_game(text)


def test_a_move_after_the_end_of_a_game_is_refused_in_a_sentence() -> None:
    tiles = (lay("BA/C", 0, -1, 180), *skip(), lay("BA/RFr", 1, 0), *skip())
    game = saved(*tiles, lay("BA/RFr", 2, 0), order=["BA/C", "BA/RFr"])
    game["gameAnnotations"]["endTurn"] = 2
    with pytest.raises(
        BadRecord, match=r"^file: move 7 \(\w+\): the game is over before this move"
    ):
        import_game(json.dumps(game))


def test_a_city_of_carcassonne_with_a_hole_is_refused() -> None:
    """A quarter that lies nowhere cannot be entered."""
    start = setup_of(Rules.from_spec("base+count", 2))["start"]
    game = saved(sets=["count"], elements={"count": 1})
    game["setup"]["start"] = [tile for tile in start if tile["tile"] != "CO/10"]
    with pytest.raises(BadRecord, match="the city of Carcassonne does not lie at the start as"):
        import_game(text_of(game))


TURN = [
    {**lay("BA/C", 0, -1, 180), "player": 0},
    {**deploy("0.small.1", 0, -1, "City", "S"), "player": 0},
    {**move("COMMIT", random=0.25), "player": 0},
    {**lay("BA/RFr", 1, 0), "player": 1},
    {**move("PASS"), "player": 1},
]


@pytest.mark.parametrize(
    ("at", "change", "message"),
    [
        (0, {"player": 1}, "move 1 (PLACE_TILE): player 0 decides here, not 1"),
        (1, {"player": 1}, "move 2 (DEPLOY_MEEPLE): player 0 decides here, not 1"),
        (2, {"player": 1}, "move 3 (COMMIT): player 0 confirms here, not 1"),
        (3, {"player": 0}, "move 4 (PLACE_TILE): player 1 decides here, not 0"),
        (4, {"player": 0}, "move 5 (PASS): player 1 decides here, not 0"),
        (0, {"player": 2}, "move 1: 'player' is 2, not 0 to 1"),
        (2, {"player": -1}, "move 3: 'player' is -1, not 0 to 1"),
        (0, {"player": "z"}, "move 1: 'player' is 'z', not 0 to 1"),
        (0, {"player": True}, "move 1: 'player' is True, not 0 to 1"),
        (
            1,
            deploy("1.small.1", 0, -1, "City", "S"),
            "move 2 (DEPLOY_MEEPLE): player 0 decides here; the figure is of player 1",
        ),
        (2, {"type": 7}, "move 3: 'type' is missing or not a text"),
        (2, {"payload": [1]}, "move 3: 'payload' is not a JSON object"),
    ],
)
def test_a_move_that_contradicts_the_game_is_named(
    at: int, change: dict[str, Any], message: str
) -> None:
    assert import_game(text_of(saved(*TURN))).end.scores == [4, 0]
    moves = deepcopy(TURN)
    moves[at] |= change
    with pytest.raises(BadRecord) as refused:
        import_game(text_of(saved(*moves, order=["BA/C", "BA/RFr"])), "game.jcz")
    assert str(refused.value) == f"game.jcz: {message}"


def test_who_takes_another_players_figure_back_is_named() -> None:
    """The festival brings an own figure back."""

    def game(figure: str) -> str:
        place = {"featurePointer": pointer(1, 0, "Road", "WE"), "meepleId": figure}
        moves = [
            *(lay("BA/RFr", 1, 0), deploy("0.small.1", 1, 0, "Road", "WE"), commit()),
            *(lay("BA/RFr", -1, 0), *skip()),
            *(lay("FE/CFR", 2, 0, 90), move("RETURN_MEEPLE", source="FESTIVAL", pointer=place)),
        ]
        return text_of(saved(*moves, sets=["festival"], elements={"festival": True}))

    assert "festival:1,0,0,meeple" in import_game(game("0.small.1")).match.actions
    with pytest.raises(BadRecord, match=r"move 8 .*0 decides here; the figure is of player 1"):
        import_game(game("1.small.1"))


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (["BA/RFr"], "move 1 (PLACE_TILE): 'drawOrder' names BA/RFr here, but BA/C is laid"),
        (["BA/C", "BA/C"], "move 4 (PLACE_TILE): 'drawOrder' names BA/C here, but BA/RFr is laid"),
    ],
)
def test_an_order_of_tiles_that_contradicts_the_moves_is_refused(
    order: list[str], message: str
) -> None:
    turns = [lay("BA/C", 0, -1, 180), *skip(), lay("BA/RFr", 1, 0), *skip()]
    with pytest.raises(BadRecord, match=re.escape(message)):
        import_game(text_of(saved(*turns, order=order)))
    discarded = saved(*turns, order=["BA/C", "BA/Cccc+", "BA/RFr"])  # it fits nowhere
    assert "draw:C" in import_game(text_of(discarded)).match.actions
    once = [lay("BA/Cccc+", 0, -1), *skip(), lay("BA/Cccc+", 0, -2)]
    with pytest.raises(BadRecord, match=r"names BA/Cccc\+ here, which cannot be drawn now"):
        import_game(text_of(saved(*once)))


@pytest.mark.parametrize(
    ("slots", "message"),
    [
        ([0, 0], "2 players have the slot 0"),
        ([0, "x"], "a player's 'slot' is 'x', not 0 to 8"),
        ([0, 9], "a player's 'slot' is 9, not 0 to 8"),
    ],
)
def test_players_sit_in_slots_of_their_own(slots: list[object], message: str) -> None:
    game = saved(*TURN)
    for player, slot in zip(game["players"], slots, strict=True):
        player["slot"] = slot
    with pytest.raises(BadRecord, match=message):
        import_game(text_of(game))
    for player, slot in zip(game["players"], (8, 3), strict=True):
        player["slot"] = slot
    assert import_game(text_of(game)).match.seats == ("Ann", "Bob")


def test_a_byte_order_mark_does_no_harm() -> None:
    assert import_game("\ufeff" + text_of(saved(*TURN))).end.scores == [4, 0]


@pytest.mark.parametrize(
    ("name", "shown"),
    [("A\nB", r"'A\\nB'"), ("\x1b[31mred", r"'\\x1b\[31mred'"), ("A\u2028", "'A")],
)
def test_a_name_with_control_characters_is_refused(name: str, shown: str) -> None:
    game = saved(*TURN)
    game["players"][0]["name"] = name
    with pytest.raises(BadRecord, match=f"the name of a player, {shown}.* has a control character"):
        import_game(text_of(game))


@pytest.mark.parametrize(
    ("at", "change", "message"),
    [
        (1, {"location": "_" * 1000}, "'location' is a text of 1000 letters"),
        (1, {"location": "__N"}, "'__N' is no location"),
        (1, {"feature": "x" * 300}, "'feature' is a text of 300 letters"),
        (1, {"position": [10**400, 0]}, "'x' is too large a number"),
        (1, {"position": [0.5, 0]}, "'x' is not a whole number"),
    ],
)
def test_what_is_huge_is_named_by_its_size(at: int, change: dict[str, Any], message: str) -> None:
    moves = deepcopy(TURN)
    moves[at]["payload"]["pointer"] |= change
    with pytest.raises(BadRecord) as refused:
        import_game(text_of(saved(*moves, order=["BA/C", "BA/RFr"])))
    assert message in str(refused.value) and len(str(refused.value)) < 150


def places(data: Any) -> list[tuple[Any, Any]]:
    """Each container inside data with each of its keys."""
    found = []
    keys = list(data) if isinstance(data, dict) else range(len(data))
    for key in keys:
        found.append((data, key))
        if isinstance(data[key], dict | list):
            found += places(data[key])
    return found


def test_a_spoilt_file_is_refused_in_a_sentence() -> None:
    """Values are exchanged for odd ones or left out, one to three at a time."""
    for seed in range(400):
        read_or_refused(seed)


def read_or_refused(seed: int) -> None:
    rng = random.Random(seed)
    data = json.loads(json.dumps(SCENARIO if seed % 4 == 0 else GOOD))
    if rng.random() < 0.7:  # leave moves out that would not be reached
        data["replay"] = data["replay"][: rng.randint(1, 7)] + data["replay"][rng.randint(7, 12) :]
    for _ in range(rng.randint(1, 3)):
        container, key = rng.choice(places(data))
        if rng.random() < 0.2:
            del container[key]
        else:
            container[key] = deepcopy(rng.choice(ODD))
        if not places(data):
            break
    try:
        import_game(json.dumps(data), "game.jcz")
    except BadRecord as error:
        assert str(error).startswith("game.jcz: ")
        assert "\n" not in str(error) and len(str(error)) < 2000


def test_the_commands(run: Run) -> None:
    """A match is played, exported, imported and replayed; the records differ by the first line."""
    play = "play --rules base+inns --bots random,random --seed 1 --record a.jsonl"
    assert run(*play.split())[0] == 0
    assert run("export", "a.jsonl", "--jcz", "--out", "a.jcz")[0] == 0
    code, out, _ = run("import", "a.jcz", "--out", "b.jsonl")
    assert (code, "b.jsonl: base+inns, " in out) == (0, True)
    assert run("replay", "--verify", "b.jsonl")[0] == 0
    first, second = (Path(name).read_text().splitlines() for name in ("a.jsonl", "b.jsonl"))
    assert first[1:] == second[1:]
    assert json.loads(second[0])["deal"] == "given"
    code, out, _ = run("export", "a.jsonl", "--jcz", "--out", "-")
    assert (code, out.endswith(Path("a.jcz").read_text())) == (0, True)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("import none.jcz", "carc: none.jcz: cannot be read: No such file or directory"),
        ("import bytes.jcz", "carc: bytes.jcz: not a text in UTF-8"),
        ("import game.jcz --out none/x.jsonl", "carc: none/x.jsonl cannot be written"),
        ("import game.jcz", "carc: game.jsonl exists already; give another file with --out"),
        ("export game.jsonl --out x.csv", "carc: game.jsonl is no folder of a tournament"),
        ("export game.jcz --jcz --out x.jcz", "carc: game.jcz:1: not a line of JSON"),
    ],
)
def test_commands_answer_in_a_sentence(run: Run, line: str, message: str) -> None:
    Path("bytes.jcz").write_bytes(b"\xff\xfe")
    Path("game.jcz").write_text(json.dumps(saved(), indent=1))
    Path("game.jsonl").write_text("mine")
    assert refused(run(*line.split())).startswith(message)
    assert Path("game.jsonl").read_text() == "mine"


def test_a_good_file_is_the_one_that_is_spoilt() -> None:
    played = import_game(text_of({**GOOD, "replay": GOOD["replay"][:6]}))
    assert played.end.scores == [4, 0]


def test_a_difference_is_told_once_a_move() -> None:
    """What was scored at the end is still there when the big top moves, after it."""
    game = saved()
    replay = Replay(read_saved_game(text_of(game)), Rules.cached("base", 2).start())
    for _ in range(2):
        replay._remark("scores otherwise")
    assert replay.remarks == ["move 0: JCloisterZone scores otherwise"]
