"""What of a folder is a bot: read once and whole, no link followed, whatever changes meanwhile."""

import os
import resource
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.playing import Carc

from carc.errors import BadBot
from carc.tournaments.submission import content
from carc.tournaments.submission.content import read
from carc.tournaments.submission.registry import Registry

MANIFEST = 'name = "mine"\nversion = "1"\nlanguage = "python"\nentry = "bot:Bot"\n'


@pytest.fixture
def mine(tmp_path: Path) -> Iterator[Path]:
    """The folder of a bot; removed by a program that can go as deep as it may be."""
    folder = tmp_path / "mine"
    fill(folder, "bot.toml", MANIFEST)
    fill(folder, "bot.py")
    yield folder
    subprocess.run(["rm", "-rf", folder], check=True)


def fill(folder: Path, name: str, text: str = "x") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


# -- what is part of it ----------------------------------------------------------------------------


def test_a_digest_is_of_the_content_alone(mine: Path, tmp_path: Path) -> None:
    fill(mine, "data/x")
    other = tmp_path / "other"
    read(mine).write(other)
    os.utime(other / "bot.py", (0, 0))
    (other / "bot.py").chmod(0o600)
    assert read(other).digest == read(mine).digest
    (other / "bot.py").chmod(0o700)
    assert read(other).digest != read(mine).digest
    (other / "bot.py").chmod(0o600)
    (other / "data" / "x").rename(other / "data" / "y")
    assert read(other).digest != read(mine).digest


def test_what_comes_of_playing_is_no_part_of_a_bot(mine: Path) -> None:
    digest = read(mine).digest
    for name in (
        "runs/tournament/ledger.sqlite",
        "sub/runs/registry/index.sqlite",
        "practice/lock",
        "practice/ledger.sqlite",
        "practice/more/report.html",
        "__pycache__/bot.cpython-311.pyc",
        "bot.pyc",
        ".git/config",
        ".env",
    ):
        fill(mine, name)
    found = read(mine)
    assert found.digest == digest
    assert list(found.files) == ["bot.toml", "bot.py"]
    assert set(found.left_out) == {
        ".env", ".git", "__pycache__", "bot.pyc", "practice", "runs", "sub/runs",
    }  # fmt: skip


def test_what_a_bot_needs_to_run_is_part_of_it(mine: Path) -> None:
    for name in ("node_modules/x/index.js", "target/release/bot", "build/bot.o", "dist/b.whl"):
        fill(mine, name)
    assert len(read(mine).files) == 6


def test_its_author_has_the_last_word(mine: Path) -> None:
    fill(
        mine,
        "bot.toml",
        MANIFEST + 'exclude = ["data/raw", "*.ipynb", "bot.toml"]\ninclude = [".book", "runs"]\n',
    )
    for name in ("data/raw/a", "data/b", "raw/c", "a/b/n.ipynb", ".book/d", ".git/e", "runs/f"):
        fill(mine, name)
    found = read(mine)
    assert sorted(found.files) == [".book/d", "bot.py", "bot.toml", "data/b", "raw/c", "runs/f"]
    assert found.left_out == (".git", "a/b/n.ipynb", "data/raw")


def test_a_bots_folder_that_is_a_tournaments_too_is_refused(mine: Path) -> None:
    fill(mine, "ledger.sqlite")
    with pytest.raises(BadBot, match="mine is a tournament's folder too; give the tournament"):
        read(mine)


