"""Puzzles are solved as at a table; solvers and puzzles are rated."""

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import pytest
from selenium.webdriver import ActionChains
from starlette.testclient import TestClient
from support.browser import awaited, complaints
from support.puzzles import puzzle
from support.served import serving

from carc.puzzles import Puzzle
from carc.puzzles.rating import BEGINNING
from carc.web import solvers
from carc.web.app import make_app
from carc.web.puzzle_pages import COOKIE


def rated(turn: int, mean: float) -> Puzzle:
    return attrs.evolve(puzzle(turn), rating=(mean, 2.0))


EASY, MIDDLE, HARD = rated(10, 12.0), rated(20, 26.0), rated(30, 40.0)


@pytest.fixture
def app(tmp_path: Path) -> Any:
    return make_app(tmp_path, hosts=["testserver"], puzzles=[HARD, EASY, MIDDLE])


@pytest.fixture
def client(app: Any) -> Iterator[TestClient]:
    with TestClient(app) as client:
        yield client


def play(client: TestClient, some: Puzzle, turn: tuple[str, ...]) -> Any:
    """Play a turn without a script; the page then."""
    address, answer = f"/puzzles/{some.id}", None
    for action in turn:
        answer = client.post(address, data={"action": action})
        assert answer.status_code == 200
        address = answer.url.path
    return answer


def test_the_next_puzzle_is_near_the_solvers_strength(client: TestClient) -> None:
    first = client.get("/puzzles")
    assert first.url.path == f"/puzzles/{MIDDLE.id}"
    assert "rated 26; you are rated 25" in first.text
    play(client, MIDDLE, MIDDLE.answer)
    assert client.get("/puzzles").url.path == f"/puzzles/{HARD.id}"
    play(client, HARD, HARD.rivals[0].turn)
    assert client.get("/puzzles").url.path == f"/puzzles/{EASY.id}"
    play(client, EASY, EASY.answer)
    assert "You have tried every puzzle that is here." in client.get("/puzzles").text


def test_a_solved_puzzle(client: TestClient, tmp_path: Path) -> None:
    page = play(client, MIDDLE, MIDDLE.answer)
    assert page.url.path == f"/puzzles/{MIDDLE.id}"
    assert "<h1>Solved</h1>" in page.text and page.text.count("<figure>") == 1
    assert "4.2 points (± 2.0) ahead" in page.text
    own = re.search(r"Your rating: 25, now (\d+). The puzzle is rated (\d+)", page.text)
    assert own is not None and int(own[1]) > 25 and int(own[2]) <= 26
    cookie = page.history[-1].headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=lax" in cookie
    (folder,) = [path for path in tmp_path.iterdir() if path.name == solvers.FOLDER]
    assert folder.stat().st_mode & 0o077 == 0


def test_a_wrong_turn_is_shown_beside_the_answer_with_the_reasons(client: TestClient) -> None:
    page = play(client, MIDDLE, MIDDLE.rivals[1].turn).text
    assert "<h1>Not the best turn</h1>" in page and page.count("<figure>") == 2
    assert "Your turn ends 6.0 points (± 1.5) behind the answer." in page
    reasons = re.findall(r"<li>(.*)</li>", page)
    assert reasons == [
        "Later you score 3.0 points more for fields.",
        "The others score 2.8 points less for cities.",
        "The turn itself scores 2.0 points less.",
        "The others score 0.5 points less for fields.",
    ]
    own = re.search(r"Your rating: 25, now (\d+). The puzzle is rated (\d+)", page)
    assert own is not None and int(own[1]) < 25 and int(own[2]) >= 26


def test_the_answer_is_not_told_before_an_attempt(client: TestClient) -> None:
    page = client.get(f"/puzzles/{HARD.id}").text
    assert "Place" in page and "Not the best" not in page and "Hint" not in page
    assert "What was best?" not in page and "Undo" not in page
    assert client.get(f"/puzzles/{HARD.id}/{HARD.answer[0]}").text.count("ahead of the turn") == 0


def test_only_the_first_attempt_counts(app: Any, client: TestClient) -> None:
    play(client, MIDDLE, MIDDLE.rivals[0].turn)
    kept = app.state.solvers
    token = client.cookies[COOKIE]
    before = kept.solver(token)
    play(client, MIDDLE, MIDDLE.answer)
    assert (
        kept.solver(token) == before and "Not the best" in client.get(f"/puzzles/{MIDDLE.id}").text
    )


