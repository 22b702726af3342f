"""Interrupt tournaments and contests: `python tools/interrupt_tournaments.py --times 200`.

Ctrl-C, kill -9, killed workers and standing still, in turn, in each format, from the check of the
first submission to the last game. Where deals are mirrored, and in contests, whose games keep their
deals, the board has to be that of an uninterrupted tournament. In other tournaments in which every
game has a deal of its own, no deal may be seen twice, and games that nothing interrupted have to be
the same. Contests have to verify.
"""

from __future__ import annotations

import json
import os
import random
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import click

import carc
from carc.errors import CarcError
from carc.tournaments.contest.verification import verify
from carc.tournaments.ledger.ledger import Ledger

FORMATS = {
    "round-robin": "--deals 3",
    "random": "--deals 5",
    "gauntlet": "--deals 5 --against watching:A",
    "swiss": "--deals 8",
    "ladder": "--deals 5",
    "duel": "--deals 16",
}
CONTESTS = {
    "duel": "--deals 8",
    "gauntlet": "--deals 2 --against ann",
    "swiss": "--deals 4",
    "ladder": "--deals 4",
}
WAYS = ("Ctrl-C", "kill -9", "killed worker", "standing still")
LEAST = 8  # draws that tell two deals apart
# Each writes down every tile it sees drawn, with the game it is in.
WATCHING = """
import os, random, time, uuid


class A:
    def __init__(self, seed=0):
        self.rng = random.Random(seed)
        self.game = uuid.uuid4().hex

    def choose(self, state):
        time.sleep(0.002)
        with open("seen", "a") as file:
            file.write(f"{self.game} {state.to_dict('bag')['bag']}\\n")
        return self.rng.choice(state.legal_actions())


class B(A): pass
class C(A): pass
class D(A): pass
"""

# A submission that writes down the draws it is told of, in a file for the game. The content of two
# contests is the same, or their deals would differ: so the folder is the same, too.
PLAYER = """
import json, os, random, sys, time, uuid
file = os.path.join({seen!r}, "{name}-" + uuid.uuid4().hex)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({{"type": "ready", "protocol": 1}}), flush=True)
    elif message["type"] == "game":
        rng = random.Random(message["seed"])
    elif message["type"] == "choose":
        with open(file, "a") as out:
            for action in message["actions"]:
                if action.startswith("draw:"): out.write(action + "\\n")
        time.sleep(0.002)
        answer = rng.choice(message["legal"])
        print(json.dumps({{"type": "action", "id": message["id"], "action": answer}}), flush=True)
    elif message["type"] == "over":
        break
"""
MANIFEST = 'name = "{name}"\nversion = "1"\ncommand = ["python3", "-S", "bot.py"]\n'


def bags(room: Path) -> dict[str, list[str]]:
    """Return what each player of each game saw of the bag, move by move."""
    seen = defaultdict(list)
    path = room / "seen"
    for line in path.read_text().splitlines() if path.exists() else ():
        game, _, bag = line.partition(" ")
        seen[game].append(bag)
    return seen


def twice(room: Path) -> int:
    """Return how many players saw the bag go as another one of another game did."""
    starts = Counter(tuple(bag[:LEAST]) for bag in bags(room).values() if len(bag) >= LEAST)
    # The two players of a game see it at different moves.
    return sum(count - 1 for count in starts.values() if count > 1)


def workers(program: int) -> list[int]:
    """Return the processes that a tournament's program has forked to play games.

    Bots of a submission's check are its children too: one that is killed is started again, and sees
    the same game once more.
    """
    found = []
    for thread in Path(f"/proc/{program}/task").iterdir():
        with suppress(OSError):
            for pid in map(int, (thread / "children").read_text().split()):
                if b"carc.commands.main" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    found.append(pid)
    return found


class Held:
    """A tournament in a folder of its own."""

    def __init__(self, room: Path, form: str, mirrored: bool) -> None:
        self.room = room
        room.mkdir()
        self._line = self._prepare(form, "--mirrored" if mirrored else "--fresh")

    def _prepare(self, form: str, how: str) -> str:
        """Write the bots, and return the words of the command."""
        (self.room / "watching.py").write_text(WATCHING)
        common = f"{FORMATS[form]} --seed 5 --jobs 2 --out t {how}"
        if form == "duel":
            return f"duel watching:A watching:B --elo 0,1 {common}"
        bots = "watching:A,watching:B,watching:C,watching:D"
        return f"tournament --bots {bots} --format {form} {common}"

    def games_begun(self) -> int:
        """Return how many players have begun a game so far."""
        return len(bags(self.room))

    def deals_seen_twice(self) -> int:
        """Return how many games a player saw of which it had seen the deal before."""
        return twice(self.room)

    def board(self, out: str) -> Any:
        """Return the board; `out` is what the command printed."""
        return out

    def start(self) -> subprocess.Popen[str]:
        """Begin it, or go on with it."""
        return subprocess.Popen(
            [
                sys.executable,
                "-c",
                "from carc.commands.main import main; main()",
                *shlex.split(self._line),
            ],
            cwd=self.room,
            env={**os.environ, "PYTHONPATH": str(Path(carc.__file__).parents[1])},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def finish(self) -> Any:
        """Play to the end, and return the board."""
        process = self.start()
        out, err = process.communicate()
        assert process.returncode == 0, err
        return self.board(out)

    def records(self) -> dict[str, tuple[int, str]]:
        """Return the seed of the deal and the record of each game."""
        with suppress(CarcError), Ledger.reading(self.room / "t") as ledger:
            return {
                game.id: (game.deal_seed, ledger.outcome(game.id).record)
                for game in ledger.outcomes()
            }
        return {}

    def interrupt(self, way: str, rng: random.Random) -> bool:
        """Go on, and interrupt it at a moment drawn at random; False if it ended before."""
        process = self.start()
        wanted = self.games_begun() + rng.choice((1, 1, 2, 4, 8))
        end = time.monotonic() + 300
        while self.games_begun() < wanted and process.poll() is None:
            assert time.monotonic() < end, "it does not get on"
            time.sleep(0.02)
        time.sleep(rng.uniform(0, 0.4))
        if process.poll() is not None:
            out, err = process.communicate()
            assert process.returncode == 0, out + err
            return False
        if way == "Ctrl-C":
            process.send_signal(signal.SIGINT)
        elif way == "kill -9":
            process.kill()
        elif way == "killed worker":
            for pid in workers(process.pid):
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
        else:
            os.killpg(process.pid, signal.SIGSTOP)
            time.sleep(2.5)
            os.killpg(process.pid, signal.SIGCONT)
            time.sleep(0.2)
            process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=60)
        assert "Traceback" not in err, err
        return True