def test_practice_does_not_change_what_is_submitted(
    carc: Carc, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(mine, "bot.py", "from carc.bots.random import Random as Bot")
    digest = read(mine).digest
    monkeypatch.chdir(mine)
    assert carc("tournament --bots bot:Bot,random --deals 1 --out runs/t").code == 0
    assert carc("tournament --bots bot:Bot,random --deals 1 --out elsewhere").code == 0
    assert read(mine).digest == digest
    held = Registry(mine.parent / "registry").add(read(mine), "ann")
    stored = {path.name for path in (mine.parent / "registry" / held.digest).rglob("*")}
    assert stored == {"bot.toml", "bot.py"}


# -- what is refused -------------------------------------------------------------------------------


def fifo(place: Path) -> None:
    os.mkfifo(place)


def unix_socket(place: Path) -> None:
    here = Path.cwd()
    os.chdir(place.parent)  # its path would be too long
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(place.name)
    os.chdir(here)


def deep(place: Path) -> None:
    """As one can: by going down and making the next."""
    here = os.open(".", os.O_RDONLY)
    place.mkdir()
    os.chdir(place)
    for _ in range(1100):
        Path("d").mkdir()
        os.chdir("d")
    Path("end").write_text("x")
    os.fchdir(here)
    os.close(here)


def many(place: Path) -> None:
    place.mkdir()
    for number in range(content.MOST_FILES):
        (place / str(number)).touch()


def many_empty_folders(place: Path) -> None:
    for number in range(10 * content.MOST_FILES):
        (place / str(number)).mkdir(parents=True)


def sparse(place: Path) -> None:
    with place.open("wb") as file:
        file.truncate(10 << 40)


def two_halves(place: Path) -> None:
    place.mkdir()
    for name in "ab":
        with (place / name).open("wb") as file:
            file.truncate((32 << 20) + 1)


@pytest.mark.parametrize(
    "make, sentence",
    [
        (lambda place: place.symlink_to("/etc/passwd"), "odd is not a plain file"),
        (lambda place: place.symlink_to("/etc"), "odd is not a plain file"),
        (lambda place: place.symlink_to("nowhere"), "odd is not a plain file"),
        (fifo, "odd is not a plain file"),
        (unix_socket, "odd is not a plain file"),
        (deep, "is too deep; folders in folders are at most 32"),
        (many, "mine is too large; a bot is at most 50 files and 64 MB"),
        (many_empty_folders, "mine is too large"),
        (sparse, "mine is too large"),
        (two_halves, "mine is too large"),
    ],
)
def test_odd_folders_get_a_sentence(
    carc: Carc,
    mine: Path,
    make: Callable[[Path], None],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(content, "MOST_FILES", 50)
    monkeypatch.setattr(content, "_MOST_NAMES", 500)
    make(mine / "odd")
    result = carc(f"submit {mine}")
    assert result.code == 2
    (line,) = result.err.splitlines()
    assert sentence in line


@pytest.mark.parametrize(
    "name, shown",
    [
        (b"odd\xff.py", r"odd\udcff.py"),
        (b"red\x1b[31m.py", r"red\x1b[31m.py"),
        (b"two\nlines", r"two\nlines"),
        ("good\u202eyp.exe".encode(), r"good\u202eyp.exe"),
        ("no\u200bthing".encode(), r"no\u200bthing"),
    ],
)
def test_odd_names_get_a_sentence(carc: Carc, mine: Path, name: bytes, shown: str) -> None:
    Path(os.fsdecode(os.fsencode(mine) + b"/" + name)).touch()
    result = carc("check", str(mine))
    assert result.code == 2
    (line,) = result.err.splitlines()
    assert f"{mine}/{shown}: names of a bot's files are UTF-8" in line


def test_a_link_to_a_bot_is_no_bot(carc: Carc, mine: Path) -> None:
    Path("link").symlink_to(mine)
    for name in ("link", "link/"):
        result = carc(f"submit {name}")
        assert (result.code, "and no link to one" in result.err) == (2, True)
    (mine / "bot.toml").rename(mine / "real.toml")
    (mine / "bot.toml").symlink_to("real.toml")
    assert "bot.toml is not a plain file" in carc(f"submit {mine}").err


def test_what_cannot_be_read_is_named(folder: Path) -> None:
    fill(folder / "mine", "bot.toml", MANIFEST)
    closed = fill(folder / "mine", "data/x")
    user = os.geteuid()
    for place, mode in ((closed, 0o644), (closed.parent, 0o755), (folder / "mine", 0o755)):
        place.chmod(0)
        os.seteuid(user or 65534)  # root can read everything
        try:
            with pytest.raises(BadBot, match=f"{place}: Permission denied"):
                read(folder / "mine")
        finally:
            os.seteuid(user)
            place.chmod(mode)


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_few_descriptors_are_enough(mine: Path) -> None:
    deepest = "/".join("d" * content.DEEPEST)
    fill(mine, f"{deepest}/x")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    opened = descriptors()
    resource.setrlimit(resource.RLIMIT_NOFILE, (opened + 40, before[1]))
    try:
        assert f"{deepest}/x" in read(mine).files
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert descriptors() == opened
    with pytest.raises(BadBot, match="too deep"):
        fill(mine, f"{deepest}/d/x")
        read(mine)
    assert descriptors() == opened


# -- what changes meanwhile ------------------------------------------------------------------------


@contextmanager
def swapping(place: Path, one: Path, other: Path) -> Iterator[None]:
    """Puts one thing and the other in a place, as fast as it can."""
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            for made in (one, other):
                spare = place.with_name(".spare")
                if made.is_symlink():
                    spare.symlink_to(made.readlink())
                else:
                    os.link(made, spare)
                spare.rename(place)

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@pytest.mark.skipif(os.getuid() != 0, reason="to have files of two users")
def test_another_name_of_somebody_elses_file_is_not_read(mine: Path, tmp_path: Path) -> None:
    """A host may let its users make hard links to files that they cannot read."""
    secret = fill(tmp_path, "secret", "treasure")
    secret.chmod(0o600)
    (mine / "twin.py").hardlink_to(mine / "bot.py")
    for path in (mine, *mine.iterdir()):
        os.chown(path, 61_234, 61_234)
    fill(mine, "given")
    assert {"twin.py", "given"} <= set(read(mine).files), "with one name it may be anybody's"
    (mine / "notes").hardlink_to(secret)
    with pytest.raises(BadBot, match="notes is not a plain file of its author"):
        read(mine)


def test_a_link_swapped_in_is_never_followed(mine: Path, tmp_path: Path) -> None:
    secret = fill(tmp_path, "secret", "treasure")
    link = tmp_path / "link"
    link.symlink_to(secret)
    place = fill(mine, "data", "harmless")
    outcomes: set[bytes | str] = set()
    with swapping(place, fill(tmp_path, "plain", "harmless"), link):
        for _ in range(1500):
            try:
                outcomes.add(read(mine).files["data"].data)
            except BadBot as error:
                outcomes.add(str(error).rpartition("data")[2])
    assert b"harmless" in outcomes
    assert b"treasure" not in outcomes


def test_a_link_between_the_look_and_the_opening_is_not_followed(
    mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The moment a thief waits for, made certain: a file, a folder, a pipe nobody writes to."""
    secret = fill(tmp_path / "closed", "secret", "treasure")
    opened = os.open

    def after(change: Callable[[Path], None]) -> Callable[..., int]:
        def changed(path: str | Path, flags: int, **named: int) -> int:
            if path == "zoo":
                change(mine / "zoo")
            return opened(path, flags, **named)

        return changed

    def file_to_link(place: Path) -> None:
        place.unlink()
        place.symlink_to(secret)

    def file_to_pipe(place: Path) -> None:
        place.unlink()
        os.mkfifo(place)

    def folder_to_link(place: Path) -> None:
        (place / "secret").unlink()
        place.rmdir()
        place.symlink_to(secret.parent)

    for name, change in (
        ("zoo", file_to_link),
        ("zoo", file_to_pipe),
        ("zoo/secret", folder_to_link),
    ):
        (mine / "zoo").unlink(missing_ok=True)
        fill(mine, name)
        with monkeypatch.context() as patch:
            patch.setattr(os, "open", after(change))
            with pytest.raises(BadBot, match="zoo"):
                read(mine)
        (mine / "zoo").unlink()


def test_what_is_stored_is_what_was_read(mine: Path, tmp_path: Path) -> None:
    """Nothing looks at the folder again after it was read."""
    found = read(mine)
    fill(mine, "bot.py", "something else")
    with found.unpacked() as checked:
        assert read(checked, whole=True).digest == found.digest
        fill(checked, "bot.py", "changed by the bot that is checked")
    held = Registry(tmp_path / "registry").add(found, "ann")
    assert (tmp_path / "registry" / held.digest / "bot.py").read_text() == "x"
    assert held.digest == found.digest