def test_solvers_are_told_apart_and_kept_over_a_restart(
    app: Any, client: TestClient, tmp_path: Path
) -> None:
    play(client, MIDDLE, MIDDLE.answer)
    other = TestClient(app)
    assert "you are rated 25" in other.get(f"/puzzles/{MIDDLE.id}").text
    other.cookies.set(COOKIE, "../../etc/passwd")
    assert "you are rated 25" in other.get(f"/puzzles/{MIDDLE.id}").text
    again = make_app(tmp_path, hosts=["testserver"], puzzles=[MIDDLE, EASY])
    with TestClient(again, cookies=dict(client.cookies)) as back:
        assert "<h1>Solved</h1>" in back.get(f"/puzzles/{MIDDLE.id}").text
        assert back.get("/puzzles").url.path == f"/puzzles/{EASY.id}"
    assert again.state.solvers.rating(MIDDLE)[0] < 26.0
    # Damage is as if nobody had tried.
    for path in (tmp_path / solvers.FOLDER).iterdir():
        path.write_text('{"rating": 7, "attempts": []}')
    assert app.state.solvers.solver(client.cookies[COOKIE]).rating == BEGINNING
    assert app.state.solvers.rating(MIDDLE) == (26.0, 2.0)


def test_a_token_that_nobody_has_makes_a_new_solver(app: Any, client: TestClient) -> None:
    chosen = "x" * 22
    client.cookies.set(COOKIE, chosen)
    token = app.state.solvers.attempt(chosen, MIDDLE, MIDDLE.answer)
    assert token != chosen and app.state.solvers.solver(chosen).attempts == {}


def test_the_oldest_solvers_are_forgotten(
    app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solvers, "MOST_SOLVERS", 2)
    tokens = [app.state.solvers.attempt("", MIDDLE, MIDDLE.answer) for _ in range(3)]
    known = [bool(app.state.solvers.solver(token).attempts) for token in tokens]
    assert known == [False, True, True]
    ratings = json.loads((tmp_path / solvers.FOLDER / "ratings.json").read_text())
    assert list(ratings) == [MIDDLE.id]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/puzzles/none", 404),
        ("/puzzles/../puzzles/none", 404),
        (f"/puzzles/{EASY.id}/place:99,99,0", 400),
        (f"/puzzles/{EASY.id}/hello", 400),
        (f"/puzzles/{EASY.id}/preview?action=place:99,99,0", 400),
        (f"/puzzles/{EASY.id}/preview?action=pass", 400),
        (f"/puzzles/{EASY.id}/features?cell=77,77", 204),
        (f"/puzzles/{EASY.id}/features?cell=0,0", 200),
    ],
)
def test_odd_addresses(client: TestClient, path: str, code: int) -> None:
    answer = client.get(path)
    assert answer.status_code == code


def test_odd_actions_are_refused_and_count_for_nothing(app: Any, client: TestClient) -> None:
    for action in ("", "hello", "place:99,99,0", "undo", "pass", "draw:A", *MIDDLE.answer[1:]):
        answer = client.post(f"/puzzles/{MIDDLE.id}", data={"action": action})
        assert answer.status_code == 400
    assert COOKIE not in client.cookies
    assert app.state.solvers.rating(MIDDLE) == (26.0, 2.0)


def test_a_preview_of_a_placement(client: TestClient) -> None:
    answer = client.get(f"/puzzles/{MIDDLE.id}/preview?action={MIDDLE.answer[0]}")
    assert answer.status_code == 200 and "preview-list" in answer.text


def test_a_puzzle_is_solved_by_dragging(browser: Any, tmp_path: Path) -> None:
    """The tile is turned, dragged and confirmed, then the follower is dragged: the answer comes."""
    some = puzzle(5)
    placement, claim = some.answer
    x, y, rotation = placement.removeprefix("place:").split(",")

    find = partial(awaited, browser)

    def drag(what: str, onto: str) -> None:
        target = find(onto)
        browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", target)
        ActionChains(browser).drag_and_drop(find(what), target).perform()

    with serving(tmp_path, puzzles=[some]) as address:
        browser.get(f"{address}/puzzles")
        for _ in range(int(rotation)):
            find(".hand .tile").click()
        drag(".hand .tile", f'[data-cell="{x},{y}"]')
        assert "chosen" in find(f'[data-cell="{x},{y}"]').get_attribute("class")
        find('[data-do="place"]').click()
        drag(".supply .draggable", f'.pick[data-actions~="{claim}"], .pick[data-action="{claim}"]')
        find(".finding")  # the answer's page has come in place of the puzzle's
        assert find("h1").text == "Solved"
        assert complaints(browser) == []
