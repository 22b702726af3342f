"""A player's report over many games."""

import json
from pathlib import Path
from typing import Any

import pytest
from analysis.test_numbers import move
from attrs import evolve
from support import bga_logs
from support.judged import judged
from support.program import Run, refused

from carc import CHANCE, Match, Rules, play
from carc.analysis import MoveAnalysis
from carc.analysis.report import AnalysedGame, kind_of, report_player
from carc.analysis.results import GameAnalysis, summarise
from carc.bots import by_name
from carc.formats import FORMATS
from carc.match.moves import Move

RULES = Rules.cached("base", 2)


def played(names: tuple[str, str] = ("Ann", "Bob")) -> Match:
    """A game whose first tile is an L: city 0, roads 1 to 3, fields 4 to 6."""
    bots = [by_name("random", seed=1), by_name("random", seed=2)]
    match = play("base", bots, seed=1, names=list(names))
    return evolve(match, moves=(Move(CHANCE, "draw:L"), *match.moves[1:]), end=None)


def line(played: str, best: str, **more: Any) -> MoveAnalysis:
    """A move by its lines: `1,0 c4` is a placement and a claim."""

    def actions(text: str) -> tuple[str, ...]:
        return tuple(
            f"claim:{word[1:]},meeple" if word[0] == "c" else word for word in text.split()
        )

    return evolve(move(), played=actions(played), best=actions(best), **more)


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        (("place:1,0,0 c0", "place:1,0,1 c0"), "placing"),
        (("place:1,0,0 c0", "place:2,0,0 c4"), "placing"),
        (("place:1,0,0 c0", "place:1,0,0 pass"), "follower"),
        (("place:1,0,0 c0", "place:1,0,0 c2"), "follower"),
        (("place:1,0,0 c4", "place:1,0,0 pass"), "field"),
        (("place:1,0,0 c0", "place:1,0,0 c6"), "field"),
        (("place:1,0,0 pass", "place:1,0,0 pass"), "placing"),
    ],
)
def test_kinds_of_decision(lines: tuple[str, str], kind: str) -> None:
    assert kind_of(line(*lines), played(), RULES) == kind
    assert kind_of(line(*lines, exact=True), played(), RULES) == "end"


def analysed(name: str, match: Match, *moves: MoveAnalysis) -> AnalysedGame:
    """A game with these moves."""
    players = [summarise(seat, each, moves, team=False) for seat, each in enumerate(match.seats)]
    analysis = GameAnalysis("base", match.seats, False, True, 2, 0, moves, tuple(players))
    return AnalysedGame(name, match, analysis)


def test_sums_over_games_in_which_the_player_sits_anywhere() -> None:
    """71 tiles are drawn: moves 1 to 24 are the first third, from 48 on it is the last."""
    lost: dict[str, Any] = {"chance_before": 0.5, "margin_before": 6.0}
    first = analysed(
        "first",
        played(),
        line("place:1,0,0 c0", "place:1,0,1 c0", number=24, chance_after=0.4, **lost),
        line("place:1,0,0 c4", "place:1,0,0 pass", number=25, chance_after=0.3, **lost),
        line("place:1,0,0 pass", "place:2,0,0 pass", player=1, chance_after=0.0, **lost),
    )
    second = analysed(
        "second",
        played(("Cat", "Ann")),
        line("place:1,0,0 c0", "place:1,0,0 pass", player=1, number=49, chance_after=0.45, **lost),
        line("place:1,0,0 c0", "place:1,0,0 c0", player=1, number=50, choices=1),
    )
    report = report_player("Ann", [first, second, analysed("third", played(("Cat", "Dan")))])
    assert [(each.name, each.seat) for each in report.games] == [("first", 0), ("second", 1)]
    assert report.moves == 3 and report.points_lost == 18.0
    assert report.accuracy == pytest.approx(100 / 2.718281828)
    assert {name: (part.moves, part.points_lost) for name, part in report.kinds.items()} == {
        "placing": (1, 6.0),
        "follower": (1, 6.0),
        "field": (1, 6.0),
        "end": (0, 0.0),
    }
    assert {name: part.moves for name, part in report.phases.items()} == {
        "first third": 1,
        "second third": 1,
        "last third": 1,
    }
    found = [(each.game, each.kind) for each in report.positions]  # by the chance lost
    assert found == [("first", "field"), ("first", "placing"), ("second", "follower")]


