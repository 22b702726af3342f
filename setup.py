"""Compiles the hot modules with mypyc; without a C compiler the same source runs interpreted."""

import os
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError, ExecError, LinkError, PlatformError

ROOT = Path(__file__).resolve().parent
METADATA_ONLY = {"egg_info", "dist_info", "sdist"}  # commands that need no extension modules
sys.path.insert(0, str(ROOT))
from build_tools.modules import c_compiler, compiled_groups, say  # noqa: E402


class BuildExtensions(build_ext):
    """The command `build_ext`, which leaves all modules interpreted if the compiler fails."""

    def run(self) -> None:
        """Compile what changed, and remove what was built of modules that are there no more."""
        try:
            super().run()
        except (CompileError, LinkError, ExecError, PlatformError) as error:
            say(f"the C compiler failed ({error}); carc will run interpreted, 30 times slower")
            self.extensions = []
        wanted = {Path(self.get_ext_fullpath(extension.name)) for extension in self.extensions}
        built = Path(self.build_lib)
        suffix = Path(self.get_ext_filename("any")).name.removeprefix("any")
        if not self.inplace:
            gone = [m for m in built.rglob("*.py") if not (ROOT / m.relative_to(built)).exists()]
            for file in (*gone, *(set(built.rglob(f"*{suffix}")) - wanted)):
                file.unlink()


def extensions() -> list[Extension]:
    """Return the extension modules, with their C written."""
    from mypyc.build import mypycify

    groups = compiled_groups(ROOT, first_only=os.environ.get("CARC_COMPILE") == "first")
    modules = [module for group in groups.values() for module in group]
    say(f"translating {len(modules)} modules to C, then compiling what changed")
    with redirect_stdout(StringIO()) as said:  # warnings about speed among it, of no use to users
        try:
            made = mypycify(
                # Without mypy's cache, from which mypyc 2.4 reads some classes back incomplete.
                [*modules, "--strict", "--ignore-missing-imports", f"--cache-dir={os.devnull}"],
                debug_level="0",
                separate=[(group, name) for name, group in groups.items()],
                target_dir="build/c",
            )
        except SystemExit:
            sys.stderr.write(said.getvalue())
            raise
    made.sort(key=lambda extension: "hottest" not in extension.name)  # which takes longest
    for extension in made if sys.platform != "win32" else ():
        # Calls within a group are direct. A warning of a newer compiler stops no build.
        hot = "hottest" in extension.name or "carc_learn" in extension.name
        added = ["-fvisibility=hidden", "-Wno-error", "-O3" if hot else "-O1"]
        extension.extra_compile_args = [*extension.extra_compile_args, *added]
    return made


def options() -> dict:
    """Return the arguments of `setup` for compiled modules; none without a compiler."""
    if os.environ.get("CARC_INTERPRETED") or METADATA_ONLY.intersection(sys.argv):
        return {}
    if not c_compiler():
        say("no C compiler (CC names one); carc will run interpreted, 30 times slower")
        return {}
    parallel = {"parallel": int(os.environ.get("CARC_CORES", "0")) or os.cpu_count()}
    made = {"ext_modules": extensions(), "cmdclass": {"build_ext": BuildExtensions}}
    return {**made, "options": {"build_ext": parallel}}


setup(**options())
