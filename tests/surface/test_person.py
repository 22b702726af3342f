"""A person at the table: `carc play --bots human,...`, games on cardboard, saving, taking back."""

import json
import re
from functools import partial
from pathlib import Path

import pytest
from support.program import Run

from carc import Action, Rules, State, play, read_record, replay
from carc.bots import by_name
from carc.errors import CarcError, IllegalAction
from carc.match import InteractiveMatch, NotYourTurn


@pytest.fixture
def run(run: Run) -> Run:
    """Call `carc play`."""
    return partial(run, "play")


ME = ("--bots", "human,random", "--seed", "4")


# -- at the keyboard -------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["base", "mists:5+spellcircles"])
def test_a_whole_game_by_numbers(run: Run, rules: str) -> None:
    code, out, err = run("--rules", rules, *ME, "--record", "m.jsonl", typed="1\n" * 600)
    assert (code, err) == (0, "")
    assert re.search(r"^(won by seat|nobody wins)", out.splitlines()[-1])
    match = read_record(Path("m.jsonl").read_text())
    assert match.seats == ("human", "random")
    # Legal, of this deal, the points as noted.
    assert replay(match, Rules.from_spec(rules, 2)).is_terminal


def test_the_board_shows_where_the_tile_fits_and_the_choices_say_it(run: Run) -> None:
    out = run(*ME, typed="q\n")[1]
    cells = set(re.findall(r"place K at \((-?\d+, -?\d+)\)", out))
    assert out.count("[ ]") == len(cells) > 1
    assert "a red human 0, b green random 0" in out


def test_what_is_typed_wrong_is_said_and_nothing_is_lost(run: Run) -> None:
    code, out, _ = run(*ME, typed="place:50,50,0\nnonsense\n999\n\n1\nq\n")
    assert code == 0
    assert "place:50,50,0 is not legal now; legal are place:" in out
    assert "'nonsense' is no action; actions are draw:KIND" in out
    assert re.search(r"there is no choice 999; the choices are 1 to \d+\n", out)
    assert "the expansions played; enter a number or notation; u undo, h hint" in out
    assert "enter a number or notation" in out
    assert out.count("red human places") == 1


def test_notation_is_taken_too(run: Run) -> None:
    out = run(*ME, typed="place:1,0,0\npass\nq\n")[1]
    assert "red human places K at (1, 0)\n" in out
    assert "red human passes" in out


def test_taking_back_returns_to_the_same_choice(run: Run) -> None:
    out = run(*ME, typed="1\nu\nq\n")[1]
    asked = re.findall(r"next: (\w+)", out)
    assert asked == ["place", "claim", "place"]
    out = run(*ME, typed="u\nq\n")[1]
    assert "there is nothing to undo" in out
    out = run(*ME, typed="1\n1\nu\nq\n")[1]  # the bot's turn and chance's go too
    assert re.findall(r"next: (\w+)", out) == ["place", "claim", "place", "claim"]


def test_a_hint_names_a_choice_and_why_and_changes_nothing(run: Run) -> None:
    out = run(*ME, typed="h\nh\nq\n")[1]
    hints = re.findall(r"greedy places K at .*: (\d+) \(points expected at the end: red \d", out)
    assert len(hints) == 2
    assert len(re.findall(r"next", out)) == 1


@pytest.mark.parametrize(
    ("argv", "seats"),
    [
        (("--level", "club"), ["human", "people:overlook=0.21"]),
        (("--level", "6", "--players", "3"), ["human", *["greedy:overlook=0.0612"] * 2]),
        (("--level", "5", "--rules", "mists:1"), ["human", "greedy:0.0025"]),
    ],
)
def test_a_level_fills_the_other_seats(run: Run, argv: tuple[str, ...], seats: list[str]) -> None:
    assert run(*argv, "--record", "game.jsonl", typed="q\n")[0] == 0
    header = json.loads(Path("game.jsonl").read_text(encoding="utf-8").partition("\n")[0])
    assert header["seats"] == seats


def test_the_end_of_the_input_leaves_the_table(run: Run) -> None:
    assert run(*ME, typed="1\n")[0] == 0


def test_saved_and_gone_on_with(run: Run) -> None:
    out = run(*ME, typed="1\n1\n1\ns half.jsonl\nq\n")[1]
    assert "saved in half.jsonl; continue with carc play --resume half.jsonl" in out
    before = [
        json.loads(line)["action"] for line in Path("half.jsonl").read_text().splitlines()[1:]
    ]
    code, out, _ = run("--resume", "half.jsonl", "--record", "m.jsonl", typed="1\n" * 600)
    assert code == 0
    match = read_record(Path("m.jsonl").read_text())
    assert list(match.actions[: len(before)]) == before
    assert replay(match, Rules.from_spec("base", 2)).is_terminal  # the deal went on as it began


def test_leaving_with_a_record_saves_it(run: Run) -> None:
    out = run(*ME, "--record", "m.jsonl", typed="1\nq\n")[1]
    assert "saved in m.jsonl; continue with carc play --resume m.jsonl" in out
    assert "no/m.jsonl cannot be written" in run(*ME, typed="s no/m.jsonl\nq\n")[1]


