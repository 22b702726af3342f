"""Pages of ladders: who is where on the board, games, activity, versions, an author's own page."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient
from support.arenas import entrant, played
from support.cups import ANN, EVE, cells, news_of, read
from support.ladders import NAMES, enter, play

from carc.arena import reading
from carc.arena.ledger import LadderLedger
from carc.arena.reading import LadderReader
from carc.arena.relay import Visit
from carc.tournaments.schedule.entrants import Entrant
from carc.web import ladder_answers
from carc.web.ladder_answers import Ask
from carc.web.ladder_data import Queue, Waiting
from carc.web.tournament_reader import TournamentFolder

OLD, NEW, OTHER, OWN = NAMES


def sign_in(client: TestClient, token: str) -> None:
    client.post("/sign-in", data={"token": token})


def board(text: str) -> dict[str, list[str]]:
    """The rows of a table of places, by bot."""
    return {row[1]: row for row in cells(text) if len(row) == 10 and row[0] != "place"}


def test_a_game_is_on_the_board_as_soon_as_it_is_rated(
    client: TestClient, ladder: LadderLedger, record: str
) -> None:
    page = client.get("/ladder/two").text
    assert [*board(page)] == [OLD, OTHER, OWN], "by name, for nobody has played"
    assert "Place 3." in client.get("/ladder/two/bot", params={"bot": OWN}).text
    news = news_of(page)
    assert client.get(news).status_code == 204
    play(ladder, record, OTHER, OLD)
    now = client.get(news).text
    rows = board(now)
    assert [*rows] == [OTHER, OWN, OLD]
    assert rows[OTHER][6:9] == ["1", "1", "50.0"] and rows[OLD][6:9] == ["1", "0", "10.0"]
    assert "Bots that play: 3. Rated games: 1." in now
    assert client.get(news_of(now)).status_code == 204


def test_the_board_says_who_plays_where_and_the_end_of_the_chain(
    client: TestClient, ladder: LadderLedger
) -> None:
    text = client.get("/ladder/two").text
    rows = board(text)
    assert [rows[bot][3] for bot in (OLD, OTHER, OWN)] == [
        "remote, not connected",
        "isolated (namespaces)",
        "organiser&#39;s",
    ]
    assert [rows[bot][2] for bot in (OLD, OTHER, OWN)] == ["ann", "eve", ""]
    assert f"entry 3: <code>{[*ladder.entries()][-1].link}</code>" in text


def test_a_pause_is_said(client: TestClient, ladder: LadderLedger) -> None:
    assert "Paused" not in client.get("/ladder/two").text
    ladder.pause()
    assert "Paused since 20" in client.get("/ladder/two").text
    ladder.resume()
    assert "Paused" not in client.get("/ladder/two").text


def test_the_home_page_leads_to_the_ladder(client: TestClient, ladder: LadderLedger) -> None:
    home = client.get("/").text
    assert '<a href="/ladder/two">two</a>' in home
    for page in home, client.get("/ladder/two").text:
        assert '<a href="/bots">Submit a bot</a>' in page


def test_a_long_board_has_pages(
    client: TestClient, ladder: LadderLedger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladder_answers, "PLACES_ON_PAGE", 2)
    first = client.get("/ladder/two").text
    assert [*board(first)] == [OLD, OTHER] and "Page 1 of 2" in first
    (more,) = re.findall(r'href="([^"]*)">Next page', first)
    second = client.get(more.replace("&amp;", "&")).text
    assert board(second)[OWN][0] == "3" and len(board(second)) == 1
    assert board(client.get("/ladder/two?page=99").text) == board(second)
    for odd in ("0", "-1", "x", "²", "9" * 30):
        assert client.get(f"/ladder/two?page={odd}").status_code == 200


def test_a_version_that_rests_keeps_its_history(
    client: TestClient, ladder: LadderLedger, record: str
) -> None:
    for _ in range(2):
        play(ladder, record, OLD, OTHER)
    enter(ladder, NEW)
    play(ladder, record, NEW, OTHER)
    assert OLD not in board(client.get("/ladder/two").text)
    page = client.get("/ladder/two/bot", params={"bot": OLD}).text
    assert f"It does not play: {NEW} plays instead." in page
    assert [(row[0], row[6]) for row in board(page).values()] == [("rests", "2"), ("1", "1")]
    assert page.count("<polyline") == 2
    games = [row[0] for row in cells(page) if len(row) == 3][1:]
    assert games == ["ann/x@1 51, eve/y@1 10", "ann/x@1 50, eve/y@1 10"]
    assert client.get("/ladder/two/bot?bot=nobody").status_code == 404


def test_games_are_listed_latest_first_and_of_one_bot(
    client: TestClient, ladder: LadderLedger, record: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(ladder, record, OLD, OTHER)
    play(ladder, record, OLD, OWN, verdicts=("ok", "crash"))
    lost = play(ladder, "", OTHER, OWN, verdict="void", detail="shortage: of memory")

    def games(path: str) -> list[list[str]]:
        return [row for row in cells(client.get(path).text) if len(row) == 3][1:]

    everything = games("/ladder/two/games")
    assert [row[1][11:16] for row in everything] == ["00:02", "00:01", "00:00"]
    assert [row[2] for row in everything] == ["void", "crash", ""]
    assert len(games(f"/ladder/two/games?bot={OWN}")) == 1, "what is void is nobody's"
    for nowhere in (f"/t/two/game/{lost}", f"/live/{lost}", f"/live/{lost}/record"):
        assert client.get(nowhere).status_code == 404
    monkeypatch.setattr(ladder_answers, "GAMES_ON_PAGE", 2)
    assert games("/ladder/two/games?page=2") == everything[2:]
    assert client.get("/ladder/two/games?bot=nobody").status_code == 404


def test_what_happened_is_told_with_its_reason(
    client: TestClient, ladder: LadderLedger, record: str
) -> None:
    game = play(ladder, record, OLD, OTHER)
    play(ladder, record, OLD, OTHER, verdict="void", detail="shortage: of memory")
    ladder.void(game, "the <b>power</b> failed")
    ladder.remove(OTHER, "it cheats")
    rows = [row for row in cells(client.get("/ladder/two/activity").text) if len(row) == 4][1:]
    assert [row[1] for row in rows] == ["rested", "voided", "void", "rated", *["entered"] * 3]
    assert rows[0][2:] == [OTHER, "it cheats"]
    assert rows[1][3] == "the &lt;b&gt;power&lt;/b&gt; failed"
    assert rows[2][3] == "shortage: of memory"
    assert int(rows[0][0]) == len(list(ladder.entries())) and rows[-1][0] == "1"


def test_who_came_for_another_ladder_is_not_in_the_queue(
    ladder: LadderLedger, tmp_path: Path
) -> None:
    """Nor is who is in none; who plays cannot be given a game."""
    enter(ladder, NEW)
    far = {name: Entrant(name, f"remote:{name}", name, "remote") for name in "abcd"}
    for name in "abc":
        ladder.enter(far[name], "far")
    visits = [
        Visit("remote:a", (), 0.1, False),
        Visit("remote:b", ("one",), 0.1, False),
        Visit("remote:c", ("one", "two"), 0.2, True),
        Visit("remote:d", (), 0.1, False),
    ]
    arena: Any = SimpleNamespace(relay=SimpleNamespace(visits=lambda: visits))
    two = TournamentFolder(tmp_path).find("two")
    assert two is not None
    assert ladder_answers.queue(Ask(two, arena)) == Queue(
        2, (Waiting("a", False, 0.1), Waiting("c", True, 0.2))
    )


def test_names_and_reasons_are_texts(client: TestClient, ladder: LadderLedger, record: str) -> None:
    hostile = "<img src=x>\u202e"
    ladder.enter(entrant(hostile))
    played(ladder, hostile, OTHER)
    pages = ["", "/games", "/activity", "/bot?bot=" + quote(hostile)]
    texts = [client.get(f"/ladder/two{page}").text for page in pages]
    ladder.rest(hostile, hostile)
    texts += [client.get(f"/ladder/two{page}").text for page in pages[2:]]
    for text in texts:
        assert "&lt;img" in text and "<img" not in text and "\u202e" not in text


def test_a_long_history_is_told_in_few_points(
    ladder: LadderLedger, record: str, tmp_path: Path
) -> None:
    ratings = []
    for _ in range(9):
        play(ladder, record, OLD, OTHER)
        standing = ladder.standings.of(OLD)
        assert standing is not None
        ratings.append(standing[8:10])
    with LadderReader.reading(tmp_path / "two") as reader:
        every, few = reader.history(OLD, 99), reader.history(OLD, 2)
        assert reader.history(OWN, 2) == []
    assert every == [(games, *ratings[games - 1]) for games in range(1, 10)]
    assert [few[0], few[-1]] == [every[0], every[-1]] and len(few) == 3
    assert set(few) <= set(every)


# -- an author's own page -------------------------------------------------------------------------


def test_an_author_alone_reads_what_a_bot_printed_and_why_it_lost(
    client: TestClient, ladder: LadderLedger, record: str
) -> None:
    fault = {"seat": 1, "action": 4, "verdict": "malformed", "detail": "not JSON: 'thinking...'"}
    play(ladder, record, OTHER, OLD, stderr=("of eve", "of ann\x1b[2J"), faults=(fault,),
         verdicts=("ok", "malformed"))  # fmt: skip
    play(ladder, record, OLD, OWN)
    path = "/ladder/two/own"
    assert client.get(path).status_code == 403
    sign_in(client, ANN)
    text = client.get(path).text
    assert "of ann" in text and "\x1b" not in text and "of eve" not in text
    assert "malformed: not JSON: &#39;thinking...&#39;" in text
    assert [*board(text)] == [OLD]
    assert text.index("Not lost") < text.index("Lost, seat 2"), "latest first"
    assert "Your bots" in client.get("/ladder/two").text
    assert client.get(path, params={"bot": OTHER}).status_code == 404
    assert "of ann" in client.get(path, params={"bot": OLD}).text
    sign_in(client, EVE)
    text = client.get(path).text
    assert "of eve" in text and "of ann" not in text
    assert client.get(path, params={"bot": OLD}).status_code == 404


def test_an_author_finds_the_games_in_which_a_bot_was_at_fault(
    client: TestClient, ladder: LadderLedger, record: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fault(seat: int) -> dict[str, Any]:
        one = {"seat": seat, "action": 4, "verdict": "crash", "detail": f"of seat {seat}"}
        verdicts = ("crash", "ok") if seat == 0 else ("ok", "crash")
        return {"faults": (one,), "verdicts": verdicts}

    play(ladder, record, OTHER, OLD, **fault(1))
    play(ladder, record, OTHER, OLD, **fault(0))  # the other's
    play(ladder, record, OLD, OTHER, **fault(0))
    play(ladder, record, OLD, OTHER)
    sign_in(client, ANN)
    page = client.get("/ladder/two/own").text
    assert page.count("<h2>") == 4
    (link,) = re.findall(r'href="([^"]*)">Only games in which they were at fault', page)
    text = client.get(link.replace("&amp;", "&")).text
    assert re.findall(r"crash: of seat \d", text) == ["crash: of seat 0", "crash: of seat 1"]
    assert text.count("<h2>") == 2
    (link,) = re.findall(r'href="([^"]*)">All games', text)
    assert client.get(link.replace("&amp;", "&")).text.count("<h2>") == 4
    monkeypatch.setattr(reading, "LOOKED_AT", 3)
    assert client.get("/ladder/two/own?faults=true").text.count("<h2>") == 1
    monkeypatch.setattr(ladder_answers, "GAMES_ON_PAGE", 1)
    monkeypatch.setattr(reading, "LOOKED_AT", 9)
    (one,) = client.get("/api/ladders/two/own?faults=true").json()["games"]
    assert one["detail"] == "of seat 0"


def test_each_version_has_its_games_on_the_own_page(
    client: TestClient, ladder: LadderLedger, record: str
) -> None:
    play(ladder, record, OLD, OTHER)
    enter(ladder, NEW)
    play(ladder, record, NEW, OTHER)
    sign_in(client, ANN)
    text = client.get("/ladder/two/own").text
    assert {*board(text)} == {OLD, NEW} and f"{OLD} rests: {NEW} plays instead" in text
    assert text.count("<h2>") == 2
    assert client.get("/ladder/two/own", params={"bot": OLD}).text.count("<h2>") == 1


def test_a_token_signs_in_over_https_only_for_https(client: TestClient) -> None:
    def flags(base: str) -> str:
        answer = client.post(f"{base}/sign-in", data={"token": ANN}, follow_redirects=False)
        return answer.headers["set-cookie"]

    assert "Secure" in flags("https://testserver") and "Secure" not in flags("http://testserver")


# -- the exact board ------------------------------------------------------------------------------


def test_the_exact_board_has_strengths_and_says_when_it_was_made(
    client: TestClient, ladder: LadderLedger, record: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(4):
        play(ladder, record, OTHER, OLD)
    exact = read(client, "/t/two")
    assert [row[1] for row in cells(exact) if len(row) == 10][1:] == [OTHER, OLD]
    assert "the 100 best bots that play, by the last 1,000 games" in exact
    assert '<a href="/ladder/two">' in exact
    play(ladder, record, OLD, OTHER)
    for _ in range(3):
        assert read(client, "/t/two") == exact, "not at once: a ladder is never over"
    assert re.search(
        r"it was made 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC", client.get("/ladder/two").text
    )


def test_the_exact_board_reads_the_last_games_of_the_best_bots(
    ladder: LadderLedger, record: str, tmp_path: Path
) -> None:
    """However many games there are: none of others, and of each no more than so many."""
    for _ in range(5):
        play(ladder, record, OTHER, OLD)
    play(ladder, record, OWN, OLD)
    play(ladder, record, OWN, OTHER)
    enter(ladder, NEW)
    with LadderReader.reading(tmp_path / "two") as reader:
        assert {bot.bot for bot in reader.standings.page(2, state="plays")} == {OTHER, OWN}
        games = list(reader.among_best(2, 2))
        assert [game.seats for game in games] == [(OWN, OTHER)]
        assert reader.configuration.bots == ()
    ladder.rest(OWN, "gone")
    with LadderReader.reading(tmp_path / "two") as reader:
        assert [*reader.among_best(2, 9)] == [], "those that play are compared"
