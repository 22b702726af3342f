"""`tools/measure_people.py`: what bots gain on the turns of people, played on on the same deals."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from statistics import fmean

import pytest
from measure_people import decisions, gains, main

from carc import Match, State, play
from carc.bots import by_name
from carc.puzzles.turns import after_turn, turn_of


@cache
def game() -> Match:
    return play("base", [by_name("random", 1), by_name("random", 2)], seed=2)


def test_every_turn_of_a_game_but_the_last() -> None:
    told = [action for _, turn in decisions("g", game()) for action in turn]
    chosen = [move.action for move in game().moves if not move.action.startswith("draw:")]
    assert told == chosen[: len(told)] and 1 <= len(chosen) - len(told) <= 2


def test_a_turn_gains_what_it_ends_ahead_on_the_same_deals_and_the_same_turn_nothing() -> None:
    state, played = list(decisions("g", game()))[-9]
    turn = turn_of(by_name("greedy", 5), state)
    assert turn != played
    (same, gained) = (gains(state, t, ["greedy"], "random", range(5, 9)) for t in (turn, played))
    assert same == [None]
    assert gained == [
        fmean(lead(state, turn, deal) - lead(state, played, deal) for deal in range(5, 9))
    ]


def lead(state: State, turn: Sequence[str], deal: int) -> int:
    """The lead of the player at the end when `random` plays on after a turn."""
    bots = [by_name("random", deal + seat) for seat in range(2)]
    scores = play(state.rules, bots, deal, start=after_turn(state, turn)).result.scores
    player = state.current_player
    return scores[player] - scores[1 - player]


def test_a_row_for_each_bot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game().write(tmp_path / "g.jsonl")
    words = ["--bots", "random,greedy", "--by", "random", "--positions", "2", "--deals", "2"]
    main([str(tmp_path), *words])
    *_, one, other = capsys.readouterr().out.splitlines()
    assert one.startswith("| `random` | ") and other.startswith("| `greedy` | ")
