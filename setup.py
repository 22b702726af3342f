"""Compiles the hot modules with mypyc; without a C compiler the same source runs interpreted."""

import os
import sys
from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).resolve().parent
METADATA_ONLY = {"egg_info", "dist_info", "sdist"}  # commands that need no extension modules


def options() -> dict:
    """Return the arguments of `setup` for compiled modules; none without a compiler."""
    if os.environ.get("CARC_INTERPRETED") or METADATA_ONLY.intersection(sys.argv):
        return {}
    sys.path.insert(0, str(ROOT))
    from build_tools.build_ext import INTERPRETED, BuildExtensions, compiler_missing
    from build_tools.progress import say

    if missing := compiler_missing():
        say(f"{missing}; {INTERPRETED}")
        return {}
    from build_tools.c_sources import extensions

    return {"ext_modules": extensions(ROOT), "cmdclass": {"build_ext": BuildExtensions}}


setup(**options())
