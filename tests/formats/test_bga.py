"""Logs of BoardGameArena."""

import json
import random
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from support import bga_logs
from support.fuzzed import ODD, PYTHONS, changed

from carc import Match, Rules, play, read_record, replay
from carc.bots import by_name
from carc.errors import BadRecord
from carc.formats import bga_tiles, import_games

SET_ASIDE = 34  # the seed of a game in which a tile fits nowhere


@cache
def played(seed: int = 1, players: int = 2) -> Match:
    """A game of two or more."""
    return play("base", [by_name("random", seed=seat + 1) for seat in range(players)], seed=seed)


def game(text: str) -> Match:
    """The one game in a text."""
    (imported,) = import_games(text, "log.json")
    assert imported.is_finished and not imported.remarks
    return imported.match


@pytest.mark.parametrize("kind", [name for name, _, _ in bga_logs.pictures()])
def test_places_for_followers_are_those_of_the_pictures(kind: str) -> None:
    """A monastery first, then roads, cities, fields; fields from the north west on."""
    number = next(n for n, (name, _, _) in enumerate(bga_logs.pictures(), 1) if name == kind)
    assert bga_tiles.kind_of_type(number) == kind and bga_tiles.type_of_kind(kind) == number
    for segment, place in bga_logs.places(kind).items():
        assert bga_tiles.segment_at(kind, place) == segment
        assert bga_tiles.place_of(kind, segment) == place
    with pytest.raises(BadRecord, match="no place"):
        bga_tiles.segment_at(kind, max(bga_logs.places(kind).values()) + 1)


@pytest.mark.parametrize("form", ["data", "logs"])
@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("text_numbers", [False, True])
def test_a_log_is_the_game(form: str, players: int, text_numbers: bool) -> None:
    match = played(3, players)
    log = bga_logs.log(match, form=form, text_numbers=text_numbers)
    imported = game(json.dumps(log))
    assert imported.actions == match.actions and imported.seats == match.seats
    assert imported.result == match.result
    record = read_record(imported.to_text())
    assert record.deal == "given"
    replay(record, Rules.from_spec("base", players))


def test_tiles_that_fit_nowhere_are_set_aside() -> None:
    match = played(SET_ASIDE)
    turns = bga_logs.told(match)
    assert any("ori" not in turn for turn in turns)
    assert game(json.dumps(bga_logs.log(match))).actions == match.actions


def test_events_that_come_on_several_channels_count_once() -> None:
    log = bga_logs.log(played())
    for number, packet in enumerate(log["data"]["data"]):
        for at, event in enumerate(packet["data"]):
            event["uid"] = f"{number}-{at}"
    log["data"]["data"] = [each for each in log["data"]["data"] for _ in range(2)]
    assert game(json.dumps(log)).actions == played().actions


def test_other_scores_are_told() -> None:
    log = bga_logs.log(played())
    result = log["data"]["data"][-1]["data"][0]["args"]["args"]["result"]
    first, second = played().result.scores
    result[1]["score"] = first + 3
    (imported,) = import_games(json.dumps(log))
    assert imported.remarks == (
        f"the log has the final scores {first + 3}, {second}; by carc's rules: {first}, {second}",
    )


def test_a_log_that_ends_early_is_a_game_saved_before_its_end() -> None:
    log = bga_logs.log(played())
    del log["data"]["data"][40:]
    (imported,) = import_games(json.dumps(log))
    assert not imported.is_finished
    assert imported.match.actions == played().actions[: len(imported.match.moves)]


