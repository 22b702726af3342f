"""The C of the compiled modules: from mypyc, with docstrings, kept until its sources change."""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from setuptools import Extension

from build_tools.declarations import UNDECLARED_IS_AN_ERROR, localize
from build_tools.docstrings import known_as, write_into
from build_tools.modules import HOTTEST, compiled_modules, read_by
from build_tools.progress import say

FOLDER = Path("build/c")
GROUP = "carc"  # names the shared library, carc__mypyc
MAIN_FILE = FOLDER / f"__native_{GROUP}.c"  # runs once, to fill the literals
# What defines the classes of a module runs once, too.
TOP_LEVEL = re.compile(r"^(?=char CPyDef_\w+_____top_level__\(void\) \{$)", re.MULTILINE)
ONCE = """#if defined(__GNUC__) && !defined(__clang__)
#define ONCE __attribute__((optimize("O0")))
#else
#define ONCE
#endif
"""
if sys.platform == "win32":
    OPTIONS = UNDECLARED_IS_AN_ERROR["msvc"]
else:
    # The modules call each other directly. A warning of a newer compiler stops no build.
    OPTIONS = ["-fvisibility=hidden", "-Wno-error", *UNDECLARED_IS_AN_ERROR["unix"]]
FIELDS = ("name", "sources", "include_dirs", "depends", "extra_compile_args")


def extensions(root: Path) -> list[Extension]:
    """Return the extension modules, with their C written; run in the project's folder."""
    modules = compiled_modules(root, first_only=os.environ.get("CARC_COMPILE") == "first")
    key = _key(root, modules)
    kept = FOLDER / "extensions.json"
    if kept.is_file():
        known = json.loads(kept.read_text(encoding="utf-8"))
        if known["key"] == key:
            return [Extension(**fields) for fields in known["extensions"]]
        kept.unlink()
    say(f"translating {len(modules)} modules to C")
    made = _translate(modules)
    fields = [{name: getattr(extension, name) for name in FIELDS} for extension in made]
    kept.write_text(json.dumps({"key": key, "extensions": fields}), encoding="utf-8")
    return made


def _translate(modules: Sequence[str]) -> list[Extension]:
    from mypyc.build import mypycify

    with redirect_stdout(StringIO()) as said:  # warnings about speed among it, of no use to users
        try:
            made: list[Extension] = mypycify(
                [*modules, "--strict", "--ignore-missing-imports"],
                opt_level="1",
                debug_level="0",
                multi_file=True,
                target_dir=str(FOLDER),
                group_name=GROUP,
            )
        except SystemExit:
            sys.stderr.write(said.getvalue())
            raise
    sources = sorted(Path(source) for extension in made for source in extension.sources)
    written = [path for path in sources if path.name.startswith("__native_")]
    of_modules = [path for path in written if path != MAIN_FILE]
    localize(MAIN_FILE, of_modules, FOLDER / f"__native_internal_{GROUP}.h")
    known = known_as(modules)
    for source in sources:
        write_into(source, known)
    _unite(made)
    for extension in made:
        extension.extra_compile_args = [*extension.extra_compile_args, *OPTIONS]
    return made


def _unite(extensions: Sequence[Extension]) -> None:
    """Put the hottest modules and mypyc's runtime into a few C files, where calls are inlined."""
    from mypyc.common import RUNTIME_C_FILES

    for extension in extensions:
        sources = {Path(source) for source in extension.sources}
        runtime = sources & {FOLDER / name for name in RUNTIME_C_FILES}
        if not runtime:
            continue
        for unit, modules in HOTTEST.items():
            parts = sorted(runtime) + sorted(sources & set(map(_c_file, modules)))
            sources.difference_update(parts)
            runtime = set()
            text = "\n".join(path.read_text(encoding="utf-8") for path in parts)
            path = FOLDER / f"{unit}.c"
            path.write_text(ONCE + TOP_LEVEL.sub("ONCE ", text), encoding="utf-8")
            sources.add(path)
        extension.sources = sorted(map(str, sources))


def _c_file(module: str) -> Path:
    return FOLDER / f"__native_{module.removesuffix('.py').replace('/', '___')}.c"


def options_of(source: str) -> list[str]:
    """Return compiler options for one C file, after those of its extension."""
    path = Path(source)
    if sys.platform == "win32":
        return []
    if path == MAIN_FILE:
        return ["-O0"]
    return ["-O3"] if path.stem in HOTTEST else []


def _key(root: Path, modules: Sequence[str]) -> str:
    import mypy.version

    tools = sorted(Path(__file__).parent.glob("*.py"))
    digest = hashlib.sha256(f"{sys.version} {mypy.version.__version__} {modules}".encode())
    for path in [*read_by(root, modules), *tools, root / "pyproject.toml"]:
        digest.update(path.as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def headers_digest() -> str:
    """Return a digest of all headers mypyc wrote, which every module's C includes."""
    digest = hashlib.sha256()
    for path in sorted(FOLDER.rglob("*.h")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def includes_headers(c_code: str) -> bool:
    """Return whether C code includes headers of `FOLDER`, as all but the modules' stubs does.

    Where modules are united, what they include comes late.
    """
    return '#include "__native' in c_code
