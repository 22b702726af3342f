"""Who decided what: what only can be done we do before a file says it, and they ask for it.

Their client's files have numbers that say what is drawn, so a move that is passed over or read too
late draws another tile.
"""

import json
from functools import cache
from typing import Any

import pytest
from support.saved_games import Move, drawn_by_numbers, lay, move, saved, skip, text_of

from carc import Match, Rules, play
from carc.bots import by_name
from carc.errors import BadRecord
from carc.formats.jcz import export_game, import_game


@cache
def played(spec: str, players: int, seed: int) -> tuple[Rules, Match]:
    """A random game."""
    rules = Rules.from_spec(spec, players)
    return rules, play(rules, [by_name("random", seat) for seat in range(players)], seed=seed)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("spec", ["base+dragon", "base+crops", "base+flier(fields=off)"])
def test_a_game_as_their_client_saves_it_comes_in(spec: str, players: int, seed: int) -> None:
    rules, match = played(spec, players, seed)
    game = drawn_by_numbers(json.loads(export_game(match, rules)), match, rules)
    imported = import_game(text_of(game))
    assert imported.match.actions == match.actions
    assert imported.match.result == match.result


FORCED = {
    "base+dragon": "MOVE_NEUTRAL_FIGURE",
    "base+crops": "RETURN_MEEPLE",
    "base+flier(fields=off)": "DEPLOY_MEEPLE",
}


@pytest.mark.parametrize("spec", FORCED)
def test_more_moves_are_written_than_were_asked_for_here(spec: str) -> None:
    """What was forced has a move of its own; without it the game would stop there."""
    verbs = ("dragon:", "take:", "land:", "claim:", "fly:", "portal:", "fairy:")
    more = 0
    for seed in range(1, 8):
        rules, match = played(spec, 2, seed)
        written = [m["type"] for m in json.loads(export_game(match, rules))["replay"]]
        kinds = {"base+dragon": ("dragon:", "fairy:"), "base+crops": ("take:",)}
        ours = [a for a in match.actions if a.startswith(kinds.get(spec, verbs))]
        more += written.count(FORCED[spec]) - len(ours)
    assert more > 0


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_ransom_goes_to_who_holds_the_figure(seed: int) -> None:
    rules, match = played("base+tower", 3, seed)
    imported = import_game(export_game(match, rules))
    assert imported.match.actions == match.actions
    assert imported.end.scores == [*match.result.scores]


def test_a_prisoner_whom_nobody_holds_is_named() -> None:
    turns = [lay("BA/RFr", 1, 0), move("PAY_RANSOM", meepleId="1.small.3")]
    with pytest.raises(BadRecord, match=r"move 2 \(PAY_RANSOM\): nobody has captured 1.small.3"):
        import_game(text_of(saved(*turns, sets=["tower:1"], elements={"tower": 1})))


def mines(*turns: Any) -> tuple[str, ...]:
    """The actions of a game with goldmines."""
    game = saved(*turns, sets=["goldmines"], elements={"gold": True})
    return import_game(text_of(game)).match.actions


def gold(x: int, y: int) -> Move:
    """The second ingot, whose place is written without more."""
    return {**move("PLACE_TOKEN", token="GOLD", pointer=[x, y])}


def test_gold_is_put_where_the_file_says() -> None:
    actions = mines(
        *(lay("BA/RFr", 1, 0), *skip()), *(lay("GO/CRcr", 0, -1, 90), gold(1, 0), *skip())
    )
    assert "gold:1,0" in actions


def test_a_forced_ingot_does_not_swallow_a_later_choice() -> None:
    """Beside the first mine there is one tile, so nobody is asked; then the same cell is chosen."""
    actions = mines(
        *(lay("GO/CRcr", 0, -1, 90), *skip()), *(lay("GO/RrRr", 1, 0), gold(0, 0), *skip())
    )
    assert [action for action in actions if action.startswith("gold:")] == ["gold:0,0"]


def test_a_forced_ingot_elsewhere_is_refused() -> None:
    with pytest.raises(BadRecord, match=r"move 2 \(PLACE_TOKEN\): gold:5,5 is not legal now"):
        mines(lay("GO/CRcr", 0, -1, 90), gold(5, 5))


def test_a_ransom_is_paid_before_the_tile_there_and_after_it_here() -> None:
    """There who is bought free later in the turn cannot be put down in it; either comes in."""
    games = (played("base+tower", 3, seed) for seed in range(1, 20))
    rules, match = next(game for game in games if any("ransom" in a for a in game[1].actions))
    game = json.loads(export_game(match, rules))
    replay = game["replay"]
    at = next(i for i, m in enumerate(replay) if m["type"] == "PAY_RANSOM")
    assert replay[at + 1]["type"] == "PLACE_TILE"
    assert import_game(text_of(game)).match.actions == match.actions
    replay[at], replay[at + 1] = replay[at + 1], replay[at]
    imported = import_game(text_of(game))
    assert imported.match.actions == match.actions
