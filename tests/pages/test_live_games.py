"""Games of an arena while they are played: who looks on sees them, and nothing that is to come."""

import re
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from anyio.to_thread import current_default_thread_limiter
from support.browser import awaited, barriers, complaints
from support.described import checked
from support.served import serving
from support.stage import SEEN, Stage, standing_still
from support.waiting import until

from carc import read_record
from carc.arena import relay
from carc.match.moves import Move
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.players import shown
from carc.tournaments.players.protocol import Table
from carc.tournaments.players.shown import Screen
from carc.web import live_pages, spectators
from carc.web.app import THREADS
from carc.web.spectators import Spectators


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with standing_still(tmp_path_factory.mktemp("a")) as stage:
        yield stage


def test_who_looks_on_sees_the_game_so_far(stage: Stage) -> None:
    listed = checked(stage.client, "/api/ladders/two/live")["games"]
    assert {each["id"] for each in listed} == {game.id for game in stage.running()}
    for each in listed:
        position = checked(stage.client, f"/api/ladders/two/live/{each['id']}")
        assert position["game"] == each and len(position["actions"]) == SEEN
        page = stage.client.get(f"/live/{each['id']}").text
        assert f'data-version="{SEEN}"' in page
        assert all(f">{name}<" in page for name in each["seats"])
        scores = [int(n) for n in re.findall(r'data-score="(\d+)"', page)]
        assert scores == position["scores"]
        assert f"{position['tiles_left']} tiles left" in page
    text = stage.client.get("/ladder/two/live").text
    assert all(f'href="/live/{each["id"]}"' in text for each in listed)
    assert "Under way: 2" in stage.client.get("/ladder/two").text


