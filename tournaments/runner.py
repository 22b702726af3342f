"""Plays what the schedule holds and the ledger does not, over any pool of processes.

The seam is `concurrent.futures.Executor`: the local pool (`carc.tournaments.pool`) or a cluster's. Only this process writes the
ledger.
"""

import logging
import threading
import traceback
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from datetime import UTC, datetime
from functools import lru_cache
from time import perf_counter

import attrs

import carc
from carc import Rules
from carc.match import Void
from carc.tournaments.entrants import seated
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.ledger import Ledger, Outcome, Row, row
from carc.tournaments.pool import WorkerDied, WorkerStalled
from carc.tournaments.schedule import Game
from carc.tournaments.verdicts import OK, VOID

_log = logging.getLogger(__name__)

DEATHS = 3  # of workers, before the game they were at is given up as void
BATCH_SECONDS = 0.25  # of play to one task: little to lose, and passing it costs nothing beside it
BATCH_GAMES = 200  # at most in one task
GRACE = 1.0  # seconds for running games to end when the tournament is stopped

PlayOne = Callable[[Game], Outcome]


@lru_cache(maxsize=8)
def _rules(spec: str, players: int) -> Rules:
    return Rules.named(spec, players=players)


def play_one(game: Game) -> Outcome:
    """Play one game in this process."""
    begun = perf_counter()
    rules = _rules(game.rules, len(game.seats))
    with seated(game.seats, game.bot_seeds, Clock.named(game.clock)) as table:
        players = table.players
        match = carc.play(
            rules,
            players,
            seed=game.deal_seed,
            names=[entrant.name for entrant in game.seats],
            watch=table.watch,
        )
        table.over(match)
    result = match.result
    verdicts = {fault.seat: fault.verdict for fault in result.faults}
    for fault in result.faults:
        name = game.seats[fault.seat].name
        _log.warning("game %s: %s: %s: %s", game.id, name, fault.verdict, fault.detail)
    return attrs.evolve(
        _blank(game, OK),
        ranks=result.ranks,
        # A player may command several colours; then their score is the common one.
        scores=tuple(result.scores[colours[0]] for colours in rules.colours),
        winners=result.winners,
        verdicts=tuple(verdicts.get(seat, OK) for seat in range(len(players))),
        faults=tuple(attrs.asdict(fault) for fault in result.faults),
        wall=tuple(sum(wall for wall, _ in player.times) for player in players),
        cpu=tuple(sum(cpu for _, cpu in player.times) for player in players),
        times=tuple([(round(w, 6), round(c, 6)) for w, c in player.times] for player in players),
        stderr=tuple(player.stderr for player in players),
        seconds=perf_counter() - begun,
        record=match.to_text(),
    )


def void(game: Game, detail: str) -> Outcome:
    """A game that the machine did not let be played."""
    _log.error("game %s is void: %s", game.id, detail)
    return _blank(game, VOID, detail)


def _blank(game: Game, verdict: str, detail: str = "") -> Outcome:
    return Outcome(
        id=game.id,
        rotation_set=game.rotation_set,
        deal=game.deal,
        deal_seed=game.deal_seed,
        seats=tuple(entrant.name for entrant in game.seats),
        digests=tuple(entrant.digest for entrant in game.seats),
        isolation=tuple(entrant.isolation for entrant in game.seats),
        verdict=verdict,
        detail=detail,
        voids=game.voids,
        finished=datetime.now(UTC).isoformat(timespec="milliseconds"),
    )


Batch = tuple[
    float, list[Row]
]  # what a task gives back: how many seconds it took, and what became of its games


def play_batch(play: PlayOne, games: Sequence[Game]) -> Batch:
    """Play some games one after another: the task of a worker. A game that fails is void; the others go on."""
    begun = perf_counter()
    rows = []
    for game in games:
        try:
            outcome = play(game)
        except Void as error:
            outcome = void(game, str(error))
        except Exception:  # noqa: BLE001 (a fault of this program or of the machine; told in full and not rated)
            outcome = void(game, traceback.format_exc())
        rows.append(row(outcome))
    return perf_counter() - begun, rows


def run(
    games: Sequence[Game],
    ledger: Ledger,
    pool: Executor,
    *,
    jobs: int,
    stop: threading.Event,
    advance: Callable[[int], None] = lambda done: None,
    play: PlayOne = play_one,
) -> bool:
    """Play the games that the ledger does not hold; True if all are played or void, False if stopped before.

    `advance` is told how many games have ended since it was last called, several times a second. When `stop` is set the
    games under way get `GRACE` seconds; those that are not done by then stay with the pool, which the caller ends.

    A game whose worker dies is played again, alone; when its workers have died `DEATHS` times, or one made no progress
    within the pool's limit, it is void.
    """
    held, voids = ledger.ids(), ledger.voids()
    waiting = deque(
        game.after_void(voids[game.id]) if game.id in voids else game
        for game in games
        if game.id not in held
    )
    # Their worker died: each is played alone, to see which of them it was.
    suspects: deque[Game] = deque()
    deaths: Counter[str] = Counter()
    running: dict[Future[Batch], list[Game]] = {}
    _log.info("%d of %d games to play in %d jobs", len(waiting), len(games), jobs)
    pace = BATCH_SECONDS  # seconds a game, as lately measured

    def next_batch() -> list[Game]:
        if suspects:
            return [suspects.popleft()]
        share = -(-len(waiting) // (4 * jobs))  # so that all workers end at about the same time
        size = max(1, min(BATCH_GAMES, share, int(BATCH_SECONDS / max(pace, 1e-9))))
        return [waiting.popleft() for _ in range(size)]

    def after_death(batch: list[Game], death: WorkerDied) -> list[Row]:
        deaths.update(game.id for game in batch)
        if len(batch) == 1 and (isinstance(death, WorkerStalled) or deaths[batch[0].id] >= DEATHS):
            (game,) = batch
            return [row(void(game, f"{death}; {deaths[game.id]} workers were lost at this game"))]
        suspects.extend(batch)
        return []

    while not stop.is_set() and (waiting or suspects or running):
        while len(running) < 2 * jobs and (waiting or suspects):
            batch = next_batch()
            running[pool.submit(play_batch, play, batch)] = batch
        done, _ = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
        for future in done:
            batch = running.pop(future)
            try:
                seconds, rows = future.result()
                pace += (seconds / len(rows) - pace) / 2
            except WorkerDied as death:
                rows = after_death(batch, death)
            ledger.add(rows)
            advance(len(rows))
    under_way = [future for future in running if not future.cancel()]
    for future in wait(under_way, timeout=GRACE).done:
        if future.exception() is None:
            _, rows = future.result()
            ledger.add(rows)
            advance(len(rows))
    return not (waiting or suspects or running)