def spoilt(kind: str, at: int, **change: Any) -> str:
    """A log in which one event of a kind is changed; None takes a value away."""
    log = bga_logs.log(played(SET_ASIDE))
    events = [event for packet in log["data"]["data"] for event in packet["data"]]
    event = [each for each in events if each["type"] == kind][at]
    event["args"] |= change
    event["args"] = {key: value for key, value in event["args"].items() if value is not None}
    return json.dumps(log)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"playTile"', "no log of BoardGameArena: not JSON"),
        ("[" * 100_000 + '"playTile"', "no log of BoardGameArena: nested more than 32 deep"),
        (f'{{"playTile": {"9" * 5000}}}', "no log of BoardGameArena: a number has too many digits"),
        ('{"playTile": 1}', "no list of packets"),
        ('{"data": {"data": [{"data": [{"type": "gameStateChange"}]}]}}', "no tile is laid"),
        (spoilt("playTile", 5, type=25), "turn 6: tile type 25 is none of the base game"),
        (spoilt("playTile", 5, type=None), "turn 6: 'type' is missing"),
        (spoilt("playTile", 5, x=10**30), "turn 6: 'x' is missing or no whole number"),
        (spoilt("playTile", 5, x=500), "turn 6: tile . does not fit at 500,"),
        (spoilt("playTile", 5, y=True), "turn 6: 'y' is missing or no whole number"),
        (spoilt("playTile", 5, ori=5), "turn 6: 'ori' is 5, not 1 to 4"),
        (spoilt("playTile", 5, player_id=[1]), "turn 6: 'player_id' is missing"),
        (spoilt("playTile", 0, player_name=7), "turn 1: the name of a player is not a text"),
        (spoilt("playTile", 0, player_name="\ud800"), "turn 1: the name .* half a character"),
        (
            spoilt("playTile", 7, player_id="9000"),
            "turn 8: random plays, but it is the turn of random",
        ),
        (spoilt("playTile", 7, player_id="1"), "turn 3: random plays, but it is the turn of"),
        (spoilt("playPartisan", 0, pos=9), r"turn \d+: tile . has no place 9 for a follower"),
        (spoilt("playPartisan", 0, pos=0), r"turn \d+: 'pos' is 0"),
        (spoilt("playPartisan", 0, id=99), r"turn \d+: a follower is put on tile '99'"),
        (
            spoilt("playPartisan", 0, ptype="abbot"),
            r"turn \d+: this figure is none of the base game",
        ),
        (spoilt("playPartisan", 0, player_id="1"), r"turn \d+: the follower is not of the player"),
        (spoilt("cantPlay", 0, tile_id=73), "there is no tile 73 in the base game"),
        (spoilt("cantPlay", 0, tile_id=40), "tile U was set aside, but it fits somewhere"),
    ],
)
def test_a_damaged_log_is_refused_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(BadRecord, match=message) as refused:
        import_games(text, "log.json")
    assert str(refused.value).startswith("log.json: ") and "\n" not in str(refused.value)


def test_a_log_changed_at_random_is_read_or_refused() -> None:
    for seed in range(300):
        refused_in_a_sentence(changed_log(seed))


def changed_log(seed: int) -> str:
    rng = random.Random(seed)
    log: Any = deepcopy(bga_logs.log(played(), form=rng.choice(("data", "logs"))))
    packets = log["data"].get("data", log["data"].get("logs"))
    del packets[rng.randint(4, 30) :]
    for _ in range(rng.randint(1, 3)):
        if rng.random() < 0.5:
            event = rng.choice([each for packet in packets for each in packet["data"]])
            args = event["args"][0] if isinstance(event["args"], list) else event["args"]
            args[rng.choice(list(args))] = rng.choice(ODD)
        else:
            log = changed(log, rng)
            break
    text = json.dumps(log)
    if rng.random() < 0.2:
        text = text[: rng.randrange(len(text))]
    return text


def refused_in_a_sentence(text: str) -> None:
    """Read a text; whatever is wrong with it is said in a sentence."""
    try:
        import_games(text, "x")
    except BadRecord as error:
        said = str(error)
        assert said.startswith("x") and "\n" not in said and len(said) < 400
        assert not PYTHONS.search(said.partition("not JSON")[0])


def test_records_of_carc_are_read_and_checked() -> None:
    text = played().to_text()
    (imported,) = import_games(text)
    assert imported.match == played() and imported.is_finished
    lines = text.splitlines(keepends=True)
    (cut,) = import_games("".join(lines[:30]))
    assert not cut.is_finished
    with pytest.raises(BadRecord, match=r"log\.jsonl:3: "):
        import_games("".join([*lines[:2], *lines[3:]]), "log.jsonl")
