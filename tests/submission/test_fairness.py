"""What a bot keeps of a game is of no use in the next."""

import json
import threading
from pathlib import Path

import attrs
import pytest
from support.playing import SPEAKING

from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.pairing.design import round_robin
from carc.tournaments.running.pool import LocalPool
from carc.tournaments.running.runner import run
from carc.tournaments.schedule.configuration import configure
from carc.tournaments.submission.content import read
from carc.tournaments.submission.registry import Registry

# Level `process` keeps nothing from a bot that means harm: its memory stands for every way out that
# isolation may leave.
REMEMBERS = (
    SPEAKING
    + """
MEMORY = "FILE"
games = json.load(open(MEMORY)) if os.path.exists(MEMORY) else []
draws, tried, right = [], 0, 0

def choose(message):
    global tried, right
    for action in message["actions"]:
        if action.startswith("draw:"):
            known = [old for old in games if old[:len(draws)] == draws]
            if len(draws) >= 3 and known:
                tried += 1
                right += known[-1][len(draws)] == action
            draws.append(action)
    reply(message)

def over(message):
    draws.extend(action for action in message["actions"] if action.startswith("draw:"))
    json.dump([*games, draws], open(MEMORY, "w"))
    with open(MEMORY + ".told", "a") as told:
        print(json.dumps([tried, right]), file=told)

play(choose, over)
"""
)


@pytest.mark.parametrize("mirrored", [None, True])
def test_a_bot_that_remembers_cannot_foretell_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mirrored: bool | None
) -> None:
    monkeypatch.setenv("CARC_REGISTRY", str(tmp_path / "registry"))
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "bot.toml").write_text(
        'name = "mine"\nversion = "1"\ncommand = ["python3", "-I", "bot.py"]\n'
    )
    (mine / "bot.py").write_text(REMEMBERS.replace("FILE", str(tmp_path / "memory")))
    Registry().add(read(mine), "ann")
    made = configure(
        "base", ["mine", "random"], [2], deals=1, seed=1, isolation="process", mirrored=mirrored
    )
    assert made.mirrored == bool(mirrored)
    with Ledger.writing(tmp_path / "t", made) as ledger, LocalPool(1) as pool:
        assert run([round_robin(made, ())], ledger, pool, stop=threading.Event())
        outcomes = list(ledger.outcomes())
    assert [outcome.verdicts for outcome in outcomes] == [("ok", "ok")] * 2
    told = [json.loads(line) for line in (tmp_path / "memory.told").read_text().splitlines()]
    tried, right = (sum(column) for column in zip(*told, strict=True))
    if mirrored:  # what it would do: every draw of the second game of each set
        assert right == tried > 50
    else:
        assert right < 10  # tiles are few: a guess now and then comes true


def test_a_stranger_s_bot_makes_deals_fresh(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert configure("base", ["greedy", "random"], [2], deals=1, seed=1).mirrored
    made = configure("base", ["greedy", "random"], [2], deals=1, seed=1, isolation="process")
    assert not made.mirrored
    assert attrs.evolve(made, mirrored=True) != made
