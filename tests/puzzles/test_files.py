"""Files of puzzles: what is written is read, and what is damaged is refused in one sentence."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import pytest
from support.puzzles import position, positions, puzzle

from carc import Rules
from carc.errors import CarcError
from carc.puzzles import parse_puzzles, shipped_puzzles
from carc.puzzles.puzzle import puzzles_text, read_puzzles
from carc.puzzles.rating import BEGINNING
from carc.puzzles.reasons import reasons
from carc.puzzles.turns import after_turn, look_of


def test_what_is_written_is_read(tmp_path: Path) -> None:
    written = [puzzle(10), puzzle(30), puzzle(12, "base+inns")]
    file = tmp_path / "puzzles.jsonl"
    file.write_text(puzzles_text(written), encoding="utf-8")
    assert [each.to_line() for each in read_puzzles(file)] == [each.to_line() for each in written]
    assert len({each.id for each in written}) == 3


def test_a_puzzle_knows_its_position_and_tile() -> None:
    some = puzzle(10)
    assert some.position().key() == position(positions()[10]).key()
    assert f"draw:{some.tile}" == some.moves[-1]
    assert some.position().to_dict()["tile_in_hand"] == some.tile


def test_a_tile_that_looks_the_same_solves_it_too() -> None:
    """A straight road may lie either way; then its two fields have changed places."""
    some = next(each for each in map(puzzle, range(60)) if each.tile == "U")
    state = some.position()
    place = next(str(a) for a in state.legal_actions() if str(a)[-1] in "01")
    turned = f"{place[:-1]}{int(place[-1]) + 2}"
    solved_by = {
        claim: [
            rotated
            for rotated in ("claim:0,meeple", "claim:1,meeple", "claim:2,meeple", "pass")
            if attrs.evolve(some, answer=(place, claim)).is_solved_by((turned, rotated))
        ]
        for claim in ("claim:0,meeple", "claim:1,meeple", "claim:2,meeple", "pass")
        if claim in map(str, after_turn(state, (place,)).legal_actions())
    }
    # Segment 0 is the road; 1 and 2 are the fields beside it.
    swapped = {"claim:0,meeple": "claim:0,meeple", "claim:1,meeple": "claim:2,meeple"}
    swapped |= {"claim:2,meeple": "claim:1,meeple", "pass": "pass"}
    assert len(solved_by) > 2
    assert solved_by == {claim: [swapped[claim]] for claim in solved_by}
    with pytest.raises(CarcError):
        some.is_solved_by(("place:99,99,0",))


def test_a_symbol_that_points_elsewhere_makes_another_turn() -> None:
    """WR03 looks the same after half a turn but for its wind rose, which then points elsewhere."""
    state = Rules.from_spec("base+windroses", 2).start()
    state.apply(state.rules.parse("draw:WR03"))
    assert look_of(state, ("place:0,-1,0", "pass")) != look_of(state, ("place:0,-1,2", "pass"))


def test_answers_and_rivals_differ() -> None:
    assert puzzle(10).is_solved_by(puzzle(10).answer)
    assert not puzzle(10).is_solved_by(puzzle(10).rivals[0].turn)


Change = Callable[[dict[str, Any]], object]


def without_draw(data: dict[str, Any]) -> None:
    words = data["moves"].split()[:-1]
    data.update(moves=" ".join(words), tile=words[-1])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data.pop("moves"), "not a puzzle of format 1"),
        (lambda data: data.update({"carc-puzzle": 2}), "not a puzzle of format 1"),
        (lambda data: data.update(players="2"), "not a puzzle of format 1"),
        (lambda data: data.update(players=True), "not a puzzle of format 1"),
        (lambda data: data.update(rules=["base"]), "not a puzzle of format 1"),
        (lambda data: data.update(answer=""), "not a puzzle of format 1"),
        (lambda data: data.update(gains=[1]), "not a puzzle of format 1"),
        (lambda data: data.update(gains={"city": [1]}), "not a puzzle of format 1"),
        (lambda data: data.update(rating=[25.0]), "not a puzzle of format 1"),
        (lambda data: data.update(rating=[25.0, 0.0]), "not a puzzle of format 1"),
        (lambda data: data.update(rating=[1e300, 8.0]), "not a puzzle of format 1"),
        (lambda data: data.update(rating=[float("nan"), 8.0]), "not a puzzle of format 1"),
        (lambda data: data["rivals"][0].update(margin=True), "not a puzzle of format 1"),
        (lambda data: data.update(rivals=[]), "not a puzzle of format 1"),
        (
            lambda data: data["rivals"][0].update(turn=data["answer"]),
            "is the answer and a rival of it",
        ),
        (lambda data: data.update(answer=data["answer"].split()[0] + " pass pass"), "pass"),
        (lambda data: data.update(answer="place:99,99,0"), "place:99,99,0"),
        (lambda data: data.update(answer="hello"), "hello"),
        (lambda data: data.update(tile=""), "not a puzzle of format 1"),
        (lambda data: data.update(players=9), "9"),
        (lambda data: data.update(rules="bse"), "bse"),
        (
            lambda data: data.update(moves=data["moves"].rpartition(" ")[0]),
            "not a puzzle of format 1",
        ),
        (without_draw, "the moves do not end with the draw of a tile"),
        (lambda data: data.update(moves=data["moves"].replace("draw:", "draw:?", 1)), "draw:?"),
        (lambda data: data.update(moves=" ".join(data["moves"].split()[1:])), "place:"),
    ],
)
def test_a_damaged_puzzle_is_refused_in_a_sentence(change: Change, message: str) -> None:
    good = puzzle(10).to_line()
    data = json.loads(good)
    change(data)
    with pytest.raises(CarcError) as refused:
        parse_puzzles(f"{puzzle(30).to_line()}\n{json.dumps(data)}\n", "mine.jsonl")
    text = str(refused.value)
    assert text.startswith("mine.jsonl:2: ") and message in text and "\n" not in text


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "null",
        "7",
        '"x"',
        "{}",
        "[" * 100_000,
        '{"carc-puzzle": 1}',
        puzzle(10).to_line()[:-9],
    ],
)
def test_a_line_that_is_no_puzzle_is_named(line: str) -> None:
    with pytest.raises(CarcError, match=r"^mine:1: not a puzzle of format 1$"):
        parse_puzzles(line, "mine")


def test_an_unfinished_turn_is_no_answer() -> None:
    for turn in range(5, 40):
        if len(puzzle(turn).answer) > 1:
            data = json.loads(puzzle(turn).to_line())
            data["answer"] = data["answer"].split()[0]
            with pytest.raises(CarcError, match="is not a whole turn"):
                parse_puzzles(json.dumps(data))
            return
    raise AssertionError("no puzzle has a turn of two actions")


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(CarcError, match=r"mine: a file has 1 to 10000 puzzles, not 0"):
        parse_puzzles("", "mine")
    with pytest.raises(CarcError, match=r"mine:2: this puzzle has been there before"):
        parse_puzzles(puzzle(10).to_line() + "\n" + puzzle(10).to_line(), "mine")
    with pytest.raises(CarcError, match="cannot be read"):
        read_puzzles(tmp_path / "none.jsonl")
    (tmp_path / "odd").write_bytes(b"\xff\xfe")
    with pytest.raises(CarcError, match="not a text in UTF-8; is this a file of puzzles"):
        read_puzzles(tmp_path / "odd")
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(17 << 20)
    with pytest.raises(CarcError, match="larger than 16384 kB; is this a file of puzzles"):
        read_puzzles(tmp_path / "huge")


def test_the_puzzles_that_ship_are_sound() -> None:
    shipped = shipped_puzzles()
    assert len(shipped) == 100
    read = parse_puzzles(puzzles_text(shipped), "shipped.jsonl")  # this checks every turn
    assert [each.id for each in read] == [each.id for each in shipped]
    for each in shipped:
        missed = [turn for turn in (each.greedy, each.played) if not each.is_solved_by(turn)]
        assert missed and all(rival.margin - rival.error > 1.5 for rival in each.rivals)
        assert each.rating != BEGINNING


def test_what_a_turn_scores_for_the_others_is_told() -> None:
    told = reasons(attrs.evolve(puzzle(10), gains={"now": (0.0, 2.0), "road": (0.2, -1.0)}))
    assert told == [
        "The turn itself scores 2.0 points more for the others.",
        "The others score 1.0 points less for roads.",
    ]
