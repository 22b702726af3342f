"""The runner plays the schedule minus the ledger, whatever becomes of its workers.

The game is the flip of a coin.
"""

import os
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from support.flips import Make, Play, flip, flip_slowly, ids, schedule

from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.stages import MOST_VOIDS, Cause, HostFailure
from carc.tournaments.outcomes.verdicts import OK, VOID
from carc.tournaments.rating.ratings import leaderboard
from carc.tournaments.running import runner
from carc.tournaments.running.playing import void
from carc.tournaments.running.pool import LocalPool, WorkerDied
from carc.tournaments.running.runner import PlayOne, run
from carc.tournaments.schedule.games import Game


def flip_unless_doomed(game: Game) -> Outcome:
    """A game in which bot x kills the worker."""
    if any(bot.name == "x" for bot in game.seats):
        os.kill(os.getpid(), signal.SIGKILL)
    return flip(game)


def flip_after_one_death(game: Game) -> Outcome:
    """A game that kills its worker the first time; the bots' spec is a folder that remembers."""
    try:
        Path(game.seats[0].spec, game.id).touch(exist_ok=False)
    except FileExistsError:
        return flip(game)
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def remembering(folder: Path) -> str:
    (folder / "memory").mkdir()
    return str(folder / "memory")


def flip_the_first_later(game: Game) -> Outcome:
    return flip_after_one_death(game) if game.deal == 0 else flip(game)


def flip_unless_broken(game: Game) -> Outcome:
    if any(bot.name == "x" for bot in game.seats):
        raise ZeroDivisionError("the engine is broken")
    return flip(game)


def flip_unless(broken: str, game: Game) -> Outcome:
    """The game of this id is void."""
    failure = HostFailure(Cause.PROGRAM, "the machine is broken")
    return void(game, failure) if game.id == broken else flip(game)


def flip_or_hang(game: Game) -> Outcome:
    if any(bot.name == "x" for bot in game.seats):
        time.sleep(60)
    return flip(game)


def flip_slower_and_slower(game: Game) -> Outcome:
    """Fast games, and from some deal on ones that take a tenth of a second."""
    if game.deal >= 20:
        time.sleep(0.1)
    return flip(game)


def flip_then_hang(game: Game) -> Outcome:
    """Fast games, and one that does not end."""
    if game.deal == 20:
        time.sleep(60)
    return flip(game)


def test_all_games_are_played_once(play: Play, configuration: Make) -> None:
    made = configuration("abcd", tables=[2, 3], deals=10)
    assert [outcome.id for outcome in play(made)] == ids(made)


def test_the_board_knows_neither_the_number_of_workers_nor_the_order(
    tmp_path: Path, configuration: Make
) -> None:
    made = configuration("abcd", tables=[2, 3], deals=3)
    boards = []
    for jobs, games in ((1, schedule(made)), (3, schedule(made)[::-1])):
        with Ledger.writing(tmp_path / str(jobs), made) as ledger, LocalPool(jobs) as pool:
            run([games], ledger, pool, stop=threading.Event(), play=flip)
            boards.append(leaderboard(list(ledger.outcomes())))
    assert boards[0] == boards[1]


def test_a_worker_that_dies_after_its_last_game_loses_none(
    tmp_path: Path, configuration: Make
) -> None:
    made = configuration("ab")
    with Ledger.writing(tmp_path, made) as ledger, LocalPool(1) as pool:
        work = runner.Run([[]], ledger, pool, advance=lambda done: None, play=flip)
        work._after_death(deque(), WorkerDied("worker 1 was killed by SIGKILL"))
        work.step()
        work.step()
        assert work.over
        assert ledger.ids() == set()


def test_a_task_ends_in_time_whatever_its_games_take(
    configuration: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "BATCH_SECONDS", 0.05)
    games = schedule(configuration("abcd", tables=[2, 3], deals=20))
    assert 0 < len(list(runner.play_batch(flip_slowly, games))) < len(games)


def test_a_finished_tournament_plays_nothing(play: Play, configuration: Make) -> None:
    made = configuration("ab", deals=2)
    assert play(made) == play(made, how=flip_unless_broken)


def test_more_deals_play_only_what_is_new(play: Play, configuration: Make) -> None:
    few = play(configuration("abc", deals=2))
    made = configuration("abc", deals=4)
    many = play(made)
    assert [outcome.id for outcome in many] == ids(made)
    assert {outcome.finished for outcome in few} <= {outcome.finished for outcome in many}


