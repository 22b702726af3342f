"""The API of ladders: every answer is as `/openapi.json` describes it, and nothing is left out."""

from pathlib import Path
from typing import Any

import feedparser
from openapi_spec_validator import validate
from starlette.routing import Route
from starlette.testclient import TestClient
from support.arenas import entrant, played
from support.cups import ANN, EVE
from support.described import DESCRIBED, asked, checked
from support.ladders import NAMES, enter, play

from carc import read_record
from carc.arena.ledger import LadderLedger
from carc.web import api, remote_bots
from carc.web.app import make_app

OLD, NEW, OTHER, OWN = NAMES
LADDER = "/api/ladders/two"


def test_the_description_is_one_of_openapi(client: TestClient) -> None:
    validate(client.get("/openapi.json").json())


def test_everything_is_described_in_words() -> None:
    for name, schema in api.DOCUMENT["components"]["schemas"].items():
        assert schema["description"], name
        for field, described in schema["properties"].items():
            assert described.get("description"), f"{name}.{field}"


def test_no_route_is_without_description(tmp_path: Path) -> None:
    routes = {
        (route.path, method.lower())
        for route in (*make_app(tmp_path).routes, *remote_bots.ROUTES)
        if isinstance(route, Route) and route.path.startswith(("/api/", "/arena/"))
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert routes == {(path, method) for path, each in DESCRIBED.items() for method in each}


def test_every_answer_is_as_described(
    client: TestClient, ladder: LadderLedger, record: str
) -> None:
    """Those of games under way, feeds and lines of remote bots have tests of their own."""
    ended = play(ladder, record, OLD, OTHER, verdicts=("ok", "crash"), faults=(
        {"seat": 1, "action": 3, "verdict": "crash", "detail": "it exited"},
    ))  # fmt: skip
    enter(ladder, NEW)
    (two,) = checked(client, "/api/ladders")["ladders"]
    assert two == checked(client, LADDER)
    assert two["head"] == checked(client, f"{LADDER}/head")
    assert two["head"]["link"] == [*ladder.entries()][-1].link
    assert (two["bots"], two["games"], two["players"], two["rules"]) == (3, 1, 2, "base")
    places = checked(client, f"{LADDER}/board")["places"]
    assert [(each["place"], each["bot"]) for each in places] == [(1, NEW), (2, OWN), (3, OTHER)]
    assert checked(client, f"{LADDER}/bot", bot=OTHER) == places[2]
    assert checked(client, f"{LADDER}/bot", bot=OLD)["place"] is None
    versions = checked(client, f"{LADDER}/versions", bot=NEW)["versions"]
    assert [each["standing"]["bot"] for each in versions] == [OLD, NEW]
    (point,) = versions[0]["history"]
    assert (point["games"], point["mu"]) == (1, versions[0]["standing"]["mu"])
    (row,) = checked(client, f"{LADDER}/games", bot=OLD)["games"]
    assert row["id"] == ended and row["verdicts"] == ["ok", "crash"]
    game = checked(client, f"{LADDER}/games/{ended}")
    assert game["faults"][0]["detail"] == "it exited"
    assert tuple(game["actions"]) == read_record(game["record"]).actions
    assert checked(client, f"{LADDER}/live") == {"games": []}
    assert checked(client, f"{LADDER}/queue") == {"here": 2, "remote": []}
    events = checked(client, f"{LADDER}/activity")["events"]
    assert [(each["what"], each["bot"]) for each in events[:3]] == [
        ("entered", NEW), ("rested", OLD), ("rated", ""),
    ]  # fmt: skip
    own = client.get(f"{LADDER}/own", headers={"Authorization": f"Bearer {ANN}"}).json()
    client.post("/sign-in", data={"token": ANN})
    assert checked(client, f"{LADDER}/own") == own
    assert [each["bot"] for each in own["bots"]] == [NEW, OLD]
    left = {path for path, each in DESCRIBED.items() if "get" in each} - asked
    assert left <= {
        f"{api.PREFIX}ladders/{{ladder}}/live/{{game}}",
        f"{api.PREFIX}ladders/{{ladder}}/feed",
        "/arena/ladders", "/arena/play", "/api/bots/{upload}",
    }, "these have tests of their own"  # fmt: skip


def test_what_is_not_there_is_said(client: TestClient, ladder: LadderLedger) -> None:
    for path in ("games/0123", "live/0123", "bot?bot=nobody", "versions?bot=nobody"):
        answer = client.get(f"{LADDER}/{path}")
        assert answer.status_code == 404 and answer.json()["error"].endswith("."), path
    assert checked(client, "/api/ladders/nowhere/board") == {"error": "There is no such ladder."}
    assert checked(client, f"{LADDER}/bot") == {"error": "The address has no bot."}
    assert checked(client, f"{LADDER}/own") == {"error": "An author's token is wanted."}
    wrong = client.get(f"{LADDER}/own", headers={"Authorization": "Bearer guess"})
    assert wrong.status_code == 401


def test_an_upload_is_told_to_its_author_alone(client: TestClient) -> None:
    bearer = {"Authorization": f"Bearer {ANN}"}
    taken = client.post("/api/bots", content=b"no archive", headers=bearer)
    path = f"/api/bots/{taken.json()['id']}"
    assert taken.status_code == 202
    assert checked(client, path) == {
        "error": "This token is not known here; an author's token is wanted."
    }
    client.post("/sign-in", data={"token": EVE})
    assert checked(client, path) == {"error": "There is no such upload."}
    client.post("/sign-in", data={"token": ANN})
    while not (told := checked(client, path))["outcome"]:
        pass
    assert told["outcome"].startswith("Not submitted: the file is not a zip archive")
    assert (told["author"], told["bot"], told["steps"]) == ("ann", "", [])
    assert client.post("/api/bots", content=b"x" * (20 << 20)).status_code == 202
    assert client.post("/api/bots", content=b"x" * ((20 << 20) + 1)).status_code == 413


def test_a_server_without_authors_takes_no_bots(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path), "http://localhost") as client:
        answer = client.post("/api/bots", content=b"x", headers={"Authorization": f"Bearer {ANN}"})
        assert answer.status_code == 403 and "takes no bots" in answer.json()["error"]
        assert "Submit a bot" not in client.get("/").text


