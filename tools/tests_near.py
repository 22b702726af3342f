"""Print the test files near what changed since `main`, for `make test-near`.

A test is near a changed module if it imports it, or what imports it in the same room (a package of
carc), itself or through `tests/support`; or if it is named after it, as `test_tower.py` is after
`carc/classics/tower`. What is imported by the front of a package, as in `from carc import Rules`,
does not count: everything is near that.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

from support.import_graph import Sources

ROOT = Path(__file__).resolve().parent.parent


def changed() -> list[str]:
    """Return the paths that differ from `main`, committed or not; and those unknown to git."""
    base = _git("merge-base", "HEAD", "main") or ["HEAD"]
    return [*_git("diff", "--name-only", base[0]), *_git("ls-files", "-o", "--exclude-standard")]


def _git(*words: str) -> list[str]:
    ran = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return ran.stdout.splitlines()


def near(root: Path, paths: Iterable[str]) -> list[str]:
    """Return the test files near these paths, sorted."""
    sources = Sources(root, "carc", fronts=False)
    tests = Sources(root / "tests", ".", fronts=False, known=sources.imports)
    names = [Path(path).with_suffix("").parts for path in paths if path.endswith(".py")]
    modules = {".".join(parts).removesuffix(".__init__") for parts in names if parts[0] == "carc"}
    rooms = {module.split(".")[1] for module in modules if "." in module}
    inside = [
        name for name in sources.imports if name.split(".")[1:2] and name.split(".")[1] in rooms
    ]
    wanted = modules | {".".join(parts[1:]) for parts in names if parts[0] == "tests"}
    wanted |= {name for name in inside if sources.imported(name) & modules}
    graph = {name: tests.imported(name) for name in tests.imports}
    while more := {name for name, imports in graph.items() if imports & wanted} - wanted:
        wanted |= more
    alike = {part for parts in names if parts[0] == "carc" for part in parts[2:]} - {"__init__"}
    return [
        f"tests/{name.replace('.', '/')}.py"
        for name in sorted(tests.imports)
        if (own := name.rpartition(".")[2]).startswith("test_")
        and (name in wanted or own.removeprefix("test_") in alike)
    ]


if __name__ == "__main__":
    print(*near(ROOT, changed()), sep="\n")
