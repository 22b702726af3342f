"""What is found is better than its rivals beyond chance, and was missed."""

import random
from collections.abc import Sequence
from statistics import fmean
from types import SimpleNamespace
from typing import Any, cast

import pytest
from support.late_games import before_draw, match_from
from support.puzzles import position, positions

from carc import Match, play
from carc.analysis.difference import Difference
from carc.analysis.outlook import Appraiser
from carc.analysis.position import Comparison
from carc.bots import by_name
from carc.puzzles import deeper, finding
from carc.puzzles.deeper import Contender, Ending
from carc.puzzles.finding import find_puzzles
from carc.puzzles.turns import after_turn, look_of, turn_of, turn_played


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a quicker bot play on."""
    monkeypatch.setattr(finding, "BOT", "greedy")


def games(spec: str = "base", count: int = 3) -> list[tuple[str, Match]]:
    """Games in which one player overlooks much."""
    names = ["greedy", "greedy:overlook=0.6"]
    return [
        (str(seed), play(spec, [by_name(name, seed) for name in names], seed=seed))
        for seed in range(count)
    ]


@pytest.mark.long
def test_puzzles_were_missed_and_their_answers_are_better_on_other_deals(quick: None) -> None:
    puzzles = list(find_puzzles(games(), seed=1))
    assert len(puzzles) > 1
    gained = []
    for puzzle in puzzles:
        state = puzzle.position()
        answer = look_of(state, puzzle.answer)
        assert look_of(state, puzzle.greedy) != answer or look_of(state, puzzle.played) != answer
        margins = [rival.margin for rival in puzzle.rivals]
        assert margins == sorted(margins) and puzzle.margin == margins[0]
        assert all(rival.margin - rival.error > finding.LEAST for rival in puzzle.rivals)
        rival = puzzle.rivals[0].turn
        gained.append(
            fmean(lead(state, puzzle.answer, n) - lead(state, rival, n) for n in range(60))
        )
        # The gains by kind add up to the margin.
        own, others = (sum(column) for column in zip(*puzzle.gains.values(), strict=True))
        assert own - others == pytest.approx(puzzle.margin, abs=0.1)
    assert fmean(gained) > finding.LEAST
    assert fmean(gained) == pytest.approx(fmean(puzzle.margin for puzzle in puzzles), abs=1.5)


def lead(state: Any, turn: Sequence[str], seed: int) -> int:
    """The lead at the end when bots play on after a turn, on a deal of the test's own."""
    bots = [by_name("greedy", seed), by_name("greedy", seed)]
    scores = play(state.rules, bots, seed=7_000 + seed, start=after_turn(state, turn)).result.scores
    player = state.current_player
    return scores[player] - scores[1 - player]


@pytest.mark.long
def test_the_same_seed_finds_the_same_puzzles_in_any_number_of_processes(quick: None) -> None:
    some = games()[1:2]
    told: list[tuple[int, int]] = []
    alone = [
        each.to_line() for each in find_puzzles(some, seed=1, progress=lambda *n: told.append(n))
    ]
    assert alone and alone == [each.to_line() for each in find_puzzles(some, seed=1, jobs=2)]
    assert told == [(n + 1, told[-1][1]) for n in range(told[-1][1])]


def test_only_the_later_part_of_games_of_rivals_that_begin_at_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left = []
    monkeypatch.setattr(
        finding, "_first_look", lambda _, state, *__: left.append(state.tiles_left) or []
    )
    assert list(find_puzzles(games(count=1))) == []
    assert sorted(left) == list(range(1, 31))
    left.clear()
    team = play("mists:1", [by_name("careful", 1), by_name("careful", 2)])
    assert list(find_puzzles([("late", match_from(3, "greedy,greedy")), ("team", team)])) == []
    assert left == []


def test_the_same_deals_for_all_turns_and_another_one_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[tuple[str, ...]] = []

    def watched(*words: Any, **more: Any) -> Match:
        match = play(*words, **more)
        drawn.append(tuple(a for a in match.actions if a.startswith("draw:"))[:3])
        return match

    monkeypatch.setattr(deeper, "play", watched)
    state = position(positions()[40])
    turns = {look_of(state, turn): turn for turn in (some_turn(state, n) for n in range(9))}
    first, second, *_ = [Contender(state, turn) for turn in turns.values()]
    for each in (first, second):
        each.play_on("greedy", range(6))
    assert drawn[:6] == drawn[6:]
    assert len(set(drawn)) > 3  # the order of the tiles is not known
    again = Contender(state, first.turn)
    again.play_on("greedy", range(6))
    by = first.advantage(again)
    assert (by.mean, by.standard_error) == (0, 0)