class Contest(Held):
    """A contest of submissions, isolated as processes so that they can write what they see."""

    def _prepare(self, form: str, how: str) -> str:
        self._seen = self.room.parent / "seen"
        shutil.rmtree(self._seen, ignore_errors=True)
        self._seen.mkdir()
        for name in ("ann", "bob") if form == "duel" else ("ann", "bob", "cleo", "dan"):
            place = self.room / "submissions" / name
            place.mkdir(parents=True)
            (place / "bot.py").write_text(PLAYER.format(seen=str(self._seen), name=name))
            (place / "bot.toml").write_text(MANIFEST.format(name=name))
        return (
            f"contest submissions --isolation process --games 1 --format {form} {CONTESTS[form]} "
            f"--seed {2**100 + 5} --jobs 2 --out t {how} "
            "--clock bank=600,cap=60,start=60 --limit 3000"
        )

    def games_begun(self) -> int:
        return len(list(self._seen.iterdir()))

    def board(self, out: str) -> Any:
        data = json.loads((self.room / "t" / "board.json").read_text())
        for standing in data["standings"]:
            del standing["wall"], standing["cpu"]
        return data

    def interrupt(self, way: str, rng: random.Random) -> bool:
        place = self.room / "t" / "promise.json"
        promised = place.read_text() if place.exists() else ""
        done = super().interrupt(way, rng)
        assert not promised or place.read_text() == promised, "it promises something else"
        return done


def compare(
    room: Path, made: Callable[[Path], Held], mirrored: bool, times: int, rng: random.Random
) -> tuple[int, str]:
    """Hold a tournament twice, once with interruptions; return how many, and what was found."""
    held, done = made(room / "interrupted"), 0
    for number in range(times):
        done += held.interrupt(WAYS[number % len(WAYS)], rng)
    board, again = held.finish(), held.deals_seen_twice()
    calm = made(room / "calm")
    calm_board = calm.finish()
    records, calm_records = held.records(), calm.records()
    if isinstance(held, Contest):
        problems = verify(held.room / "t").problems
        assert all("that is more than a few" in problem for problem in problems), problems
    if mirrored or isinstance(held, Contest):
        assert board == calm_board, f"the boards differ:\n{board}\n{calm_board}"
        assert records == calm_records
        return done, "the board and every record are the uninterrupted tournament's"
    assert not again, f"{again} deals were seen twice"
    same = [id for id, (seed, _) in records.items() if calm_records.get(id, (0,))[0] == seed]
    assert all(records[id] == calm_records[id] for id in same)
    return done, f"no deal seen twice, {len(records)} games, {len(same)} as without interruption"


@click.command()
@click.option("--times", default=200, show_default=True, help="Interruptions in all.")
@click.option("--seed", default=1, show_default=True)
@click.option("--contests", is_flag=True, help="Contests only.")
def main(*, times: int, seed: int, contests: bool) -> None:
    """Interrupt tournaments and contests of all formats, with mirrored deals and without."""
    # A shell's background job ignores Ctrl-C, and so would the tournaments.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    rng = random.Random(seed)
    total = 0
    every: list[tuple[type[Held], str]] = [(Contest, form) for form in CONTESTS]
    if not contests:
        every += [(Held, form) for form in FORMATS]
    each = -(-times // (2 * len(every)))
    for kind, form in every:
        for mirrored in (True, False):
            with tempfile.TemporaryDirectory(prefix="carc-interrupted-") as name:
                done, said = compare(
                    Path(name), partial(kind, form=form, mirrored=mirrored), mirrored, each, rng
                )
            total += done
            what = f"{kind.__name__.lower()}, {form}, {'mirrored' if mirrored else 'fresh'}"
            click.echo(f"{what}: {done} interruptions: {said}")
    click.echo(f"{total} interruptions")


if __name__ == "__main__":
    main()
