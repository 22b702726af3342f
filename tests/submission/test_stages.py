"""The stages of a game: it is void only for a cause the host proves its own (docs/security.md)."""

import ast
import re
from pathlib import Path

import pytest

import carc as carc_package
from carc.match import BotFault
from carc.tournaments.outcomes import stages
from carc.tournaments.outcomes.stages import NEXT, Cause, HostFailure, Life, Stage


def test_void_arises_in_one_place() -> None:
    """In `playing.void`, and nowhere is a failure of the host made without one of its causes."""
    top = Path(carc_package.__file__).parent
    places = set()
    for path in top.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text if re.search("VOID|Void|HostFailure", text) else "")):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func).rpartition(".")[2]
                arguments = [ast.unparse(each) for each in node.args]
                if name == "_outcome" and "VOID" in arguments:
                    places.add(path.name)
                if name == "Void":
                    places.add(f"{path.name}: a bare Void")
                if name == "HostFailure":
                    assert arguments[0].startswith(("Cause.", "cause")), path
    assert places == {"playing.py"}


def test_what_is_decided_becomes_rated_or_is_played_again_after_a_stop() -> None:
    """The rule of docs/security.md: no arrow leads from decided to void, none from rated."""
    assert Stage.VOID not in NEXT[Stage.DECIDED]
    assert not NEXT[Stage.RATED]
    assert {stage for stage, following in NEXT.items() if Stage.VOID in following} == {
        Stage.STARTED,
        Stage.PLAYING,
    }
    life = Life()
    life.enter(Stage.PLAYING)
    life.enter(Stage.DECIDED)
    with pytest.raises(RuntimeError, match="a game that is decided cannot be void next"):
        life.enter(Stage.VOID)


def test_the_stages_in_the_docs_are_those_of_the_program() -> None:
    text = (Path(__file__).parents[2] / "docs/security.md").read_text()
    drawn = set()
    for line in text.splitlines():
        words = line.strip("| ").split("|")
        if len(words) == 3 and words[0].strip() in set(Stage):
            drawn |= {
                (words[0].strip(), each.strip()) for each in words[1].split(",") if each.strip()
            }
    assert drawn == {
        (str(stage), str(after)) for stage, following in NEXT.items() for after in following
    }


@pytest.mark.parametrize("error", [ValueError("x"), UnicodeDecodeError("utf-8", b"", 0, 1, "")])
def test_what_goes_wrong_in_an_exchange_is_the_bots(error: Exception) -> None:
    def work() -> None:
        raise error

    with pytest.raises(BotFault, match="crash: its process could not be talked to"):
        stages.exchange(work)


def test_out_of_memory_is_the_hosts() -> None:
    def work() -> None:
        raise MemoryError

    with pytest.raises(HostFailure) as failure:
        stages.exchange(work)
    assert failure.value.cause == Cause.PROGRAM
