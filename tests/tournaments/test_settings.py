"""Settings in files, parts and duels, results for others, and what the system refuses."""

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console
from support.runs import SLOW, STRANGE, ledger_of

import carc
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.reports import board_table
from carc.tournaments.tournament import board

ROOT = Path(__file__).parents[2]


def test_a_file_of_settings_and_what_was_begun(run_carc, tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(
        'title = "Autumn cup"\nbots = ["greedy", "random"]\ndeals = 2\nseed = 1\nout = "cup"\n'
        "mirrored = false\n[clock]\nbank = 30\n"
    )
    first = run_carc("tournament --config cup.toml")
    assert first.returncode == 0, first.stderr
    assert first.stdout.startswith("Autumn cup: base, round-robin, 4 of 4 games\n")
    assert "Every game had its own deal" in first.stdout
    # What was begun goes on by the folder alone; the command line goes before what it remembers.
    assert run_carc("tournament --out cup").stdout == first.stdout
    more = run_carc("tournament --out cup --deals 3 --title 'Winter cup'")
    assert more.stdout.startswith("Winter cup: base, round-robin, 6 of 6 games\n")
    assert ("seed" in (tmp_path / "cup.toml").read_text()) and ("seed" not in more.stdout)
    (tmp_path / "cup.toml").write_text('bots = ["greedy", "random"]\n\ndeal = 2\n')
    wrong = run_carc("tournament --config cup.toml --out d")
    assert wrong.returncode == 2
    assert "cup.toml:3: unknown key 'deal'; keys are seed, mirrored, isolation" in wrong.stderr
    (tmp_path / "cup.toml").write_text('bots = ["greedy", "random"]\n\ndeals = "x"\n')
    wrong = run_carc("tournament --config cup.toml --out d")
    assert wrong.returncode == 2
    assert wrong.stderr == "carc: cup.toml:3: deals: 'x' is not a valid integer.\n"
    for line, why in (
        ("[clock]\nbnak = 1", "cup.toml:2: clock: 'bnak=1' is no part of a clock"),
        ('part = "9/3"', "cup.toml:2: part: a part is written like 3/8, the third of eight"),
    ):
        (tmp_path / "cup.toml").write_text(f'bots = ["greedy", "random"]\n{line}\n')
        wrong = run_carc("tournament --config cup.toml --out d")
        assert wrong.returncode == 2
        assert why in wrong.stderr


@pytest.mark.long
def test_two_parts_merged_are_the_whole(run_carc, tmp_path: Path) -> None:
    command = "tournament --bots greedy,random,greedy-blind --deals 2 --seed 1"
    for part in ("1/2", "2/2"):
        assert run_carc(f"{command} --part {part} --out p{part[0]}").returncode == 0
    # --out alone goes on with the part that was begun there.
    again = run_carc("tournament --out p1")
    assert again.returncode == 0
    assert "6 of 12 games" in again.stdout
    assert run_carc("merge p1 --out half").stdout == "half has 6 games of at most 12\n"
    result = run_carc("merge p1 p2 --out whole")
    assert result.stdout == "whole has 12 games\n"
    assert "12 of 12 games" in run_carc("tournament --out half").stdout  # the part is forgotten
    none = run_carc("leaderboard whole --tables 3")
    assert none.returncode == 2
    assert "this tournament has no tables of 3; it has tables of 2" in none.stderr
    assert run_carc(f"{command} --out at-once").stdout == run_carc("leaderboard whole").stdout
    assert run_carc("merge p1 p2 --out whole").returncode == 0  # nothing twice
    run_carc(command.replace("--seed 1", "--seed 2") + " --out other")
    refused = run_carc("merge p1 other --out more")
    assert refused.returncode == 2
    assert (
        "other/ledger.sqlite was written with seed 2, not seed 1: that is no part of the "
        "same tournament" in refused.stderr
    )
    assert (
        "--part needs --seed"
        in run_carc("tournament --bots greedy,random --part 1/2 --out x").stderr
    )
    assert (
        "like 3/8, the third of eight, not '3/2'"
        in run_carc(f"{command} --part 3/2 --out x").stderr
    )


def test_a_duel(run_carc, tmp_path: Path) -> None:
    result = run_carc("duel greedy random --deals 24 --seed 1 --out d")
    assert result.returncode == 0, result.stderr
    assert "SPRT: greedy is better by 50 rather than 0 (log likelihood ratio +" in result.stdout
    assert len(ledger_of(tmp_path / "d")) < 48
    short = run_carc("duel random random --deals 2 --out e")
    assert "'random' is named twice" in short.stderr
    undecided = run_carc("duel greedy greedy-blind --deals 2 --seed 1 --out e")
    assert "SPRT: undecided; more --deals continue" in undecided.stdout
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
            timeout=300,
        )

    ctrl_c = "os.kill(os.getpid(), signal.SIGINT)"
    early = run("carc", f"import carc.commands\n{ctrl_c}\n")
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
    nobody = run_carc("games t --bot greddy")
    assert (nobody.returncode, nobody.stdout) == (2, "")
    assert "no 'greddy' plays in t; its bots are greedy, random, strange:Raises" in nobody.stderr
    assert "'nonsense' is not one of 'ok', 'time" in run_carc("games t --verdict nonsense").stderr

    assert run_carc("export t --out x.jsonl").returncode == 0
    rows = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    assert [(row["game"], row["seat"]) for row in rows] == [
        (o.id, seat)
        for o in sorted(outcomes, key=lambda o: (o.rotation_set, o.id))
        for seat in (0, 1)
    ]
    page = (ROOT / "docs" / "run-a-tournament.md").read_text(encoding="utf-8")
    assert {name for name in rows[0] if f"`{name}`" not in page} == set()
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
    without_icon = text.replace('<link rel="icon" href="data:,">', "", 1)
    assert not re.search(r"(src|href)=|http", without_icon)  # it needs nothing but itself
    assert "seed" not in text  # who knows it knows the deals to come


