"""From nothing to a bot in a tournament: new-bot, check, submit, bots, withdraw, doctor, log."""

import json
import re
import shutil
from pathlib import Path

import pytest
from support.playing import Carc, requires

from carc import Rules, play, read_record
from carc.bots import by_name
from carc.tournaments.isolation import host
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.isolation.program import Program
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.stages import Cause, HostFailure
from carc.tournaments.players.protocol import RemoteBot, Table
from carc.tournaments.submission.content import read
from carc.tournaments.submission.registry import Registry

PLAIN = Path(__file__).parents[2] / "bots" / "plain"
isolated = requires("confined")
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")


def outcomes(folder: str) -> list[Outcome]:
    with Ledger.reading(Path(folder)) as ledger:
        return [ledger.outcome(each.id) for each in ledger.outcomes()]


@isolated
@pytest.mark.parametrize("lang", ["python", pytest.param("javascript", marks=[needs_node])])
def test_a_new_bot_passes_its_check(carc: Carc, lang: str) -> None:
    made = carc(f"new-bot mine --lang {lang}")
    assert made.code == 0
    assert {"bot.toml", "README.md"} < {path.name for path in Path("mine").iterdir()}
    checked = carc("check mine --games 2")
    assert checked.code == 0, checked.out
    steps = [line for line in checked.out.splitlines() if line.startswith("pass")]
    assert len(steps) == 7
    assert "FAIL" not in checked.out
    again = carc("new-bot mine")
    assert (again.code, again.err) == (
        2,
        "carc: mine exists already; choose another name or remove it\n",
    )


@isolated
def test_a_bots_own_program_passes_its_check(carc: Carc) -> None:
    Path("mine").mkdir()
    Path("mine/bot.toml").write_text('name = "mine"\nversion = "1"\ncommand = ["./run", "-u"]')
    shutil.copy(PLAIN / "bot.py", "mine/bot.py")
    Path("mine/run").write_text('#!/bin/sh\nexec python3 "$1" bot.py\n')
    refused = carc("check mine --games 1")
    assert (refused.code, "'./run' is not an executable file" in refused.err) == (2, True)
    Path("mine/run").chmod(0o755)
    assert carc("check mine --games 1").code == 0


@isolated
def test_the_bots_of_the_page_pass_their_checks(carc: Carc) -> None:
    page = Path(__file__).parents[2] / "docs" / "write-a-bot.md"
    codes = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    assert len(codes) == 2
    carc("new-bot mine")
    for code in codes:
        Path("mine/bot.py").write_text(code)
        assert carc("check mine --games 1").code == 0


@isolated
@pytest.mark.parametrize(
    "code, step, detail",
    [
        ("import nosuch", "starts and answers hello", "No module named 'nosuch'"),
        (
            "class Bot:\n  def choose(self, state):\n    print('hm'); return 'pass'",
            "plays 2 games of base",
            "illegal",
        ),
        (
            "class Bot:\n  def choose(self, state):\n    print('hm'); raise KeyError('lost')",
            "plays 2 games of base",
            "crash: exit code 1: KeyError: 'lost'",
        ),
        (
            "class Bot:\n  def choose(self, state):\n    print('hm', flush=True)\n"
            "    import time; time.sleep(60)",
            "plays 2 games of base",
            "stall: no answer within 0.5 s",
        ),
    ],
    ids=["import", "illegal", "raises", "sleeps"],
)
def test_a_bot_that_fails_its_check_is_told_why_and_not_accepted(
    carc: Carc, code: str, step: str, detail: str
) -> None:
    carc("new-bot mine")
    Path("mine/bot.py").write_text(code)
    clock = "cap=0.5" if "sleep" in code else "cap=9"  # a starved host takes long
    result = carc(f"submit mine --games 2 --clock {clock}")
    assert result.code == 2
    failed = next(line for line in result.out.splitlines() if line.startswith("FAIL"))
    assert step in failed
    assert detail in failed
    assert "      | " in result.out, "what it printed"
    assert "Not submitted." in result.out
    there = Path("elsewhere").absolute()
    assert f"No bots are submitted in {there}." in carc("bots --registry elsewhere").out


