"""Tournaments as a user runs them: real games through the program `carc`, stopped, killed and gone on with."""

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import attrs
import pytest
from rich.console import Console

import carc
from carc import Rules, read_record, replay
from carc.commands.main import main
from carc.tournaments import report
from carc.tournaments.contest import board
from carc.tournaments.formats.design import round_robin
from carc.tournaments.isolation import host
from carc.tournaments.ledger import Ledger
from carc.tournaments.outcome import Outcome
from carc.tournaments.schedule import configure
from carc.tournaments.verdicts import OK

SLOW = """
import random, time


class Slow:
    def __init__(self, seed):
        self.rng = random.Random(seed)

    def choose(self, state):
        time.sleep(0.001)
        return self.rng.choice(state.legal_actions())
"""
STRANGE = """
import logging, os, random


class Raises:
    def choose(self, state):
        raise LookupError("I am lost")


class Leaves:
    def choose(self, state):
        raise SystemExit(7)


class Crashes:
    def choose(self, state):
        os.abort()


class StartsOnce:
    made = False

    def __init__(self):
        if StartsOnce.made:
            raise OSError("no more of me")
        StartsOnce.made = True

    def choose(self, state):
        return state.legal_actions()[0]


class Talks:
    def choose(self, state):
        print("printed by a bot")
        logging.getLogger("talks").warning("logged by a bot")
        return state.legal_actions()[0]
"""


def ledger_of(folder: Path) -> list[Outcome]:
    """The ledger's games, of which none is there twice and none that is not scheduled."""
    with Ledger.reading(folder) as ledger:
        outcomes = sorted(
            (ledger.outcome(each.id) for each in ledger.outcomes()), key=lambda each: each.id
        )
        ids = [outcome.id for outcome in outcomes]
        assert len(set(ids)) == len(ids)
        return outcomes


def is_whole(folder: Path) -> bool:
    with Ledger.reading(folder) as ledger:
        return ledger.ids() == {game.id for game in round_robin(ledger.configuration, ())}


def test_a_rated_round_robin(run_carc, tmp_path: Path) -> None:
    command = "tournament --bots greedy,random --tables 2 --deals 3 --seed 1 --jobs 2 --out runs/t"
    result = run_carc(command)
    assert (result.returncode, "Traceback" in result.stderr) == (0, False)
    assert "6 of 6 games" in result.stderr
    assert "TrueSkill" in result.stdout
    assert result.stdout.index("greedy") < result.stdout.index("random")
    assert run_carc("leaderboard runs/t").stdout == result.stdout
    again = run_carc(command)
    assert again.stdout == result.stdout
    assert "6 of 6 games are in the ledger already" in again.stderr

    outcomes = ledger_of(tmp_path / "runs" / "t")
    assert is_whole(tmp_path / "runs" / "t")
    assert Counter(outcome.seats for outcome in outcomes) == {
        ("greedy", "random"): 3,
        ("random", "greedy"): 3,
    }
    rules = Rules.named("base", players=2)
    decks = set()
    for outcome in outcomes:
        match = read_record(outcome.record)
        replay(match, rules)
        assert match.seats == outcome.seats
        assert match.seed == outcome.deal_seed
        assert match.result.scores == outcome.scores
        assert all(0 < cpu <= 2 * wall for cpu, wall in zip(outcome.cpu, outcome.wall, strict=True))
        decks.add((outcome.deal, *(move for move in match.actions if move.startswith("draw:"))))
    assert len({draws for _, *draws in decks for draws in [tuple(draws)]}) == 3  # one a deal


def test_the_same_tournament_again_is_the_same_to_the_letter(run_carc, tmp_path: Path) -> None:
    command = "tournament --bots random,greedy --deals 2 --seed 5"
    boards = [
        run_carc(f"{command} --out {out} --jobs {jobs}").stdout
        for out, jobs in (("a", "1"), ("b", "2"))
    ]
    assert boards[0] == boards[1] != ""
    a, b = (ledger_of(tmp_path / out) for out in "ab")
    assert [outcome.record for outcome in a] == [outcome.record for outcome in b]


