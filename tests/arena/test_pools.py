"""Where the games of an arena are played."""

from collections import Counter
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from support.arenas import (
    SETTINGS,
    Opening,
    Turns,
    entrant,
    fill,
    rated,
    serving,
    stages_of,
    standings_of,
)
from support.flips import flip
from support.waiting import until

from carc.arena.deals import game
from carc.arena.ladder import Ladder
from carc.arena.orders import Order, give
from carc.arena.pools import Pools
from carc.arena.settings import read_settings
from carc.arena.verification import verify
from carc.tournaments.running.playing import play_one
from carc.tournaments.running.pool import LocalPool, Task
from carc.tournaments.schedule.configuration import Configuration


class Far:
    """A cluster that plays nothing."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self.delivered: list[list[str]] = []
        self.tasks: list[Task[Any]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Task[Any]:
        self.tasks.append(Task())
        return self.tasks[-1]

    def deliver(self, configuration: Configuration) -> None:
        self.delivered.append([bot.name for bot in configuration.bots])

    def kill(self) -> None:
        pass


@pytest.fixture
def here() -> Iterator[LocalPool]:
    with LocalPool(1) as pool:
        yield pool


def test_remote_bots_play_here_and_others_on_the_cluster_while_it_has_room(
    here: LocalPool, configuration: Configuration
) -> None:
    far = Far(1)
    pools = Pools(here, far)
    assert pools.jobs == 2

    def begin(*names: str) -> bool:
        """Whether a game of these bots, of which A is remote, is played on the cluster."""
        bots = tuple(entrant(name, isolation="remote" if name == "A" else "none") for name in names)
        before = len(far.tasks)
        pools.submit(configuration, flip, game(configuration, bots, 0, "secret", "link"))
        return len(far.tasks) > before

    assert not begin("A", "b")
    assert (pools.has_room, pools.has_room_here) == (True, False)
    assert begin("b", "c")
    assert (pools.has_room, pools.has_room_here) == (False, False)
    far.tasks[0].set_result(None)
    assert not pools.has_room, "not before it is collected"
    pools.collect()
    assert pools.has_room
    assert begin("c", "d")
    until(lambda: pools.collect() or pools.has_room_here)
    assert not begin("b", "c"), "the cluster has no room"
    assert far.delivered == [["b", "c"], ["d"]], "each bot once"


def test_a_remote_bot_waits_while_there_is_no_room_here(
    here: LocalPool, tmp_path: Path, opening: Opening
) -> None:
    """Others play on the cluster meanwhile."""
    (settings,) = read_settings(tmp_path).ladders
    pools = Pools(here, Far(9))
    with opening() as ledger:
        fill(ledger, "b", "c", "d")
        ledger.enter(entrant("A", isolation="remote"), "ann")
        ladder = Ladder(
            settings,
            ledger,
            Turns(2),
            play=flip,
            present=lambda: frozenset(["A"]),
            seated=Counter(),
            most=1,
        )
        other = entrant("other", isolation="remote"), entrant("b")
        pools.submit(settings.configuration, flip, game(settings.configuration, other, 0, "", ""))
        for _ in range(6):
            assert ladder.begin(pools)
    met = {bot.name for running in ladder.games() for bot in running.game.seats}
    assert met == {"b", "c", "d"}


@pytest.mark.long
@pytest.mark.skipif(not find_spec("distributed"), reason="Dask is not installed")
@pytest.mark.filterwarnings("ignore")  # Dask's own
def test_an_arena_on_a_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where those play, too, that come later."""
    at_home: list[object] = []
    submit = LocalPool.submit

    def counted(pool: LocalPool, *words: Any) -> Task[Any]:
        at_home.append(words)
        return submit(pool, *words)

    monkeypatch.setattr(LocalPool, "submit", counted)
    (tmp_path / "arena.toml").write_text(SETTINGS + 'bots = ["random", "greedy"]\n')
    with serving(tmp_path, play=play_one, executor="dask") as arena:
        assert arena.load().jobs == 4
        until(lambda: rated(tmp_path) > 1)
        give(tmp_path, Order("enter", "two", "greedy-blind"))
        until(lambda: standings_of(tmp_path)["greedy-blind"].games > 9)
    assert verify(tmp_path / "two").problems == ()
    assert "void" not in stages_of(tmp_path)
    assert 0 < len(at_home) < rated(tmp_path), "and others away"
