"""A game of a bot, a text, against `random`; whatever it tries, the host is looked at then."""

import ctypes
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.contests import PLAIN, Contest
from support.playing import SPEAKING, Carc, Played, Result, children, contents, gone

from carc import Bot, Rules, play
from carc.bots import by_name
from carc.commands.main import main
from carc.tournaments.isolation import rooms, sandbox
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.isolation.program import Program
from carc.tournaments.isolation.reaping import reap
from carc.tournaments.players.protocol import RemoteBot, Table

PR_SET_CHILD_SUBREAPER = 36
RUN = sandbox.python("-c", "import sys; sys.path.append('.'); import bot")


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user may reach, as pytest's own are not: isolation refuses the rest."""
    path = Path(tempfile.mkdtemp(prefix="carc-tests-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


@pytest.fixture
def treasure(folder: Path) -> Path:
    """Files of the host that are not a bot's business, readable by everybody by their modes."""
    place = folder / "treasure"
    for name in ("ledger/ledger.sqlite", "other-bot/bot.py", "home/.ssh/id", "secret.txt"):
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("treasure")
        path.chmod(0o666)
    for above in [place, *(p for p in place.rglob("*") if p.is_dir())]:
        above.chmod(0o777)
    return place


def _written(place: Path, text: str) -> Path:
    """The folder of a bot of this text."""
    place.mkdir(exist_ok=True)
    (place / "speaking.py").write_text(SPEAKING)
    (place / "bot.py").write_text("from speaking import *\n" + text)
    return place


@pytest.fixture
def against(
    folder: Path, treasure: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Played]]:
    """Plays a bot's text, as `bot.py`, at a level, and makes sure that nobody and nothing else was
    touched.

    `opponent`: a bot in this process, or the text of one that plays in its own.
    """
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # orphans become ours to see
    room = folder / "room"
    room.mkdir()
    room.chmod(0o711)
    monkeypatch.setattr(tempfile, "tempdir", str(room))

    def run(
        level: str,
        text: str,
        clock: str = "bank=60,cap=9,start=20",  # long, for a busy host; tests of lateness say less
        *,
        opponent: Bot | str | None = None,
        command: list[str] | None = None,
        inspect: Callable[[RemoteBot], None] = lambda bot: None,
    ) -> Played:
        before, others = contents(treasure), children(os.getpid())
        with Table(Clock.named(clock)) as table:
            if isinstance(opponent, str):
                other = Program(RUN, _written(folder / "other", opponent), level)
                opponent = table.start(other, 0, seed=6)
            program = Program(command or RUN, _written(folder / "bot", text), level)
            bot = table.start(program, 1, seed=7)
            inspect(bot)
            match = play(
                Rules.from_spec("base"),
                [opponent or by_name("random", seed=1), bot],
                seed=5,
                names=["other", "bot"],
                watch=table.watch,
            )
            table.over(match)
        assert match.actions[-1] and len(match.actions) > 100, "the others play to the end"

        def orphans() -> set[int]:
            reap(0)
            return children(os.getpid()) - others

        assert gone(orphans), "an orphan is left"
        assert contents(treasure) == before, "the host's files were touched"

        def left() -> bool:
            rooms.clear()
            return any(room.iterdir())

        assert gone(left, 60), "something is left in the temporary folder"
        faults = [fault for fault in match.result.faults if fault.seat == 1]
        assert list(match.result.faults) == faults, "the opponent is blamed"
        return Played(
            match,
            faults[0].verdict if faults else "ok",
            faults[0].detail if faults else "",
            bot.stderr,
            bot.times,
        )

    yield run
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)


@pytest.fixture
def carc(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Iterator[Carc]:
    """The program, called in a new folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CARC_REGISTRY", raising=False)

    def run(line: str, *more: str) -> Result:
        monkeypatch.setattr(sys, "argv", ["carc", *line.split(), *more])
        monkeypatch.setattr(sys, "path", sys.path.copy())
        with pytest.raises(SystemExit) as left:
            main()
        out, err = capfd.readouterr()
        return Result(int(left.value.code or 0), out, err)

    yield run
    # Bots of the folder, imported as module:Class, are of this test alone.
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.fixture(scope="session")
def held(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a contest in `c`, of which every step was done in this process."""
    folder = tmp_path_factory.mktemp("contest")
    Contest(PLAIN).hold(folder / "c")
    return folder


@pytest.fixture
def copied(held: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(held / "c", tmp_path / "c"))
