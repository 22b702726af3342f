"""Records: written, read, replayed; damaged or foreign ones are refused with the line named."""

import json
import random
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carc import Action, Match, Rules, State, play, playout, read_record, replay
from carc.bots import by_name
from carc.errors import BadRecord, CarcError
from carc.match import Move, read_text_file

RULES = Rules.from_spec("base", 3)


def played(seed: int = 5) -> Match:
    return play(RULES, [by_name("random", seat) for seat in range(3)], seed=seed)


MATCH = played()
LINES = MATCH.to_text().splitlines()


def verify(text: str) -> None:
    """What `carc replay --verify` does."""
    match = read_record(text, "m")
    replay(match, Rules.from_spec(match.rules, match.players), "m")


def test_a_record_is_read_as_it_was_written_and_replays_to_the_same_end() -> None:
    assert read_record(MATCH.to_text()) == MATCH
    end = replay(MATCH, RULES)
    assert end.is_terminal
    assert tuple(end.scores) == MATCH.result.scores
    state = RULES.start()
    for action in MATCH.actions:
        state.apply(state.check(RULES.parse(action)))
    assert state.to_dict() == end.to_dict()


def test_a_record_in_short_tells_the_same() -> None:
    short = MATCH.to_compact_text()
    header, moves, result = short.splitlines()
    assert (header, result) == (LINES[0], LINES[-1])
    assert len(moves) < len("".join(LINES[1:-1])) / 2
    assert read_record(short) == MATCH
    assert read_record(short).to_text() == MATCH.to_text()
    verify(short)


def test_the_moves_of_a_match_are_a_sequence() -> None:
    read = read_record(MATCH.to_text()).moves
    assert isinstance(read, tuple)
    assert (MATCH.moves, hash(MATCH.moves), repr(MATCH.moves)) == (read, hash(read), repr(read))
    assert (MATCH.moves[0], MATCH.moves[-1], MATCH.moves[5:0:-2]) == (
        read[0],
        read[-1],
        read[5:0:-2],
    )
    assert MATCH.moves != read[1:] and read[7] in MATCH.moves
    with pytest.raises(IndexError):
        MATCH.moves[len(read)]
    assert MATCH.scored == [*(one for move in read for one in move.scored), *MATCH.result.final]


@pytest.mark.parametrize("action", ['say:"yes"', "back\\slash", "grüße:1", "bell:\a", "pass"])
def test_whatever_a_notation_holds_is_json_in_short_too(action: str) -> None:
    match = attrs.evolve(MATCH, moves=(*MATCH.moves, Move(1, action)))
    assert read_record(match.to_compact_text()) == match
    line = match.to_compact_text().splitlines()[1]
    assert line == json.dumps(json.loads(line))


def test_what_is_not_told_in_short_is_told_in_full() -> None:
    """A notation with a space would be read as two; a match over before it began has no moves."""
    spaced = attrs.evolve(MATCH, moves=(*MATCH.moves, Move(1, "wave to all")))
    for match in (spaced, attrs.evolve(MATCH, moves=())):
        assert match.to_compact_text() == match.to_text()
        assert read_record(match.to_compact_text()) == match


@pytest.mark.parametrize(
    "change",
    [
        lambda d: d.update(moves=d["moves"] + " 0"),
        lambda d: d.update(moves="x" + d["moves"]),
        lambda d: d["scored"].update({"9999": []}),
        lambda d: d["scored"].update({"0": [{"owner": 0}]}),
        lambda d: d.update(scored=7),
        lambda d: d.pop("scored"),
        lambda d: d.update(extra=1),
    ],
)
def test_a_line_of_moves_that_is_damaged_is_refused(
    change: Callable[[dict[str, Any]], object],
) -> None:
    header, moves, result = MATCH.to_compact_text().splitlines()
    data = json.loads(moves)
    change(data)
    with pytest.raises(BadRecord, match="m:2: not a line of a record"):
        read_record("\n".join([header, json.dumps(data), result]), "m")


def damaged(change: Callable[[list[Any]], object], at: int) -> str:
    lines = [json.loads(line) for line in LINES]
    change(lines[at])
    return "\n".join(map(json.dumps, lines))