@isolated
def test_submitting(carc: Carc) -> None:
    carc("new-bot mine")
    first = carc("submit mine --author ann --games 1")
    assert first.code == 0
    assert (code := re.search(r"Submitted mine@0\.1, digest (\w{64})", first.out))
    assert read(Path("runs/registry") / code[1]).digest == code[1] == read(Path("mine")).digest

    again = carc("submit mine --author ann")
    assert (again.code, "The same content is already mine@0.1" in again.out) == (0, True)

    bot = Path("mine/bot.py")
    bot.write_text(bot.read_text() + "# better\n")
    assert "give a new version in bot.toml" in carc("submit mine --author ann --games 1").err
    manifest = Path("mine/bot.toml")
    manifest.write_text(manifest.read_text().replace('"0.1"', '"0.2"'))
    assert "taken by ann" in carc("submit mine --author bob --games 1").err
    assert carc("submit mine --author ann --games 1").code == 0
    assert [each.spec for each in Registry().submissions()] == ["mine@0.1", "mine@0.2"]
    assert Registry().find("mine").version == "0.2"
    listed = carc("bots").out
    assert "mine@0.1" in listed and "mine@0.2" in listed and "ann" in listed

    assert carc("withdraw mine@0.2").out == "Withdrawn: mine@0.2\n"
    assert "mine@0.2" not in carc("bots").out
    assert "mine@0.2" in carc("bots --all").out
    assert Registry().find("mine").version == "0.1"
    refused = carc("tournament --bots mine@0.2,random")
    assert (refused.code, "was withdrawn" in refused.err) == (2, True)


@isolated
def test_submitted_bots_play_isolated_and_their_digest_and_log_are_in_the_ledger(
    carc: Carc,
) -> None:
    carc("new-bot mine")
    bot = Path("mine/bot.py")
    bot.write_text(
        bot.read_text().replace(
            "        legal =",
            "        print('\\x1b[31mthinking of', state.tile_in_hand)\n        legal =",
        )
    )
    carc("submit mine --author ann --games 1")
    result = carc("tournament --bots mine,random --deals 1 --out t")
    assert result.code == 0, result.err
    games = outcomes("t")
    assert len(games) == 2
    for game in games:
        seat = game.seats.index("mine@0.1")
        assert game.digests[seat] == Registry().find("mine").digest
        assert game.isolation[seat] == host.strongest()
        assert game.isolation[1 - seat] == "none"
        assert game.verdicts == ("ok", "ok")
        moves = [move.player for move in read_record(game.record).moves]
        for player in (0, 1):
            assert len(game.times[player]) == moves.count(player)
        shown = carc(f"log {game.id[:8]} mine --out t")
        assert shown.code == 0
        assert "thinking of" in shown.out
        assert "\x1b" not in shown.out, "nothing that a terminal obeys"
        assert shown.err == f"mine@0.1, seat {seat}: ok\n"
    assert "no game 'zzz'" in carc("log zzz mine --out t").err
    # The seed was drawn; the same command goes on with it.
    assert carc("tournament --bots mine,random --deals 2 --out t").code == 0
    assert len(outcomes("t")) == 4


@isolated
def test_a_fault_is_in_the_ledger_and_the_log_and_the_game_goes_on(carc: Carc) -> None:
    Path("mine").mkdir()
    Path("mine/bot.toml").write_text(
        'name = "mine"\nversion = "1"\nlanguage = "python"\nentry = "bot:Bot"'
    )
    Path("mine/bot.py").write_text(
        "class Bot:\n  def choose(self, state):\n    raise RuntimeError('I am lost')"
    )
    Registry().add(read(Path("mine")), "ann")  # unchecked
    assert carc("tournament --bots mine,greedy --deals 1 --out t --seed 3").code == 0
    for game in outcomes("t"):
        seat = game.seats.index("mine@1")
        assert game.verdicts[seat] == "crash"
        assert game.faults[0]["detail"] == "exit code 1: RuntimeError: I am lost"
        assert game.ranks[seat] == 1
        shown = carc(f"log {game.id} mine --out t")
        assert "in choose" in shown.out
        assert "crash: exit code 1" in shown.err


@isolated
@pytest.mark.parametrize("name", ["bot.py", "more.py", ".more", "__pycache__/bot.cpython-311.pyc"])
def test_content_changed_in_the_registry_is_noticed(carc: Carc, name: str) -> None:
    carc("new-bot mine")
    mine = read(Path("mine"))
    stored = Registry().content(Registry().add(mine, "ann").digest)
    (stored / name).parent.mkdir(exist_ok=True)
    with (stored / name).open("a") as file:
        file.write("# tampered")
    for bots in ("mine,random", "./mine,random"):
        refused = carc(f"tournament --bots {bots}")
        assert (refused.code, "was changed since it was stored" in refused.err) == (2, True)