def test_a_narrow_terminal(run_carc, tmp_path: Path) -> None:
    run_carc("tournament --bots greedy,random,greedy-blind --deals 1 --seed 1 --out t")
    text = io.StringIO()
    console = Console(file=text, width=80, force_terminal=True, color_system=None, markup=False)
    board_table.show(board(tmp_path / "t"), console, board_table.heading(tmp_path / "t"))
    lines = text.getvalue().splitlines()
    tables = [line for line in lines if "greedy" in line or "random" in line]
    assert max(map(len, lines[1:12])) <= 80
    assert any(re.search(r"greedy .*\[.*\]", line) for line in tables)  # no interval is folded


def test_ctrl_c_stops_levels_while_they_are_played(run_carc) -> None:
    process = run_carc.start("levels --games 5000 --jobs 1 --out t")
    run_carc.await_games("t", 1)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=300)  # all of it takes hours
    assert process.returncode == 130
    assert "Traceback" not in err


def test_ctrl_c_stops_levels_when_they_begin(run_carc) -> None:
    process = run_carc.start("levels --games 5000 --jobs 1")
    time.sleep(0.6)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=300)
    # On a starved host Python itself may still be starting, which ends with its own words.
    assert process.returncode in (130, -signal.SIGINT)
    assert "Traceback" not in err or process.returncode == -signal.SIGINT


@pytest.mark.parametrize(
    ("redirected", "sentence"),
    [
        ("leaderboard t > /dev/full", "No space left on device"),
        (
            "tournament --bots greedy,random --deals 9 --out u --jobs 2",
            "14 files may be open at once here, and so many processes want 176",
        ),
    ],
)
def test_what_the_system_refuses_is_one_sentence(
    run_carc, tmp_path: Path, redirected: str, sentence: str
) -> None:
    run_carc("tournament --bots greedy,random --deals 1 --out t")
    limit = "ulimit -n 14; " if "files" in sentence else ""
    program = f"{sys.executable} -c 'from carc.commands.main import main; main()'"
    result = subprocess.run(
        ["sh", "-c", f"{limit}{program} {redirected}"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(carc.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
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
