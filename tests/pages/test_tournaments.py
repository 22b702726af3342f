"""The pages of tournaments: leaderboards that update, lists of games, replays."""

import html
import json
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import pytest
from selenium.common.exceptions import StaleElementReferenceException
from starlette.testclient import TestClient
from support.browser import awaited, barriers, complaints
from support.cups import cells, listed, read
from support.judged import judged
from support.served import serving

import carc
from carc.analysis import GameAnalysis, Luck, MoveAnalysis
from carc.analysis.results import summarise
from carc.analysis.saved import save_analysis
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.reports import board_table, html_page
from carc.web import board_cache, bot_pages, game_analyses, tournament_pages, tournament_reader
from carc.web.app import make_app


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


def news_of(page: str) -> str:
    """Return where a page asks for what has changed."""
    return html.unescape(re.findall(r'data-news="([^"]*)"', page)[0])


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
    words = [e.text for e in ET.fromstring(answer.text).iter() if e.tag.endswith("text")]
    assert words[0] == "cup" and {"ann", "<b>"} <= set(words)


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


# -- analyses on request ---------------------------------------------------------------


class Waiting:
    """An executor that never begins."""

    def __init__(self) -> None:
        self.submitted: list[tuple[Any, ...]] = []

    def submit(self, *what: Any) -> Future[None]:
        self.submitted.append(what)
        return Future()

    def shutdown(self, **_: bool) -> None:
        self.submitted.clear()


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> Waiting:
    pool = Waiting()
    monkeypatch.setattr(game_analyses, "ProcessPoolExecutor", lambda *_, **__: pool)
    return pool


def test_the_worst_losses_are_analysed_once_and_not_too_many(
    client: TestClient, cup: Any, waiting: Waiting
) -> None:
    games = cup(["ann", "bob", "cid"], deals=10)
    before = news_of(read(client, "/t/cup/bot?bot=bob"))
    assert client.get(before).status_code == 204

    def ask(**form: str) -> Any:
        return client.post("/t/cup/analyse", data=form, follow_redirects=False)

    answer = ask(bot="bob")
    assert answer.status_code == 303 and answer.headers["location"] == "/t/cup/bot?bot=bob"
    worst = sorted((g for g in games if {*g.seats} == {"ann", "bob"}), key=lambda g: -max(g.scores))
    assert [game for _, _, game in waiting.submitted] == [game.id for game in worst[:5]]
    page = client.get("/t/cup/bot?bot=bob").text
    assert "5 games are being analysed" in page and '<form class="filters" method' not in page
    assert "10 of 20 lost games" in page
    assert client.get(before).status_code == 200  # it says that games are being analysed
    assert client.get(news_of(page)).status_code == 204
    assert ask(bot="bob").status_code == 303 and len(waiting.submitted) == 5
    others = [game for game in games if "bob" not in game.seats]
    for game in others[:5]:
        assert ask(game=game.id).headers["location"] == f"/t/cup/game/{game.id}"
    assert ask(game=others[0].id).status_code == 303 and len(waiting.submitted) == 10
    assert "Being analysed" in client.get(f"/t/cup/game/{others[0].id}").text
    assert client.get(f"/t/cup/game/{others[0].id}/analysis").status_code == 204
    refused = ask(game=others[5].id)
    assert refused.status_code == 400 and "10 games are being analysed" in refused.text
    assert ask(game="zzz").status_code == 400 and ask(bot="nobody").status_code == 404
    assert len(waiting.submitted) == 10


def test_nothing_is_analysed_while_a_tournament_is_played(
    client: TestClient, cup: Any, waiting: Waiting, monkeypatch: pytest.MonkeyPatch
) -> None:
    (game, *_) = cup(["ann", "bob"])
    monkeypatch.setattr(bot_pages, "running", lambda folder: folder.name == "cup")
    page = read(client, "/t/cup/bot?bot=bob")
    assert "when the tournament cup has ended" in page and "<button class=" not in page
    assert client.get(news_of(page)).status_code == 204
    answer = client.post("/t/cup/analyse", data={"game": game.id})
    assert answer.status_code == 400 and "when the tournament cup has ended" in answer.text
    assert waiting.submitted == []
    monkeypatch.setattr(bot_pages, "running", lambda _: False)
    assert "<button class=" in client.get(news_of(page)).text  # without a reload


