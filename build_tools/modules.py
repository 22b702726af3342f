"""Which modules are compiled, in which groups, and by which compiler."""

from __future__ import annotations

import ast
import os
import re
import shutil
import sys
import sysconfig
from pathlib import Path

# Everything in these folders is compiled, except what `is_compilable` leaves out.
FOLDERS = ("base", "classics", "expansion_ghosts", "mists", "spellcircles")
# Elsewhere only what is called in every decision of every game.
FILES = {
    "bots/": "endgame expectimax lookahead mcts_playouts random team_search turn_features uct",
    "learn/": "action_codes action_tokens encoding expansion_fields game_batch tile_planes tokens "
    "token_table",
    "match/": "moves referee",
    "tournaments/": "identifiers",
    "tournaments/outcomes/": "columns outcome",
    "tournaments/players/": "player",
    "tournaments/running/": "playing",
    "tournaments/schedule/": "games",
}
# A first tournament does without these.
LATER = ("base/board/rows", "classics/", "learn/", "mists/", "spellcircles/")
# What playouts and searches need most is one group: a C file, within which calls are inlined.
HOTTEST = {
    "base/": "cells small_set",
    "base/board/": "arrays board candidates corners crowding figures followers links parts "
    "place_order rows tile_laying vectors whole words",
    "base/turn/": "actions adjacent agenda bag choices scoring steps verbs",
    "base/position/": "expansion_state state_data state_text",
    "base/expansions/": "base_game estimates expansion",
    "base/game/": "bot_queries chance playout state",
    "base/evaluation/": "completion contests descriptors evaluation frontier learned supply",
    "bots/": "lookahead mcts_playouts random",
    "match/": "moves referee",
    "expansion_ghosts/": "competitive estimates ghost_set ghosts_state mist steps",
}
# Read once per game at most, and built on what mypyc does not compile well.
UNCOMPILED = {"display", "printed_tiles", "spec", "state_fields", "type_variables"}


def say(text: str) -> None:
    """Write one line about the build."""
    print(f"carc: {text}", file=sys.stderr, flush=True)


def c_compiler() -> str:
    """Return the name of the C compiler that Python calls; empty if it is not there."""
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    return str(command) if os.name == "nt" or shutil.which(command.split()[0]) else ""


def compiled_groups(root: Path, *, first_only: bool = False) -> dict[str, list[str]]:
    """Return the compiled modules' paths, relative to `root`, by the name of their group.

    A folder is a group, the hottest are one. `first_only`: those of a first tournament, by folder.
    """
    carc = root / "carc"
    hot, hottest = paths(FILES), paths(HOTTEST)
    if missing := [name for name in (*FOLDERS, *hot, *hottest) if not (carc / name).exists()]:
        raise SystemExit(f"carc: build_tools/modules.py names what is not there: {missing}")
    files = [path for folder in FOLDERS for path in (carc / folder).rglob("*.py")]
    chosen = {path.relative_to(carc).as_posix() for path in files if is_compilable(path)}
    groups: dict[str, list[str]] = {}
    for name in sorted(chosen | hot):
        if not (first_only and name.startswith(LATER)):
            folder = name.rpartition("/")[0].replace("/", "_")
            group = folder if first_only or name not in hottest else "hottest"
            groups.setdefault(f"carc_{group}", []).append(f"carc/{name}")
    return groups


def paths(names: dict[str, str]) -> set[str]:
    """Return the files named by folder, relative to `carc`."""
    return {f"{folder}{name}.py" for folder, each in names.items() for name in each.split()}


def is_compilable(path: Path) -> bool:
    """Return whether mypyc compiles this module: no attrs classes, and something to compile."""
    text = path.read_text(encoding="utf-8")
    if path.stem in UNCOMPILED or re.search(r"^@attrs\b", text, re.MULTILINE):
        return False
    defined = ast.FunctionDef | ast.ClassDef
    return path.name != "__init__.py" or any(isinstance(n, defined) for n in ast.parse(text).body)
