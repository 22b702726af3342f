"""`carc analyse`: what it prints, and one sentence for whatever is wrong."""

import json
from functools import partial
from pathlib import Path

import pytest
from support.late_games import match_from
from support.program import Run

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture
def run(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Call `carc analyse`."""
    monkeypatch.setenv("COLUMNS", "160")
    return partial(run, "analyse")


@pytest.fixture
def record(tmp_path: Path) -> list[str]:
    """The lines of a record, which is also in the file game.jsonl."""
    text = match_from(2, "greedy,random").to_text()
    (tmp_path / "game.jsonl").write_text(text, encoding="utf-8")
    return text.splitlines()


def test_it_prints_a_line_for_each_move_and_each_player(run: Run, record: list[str]) -> None:
    code, out, err = run("game.jsonl", "--playouts", "2", "--jobs", "1")
    assert (code, err) == (0, "")
    for line in record[1:-1]:
        move = json.loads(line)
        if move["player"] >= 0:
            assert move["action"] in out
    assert "red greedy" in out
    assert "accuracy" in out
    assert "2 playouts for each move, seed 0." in out
    assert "± half of the 95 % interval" in out


def test_json_is_the_same_for_the_same_seed(run: Run, record: list[str]) -> None:
    words = ("game.jsonl", "--playouts", "2", "--json", "--seed", "5")
    code, out, _ = run(*words, "--jobs", "1")
    assert code == 0
    data = json.loads(out)
    assert data["seats"] == ["greedy", "random"]
    assert (data["seed"], data["playouts_per_move"], data["finished"]) == (5, 2, True)
    assert len(data["moves"]) == sum(
        '"action": "place' in line or '"action":"place' in line for line in record
    )
    assert run(*words, "--jobs", "2")[1] == out


def test_quick_makes_as_many_playouts_as_the_page_says(run: Run, record: list[str]) -> None:
    page = (DOCS / "analyse-a-game.md").read_text(encoding="utf-8")
    assert "`--quick`: 48 playouts for each move" in " ".join(page.split())
    code, out, _ = run("game.jsonl", "--quick", "--jobs", "1")
    assert (code, "48 playouts for each move, seed 0." in out) == (0, True)


def test_a_game_saved_before_its_end_is_analysed(
    run: Run, record: list[str], tmp_path: Path
) -> None:
    (tmp_path / "saved.jsonl").write_text("\n".join(record[:-1]) + "\n", encoding="utf-8")
    code, out, _ = run("saved.jsonl", "--playouts", "1")
    assert code == 0
    assert "saved before its end" in out


def test_whatever_is_wrong_is_one_sentence(run: Run, record: list[str], tmp_path: Path) -> None:
    files = {
        "text.jsonl": "not a record\n",
        "short.jsonl": "\n".join([*record[:3], record[-1]]) + "\n",
        "cut.jsonl": "\n".join(record[:-1])[:-5],
        "empty.jsonl": record[0] + "\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for words, wrong in (
        (("text.jsonl",), "text.jsonl:1: not a line of JSON"),
        (("short.jsonl",), "the record ends before the game does"),
        (("cut.jsonl",), "not a line of JSON"),
        (("empty.jsonl",), "nobody moved"),
        (("missing.jsonl",), "missing.jsonl: cannot be read"),
        (("0123abcd",), "there is no tournament in"),
        (("game.jsonl", "--quick", "--playouts", "3"), "exclude each other"),
        (("game.jsonl", "--playouts", "0"), "--playouts"),
        (("game.jsonl", "--json", "--marked"), "--marked"),
    ):
        code, out, err = run(*words)
        assert (code, out) == (2, ""), words
        assert wrong in err
        assert err.count("\n") == 1
        assert "Traceback" not in err
