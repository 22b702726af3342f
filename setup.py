"""Compiles the hot modules with mypyc at build time; without a C compiler the same source runs interpreted."""

import os
import sys
from pathlib import Path

from setuptools import setup

HOT = [
    "carc/base/actions.py",
    "carc/base/bag.py",
    "carc/base/board.py",
    "carc/base/catalogue.py",
    "carc/base/cells.py",
    "carc/base/codes.py",
    "carc/base/deal.py",
    "carc/base/encoding.py",
    "carc/base/evaluation.py",
    "carc/base/expansion.py",
    "carc/base/figures.py",
    "carc/base/frontier.py",
    "carc/base/game.py",
    "carc/base/games.py",
    "carc/base/given.py",
    "carc/base/kept.py",
    "carc/base/layout.py",
    "carc/base/looks.py",
    "carc/base/outcome.py",
    "carc/base/playout.py",
    "carc/base/position.py",
    "carc/base/position_text.py",
    "carc/base/ranks.py",
    "carc/base/rules.py",
    "carc/base/scoring.py",
    "carc/base/shape.py",
    "carc/base/state.py",
    "carc/base/steps.py",
    "carc/base/vectors.py",
    "carc/base/views.py",
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
