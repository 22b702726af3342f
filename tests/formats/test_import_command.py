"""The commands `carc import` and `carc export --lab`."""

import json
from pathlib import Path

import pytest
from formats.test_bga import SET_ASIDE, played
from support import bga_logs
from support.program import Run, refused

LINK = f"https://www.carcassonnelab.com/#{bga_logs.link(played(SET_ASIDE))}?players=Ann,Bob"


def test_a_link_is_imported_verified_and_written_again(run: Run) -> None:
    code, out, _ = run("import", LINK)
    assert (code, "game.jsonl: base, " in out) == (0, True)
    assert run("replay", "--verify", "game.jsonl")[0] == 0
    assert run("export", "--lab", "game.jsonl", "--out", "-")[:2] == (
        0,
        f"{LINK}&colors=red,blue\n",
    )
    bare = bga_logs.link(played(1)).removeprefix("/0/0/")
    assert run("import", bare, "--out", "bare.jsonl")[0] == 0
    assert run("replay", "--verify", "bare.jsonl")[0] == 0


def test_a_file_of_links_becomes_numbered_records(run: Run) -> None:
    Path("links.txt").write_text(f"{LINK}\n" * 11)
    assert run("import", "links.txt")[0] == 0
    assert sorted(each.name for each in Path().glob("*.jsonl")) == [
        f"links-{number:02}.jsonl" for number in range(1, 12)
    ]
    assert "links-01.jsonl exists already" in refused(run("import", "links.txt"))


def test_other_scores_in_a_log_are_printed(run: Run) -> None:
    log = bga_logs.log(played())
    log["data"]["data"][-1]["data"][0]["args"]["args"]["result"][0]["score"] = 999
    Path("log.json").write_text(json.dumps(log))
    code, _, err = run("import", "log.json")
    assert (code, "log.jsonl: the log has the final scores" in err) == (0, True)
    assert run("replay", "--verify", "log.jsonl")[0] == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["import", "none.txt"], "carc: none.txt: cannot be read: No such file"),
        (["import", "a/b"], "carc: a/b: cannot be read: No such file"),
        (["import", "x" * 5000], "cannot be read: File name too long"),
        (["import", "https://example.org/1"], "carc: link: carc does not know this form of games"),
        (["import", LINK[:-41]], "carc: link: "),
        (["import", "bytes.txt"], "carc: bytes.txt: not a text in UTF-8"),
        (["import", "odd.txt"], "carc: odd.txt: carc does not know this form of games"),
        (["export", "--lab", "--jcz", "odd.txt", "--out", "-"], "--jcz, --lab and --dataset ex"),
        (["export", "--lab", "odd.txt", "--out", "-"], "carc: odd.txt:1: not a line of JSON"),
    ],
)
def test_commands_answer_in_a_sentence(run: Run, words: list[str], message: str) -> None:
    Path("bytes.txt").write_bytes(b"\xff\xfe")
    Path("odd.txt").write_text("hello")
    assert message in refused(run(*words))
    assert not list(Path().glob("*.jsonl"))