def test_an_analysis_that_fails_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pool = ThreadPoolExecutor(1)
    monkeypatch.setattr(game_analyses, "ProcessPoolExecutor", lambda *_, **__: pool)
    queue = game_analyses.AnalysisQueue()
    assert queue.failure(tmp_path, "1") == ""
    queue.add(tmp_path, ["1"])  # there is no ledger
    until(lambda: not queue.waiting(tmp_path))
    assert "no tournament" in queue.failure(tmp_path, "1")
    queue.close()


def test_processes_of_the_server_end_with_it() -> None:
    """Also where it is killed: an analysis would go on for nobody."""
    script = (
        "import os, signal\n"
        "from concurrent.futures import ProcessPoolExecutor\n"
        "from multiprocessing import get_context\n"
        "from carc.web.child_process import end_with_parent\n"
        "pool = ProcessPoolExecutor(1, get_context('spawn'), initializer=end_with_parent)\n"
        "print(pool.submit(os.getpid).result(), flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    # The pipe is at its end when no process holds it any more.
    done = subprocess.run(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, timeout=30, check=False
    )
    assert done.returncode == -signal.SIGKILL and int(done.stdout) > 0


# -- what is known at once -------------------------------------------------------------


class Never(tournament_reader.ReaderPool):
    """Reads and does not come to an end."""

    def submit(self, *asked: Any) -> Future[Any]:
        self.asked = asked
        return Future()


def test_a_rough_board_comes_before_the_rated_one(tmp_path: Path, cup: Any) -> None:
    cup(["ann", "bob", "cid"], deals=4)
    rough, rated = (tournament_reader.read(tmp_path / "cup", (), one) for one in (True, False))
    assert (
        tournament_reader.ROUGH in rough.board.notes
        and tournament_reader.ROUGH not in rated.board.notes
    )
    assert not rough.is_complete and rated.is_complete
    assert [one.strength[0] for one in rough.board.rows] == [
        one.strength[0] for one in rated.board.rows
    ]
    assert rough.board.rows[0].mu is None and rated.board.rows[0].mu is not None
    assert rough.games == rated.games
    (tmp_path / "cup" / board_cache.FILE).unlink()
    app = make_app(tmp_path, hosts=["testserver"])
    app.state.tournaments.reader.submit = lambda *asked: Future()
    with TestClient(app) as client:
        one = app.state.tournaments.find("cup")
        assert "Reading the games" in client.get("/t/cup").text
        one._latest = rough
        board = [row for row in cells(client.get("/t/cup").text) if len(row) == 10]
        assert [row[1] for row in board] == ["bot", "ann", "bob", "cid"]
        assert [(row[3], row[7]) for row in board[1:]] == [("", "")] * 3  # ranks, TrueSkill
        assert not any("[" in cell for row in board for cell in row)


def test_what_was_rated_last_is_shown_at_once(client: TestClient, tmp_path: Path, cup: Any) -> None:
    cup(["ann", "bob"], deals=2)
    rated = read(client, "/t/cup")
    again = tournament_reader.WatchedTournament("cup", tmp_path / "cup", reader := Never())
    found, wrong = again.latest()
    assert found is not None and not wrong
    assert [line.bot for line in found.board.rows] == ["ann", "bob"]
    assert found.board.heading in rated
    assert found.games is None and reader.asked[2] is True  # these are still to be read
    fresh = make_app(tmp_path, hosts=["testserver"])
    fresh.state.tournaments.reader.submit = lambda *asked: Future()
    with TestClient(fresh) as other:
        assert cells(other.get("/t/cup").text) == cells(rated)
        assert "Reading the games" in other.get("/t/cup/games").text


def test_a_board_that_is_kept_is_not_taken_for_that_of_other_games(
    tmp_path: Path, cup: Any
) -> None:
    cup(["ann", "bob"])
    folder = tmp_path / "cup"
    one = tournament_reader.TournamentFolder(tmp_path).find("cup")
    assert one is not None
    try:
        until(lambda: (found := one.latest()[0]) is not None and found.is_complete)
        assert one.latest()[0].board.rows[0].games == 2  # type: ignore[union-attr]
        cup(["ann", "bob"], deals=5)
        later = tournament_reader.WatchedTournament("cup", folder, one._reader)
        assert later.latest()[0].board.rows[0].games == 2  # type: ignore[union-attr]
        until(lambda: (found := later.latest()[0]) is not None and found.is_complete)
        assert later.latest()[0].board.rows[0].games == 10  # type: ignore[union-attr]
    finally:
        one._reader.close()


def until(met: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not met():
        assert time.monotonic() < end, "it never comes"
        time.sleep(0.05)


@pytest.mark.parametrize(
    "kept",
    [
        "",
        "no json",
        "[]",
        "{}",
        '{"carc_version": "0", "stamp": [], "board": {}}',
        json.dumps(
            {
                "carc_version": carc.__version__,
                "stamp": [[1, 2]],
                "board": {"rows": [{"rank": 1}]},
            }
        ),
    ],
)
def test_a_kept_board_that_is_not_understood_is_left_alone(tmp_path: Path, kept: str) -> None:
    (tmp_path / board_cache.FILE).write_text(kept)
    assert board_cache.load(tmp_path) is None


def test_where_nothing_may_be_written_no_board_is_kept(tmp_path: Path, cup: Any) -> None:
    cup(["ann", "bob"])
    board = tournament_reader.read(tmp_path / "cup", (), True).board
    board_cache.save(tmp_path / "none", (), board)
    assert not (tmp_path / "none").exists()
    board_cache.save(tmp_path, ((1, 2),), board)
    kept = board_cache.load(tmp_path)
    assert kept is not None and kept.board == board and kept.stamp == ((1, 2),)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == [board_cache.FILE]


def test_names_of_bots_are_texts(client: TestClient, cup: Any) -> None:
    hostile = "<img src=x onerror=alert(1)>\u202e"
    games = cup(["ann", hostile], deals=1)
    for path in ("/t/cup", "/t/cup/games", f"/t/cup/game/{games[0].id}"):
        text = read(client, path)
        assert "<img" not in text
        if "/game/" not in path:  # the record has names of its own
            assert "&lt;img" in text
            assert "\u202e" not in re.sub(
                r'value="[^"]*"', "", text
            )  # a form sends back the name itself


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

        def wait(text: str) -> None:
            end = time.monotonic() + 60
            while text not in browser.execute_script(said):
                assert time.monotonic() < end, browser.execute_script(said)
                time.sleep(0.1)

        wait("2 games in 1 rotation sets")
        assert barriers(browser) == []
        browser.find_element("css selector", "#live caption").click()  # that focuses the table
        cup(["ann", "bob"], deals=3)
        wait("6 games in 3 rotation sets")  # without a reload
        focused = browser.switch_to.active_element
        assert focused.get_attribute("aria-label") == "leaderboard"
        assert complaints(browser) == []


def test_from_the_board_to_the_move_that_lost_the_worst_game(
    browser: Any, tmp_path: Path, cup: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two clicks lead to the losses, one has them analysed, one more shows the blunder."""
    cup(["ann", "bob"])
    # A process of its own takes longer to start than this analysis takes.
    monkeypatch.setattr(
        game_analyses, "ProcessPoolExecutor", lambda *_, **__: ThreadPoolExecutor(1)
    )
    monkeypatch.setattr(game_analyses, "analyse_game", lambda match, **_: judged(match))

    find = partial(awaited, browser)

    def click(selector: str) -> str:
        """Click what may be replaced by fresh news at that moment; where it leads to."""
        while True:
            with suppress(StaleElementReferenceException):
                found = find(selector)
                leads = str(found.get_attribute("href"))
                found.click()
                return leads

    with serving(tmp_path) as address:
        browser.get(address)
        for selector in ("main table a", 'main a[href$="bot=bob"]', "form[method=post] button"):
            click(selector)
        find('main a[href*="#move-"]')  # without a reload
        assert barriers(browser) == []
        move = click('main a[href*="#move-"]').partition("#move-")[2]
        assert find(".carc-number").get_attribute("textContent").startswith(f"{move}/")
        assert "Better: " in find(".carc-verdict").text
        assert barriers(browser) == []
        browser.get(f"{address}/t/cup/compare?a=ann&b=bob")
        assert "They met in 2 games: ann came in ahead in 2" in find(".finding + p").text
        assert barriers(browser) == []
        assert complaints(browser) == []


def test_the_report_shuts_nobody_out(phone: Any, tmp_path: Path, cup: Any) -> None:
    cup(["ann", "bob"], deals=2)
    (tmp_path / "report.html").write_text(html_page.page(tmp_path / "cup"), encoding="utf-8")
    phone.get((tmp_path / "report.html").as_uri())
    assert barriers(phone) == complaints(phone) == []
