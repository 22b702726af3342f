"""Files that commands write: whole or not at all, and never over what is read."""

import json
import os
import resource
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.program import Run

from carc import Rules, play
from carc.bots.random import Random
from carc.errors import CarcError
from carc.files import replaced, write_file
from carc.match.interactive import InteractiveMatch
from carc.tournaments.reports.exports import export

HALF = "\\ud800"  # half a character, as JSON writes it


@pytest.fixture
def run(run: Run) -> Run:
    """Call the program where there is a game in two forms."""
    play(Rules.from_spec("base", 2), [Random(1), Random(2)], seed=1).write("game.jsonl")
    assert run("export", "game.jsonl", "--jcz", "--out", "game.jcz")[0] == 0
    return lambda line: run(*line.split())


@pytest.fixture
def full_disk(run: Run) -> Iterator[Run]:
    """Call the program where files end after 1 kB."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, before[1]))
    yield run
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, ignored)


WRITING = [
    "import game.jcz --out out",
    "export game.jsonl --jcz --out out",
    "replay game.jsonl --html out",
    "replay game.jsonl --svg out",
    "show game.jsonl --svg out",
    "play --bots random --record out",
]


@pytest.mark.parametrize("line", WRITING)
def test_on_a_full_disk_what_was_there_is_kept(full_disk: Run, line: str) -> None:
    Path("out").write_text("mine")
    before = {*Path().iterdir()}
    assert full_disk(line) == (2, "", "carc: out cannot be written: File too large\n")
    assert Path("out").read_text() == "mine"
    assert {*Path().iterdir()} == before


@pytest.mark.parametrize("line", WRITING)
def test_a_file_is_written_through_a_link_and_keeps_its_mode(run: Run, line: str) -> None:
    Path("real").write_text("old")
    Path("real").chmod(0o640)
    Path("out").symlink_to("real")
    assert run(line)[0] == 0
    assert Path("out").is_symlink() and Path("real").read_text() != "old"
    assert Path("real").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("import game.jcz --out game.jcz", "game.jcz"),
        ("import game.jcz --out link", "link"),
        ("export game.jsonl --jcz --out game.jsonl", "game.jsonl"),
        ("export game.jsonl --jcz --out ./link2", "link2"),
        ("replay game.jsonl --html game.jsonl", "game.jsonl"),
        ("replay game.jsonl --svg game.jsonl", "game.jsonl"),
        ("replay game.jsonl --analysis game.jcz --html game.jcz", "game.jcz"),
        ("show game.jsonl --svg game.jsonl", "game.jsonl"),
        ("show game.jsonl --png game.jsonl", "game.jsonl"),
        ("analyse game.jsonl --quick --html game.jsonl", "game.jsonl"),
        ("play --bots random --tiles link2 --record game.jsonl", "game.jsonl"),
        ("report runs --out runs/ledger.sqlite", "runs/ledger.sqlite"),
    ],
)
def test_what_is_read_is_not_written_over(run: Run, line: str, named: str) -> None:
    Path("link").symlink_to("game.jcz")
    os.link("game.jsonl", "link2")
    Path("runs").mkdir()
    Path("runs/ledger.sqlite").touch()
    before = {name: Path(name).read_text() for name in ("game.jcz", "game.jsonl")}
    message = f"carc: {named} is what is read here; give another file to write\n"
    assert run(line) == (2, "", message)
    assert {name: Path(name).read_text() for name in before} == before


@pytest.mark.parametrize(
    "line", ["replay game.jsonl --html a --svg ./a", "show game.jsonl --svg a --png a"]
)
def test_two_files_are_not_written_in_one_place(run: Run, line: str) -> None:
    assert run(line) == (2, "", "carc: a is given for two files to write; give two\n")
    assert not Path("a").exists()


def test_a_stream_is_written_to_as_it_is(run: Run) -> None:
    assert run("show game.jsonl --svg /dev/null")[0] == 0
    assert not Path("/dev/null").is_file()
    code, _, err = run("show game.jsonl --svg .")
    assert (code, err) == (2, "carc: . cannot be written: Is a directory\n")


@pytest.mark.parametrize(
    "line",
    [
        "import half.jcz --out out",
        "replay half.jsonl --html out",
        "replay half.jsonl --svg out",
        "show half.jsonl --svg out",
        "analyse half.jsonl --quick --html out",
        "play --resume half.jsonl --bots random --record out",
    ],
)
def test_a_name_with_half_a_character_is_refused(run: Run, line: str) -> None:
    game = json.loads(Path("game.jcz").read_text())
    game["players"][0]["name"] = "A\ud800"
    Path("half.jcz").write_text(json.dumps(game))
    record = Path("game.jsonl").read_text()
    Path("half.jsonl").write_text(record.replace('"random"', f'"A{HALF}"', 1))
    code, out, err = run(line)
    assert (code, out) == (2, "")
    assert err.endswith(f"the name 'A{HALF}' has half a character; a name is whole text\n")
    assert err.startswith("carc: half.js" if "jsonl" in line else "carc: half.jcz: ")
    assert not Path("out").exists()


def test_nobody_at_a_table_has_half_a_character_in_the_name() -> None:
    rules = Rules.from_spec("base", 2)
    with pytest.raises(CarcError, match="has half a character"):
        InteractiveMatch(rules, [None, None], ["Ann", "\udc80"])
    match = InteractiveMatch(rules, [None, None], ["Ann", "Bob"])
    with pytest.raises(CarcError, match="has half a character"):
        match.rename(1, "\ud800")


def test_other_text_with_half_a_character_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(CarcError, match=r"out cannot be written: '\\ud800' in it is no character"):
        write_file(tmp_path / "out", "a\ud800")
    assert not list(tmp_path.iterdir())


def test_a_table_that_breaks_off_leaves_the_old_one(tmp_path: Path) -> None:
    """Rows are written as they are read."""

    def rows() -> Iterator[dict[str, object]]:
        yield {"game": 1}
        raise CarcError("the ledger is damaged")

    for name in ("t.jsonl", "t.csv"):
        (tmp_path / name).write_text("mine")
        with pytest.raises(CarcError, match="damaged"):
            export(rows(), tmp_path / name)
        assert (tmp_path / name).read_text() == "mine"
    assert len(list(tmp_path.iterdir())) == 2


def test_in_a_folder_of_strangers_a_link_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "theirs").write_text("kept")
    (tmp_path / "board").symlink_to("theirs")
    with replaced(tmp_path / "board") as file:
        file.write(b"new")
    assert (tmp_path / "theirs").read_text() == "kept"
    assert (tmp_path / "board").read_text() == "new" and not (tmp_path / "board").is_symlink()


def test_an_export_says_when_a_record_has_no_result(run: Run) -> None:
    lines = Path("game.jsonl").read_text().splitlines(keepends=True)
    Path("cut.jsonl").write_text("".join(lines[:-1]))
    actions = len(lines) - 2
    code, out, _ = run("export cut.jsonl --jcz --out cut.jcz")
    said = f"base, {actions} actions, saved before its end or cut off: it has no result\n"
    assert (code, out) == (0, f"cut.jcz: {said}")
    code, out, err = run("export cut.jsonl --jcz --out -")
    assert code == 0 and json.loads(out)["replay"]
    assert err == f"-: {said}"
    assert run("export game.jsonl --jcz --out game.jcz")[1].endswith("actions, to its end\n")
