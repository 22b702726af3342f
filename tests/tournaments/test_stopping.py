"""Tournaments that are stopped, and go on: no deal is played twice, no game is lost."""

import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support.flips import Make, Play, StopAfter, flip, flip_slowly, ids, schedule
from support.runs import ledger_of

from carc.tournaments.contest.verification import verify
from carc.tournaments.ledger.file import FILE
from carc.tournaments.ledger.ledger import BadLedger, Ledger
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.pairing import rounds
from carc.tournaments.pairing.design import all_games
from carc.tournaments.running import runner
from carc.tournaments.running.pool import LocalPool
from carc.tournaments.running.runner import run
from carc.tournaments.schedule.games import Game


class Soon(threading.Event):
    """Set when a few tasks have ended: the runner looks at it after each."""

    looks = 0

    def is_set(self) -> bool:
        self.looks += 1
        return self.looks > 4


def test_what_has_ended_is_written_when_it_is_stopped(
    tmp_path: Path, configuration: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "LOOK", 60.0)
    made = configuration("abcd", tables=[2, 3], deals=1000)
    with Ledger.writing(tmp_path, made) as ledger, LocalPool(1) as pool:
        assert not run([schedule(made)], ledger, pool, stop=Soon(), play=flip_slowly)
        pool.kill()
        assert ledger.ids()


def test_stopped_and_gone_on_with(play: Play, configuration: Make, tmp_path: Path) -> None:
    made = configuration("abcd", tables=[2, 3], deals=10)
    part = play(made, how=flip_slowly, stop_after=20, finished=False)
    assert 20 <= len(part) < all_games(made)
    whole = play(made)
    assert [outcome.id for outcome in whole] == ids(made)
    log = (tmp_path / "tournament.log").read_text()
    again = Counter(line.split()[-1] for line in log.splitlines() if " played " in line)
    # None is played twice; of a worker that is killed the last line in the log may be lost.
    assert max(again[outcome.id] for outcome in part) == 1


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
        stop = StopAfter(5)
        with Ledger.writing(tmp_path, made) as ledger, LocalPool(2) as pool:
            how = partial(flip_tell_and_die if number < 20 else flip_and_tell, tmp_path)
            games = [schedule(made)]
            finished = run(games, ledger, pool, stop=stop, advance=stop.advance, play=how)
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
    assert "3 games were interrupted: their deals were spent" in verify(tmp_path).notes


@pytest.mark.parametrize("name", ["swiss", "ladder", "duel"])
def test_rounds_that_were_stopped_in_the_middle_go_on_as_they_were(
    tmp_path: Path, configuration: Make, name: str
) -> None:
    """What half a round came to would make another round of it."""
    made = configuration(
        "ab" if name == "duel" else "abcdefg", format=name, deals=6, against="a", elo=(0.0, 1.0)
    )

    def hold(folder: Path, stop_after: int) -> int:
        for times in itertools.count(1):
            stop = StopAfter(stop_after)
            with Ledger.writing(folder, made) as ledger, LocalPool(1) as pool:
                how: dict[str, Any] = {"stop": stop, "advance": stop.advance, "play": flip_slowly}
                if run(rounds(made, ledger), ledger, pool, settle=True, **how):
                    return times
                pool.kill()
        raise AssertionError

    assert hold(tmp_path / "whole", sys.maxsize) == 1
    assert hold(tmp_path / "stopped", 3) > 1
    whole, stopped = (
        {game.id: game.ranks for game in ledger_of(tmp_path / each)}
        for each in ("whole", "stopped")
    )
    assert whole == stopped