@pytest.mark.parametrize(
    ("at", "change", "said"),
    [
        (0, lambda d: d.pop("seed"), "m:1: .*the first line has no 'seed'"),
        (0, lambda d: d.update(seed="5"), "'seed' of the first line is a whole number, not '5'"),
        (0, lambda d: d.update(seed=True), "is a whole number, not True"),
        (0, lambda d: d.update(players=3.0), "is a whole number, not 3.0"),
        (0, lambda d: d.update(seats={"a": 1}), "is a list, not {'a': 1}"),
        (0, lambda d: d.update(seats=["a", 7, "c"]), "a value in seats is a text, not 7"),
        (0, lambda d: d.update(rules="x" * 9000, seed=None), "is a whole number, not None"),
        (0, lambda d: d.update(x=1), "unknown key 'x'; keys are carc, rules"),
        (1, lambda d: d.update(action=["x" * 9000] * 9), "'action' of the move is a text, not \\["),
        (1, lambda d: d.update(player=None), "m:2: .*a whole number, not None"),
        (1, lambda d: d.update(scored=[7]), "a scoring is an object, not 7"),
        (1, lambda d: d.update(scored=[{"owner": 0}]), "a scoring has no 'points'"),
        (-1, lambda d: d["result"].pop("ranks"), "the result has no 'ranks'"),
        (-1, lambda d: d["result"].update(returns=["1"]), "in returns is a number, not '1'"),
        (-1, lambda d: d["result"].update(returns=[float("nan")]), "is a number, not nan"),
        (-1, lambda d: d["result"].update(returns=[10**400]), "in returns is a number, not 1000"),
        (-1, lambda d: d["result"].update(scores=[0.5]), "in scores is a whole number, not 0.5"),
        (-1, lambda d: d["result"].update(faults=[{"seat": 0}]), "a fault has no 'action'"),
        (-1, lambda d: d["result"].update(outcome=[]), "'outcome' of the result is an object"),
        (-1, lambda d: d.update(result=7), "the result is an object, not 7"),
    ],
)
def test_what_is_damaged_is_named_in_a_short_sentence(
    at: int, change: Callable[[Any], object], said: str
) -> None:
    with pytest.raises(BadRecord, match=said) as refused:
        read_record(damaged(change, at), "m")
    assert len(str(refused.value)) < 250
    assert not re.search(r"__init__|unpack|argument|iterable|NoneType", str(refused.value))


def test_numbers_marks_and_whole_points(tmp_path: Path) -> None:
    """Of too many digits; of the byte order; and returns written without a decimal point."""
    digits = LINES[0].replace('"seed": 5', f'"seed": {"9" * 5000}')
    with pytest.raises(BadRecord, match="m:1: a number has too many digits; is this a carc"):
        read_record("\n".join([digits, *LINES[1:]]), "m")
    assert read_record("\ufeff" + MATCH.to_text()) == MATCH
    (tmp_path / "marked").write_text("\ufeff" + MATCH.to_text(), encoding="utf-8")
    assert read_text_file(tmp_path / "marked") == MATCH.to_text()
    whole = "\n".join(
        [*LINES[:-1], re.sub(r'"returns": \[.*?\]', '"returns": [1, 0, -1]', LINES[-1])]
    )
    assert [type(each) for each in read_record(whole).result.returns] == [float] * 3


def test_the_same_deal_and_the_same_bots_make_the_same_record() -> None:
    assert played().to_text() == MATCH.to_text()
    assert played(6).actions != MATCH.actions


def test_how_a_team_fared_is_in_the_result_and_verified() -> None:
    rules = Rules.from_spec("mists:2", 1)
    text = play(rules, [by_name("random", 4)], seed=4).to_text()
    outcome = json.loads(text.splitlines()[-1])["result"]["outcome"]
    assert list(outcome) == ["won", "rule", "score", "goal", "tiles_left"]
    assert (outcome["won"], outcome["goal"]) == (False, 75)
    verify(text)
    with pytest.raises(BadRecord, match="these actions lead to another result"):
        verify(text.replace('"won": false', '"won": true'))
    with pytest.raises(BadRecord, match="'outcome' of the result is an object, not 'lost'"):
        verify(text.replace(json.dumps(outcome), '"lost"'))


