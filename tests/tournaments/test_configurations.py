"""The contests in `tournaments/`: each says what it is for, names bots there are, and is played."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from support.runs import ledger_of

from carc.bots import load_class
from carc.commands.settings import read_settings, resolve
from carc.commands.tournament import tournament
from carc.tournaments.isolation import host

ROOT = Path(__file__).parents[2]
ARENA = ROOT / "tournaments" / "arena.toml"  # tried in tests/arena
FILES = sorted(set((ROOT / "tournaments").glob("*.toml")) - {ARENA})
SEARCHES = ("mcts", "mcts-rave", "strong", "uct", "expectimax")
LONG = ("classics", "ladder-top")  # more rules or longer searches than the others
EACH = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def settings(file: Path) -> dict[str, Any]:
    """Return the values that the file gives the command's options."""
    ctx = tournament.make_context("tournament", [])
    return resolve(ctx, read_settings(file, ctx))


def quick(bot: str) -> str:
    """Return the bot with the least effort it can be asked for."""
    name = bot.partition(":")[0]
    return f"{name}:1" if name in SEARCHES else bot


@EACH
def test_a_contest_says_what_it_is_for_and_names_bots_there_are(file: Path) -> None:
    assert file.read_text(encoding="utf-8").startswith("# ")
    values = settings(file)
    assert values["title"]
    assert len(set(values["bots"])) == len(values["bots"]) > 2
    for bot in values["bots"]:
        if "/" in bot:
            assert (ROOT / bot / "bot.toml").is_file()
        else:
            assert load_class(bot)


@pytest.mark.parametrize(
    "file",
    [pytest.param(file, marks=pytest.mark.long if file.stem in LONG else ()) for file in FILES],
    ids=lambda file: file.stem,
)
def test_a_contest_is_played(file: Path, run_carc: Any, tmp_path: Path) -> None:
    """One deal, as many of its bots as sit at a table, searches with the least effort."""
    values = settings(file)
    field = [values["against"] or values["bots"][0], *values["bots"]]
    size = max(values["tables"])
    bots = list(dict.fromkeys(map(quick, field)))[:size]
    if any("/" in bot for bot in bots) and host.missing("confined"):
        pytest.skip(f"isolation confined: {host.missing('confined')}")
    shutil.copytree(ROOT / "bots", tmp_path / "bots")
    played = run_carc(f"tournament --config {file} --bots {','.join(bots)} --deals 1 --out cup")
    assert played.returncode == 0, played.stderr
    assert values["title"] in played.stdout
    rows = ledger_of(tmp_path / "cup")
    assert size in (2, 3)
    assert len(rows) == (2 if size == 2 else 2 * 3 + 3)
