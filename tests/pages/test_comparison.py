"""Two bots side by side, with results counted by hand."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import attrs
import pytest
from starlette.testclient import TestClient
from support.cups import cells, read

from carc.tournaments.rating.history import HistoryPoint
from carc.tournaments.rating.ratings import Range, Standing, leaderboard
from carc.tournaments.reports.board_table import Heading
from carc.web import bot_comparison
from carc.web.board_cache import Board, GameRow, load
from carc.web.board_pictures import curves
from carc.web.bot_comparison import compare
from carc.web.bot_summary import results_by_opponent


def row(seats: str, scores: tuple[int, int]) -> GameRow:
    ranks = tuple(sum(other > own for other in scores) for own in scores)
    return GameRow("id", tuple(seats), scores, ranks, "ok", ("ok", "ok"), "")


GAMES = [row("ab", (30, 10)), row("ba", (25, 20)), row("ab", (7, 7)), row("ac", (9, 1))]


def board(difference: float, low: float, high: float, better: float) -> Board:
    certain = Range(1.0, 0.5, 1.0)
    return Board(
        heading="",
        rows=(),
        ahead={
            "a": {"b": certain, "c": Range(0.6, 0.4, 0.8), "d": Range(0.3, 0.1, 0.5), "e": certain},
            "b": {"a": certain, "c": Range(0.5, 0.4, 0.6), "d": Range(0.9, 0.7, 1.0)},
        },
        difference={"a": {"b": Range(difference, low, high)}},
        better={"a": {"b": better}},
        by_score=False,
        notes=(),
        played=0,
        total=0,
    )


def test_direct_games_and_common_opponents() -> None:
    compared = compare("a", "b", board(0.5, 0.1, 0.9, 0.99), GAMES)
    direct = compared.direct
    assert direct is not None
    # 20 points ahead, 5 behind, level.
    assert (direct.games, direct.ahead, direct.behind, direct.level) == (3, 1, 1, 1)
    assert direct.margin == 5.0 and direct.typical.scores == (7, 7)
    # d before c: they differ by 0.6 and by 0.1; only a met e.
    assert [each.bot for each in compared.opponents] == ["d", "c"]
    assert [round(each.difference, 6) for each in compared.opponents] == [-0.6, 0.1]
    assert [(each.seat, each.games, each.wins) for each in compared.seats[0]] == [
        (1, 3, 3),
        (2, 1, 0),
    ]


@pytest.mark.parametrize(
    ("difference", "leads", "sure", "lead"),
    [
        ((0.5, 0.1, 0.9), True, True, (0.5, 0.1, 0.9)),
        ((0.5, -0.1, 0.9), True, False, (0.5, -0.1, 0.9)),
        ((-0.5, -0.9, -0.1), False, True, (0.5, 0.1, 0.9)),
        ((-0.5, -0.9, 0.1), False, False, (0.5, -0.1, 0.9)),
    ],
)
def test_who_leads_and_whether_that_is_certain(
    difference: tuple[float, float, float],
    leads: bool,
    sure: bool,
    lead: tuple[float, float, float],
) -> None:
    compared = compare("a", "b", board(*difference, 0.8), ())
    assert compared.direct is None
    assert (compared.leads, compared.is_sure, tuple(compared.lead)) == (leads, sure, lead)
    assert compared.confidence == pytest.approx(0.8 if leads else 0.2)


def test_bots_that_differ_by_nothing_are_called_equal(
    client: TestClient, cup: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup(["ann", "bob"], deals=3)
    monkeypatch.setattr(bot_comparison, "LEAST_LEAD", 99.0)
    page = read(client, "/t/cup/compare?a=bob&b=ann")
    assert "bob and ann are equally good" in page and "better by" not in page


@pytest.mark.parametrize(
    ("least", "said"),
    [
        ((0.1, 0.2), "a is the best bot."),
        ((0.1, 0.0), "a is first, but c may be as good."),
        ((-0.1, -0.2), "a is first, but 2 others may be as good."),
        ((), ""),
    ],
)
def test_the_board_says_who_is_first(least: tuple[float, ...], said: str) -> None:
    one = Range(1, 1, 1)
    row = Standing(1, "a", 2, 2, one, None, None, one, None, (1, 1), {}, "", 0.0, 0.0, {}, {})
    differences = {bot: Range(1.0, low, 2.0) for bot, low in zip("bc", least, strict=False)}
    made = attrs.evolve(board(0, 0, 0, 0.5), rows=(row,), difference={"a": differences})
    assert made.verdict == said


def test_the_typical_game_is_the_same_for_both() -> None:
    games = [attrs.evolve(game, id=str(n)) for n, game in enumerate([*GAMES[:3], GAMES[2]])]
    assert (
        results_by_opponent("a", games)["b"].typical == results_by_opponent("b", games)["a"].typical
    )


def test_the_page_of_two_bots(client: TestClient, cup: Any) -> None:
    cup(["ann", "bob", "cid"], deals=8)
    page = read(client, "/t/cup/compare?a=bob&b=ann")
    assert "ann is better by" in page and "over 99 %" in page
    assert "bob came in ahead in 0, ann in 16" in page
    assert ["opponent", "bob", "ann", "difference"] in cells(page)
    assert 'class="curves"' in page
    for other in ("bob", "nobody", ""):
        assert client.get("/t/cup/compare", params={"a": "bob", "b": other}).status_code == 404


def test_a_curve_for_each_of_the_best_bots(client: TestClient, cup: Any) -> None:
    cup(["ann", "bob", "cid"], deals=2)
    page = read(client, "/t/cup")
    assert page.count("<polyline") == 3 and "12 games</text>" in page
    assert read(client, "/t/cup/bot?bot=ann").count("<polyline") == 1  # it has no other version


def test_the_curves_begin_with_the_games_that_ended_first(
    client: TestClient, tmp_path: Path, cup: Any
) -> None:
    cup(["ann", "bob"], deals=4)
    cup(["ann", "bob", "cid"], deals=4, finished="2026-01-02T00:00:00+00:00")
    read(client, "/t/cup")
    kept = load(tmp_path / "cup")  # as it was saved
    assert kept is not None
    history = kept.board.history
    assert sorted(history[0].strengths) == ["ann", "bob"]
    assert (history[-1].games, sorted(history[-1].strengths)) == (24, ["ann", "bob", "cid"])


def test_curves_are_drawn_of_the_first_bots_and_need_two_points() -> None:
    names = "abcdefgh"
    history = [HistoryPoint(n, dict.fromkeys(names, float(n))) for n in (3, 9)]
    picture = curves(history, names, names)
    assert re.findall(r"<title>(\w)</title>", picture) == ["a", "b", "c", "d", "e", "f"]
    heights = [int(y) for y in re.findall(r'<text x="546" y="(\d+)"', picture)]
    assert [b - a for a, b in pairwise(heights)] == [16] * 5  # none overlaps
    assert curves(history[:1], names, names) == curves(history, "x", names) == ""
    assert curves((), names, names) == ""


def test_a_bot_has_the_same_colour_in_every_picture() -> None:
    history = [HistoryPoint(n, {"a": 1.0, "b": float(n)}) for n in (3, 9)]

    def colour(*bots: str) -> str:
        found = re.findall(r'stroke="(#\w+)"[^>]*><title>b<', curves(history, bots, ("a", "b")))
        assert len(found) == 1
        return str(found[0])

    assert colour("a", "b") == colour("b", "a") == colour("b")


def test_progress_counts_games_that_are_not_rated_yet() -> None:
    made = Board.of(leaderboard([]), Heading("", "base", "round-robin", 7, 9, None), ())
    assert (made.played, made.total, made.rows) == (7, 9, ())
