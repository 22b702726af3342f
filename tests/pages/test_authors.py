"""Authors at the application: what their bots wrote, submissions, archives that mean harm."""

import io
import re
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from support.cups import ANN, BOT, EVE, MANIFEST

from carc.errors import BadBot
from carc.tournaments.contest.admission import submissions
from carc.tournaments.submission.registry import Registry
from carc.web import uploads
from carc.web.uploads import unpack


def sign_in(client: TestClient, token: str) -> int:
    return client.post("/sign-in", data={"token": token}, follow_redirects=False).status_code


def submitted(tmp_path: Path, name: str, author: str) -> None:
    from carc.tournaments.submission.content import read as content

    folder = tmp_path / f"bot of {author}"
    folder.mkdir()
    (folder / "bot.py").write_text(BOT)
    (folder / "bot.toml").write_text(MANIFEST.replace("mine", name))
    Registry().add(content(folder), author)


def test_what_a_bot_wrote_is_for_its_author(client: TestClient, cup: Any, tmp_path: Path) -> None:
    submitted(tmp_path, "mine", "ann")
    submitted(tmp_path, "other", "eve")
    (game, *_) = cup(["mine", "other"])
    seat = game.seats.index("mine")
    path = f"/t/cup/game/{game.id}/log/{seat}"
    assert client.get(path).status_code == 403
    sign_in(client, EVE)
    assert client.get(path).status_code == 403
    assert f"/log/{seat}" not in client.get(f"/t/cup/game/{game.id}").text
    sign_in(client, ANN)
    assert f"/log/{seat}" in client.get(f"/t/cup/game/{game.id}").text
    text = client.get(path).text
    assert ("red herring", "green")[seat] in text
    assert "\x1b" not in text
    for wrong in (f"/t/cup/game/{game.id}/log/{1 - seat}", f"/t/cup/game/{game.id}/log/7"):
        assert client.get(wrong).status_code == 403
    sign_in(client, "")
    assert client.get(path).status_code == 403


def test_a_wrong_token_signs_nobody_in(client: TestClient) -> None:
    assert sign_in(client, "guess") == 403
    assert sign_in(client, ANN) == 303
    cookie = client.cookies.jar
    (kept,) = list(cookie)
    assert (
        kept.has_nonstandard_attr("HttpOnly") and kept.get_nonstandard_attr("SameSite") == "strict"
    )


def zipped(**files: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return packed.getvalue()


GOOD = {"mine/bot.py": BOT, "mine/bot.toml": MANIFEST}


def upload(client: TestClient, archive: bytes) -> str:
    """Submit an archive; what is said in the end."""
    answer = client.post("/bots", files={"bot": ("mine.zip", archive)}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    end = time.monotonic() + 300
    while time.monotonic() < end:
        text = client.get(answer.headers["location"]).text
        said = re.findall(r'<p role="status">(.*?)</p>', text)[0]
        if not said.startswith("Playing"):
            return f"{said} {text}"
        time.sleep(0.2)
    raise AssertionError("the check does not end")


def test_a_bot_is_checked_and_submitted(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "GAMES", 1)
    sign_in(client, ANN)
    with_nonce = {**GOOD, "mine/bot.toml": f'{MANIFEST}nonce = "{"a" * 64}"\n'}
    said = upload(client, zipped(**with_nonce))
    assert "Submitted mine@0.1, digest " in said, said
    assert "pass  " in said
    assert "its author keeps a nonce, to open in a contest" in said
    (held,) = Registry().submissions()
    assert (held.spec, held.author) == ("mine@0.1", "ann")
    assert submissions(Registry().folder) == [held.digest], "a contest of the registry has it"
    assert "mine@0.1" in client.get("/bots").text
    again = upload(client, zipped(**with_nonce))
    assert "The same content is already submitted as mine@0.1" in again


def test_only_authors_submit_and_a_check_is_seen_by_its_author_alone(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "GAMES", 1)
    files = {"bot": ("mine.zip", zipped(**GOOD))}
    assert client.post("/bots", files=files).status_code == 403
    assert Registry().submissions() == []
    sign_in(client, ANN)
    answer = client.post("/bots", files={"bot": ("x.zip", b"no zip")}, follow_redirects=False)
    sign_in(client, EVE)
    assert client.get(answer.headers["location"]).status_code == 404


def test_a_bot_that_fails_the_check_is_not_stored(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "GAMES", 1)
    sign_in(client, ANN)
    lost = BOT.replace("return", "raise KeyError('lost')\n        return")
    said = upload(client, zipped(**{**GOOD, "mine/bot.py": lost}))
    assert "Not submitted." in said and "FAIL" in said
    assert Registry().submissions() == []


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"../evil.py": "x"}, "names outside of it"),
        ({"a/../../evil.py": "x"}, "names outside of it"),
        ({"/etc/evil": "x"}, "names outside of it"),
        ({"a\\..\\evil": "x"}, "names outside of it"),
        ({}, "the archive is empty"),
        ({f"f{n}": "" for n in range(201)}, "holds 201 files"),
        ({"a": "x", "a/b": "y"}, "not a zip archive"),
        ({"big": "0" * (41 << 20)}, "larger than 40 MB"),
    ],
    ids=lambda value: value[:12] if isinstance(value, str) else "",
)
def test_archives_that_mean_harm(tmp_path: Path, files: dict[str, str], sentence: str) -> None:
    with pytest.raises(BadBot, match=sentence):
        unpack(zipped(**files), tmp_path / "in" / "bot")
    outside = [path for path in tmp_path.rglob("*") if path.is_file() and "bot" not in path.parts]
    assert outside == []


def test_links_in_archives_are_refused(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        link = zipfile.ZipInfo("link")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(BadBot, match="links"):
        unpack(packed.getvalue(), tmp_path / "bot")
    with pytest.raises(BadBot, match="not a zip archive"):
        unpack(packed.getvalue()[:-30], tmp_path / "bot")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_each_file_of_an_archive_has_a_name_of_its_own(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("x", "what everybody sees")
        archive.writestr("x", "what is played")
    with pytest.raises(BadBot, match="not a zip archive"):
        unpack(packed.getvalue(), tmp_path / "twice")
    nameless = bytearray(zipped(x=""))
    for length in (nameless.find(b"PK\3\4") + 26, nameless.find(b"PK\1\2") + 28):
        nameless[length : length + 4] = b"\0\0\1\0"  # no name, and x as extra data
    with pytest.raises(BadBot, match="the archive is empty"):
        unpack(bytes(nameless), tmp_path / "nameless")


def test_too_large_an_upload_is_not_taken(client: TestClient) -> None:
    sign_in(client, ANN)
    files = {"bot": ("mine.zip", b"x" * (21 << 20))}
    assert client.post("/bots", files=files).status_code == 413
    assert client.post("/bots", data={"bot": "no file"}).status_code == 400
