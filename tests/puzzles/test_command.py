"""`carc puzzles`: what it reads and writes, and one sentence for whatever is wrong."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import pytest
from support.program import Run
from support.puzzles import puzzle

from carc import play
from carc.bots import by_name
from carc.commands import puzzles as command
from carc.puzzles import Puzzle
from carc.puzzles.puzzle import puzzles_text, read_puzzles
from carc.tournaments.schedule.configuration import Configuration
from carc.tournaments.schedule.entrants import Entrant
from carc.tournaments.tournament import run_tournament


@pytest.fixture
def run(run: Run) -> Run:
    """Call `carc puzzles`."""
    return partial(run, "puzzles")


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Instead of searching, find three puzzles in any games; what was asked for."""
    asked: list[Any] = []

    def find(games: Any, **more: Any) -> Iterator[Puzzle]:
        asked.append((games, more))
        try:
            for turn in (10, 20, 30):
                asked.append(turn)
                yield puzzle(turn)
        finally:
            asked.append("over")

    def rate(puzzles: list[Puzzle], **more: Any) -> list[Puzzle]:
        assert asked[-1] == "over"  # no core is still searching
        assert Path("new.jsonl").read_text() == puzzles_text(puzzles)  # they are safe already
        return [attrs.evolve(each, rating=(30.0, 4.0)) for each in puzzles]

    monkeypatch.setattr(command, "find_puzzles", find)
    monkeypatch.setattr(command, "rate_puzzles", rate)
    return asked


def record(name: str, seed: int) -> None:
    bots = [by_name("random", 1), by_name("random", 2)]
    Path(name).write_text(play("base", bots, seed=seed).to_text(), encoding="utf-8")


def test_so_many_puzzles_are_written_with_ratings(run: Run, asked: list[Any]) -> None:
    Path("games").mkdir()
    for number in (1, 2):
        record(f"games/{number}.jsonl", number)
    Path("games/notes.txt").write_text("hello")
    record("more.jsonl", 3)
    code, out, err = run("games", "more.jsonl", "--count", "2", "--seed", "7", "--out", "new.jsonl")
    assert (code, out) == (0, "new.jsonl: 2 puzzles, of which greedy misses 0\n")
    assert err.startswith("left out: notes.txt: carc does not know this form of games")
    games, more = asked[0]
    assert [(name, match.seed) for name, match in games] == [
        ("1.jsonl", 1),
        ("2.jsonl", 2),
        ("more.jsonl", 3),
    ]
    assert more["seed"] == 7
    assert asked[1:] == [10, 20, "over"]  # no more is looked for
    written = read_puzzles(Path("new.jsonl"))
    assert [each.moves for each in written] == [puzzle(10).moves, puzzle(20).moves]
    assert {each.rating for each in written} == {(30.0, 4.0)}


def test_the_games_of_a_tournament(run: Run, asked: list[Any]) -> None:
    entrants = [Entrant(name, name, name) for name in ("random", "greedy")]
    run_tournament(Configuration("base", "1-test", entrants, [2], 1, 1), Path("cup"), jobs=1)
    assert run("cup", "--out", "new.jsonl", "--count", "1")[0] == 0
    assert [set(match.seats) for _, match in asked[0][0]] == [{"random", "greedy"}] * 2


def test_mistakes_are_named_and_nothing_is_written(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("empty").mkdir()
    assert run("empty") == (2, "", "carc: there is no game in what was named\n")
    assert run("none.jsonl")[0] == run()[0] == run("empty", "--count", "0")[0] == 2
    record("game.jsonl", 1)
    code, _, err = run("game.jsonl", "--out", "game.jsonl")
    assert code == 2 and "is what is read here" in err
    monkeypatch.setattr(command, "find_puzzles", lambda *_, **__: (each for each in list[Puzzle]()))
    code, _, err = run("game.jsonl", "--jobs", "1")
    assert (code, err) == (
        2,
        "carc: there is no puzzle in this game; puzzles.jsonl is not written\n",
    )
    assert not Path("puzzles.jsonl").exists()


def test_a_stop_loses_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def find(*_: Any, **__: Any) -> Iterator[Puzzle]:
        yield puzzle(10)
        raise KeyboardInterrupt

    record("game.jsonl", 1)
    monkeypatch.setattr(command, "find_puzzles", find)
    assert run("game.jsonl")[0] == 130
    assert Path("puzzles.jsonl").read_text() == puzzles_text([puzzle(10)])