def test_a_name_without_version_is_the_bot_that_plays(
    client: TestClient, ladder: LadderLedger
) -> None:
    name = OLD.partition("@")[0]
    assert checked(client, f"{LADDER}/bot", bot=name)["bot"] == OLD
    enter(ladder, NEW)
    assert checked(client, f"{LADDER}/bot", bot=name)["bot"] == NEW
    assert f"<h1>{NEW}</h1>" in client.get("/ladder/two/bot", params={"bot": name}).text
    enter(ladder, OLD)  # again
    assert checked(client, f"{LADDER}/bot", bot=name)["bot"] == OLD
    ladder.rest(OLD, "gone")
    assert checked(client, f"{LADDER}/bot", bot=name)["bot"] == NEW, "the latest"
    assert checked(client, f"{LADDER}/bot", bot=OWN)["bot"] == OWN, "this is all of its name"


def test_a_tournament_is_no_ladder(client: TestClient, cup: Any) -> None:
    cup(["ann", "bob"])
    assert client.get("/api/ladders").json() == {"ladders": []}
    assert client.get("/api/ladders/cup/board").status_code == 404
    assert client.get("/ladder/cup").status_code == 404


# -- feeds ----------------------------------------------------------------------------------------


def feed(client: TestClient, **query: str) -> Any:
    answer = client.get(f"{LADDER}/feed", params=query)
    assert answer.headers["content-type"].startswith("application/atom+xml")
    found = feedparser.parse(answer.content)
    assert not found.bozo and found.version == "atom10"
    return found


def test_results_are_an_atom_feed(client: TestClient, ladder: LadderLedger, record: str) -> None:
    """As RFC 4287 wants it: every feed and entry has one id, title and time; ids never change."""
    games = [
        play(ladder, record, OLD, OTHER),
        play(ladder, record, OTHER, OLD),
        play(ladder, record, OTHER, OLD, verdicts=("ok", "crash")),
        play(ladder, record, OLD, OTHER, ranks=(0, 0)),
    ]
    play(ladder, record, OTHER, OWN)
    found = feed(client, bot=OLD)
    assert [each.title for each in found.entries] == [
        f"{OLD} drew", f"{OLD} lost: crash", f"{OLD}: place 2 of 2", f"{OLD} won",
    ]  # fmt: skip
    assert [each.link for each in found.entries] == [
        f"http://testserver/t/two/game/{game}" for game in games[::-1]
    ]
    assert found.feed.updated == found.entries[0].updated == "2026-01-01T00:03:00+00:00"
    ids = [each.id for each in found.entries]
    assert len({found.feed.id, *ids}) == 5 and all(each.startswith("urn:uuid:") for each in ids)
    play(ladder, record, OLD, OWN)
    again = feed(client, bot=OLD)
    assert again.feed.id == found.feed.id and [each.id for each in again.entries][1:] == ids


def test_a_feed_of_an_author_has_all_versions(
    client: TestClient, ladder: LadderLedger, record: str
) -> None:
    play(ladder, record, OLD, OTHER)
    enter(ladder, NEW)
    play(ladder, record, OTHER, NEW)
    found = feed(client, author="ann")
    assert [each.title for each in found.entries] == [f"{NEW}: place 2 of 2", f"{OLD} won"]
    assert client.get(f"{LADDER}/feed", params={"author": "nobody"}).status_code == 404


def test_a_feed_that_has_not_changed_is_not_sent_again(
    client: TestClient, ladder: LadderLedger, record: str
) -> None:
    path = f"{LADDER}/feed?bot={OLD}"
    tag = client.get(path).headers["etag"]
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 304
    play(ladder, record, OLD, OTHER)
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 200


def test_names_in_a_feed_are_texts(client: TestClient, ladder: LadderLedger) -> None:
    hostile = "</title><b>\u202e\x00"
    ladder.enter(entrant(hostile))
    played(ladder, hostile, OTHER)
    (entry,) = feed(client, bot=hostile).entries
    escaped = "</title><b>\\u202e\\x00"
    assert entry.title.startswith(escaped) and escaped in entry.summary