def test_killed_and_gone_on_with(run_carc, tmp_path: Path) -> None:
    run_carc.bot("slow", SLOW)
    command = "tournament --bots slow:Slow,random --deals 20 --jobs 2 --out t"
    process = run_carc.start(command)
    run_carc.await_games("t", 4)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    part = ledger_of(tmp_path / "t")
    assert 4 <= len(part) < 40
    assert run_carc(command).returncode == 0
    assert is_whole(tmp_path / "t")
    whole = {outcome.id: outcome for outcome in ledger_of(tmp_path / "t")}
    assert all(whole[outcome.id] == outcome for outcome in part)  # nothing was played again


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_stops_cleanly_and_says_how_to_go_on(
    run_carc, tmp_path: Path, number: signal.Signals
) -> None:
    run_carc.bot("slow", SLOW)
    process = run_carc.start(
        "tournament --bots slow:Slow,random --deals 20 --seed 0 --out 'my games'"
    )
    run_carc.await_games("my games", 2)
    os.killpg(process.pid, number)  # as a terminal does: to the workers, too
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130, err
    assert "Traceback" not in out + err
    said = re.search(r"Stopped after (\d+) of 40 games\. To go on:\ncarc (.*)\n", err)
    assert said
    assert not (tmp_path / "my games" / "ledger.sqlite-wal").exists()  # closed
    assert len(ledger_of(tmp_path / "my games")) == int(said[1]) < 40
    assert run_carc(said[2]).returncode == 0
    assert is_whole(tmp_path / "my games")


def test_bots_that_fail_are_named_and_the_game_goes_on(run_carc, tmp_path: Path) -> None:
    run_carc.bot("strange", STRANGE)
    bots = "strange:Raises,strange:Leaves,strange:StartsOnce,random"
    result = run_carc(f"tournament --bots {bots} --tables 4 --deals 1 --out t")
    assert result.returncode == 0
    outcomes = ledger_of(tmp_path / "t")
    assert [outcome.verdict for outcome in outcomes] == [OK] * 4
    details = {
        outcome.seats[fault["seat"]]: f"{fault['verdict']}: {fault['detail']}"
        for outcome in outcomes
        for fault in outcome.faults
    }
    assert "I am lost" in details.pop("strange:Raises")
    assert "exit(7)" in details.pop("strange:Leaves")
    assert "failed to start" in details["strange:StartsOnce"]
    assert "no more of me" in details.pop("strange:StartsOnce")
    assert not details
    for outcome in outcomes:
        assert outcome.ranks[outcome.seats.index("random")] == 0
    assert "Faults of strange:Raises: 4 crash" in result.stdout
    assert "strange:Raises: crash: LookupError: I am lost" in log_of(tmp_path / "t")


def test_a_bot_that_takes_workers_down_is_named_and_after_three_set_aside(
    run_carc, tmp_path: Path
) -> None:
    run_carc.bot("strange", STRANGE)
    command = "tournament --bots strange:Crashes,greedy,random --deals 2 --jobs 1 --out t"
    result = run_carc(command)
    assert result.returncode == 0, result.stderr
    outcomes = ledger_of(tmp_path / "t")
    assert [outcome.verdict for outcome in outcomes] == [OK] * 12
    for outcome in outcomes:
        for bot, verdict in zip(outcome.seats, outcome.verdicts, strict=True):
            assert verdict == ("crash" if bot == "strange:Crashes" else OK)
    details = {fault["detail"] for outcome in outcomes for fault in outcome.faults}
    (detail,) = details
    assert "set aside: 3 workers died while it was to move; the last worker" in detail
    assert "was killed by SIGABRT" in detail
    log = log_of(tmp_path / "t")
    # It crashed in there three times, or four: a game was under way when it was set aside.
    assert 3 <= log.count("Fatal Python error") <= 4
    assert "strange.py" in log
    # It is remembered: more deals cost no more workers.
    assert run_carc(command.replace("--deals 2", "--deals 3")).returncode == 0
    assert log_of(tmp_path / "t").count("Fatal Python error") == log.count("Fatal Python error")


