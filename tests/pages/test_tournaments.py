"""The pages of tournaments: leaderboards that update, lists of games, replays."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest
from starlette.testclient import TestClient
from support.browser import barriers, complaints, show
from support.cups import cells, listed, news_of, read
from support.served import serving
from support.waiting import until

from carc.analysis import GameAnalysis, Luck, MoveAnalysis
from carc.analysis.results import summarise
from carc.analysis.saved import save_analysis
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.reports import board_table, html_page
from carc.web import tournament_pages


def test_the_board_ranks_and_the_cross_table_tells_who_beat_whom(
    client: TestClient, cup: Any
) -> None:
    cup(["bob", "ann"], deals=3)
    assert '<a href="/t/cup">cup</a>' in client.get("/").text
    rows = cells(read(client, "/t/cup"))
    board = {row[1]: row for row in rows if len(row) == 10}
    assert [row[1] for row in rows if len(row) == 10][1:] == ["ann", "bob"]
    assert board["ann"][4:6] == ["6", "6"] and board["bob"][5] == "0"
    assert ["ann", "", "1.00"] in rows and ["bob", "0.00", ""] in rows


def test_games_are_filtered_sorted_and_lead_to_their_replay(client: TestClient, cup: Any) -> None:
    games = cup(["ann", "bob", "cid"], deals=2)
    games += cup(["ann", "bob", "cid"], deals=3, verdicts=("crash", "ok"))
    everything = listed(read(client, "/t/cup/games"))
    assert len(everything) == len(games) == 18
    with_cid = listed(client.get("/t/cup/games?bot=cid&other=ann").text)
    assert len(with_cid) == 6
    faulty = listed(client.get("/t/cup/games?verdict=faults").text)
    assert len(faulty) == 6 and all("crash" in row[3] for row in faulty)
    assert len(listed(client.get("/t/cup/games?verdict=clean").text)) == 12
    margins = [
        [int(n) for n in re.findall(r"\d+", row[0])] + [int(row[1])]
        for row in listed(client.get("/t/cup/games?sort=margin").text)
    ]
    assert (
        margins[0][0] - margins[0][1]
        == margins[0][2]
        == max(max(g.scores) - min(g.scores) for g in games)
    )
    page = client.get(f"/t/cup/game/{games[0].id}").text
    assert 'class="carc-replay carc-theme carc-whole"' in page and "0.50 s" in page
    for odd in ("page=99", "page=-1", "page=x", "page=²", "bot=nobody", "sort=%00"):
        assert client.get(f"/t/cup/games?{odd}").status_code == 200


def test_pages_of_many_games(client: TestClient, cup: Any) -> None:
    cup(["ann", "bob"], deals=40)
    text = read(client, "/t/cup/games")
    assert len(listed(text)) == 50 and "Page 1 of 2" in text
    older = re.findall(r'href="([^"]*page=2[^"]*)"', text)[0].replace("&amp;", "&")
    assert len(listed(client.get(older).text)) == 30


def test_only_the_best_are_in_the_cross_table(
    client: TestClient, cup: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup(["ann", "bob", "cid"], deals=3)
    monkeypatch.setattr(tournament_pages, "MOST_CROSS", 2)
    text = read(client, "/t/cup")
    assert "the best 2" in text
    crossed = text[text.index("cross table") :]
    assert [row[0] for row in cells(crossed)] == ["bot", "ann", "bob"]


def test_the_page_of_a_bot_lists_results_by_opponent_by_seat_and_losses(
    client: TestClient, tmp_path: Path, cup: Any
) -> None:
    """The winner of game n has 50 + n points, the loser 10; `ann` wins all, `bob@1` half."""
    games = cup(["ann", "bob@1", "bob@2"], deals=2)
    lost = [game for game in games if "bob@2" in game.seats]
    worst = max(lost, key=lambda game: max(game.scores))
    rows = cells(read(client, "/t/cup/bot?bot=bob@2"))
    assert ["1", "4", "0 %", "10.0"] in rows and ["2", "4", "0 %", "10.0"] in rows  # by seat
    losses = [row for row in rows if row[1] == "not analysed"]
    assert [int(row[2]) for row in losses] == sorted(max(g.scores) - 10 for g in lost)[::-1]
    against = {row[0]: row for row in rows if row[-1].endswith("bob@2 10")}
    margins = {bot: [max(g.scores) - 10 for g in lost if bot in g.seats] for bot in against}
    for bot, row in against.items():
        assert row[1].startswith("0.00 [")
        assert float(row[2]) == pytest.approx(-sum(margins[bot]) / 4, abs=0.05)
        # The third of four games in the order of margins is the typical one.
        assert row[3] == f"{bot} {sorted(margins[bot])[1] + 10}, bob@2 10"
    versions = [row for row in rows if row[0] in ("bob@1", "bob@2") and row not in against.values()]
    assert [row[0] for row in versions] == ["bob@1", "bob@2"]
    assert versions[0][3] == "" and versions[1][3].endswith("% likely")
    assert client.get("/t/cup/bot?bot=nobody").status_code == 404

    before = news_of(client.get("/t/cup/bot?bot=bob@2").text)
    parts = [(2, 0.1), (3, 0.4), (4, 0.2), (6, 0.07), (8, 0.9)]
    save_blunders(tmp_path / "cup", worst, "bob@2", parts)
    save_blunders(tmp_path / "cup", lost[0], "bob@2", [(2, 0.01), (3, 0.04), (8, 0.9)])
    page = client.get(before).text
    assert f'/game/{worst.id}#move-3">move 3: -40 %' in page
    assert "move 2: -10 %" in page and "move 6" not in page  # three of its own moves, not more
    assert "move 8: -90 %" not in page  # the other's
    # Less than 5 % has no mark; then it is points that count.
    assert "move 3: -1.0 points" in page and "move 3: -4 %" not in page
    # It had 3.5 points of luck, the winner 9; each of its moves lost a point, as did the winner's.
    behind = [max(game.scores) - 10 for game in (worst, lost[0])]
    assert f"unclear: luck -6, moves -3, rest {8.5 - behind[0]:+.0f}" in page
    assert f"unclear: luck -6, moves -1, rest {6.5 - behind[1]:+.0f}" in page
    # The analysis is of no game that was played, so the replay goes without it.
    assert "carc-chances" not in client.get(f"/t/cup/game/{worst.id}").text


def test_games_that_could_not_be_played_count_for_nobody(client: TestClient, cup: Any) -> None:
    cup(["ann", "bob"])
    cup(["ann", "bob"], deals=2, verdict="void", ranks=(), scores=(), winners=(), verdicts=())
    rows = cells(read(client, "/t/cup/bot?bot=bob"))
    assert ["1", "1", "0 %", "10.0"] in rows and ["2", "1", "0 %", "10.0"] in rows
    assert len([row for row in rows if row[1:2] == ["not analysed"]]) == 2
    assert "in 2 games" in client.get("/t/cup/compare?a=ann&b=bob").text
    assert len([row for row in listed(client.get("/t/cup/games").text) if row[3] == "void"]) == 2


def save_blunders(folder: Path, game: Outcome, bot: str, lost: Sequence[tuple[int, float]]) -> None:
    """Save an analysis with these moves and what they lost; the last is the opponent's."""
    seat = game.seats.index(bot)
    moves = [
        MoveAnalysis(n, seat, n, n, ("a",), ("b",), 0.95, 0.95 - part, 2, 1, 2, False, Luck(), 1)
        for n, part in lost
    ]
    moves[0] = attrs.evolve(moves[0], luck=Luck(0.1, 5.0))
    moves[1] = attrs.evolve(moves[1], luck=Luck(0.0, -1.5))
    moves[-1] = attrs.evolve(moves[-1], player=1 - seat, luck=Luck(0.2, 9.0))
    players = [summarise(at, name, moves, False) for at, name in enumerate(game.seats)]
    found = GameAnalysis("base", game.seats, False, True, 1, 0, (*moves,), (*players,))
    save_analysis(folder, game.id, found)


