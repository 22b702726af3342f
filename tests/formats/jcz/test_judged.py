"""Every file that we write keeps JCloisterZone's order of moves and its numbers of figures."""

import json
from contextlib import suppress
from copy import deepcopy
from itertools import pairwise
from typing import Any

import pytest
from support.judged_files import faults, misnumbered

from carc import Match, Rules, play
from carc.bots import by_name
from carc.errors import BadRules
from carc.formats.jcz import export_game
from carc.formats.jcz.boxes import BOXES

OPTIONS = {
    "bridges": "bridges(bridges=own)",
    "flier": "flier(fields=off)",
    "windroses": "windroses(start=rose)",
}
MIXED = [
    "base+abbey+bridges(bridges=own)+dragon+flier(fields=off)+gold+hills+inns+tower+traders",
    "base+abbot+crops+festival+mage+river(part=both)+russian+siege",
    "base+count+dragon(moves=after)+phantom+tower+tunnel",
    "base+abbot+festival+phantom+tower+traders",
    "base+bigtop+bridges(bazaars=choose,bridges=own)+ferries+phantom+traders",
]


def played(spec: str, players: int, seed: int) -> tuple[Match, str]:
    """A random game, and its file."""
    rules = Rules.from_spec(spec, players)
    match = play(rules, [by_name("random", seat) for seat in range(players)], seed=seed)
    return match, export_game(match, rules)


def exported(spec: str, players: int, seed: int) -> str:
    return played(spec, players, seed)[1]


def first_exported(spec: str, players: int) -> tuple[Match, str]:
    """The first game that JCloisterZone plays alike, and its file."""
    for seed in range(players, players + 20):
        with suppress(BadRules):
            return played(spec, players, seed)
    raise AssertionError(f"no game of {spec} can be exported")


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize(
    "spec", ["base", *(f"base+{OPTIONS.get(name, name)}" for name in BOXES), *MIXED]
)
def test_a_file_keeps_their_order_and_their_numbers(spec: str, players: int) -> None:
    match, text = first_exported(spec, players)
    game = json.loads(text)
    assert faults(game) == []
    assert misnumbered(game, match) == []


def test_who_completes_an_own_city_is_put_down_under_a_free_number() -> None:
    """Seed 2 of four random players: a follower goes home as the next one comes."""
    for seed in range(2, 6):
        match, text = played("base", 4, seed)
        assert misnumbered(json.loads(text), match) == []


def spoil(game: dict[str, Any], how: str) -> dict[str, Any]:
    """A file with one mistake."""
    game = deepcopy(game)
    replay = game["replay"]
    commit = next(i for i, m in enumerate(replay) if m["type"] == "COMMIT")
    deployed = [m for m in replay if m["type"] == "DEPLOY_MEEPLE"]
    match how:
        case "a turn is not confirmed":
            del replay[commit]
        case "another player confirms it":
            replay[commit]["player"] ^= 1
        case "a number is missing":
            del replay[commit]["payload"]["random"]
        case "a number too many":
            replay[0]["payload"]["random"] = 0.5
        case "the dragon moves before the follower":
            at = next(i for i, m in enumerate(replay) if _moves_dragon(m))
            replay.insert(at + 1, deepcopy(deployed[0]))
    return game


def _moves_dragon(message: dict[str, Any]) -> bool:
    return str(message["payload"].get("figureId")).startswith("dragon")


@pytest.mark.parametrize(
    "how",
    [
        "a turn is not confirmed",
        "another player confirms it",
        "a number is missing",
        "a number too many",
        "the dragon moves before the follower",
    ],
)
def test_the_judge_notices(how: str) -> None:
    game = json.loads(exported("base+dragon", 2, 3))
    assert faults(game) == []
    assert faults(spoil(game, how))


def test_the_judge_notices_a_figure_that_stands_there_already() -> None:
    match, text = played("base", 2, 3)
    game = json.loads(text)
    mine = [m for m in game["replay"] if m["type"] == "DEPLOY_MEEPLE" and m["player"] == 0]
    first, second = mine[0]["payload"], mine[1]["payload"]
    assert first["meepleId"] == "0.small.1"
    second["meepleId"] = "0.small.1" if second["meepleId"] != "0.small.1" else "0.small.2"
    assert misnumbered(game, match)