def some_turn(state: Any, seed: int) -> tuple[str, ...]:
    return turn_of(by_name("random", seed), state)


def test_the_last_turn_of_a_game_needs_no_play() -> None:
    state = before_draw("base", 2, 1, 5)
    while state.current_player < 0:
        state.apply(state.legal_actions()[0])
    contender = Contender(state, some_turn(state, 1))
    contender.play_on("greedy", range(3))
    after = after_turn(state, contender.turn)
    player = state.current_player
    lead = after.scores[player] - after.scores[1 - player]
    assert after.is_terminal and [each.margin for each in contender.endings] == [lead] * 3


class Made:
    """A contender whose games end as a random number says."""

    def __init__(self, mean: float, seed: int) -> None:
        self.endings: list[Ending] = []
        self._mean, self._rng = mean, random.Random(seed)

    def play_on(self, bot: str, deals: Sequence[int]) -> None:
        self.endings += [Ending(self._rng.gauss(self._mean, 5), {}) for _ in deals]

    advantage = Contender.advantage


def confirmed(margin: float, times: int) -> float:
    """The share of turns that are taken for puzzles if the answer is ahead by so many points."""
    looks = []
    for seed in range(times):
        answer, rival = cast("list[Contender]", [Made(margin, seed), Made(0, times + seed)])
        looks.append(finding._deeper_look(answer, [rival], 0))
    return fmean(looks)


def test_an_answer_that_is_no_better_than_the_least_is_confirmed_once_in_forty_times() -> None:
    """A two-sided interval of 95 %, whatever the number of looks."""
    assert confirmed(finding.LEAST, 2000) < 0.025 + 0.01
    assert confirmed(0, 500) == 0
    assert confirmed(6, 500) > 0.9


class Compared:
    """A comparison that finds a turn ahead of the others by what is written there."""

    def difference(self, ahead: str, behind: str, player: int, most: int, seed: int) -> Difference:
        assert ahead == "best"
        return Difference(0.0, float(behind))


@pytest.mark.parametrize(
    ("close", "kept"),
    [
        (["5", "3", "9", "4"], ["best", "3", "4"]),  # the closest two, the closest first
        (["5", "1.9", "9"], []),  # one is as good
        (["2.1"], ["best", "2.1"]),
    ],
)
def test_the_comparison_of_an_analysis_leaves_out_what_is_hardly_better(
    close: list[str], kept: list[str]
) -> None:
    compared: Any = Compared()
    candidates: list[Any] = ["best", *close]
    found: list[Any] = finding._second_look(compared, candidates, 0, 1)
    assert found == kept
    assert finding._second_look(compared, [], 0, 1) == []


def test_each_deeper_look_is_on_deals_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    class Asked(Made):
        def play_on(self, bot: str, deals: Sequence[int]) -> None:
            assert bot == finding.BOT
            asked.extend(deals)
            super().play_on(bot, deals)

    answer, rival = cast("list[Contender]", [Asked(4, 1), Made(0, 2)])
    finding._deeper_look(answer, [rival], 2**32 - 1)
    assert len(answer.endings) == len(rival.endings) == len(set(asked)) > finding.DEALS


def test_a_turn_that_all_found_is_no_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    state = position(positions()[60])
    comparison = Comparison(Appraiser(state.rules))
    other = some_turn(state, 1)
    best, *close = finding._first_look(comparison, state, 1, [other, other])
    assert look_of(state, other) in [look_of(state, tuple(map(str, e.actions))) for e in close]
    found = tuple(map(str, best.actions))
    assert finding._first_look(comparison, state, 1, [found, found]) == []
    assert finding._first_look(comparison, state, 1, [found, other])
    monkeypatch.setattr(finding, "_FEWEST_TURNS", 1000)
    assert finding._first_look(comparison, state, 1, [found, other]) == []


def test_a_turn_ends_where_a_builder_brings_another_tile() -> None:
    actions = ["place:1,0,1", "claim:0,meeple", "place:2,0,1", "pass", "draw:V"]
    players = [0, 0, 0, 0, -1]
    moves = [SimpleNamespace(player=p, action=a) for p, a in zip(players, actions, strict=True)]
    match: Any = SimpleNamespace(moves=moves)
    assert turn_played(match, 0) == ("place:1,0,1", "claim:0,meeple")
    assert turn_played(match, 2) == ("place:2,0,1", "pass")
