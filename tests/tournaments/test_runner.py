"""The runner plays the schedule minus the ledger, whatever becomes of its workers.

The game is the flip of a coin.
"""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from support.runs import ledger_of

from carc.tournaments.formats import rounds
from carc.tournaments.formats.design import all_games, round_robin
from carc.tournaments.ledger.file import FILE
from carc.tournaments.ledger.ledger import BadLedger, Ledger
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.stages import MOST_VOIDS, Cause, HostFailure
from carc.tournaments.outcomes.verdicts import OK, VOID
from carc.tournaments.rating.ratings import leaderboard
from carc.tournaments.running import runner
from carc.tournaments.running.log import logging_to
from carc.tournaments.running.playing import void
from carc.tournaments.running.pool import LocalPool, WorkerDied
from carc.tournaments.running.runner import PlayOne, run
from carc.tournaments.schedule.configuration import Configuration
from carc.tournaments.schedule.entrants import Entrant
from carc.tournaments.schedule.games import Game


def schedule(configuration: Configuration) -> list[Game]:
    return list(round_robin(configuration, ()))


Make = Callable[..., Configuration]


def flip(game: Game) -> Outcome:
    """A game whose result is its id's."""
    order = sorted(range(len(game.seats)), key=lambda seat: int(game.id, 16) >> seat & 7)
    logging.getLogger("flip").info("played %s", game.id)
    return void(game, HostFailure(Cause.PROGRAM, ""))._replace(
        verdict=OK,
        ranks=tuple(map(order.index, range(len(order)))),
        scores=tuple(range(len(order))),
        winners=(order[0],),
        verdicts=(OK,) * len(order),
        wall=(0.0,) * len(order),
        cpu=(0.0,) * len(order),
        seconds=0.001,
    )


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


def flip_slowly(game: Game) -> Outcome:
    time.sleep(0.02)
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


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[..., list[Outcome]]]:
    """Runs a tournament in the test's folder and gives what the ledger then holds."""

    def run_it(
        configuration: Configuration,
        *,
        how: PlayOne = flip,
        jobs: int = 2,
        stop_after: int = sys.maxsize,
        limit: float = 60.0,
        finished: bool = True,
    ) -> list[Outcome]:
        stop = threading.Event()
        done = 0

        def advance(more: int) -> None:
            nonlocal done
            done += more
            if done >= stop_after:
                stop.set()

        with (
            Ledger.writing(tmp_path, configuration) as ledger,
            logging_to(tmp_path / "tournament.log") as log,
        ):
            with LocalPool(jobs, log, limit) as pool:
                games = [schedule(configuration)]
                assert finished == run(games, ledger, pool, stop=stop, advance=advance, play=how)
                if not finished:
                    pool.kill()
            return sorted(ledger.outcomes(), key=lambda each: each.id)

    yield run_it


def ids(configuration: Configuration) -> list[str]:
    return sorted(game.id for game in schedule(configuration))


def test_all_games_are_played_once(play: Callable[..., list[Outcome]], configuration: Make) -> None:
    made = configuration("abcd", tables=[2, 3], deals=10)
    assert [outcome.id for outcome in play(made)] == ids(made)


def test_the_board_knows_neither_the_number_of_workers_nor_the_order(
    tmp_path: Path, configuration: Make
) -> None:
    made = configuration("abcd", tables=[2, 3], deals=3)
    boards = []
    for jobs, games in ((1, schedule(made)), (3, schedule(made)[::-1])):
        with (
            Ledger.writing(tmp_path / str(jobs), made) as ledger,
            LocalPool(jobs) as pool,
        ):
            run([games], ledger, pool, stop=threading.Event(), play=flip)
            boards.append(leaderboard(list(ledger.outcomes())))
    assert boards[0] == boards[1]


class Soon(threading.Event):
    """Set when a few tasks have ended: the runner looks at it after each."""

    looks = 0

    def is_set(self) -> bool:
        self.looks += 1
        return self.looks > 4


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