def types_after(spec: str, action: str, seeds: range) -> list[list[str]]:
    """The kinds of moves from one that stands for an action to the end of the turn."""
    found = []
    for seed in seeds:
        replay = json.loads(exported(spec, 3, seed))["replay"]
        for at, message in enumerate(replay):
            if (
                message["payload"].get("token") == action
                or message["payload"].get("source") == action
            ):
                end = next(i for i in range(at, len(replay)) if replay[i]["type"] == "COMMIT")
                found.append([one["type"] for one in replay[at : end + 1]])
    return found


def test_a_phantom_is_declined_where_they_ask_for_one_and_we_do_not() -> None:
    """After a piece on a tower; not where there is no place for it, or it is not at home."""
    declined = [kinds[-2] for kinds in types_after("base+phantom+tower", "TOWER_PIECE", range(3))]
    assert "PASS" in declined and set(declined) != {"PASS"}


def test_who_lies_in_a_monastery_is_pointed_to_where_they_have_him() -> None:
    """An abbot is taken back from where he lies."""
    seen = 0
    for seed in range(12):
        replay = json.loads(exported("base+abbot+monasteries", 2, seed))["replay"]
        lying: set[str] = set()
        for message in replay:
            payload = message["payload"]
            if message["type"] == "DEPLOY_MEEPLE":
                lies = payload["pointer"]["location"] == "AS_ABBOT"
                (lying.add if lies else lying.discard)(payload["meepleId"])
            elif message["type"] == "RETURN_MEEPLE":
                place = payload["pointer"]["featurePointer"]["location"]
                assert (place == "AS_ABBOT") == (payload["pointer"]["meepleId"] in lying)
                seen += place == "AS_ABBOT"
    assert seen


def test_a_ransom_after_a_tunnel_token_is_written_before_the_tile() -> None:
    """There, nobody puts down whom they buy free when the token has ended what else they do."""
    paid = 0
    for seed in range(40):
        replay = json.loads(exported("base+tower+tunnel", 2, seed))["replay"]
        for before, ransom in pairwise(replay):
            if ransom["type"] == "PAY_RANSOM":
                paid += 1
                assert before["type"] == "COMMIT" or "TUNNEL" not in str(before["payload"])
    assert paid


def test_a_quarter_is_named_by_a_rose_that_lies_there() -> None:
    """Their engine stops where no rose lies yet; from its own start there is one."""
    said = 0
    for seed in range(8):
        try:
            exported("base+windroses", 2, seed)
        except BadRules as error:
            said += "play windroses(start=rose)" in str(error)
    assert 0 < said < 8


def replay_of(spec: str, players: int, seed: int) -> list[dict[str, Any]]:
    moves: list[dict[str, Any]] = json.loads(exported(spec, players, seed))["replay"]
    return moves


def test_gold_is_written_only_where_they_ask_for_it() -> None:
    """Beside one tile alone nobody is asked, there or here."""
    rules = Rules.from_spec("base+gold", 2)
    for seed in range(6):
        match = play(rules, [by_name("random", seat) for seat in range(2)], seed=seed)
        asked = sum(action.startswith("gold:") for action in match.actions)
        text = export_game(match, rules)
        assert text.count('"GOLD"') == asked


def test_without_bids_nobody_declines_one() -> None:
    chosen = 0
    for seed in range(4):
        replay = replay_of("base+bridges(bazaars=choose,bridges=own)", 3, seed)
        for message, following in pairwise(replay):
            if message["type"] == "BAZAAR_BID":
                chosen += 1
                assert message["payload"]["price"] == 0
                assert following["type"] in ("BAZAAR_BID", "PLACE_TILE")
    assert chosen


def test_a_phantom_is_declined_after_the_fairy() -> None:
    """Where there is room on the tile and it is at home, they ask."""
    after = []
    for seed in range(6):
        replay = replay_of("base+dragon+phantom", 2, seed)
        after += [
            following["type"]
            for message, following in pairwise(replay)
            if str(message["payload"].get("figureId")).startswith("fairy")
        ]
    assert "PASS" in after and "COMMIT" in after
