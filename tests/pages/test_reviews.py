"""Games that visitors bring, and their marks."""

import json
import time
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from support import bga_logs
from support.browser import awaited, barriers, complaints
from support.served import Waiting, serving

from carc import Match, play
from carc.bots import by_name
from carc.web import review_pages, reviews, tournament_reader
from carc.web.app import make_app


@cache
def lost() -> Match:
    """A game that one player lost by bad moves."""
    bots = [by_name("greedy", seed=1), by_name("random", seed=2)]
    return play("base", bots, seed=4, names=["Ann", "Bob"])


LINK = f"https://www.carcassonnelab.com/#{bga_logs.link(lost())}?players=Ann,Bob"
TITLE = "Ann {}, Bob {}".format(*lost().result.scores)


@pytest.fixture
def app(tmp_path: Path, waiting: Waiting) -> Any:
    return make_app(tmp_path, hosts=["testserver"])


@pytest.fixture
def client(app: Any) -> Iterator[TestClient]:
    with TestClient(app) as client:
        yield client


def bring(client: TestClient, links: str = "", **files: str | bytes) -> Any:
    """Bring games; files are named by the keys."""
    parts = [("files", (name, content)) for name, content in files.items()]
    return client.post(
        "/review", data={"links": links}, files=parts or None, follow_redirects=False
    )


def test_a_pasted_link_is_kept_for_its_visitor_alone(app: Any, client: TestClient) -> None:
    answer = bring(client, LINK)
    assert answer.status_code == 303
    where = answer.headers["location"]
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=lax" in cookie
    page = client.get(where).text
    assert TITLE in page and "Being analysed" in page and "carc-replay" in page
    assert client.get(f"{where}/progress").text.count("data-news") == 1
    for address in ("/", "/review"):
        assert TITLE in client.get(address).text and "is being analysed" in client.get(address).text
    assert client.get(f"{where}/game.jsonl").text.startswith('{"carc"')
    stranger = TestClient(app)
    assert TITLE not in stranger.get("/review").text
    for tail in ("", "/progress", "/game.jsonl", "/replay.html"):
        assert stranger.get(where + tail).status_code == 404
    assert stranger.post(f"{where}/remove").status_code == 404
    stranger.cookies.set(review_pages.COOKIE, "../../etc")
    assert stranger.get("/review").status_code == 200
    assert stranger.get(where).status_code == 404


def test_several_files_become_a_list_from_which_games_are_removed(client: TestClient) -> None:
    log = json.dumps(bga_logs.log(lost()))
    record = lost().to_text()
    answer = bring(client, f"{LINK}\n{LINK}", log=log, record=record, lab=LINK)
    assert answer.headers["location"] == "/review"
    page = client.get("/review").text
    assert page.count(f">{TITLE}</a>") == 5
    name = page.partition('action="/review/')[2].partition("/remove")[0]
    assert client.post(f"/review/{name}/remove").text.count(f">{TITLE}</a>") == 4
    assert client.get(f"/review/{name}").status_code == 404


@pytest.mark.parametrize(
    ("links", "files", "message"),
    [
        ("", {}, "Not read: paste a link, or choose the file of a game."),
        (LINK[:-41], {}, "Not read: the link: "),
        ("<b>hello</b>", {}, "the link: carc does not know this form of games"),
        ("", {"a.json": b"\xff\xfe"}, "Not read: a.json is not text in UTF-8."),
        ("", {"<i>.json": "{}"}, "Not read: &lt;i&gt;.json: carc does not know this form"),
        (LINK, {"x.txt": f"{LINK}\n" * 20}, "these are 21 games; bring at most 20 at a time"),
    ],
)
def test_what_cannot_be_read_is_said_and_nothing_is_kept(
    client: TestClient, tmp_path: Path, links: str, files: dict[str, Any], message: str
) -> None:
    answer = bring(client, links, **files)
    assert answer.status_code == 400 and message in answer.text
    assert not (tmp_path / reviews.FOLDER).exists()


def test_a_request_is_bounded(client: TestClient) -> None:
    assert bring(client, big=b"x" * (9 << 20)).status_code == 413
    assert (
        client.post(
            "/review", data={"links": LINK}, headers={"origin": "https://x.org"}
        ).status_code
        == 403
    )


