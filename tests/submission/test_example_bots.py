"""The bots in `bots/`: each passes its check, is accepted, and plays as it is."""

import ast
import shutil
import tomllib
from pathlib import Path

import pytest
from support.playing import Carc, requires

from carc.tournaments.ledger.ledger import Ledger

BOTS = Path(__file__).parents[2] / "bots"
NAMES = sorted(path.parent.name for path in BOTS.glob("*/bot.toml"))
LONGEST = 100  # lines: an example is read in a few minutes
isolated = requires("confined")
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
SOON = ("plain", "neighbors", "shell")  # one of each language; the others take longer


def test_there_are_bots_in_three_languages() -> None:
    assert {path.suffix for path in BOTS.glob("*/bot.*")} == {".toml", ".py", ".js", ".sh"}
    assert {path.name for path in BOTS.iterdir() if path.is_dir()} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_is_named_as_its_folder_and_short(name: str) -> None:
    manifest = tomllib.loads((BOTS / name / "bot.toml").read_text(encoding="utf-8"))
    assert manifest["name"] == name
    (source,) = [path for path in (BOTS / name).glob("bot.*") if path.suffix != ".toml"]
    assert len(source.read_text(encoding="utf-8").splitlines()) <= LONGEST


def test_plain_does_not_import_carc() -> None:
    tree = ast.parse((BOTS / "plain" / "bot.py").read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert [name.name for node in imports for name in node.names] == ["json", "sys"]


def verdicts() -> dict[str, set[str]]:
    """Return the verdicts of each bot in the tournament of this folder."""
    found: dict[str, set[str]] = {}
    with Ledger.reading(Path("cup")) as ledger:
        for game in ledger.outcomes():
            outcome = ledger.outcome(game.id)
            for bot, verdict in zip(outcome.seats, outcome.verdicts, strict=True):
                found.setdefault(bot, set()).add(verdict)
    return found


@isolated
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=needs_node if name == "neighbors" else ())
        if name in SOON
        else pytest.param(name, marks=pytest.mark.long)
        for name in NAMES
    ],
)
def test_a_bot_is_accepted_and_plays_from_its_folder(carc: Carc, name: str) -> None:
    """By its folder and, submitted, by its name; 2 s for a game are enough for each."""
    submitted = carc(f"submit {BOTS / name} --games 1 --author me --clock bank=2,start=60")
    assert submitted.code == 0, submitted.out
    played = carc(f"duel {BOTS / name} {name} --deals 1 --out cup --clock bank=2,start=60")
    assert played.code == 0, played.err
    assert len(verdicts()) == 2
    assert set.union(*verdicts().values()) == {"ok"}
