"""`carc arena` as an organiser calls it, and a service that is killed again and again."""

import os
import random
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from support import warm
from support.arenas import SETTINGS
from support.program import Run, refused
from support.waiting import until

from carc.arena.authors import Authors
from carc.arena.settings import read_settings
from carc.arena.verification import verify
from carc.errors import CarcError
from carc.tournaments.ledger.ledger import Ledger

ROOT = Path(__file__).resolve().parents[2]
QUICK = SETTINGS + 'bots = ["random", "greedy:overlook=0.9", "greedy-blind"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "arena").mkdir()
    (tmp_path / "arena" / "arena.toml").write_text(QUICK)
    return tmp_path / "arena"


def call(folder: Path, *words: str) -> warm.Done:
    return warm.run(["arena", *words], folder.parent)


def games(folder: Path) -> list[str]:
    """The ids of the rated games, in order; none before there is a ledger."""
    try:
        with Ledger.reading(folder / "two") as ledger:
            return [entry.game for entry in ledger.entries() if entry.stage == "rated"]
    except CarcError:
        return []


@contextmanager
def served(folder: Path, port: int = 0) -> Iterator[warm.Process]:
    words = ["arena", folder.name, "--port", str(port)]
    with started(folder, *words) as process:
        yield process


@contextmanager
def started(folder: Path, *words: str) -> Iterator[warm.Process]:
    """The program beside a folder; it is killed in the end, if it has not ended."""
    process = warm.start(words, folder.parent)
    assert isinstance(process, warm.Process)
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate(60)


def await_games(folder: Path, process: warm.Process, count: int) -> None:
    end = time.monotonic() + 120
    while len(games(folder)) < count:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end, "nothing is played"
        time.sleep(0.02)


def test_from_nothing_to_a_board(folder: Path) -> None:
    """Before it runs, while it does, and after it was stopped; each order says what it did."""
    token = call(folder, "author", "add", "arena", "ann").stdout.split()[-1]
    assert Authors(folder).of(token) == "ann"
    assert token not in (folder / "authors.toml").read_text()
    assert "does not run" in call(folder, "status", "arena").stdout
    assert call(folder, "enter", "arena", "two", "greedy").stdout == "greedy plays in two\n"
    with served(folder) as process:
        await_games(folder, process, 2)
        status = call(folder, "status", "arena")
        assert "The arena arena runs." in status.stdout
        assert "4 bots play" in status.stdout
        done = call(folder, "remove", "arena", "two", "greedy", "it was a trial")
        assert done.stdout == "greedy plays no more in two\n"
        done = call(folder, "void", "arena", "two", games(folder)[0], "the power failed")
        assert done.returncode == 0, done.stderr
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(120)
    assert (process.returncode, out) == (0, ""), err
    assert err.endswith("carc: the games under way end first\n")
    found = verify(folder / "two")
    assert found.problems == ()
    assert not any("interrupted" in note for note in found.notes)
    told = warm.run(["verify", "arena/two"], folder.parent)
    assert (told.returncode, told.stderr) == (0, "")
    assert "all agrees so far" in told.stdout
    board = warm.run(["leaderboard", "arena/two"], folder.parent)
    assert f"Two: base, arena, {len(games(folder)) - 1} games" in board.stdout
    assert "the power failed" in board.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["nosuch"], "there is no arena in nosuch: arena.toml is missing"),
        (["sing", "arena"], "'sing' is neither an arena nor one of the commands author, enter, "),
        (
            ["arena", "--executor", "slurm"],
            "an executor is written local, dask or dask://HOST:PORT",
        ),
        (["arena", "--port", "65536"], "65536 is not in the range"),
        (["pause", "arena", "2"], "there is no ladder '2'; there is two"),
        (["ban", "arena", "ann", "why"], "there is no author 'ann'"),
        (["ban", "arena", "ann", ""], "a reason is a line of text that people can"),
        (["unban", "arena", "ann"], "there is no author 'ann'"),
        (["backup", "nosuch", "copy.tar"], "there is no arena in nosuch: arena.toml is missing"),
        (["backup", "arena", "nosuch/copy.tar"], "nosuch/copy.tar cannot be written"),
        (["author", "add", "arena", "no one"], "an author's name is up to 40 letters"),
        (["remove", "arena", "two", "random", " "], "a reason is a line of text that people can"),
        (["void", "arena", "two", "00", "why"], "the ledger holds no game '00'"),
        (["enter", "arena", "2", "random"], "there is no ladder '2'; there is two"),
        (["enter", "arena", "two", "ann@1"], "unknown bot 'ann@1'"),
    ],
)
def test_bad_input_is_told_in_a_sentence(
    folder: Path, run: Run, words: list[str], says: str
) -> None:
    assert says in refused(run("arena", *words))