def test_the_first_line_says_what_was_played() -> None:
    header = json.loads(LINES[0])
    assert header == {
        "carc": 2,
        "rules": "base",
        "rules_version": RULES.version,
        "players": 3,
        "seats": ["random"] * 3,
        "seed": 5,
    }


def test_itemised_points_add_up_to_the_scores() -> None:
    scores = [0, 0, 0]
    for scored in [*(s for move in MATCH.moves for s in move.scored), *MATCH.result.final]:
        scores[scored.owner] += scored.points
        items, _, total = scored.text.rpartition(" = ")
        assert int(total) == scored.points
        products = [item.rpartition(" ")[2].split("x") for item in items.split(", ")]
        if items.endswith(" 0"):
            assert scored.points == 0
        else:
            assert sum(int(count) * int(each) for count, each in products) == scored.points
    assert tuple(scores) == MATCH.result.scores


def line_with(key: str) -> int:
    """The first line after the header that has this key."""
    return next(i for i, line in enumerate(LINES) if i and key in json.loads(line))


def edited(number: int, change: Callable[[dict[str, Any]], object]) -> str:
    data = json.loads(LINES[number])
    change(data)
    return "\n".join([*LINES[:number], json.dumps(data), *LINES[number + 1 :]])


SCORED = line_with("scored")
LAST = len(LINES) - 1


@pytest.mark.parametrize(
    ("number", "change", "sentence"),
    [
        (0, lambda d: d.update(carc=3), "not a record of a carc match in format 2"),
        (0, lambda d: d.pop("carc"), "not a record of a carc match"),
        (0, lambda d: d.pop("rules"), "not a line of a record"),
        (0, lambda d: d.update(rules_version="1-0"), "played by rules version 1-0; these are"),
        (0, lambda d: d.update(seed=6), ""),
        (0, lambda d: d.update(players=2), ""),
        (0, lambda d: d.update(players="many"), "not a line of a record"),
        (0, lambda d: d.update(seats=7), "not a line of a record"),
        (1, lambda d: d.update(action="draw:ZZ"), "'draw:ZZ' names no tile of base; tiles are A B"),
        (1, lambda d: d.update(player=1), "player -1 decides here, not 1"),
        (2, lambda d: d.update(action="place:9,9,0"), "place:9,9,0 is not legal now; legal are"),
        (2, lambda d: d.update(action="pass"), "pass is not legal now"),
        (2, lambda d: d.update(action="fly"), "'fly' is no action"),
        (2, lambda d: d.update(player=2), "player 0 decides here, not 2"),
        (2, lambda d: d.update(why="so"), "unknown key 'why'"),
        (2, lambda d: d.pop("player"), "not a line of a record"),
        (SCORED, lambda d: d.pop("scored"), "the points differ"),
        (SCORED, lambda d: d["scored"][0].update(points=99), "the points differ"),
        (SCORED, lambda d: d["scored"][0].update(text="luck"), "the points differ"),
        (LAST, lambda d: d["result"].update(scores=[1, 2, 3]), "these actions lead to another"),
        (LAST, lambda d: d["result"].update(winners=[0, 1, 2]), "these actions lead to another"),
        (LAST, lambda d: d["result"].update(ranks=[0, 0, 0]), "these actions lead to another"),
        (LAST, lambda d: d["result"].pop("final"), "not a line of a record"),
        (LAST, lambda d: d["result"]["final"].clear(), "these actions lead to another"),
    ],
)
def test_an_edited_line_is_found_and_named(
    number: int, change: Callable[[dict[str, Any]], object], sentence: str
) -> None:
    with pytest.raises(BadRecord) as refused:
        verify(edited(number, change))
    assert sentence in str(refused.value)
    if sentence:
        assert str(refused.value).startswith(f"m:{number + 1}: ")


@pytest.mark.parametrize("kept", [0, 1, 2, 50, LAST])
def test_a_record_cut_off_is_refused(kept: int) -> None:
    with pytest.raises(BadRecord):
        verify("\n".join(LINES[:kept]))


