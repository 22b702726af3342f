"""Which modules are compiled, and which files their C depends on."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

# Everything in these folders is compiled, except what `is_compilable` leaves out.
FOLDERS = (
    "carc/base",
    "carc/classics",
    "carc/expansion_ghosts",
    "carc/mists",
    "carc/spellcircles",
)
# Elsewhere only what is called in every decision of every game.
FILES = (
    "carc/bots/endgame.py",
    "carc/bots/expectimax.py",
    "carc/bots/lookahead.py",
    "carc/bots/mcts_playouts.py",
    "carc/bots/random.py",
    "carc/bots/team_search.py",
    "carc/bots/uct.py",
    "carc/learn/action_codes.py",
    "carc/learn/encoding.py",
    "carc/learn/expansion_fields.py",
    "carc/learn/game_batch.py",
    "carc/learn/tile_planes.py",
    "carc/match/moves.py",
    "carc/match/referee.py",
    "carc/tournaments/outcomes/columns.py",
    "carc/tournaments/schedule/games.py",
    "carc/tournaments/identifiers.py",
    "carc/tournaments/outcomes/outcome.py",
    "carc/tournaments/players/player.py",
    "carc/tournaments/running/playing.py",
)
# What begins so is not compiled for a first tournament, which does without it. It takes longer to
# compile than all the rest.
LATER = (
    "carc/base/game/reading.py",
    "carc/base/position/",
    "carc/classics/",
    "carc/learn/",
    "carc/mists/",
    "carc/spellcircles/",
)
# What playouts and searches need most is compiled as three C files, `to_dict` as one more.
# Calls between the modules of a file are taken in line. mypyc's runtime is in the first.
HOTTEST = {
    "hottest_board": (
        "carc/base/board/arrays.py",
        "carc/base/board/board.py",
        "carc/base/board/candidates.py",
        "carc/base/board/followers.py",
        "carc/base/board/tile_laying.py",
        "carc/base/board/vectors.py",
        "carc/base/cells.py",
    ),
    "hottest_game": (
        "carc/base/game/actions.py",
        "carc/base/game/agenda.py",
        "carc/base/game/bag.py",
        "carc/base/game/base_game.py",
        "carc/base/game/chance.py",
        "carc/base/game/choices.py",
        "carc/base/game/expansion.py",
        "carc/base/game/expansion_data.py",
        "carc/base/game/playout.py",
        "carc/base/game/queries.py",
        "carc/base/game/scoring.py",
        "carc/base/game/state.py",
        "carc/base/game/steps.py",
    ),
    "hottest_description": (
        "carc/base/game/places.py",
        "carc/base/game/position.py",
        "carc/base/game/to_dict.py",
    ),
    "hottest_evaluation": (
        "carc/base/evaluation/completion.py",
        "carc/base/evaluation/contests.py",
        "carc/base/evaluation/descriptors.py",
        "carc/base/evaluation/evaluation.py",
        "carc/base/evaluation/frontier.py",
        "carc/base/evaluation/learned.py",
        "carc/base/evaluation/supply.py",
        "carc/bots/lookahead.py",
        "carc/expansion_ghosts/competitive.py",
        "carc/expansion_ghosts/mist.py",
    ),
}
# Read once per game at most, and built on what mypyc does not compile well.
UNCOMPILED_NAMES = {"display.py", "known.py", "spec.py", "state_fields.py", "type_variables.py"}
ATTRS = re.compile(r"^@attrs\b", re.MULTILINE)


def compiled_modules(root: Path, *, first_only: bool = False) -> list[str]:
    """Return the paths of the compiled modules, relative to `root`, sorted.

    Args:
        root: The project's folder.
        first_only: Only what a first tournament needs.
    """
    hottest = chain.from_iterable(HOTTEST.values())
    missing = [name for name in (*FOLDERS, *FILES, *LATER, *hottest) if not (root / name).exists()]
    if missing:
        raise SystemExit(f"carc: build_tools/modules.py names what is not there: {missing}")
    files = [path for folder in FOLDERS for path in (root / folder).rglob("*.py")]
    chosen = [path.relative_to(root).as_posix() for path in files if is_compilable(path)]
    names = sorted({*FILES, *chosen})
    return [name for name in names if not (first_only and name.startswith(LATER))]


def is_compilable(path: Path) -> bool:
    """Return whether mypyc compiles this module: no attrs classes, and something to compile."""
    if path.name in UNCOMPILED_NAMES:
        return False
    text = path.read_text(encoding="utf-8")
    if ATTRS.search(text):
        return False
    defined = ast.FunctionDef | ast.ClassDef
    return path.name != "__init__.py" or any(isinstance(n, defined) for n in ast.parse(text).body)


def read_by(root: Path, modules: Iterable[str]) -> list[Path]:
    """Return the files whose text the C of these modules depends on.

    They are the modules, what they import from carc (mypy reads the types there), and so on.
    """
    waiting = [root / module for module in modules]
    seen = set(waiting)
    while waiting:
        path = waiting.pop()
        for name in _imported(path, root):
            for file in _files_of(root, name):
                if file not in seen:
                    seen.add(file)
                    waiting.append(file)
    return sorted(seen)


def _imported(path: Path, root: Path) -> set[str]:
    package = path.parent.relative_to(root).parts
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            source = ".".join([*above, *([node.module] if node.module else [])])
            names.add(source)
            names.update(f"{source}.{alias.name}" for alias in node.names)
    return {name for name in names if name.split(".")[0] == "carc"}


def _files_of(root: Path, name: str) -> list[Path]:
    """Return the module's file and those of the packages it lies in."""
    parts = name.split(".")
    packages = [root.joinpath(*parts[:n], "__init__.py") for n in range(1, len(parts) + 1)]
    files = [*packages, root.joinpath(*parts).with_suffix(".py")]
    return [file for file in files if file.is_file()]
