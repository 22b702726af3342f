"""What strangers wrote is read within bounds: never a traceback, never without end."""

from pathlib import Path

import pytest
from support.notation import begin, do, lay
from support.program import Run

from carc import Rules, State, read_record
from carc.bounded import MOST_DEPTH, parse_json, parse_toml, read_text, whole_number
from carc.errors import BadPosition, BadRecord, IllegalAction

DEEP = ["[" * 100_000, "[" * 5_000 + "]" * 5_000, '{"a":' * 3_000, "[" * 40 + "]" * 40]


def test_whole_numbers() -> None:
    assert [whole_number(text, 3, -1) for text in ("0", "007", "999")] == [0, 7, 999]
    for text in ("", "1000", "-1", "+1", " 1", "1_0", "٣", "²", "9" * 5000):
        assert whole_number(text, 3, -1) == -1


@pytest.mark.parametrize("text", DEEP)
def test_depth(text: str) -> None:
    with pytest.raises(ValueError, match=r"nested more than 32 deep|not JSON at line 1, column"):
        parse_json(text)
    with pytest.raises(ValueError, match=r"nested more than 32 deep|Invalid|Unclosed|\(at "):
        parse_toml(f"x = {text}")


def test_what_is_within_bounds_is_read(tmp_path: Path) -> None:
    text = "[" * MOST_DEPTH + "1" + "]" * MOST_DEPTH
    assert str(parse_json(text)) == text
    with pytest.raises(ValueError, match="deep"):
        parse_json(f"[{text}]")
    with pytest.raises(ValueError, match="larger than 0 kB"):
        parse_json("[1, 2, 3]", most_bytes=8)
    with pytest.raises(ValueError, match="larger than 1 kB"):
        read_text(Path("/dev/zero"), most_bytes=1024)


@pytest.mark.parametrize("text", DEEP)
def test_records_and_positions(text: str) -> None:
    with pytest.raises(BadRecord):
        read_record(text)
    position = Rules.from_spec("base").start().to_text()
    head, _, _ = position.rpartition(" ")
    with pytest.raises(BadPosition):
        State.from_text(f"{head} {text}", Rules.from_spec("base"))


@pytest.mark.parametrize("text", DEEP)
@pytest.mark.parametrize(
    "line", ["replay FILE", "import FILE", "show FILE", "play --resume FILE",
             "tournament --config FILE", "serve --authors FILE", "check FOLDER",
             "leaderboard FOLDER"],
)  # fmt: skip
def test_commands_answer_in_a_sentence(run: Run, tmp_path: Path, line: str, text: str) -> None:
    file = tmp_path / "file"
    file.write_text(f"x = {text}" if "config" in line or "authors" in line else text)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "bot.toml").write_text(f"x = {text}")
    words = line.replace("FILE", "file").replace("FOLDER", "folder")
    code, _, err = run(*words.split())
    assert code == 2
    assert len(err.splitlines()) <= 4


def test_a_message_is_short_whatever_it_quotes(run: Run) -> None:
    """Its beginning and its end are shown."""
    said = run("bench", "--rules", "base+" + "x" * 9000)[2]
    assert said.startswith("carc: ") and "xxx … " in said and len(said) < 500


def test_a_refused_action_is_told_with_a_few_that_are_legal() -> None:
    """Twenty towers in a row: their actions are long."""
    state = lay(begin("base+tower", 2), *[f"TO02 {10 + x},-10,0" for x in range(20)])
    do(state, "draw:B place:0,1,0")
    with pytest.raises(
        IllegalAction, match=r"legal are claim:0,meeple, .* and 1\d more"
    ) as refused:
        state.check(state.rules.parse("draw:B"))
    assert len(str(refused.value)) < 260