@pytest.mark.skipif(bool(host.missing("process")), reason=str(host.missing("process")))
def test_a_pause_is_nobody_s_fault(run_carc, tmp_path: Path) -> None:
    clock = "cap=1.5,start=10"
    process = run_carc.start(
        f"tournament --bots greedy,random --deals 4 --jobs 1 --isolation process --clock {clock} --out t"
    )
    run_carc.await_games("t", 1)
    os.killpg(process.pid, signal.SIGSTOP)  # as Ctrl-Z does, which does not reach the bots
    time.sleep(4)
    os.killpg(process.pid, signal.SIGCONT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    outcomes = ledger_of(tmp_path / "t")
    assert [outcome.verdicts for outcome in outcomes] == [(OK, OK)] * 8, outcomes
    assert "all stood still for" in log_of(tmp_path / "t")


def test_what_bots_say_is_in_the_log(run_carc, tmp_path: Path) -> None:
    run_carc.bot("strange", STRANGE)
    result = run_carc("tournament --bots strange:Talks,random --deals 2 --jobs 2 --out t")
    assert "by a bot" not in result.stdout + result.stderr
    moves = sum(
        move.player == match.seats.index("strange:Talks") and move.action != "pass"
        for match in (read_record(outcome.record) for outcome in ledger_of(tmp_path / "t"))
        for move in match.moves
    )
    log = log_of(tmp_path / "t")
    # It never passes, since the first legal action is none: every one of its moves is asked for.
    assert log.count("printed by a bot\n") == log.count("talks: logged by a bot\n") == moves


def log_of(folder: Path) -> str:
    return (folder / "tournament.log").read_text()


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("tournament --rules nosuch --bots greedy,random", "nosuch"),
        ("tournament --bots greedy,nosuch", "nosuch"),
        ("tournament --bots greedy,random --tables 3", "a table of 3 cannot be seated from 2 bots"),
        ("tournament --bots greedy,random --tables 1", "2 to 5 players, not 1"),
        ("tournament --bots greedy,random --tables 2-3", "a table of 3 cannot be seated"),
        ("tournament --bots greedy,random --tables 2-x", "table sizes are numbers such as 2,3"),
        ("tournament --bots greedy --bots random", "--bots is given twice"),
        ("tournament --bots greedy,random --limit nan", "--limit is a number of seconds, not nan"),
        ("tournament --bots greedy,random --out .", "--out is the tournament's own folder"),
        ("tournament --bots greedy,random --clock bank=60,bank=1", "bank is given twice"),
        ("tournament --bots careful,random", "careful plays mists:1 to mists:6 only, not base"),
        (
            "tournament --rules base(x=1) --bots greedy,random",
            "base has no option 'x'; it has fields",
        ),
        ("tournament --rules mists:1+ghosts --bots greedy,random", "cannot be played together"),
        ("play --bots greedy --players 1000000000000000000000", "is not in the range 1<=x<=6"),
        ("play --bots nosuch", "unknown bot 'nosuch'"),
        ("tournament --bots greedy,random --tables 2,x", "table sizes are numbers such as 2,3"),
        ("tournament --bots greedy --tables 2", "a table of 2 cannot be seated from 1 bots"),
        ("tournament --bots ,", "no bots are named"),
        ("tournament --bots greedy,random --deals 0", "0 deals cannot be played"),
        (
            "tournament --bots greedy,random --isolation process --limit 6 --clock cap=60",
            # By hand: 2 x (10 to start + 60 in the bank) + 72 tiles x 5 x 0.1 = 175.5, a tenth more, and 10.
            "a game may take 203 s by --clock bank=60,increment=0.1,cap=60,start=10, and would be void after --limit 6",
        ),
        ("tournament --bots greedy,random --out /proc/nosuch", "/proc/nosuch cannot be written"),
        ("leaderboard nosuch", "there is no tournament in nosuch"),
    ],
)
def test_bad_input_gets_one_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "argv", ["carc", *command.split()])
    with pytest.raises(SystemExit) as leave:
        main()
    out, err = capsys.readouterr()
    assert (leave.value.code, out) == (2, "")
    (line,) = err.splitlines()
    assert sentence in line


