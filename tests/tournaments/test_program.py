"""Tournaments as a user runs them: by the program `carc`, stopped, killed and gone on with."""

import os
import re
import signal
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from support.program import Run, refused
from support.runs import SLOW, STRANGE, THINKS, is_whole, ledger_of
from support.waiting import until

from carc import Rules, read_record, replay
from carc.tournaments.isolation import host
from carc.tournaments.outcomes.verdicts import OK


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
    rules = Rules.from_spec("base", players=2)
    decks = set()
    for outcome in outcomes:
        match = read_record(outcome.record)
        replay(match, rules)
        assert match.seats == outcome.seats
        assert match.seed == outcome.deal_seed
        assert match.result.scores == outcome.scores
        # Two clocks are read one after the other: a tenth of a millisecond is nothing between them.
        times = zip(outcome.cpu, outcome.wall, strict=True)
        assert all(0 < cpu <= 2 * wall + 1e-4 for cpu, wall in times)
        decks.add((outcome.deal, tuple(move for move in match.actions if move.startswith("draw:"))))
    assert len({draws for _, draws in decks}) == 3  # one a deal


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
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130, err
    assert "Traceback" not in out + err
    said = re.search(r"Stopped after (\d+) of 40 games\. To continue:\ncarc (.*)\n", err)
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
def test_a_pause_is_nobody_s_fault(
    run_carc, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms = tmp_path / "rooms"
    rooms.mkdir()
    rooms.chmod(0o777)
    monkeypatch.setenv("TMPDIR", str(rooms))
    assert run_carc("new-bot thinks").returncode == 0
    (tmp_path / "thinks" / "bot.py").write_text(THINKS)
    clock = "cap=1.5,start=10"
    process = run_carc.start(
        "tournament --bots ./thinks,random --deals 1 --jobs 1 --isolation process "
        f"--clock {clock} --out t"
    )
    until(lambda: list(rooms.rglob("thinking")))
    os.killpg(process.pid, signal.SIGSTOP)  # as Ctrl-Z does, which does not reach the bots
    time.sleep(2.5)
    os.killpg(process.pid, signal.SIGCONT)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    outcomes = ledger_of(tmp_path / "t")
    assert [outcome.verdicts for outcome in outcomes] == [(OK, OK)] * 2, outcomes
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
        ("tournament --bots greedy,random --tables 1", "give table sizes from 2 on"),
        ("tournament --bots greedy,random --tables 2-3", "a table of 3 cannot be seated"),
        ("tournament --bots greedy --bots random", "--bots is given twice"),
        ("tournament --bots greedy,random --limit nan", "--limit is a number of seconds, not nan"),
        ("tournament --bots greedy,random --out .", "--out must be a folder of its own"),
        ("tournament --bots greedy,random --clock bank=60,bank=1", "bank is given twice"),
        ("tournament --bots careful,random", "careful plays mists:1 to mists:6 only, not base"),
        (
            "tournament --rules base(x=1) --bots greedy,random",
            "base has no option 'x'; it has fields",
        ),
        ("tournament --rules mists:1+ghosts --bots greedy,random", "cannot be played together"),
        ("tournament --rules mists:1+ghosts --bots careful", "cannot be played together"),
        ("play --bots greedy --players 1000000000000000000000", "is not in the range 1<=x<=6"),
        ("tournament --bots greedy,random --tables 2,x", "table sizes are numbers such as 2,3"),
        ("tournament --bots greedy --tables 2", "a table of 2 cannot be seated from 1 bots"),
        ("tournament --bots greedy --tables 2", "(greedy); enter more"),
        ("tournament --bots ,", "no bots are named"),
        ("tournament --bots greedy,,random", "'greedy,,random' has a comma without a name"),
        ("play --bots greedy,", "write bots as greedy,random"),
        ("tournament --bots greedy,random --mirrored --fresh", "--mirrored/--fresh is given twice"),
        ("tournament --bots ./mine,mine/", "./mine and mine/ are one folder; enter it once"),
        (
            "tournament --bots greedy,random --executor dask://localhost:port",
            "an executor is written local, dask or dask://HOST:PORT, not 'dask://localhost:port'",
        ),
        (
            "tournament --bots greedy,random --executor dask://me:secret@localhost:1",
            "an executor is written local, dask or dask://HOST:PORT",
        ),
        ("duel greedy random --elo 0,inf", "--elo takes two numbers such as 0,50, not '0,inf'"),
        ("play --bots careful,careful", "careful plays mists:1 to mists:6 only, not base"),
        ("play --bots team-mcts --rules base+inns", "plays games of a team, such as mists:4, not"),
        ("play --bots greedy-blind:2", "greedy-blind is a shipped bot that takes no parameter"),
        ("play --bots mcts:", "after the colon comes N playouts per turn (mcts:200)"),
        ("play --bots mcts:05", "iterations per decision, such as 200 (1 to 9999999), or seconds"),
        ("play --bots mcts:10000000", "1 to 9999999), or seconds, such as 0.2s (0.0001s to 9999s)"),
        (
            "play --bots strong:jobs=0",
            "'jobs=0' does not give a number of processes; it comes last and is 1 to",
        ),
        (
            "play --bots strong:jobs=2:1s",
            "it comes last and is 1 to 99, such as jobs=2 or 0.5s:jobs=2",
        ),
        ("play --bots math:pi", "math.pi is not a class but of type float"),
        ("play --bots builtins:int", "bot 'builtins:int' has no method choose(state)"),
        ("tournament --bots greedy,random --deals 0", "0 deals cannot be played; give 1 to"),
        (f"tournament --bots greedy,random --deals {10**24}", f"{10**24} deals cannot be played"),
        (f"levels --bots careful --games {10**24}", f"{10**24} deals cannot be played"),
        (
            "tournament --bots greedy,random --isolation process --limit 6 --clock cap=60",
            # By hand: 2 x (10 to start + 60 in the bank) + 72 tiles x 5 x 0.1 = 175.5, a tenth
            # more, and 10.
            "a game may take 203 s by --clock bank=60,increment=0.1,cap=60,start=10, and "
            "would be void after --limit 6",
        ),
        ("tournament --bots greedy,random --out /proc/nosuch", "/proc/nosuch cannot be written"),
        ("leaderboard nosuch", "there is no tournament in nosuch"),
    ],
)
def test_bad_input_gets_one_sentence(run: Run, command: str, sentence: str) -> None:
    assert sentence in refused(run(*command.split()))


@pytest.mark.parametrize(
    ("killed", "lacks"), [(0, ""), (1, ""), (2, "a trial start failed: crash: killed by SIGKILL")]
)
def test_a_level_is_there_though_somebody_killed_its_first_trial_start(
    killed: int, lacks: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = ["import carc.bots.session; print(input())"] + killed * [
        "import os; os.kill(os.getpid(), 9)"
    ]
    monkeypatch.setattr(host.sandbox, "python", lambda *_: [sys.executable, "-c", programs.pop()])
    host._tried.cache_clear()
    try:
        assert host.missing("process").startswith(lacks)
        assert bool(host.missing("process")) == bool(lacks)
    finally:
        host._tried.cache_clear()
