"""No text of a bot or its author makes a terminal do anything, or hides in it."""

import sqlite3
from pathlib import Path

import pytest
from support.playing import Carc, Result, requires

from carc.errors import BadBot
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.submission.checking import Step
from carc.tournaments.submission.content import read
from carc.tournaments.submission.registry import Registry

isolated = requires("confined")

EVIL = "\x1b[31m\x07\x9b2J\u202eevil\u2066\u200b\ufeff"
SHOWN = r"\x1b[31m\x07\x9b2J\u202eevil\u2066\u200b\ufeff"
PYTHON = 'name = "mine"\nversion = "1"\nlanguage = "python"\nentry = "bot:Bot"\n'
RAISES = "class Bot:\n  def choose(self, state):\n    {}\n    raise ValueError('" + EVIL + "')\n"


def make(manifest: str = PYTHON, code: str = "") -> None:
    Path("mine").mkdir(exist_ok=True)
    Path("mine/bot.toml").write_text(manifest)
    Path("mine/bot.py").write_text(code)


def harmless(result: Result) -> str:
    """All that was shown, once nothing in it does harm."""
    text = result.out + result.err
    assert all(char in "\n\t" or char.isprintable() for char in text), ascii(text)
    return text


def test_an_author(carc: Carc) -> None:
    """None is registered with hidden characters; one of before that is shown with escapes."""
    make()
    hidden = "\x1b[31m\u202ea\u200bnn"
    with pytest.raises(BadBot, match="all of them visible"):
        Registry().add(read(Path("mine")), hidden)
    registry = Registry()
    registry.add(read(Path("mine")), "ann")
    with sqlite3.connect(registry.folder / "index.sqlite") as index:
        index.execute("UPDATE bots SET author = ?", [hidden])
    index.close()
    assert r"\x1b[31m\u202ea\u200bnn" in harmless(carc("bots"))
    Path("mine/bot.py").write_text("# changed")
    told = harmless(carc("submit mine --author bob"))
    assert r"taken by \x1b[31m\u202ea\u200bnn" in told


def test_an_author_is_no_markup(carc: Carc) -> None:
    make()
    Registry().add(read(Path("mine")), "[bold]ann[/bold] :smile:")
    assert "[bold]ann[/bold] :smile:" in carc("bots").out


@pytest.mark.parametrize(
    "manifest",
    [
        'name = "mine"\nversion = "1"\ncommand = ["EVIL"]\n',
        'name = "mine"\nversion = "1"\ncommand = ["./EVIL"]\n',
        'name = "EVIL"\nversion = "1"\ncommand = ["sh"]\n',
        'name = "mine"\nversion = "1"\ncommand = ["sh"]\n"EVIL" = 1\n',
        'name = "mine"\nversion = "1"\ncommand = ["sh"]\nrules = ["EVIL"]\n',
    ],
)
def test_a_manifest(carc: Carc, manifest: str) -> None:
    escaped = "".join(f"\\u{ord(char):04x}" if not char.isprintable() else char for char in EVIL)
    make(manifest.replace("EVIL", escaped))
    assert r"\x1b[31m" in harmless(carc("check mine --isolation process"))


def test_a_name_on_the_command_line(carc: Carc) -> None:
    for line in ("submit", "check", "withdraw", "leaderboard", "play --bots", EVIL):
        result = carc(line, EVIL)
        assert result.code == 2
        assert r"\x1b[31m" in harmless(result)


@isolated
def test_what_a_bot_prints_and_raises(carc: Carc) -> None:
    say = "import sys; print('" + EVIL + "\\n\\tsecond', file=sys.stderr)"
    make(code=RAISES.format(say))
    told = harmless(carc("check mine --games 1"))
    assert told.count(SHOWN) >= 2, "the fault and what was printed"
    Registry().add(read(Path("mine")), "ann")
    played = carc("tournament --bots mine,random --deals 1 --out t")
    assert played.code == 0
    harmless(played)
    with Ledger.reading(Path("t")) as ledger:
        kept = ledger.outcome(first_game()).stderr
    assert any(SHOWN in text for text in kept), "as it is kept"
    told = harmless(carc(f"log {first_game()} mine --out t"))
    assert told.count(SHOWN) >= 2
    assert "\n\tsecond\n" in told, "lines and their tabs stay"
    log = Path("t/tournament.log").read_text()
    assert SHOWN in log
    assert all(char in "\n\t" or char.isprintable() for char in log)


def first_game() -> str:
    with Ledger.reading(Path("t")) as ledger:
        return next(iter(ledger.outcomes())).id


@isolated
def test_a_step_of_a_check(carc: Carc, monkeypatch: pytest.MonkeyPatch) -> None:
    make()
    step = Step("plays", False, EVIL, f"{EVIL}\n\tsecond")
    monkeypatch.setattr("carc.commands.bots.check", lambda *_, **__: iter([step]))
    told = harmless(carc("check mine"))
    assert f"FAIL  plays: {SHOWN}\n" in told
    assert f"      | {SHOWN}\n      | \tsecond\n" in told


@isolated
def test_what_is_left_out(carc: Carc) -> None:
    make()
    Path("mine/.\x1b[31m").touch()
    assert r"left out: .\x1b[31m" in harmless(carc("check mine --games 1"))


def test_a_bot_inside_the_process(carc: Carc) -> None:
    Path("inside.py").write_text(RAISES.format("pass"))
    assert f"was at fault, crash: ValueError: {SHOWN}" in harmless(
        carc("play --bots inside:Bot,random")
    )
    played = carc("tournament --bots inside:Bot,random --deals 1 --out t")
    assert "Faults of inside:Bot" in harmless(played)
    assert SHOWN in harmless(carc(f"log {first_game()} inside:Bot --out t"))
    log = Path("t/tournament.log").read_text()
    assert f"crash: ValueError: {SHOWN}" in log
    assert all(char in "\n\t" or char.isprintable() for char in log)


@isolated
def test_a_folder_on_a_board(carc: Carc) -> None:
    make(code="from carc.bots.random import Random as Bot")
    with Path("mine/bot.toml").open("a") as manifest:
        manifest.write('rules = ["base", "mists:1"]\n')
    Path("mine").rename("./od\u202ed\x1b")
    played = carc("tournament --deals 1 --out t --bots", "./od\u202ed\x1b,random")
    assert played.code == 0, played.err
    assert r"./od\u202ed\x1b" in harmless(played)
    assert r"./od\u202ed\x1b" in harmless(carc("play --bots", "./od\u202ed\x1b,random"))
    told = carc("levels --levels 1 --players 1 --games 1 --jobs 1 --bots", "./od\u202ed\x1b")
    assert r"`./od\u202ed\x1b`" in harmless(told)