def test_games_beyond_the_queue_are_kept_and_analysed_on_request(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review_pages, "MOST_WAITING", 1)
    bring(client, LINK)
    where = bring(client, LINK).headers["location"]
    page = client.get(where).text
    assert "Being analysed" not in page and f'action="{where}/analyse"' in page
    refused = client.post(f"{where}/analyse")
    assert refused.status_code == 400 and "1 games are being analysed" in refused.text
    monkeypatch.setattr(review_pages, "MOST_WAITING", 2)
    assert "Being analysed" in client.post(f"{where}/analyse").text


def test_nothing_is_analysed_while_a_tournament_is_played(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, cup: Any
) -> None:
    cup(["ann", "bob"])
    monkeypatch.setattr(tournament_reader, "running", lambda folder: folder.name == "cup")
    where = bring(client, LINK).headers["location"]
    assert "Being analysed" not in client.get(where).text
    assert "when the tournament cup has ended" in client.post(f"{where}/analyse").text


def test_the_oldest_games_and_visitors_are_forgotten(
    app: Any, client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "MOST_GAMES", 2)
    first = bring(client, LINK).headers["location"]
    for _ in range(2):
        bring(client, LINK)
    assert client.get(first).status_code == 404
    assert client.get("/review").text.count(f">{TITLE}</a>") == 2
    monkeypatch.setattr(reviews, "MOST_VISITORS", 1)
    other = TestClient(app)
    bring(other, LINK)
    assert TITLE in other.get("/review").text and TITLE not in client.get("/review").text
    assert len(list((tmp_path / reviews.FOLDER).iterdir())) == 1


@pytest.mark.long
def test_a_stranger_pastes_a_link_and_reads_a_marked_move_within_a_minute(
    browser: Any, tmp_path: Path
) -> None:
    find = partial(awaited, browser)
    log = tmp_path / "log.json"
    log.write_text(json.dumps(bga_logs.log(lost())))
    with serving(tmp_path / "runs") as address:
        browser.get(address)
        began = time.monotonic()
        find("#links").send_keys(LINK)
        find("#bring button").click()
        find("progress")
        assert barriers(browser) == []
        find('[data-do="mark"]').click()  # the page is loaded anew by itself
        assert "Better: " in find(".carc-verdict:not([hidden])").text
        assert time.monotonic() - began < 60
        assert barriers(browser) == []
        browser.get(f"{address}/review")
        assert "marked move" in find(".reviews").text
        find("#files").send_keys(str(log))
        find("#bring button").click()
        find(".carc-replay")
        browser.get(address)
        assert find(".reviews").text.count(TITLE) == 2
        assert barriers(browser) == []
        assert complaints(browser) == []


def test_names_in_addresses_and_cookies_lead_to_no_other_folder(tmp_path: Path) -> None:
    kept = reviews.Reviews(tmp_path / reviews.FOLDER)
    visitor, (game,) = kept.add("", reviews.read_games([("x", LINK)]))
    assert kept.find(visitor, game) is not None
    (tmp_path / "other.jsonl").write_text("secret")
    (tmp_path / reviews.FOLDER / "other.jsonl").write_text("secret")
    assert kept.find(visitor, "../other") is None
    assert kept.find("..", "other") is None and kept.folder("..") is None


@pytest.mark.parametrize("page", ["/", "/review"])
def test_files_are_dropped_on_the_page(browser: Any, tmp_path: Path, page: str) -> None:
    """The browser itself drops them, as from a folder's window."""
    files = [tmp_path / "log.json", tmp_path / "game.jsonl", tmp_path / "notes.txt"]
    files[0].write_text(json.dumps(bga_logs.log(lost())))
    files[1].write_text(lost().to_text())
    files[2].write_text("hello")

    def drop(*dropped: Path) -> None:
        data = {"items": [], "files": [str(each) for each in dropped], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            event = {"type": kind, "x": 300, "y": 300, "data": data}
            browser.execute_cdp_cmd("Input.dispatchDragEvent", event)

    find = partial(awaited, browser)
    with serving(tmp_path / "runs") as address:
        browser.get(f"{address}{page}")
        drop(*files[:2])
        assert find(".reviews").text.count(TITLE) == 2
        assert browser.current_url == f"{address}/review"
        drop(files[2])
        assert "Not read: notes.txt: carc does not know this form" in find(".wrong").text
        assert find(".reviews").text.count(TITLE) == 2
        assert barriers(browser) == []
        assert ["400" in message for message in complaints(browser)] == [True]