def test_a_saved_game_that_was_changed_is_refused(run: Run) -> None:
    run(*ME, typed="1\n1\ns half.jsonl\nq\n")
    lines = Path("half.jsonl").read_text().splitlines()
    lines[2] = lines[2].replace("place:", "place:5")
    Path("half.jsonl").write_text("\n".join(lines))
    code, _, err = run("--resume", "half.jsonl")
    assert code == 2
    assert err.startswith("carc: half.jsonl:3: ")


def test_a_game_on_cardboard(run: Run) -> None:
    out = run("--bots", "human,human", "--by-hand", typed="nope\nC\n1\n1\nX\ns c.jsonl\nq\n")[1]
    assert "tile drawn> 'nope' is no action" in out
    actions = [json.loads(line) for line in Path("c.jsonl").read_text().splitlines()[1:]]
    drawn = [one["action"] for one in actions if one["player"] == -1]
    assert drawn == ["draw:C", "draw:X"]
    assert "continue with carc play --resume c.jsonl --by-hand" in out
    out = run("--resume", "c.jsonl", "--by-hand", typed="1\npass\nq\n")[1]
    assert "places X at" in out
    assert "tile drawn> " in out


def test_on_cardboard_no_tile_comes_more_often_than_there_are_copies() -> None:
    table = InteractiveMatch(Rules.from_spec("base"), [None, None], ["a", "b"], by_hand=True)
    table.act(-1, "draw:X")
    table.act(0, str(table.state.legal_actions()[0]))
    while table.awaited != -1:
        table.act(table.awaited or 0, "pass")
    with pytest.raises(IllegalAction, match="draw:X is not legal now"):
        table.act(-1, "draw:X")


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["--bots", "human,random", "--hints", "none"], "unknown bot 'none'"),
        (["--resume", "none.jsonl"], "none.jsonl: cannot be read"),
        (["--resume", "a.jsonl", "--from", "base"], "--resume and --from exclude each other"),
        ([], "Missing option '--bots'"),
        (["--level", "9"], "there is no level '9'; the levels are 1 beginner, 2 learner"),
        (["--level", "club", "--bots", "greedy"], "--level and --bots exclude each other"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_gets_one_sentence(run: Run, argv: list[str], sentence: str) -> None:
    code, out, err = run(*argv)
    assert (code, out) == (2, "")
    assert sentence in err


# -- the table itself ------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["base+ghosts", "mists:3+spellcircles"])
def test_bots_alone_play_at_a_table_as_they_do_in_a_match(spec: str) -> None:
    rules = Rules.from_spec(spec, 2)

    def bots() -> list:
        return [by_name("random", 5), by_name("random", 6)]

    table = InteractiveMatch(rules, bots(), ["x", "y"], seed=9)
    table.run()
    assert table.record() == play(rules, bots(), seed=9, names=["x", "y"]).to_text()


def test_nobody_plays_for_another() -> None:
    table = InteractiveMatch(Rules.from_spec("base"), [None, None], ["a", "b"])
    table.run()
    first = str(table.state.legal_actions()[0])
    with pytest.raises(NotYourTurn, match="a decides now"):
        table.act(1, first)
    with pytest.raises(NotYourTurn):
        table.act(-1, "draw:A")
    table.act(0, first)


class Broken:
    """Raises at its second choice."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, state: State) -> Action:
        self.asked += 1
        if self.asked > 1:
            raise KeyError("lost")
        return state.legal_actions()[0]


def test_a_bot_that_fails_is_noted_and_the_game_goes_on() -> None:
    table = InteractiveMatch(
        Rules.from_spec("base"), [Broken(), by_name("random", 1)], ["broken", "random"]
    )
    table.run()
    assert table.is_over
    match = read_record(table.record())
    assert [(f.seat, f.verdict) for f in match.result.faults] == [(0, "crash")]
    assert match.result.winners == (1,)


def test_a_table_has_a_name_and_a_bot_or_person_for_each_seat() -> None:
    with pytest.raises(CarcError, match="base has 2 seats, not 1"):
        InteractiveMatch(Rules.from_spec("base"), [None], ["a"])


def test_going_back_drops_the_points_of_what_is_taken_back() -> None:
    """The journal starts anew with the position: a scoring taken back is scored once."""
    table = InteractiveMatch(
        Rules.from_spec("base"), [None, by_name("random", 2)], ["a", "b"], seed=3
    )
    while not any(move.scored for move in table.moves if move.player == 0):
        table.run()
        assert table.awaited == 0
        actions = table.state.legal_actions()
        table.act(0, str(by_name("greedy").choose(table.state.copy()) if actions else actions[0]))
    scored = [move for move in table.moves if move.player == 0 and move.scored][-1]
    table.undo()
    assert all(move is not scored for move in table.moves)
    again = table.act(0, scored.action)
    assert again == scored


def test_a_game_told_from_cardboard_does_not_go_on_with_a_deal(run: Run) -> None:
    run("--bots", "human,human", "--by-hand", typed="C\n1\npass\nX\n1\npass\ns c.jsonl\nq\n")
    code, _, err = run("--resume", "c.jsonl")
    assert code == 2
    assert "seed 0 does not deal draw:C: continue it by hand" in err
