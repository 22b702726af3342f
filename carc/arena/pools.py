"""Where the games of an arena are played: in processes here, and on a cluster if there is one.

Remote bots are reached by the relay's socket, so that their games are played here. Others go to the
cluster while it has room, and else here.
"""

from typing import Any, Protocol

import attrs

from carc.tournaments.players.remote import REMOTE
from carc.tournaments.running.pool import LocalPool, Task
from carc.tournaments.running.runner import PlayOne, Pool, play_batch
from carc.tournaments.schedule.configuration import Configuration
from carc.tournaments.schedule.games import Game


class Cluster(Pool, Protocol):
    """A pool on other machines."""

    def deliver(self, configuration: Configuration) -> None:
        """Send what the games of a configuration need."""
        ...

    def kill(self) -> None:
        """End at once."""
        ...


class Pools:
    """The processes here, and a cluster or none.

    Raises:
        BadTournament: Each method may: the cluster is lost, or cannot play.
    """

    def __init__(self, here: LocalPool, cluster: Cluster | None = None) -> None:
        self.here, self._cluster = here, cluster
        self._at_home: set[Task[Any]] = set()
        self._away: set[Task[Any]] = set()
        self._delivered: set[tuple[str, str]] = set()  # rules, and bots for them

    @property
    def jobs(self) -> int:
        """How many games can be played at once."""
        return self.here.jobs + (self._cluster.jobs if self._cluster else 0)

    @property
    def has_room(self) -> bool:
        """Whether a game can begin."""
        return self.has_room_here or self._has_room_away

    @property
    def has_room_here(self) -> bool:
        """Whether a game of remote bots can begin."""
        return len(self._at_home) < self.here.jobs

    @property
    def _has_room_away(self) -> bool:
        return self._cluster is not None and len(self._away) < self._cluster.jobs

    def submit(self, configuration: Configuration, play: PlayOne, game: Game) -> Task[Any]:
        """Have a game of a ladder played where there is room."""
        is_remote = any(bot.isolation == REMOTE for bot in game.seats)
        pool: Pool = self.here
        tasks = self._at_home
        if self._cluster is not None and self._has_room_away and not is_remote:
            self._deliver(self._cluster, configuration, game)
            pool, tasks = self._cluster, self._away
        task = pool.submit(play_batch, play, [game])
        tasks.add(task)
        return task

    def _deliver(self, cluster: Cluster, configuration: Configuration, game: Game) -> None:
        """Send the bots of a game that the cluster does not know."""
        new = tuple(bot for bot in game.seats if (game.rules, bot.key) not in self._delivered)
        if new:
            cluster.deliver(attrs.evolve(configuration, bots=new))
            self._delivered.update((game.rules, bot.key) for bot in new)

    def collect(self) -> None:
        """Make room where games have ended."""
        for tasks in self._at_home, self._away:
            tasks -= {task for task in tasks if task.done()}

    def kill(self) -> None:
        """End at once; games under way are given up."""
        self.here.kill()
        if self._cluster is not None:
            self._cluster.kill()