def test_an_author_is_added_once(folder: Path) -> None:
    authors = Authors(folder)
    first, second = authors.add("ann"), authors.add("bob")
    assert (authors.of(first), authors.of(second), authors.of("")) == ("ann", "bob", None)
    with pytest.raises(CarcError, match="there is an author 'ANN' already"):
        authors.add("ANN")
    (folder / "authors.toml").write_text('[ann]\ntoken = "a token"\n')
    with pytest.raises(CarcError, match="'ann' has no SHA-256 of a token"):
        authors.of(first)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("jobs = 2", "no ladder is named"),
        ("jobs = 0\n[ladders.a]", "jobs is at least 1, not 0"),
        ("epoch = 0\n[ladders.a]", "epoch is at least 1, not 0"),
        ("jobs = 'two'\n[ladders.a]", "'jobs' of an arena is a whole number"),
        ("[ladders.registry]", "a ladder is a folder"),
        ('[ladders."../a"]', "a ladder is a folder"),
        ("[ladders.a]\ntable = 1", "seats 2 to 99 bots, not 1"),
        ("[ladders.a]\nrules = 'base+nosuch'", "nosuch"),
        ("[ladders.a]\nrules = 'base+ghosts+spellcircles'\nbots = 3", "'bots' of the ladder 'a'"),
        ("[ladders.a]\nclock = 'soon'", "soon"),
        ("[ladders.a]\ntakes = 'mine'", "is one of all, remote, submitted, not 'mine'"),
        ("[ladders.a]\nsize = 2", "has an unknown key 'size'"),
        ("[ladders.a]\ntitle = '\u202e'", "has characters that cannot be seen"),
        ("[limits]\nbots = 0\n[ladders.a]", "bots is at least 1, not 0"),
        ("[limits]\nbytes = 1\n[ladders.a]", "'limits' has an unknown key 'bytes'"),
        ("executor = 2\n[ladders.a]", "'executor' of an arena is a text"),
        ("latency = 6\n[ladders.a]", "latency is 0 to 5 seconds, not 6"),
        ("latency = nan\n[ladders.a]", "'latency' of an arena is a number"),
        ("ladders = 2", "'ladders' is an object"),
        ("[", "arena.toml"),
    ],
)
def test_settings_that_cannot_be_used(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "arena.toml").write_text(text)
    with pytest.raises(CarcError) as error:
        read_settings(tmp_path)
    assert says in str(error.value)


def test_the_example_can_be_used(tmp_path: Path) -> None:
    (tmp_path / "arena.toml").write_text((ROOT / "tournaments" / "arena.toml").read_text())
    settings = read_settings(tmp_path)
    assert [ladder.name for ladder in settings.ladders] == ["base-2", "inns-4"]


# -- remote bots ----------------------------------------------------------------------------------


def test_remote_bots_play_rated_games_before_and_after_a_kill(folder: Path) -> None:
    """From a token to a rated game; when the service is back they are, and no game is cut off."""
    (folder / "arena.toml").write_text(SETTINGS)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    bots = []
    with ExitStack() as stack:
        with served(folder, port) as process:
            for author in "ann", "bob":
                token = call(folder, "author", "add", "arena", author).stdout.split()[-1]
                words = ["connect", f"http://127.0.0.1:{port}", "--token", token, "random"]
                bots.append(stack.enter_context(started(folder, *words)))
            await_games(folder, process, 1)
            os.kill(process.pid, signal.SIGKILL)
        before = games(folder)
        with served(folder, port) as process:
            await_games(folder, process, len(before) + 1)
            process.send_signal(signal.SIGTERM)
            assert process.wait(120) == 0
        assert [bot.poll() for bot in bots] == [None, None], "they wait for it to come back"
        for bot in bots:
            bot.send_signal(signal.SIGKILL)
            assert "closed: the arena stops; come back later" in bot.communicate(60)[0]
    with Ledger.reading(folder / "two") as ledger:
        assert {standing.isolation for standing in ledger.standings.all()} == {"remote"}
        assert {standing.faults for standing in ledger.standings.all()} == {0}
    assert verify(folder / "two").problems == ()


# -- kills ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kills", [2, pytest.param(40, marks=pytest.mark.long)])
def test_a_service_that_is_killed_goes_on(folder: Path, kills: int) -> None:
    """No rated game is lost, no deal is played twice, the board is that of the games."""
    moment = random.Random(kills)
    before: list[str] = []
    for _ in range(kills):
        with served(folder) as process:
            await_games(folder, process, len(before) + 1)
            time.sleep(moment.random())
            os.kill(process.pid, signal.SIGKILL)
            process.wait(60)
            until(lambda: not left_of(process.pid))
        after = games(folder)
        assert after[: len(before)] == before
        before = after
    found = verify(folder / "two")
    assert found.problems == (), "standings, deals and records"
    assert found.games == len(before)
    with Ledger.reading(folder / "two") as ledger:
        started = [entry for entry in ledger.entries() if entry.stage == "started"]
        seeds = [outcome.deal_seed for outcome in ledger.outcomes()]
    assert [entry.attempt for entry in started] == list(range(len(started)))
    assert len({entry.game for entry in started}) == len(started)
    assert len(set(seeds)) == len(seeds)


def left_of(group: int) -> list[str]:
    """The processes of a group that have not ended, in the kernel's words."""
    told = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            name, state = place.read_text().split(")", 1)
            if state.split()[0] != "Z" and state.split()[2] == str(group):
                told.append(name)
    return told