def test_the_command_reads_all_forms_and_names_what_it_leaves_out(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = [by_name("greedy", seed=1), by_name("random", seed=2)]
    match = play("base", bots, seed=4, names=["Ann", "Bob<i>"])
    Path("a.json").write_text(json.dumps(bga_logs.log(match)))
    Path("b.txt").write_text(f"{bga_logs.link(match)}?players=Ann,Bob%3Ci%3E\n" * 2)
    Path("c.jsonl").write_text(match.to_text().replace('"Bob<i>"', '"Dan"'))
    Path("d.txt").write_text("hello")
    Path("e.md").write_text("hello")
    words = ("review", ".", "--player", "Bob<i>", "--playouts", "1", "--jobs", "1")
    code, out, err = run(*words, "--json", "--html", "r.html")
    assert code == 0
    assert err.startswith("left out: d.txt: carc does not know this form of games; it reads: ")
    assert err.count("\n") == 1 and all(form.NAME in err for form in FORMATS)
    report = json.loads(out)
    assert [game["name"] for game in report["games"]] == ["a.json", "b.txt:1", "b.txt:2"]
    assert report["games"][0]["scores"] == [*match.result.scores]
    lost = sum(game["points_lost"] for game in report["games"])
    assert report["points_lost"] == pytest.approx(lost, abs=0.01)
    page = Path("r.html").read_text()
    assert "<h1>Bob&lt;i&gt; in 3 games</h1>" in page and page.count("<figure>") == len(
        report["positions"]
    )
    monkeypatch.setattr("carc.commands.review.analyse_game", lambda match, **_: judged(match))
    assert "accuracy" in run(*words)[1]


def test_analyses_are_kept_and_made_again_only_if_they_are_others(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    bots = [by_name("random", seed=1), by_name("random", seed=2)]
    match, other = (play("base", bots, seed=seed, names=["Ann", "Bob"]) for seed in (1, 2))
    analyses = {each: judged(each) for each in (match, other)}

    def analysed_now(match: Match, **options: Any) -> GameAnalysis:
        made.append(options["source"])
        return evolve(analyses[match], playouts_per_move=options["playouts"], seed=options["seed"])

    monkeypatch.setattr("carc.commands.review.analyse_game", analysed_now)

    def report(*words: str) -> tuple[list[str], str]:
        made.clear()
        called = run("review", "games", "--player", "Ann", "--json", "--jobs", "1", *words)
        assert called[0] == 0
        return list(made), called[1]

    Path("games").mkdir()
    match.write(Path("games/a.jsonl"))
    first = report("--playouts", "2")
    assert first[0] == ["a.jsonl"]
    assert report("--playouts", "2") == ([], first[1])
    assert report("--playouts", "2", "--seed", "1")[0] == ["a.jsonl"]
    assert report("--playouts", "1", "--seed", "1")[0] == ["a.jsonl"]
    other.write(Path("games/b.jsonl"))
    assert report("--playouts", "1", "--seed", "1")[0] == ["b.jsonl"]
    other.write(Path("games/a.jsonl"))  # another game of the same name
    assert report("--playouts", "1", "--seed", "1")[0] == ["a.jsonl"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["none", "--player", "x"], "none"),
        (["empty", "--player", "x"], "empty: there is no game in it"),
        (["games", "--player", "x"], "'x' plays in none of the 1 games; there play Ann, Bob"),
        (["games"], "--player"),
        (["games", "--player", "Ann", "--quick", "--playouts", "3"], "exclude each other"),
    ],
)
def test_commands_answer_in_a_sentence(run: Run, words: list[str], message: str) -> None:
    Path("empty").mkdir()
    Path("games").mkdir()
    bots = [by_name("random", seed=1), by_name("random", seed=2)]
    play("base", bots, seed=1, names=["Ann", "Bob"]).write(Path("games/b.jsonl"))
    assert message in refused(run("review", *words))


def test_accuracy_is_the_mean_over_moves_not_over_games() -> None:
    good = line("place:1,0,0 pass", "place:1,0,0 pass")
    bad = line("place:1,0,0 c0", "place:1,0,0 pass", margin_before=600.0)  # accuracy 0
    games = [analysed("one", played(), good, good, good), analysed("two", played(), bad)]
    assert report_player("Ann", games).accuracy == pytest.approx(75.0)
