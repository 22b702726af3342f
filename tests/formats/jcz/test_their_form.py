"""Games in the form in which JCloisterZone writes them, with the points that its own tests name.

The games are short scenarios from its tests of the engine, written anew as moves. The form has a
number of the player and a clock in each move, all rules with their values, and ids of clients.
"""

import json
from typing import Any

import pytest
from support.saved_games import Move, deploy, lay, move, pointer, saved

from carc.formats.jcz import import_game

Turn = tuple[int, list[Move]]  # who plays, and the moves

# Every rule with its usual value: many files list them all.
USUAL: dict[str, object] = {
    "princess-action": "may",
    "fairy-placement": "next-follower",
    "dragon-move": "before-scoring",
    "barn-placement": "not-occupied",
    "wagon-move": "C2",
    "bazaar-no-auction": False,
    "hill-tiebreaker": "at-least-one-follower",
    "espace-variant": "any-tile",
    "gq11-pig-herd": "pig",
    "tunnelize-other-expansions": True,
    "more-tunnel-tokens": "3/2",
    "festival-return": "meeple",
    "keep-monasteries": "replace",
    "labyrinth-variant": "advanced",
    "coc-final-scoring": "market-only",
    "count-move": "by-player",
    "little-buildings-scoring": "1/1/1",
    "king-and-robber-scoring": "default",
    "tiny-city-scoring": "4",
}
ALICE, BOB = 0, 1
SKIP = move("PASS")


def written(
    *turns: Turn,
    sets: list[str],
    elements: dict[str, object] | None = None,
    rules: dict[str, object] | None = None,
    is_old: bool = False,
    players: int = 2,
) -> str:
    """A file as JCloisterZone writes it; with `is_old` one from before random numbers."""
    ending: dict[str, object] = {"salt": "-5827435364173433211"} if is_old else {"random": 0.0}
    replay: list[dict[str, Any]] = []
    for player, moves in turns:
        for one in [*moves, move("COMMIT", **ending)]:
            who = one.get("player", player)
            replay.append({**one, "player": who, "clock": 1000 * len(replay)})
    game = saved(sets=sets, elements=elements, rules={**USUAL, **(rules or {})}, players=players)
    first = {"initialSeed": "-68089035891632155"} if is_old else {"initialRandom": 0.0}
    laid = [one["payload"]["tileId"] for one in replay if one["type"] == "PLACE_TILE"]
    data = {
        "appVersion": "5.7.0",
        "gameId": "0c0cbf93652b4bf38ece79ce310b55e3",
        "name": "",
        **first,
        "created": "2021-05-23T05:55:08.148Z",
        "clock": 1000 * len(replay),
        "setup": {**game["setup"], "timer": None, "options": {}},
        "players": [
            {**player, "clientId": "940fcdf0041e4a7e9f8b07c1b8aaab02"} for player in game["players"]
        ],
        "replay": replay,
        "gameAnnotations": {"drawOrder": [tile for tile in laid if tile != "AM/A"]},
    }
    return json.dumps(data, indent=2)


def built(token: str, x: int, y: int) -> Move:
    """A little building is put on a tile."""
    return move("PLACE_TOKEN", token=token, pointer=[x, y])


def church(*last: Turn, monk: list[Move]) -> str:
    """A church that is completed; Alice stands beside it, Bob on the crossing."""
    return written(
        (ALICE, [lay("BA/Rr", 1, 0), deploy("0.small.1", 1, 0, "Road", "SW")]),
        (BOB, [lay("BA/Rr", 1, 1, 90), SKIP]),
        (ALICE, [lay("DA/LRR", 0, 1), *monk]),
        (BOB, [lay("BA/RRRR", 0, 2), deploy("1.small.1", 0, 2, "Road", "S")]),
        (ALICE, [lay("BA/RFr", 1, 2), SKIP]),
        *last,
        (ALICE, [lay("BA/C", -1, 1), SKIP]),
        (BOB, [lay("BA/RCr", -1, 0, 180), SKIP]),
        sets=["darmstadt"],
        is_old=True,
    )


