"""Compiles the hot modules with mypyc at build time; without a C compiler the same source runs interpreted."""

import os
import sys
from pathlib import Path

from setuptools import setup

HOT = [
    "carc/base/game/actions.py",
    "carc/base/game/bag.py",
    "carc/base/board/board.py",
    "carc/base/tiles/catalogue.py",
    "carc/base/cells.py",
    "carc/learn/codes.py",
    "carc/base/game/chance.py",
    "carc/learn/encoding.py",
    "carc/base/evaluation/evaluation.py",
    "carc/base/game/expansion.py",
    "carc/base/board/followers.py",
    "carc/base/evaluation/frontier.py",
    "carc/base/game/base_game.py",
    "carc/learn/games.py",
    "carc/base/validation.py",
    "carc/base/game/expansion_data.py",
    "carc/base/board/layout.py",
    "carc/base/game/queries.py",
    "carc/base/game/outcome.py",
    "carc/base/game/playout.py",
    "carc/base/game/position.py",
    "carc/base/game/position_text.py",
    "carc/base/board/candidates.py",
    "carc/base/game/rules.py",
    "carc/base/game/scoring.py",
    "carc/base/game/schema.py",
    "carc/base/game/state.py",
    "carc/base/game/steps.py",
    "carc/base/board/vectors.py",
    "carc/base/game/views.py",
    "carc/bots/expectimax.py",
    "carc/bots/judge.py",
    "carc/bots/planning.py",
    "carc/bots/playouts.py",
    "carc/bots/random.py",
    "carc/bots/uct.py",
    "carc/classics/abbot/__init__.py",
    "carc/classics/box.py",
    "carc/classics/crops/__init__.py",
    "carc/classics/dragon/__init__.py",
    "carc/classics/festival/__init__.py",
    "carc/classics/figures.py",
    "carc/classics/flier/__init__.py",
    "carc/classics/gold/__init__.py",
    "carc/classics/hills/__init__.py",
    "carc/classics/inns/__init__.py",
    "carc/classics/king/__init__.py",
    "carc/classics/mage/__init__.py",
    "carc/classics/rivals.py",
    "carc/classics/river/__init__.py",
    "carc/classics/traders/__init__.py",
    "carc/expansion_ghosts/competitive.py",
    "carc/expansion_ghosts/mist.py",
    "carc/mists/actions.py",
    "carc/mists/claiming.py",
    "carc/mists/face_down.py",
    "carc/mists/game.py",
    "carc/mists/haunting.py",
    "carc/mists/hounds.py",
    "carc/mists/levels.py",
    "carc/mists/placing.py",
    "carc/mists/prospects.py",
    "carc/mists/scoring.py",
    "carc/mists/slice.py",
    "carc/mists/step.py",
    "carc/mists/track.py",
    "carc/mists/unseen.py",
    "carc/match/moves.py",
    "carc/match/referee.py",
    "carc/spellcircles/circles.py",
    "carc/spellcircles/competitive.py",
    "carc/spellcircles/cooperative.py",
    "carc/tournaments/columns.py",
    "carc/tournaments/games.py",
    "carc/tournaments/keys.py",
    "carc/tournaments/outcome.py",
    "carc/tournaments/player.py",
    "carc/tournaments/playing.py",
]

UNCOMPILED = {"egg_info", "dist_info", "sdist"}  # commands that need no extension modules


def extensions() -> list:
    """The extension modules; none where CARC_INTERPRETED is set, nor for metadata alone. A failing C compiler leaves them out."""
    if os.environ.get("CARC_INTERPRETED") or UNCOMPILED.intersection(sys.argv):
        return []
    sys.path.insert(0, str(Path(__file__).parent))
    from mypyc.build import mypycify

    from compiled_docs import write_into

    modules = mypycify([*HOT, "--strict", "--ignore-missing-imports"], opt_level="3")
    for source in {source for module in modules for source in module.sources}:
        write_into(Path(source), HOT)
    for module in modules:
        module.optional = True
        if sys.platform != "win32":
            # Their functions are called by one another alone: directly then, and some are taken in line.
            module.extra_compile_args.append("-fvisibility=hidden")
    return modules


setup(ext_modules=extensions())