@isolated
def test_a_game_the_machine_spoilt_is_void_and_not_the_bots_fault(
    carc: Carc, monkeypatch: pytest.MonkeyPatch
) -> None:
    carc("new-bot mine")
    Registry().add(read(Path("mine")), "ann")

    def spoilt(self: RemoteBot) -> None:
        raise HostFailure(Cause.SANDBOX, "the machine was too busy: no answer")

    with monkeypatch.context() as patch:
        patch.setattr(RemoteBot, "greet", spoilt)
        assert carc("tournament --bots mine,random --deals 1 --out t").code == 1
    for game in outcomes("t"):
        assert (game.verdict, game.ranks) == ("void", ())
        assert game.detail == "sandbox: the machine was too busy: no answer"
    assert carc("tournament --bots mine,random --deals 1 --out t").code == 0
    assert [game.verdict for game in outcomes("t")] == ["ok", "ok"], "played again"


def test_doctor_says_what_the_host_can_do_and_why_not_more(
    carc: Carc, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = carc("doctor")
    assert told.code == 0
    for level in host.LEVELS:
        assert re.search(rf"^{level} +(yes|no: \w+)", told.out, re.MULTILINE)
    assert re.search(r"^memory +(no|a|each bot has a) control group", told.out, re.M)
    monkeypatch.setattr(shutil, "which", lambda *args, **named: None)
    monkeypatch.setattr(host, "numbered_apart", lambda level: False)
    host._tried.cache_clear()
    try:
        told = carc("doctor")
        if not host.missing("confined"):
            assert "confined     yes, but no namespace of processes" in told.out
        assert "namespaces   no: bubblewrap is not installed" in told.out
        refused = carc("tournament --bots greedy,random --isolation namespaces")
        assert (refused.code, "cannot be had on this host" in refused.err) == (2, True)
    finally:
        host._tried.cache_clear()


@isolated
@needs_node
def test_what_a_bot_is_told(carc: Carc) -> None:
    """Every message of a game, noted by a bot: rules, clock, seat, the draws made, nothing more."""
    carc("new-bot mine --lang javascript")
    bot = Path("mine/bot.js")
    bot.write_text(
        bot.read_text().replace(
            "const message = JSON.parse(line);",
            "const message = JSON.parse(line); const { state, ...shown } = message;"
            " console.error(JSON.stringify(shown));",
        )
    )
    rules = Rules.from_spec("base")
    seed = 987654321012
    mine = Path("mine").absolute()
    program = Program(read(mine).manifest.start(mine), mine, "process")
    with Table(Clock.named("bank=40")) as table:
        remote = table.start(program, seat=1, seed=55)
        match = play(rules, [by_name("random", 1), remote], seed=seed, watch=table.watch)
        table.over(match)
    stderr = remote.stderr
    assert match.result.faults == ()
    # The log is cut in the middle; its beginning and end are whole.
    first, _, last = stderr.partition("\n[...")
    told = [json.loads(line) for line in first.splitlines()[:-1]]
    assert told[0] == {"type": "hello", "protocol": 1}
    assert told[1] == {
        "type": "game",
        "rules": "base",
        "rules_version": rules.version,
        "players": 2,
        "seat": 1,
        "seed": 55,
        "clock": {"bank": 40, "increment": 0.1, "cap": 10},
    }
    at = 0
    for message in told[2:]:
        assert set(message) == {"type", "id", "actions", "legal", "bank", "limit"}
        at += len(message["actions"])
        assert tuple(message["actions"]) == match.actions[at - len(message["actions"]) : at]
        assert match.moves[at].player == 1, "told of everything up to its own decision"
        assert match.actions[at] in message["legal"]
    over = json.loads(last.splitlines()[-1] if last else stderr.splitlines()[-1])
    assert over["type"] == "over"
    assert over["actions"][-1] == match.actions[-1]
    assert (tuple(over["scores"]), tuple(over["ranks"])) == (
        match.result.scores,
        match.result.ranks,
    )
    assert str(seed) not in stderr