def test_a_file_of_settings_and_what_was_begun(run_carc, tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(
        'title = "Autumn cup"\nbots = ["greedy", "random"]\ndeals = 2\nseed = 1\nout = "cup"\n'
        "mirrored = false\n[clock]\nbank = 30\n"
    )
    first = run_carc("tournament --config cup.toml")
    assert first.returncode == 0, first.stderr
    assert first.stdout.startswith("Autumn cup: base, round-robin, 4 of 4 games\n")
    assert "Every game had a deal of its own" in first.stdout
    # What was begun goes on by the folder alone; the command line goes before what it remembers.
    assert run_carc("tournament --out cup").stdout == first.stdout
    more = run_carc("tournament --out cup --deals 3 --title 'Winter cup'")
    assert more.stdout.startswith("Winter cup: base, round-robin, 6 of 6 games\n")
    assert ("seed" in (tmp_path / "cup.toml").read_text()) and ("seed" not in more.stdout)
    (tmp_path / "cup.toml").write_text('bots = ["greedy", "random"]\n\ndeal = 2\n')
    wrong = run_carc("tournament --config cup.toml --out d")
    assert wrong.returncode == 2
    assert "cup.toml:3: unknown key 'deal'; keys are seed, mirrored, isolation" in wrong.stderr


def test_two_parts_merged_are_the_whole(run_carc, tmp_path: Path) -> None:
    command = "tournament --bots greedy,random,greedy-blind --deals 2 --seed 1"
    for part in ("1/2", "2/2"):
        assert run_carc(f"{command} --part {part} --out p{part[0]}").returncode == 0
    result = run_carc("merge p1 p2 --out whole")
    assert result.stdout == "12 games are in whole\n"
    assert run_carc(f"{command} --out at-once").stdout == run_carc("leaderboard whole").stdout
    assert run_carc("merge p1 p2 --out whole").returncode == 0  # nothing twice
    run_carc(command.replace("--seed 1", "--seed 2") + " --out other")
    refused = run_carc("merge p1 other --out more")
    assert refused.returncode == 2
    assert "other/ledger.sqlite was written with seed 2, not seed 1" in refused.stderr
    assert (
        "--part needs --seed"
        in run_carc("tournament --bots greedy,random --part 1/2 --out x").stderr
    )
    assert "such as 3/8, not '3/2'" in run_carc(f"{command} --part 3/2 --out x").stderr


def test_a_duel(run_carc, tmp_path: Path) -> None:
    result = run_carc("duel greedy random --deals 24 --seed 1 --out d")
    assert result.returncode == 0, result.stderr
    assert "SPRT: greedy is better by 50 rather than 0 (log likelihood ratio +" in result.stdout
    assert len(ledger_of(tmp_path / "d")) < 48
    short = run_carc("duel random random --deals 2 --out e")
    assert "'random' is named twice" in short.stderr
    undecided = run_carc("duel greedy greedy-blind --deals 2 --seed 1 --out e")
    assert "SPRT: not decided; more --deals go on" in undecided.stdout
    more = run_carc("duel --out e --deals 3")
    assert "4 of 6 games are in the ledger already" in more.stderr


def test_a_duel_by_a_file(run_carc, tmp_path: Path) -> None:
    (tmp_path / "duel.toml").write_text(
        'one = "greedy"\nother = "random"\ndeals = 1\nseed = 7\nout = "d"\nelo = [0, 20]\n'
    )
    assert "greedy against random" in run_carc("duel --config duel.toml").stdout
    with Ledger.reading(tmp_path / "d") as ledger:
        assert (ledger.configuration.seed, ledger.configuration.elo) == (7, (0.0, 20.0))
    other = run_carc("duel --config duel.toml random greedy --out e")  # the command line goes first
    assert "random against greedy" in other.stdout
    (tmp_path / "duel.toml").write_text('one = "greedy"\ntables = [2]\n')
    wrong = run_carc("duel --config duel.toml")
    assert wrong.returncode == 2
    assert "duel.toml:2: unknown key 'tables'; keys are" in wrong.stderr
    assert "Missing argument 'OTHER'" in run_carc("duel greedy").stderr


def test_ctrl_c_before_the_program_can_say_anything(tmp_path: Path) -> None:
    def run(name: str, code: str, *words: str) -> "subprocess.CompletedProcess[str]":
        (tmp_path / name).write_text(f"import os, signal\n{code}")
        return subprocess.run(
            [sys.executable, str(tmp_path / name), *words],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(Path(carc.__file__).parents[1])},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    ctrl_c = "os.kill(os.getpid(), signal.SIGINT)"
    early = run("carc", f"import carc._starting\n{ctrl_c}\n")
    assert (early.returncode, early.stderr) == (-signal.SIGINT, "")
    (tmp_path / "slow.py").write_text(f"import os, signal\n{ctrl_c}\n")
    words = "tournament --bots slow:Bot,random --out t"
    program = "from carc.commands.main import main\nmain()\n"
    late = run("carc", program, *words.split())
    assert (late.returncode, late.stderr.strip()) == (130, "")
    # Who imports carc has the signals as they were.
    own = run("mine.py", "import carc\nprint(signal.getsignal(2) is signal.default_int_handler)\n")
    assert own.stdout == "True\n"


def test_results_for_others(run_carc, tmp_path: Path) -> None:
    run_carc.bot("strange", STRANGE)
    run_carc("tournament --bots greedy,random,strange:Raises --deals 1 --seed 1 --out t")
    outcomes = ledger_of(tmp_path / "t")
    board = json.loads(run_carc("leaderboard t --json").stdout)
    assert (board["played"], board["total"], board["games"]) == (6, 6, 6)
    first = board["standings"][0]
    assert first["bot"] == "greedy"
    own = [o.scores[o.seats.index("greedy")] for o in outcomes if "greedy" in o.seats]
    assert first["score"]["value"] == pytest.approx(sum(own) / 4)
    assert sum(first["kinds"].values()) == pytest.approx(sum(own) / 4)
    table = list(csv.DictReader(run_carc("leaderboard t --csv").stdout.splitlines()))
    assert [line["bot"] for line in table] == [line["bot"] for line in board["standings"]]

    faulty = run_carc("games t --verdict crash --json").stdout.splitlines()
    assert {json.loads(line)["id"] for line in faulty} == {o.id for o in outcomes if o.faults}
    widest = run_carc("games t --bot greedy --widest").stdout.splitlines()
    margins = [abs(o.scores[0] - o.scores[1]) for o in outcomes if "greedy" in o.seats]
    shown = [sorted(map(int, re.findall(r" (\d+)\*?(?=,|  |$)", line))) for line in widest]
    assert [b - a for a, b in shown] == sorted(margins, reverse=True)

    assert run_carc("export t --out x.jsonl").returncode == 0
    rows = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    assert [(row["game"], row["seat"]) for row in rows] == [
        (o.id, seat)
        for o in sorted(outcomes, key=lambda o: (o.rotation_set, o.id))
        for seat in (0, 1)
    ]
    assert run_carc("export t --out x.csv").returncode == 0
    written = csv.DictReader((tmp_path / "x.csv").read_text().splitlines())
    assert [row["score"] for row in written] == [str(row["score"]) for row in rows]
    parquet = pytest.importorskip("pyarrow.parquet")
    assert run_carc("export t --out x.parquet").returncode == 0
    assert parquet.read_table(tmp_path / "x.parquet").to_pylist() == rows
    assert "ends in none of .jsonl" in run_carc("export t --out x.doc").stderr

    details = run_carc("leaderboard t --details").stdout
    assert "by seat" in details and "Milliseconds a move" in details
    page = run_carc("report t")
    text = (tmp_path / page.stdout.strip()).read_text()
    assert "strange:Raises" in text and "<svg" in text
    assert not re.search(r"(src|href)=|http", text)  # it needs nothing but itself
    assert "seed" not in text  # who knows it knows the deals to come


def test_a_narrow_terminal(run_carc, tmp_path: Path) -> None:
    run_carc("tournament --bots greedy,random,greedy-blind --deals 1 --seed 1 --out t")
    text = io.StringIO()
    console = Console(file=text, width=80, force_terminal=True, color_system=None, markup=False)
    report.show(board(tmp_path / "t"), console, report.heading(tmp_path / "t"))
    lines = text.getvalue().splitlines()
    tables = [line for line in lines if "greedy" in line or "random" in line]
    assert max(map(len, lines[1:12])) <= 80
    assert any(re.search(r"greedy .*\[.*\]", line) for line in tables)  # no interval is folded


@pytest.mark.parametrize("wait", [0.6, 3])
def test_ctrl_c_stops_levels(run_carc, wait: float) -> None:
    process = run_carc.start("levels --games 5000 --jobs 1")
    time.sleep(wait)
    begun = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert time.monotonic() - begun < 15  # a level takes minutes


def test_one_bot_plays_all_seats(run_carc) -> None:
    assert "green random" in run_carc("play --bots random --seed 1").stdout


@pytest.mark.parametrize(
    ("redirected", "sentence"),
    [
        ("leaderboard t > /dev/full", "No space left on device"),
        ("tournament --bots greedy,random --deals 9 --out u --jobs 2", "Too many open files"),
    ],
)
def test_what_the_system_refuses_is_one_sentence(
    run_carc, tmp_path: Path, redirected: str, sentence: str
) -> None:
    run_carc("tournament --bots greedy,random --deals 1 --out t")
    limit = "ulimit -n 14; " if "files" in sentence else ""
    result = subprocess.run(
        [
            "sh",
            "-c",
            f"{limit}{sys.executable} -c 'from carc.commands.main import main; main()' {redirected}",
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(carc.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert result.returncode == 2
    assert result.stderr.splitlines()[-1].startswith("carc: ")
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr


def test_a_terminal_of_few_characters(run_carc, monkeypatch: pytest.MonkeyPatch) -> None:
    run_carc("tournament --bots greedy,random --deals 1 --out t")
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    result = run_carc("leaderboard t")
    assert (result.returncode, "greedy" in result.stdout) == (0, True)


def test_a_ledger_of_other_rules_is_refused(run_carc, tmp_path: Path) -> None:
    made = configure("base", ["greedy", "random"], [2], deals=1, seed=1)
    with Ledger.writing(tmp_path / "t", attrs.evolve(made, rules_version="0-old")):
        pass
    result = run_carc("tournament --bots greedy,random --deals 3 --out t")
    assert result.returncode == 2
    (line,) = result.stderr.splitlines()
    assert "written with rules version 0-old" in line
    assert ledger_of(tmp_path / "t") == []


def test_a_bot_more_plays_only_its_own_games(run_carc, tmp_path: Path) -> None:
    run_carc.bot("slow", SLOW)
    command = "tournament --bots greedy,random --deals 1 --seed 1 --out t"
    assert run_carc(command).returncode == 0
    before = ledger_of(tmp_path / "t")
    result = run_carc(command.replace("random", "random,slow:Slow"))
    assert "2 of 6 games are in the ledger already" in result.stderr
    after = {outcome.id: outcome for outcome in ledger_of(tmp_path / "t")}
    assert len(after) == 6
    assert all(after[outcome.id] == outcome for outcome in before)
    dropped = run_carc(command)
    assert "2 of 2 games are in the ledger already" in dropped.stderr
    assert "Left out: 4 games of slow:Slow, which is not entered now." in dropped.stdout


def test_co_operative_rules_and_one_player(run_carc) -> None:
    result = run_carc(
        "tournament --rules mists:1 --bots greedy,random --tables 1,2 --deals 1 --out t"
    )
    assert result.returncode == 0, result.stderr
    assert "Sorted by mean score" in result.stdout