def test_a_record_with_a_hole_is_refused() -> None:
    with pytest.raises(BadRecord):
        verify("\n".join(LINES[:30] + LINES[31:]))


def test_a_game_that_goes_on_after_the_record_is_refused() -> None:
    with pytest.raises(BadRecord, match="the record ends before the game does"):
        verify("\n".join([*LINES[:20], LINES[-1]]))


@pytest.mark.parametrize("text", ["", "\n", "hello", "[]", "{}", "null", '{"carc": 2}', "\x00"])
def test_a_foreign_file_is_refused(text: str) -> None:
    with pytest.raises(BadRecord):
        verify(text)


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 300),
    st.floats(),
    st.sampled_from(["", "pass", "base", "base+ghosts", "mists:1", "place:0,0,0", "x"]),
    st.lists(st.integers(-1, 3), max_size=3),
    st.dictionaries(st.sampled_from(["player", "points", "seat"]), st.integers(), max_size=2),
)


def places_of(data: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    """Every place in JSON data where a value stands."""
    found = [path] if path else []
    items: Iterable[tuple[object, object]] = data.items() if isinstance(data, dict) else []
    items = enumerate(data) if isinstance(data, list) else items
    for key, value in items:
        found += places_of(value, (*path, key))
    return found


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_whatever_is_changed_the_record_is_refused_or_the_same(data: st.DataObject) -> None:
    """One value anywhere replaced by anything: verified only if it means the same, or refused."""
    number = data.draw(st.sampled_from([0, 1, 2, SCORED, LAST]))
    line = json.loads(LINES[number])
    *path, key = data.draw(st.sampled_from(places_of(line)))
    holder = line
    for step in path:
        holder = holder[step]
    junk = data.draw(JUNK)
    holder[key] = junk
    text = "\n".join([*LINES[:number], json.dumps(line), *LINES[number + 1 :]])
    try:
        verify(text)
    except CarcError:
        return
    same = read_record(text)
    assert same.moves == MATCH.moves
    assert same.result.scores == MATCH.result.scores


def test_a_bot_at_fault_is_last_with_however_many_points() -> None:
    class LeavesAhead:
        def choose(self, state: State) -> Action:
            if state.tiles_left < 3:
                raise RuntimeError("enough")
            return by_name("greedy").choose(state)

    match = play("base", [LeavesAhead(), by_name("random")], seed=2)
    assert match.result.scores[0] > match.result.scores[1]
    assert (match.result.ranks, match.result.winners) == ((1, 0), ())


def test_a_bot_that_breaks_the_rules_is_written_down_and_still_replays() -> None:
    class Illegal:
        def choose(self, state: object) -> object:
            return RULES.parse("place:400,400,0")

    bots: list[Any] = [by_name("random"), Illegal(), by_name("random")]
    match = play(RULES, bots, seed=2)
    (fault,) = match.result.faults
    assert (fault.seat, fault.verdict) == (1, "illegal")
    assert fault.detail.startswith("place:400,400,0 is not legal now; legal are ")
    assert match.moves[fault.action].player == 1
    assert match.result.ranks[1] == 2
    assert 1 not in match.result.winners
    verify(match.to_text())


def test_whatever_a_bot_says_when_it_fails_can_be_written_down() -> None:
    class Mumbling:
        def choose(self, state: object) -> object:
            raise ValueError("a\nb\u2028c\x85d\ud800")

    bots: list[Any] = [by_name("random"), Mumbling(), by_name("random")]
    match = play(RULES, bots, seed=2)
    assert match.to_text().encode()
    assert read_record(match.to_text()) == match


def test_a_bot_gets_a_copy_to_play_with() -> None:
    class Spoiler:
        def choose(self, state: Any) -> object:
            chosen = state.legal_actions()[0]
            playout(state, random.Random(1))
            return chosen

    match = play(RULES, [Spoiler() for _ in range(3)], seed=2)  # type: ignore[misc]
    assert match.result.faults == ()
    verify(match.to_text())


def test_as_many_bots_as_players() -> None:
    with pytest.raises(CarcError, match="base for 3 players needs 3 bots, not 2"):
        play(RULES, [by_name("random"), by_name("random")])