def test_bars_and_colours_and_the_poster_show_who_is_ahead(client: TestClient, cup: Any) -> None:
    cup(["ann", "<b>"], deals=3)
    board = read(client, "/t/cup")
    assert re.findall(r"rgb\((\d+)[^)]*/ 45%", board) == ["33", "230"]  # the winner's row is first
    dots = [float(x) for x in re.findall(r'<circle cx="([\d.]+)"', board)]
    assert len(dots) == 2 and max(dots) <= 126 and min(dots) >= 4
    answer = client.get("/t/cup/poster.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    words = [e.text or "" for e in ET.fromstring(answer.text).iter() if e.tag.endswith("text")]
    places, bots, strengths = words[2::3], words[3::3], words[4::3]
    assert words[0] == "cup" and places == ["1.", "2."] and set(bots) == {"ann", "<b>"}
    first, second = map(float, strengths)
    assert first == -second > 0


def test_progress_is_shown_until_all_games_are_played(client: TestClient, cup: Any) -> None:
    cup(["ann", "bob"], deals=2, planned=3)
    assert '<progress value="4" max="6"' in read(client, "/t/cup")
    assert "4 of 6 games" in client.get("/").text and ">ann<" in client.get("/").text
    cup(["ann", "bob"], deals=3)
    until(lambda: "6 of 6 games" in client.get("/t/cup").text)
    assert "<progress" not in client.get("/t/cup").text


def test_one_game_does_not_tell_how_long_the_others_take(
    tmp_path: Path, cup: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_table, "running", lambda _: True)
    ended = [f"2026-01-01T00:00:{seconds}+00:00" for seconds in ("09", "05", "01")]

    def left(games: int) -> float | None:
        monkeypatch.setattr(Ledger, "lately", lambda _: ended[3 - games :])
        return board_table.heading(tmp_path / "cup").left

    cup(["ann", "bob"], deals=1, planned=3)
    assert (left(0), left(1), left(2), left(3)) == (None, None, 16.0, 16.0)
    cup(["ann", "bob"], deals=3)
    assert left(3) is None  # none is left, although the end takes a while


def test_a_game_is_saved_as_a_page_and_as_an_animation(client: TestClient, cup: Any) -> None:
    (game, *_) = cup(["ann", "bob"])
    answer = client.get(f"/t/cup/game/{game.id}/replay.html")
    assert "attachment" in answer.headers["content-disposition"]
    assert "<script src" not in answer.text and "carc-replay" in answer.text
    answer = client.get(f"/t/cup/game/{game.id}/animation.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert "@keyframes" in answer.text and ">ann</text>" in answer.text


def test_names_of_bots_are_texts(client: TestClient, cup: Any) -> None:
    hostile = "<img src=x onerror=alert(1)>\u202e"
    games = cup(["ann", hostile], deals=1)
    for path in ("/t/cup", "/t/cup/games", f"/t/cup/game/{games[0].id}"):
        text = read(client, path)
        assert "<img" not in text
        if "/game/" not in path:  # the record has names of its own
            assert "&lt;img" in text
            # A form sends back the name itself.
            assert "\u202e" not in re.sub(r'value="[^"]*"', "", text)


@pytest.mark.parametrize(
    "path", ["/t/none", "/t/none/games", "/t/cup/game/zzz", "/t/cup/game/%25", "/replay/none.js"]
)
def test_what_is_not_there_is_said(client: TestClient, cup: Any, path: str) -> None:
    cup(["ann", "bob"])
    answer = client.get(path)
    assert answer.status_code in (400, 404)
    assert "<h1>" in answer.text


def test_a_broken_ledger_is_said_and_the_rest_served(
    client: TestClient, tmp_path: Path, cup: Any
) -> None:
    cup(["ann", "bob"])
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "ledger.sqlite").write_bytes(b"no database" * 1000)
    assert 'role="alert"' in read(client, "/t/bad")
    assert "ann" in read(client, "/t/cup")


# -- in a browser ----------------------------------------------------------------------


def test_the_board_changes_while_one_looks(browser: Any, tmp_path: Path, cup: Any) -> None:
    cup(["ann", "bob"], deals=1)
    with serving(tmp_path) as address:
        browser.get(f"{address}/t/cup")
        said = "return document.getElementById('live').textContent"
        until(lambda: "2 games in 1 rotation sets" in browser.execute_script(said))
        assert barriers(browser) == []
        browser.find_element("css selector", "#live caption").click()  # that focuses the table
        cup(["ann", "bob"], deals=3)
        # Without a reload.
        until(lambda: "6 games in 3 rotation sets" in browser.execute_script(said))
        focused = browser.switch_to.active_element
        assert focused.get_attribute("aria-label") == "leaderboard"
        assert complaints(browser) == []


def test_the_report_shuts_nobody_out(phone: Any, tmp_path: Path, cup: Any) -> None:
    cup(["ann", "bob"], deals=2)
    show(phone, html_page.page(tmp_path / "cup"), tmp_path)
    assert barriers(phone) == complaints(phone) == []