def test_what_has_ended_is_written_when_it_is_stopped(
    tmp_path: Path, configuration: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "LOOK", 60.0)
    made = configuration("abcd", tables=[2, 3], deals=1000)
    with Ledger.writing(tmp_path, made) as ledger, LocalPool(1) as pool:
        assert not run([schedule(made)], ledger, pool, stop=Soon(), play=flip_slowly)
        pool.kill()
        assert ledger.ids()


def test_a_task_ends_in_time_whatever_its_games_take(
    configuration: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "BATCH_SECONDS", 0.05)
    games = schedule(configuration("abcd", tables=[2, 3], deals=20))
    assert 0 < len(list(runner.play_batch(flip_slowly, games))) < len(games)


def test_stopped_and_gone_on_with(
    play: Callable[..., list[Outcome]], configuration: Make, tmp_path: Path
) -> None:
    made = configuration("abcd", tables=[2, 3], deals=10)
    part = play(made, how=flip_slowly, stop_after=20, finished=False)
    assert 20 <= len(part) < all_games(made)
    whole = play(made)
    assert [outcome.id for outcome in whole] == ids(made)
    log = (tmp_path / "tournament.log").read_text()
    again = Counter(line.split()[-1] for line in log.splitlines() if " played " in line)
    # None is played twice; of a worker that is killed the last line in the log may be lost.
    assert max(again[outcome.id] for outcome in part) == 1


def test_a_finished_tournament_plays_nothing(
    play: Callable[..., list[Outcome]], configuration: Make
) -> None:
    made = configuration("ab", deals=2)
    assert play(made) == play(made, how=flip_unless_broken)


def test_more_deals_play_only_what_is_new(
    play: Callable[..., list[Outcome]], configuration: Make
) -> None:
    few = play(configuration("abc", deals=2))
    made = configuration("abc", deals=4)
    many = play(made)
    assert [outcome.id for outcome in many] == ids(made)
    assert {outcome.finished for outcome in few} <= {outcome.finished for outcome in many}


