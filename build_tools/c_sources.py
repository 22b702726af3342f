"""The C of the compiled modules: written by mypyc, given docstrings, kept while its sources last."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from setuptools import Extension

from build_tools.docstrings import known_as, write_into
from build_tools.modules import compiled_modules, read_by
from build_tools.progress import say

FOLDER = Path("build/c")
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
    )
    known = known_as(modules)
    for source in sorted({source for extension in made for source in extension.sources}):
        write_into(Path(source), known)
    for extension in made:
        if sys.platform != "win32":
            # The modules call each other directly. A warning of a newer compiler stops no build.
            extension.extra_compile_args += ["-fvisibility=hidden", "-Wno-error"]
    return made


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
