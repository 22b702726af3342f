"""A contest from a folder of submissions, and its verification by somebody who trusts nobody."""

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from support.forging import KINDS, SENTENCES, drop_last, forging
from support.playing import requires, within
from support.submitted import MANIFEST, call, submit
from support.warm import PYTHONPATH

from carc import Rules, read_record, replay
from carc.tournaments.contest.admission import submissions
from carc.tournaments.contest.verification import verify
from carc.tournaments.ledger import chain
from carc.tournaments.ledger.ledger import Ledger

# It voids what it can: no name of its is a text, and it leaves before the end.
HOSTILE = """
import ctypes, os
ctypes.CDLL(None).prctl(15, b"\\xff", 0, 0, 0)
class Bot:
    moves = 0
    def choose(self, state):
        self.moves += 1
        if self.moves > 20: os.close(0)
        return state.legal_actions()[0]
"""

pytestmark = requires("confined")


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with submissions, and a contest of them in `c`, held by the program."""
    folder = tmp_path_factory.mktemp("contest")
    submit(folder / "subs", "ann", "bob", "cleo")
    submit(folder / "subs", "none", code="import nosuch")
    (folder / "subs" / "contest.toml").write_text('title = "Cup"\ndeals = 1\n')
    done = call(folder, "contest", "subs", "--out", "c", "--games", "1")
    assert done.returncode == 0, done.stderr
    assert "left out  none: starts and answers hello" in done.stdout
    return folder


def test_a_stranger_verifies_a_contest(held: Path) -> None:
    done = call(held, "verify", "c")
    assert done.returncode == 0, done.stdout
    assert "All agrees: 6 games replayed." in done.stdout
    secret = json.loads((held / "c" / "secret.json").read_text())
    promised = json.loads((held / "c" / "promise.json").read_text())
    assert chain.commitment(secret["secret"]) == promised["secret"]
    canonical = json.dumps(promised, sort_keys=True, separators=(",", ":"))
    line = hashlib.sha256(canonical.encode()).hexdigest()
    assert f"before the first game: {line}\n" in done.stdout
    as_published = ("verify", "c", "--promise", line, "--head", secret["head"], "--head", line)
    assert call(held, *as_published).returncode == 0
    for published in ({"published": "0" * 64}, {"published": line, "head": "0" * 64}):
        assert verify(held / "c", *published.values()).problems
    with Ledger.reading(held / "c") as ledger:
        assert ledger.configuration.title == "Cup"


def test_it_costs_at_most_twice_the_replay(held: Path) -> None:
    """Both in CPU time, the least of three; the board is computed again besides."""
    with Ledger.reading(held / "c") as ledger:
        records = [ledger.outcome(game.id).record for game in ledger.outcomes()]

    def replayed() -> None:
        for record in records:
            match = read_record(record)
            replay(match, Rules.from_spec(match.rules, match.players))

    def seconds(work: Callable[[], Any]) -> float:
        begun = process_time()
        work()
        return process_time() - begun

    verify(held / "c")
    assert (
        min(seconds(lambda: verify(held / "c")) for _ in range(3))
        < 2 * min(seconds(replayed) for _ in range(3)) + 0.3
    ), "beside a third of a second for the intervals of 6 games' ratings"


# -- tampering ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_tampering_is_found(copied: Path, kind: str) -> None:
    with forging(copied) as forger:
        KINDS[kind](forger)
    problems = verify(copied).problems
    assert any(SENTENCES[kind] in problem for problem in problems), problems


def test_a_game_that_was_rated_is_not_made_void_afterwards(copied: Path) -> None:
    """Not even by who computes the ratings and the chain anew; the stages tell it."""
    with forging(copied) as forger:
        KINDS["a void game"](forger)
    (copied / "board.json").unlink()
    (copied / "report.html").unlink()
    told, over = verify(copied).problems
    assert "is void in the chain or in its row, and not in both" in told
    assert "a contest is over when no game is" in over


def test_a_game_that_never_was_is_missing(copied: Path) -> None:
    """It is of the schedule that was promised; a link that was published tells it, too."""
    head = json.loads((copied / "secret.json").read_text())["head"]
    (copied / "board.json").unlink()
    (copied / "report.html").unlink()
    with forging(copied) as forger:
        drop_last(forger)
        forger.rechain()
    (problem,) = verify(copied).problems
    assert problem.startswith("1 games are not played")
    assert verify(copied, "", head).problems == (
        "the chain does not contain the published link",
        problem,
    )
    (copied / "secret.json").unlink()
    assert not verify(copied).over


# -- holding ------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ["--format", "duel", "--deals", "2"],
        pytest.param(
            ["--format", "gauntlet", "--against", "eve", "--deals", "1"], marks=pytest.mark.long
        ),
        pytest.param(["--format", "swiss", "--deals", "2"], marks=pytest.mark.long),
        pytest.param(["--format", "ladder", "--deals", "2"], marks=pytest.mark.long),
    ],
    ids=lambda words: words[1],
)
def test_every_format_ends_with_a_rated_board_whatever_its_bots_do(
    folder: Path, words: list[str]
) -> None:
    """docs/security.md, promise 7: a bot that would void its games, and the copy of another, which
    plays once.
    """
    submit(folder / "subs", "ann", *(() if "duel" in words else ("bob",)))
    submit(folder / "subs", "eve", code=HOSTILE)
    (folder / "subs" / "eve" / "bot.py").write_text(HOSTILE.replace("> 20", "> 2000"))
    shutil.copytree(folder / "subs" / "ann", folder / "subs" / "copy")
    line = ["contest", "subs", "--out", "c", "--games", "1", *words]
    done = call(folder, *line)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "eve@1" in done.stdout
    assert "copy: the same content plays as ann@1, from the folder ann" in done.stdout
    with Ledger.reading(folder / "c") as ledger:
        assert {game.verdict for game in ledger.outcomes()} == {"ok"}
    assert verify(folder / "c").problems == ()
    again = call(folder, "contest", "--out", "c")
    assert again.returncode == 0, again.stderr
    with Ledger.reading(folder / "c") as ledger:
        assert {entry.attempt for entry in ledger.entries()} == {0}


def test_once_the_secret_is_published_no_more_is_played(held: Path, copied: Path) -> None:
    """Everybody could compute the deals of what comes after."""
    shutil.copytree(held / "subs", copied.parent / "subs")
    before = {name: (copied / name).read_text() for name in ("promise.json", "secret.json")}
    more = call(copied.parent, "contest", "--out", "c", "--deals", "3")
    assert more.returncode == 2
    assert "c holds a contest that promised deals 1, not 3; a contest goes on as" in more.stderr
    with closing(sqlite3.connect(copied / "ledger.sqlite")) as rows, rows:
        (lost,) = rows.execute("SELECT id FROM games").fetchone()
        for table in ("games", "records"):
            rows.execute(f"DELETE FROM {table} WHERE id = ?", [lost])
    assert call(copied.parent, "contest", "--out", "c").returncode == 0
    assert before == {name: (copied / name).read_text() for name in before}
    with Ledger.reading(copied) as ledger:
        assert len(ledger) == 5, "what is missing stays so"


def test_a_name_is_not_taken_by_the_alphabet(folder: Path) -> None:
    """A bot that is named like its folder comes before others that take its name."""
    submit(folder, "bob", "aaron", "zoe")
    (folder / "aaron" / "bot.toml").write_text(MANIFEST.format(name="bob"))
    assert submissions(folder) == ["bob", "zoe", "aaron"]


def test_a_submission_that_cannot_be_read_is_left_out_alone(folder: Path) -> None:
    """Whatever its manifest is, the others play."""
    submit(folder, "ann", "bob", "cleo", "dan", "eve")
    for name in ("cleo", "dan", "eve"):
        (folder / name / "bot.toml").unlink()
    os.mkfifo(folder / "cleo" / "bot.toml")
    (folder / "dan" / "bot.toml").symlink_to("/dev/zero")
    (folder / "eve" / "bot.toml").symlink_to("bot.toml")
    (folder / "notes").mkdir()
    (folder / "read-me").write_text("no bot")
    with within(60):
        assert submissions(folder) == ["ann", "bob", "cleo", "dan", "eve"]


def test_a_folder_that_may_not_be_entered_is_left_out_alone(folder: Path) -> None:
    """Root may enter any, so the scan is made without that power."""
    submit(folder, "ann", "bob")
    (folder / "bob").chmod(0)
    scan = "import sys; from carc.tournaments.contest.admission import submissions as found; "
    scan += "from pathlib import Path; print(*found(Path(sys.argv[1])))"
    powerless = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    done = subprocess.run(
        [*(powerless if os.getuid() == 0 else []), sys.executable, "-c", scan, str(folder)],
        env={**os.environ, "PYTHONPATH": PYTHONPATH},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    (folder / "bob").chmod(0o755)
    assert done.stdout == "ann bob\n", done.stderr


def test_too_few_submissions(folder: Path) -> None:
    submit(folder / "subs", "ann")
    done = call(folder, "contest", "subs", "--games", "1")
    assert done.returncode == 2
    assert "needs 2 submissions that pass their check, not 1" in done.stderr
    assert call(folder, "contest", "nosuch").returncode == 2
    assert call(folder, "verify", "nosuch").returncode == 2


def test_what_cannot_be_played_is_not_promised(folder: Path) -> None:
    submit(folder / "subs", "ann")
    submit(folder / "subs", "bob")
    line = ("contest", "subs", "--out", "c", "--games", "1", "--format", "gauntlet")
    done = call(folder, *line)
    assert done.returncode == 2 and "name it with --against" in done.stderr
    assert "promise" not in done.stdout and not (folder / "c" / "promise.json").exists()
