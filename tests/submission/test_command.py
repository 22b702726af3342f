"""The program that a manifest's command may start, and those it may not."""

import os
from pathlib import Path

import pytest

from carc.errors import BadBot
from carc.tournaments.isolation import sandbox
from carc.tournaments.isolation.command import resolve


@pytest.fixture
def bot(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A bot's folder; the runner is in another, and has a tool in its PATH and files of its own."""
    for name in ("bot/run", "bot/bin/run", "here/bin/run", "here/tool", "tools/tool"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
    (folder / "bot" / "notes").write_text("not a program")
    (folder / "bot" / "link").symlink_to("/bin/sh")
    (folder / "bot" / "out").symlink_to(folder / "here")
    monkeypatch.chdir(folder / "here")
    monkeypatch.setenv("PATH", f".:bin::{folder}/tools")
    return folder / "bot"


def test_a_bare_name_is_a_program_of_the_host(bot: Path) -> None:
    assert resolve(["sh", "-c", "/x"], bot) == [os.path.realpath("/bin/sh"), "-c", "/x"]
    assert resolve(["tool"], bot) == [str(bot.parent / "tools" / "tool")]


def test_the_systems_programs_come_before_those_of_the_runners_path(
    bot: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (bot.parent / "tools" / "sh").write_text("#!/bin/sh\n")
    (bot.parent / "tools" / "sh").chmod(0o755)
    assert resolve(["sh"], bot) == [os.path.realpath("/bin/sh")]


@pytest.mark.parametrize("word", ["./run", "bin/run", "./bin/run", "bin//run", "bin/./run"])
def test_a_path_is_a_file_in_the_bots_folder_wherever_the_runner_is(bot: Path, word: str) -> None:
    assert resolve([word, "-x"], bot) == ["./run" if word == "./run" else "./bin/run", "-x"]


@pytest.mark.parametrize(
    "word, why",
    [
        ("/", "outside"),
        ("/bin/sh", "outside"),
        ("/proc/self/cwd/etc", "outside"),
        ("../here/tool", "outside"),
        ("bin/../../here/tool", "outside"),
        ("./", "outside"),
        (".", "no program of this host"),
        ("..", "no program of this host"),
        ("", "no program of this host"),
        ("run", "no program of this host"),
        ("./nosuch", "not there"),
        ("bin", "no program of this host"),
        ("./bin", "not an executable file"),
        ("./notes", "not an executable file"),
        ("./notes/run", "not there"),
        ("./link", "a link"),
        ("out/tool", "a link"),
    ],
)
def test_everything_else_is_refused_in_a_sentence(bot: Path, word: str, why: str) -> None:
    with pytest.raises(BadBot, match=why) as error:
        resolve([word], bot)
    assert "a bare name such as node, or a file in the bot's folder" in str(error.value)


def test_a_program_in_a_closed_folder_is_not_for_bots(bot: Path) -> None:
    (bot.parent / "tools").chmod(0o700)
    with pytest.raises(BadBot, match="not open to everybody"):
        resolve(["tool"], bot)


@pytest.mark.parametrize("command", [["sh", "-c", "x\0y"], ["s\0h"], ["sh", "x" * 10_000]])
def test_a_command_that_no_program_could_be_given_is_refused(bot: Path, command: list[str]) -> None:
    with pytest.raises(BadBot, match="at most 8192 bytes, and none of them is NUL"):
        resolve(command, bot)


def test_only_the_python_of_carc_is_told_where_it_is_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The system's Python, perhaps of another version, would look for its modules there."""
    here = sandbox.Runtime("/opt/python/bin/python3.13", "/opt/python", (), {}, ())
    monkeypatch.setattr(sandbox, "runtime", lambda: here)
    own = sandbox.environment("/packages", "/scratch", here.python)
    assert (own["PYTHONHOME"], own["LD_LIBRARY_PATH"]) == ("/opt/python", "/opt/python/lib")
    others = sandbox.environment("/packages", "/scratch", "/usr/bin/python3")
    assert not {"PYTHONHOME", "LD_LIBRARY_PATH"} & others.keys()
