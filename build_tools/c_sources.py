"""The C of the compiled modules: from mypyc, with docstrings, kept until its sources change."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from setuptools import Extension

from build_tools.declarations import UNDECLARED_IS_AN_ERROR, localize
from build_tools.docstrings import known_as, write_into
from build_tools.modules import HOTTEST, compiled_modules, read_by
from build_tools.progress import say

FOLDER = Path("build/c")
HOT_UNIT = FOLDER / "hottest.c"
GROUP = "carc"  # names the shared library, carc__mypyc
FIELDS = ("name", "sources", "include_dirs", "depends", "extra_compile_args")


def extensions(root: Path) -> list[Extension]:
    """Return the extension modules, with their C written; run in the project's folder."""
    modules = compiled_modules(root)
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

    made: list[Extension] = mypycify(
        [*modules, "--strict", "--ignore-missing-imports"],
        opt_level="2",
        debug_level="0",
        multi_file=True,
        target_dir=str(FOLDER),
        group_name=GROUP,
    )
    main_file = FOLDER / f"__native_{GROUP}.c"
    sources = sorted(Path(source) for extension in made for source in extension.sources)
    written = [path for path in sources if path.name.startswith("__native_")]
    of_modules = [path for path in written if path != main_file]
    localize(main_file, of_modules, FOLDER / f"__native_internal_{GROUP}.h")
    known = known_as(modules)
    for source in sources:
        write_into(source, known)
    _unite(made)
    for extension in made:
        if sys.platform != "win32":
            # The modules call each other directly. A warning of a newer compiler stops no build.
            extension.extra_compile_args += ["-fvisibility=hidden", "-Wno-error"]
        kind = "msvc" if sys.platform == "win32" else "unix"
        extension.extra_compile_args += UNDECLARED_IS_AN_ERROR[kind]
    return made


def _unite(extensions: Sequence[Extension]) -> None:
    """Put mypyc's runtime and the hottest modules into one C file, where calls are inlined."""
    from mypyc.common import RUNTIME_C_FILES

    for extension in extensions:
        sources = [Path(source) for source in extension.sources]
        runtime = [
            path for path in sources if path.parent == FOLDER and path.name in RUNTIME_C_FILES
        ]
        if not runtime:
            continue
        names = {
            f"__native_{module.removesuffix('.py').replace('/', '___')}.c" for module in HOTTEST
        }
        parts = sorted(runtime) + sorted(path for path in sources if path.name in names)
        text = "\n".join(path.read_text(encoding="utf-8") for path in parts)
        HOT_UNIT.write_text(text, encoding="utf-8")
        extension.sources = [str(path) for path in sources if path not in parts] + [str(HOT_UNIT)]


def options_of(source: str) -> list[str]:
    """Return compiler options for one C file, after those of its extension."""
    return ["-O3"] if Path(source) == HOT_UNIT and sys.platform != "win32" else []


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


def is_generated(source: str) -> bool:
    """Return whether the C includes headers of `FOLDER`, as all but the modules' stubs does."""
    return any(line.startswith('#include "__native') for line in _head(source))


def _head(source: str) -> list[Any]:
    with Path(source).open(encoding="utf-8") as text:
        return [next(text, "") for _ in range(40)]
