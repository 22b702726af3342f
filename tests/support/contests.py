"""Contests held in this process: the steps of `carc contest`, with games that take no time."""

import hashlib
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import attrs

from carc import Rules
from carc.tournaments.contest import holding
from carc.tournaments.contest.admission import ADMISSION, Decision, as_data
from carc.tournaments.contest.promise import LEAST_SECRET, Promise, promise
from carc.tournaments.contest.publication import REGISTRY, publish
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.pairing import format_of, rounds
from carc.tournaments.running.playing import play_one
from carc.tournaments.running.pool import Task
from carc.tournaments.running.runner import PlayOne, run
from carc.tournaments.schedule.configuration import Configuration
from carc.tournaments.schedule.entrants import Entrant
from carc.tournaments.schedule.games import Game
from carc.tournaments.submission.content import Content, File
from carc.tournaments.submission.manifest import parse_manifest
from carc.tournaments.submission.registry import Registry

SECRET = LEAST_SECRET + 5
PLAIN = {"ann": "", "bob": "", "cleo": ""}  # a contest's bots, and what else their manifests say
NONCES = {"ann": "a1" * 16, "bob": "b2" * 16}
VALUE = "c3" * 32  # of a beacon


def line_of(nonce: str) -> str:
    """The line in a manifest, as `sha256sum` makes it."""
    return f'nonce = "{hashlib.sha256(nonce.encode()).hexdigest()}"'


COMMITTED = {**PLAIN, **{name: line_of(nonce) for name, nonce in NONCES.items()}}
OPENED = {f"{name}@1": nonce for name, nonce in NONCES.items()}


def records(place: Path) -> dict[str, tuple[int, str]]:
    """The games of a contest, by id: the deal's seed and the record."""
    with Ledger.reading(place) as ledger:
        return {
            game.id: (game.deal_seed, ledger.outcome(game.id).record) for game in ledger.outcomes()
        }


class Stopped(BaseException):
    """Ends the program in the middle of a game, as `kill -9` does."""


_PLAYED: dict[tuple[object, ...], Outcome] = {}


def play_quickly(game: Game) -> Outcome:
    """Play a game of bots that choose at random by their seeds, as if they were isolated."""
    seats = tuple(attrs.evolve(bot, spec="random", isolation="none") for bot in game.seats)
    key = (game.id, game.deal_seed, game.bot_seeds, seats)
    if key not in _PLAYED:
        _PLAYED[key] = play_one(game._replace(seats=seats))
    return _PLAYED[key]._replace(
        digests=tuple(bot.digest for bot in game.seats),
        isolation=tuple(bot.isolation for bot in game.seats),
        voids=game.voids,
    )


class Here:
    """A pool that does everything at once, in this process."""

    jobs = 1

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Task[Any]:
        task: Task[Any] = Task()
        task.items.extend(fn(*args, **kwargs))
        task.set_result(None)
        return task


@attrs.define
class Contest:
    """A contest as it is asked for; its folder is given to each step."""

    bots: Mapping[str, str]
    """The lines of each bot's manifest beside its name, by name."""
    secret: int = SECRET
    deals: int = 1
    beacon: str = ""

    def begin(self, place: Path) -> tuple[Configuration, Promise]:
        """Admit the bots and promise the contest, or go on with it."""
        place.mkdir(parents=True, exist_ok=True)
        registry, entrants, manifests = Registry(place / REGISTRY), [], {}
        for name, lines in self.bots.items():
            text = f'name = "{name}"\nversion = "1"\ncommand = ["python3", "x"]\n{lines}\n'.encode()
            manifest = parse_manifest(text)
            content = Content(manifest, {"bot.toml": File(text, executable=False)})
            registry.keep(content)
            spec = manifest.spec
            entrants.append(Entrant(spec, spec, content.digest, isolation="confined"))
            manifests[spec] = manifest
        rules = Rules.from_spec("base", players=2)
        configuration = Configuration(
            rules=rules.spec,
            rules_version=rules.version,
            bots=entrants,
            tables=[2],
            deals=self.deals,
            seed=self.secret,
            mirrored=False,
        )
        admitted = as_data({name: Decision(name, spec=f"{name}@1") for name in self.bots})
        publish(place, ADMISSION, admitted)
        said = promise(configuration, manifests, admission=admitted, games=2, beacon=self.beacon)
        return holding.begin(place, configuration, said, {}), said

    def hold(
        self, place: Path, values: Mapping[str, str] | None = None, play: PlayOne = play_quickly
    ) -> str:
        """Hold it to its end, and return the line that is published before the first game.

        Args:
            place: Its folder.
            values: What is opened.
            play: Plays one game; it may raise `Stopped`.
        """
        configuration, said = self.begin(place)
        if values is not None:
            configuration = holding.open_values(place, configuration, said, values)
        assert holding.is_ready(said, configuration)
        play_out(place, configuration, play)
        return configuration.promise


def play_out(place: Path, configuration: Configuration, play: PlayOne = play_quickly) -> None:
    """Play the games of a contest that are missing, and end it."""
    with Ledger.writing(place, configuration) as ledger:
        over = run(
            rounds(configuration, ledger),
            ledger,
            Here(),
            stop=threading.Event(),
            play=play,
            settle=format_of(configuration).rounds,
        )
    assert over
    holding.end(place)
