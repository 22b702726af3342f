"""The commands `carc import` and `carc export --lab`."""

import json
import sys
from pathlib import Path

import pytest
from formats.test_bga import SET_ASIDE, played
from support import bga_logs

from carc.commands.main import main

LINK = f"https://www.carcassonnelab.com/#{bga_logs.link(played(SET_ASIDE))}?players=Ann,Bob"


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """Run the program; returns its exit code."""
    monkeypatch.setattr(sys, "argv", ["carc", *words])
    with pytest.raises(SystemExit) as left:
        main()
    code = left.value.code
    assert isinstance(code, int)
    return code


def test_a_link_is_imported_verified_and_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(monkeypatch, "import", LINK) == 0
    assert "game.jsonl: base, " in capsys.readouterr().out
    assert run(monkeypatch, "replay", "--verify", "game.jsonl") == 0
    capsys.readouterr()
    assert run(monkeypatch, "export", "--lab", "game.jsonl", "--out", "-") == 0
    assert capsys.readouterr().out == f"{LINK}&colors=red,blue\n"
    bare = bga_logs.link(played(1)).removeprefix("/0/0/")
    assert run(monkeypatch, "import", bare, "--out", "bare.jsonl") == 0
    assert run(monkeypatch, "replay", "--verify", "bare.jsonl") == 0


def test_a_file_of_links_becomes_numbered_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("links.txt").write_text(f"{LINK}\n" * 11)
    assert run(monkeypatch, "import", "links.txt") == 0
    assert sorted(each.name for each in tmp_path.glob("*.jsonl")) == [
        f"links-{number:02}.jsonl" for number in range(1, 12)
    ]
    assert run(monkeypatch, "import", "links.txt") == 2
    assert "links-01.jsonl exists already" in capsys.readouterr().err


def test_other_scores_in_a_log_are_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    log = bga_logs.log(played())
    log["data"]["data"][-1]["data"][0]["args"]["args"]["result"][0]["score"] = 999
    Path("log.json").write_text(json.dumps(log))
    assert run(monkeypatch, "import", "log.json") == 0
    assert "log.jsonl: the log has the final scores" in capsys.readouterr().err
    assert run(monkeypatch, "replay", "--verify", "log.jsonl") == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["import", "none.txt"], "carc: none.txt: cannot be read: No such file"),
        (["import", "a/b"], "carc: a/b: cannot be read: No such file"),
        (["import", "x" * 5000], "cannot be read: File name too long"),
        (["import", "https://example.org/1"], "carc: link: carc does not know this form of games"),
        (["import", LINK[:-41]], "carc: link: "),
        (["import", "bytes.txt"], "carc: bytes.txt: too large, or not text in UTF-8"),
        (["import", "odd.txt"], "carc: odd.txt: carc does not know this form of games"),
        (["export", "--lab", "--jcz", "odd.txt", "--out", "-"], "--jcz and --lab exclude"),
        (["export", "--lab", "odd.txt", "--out", "-"], "carc: odd.txt:1: not a line of JSON"),
    ],
)
def test_commands_answer_in_a_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bytes.txt").write_bytes(b"\xff\xfe")
    Path("odd.txt").write_text("hello")
    assert run(monkeypatch, *words) == 2
    printed = capsys.readouterr().err
    assert message in printed and len(printed.splitlines()) == 1
    assert not list(tmp_path.glob("*.jsonl"))