def test_a_game_that_kills_its_workers_is_void_and_the_others_are_played(
    play: Play, configuration: Make, tmp_path: Path
) -> None:
    made = configuration("abx", deals=2)
    outcomes = play(made, how=flip_unless_doomed)
    assert [outcome.id for outcome in outcomes] == ids(made)
    for outcome in outcomes:
        assert outcome.verdict == (VOID if "x" in outcome.seats else OK)
        if outcome.verdict == VOID:
            assert "was killed by SIGKILL; 3 workers were lost at this game" in outcome.detail
    board = leaderboard(outcomes)
    assert len(board.void) == 8  # a or b against x, both ways round, two deals
    assert board.games == 4
    # The machine's fault is tried again when the tournament is.
    assert {outcome.verdict for outcome in play(made)} == {OK}


def test_the_limit_is_a_game_s_and_not_a_batch_s(play: Play, configuration: Make) -> None:
    outcomes = play(configuration("ab", deals=25), how=flip_slower_and_slower, jobs=1, limit=0.4)
    assert {outcome.verdict for outcome in outcomes} == {OK}


def test_games_are_in_the_ledger_as_they_end(
    play: Play, configuration: Make, tmp_path: Path
) -> None:
    made = configuration("ab", deals=21)
    outcomes = play(made, how=flip_then_hang, jobs=1, limit=1)
    assert Counter(outcome.verdict for outcome in outcomes) == {OK: 40, VOID: 2}
    # Those of the batch that hung were not played again.
    log = (tmp_path / "tournament.log").read_text()
    again = Counter(line.split()[-1] for line in log.splitlines() if " played " in line)
    assert set(again.values()) == {1}


def test_a_round_goes_on_without_a_game_that_is_void_again_and_again(
    tmp_path: Path, configuration: Make
) -> None:
    """After the third time it is given up, also when the tournament is called again."""
    made = configuration("ab", deals=10)
    first = schedule(made)[0].id
    asked = []

    def rounds() -> Iterator[list[Game]]:
        for number in range(2):
            asked.append(number)
            yield schedule(made)

    def hold(play: PlayOne, settle: bool) -> None:
        with Ledger.writing(tmp_path, made) as ledger, LocalPool(1) as pool:
            assert run(rounds(), ledger, pool, stop=threading.Event(), play=play, settle=settle)

    hold(partial(flip_unless, first), settle=True)
    with Ledger.reading(tmp_path) as ledger:
        assert ledger.voids() == {first: MOST_VOIDS}
        assert len(ledger.ids()) == 19
    assert asked == [0, 1]
    hold(flip, settle=True)
    with Ledger.reading(tmp_path) as ledger:
        assert ledger.voids() == {first: MOST_VOIDS}
    hold(flip, settle=False)  # where no round waits for it, it is played whenever it can be
    with Ledger.reading(tmp_path) as ledger:
        assert (ledger.voids(), len(ledger.ids())) == ({}, 20)


def test_a_game_whose_worker_was_killed_is_played_again(
    play: Play, configuration: Make, tmp_path: Path
) -> None:
    made = configuration("ab", remembering(tmp_path), deals=3)
    outcomes = play(made, how=flip_after_one_death)
    assert [outcome.verdict for outcome in outcomes] == [OK] * 6
    assert [outcome.id for outcome in outcomes] == ids(made)


def test_a_game_whose_worker_was_killed_is_played_after_all_others(
    play: Play, configuration: Make, tmp_path: Path
) -> None:
    made = configuration("ab", remembering(tmp_path), deals=20)
    assert {outcome.verdict for outcome in play(made, how=flip_the_first_later, jobs=1)} == {OK}
    log = (tmp_path / "tournament.log").read_text().splitlines()
    order = [line.split()[-1] for line in log if " played " in line]
    first = [game.id for game in schedule(made) if game.deal == 0]
    assert sorted(order[-2:]) == sorted(first)


def test_a_fault_of_the_program_is_told_in_full_and_not_rated(
    play: Play, configuration: Make, tmp_path: Path
) -> None:
    outcomes = play(configuration("abx", deals=2), how=flip_unless_broken)
    void = [outcome for outcome in outcomes if outcome.verdict == VOID]
    assert len(void) == 8
    assert all("ZeroDivisionError: the engine is broken" in outcome.detail for outcome in void)
    assert "ZeroDivisionError" in (tmp_path / "tournament.log").read_text()


def test_a_game_that_hangs_is_void(play: Play, configuration: Make) -> None:
    outcomes = play(configuration("ax"), how=flip_or_hang, limit=0.2)
    assert [outcome.verdict for outcome in outcomes] == [VOID, VOID]
    assert "no answer within 0.2 s" in outcomes[0].detail


def test_every_line_of_the_games_is_logged(play: Play, configuration: Make, tmp_path: Path) -> None:
    made = configuration("abcd", tables=[2, 3, 4], deals=10)
    play(made, jobs=3)
    lines = (tmp_path / "tournament.log").read_text().splitlines()
    assert sorted(line.split()[-1] for line in lines if "INFO flip: played" in line) == ids(made)
