"""The stages of a game: it is void only for a cause the host proves its own (docs/security.md)."""

import ast
import re
from pathlib import Path

import pytest

import carc as carc_package
from carc import Rules, play
from carc.bots import by_name
from carc.bots.session import PROTOCOL, line_of
from carc.match import BotFault
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.isolation.meter import Meter
from carc.tournaments.outcomes import stages
from carc.tournaments.outcomes.stages import Cause, HostFailure
from carc.tournaments.players.protocol import Table


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


class Failing:
    """A bot's program that is well until the game is decided, and then takes all memory."""

    begun = wall = cpu = 0.0
    meter = Meter()
    memory = 0

    @property
    def stderr(self) -> str:
        raise MemoryError

    def launched(self) -> None: ...

    def ask(self, line: bytes, seconds: float, allowed: str) -> bytes:
        return line_of(type="ready", protocol=PROTOCOL)

    def tell(self, line: bytes) -> None:
        raise MemoryError

    def close(self, why: str = "") -> None:
        raise MemoryError


def test_a_game_that_is_decided_stays_so_whatever_fails() -> None:
    """The rule of docs/security.md: no arrow leads from decided to void."""
    match = play(Rules.from_spec("base"), [by_name("random", 1), by_name("random", 2)])
    with Table(Clock()) as table:
        bot = table.seat(Failing, 0, 1)
        table.over(match)
        assert bot.stderr == ""


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
