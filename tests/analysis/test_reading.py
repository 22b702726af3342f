"""Analyses from files: read back, and refused if they are of another game or no analysis at all."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.late_games import match_from

from carc import Match, Rules
from carc.analysis import GameAnalysis, analyse_game, read_analysis
from carc.analysis.saved import save_analysis, saved_analysis, saved_analysis_text
from carc.commands.main import main
from carc.errors import CarcError

RULES = Rules.cached("base", 2)
Change = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def match() -> Match:
    return match_from(2, "greedy,random")


@pytest.fixture(scope="module")
def analysis(match: Match) -> GameAnalysis:
    return analyse_game(match, playouts=2)


def test_an_analysis_is_read_as_it_was_written(match: Match, analysis: GameAnalysis) -> None:
    data = analysis.to_dict()
    again = read_analysis(json.dumps(data), match, RULES)
    assert again.to_dict() == data
    assert [move.mark for move in again.moves] == [move["mark"] for move in data["moves"]]


def test_an_analysis_of_carc_0_2_is_read_as_certain(match: Match, analysis: GameAnalysis) -> None:
    data = analysis.to_dict()
    for move in data["moves"]:
        del move["chance_error"], move["points_error"]
    for move in read_analysis(json.dumps(data), match, RULES).moves:
        assert (move.chance_error, move.points_error) == (0, 0)


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", "[" * 5000])
def test_what_is_no_analysis_is_refused(match: Match, text: str) -> None:
    with pytest.raises(CarcError, match=r"^a\.json: this is not an analysis"):
        read_analysis(text, match, RULES, "a.json")


def set_move(**values: object) -> Change:
    return lambda data: data["moves"][0].update(values)


@pytest.mark.parametrize(
    "change",
    [
        set_move(chance_after="<b>"),
        set_move(chance_after=float("nan")),
        set_move(margin_after=1e300),
        set_move(points_error="1"),
        set_move(player=True),
        set_move(best="place:0,0,0"),
        set_move(luck=[]),
        lambda data: data["moves"].append(3),
        lambda data: data["players"][0].pop("accuracy"),
    ],
)
def test_fields_of_the_wrong_type_are_refused(
    match: Match, analysis: GameAnalysis, change: Change
) -> None:
    data = analysis.to_dict()
    change(data)
    with pytest.raises(CarcError, match="this is not an analysis"):
        read_analysis(json.dumps(data), match, RULES)


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.update(rules="base+ghosts"),
        lambda data: data.update(seats=["random", "greedy"]),
        lambda data: data["players"].pop(),
        lambda data: data["moves"].append(data["moves"][0]),
        set_move(player=0),
        set_move(played=["pass"]),
        set_move(best=[]),
        set_move(best=["claim:99,meeple"]),
        set_move(first_action=-3),
        set_move(first_action=10**9, last_action=10**9, played=[]),
        set_move(last_action=10**9),
    ],
)
def test_the_analysis_of_another_game_is_refused(
    match: Match, analysis: GameAnalysis, change: Change
) -> None:
    assert analysis.moves[0].player == 1
    data = analysis.to_dict()
    change(data)
    with pytest.raises(CarcError, match="this is the analysis of another game"):
        read_analysis(json.dumps(data), match, RULES)


def test_analyses_are_saved_in_a_tournaments_folder(tmp_path: Path, analysis: GameAnalysis) -> None:
    assert saved_analysis(tmp_path, "0a") is None
    path = save_analysis(tmp_path, "0a", analysis)
    assert [path] == [each for each in tmp_path.rglob("*") if each.is_file()]
    found = saved_analysis(tmp_path, "0a")
    assert found is not None and found.to_dict() == analysis.to_dict()
    path.unlink()
    path.symlink_to("/etc/hostname")  # what is not a plain file is not read
    assert saved_analysis_text(tmp_path, "0a") == ""


def test_the_command_line_joins_game_and_analysis(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    match: Match,
    analysis: GameAnalysis,
) -> None:
    def run(line: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["carc", *line.split()])
        with pytest.raises(SystemExit) as ended:
            main()
        return int(ended.value.code or 0), capsys.readouterr().err

    monkeypatch.chdir(tmp_path)
    Path("game.jsonl").write_text(match.to_text(), encoding="utf-8")
    Path("a.json").write_text(json.dumps(analysis.to_dict()), encoding="utf-8")
    Path("b.json").write_text("{}", encoding="utf-8")
    assert run("replay game.jsonl --html 1.html --analysis a.json") == (0, "")
    assert "carc-chances" in Path("1.html").read_text(encoding="utf-8")
    assert run("analyse game.jsonl --playouts 2 --jobs 1 --html 2.html") == (0, "")
    assert "carc-chances" in Path("2.html").read_text(encoding="utf-8")
    for line, wrong in (
        ("replay game.jsonl --html 3.html --analysis b.json", "b.json: this is not an analysis"),
        ("replay game.jsonl --analysis a.json", "give --html FILE too"),
        ("analyse game.jsonl --save", "--save needs the id of a game"),
    ):
        code, err = run(line)
        assert code == 2 and wrong in err and err.count("\n") == 1
    assert not Path("3.html").exists()