def test_a_game_that_kills_its_workers_is_void_and_the_others_are_played(
    play: Callable[..., list[Outcome]], configuration: Make, tmp_path: Path
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


def test_the_limit_is_a_game_s_and_not_a_batch_s(
    play: Callable[..., list[Outcome]], configuration: Make
) -> None:
    outcomes = play(configuration("ab", deals=25), how=flip_slower_and_slower, jobs=1, limit=0.4)
    assert {outcome.verdict for outcome in outcomes} == {OK}


def test_games_are_in_the_ledger_as_they_end(
    play: Callable[..., list[Outcome]], configuration: Make, tmp_path: Path
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


def deals_seen(folder: Path) -> list[tuple[str, str]]:
    """The games and deals that `flip_and_tell` was given, in every process."""
    lines = (folder / "seen").read_text().splitlines()
    return [(line.split()[0], line.split()[1]) for line in lines]


STARTED = """
import sqlite3, sys
where = "stage = 'started' AND game = ? AND attempt = ?"
found = sqlite3.connect(sys.argv[1]).execute(f"SELECT * FROM chain WHERE {where}", sys.argv[2:])
sys.exit(found.fetchone() is None)
"""


def flip_and_tell(folder: Path, game: Game) -> Outcome:
    """A game that takes note of its deal; by then the ledger has to know that it is spent.

    Another process asks the ledger. This one was forked, perhaps while a thread was in SQLite,
    whose locks would never be released here.
    """
    asks = [sys.executable, "-IS", "-c", STARTED, str(folder / FILE), game.id, str(game.attempt)]
    assert subprocess.run(asks, check=False).returncode == 0
    with (folder / "seen").open("a") as file:
        file.write(f"{game.id} {game.deal_seed}\n")
    time.sleep(0.02)
    return flip(game)


def flip_tell_and_die(folder: Path, game: Game) -> Outcome:
    """The same, and one worker in five is killed."""
    outcome = flip_and_tell(folder, game)
    if game.deal_seed % 5 == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return outcome


def test_no_deal_is_played_twice_whatever_happens_to_workers_and_runner(
    tmp_path: Path, configuration: Make
) -> None:
    """Stopped after every few games, with workers killed besides."""
    made = configuration("abc", deals=8, mirrored=False)
    for number in range(30):
        stop = threading.Event()
        ended = 0

        def advance(more: int, stop: threading.Event = stop) -> None:
            nonlocal ended
            ended += more
            if ended >= 5:
                stop.set()

        with Ledger.writing(tmp_path, made) as ledger, LocalPool(2) as pool:
            how = partial(flip_tell_and_die if number < 20 else flip_and_tell, tmp_path)
            finished = run([schedule(made)], ledger, pool, stop=stop, advance=advance, play=how)
            if not finished:
                pool.kill()
        if finished:
            break
    assert finished
    seen = deals_seen(tmp_path)
    assert len({deal for _, deal in seen}) == len(seen) > len(schedule(made))
    with Ledger.reading(tmp_path) as ledger:
        assert ledger.ids() == {game.id for game in schedule(made)}
        attempts = {e.game: e.attempt for e in ledger.entries() if e.stage == "rated"}
        for outcome in ledger.outcomes():
            (game,) = (game for game in schedule(made) if game.id == outcome.id)
            assert outcome.deal_seed == game.again(attempts[game.id], 0).deal_seed


def flip_when_stopped(folder: Path, game: Game) -> Outcome:
    """A game that says when it begins, and takes long."""
    (folder / "begun").touch()
    time.sleep(2)
    return flip(game)


@pytest.mark.parametrize(
    "is_contest, again", [(False, False), (True, False), (True, True)], ids=str
)
def test_a_contest_that_is_stopped_waits_for_its_games_until_it_is_stopped_again(
    tmp_path: Path,
    configuration: Make,
    monkeypatch: pytest.MonkeyPatch,
    is_contest: bool,
    again: bool,
) -> None:
    """Each that is begun and does not end counts against its bots."""
    monkeypatch.setattr(runner, "GRACE", 0.0)
    promise = "1" * 64 if is_contest else ""
    made = configuration("ab", deals=3, mirrored=False, promise=promise)

    class Stop(threading.Event):
        """Is set when the first game has begun, and perhaps again as soon as somebody saw it."""

        def is_set(self) -> bool:
            return (tmp_path / "begun").exists() if not self.was_seen or again else False

        was_seen = False

        def clear(self) -> None:
            self.was_seen = True

    how = partial(flip_when_stopped, tmp_path)
    with Ledger.writing(tmp_path, made) as ledger, LocalPool(1) as pool:
        assert not run([schedule(made)], ledger, pool, stop=Stop(), play=how)
        pool.kill()
        stages = Counter(entry.stage for entry in ledger.entries())
    left = stages["started"] - stages["returned"] - stages["rated"]
    assert left == (0 if is_contest and not again else 1)


def test_a_deal_that_no_worker_was_given_is_not_lost(tmp_path: Path, configuration: Make) -> None:
    made = configuration("ab", deals=4, mirrored=False)
    games = schedule(made)
    with Ledger.writing(tmp_path, made) as ledger:
        ledger.start(games[:2])
        ledger.give_back(games[:1])
        assert ledger.attempts() == {games[0].id: 0, games[1].id: 1}
        ledger.start(games[:1])
        with pytest.raises(BadLedger, match="was spent before"):
            ledger.start(games[1:2])
        ledger.start([games[1].restarted])
        assert ledger.attempts() == {games[0].id: 1, games[1].id: 2}


def test_a_game_whose_worker_was_killed_is_played_again(
    play: Callable[..., list[Outcome]], tmp_path: Path
) -> None:
    memory = tmp_path / "memory"
    memory.mkdir()
    made = Configuration(
        rules="base",
        rules_version="1",
        bots=[Entrant(name, str(memory), name) for name in "ab"],
        tables=[2],
        deals=3,
        seed=1,
    )
    outcomes = play(made, how=flip_after_one_death)
    assert [outcome.verdict for outcome in outcomes] == [OK] * 6
    assert [outcome.id for outcome in outcomes] == ids(made)


def test_a_game_whose_worker_was_killed_is_played_after_all_others(
    play: Callable[..., list[Outcome]], tmp_path: Path
) -> None:
    memory = tmp_path / "memory"
    memory.mkdir()
    made = Configuration(
        rules="base",
        rules_version="1",
        bots=[Entrant(name, str(memory), name) for name in "ab"],
        tables=[2],
        deals=20,
        seed=1,
    )
    assert {outcome.verdict for outcome in play(made, how=flip_the_first_later, jobs=1)} == {OK}
    log = (tmp_path / "tournament.log").read_text().splitlines()
    order = [line.split()[-1] for line in log if " played " in line]
    first = [game.id for game in schedule(made) if game.deal == 0]
    assert sorted(order[-2:]) == sorted(first)


def test_a_fault_of_the_program_is_told_in_full_and_not_rated(
    play: Callable[..., list[Outcome]], configuration: Make, tmp_path: Path
) -> None:
    outcomes = play(configuration("abx", deals=2), how=flip_unless_broken)
    void = [outcome for outcome in outcomes if outcome.verdict == VOID]
    assert len(void) == 8
    assert all("ZeroDivisionError: the engine is broken" in outcome.detail for outcome in void)
    assert "ZeroDivisionError" in (tmp_path / "tournament.log").read_text()


def test_a_game_that_hangs_is_void(play: Callable[..., list[Outcome]], configuration: Make) -> None:
    outcomes = play(configuration("ax"), how=flip_or_hang, limit=0.2)
    assert [outcome.verdict for outcome in outcomes] == [VOID, VOID]
    assert "no answer within 0.2 s" in outcomes[0].detail


def test_every_line_of_the_games_is_logged(
    play: Callable[..., list[Outcome]], configuration: Make, tmp_path: Path
) -> None:
    made = configuration("abcd", tables=[2, 3, 4], deals=10)
    play(made, jobs=3)
    lines = (tmp_path / "tournament.log").read_text().splitlines()
    assert sorted(line.split()[-1] for line in lines if "INFO flip: played" in line) == ids(made)


@pytest.mark.parametrize("name", ["swiss", "ladder", "duel"])
def test_rounds_that_were_stopped_in_the_middle_go_on_as_they_were(
    tmp_path: Path, configuration: Make, name: str
) -> None:
    """What half a round came to would make another round of it."""
    made = configuration(
        "ab" if name == "duel" else "abcdefg", format=name, deals=6, against="a", elo=(0.0, 1.0)
    )

    def hold(folder: Path, stop_after: int) -> int:
        stop, ended = threading.Event(), 0

        def advance(more: int) -> None:
            nonlocal ended
            ended += more
            if ended >= stop_after:
                stop.set()

        times = 0
        while True:
            times += 1
            stop.clear()
            ended = 0
            with Ledger.writing(folder, made) as ledger, LocalPool(1) as pool:
                games = rounds(made, ledger)
                if run(
                    games, ledger, pool, stop=stop, advance=advance, play=flip_slowly, settle=True
                ):
                    return times
                pool.kill()

    assert hold(tmp_path / "whole", sys.maxsize) == 1
    assert hold(tmp_path / "stopped", 3) > 1
    whole, stopped = (
        {game.id: game.ranks for game in ledger_of(tmp_path / each)}
        for each in ("whole", "stopped")
    )
    assert whole == stopped
