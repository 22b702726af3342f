"""`carc submit --to`: an author's machine packs a bot, an arena checks and stores it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.cups import ANN, BOT, EVE, MANIFEST
from support.program import Run, refused
from support.served import serving

from carc.arena import upload
from carc.arena.door import Refused
from carc.tournaments.submission.checking import Step
from carc.tournaments.submission.content import read
from carc.tournaments.submission.registry import VARIABLE, Registry
from carc.web import uploads

PASSED = [Step("manifest", True, "fine", ""), Step("plays 1 games of base", True, "2 s", "")]


@pytest.fixture
def mine(run: Run) -> Path:
    """A bot, one file of which can be executed, and one is not part of it."""
    folder = Path("mine")
    folder.mkdir()
    (folder / "bot.toml").write_text(MANIFEST + 'exclude = ["notes"]\n')
    (folder / "bot.py").write_text(BOT)
    (folder / "notes").write_text("x")
    (folder / "tool").write_text("#!/bin/sh\n")
    (folder / "tool").chmod(0o755)
    return folder


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Where bots are taken, of which the check is made up (`PASSED`)."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "registry"))
    monkeypatch.setattr(uploads, "check", lambda *_, **__: iter(PASSED))
    monkeypatch.setattr(upload, "LOOK", 0.01)
    with serving(tmp_path, author={ANN: "ann", EVE: "eve"}.get) as address:
        yield address


def test_a_folder_is_submitted_as_it_is(
    run: Run, mine: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARC_TOKEN", ANN)
    code, out, _ = run("submit", "mine", "--to", url)
    digest = read(mine).digest
    assert code == 0 and out.splitlines() == [
        "pass  manifest: fine",
        "pass  plays 1 games of base: 2 s",
        f"Submitted mine@0.1, digest {digest}.",
    ]
    (held,) = Registry().submissions()
    assert (held.spec, held.author, held.digest) == ("mine@0.1", "ann", digest)
    assert not (Registry().content(digest) / "notes").exists()
    again = "The same content is already submitted as mine@0.1.\n"
    assert run("submit", "mine", "--to", f"{url}/") == (0, again, "")


def test_why_a_bot_is_not_accepted_is_told(
    run: Run, mine: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = [PASSED[0], Step("plays", False, "crash\x1b[2J", "I am lost\n")]
    with monkeypatch.context() as patch:
        patch.setattr(uploads, "check", lambda *_, **__: iter(failed))
        code, out, _ = run("submit", "mine", "--to", url, "--token", ANN)
    assert code == 2 and out.splitlines()[1:] == [
        "FAIL  plays: crash\\x1b[2J",
        "      the bot printed:",
        "      | I am lost",
        "Not submitted.",
    ]
    assert Registry().submissions() == []
    Registry().add(read(mine), "eve")
    (mine / "bot.py").write_text(BOT + "# better\n")
    code, out, _ = run("submit", "mine", "--to", url, "--token", ANN)
    assert (code, out) == (2, "Not submitted: the name 'mine' is taken by eve\n")


def test_what_keeps_a_bot_out_is_said_in_a_sentence(
    run: Run, mine: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def why(*words: str, to: str = url) -> str:
        return refused(run("submit", "mine", "--to", to, *words)).removeprefix("carc: ")

    ann = ("--token", ANN)
    assert why("--token", "guess") == (
        f"{url}: This token is not known here; an author's token is wanted"
    )
    assert why("--token", "två") == (
        "a token is one line of ASCII characters, as the organiser gave it"
    )
    assert why().startswith("--to needs the token that the organiser gave you")
    assert why(*ann, "--games", "3") == (
        "with --to the arena checks and stores the bot: leave out --games"
    )
    assert why(*ann, to="club.example").startswith("an arena's address is such as https://")
    nobody = "http://127.0.0.1:9"
    assert why(*ann, to=nobody) == f"{nobody} is not reached (Connection refused)"
    assert why(*ann, to=f"{url}/x") == f"{url}/x is no arena of carc, or an older one"
    with monkeypatch.context() as patch:
        patch.setattr(uploads, "MOST_WAITING", 0)
        assert why(*ann) == f"{url}: 0 bots wait for their check; try again later"
    with monkeypatch.context() as patch:
        patch.setattr(upload, "MOST_ARCHIVE", 99)
        assert why(*ann).endswith("exclude in bot.toml what it can do without")
    assert Registry().submissions() == []


def test_a_check_that_is_lost_sight_of(
    run: Run, mine: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when the arena is started again."""

    def forgotten(*_: Any) -> None:
        raise Refused(404, "there is no such upload")

    monkeypatch.setattr(uploads.UploadQueue, "of", forgotten)
    _, _, err = run("submit", "mine", "--to", url, "--token", ANN)
    assert err == (
        f"carc: {url}: There is no such upload; call the command again to learn how the check "
        "ends\n"
    )