SCENARIOS: list[tuple[str, str, list[int]]] = [
    (
        "the church for most followers around it",
        church(
            (BOB, [lay("BA/RFr", -1, 2), deploy("1.small.2", -1, 2, "Road", "WE")]), monk=[SKIP]
        ),
        [0, 3],
    ),
    (
        "the church for its monk, too",
        church(
            (BOB, [lay("BA/RFr", -1, 2), SKIP]), monk=[deploy("0.small.2", 0, 1, "", "CLOISTER")]
        ),
        [12, 0],
    ),
    (
        "a challenged monastery",
        written(
            (ALICE, [lay("CU/SRCR", 1, 0), deploy("0.small.1", 1, 0, "Monastery", "I")]),
            (BOB, [lay("BA/L", 0, 1), deploy("1.small.1", 0, 1, "Monastery", "I")]),
            (ALICE, [lay("BA/LR", -1, 0, 270), deploy("0.small.2", -1, 0, "Monastery", "I")]),
            (BOB, [lay("BA/Rr", 1, 1, 270), SKIP]),
            (ALICE, [lay("BA/RFr", 2, 0), SKIP]),
            (BOB, [lay("BA/Cc+", 0, -1, 270), SKIP]),
            (ALICE, [lay("BA/CFc+", 1, -1, 90), SKIP]),
            (BOB, [lay("BA/CFc+", -1, -1), SKIP]),
            (ALICE, [lay("BA/RRRR", 3, 0), SKIP]),
            (BOB, [lay("BA/RFr", 2, 1), SKIP]),
            (ALICE, [lay("BA/C", 2, -1), SKIP]),
            sets=["cult/6"],
            elements={"shrine": True},
        ),
        [9, 0],
    ),
    (
        "a watchtower with several followers",
        written(
            (ALICE, [lay("WT/CFRF_2M", 0, -1, 180), deploy("0.small.1", 0, -1, "Road", "N")]),
            (BOB, [lay("BA/RFr", 1, 0), deploy("1.small.1", 1, 0, "Road", "WE")]),
            (ALICE, [lay("CC.1/Rr", 0, -2), SKIP]),
            (
                ALICE,
                [
                    move("CIRCLE_REMOVE_OR_DEPLOY", value="DEPLOY"),
                    {**SKIP, "player": BOB},
                    deploy("0.small.2", 0, -1, "Road", "N"),
                ],
            ),
            (BOB, [lay("BA/RRR", -1, -2), SKIP]),
            sets=["watchtowers", "corn-circles/1"],
        ),
        [15, 0],
    ),
    (
        "little buildings for 3, 2 and 1",
        written(
            (ALICE, [lay("BA/CFc.1", 0, -1, 90), built("LB_SHED", 0, -1)]),
            (BOB, [lay("BA/CFc+", 0, -2, 90), deploy("1.small.1", 0, -2, "", "NS")]),
            (ALICE, [lay("BA/CFc+", 0, -3, 90), built("LB_TOWER", 0, -3)]),
            (BOB, [lay("BA/C", 0, -4, 180), built("LB_HOUSE", 0, -4)]),
            sets=[],
            elements={"little-buildings": 1},
            rules={"little-buildings-scoring": "3/2/1"},
            is_old=True,
        ),
        [0, 20],
    ),
    (
        "the king scores continuously",
        written(
            (ALICE, [lay("BA/CC.2", 0, -1, 270), SKIP]),
            (BOB, [lay("BA/RCr", -1, 0), SKIP]),
            (ALICE, [lay("BA/CC.2", -1, -1, 180), SKIP]),
            sets=["king-and-robber:1"],
            elements={"king": True, "robber": True},
            rules={"king-and-robber-scoring": "continuously"},
            is_old=True,
        ),
        [2, 0],
    ),
    (
        "a mage on a road",
        written(
            (ALICE, [lay("BA/RFr", 1, 0), deploy("0.small.1", 1, 0, "", "WE")]),
            (
                BOB,
                [
                    lay("MW/CRRR.3", -1, 0),
                    move("MOVE_NEUTRAL_FIGURE", figureId="mage.1", to=pointer(0, 0, "", "WE")),
                    SKIP,
                ],
            ),
            (ALICE, [lay("BA/RCr", 2, 0), SKIP]),
            (BOB, [lay("BA/RRRR", 3, 0), SKIP]),
            sets=["mage-and-witch:1"],
            elements={"mage": 1, "witch": 1},
            is_old=True,
        ),
        [10, 0],
    ),
]


@pytest.mark.parametrize(
    ("text", "points"), [each[1:] for each in SCENARIOS], ids=[each[0] for each in SCENARIOS]
)
def test_their_scenarios_score_what_their_tests_say(text: str, points: list[int]) -> None:
    imported = import_game(text)
    assert imported.end.scores == points
    assert not imported.is_finished


def test_an_abbey_is_where_a_wagon_moves_on_to() -> None:
    """By the older rule, from a road of five tiles that ends at it."""
    moves: list[Turn] = [
        (ALICE, [lay("BA/RFr", -1, 0), SKIP]),
        (BOB, [lay("BA/Rr", 1, 0, 90), deploy("1.wagon.1", 1, 0, "Road", "NW")]),
        (ALICE, [lay("BA/Rr", 1, -1), SKIP]),
        (BOB, [lay("BA/L", -1, -1), SKIP]),
        (ALICE, [lay("BA/L", 1, -2), SKIP]),
        (BOB, [lay("BA/L", 0, -2), SKIP]),
        (ALICE, [lay("AM/A", 0, -1), SKIP]),
        (BOB, [lay("BA/RRRR", -2, 0), SKIP]),
        (BOB, [deploy("1.wagon.1", 0, -1, "Monastery", "I")]),
    ]
    text = written(
        *moves,
        sets=["abbey-and-mayor:1"],
        elements={"abbey": 1, "barn": 1, "mayor": 1, "wagon": 1},
        rules={"wagon-move": "C1"},
    )
    imported = import_game(text)
    assert imported.match.rules == "base+abbey(wagon=touching)"
    assert imported.end.scores == [0, 5]
    assert "wagon:0,-1,0,wagon" in imported.match.actions
