"""Analyses of games, asked for on the pages of tournaments."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from selenium.common.exceptions import StaleElementReferenceException
from starlette.testclient import TestClient
from support import ladders
from support.browser import awaited, barriers, complaints
from support.cups import news_of, read
from support.judged import judged
from support.program import python
from support.served import Waiting, serving
from support.waiting import until

from carc.analysis.saved import FOLDER
from carc.arena.ledger import LadderLedger
from carc.tournaments.ledger.ledger import running
from carc.web import game_analyses, tournament_reader


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
    monkeypatch.setattr(tournament_reader, "running", lambda folder: folder.name == "cup")
    page = read(client, "/t/cup/bot?bot=bob")
    assert "when the tournament cup has ended" in page and "<button class=" not in page
    assert client.get(news_of(page)).status_code == 204
    answer = client.post("/t/cup/analyse", data={"game": game.id})
    assert answer.status_code == 400 and "when the tournament cup has ended" in answer.text
    assert waiting.submitted == []
    monkeypatch.setattr(tournament_reader, "running", lambda _: False)
    assert "<button class=" in client.get(news_of(page)).text  # without a reload


def test_games_of_a_ladder_are_analysed_while_it_is_played(
    client: TestClient, ladder: LadderLedger, record: str, waiting: Waiting, tmp_path: Path
) -> None:
    assert running(tmp_path / "two")
    game = ladders.play(ladder, record, *ladders.NAMES[:3:2])
    assert "<button>Analyse" in client.get(f"/t/two/game/{game}").text
    client.post("/t/two/analyse", data={"game": game})
    assert [id for _, _, id in waiting.submitted] == [game]


def test_a_ladder_keeps_the_last_analyses(
    ladder: LadderLedger, record: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_analyses, "MOST_KEPT", 2)
    monkeypatch.setattr(game_analyses, "analyse_game", lambda match, **_: judged(match))
    games = [ladders.play(ladder, record, *ladders.NAMES[:3:2]) for _ in range(3)]
    for number, game in enumerate(games):
        game_analyses._analyse(tmp_path / "two", game)
        os.utime(tmp_path / "two" / FOLDER / f"{game}.json", times=(time.time() + number,) * 2)
    assert {path.stem for path in (tmp_path / "two" / FOLDER).iterdir()} == {*games[1:]}


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
    # Its pipe is at its end when no process holds it any more.
    done = python(script)
    assert done.returncode == -signal.SIGKILL and int(done.stdout) > 0


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
