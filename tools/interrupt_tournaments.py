"""Interrupt tournaments of all formats: `python tools/interrupt_tournaments.py --times 200`.

Ctrl-C, kill -9, killed workers and standing still, in turn. Where deals are mirrored the board has
to be that of an uninterrupted tournament. Where every game has a deal of its own, no deal may be
seen twice, games that nothing interrupted have to be the same, and the whole has to verify.
"""

from __future__ import annotations

import os
import random
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from contextlib import suppress
from pathlib import Path

import click

import carc
from carc.errors import CarcError
from carc.tournaments.ledger import Ledger
from carc.tournaments.verification import verify

FORMATS = {
    "round-robin": "--deals 3",
    "random": "--deals 5",
    "gauntlet": "--deals 5 --against watching:A",
    "swiss": "--deals 8",
    "ladder": "--deals 5",
    "duel": "--deals 16",
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


class Held:
    """A tournament in a folder of its own."""

    def __init__(self, room: Path, form: str, mirrored: bool) -> None:
        self.room = room
        room.mkdir()
        (room / "watching.py").write_text(WATCHING)
        bots = "watching:A,watching:B,watching:C,watching:D"
        how = "--mirrored" if mirrored else "--fresh"
        common = f"{FORMATS[form]} --seed 5 --jobs 2 --out t {how}"
        self._line = (
            f"duel watching:A watching:B --elo 0,1 {common}"
            if form == "duel"
            else f"tournament --bots {bots} --format {form} {common}"
        )

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

    def finish(self) -> str:
        """Play to the end, and return the board."""
        process = self.start()
        out, err = process.communicate()
        assert process.returncode == 0, err
        return out

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
        before = len(bags(self.room))
        end = time.monotonic() + 60
        while len(bags(self.room)) <= before and process.poll() is None:
            assert time.monotonic() < end, "it does not get on"
            time.sleep(0.02)
        time.sleep(rng.uniform(0, 0.4))
        if process.poll() is not None:
            process.communicate()
            return False
        if way == "Ctrl-C":
            process.send_signal(signal.SIGINT)
        elif way == "kill -9":
            process.kill()
        elif way == "killed worker":
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
            for thread in Path(f"/proc/{process.pid}/task").iterdir():
                children = thread / "children"
                for pid in children.read_text().split()[:1]:
                    with suppress(ProcessLookupError):
                        os.kill(int(pid), signal.SIGKILL)
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


def compare(
    room: Path, form: str, mirrored: bool, times: int, rng: random.Random
) -> tuple[int, str]:
    """Hold a tournament twice, once with interruptions; return how many, and what was found."""
    held = Held(room / f"{form}-{mirrored}", form, mirrored)
    done = 0
    for number in range(times):
        done += held.interrupt(WAYS[number % len(WAYS)], rng)
    board = held.finish()
    calm = Held(room / f"{form}-{mirrored}-calm", form, mirrored)
    calm_board = calm.finish()
    records, calm_records = held.records(), calm.records()
    if mirrored:
        assert board == calm_board, f"{form}: the boards differ"
        assert records == calm_records
        return done, "the board and every record are the uninterrupted tournament's"
    assert not twice(held.room), f"{form}: {twice(held.room)} deals were seen twice"
    report = verify(held.room / "t")
    assert not report.problems, report.problems
    same = [id for id, (seed, _) in records.items() if calm_records.get(id, (0,))[0] == seed]
    assert all(records[id] == calm_records[id] for id in same)
    if form not in ("swiss", "ladder"):  # who meets whom depends on results there
        assert form == "duel" or records.keys() == calm_records.keys()
    return done, f"no deal seen twice, {len(records)} games, {len(same)} as without interruption"


@click.command()
@click.option("--times", default=200, show_default=True, help="Interruptions in all.")
@click.option("--seed", default=1, show_default=True)
def main(*, times: int, seed: int) -> None:
    """Interrupt tournaments of all formats, with mirrored deals and without."""
    rng = random.Random(seed)
    total = 0
    each = -(-times // (2 * len(FORMATS)))
    with tempfile.TemporaryDirectory(prefix="carc-interrupted-") as name:
        for form in FORMATS:
            for mirrored in (True, False):
                done, said = compare(Path(name), form, mirrored, each, rng)
                total += done
                kind = "mirrored" if mirrored else "fresh"
                click.echo(f"{form}, {kind}: {done} interruptions: {said}")
    click.echo(f"{total} interruptions")


if __name__ == "__main__":
    main()