def test_news_of_a_game_come_when_there_are_some(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carc.web.live_pages.WAIT", 0)
    id = stage.running()[0].id
    assert stage.client.get(f"/live/{id}/news?since={SEEN}").status_code == 204
    answer = stage.client.get(f"/live/{id}/news?since=0")
    assert answer.status_code == 200 and f'data-version="{SEEN}"' in answer.text
    assert stage.client.get(f"/live/{id}/features?cell=0,0").status_code == 200


def test_the_games_that_were_looked_at_last_are_followed(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spectators, "MOST", 1)
    seats = Spectators(stage.arena)
    first, second = stage.still()
    before = seats.look(first)
    assert before is not None and seats.look(first) is before
    assert before.table.match.seed == 0, "it knows nothing of the deal"
    assert seats.look(second) is not None
    after = seats.look(first)
    assert after is not None and after is not before
    assert len(after.table.match.moves) == SEEN


def test_however_many_look_at_a_game_it_is_read_twice_a_second(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, read = 100.0, []
    actions = stage.arena.actions
    monkeypatch.setattr(spectators, "monotonic", lambda: now)
    monkeypatch.setattr(stage.arena, "actions", lambda game: read.append(game) or actions(game))
    seats, (first, second) = Spectators(stage.arena), stage.still()
    assert seats.seen(first) is None, "nobody has looked yet"
    looked = [seats.look(game) for game in (first, second, first)]
    assert read == [first, second] and looked[0] is looked[2] is seats.seen(first)
    now += spectators.LOOK
    assert seats.seen(first) is None
    seats.look(first)
    assert read == [first, second, first]
    with ExitStack() as many:
        for _ in range(4 * spectators.MANY):
            many.enter_context(seats.waits())
        now += 3.9 * spectators.LOOK
        assert seats.look(first) is seats.seen(first) and len(read) == 3, "many see it less often"
    assert seats.seen(first) is None


def test_the_page_of_a_game_is_made_once_for_all_who_look_on(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = stage.still()[0]
    first = stage.client.get(f"/live/{game}").text
    monkeypatch.setattr(live_pages, "render", None)
    assert stage.client.get(f"/live/{game}").text == first


def test_few_pages_are_made_at_once_beside_bots(stage: Stage) -> None:
    """Each thread that makes one would take time from the answers of remote bots."""
    portal = stage.client.portal
    assert portal is not None
    assert portal.call(lambda: current_default_thread_limiter().total_tokens) == THREADS


def test_a_remote_bot_that_is_connected_is_in_the_queue(stage: Stage) -> None:
    """On the board it has its latency, which is bounded."""
    client, api = stage.client, "/api/ladders/two"
    ladders = checked(client, "/arena/ladders")
    assert [each["name"] for each in ladders["ladders"]] == ["two"]
    bound = checked(client, api)["latency"]
    assert bound == ladders["latency"] == stage.arena.relay.latency
    here = {"Authorization": f"Bearer {stage.tokens['eve']}"}
    with client.websocket_connect("/arena/play?bot=far&version=1", headers=here) as line:
        for _ in range(relay.FIRST):
            ping = line.receive_json()
            assert ping["type"] == "ping"
            time.sleep(1.1 * bound)
            line.send_json({"type": "pong", "id": ping["id"]})
        until(lambda: "remote:eve/far@1" in stage.arena.relay.present())
        queue = checked(client, f"{api}/queue")
        assert queue == {
            "here": 2,
            "remote": [{"bot": "eve/far@1", "plays": False, "latency": bound}],
        }
        place = checked(client, f"{api}/bot", bot="eve/far@1")
        assert (place["isolation"], place["latency"]) == ("remote", bound)
        assert "remote, 200 ms" in client.get("/ladder/two").text
        assert "waits</td><td>200 ms" in client.get("/ladder/two/live").text
    until(lambda: checked(client, f"{api}/queue")["remote"] == [])
    assert "remote, not connected" in client.get("/ladder/two").text
    refused = checked(client, "/arena/play", bot="far", version="1", session="x")
    assert "token is not known" in refused


def test_in_a_browser_a_game_goes_on_to_its_end(stage: Stage, browser: Any) -> None:
    arena, id = stage.arena, stage.still()[0]
    with serving(arena.folder, lifespan="off", author=arena.author, arena=arena) as url:
        browser.get(f"{url}/live/{id}")
        awaited(browser, f'[data-version="{SEEN}"]')
        assert barriers(browser) == []
        (arena.folder / id).touch()
        awaited(browser, '[data-over="yes"]')
        browser.get(f"{url}/ladder/two")
        assert barriers(browser) == []
        awaited(browser, 'a[href="/ladder/two/live"]').click()
        awaited(browser, 'a[href^="/live/"]')
        assert barriers(browser) == [] == complaints(browser)


def test_a_game_that_has_ended_leads_to_its_replay(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carc.web.live_pages.WAIT", 0)
    id = stage.running()[0].id
    early = stage.get(f"/api/ladders/two/live/{id}")["actions"]
    assert stage.client.get(f"/live/{id}/record").status_code == 404
    (stage.arena.folder / "all").touch()
    until(lambda: id not in [game.id for game in stage.running()])
    until(lambda: stage.client.get(f"/live/{id}/record").status_code == 200)
    answer = stage.client.get(f"/live/{id}", follow_redirects=False)
    assert answer.headers["location"] == f"/t/two/game/{id}"
    assert "carc-replay" in stage.client.get(f"/live/{id}").text
    record = stage.client.get(f"/live/{id}/record").text
    actions = read_record(record).actions
    assert list(actions[:SEEN]) == early, "what was seen was what was played"
    news = f"/live/{id}/news?since={SEEN}"  # a game is drawn twice a second
    until(lambda: 'data-over="yes"' in stage.client.get(news).text)
    assert "Final scores" in stage.client.get(news).text
    assert stage.client.get(f"/live/{'0' * 24}").status_code == 404
    assert stage.client.get(f"/live/{'0' * 24}/news").status_code == 404


# -- the memory in which a worker shows its game --------------------------------------------------


def test_what_bots_are_told_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever they play; where no game is shown, bots in this process cost nothing."""
    with Table(Clock()) as table:
        assert not table.is_watched
    monkeypatch.setattr(shown, "screen", Screen())
    shown.screen.begin("a")
    with Table(Clock()) as table:
        assert table.is_watched
        for action in ("draw:D", "place:0,1,0"):
            table.watch(Move(0, action))
        assert shown.screen.actions("a") == table._history == ["draw:D", "place:0,1,0"]


def test_a_screen_shows_one_game_at_a_time() -> None:
    screen = Screen()
    assert screen.actions("a") is None
    screen.begin("a")
    assert screen.actions("a") == []
    screen.show("draw:D")
    screen.show("place:0,1,2")
    assert screen.actions("a") == ["draw:D", "place:0,1,2"]
    screen.begin("b")
    assert screen.actions("a") is None and screen.actions("b") == []


def test_a_game_that_is_too_long_is_shown_as_far_as_there_is_room() -> None:
    screen = Screen()
    screen.begin("a")
    many = [f"place:{number},0,0" for number in range(20_000)]
    for action in many:
        screen.show(action)
    screen.show("x")  # which would still fit
    shown = screen.actions("a") or []
    assert 5_000 < len(shown) < 20_000 and shown == many[: len(shown)]
    screen.begin("b")
    screen.show("pass")
    assert screen.actions("b") == ["pass"]
