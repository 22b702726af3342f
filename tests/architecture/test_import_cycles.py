"""Who imports whom: nothing in a circle, and folders as their docstrings say.

Only an import for types may run in a circle, where two classes need each other: those are listed.
The docstring of a folder's `__init__` says what lives there, who may call it and what it may
import. It names the folders and modules beside it, or those of `carc`; what is general names no
expansion. Modules that lie in no folder, such as `carc.errors`, may be imported by all.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from support.import_graph import Graph, Sources, cycles, without

ROOT = Path(__file__).resolve().parents[2]

IS_CALLED = "`State` calls it with itself"
# By class, which modules below its own name it in their types, and why.
FOR_TYPES = {
    "carc.base.game.state.State": {
        "carc.base.turn.actions": "an action is performed on a state, which lists its actions",
        "carc.base.turn.choices": "choices are made on a state, which keeps them",
        "carc.base.turn.steps": "a step changes a state, whose agenda holds it",
        "carc.base.turn.adjacent": "what is chosen is done to a state",
        "carc.base.turn.exchanges": "where a tile fits, a state is asked",
        "carc.base.turn.verbs": "what is chosen is done to a state",
        "carc.base.turn.bag": "a state is a bag; what may be drawn, its expansions say",
        "carc.base.turn.scoring": "points are asked of a state, which keeps the journal",
        "carc.base.position.expansion_state": "it is written by places of the state it is in",
        "carc.base.position.field_converters": "values are written by the places of a state",
        "carc.base.position.restoring": "`State.from_text` reads by it",
        "carc.base.expansions.estimates": "what may be expected of a state",
        "carc.base.expansions.expansion": "hooks are asked of a state, which begins with `setup`",
        "carc.base.position.state_data": IS_CALLED,
        "carc.base.position.state_key": IS_CALLED,
        "carc.base.position.state_text": IS_CALLED,
        "carc.base.game.outcome": IS_CALLED,
        "carc.base.game.hidden": IS_CALLED,
    },
    "carc.base.game.rules.Rules": {
        "carc.base.turn.actions": "an action is pickled with the rules that read it again",
        "carc.base.turn.verbs": "a verb reads and writes the words of its rules",
        "carc.base.position.restoring": "it is told how rules are made, which start its states",
        "carc.base.expansions.expansion": "rules bind their expansions",
        "carc.base.game.chance": "rules deal by it",
        "carc.base.game.notation": "`Rules.parse` reads by it",
        "carc.base.game.hidden": "rules look by it whether they hide something",
        "carc.base.game.outcome": "whether rules are a team's, `State` is asked of",
        "carc.base.game.state": "a state has rules, which start states",
    },
    "carc.expansion_ghosts.competitive.Ghosts": {
        "carc.expansion_ghosts.steps": "a step holds the expansion that makes it"
    },
}
EXPANSIONS = {"classics", "expansion_ghosts", "mists", "spellcircles"}


@cache
def sources() -> Sources:
    return Sources(ROOT, "carc")


@cache
def modules() -> Graph:
    return sources().modules()


@cache
def for_types() -> dict[tuple[str, str], str]:
    """The imports for types that may run in a circle, each with the reason."""
    listed = {
        (module, name.rpartition(".")[0]): reason
        for name, by in FOR_TYPES.items()
        for module, reason in by.items()
    }
    for module in sources().imports:
        package = module.rpartition(".")[0]
        if package.startswith("carc.classics."):
            listed[module, package] = "the parts of an expansion hold the expansion that makes them"
    return listed


def circles(imports: Graph) -> list[set[str]]:
    """All cycles: of modules, and of the parts of each package."""
    graphs = [sources().graph(package, imports) for package in sources().with_subpackages()]
    return [circle for graph in (imports, *graphs) for circle in cycles(graph)]


def test_nothing_is_imported_in_a_circle_when_carc_runs() -> None:
    assert circles(sources().modules(types=False)) == []


def test_nothing_is_imported_in_a_circle_for_types_but_what_is_listed() -> None:
    assert circles(without(modules(), for_types())) == []


@pytest.mark.parametrize("name", FOR_TYPES)
def test_each_import_listed_is_needed(name: str) -> None:
    home = name.rpartition(".")[0]
    for module in FOR_TYPES[name]:
        others = {edge for edge in for_types() if edge != (module, home)}
        assert home in modules()[module], f"{module} does not import {name}"
        assert circles(without(modules(), others)), f"{module} may import {name} unlisted"


def test_packages_are_found() -> None:
    assert {"carc", "carc.base", "carc.tournaments"} <= set(sources().with_subpackages())
    graph = sources().graph("carc")
    assert "carc.base" in graph["carc.bots"] & graph["carc.mists"]


# -- folders ---------------------------------------------------------------------------------------


def folders() -> Iterator[str]:
    """All folders but `carc`, and those of single expansions, which speak of their rules."""
    for package in sorted(sources().packages - {"carc"}):
        if not package.startswith("carc.classics."):
            yield package


def is_in(module: str, folder: str) -> bool:
    return module == folder or module.startswith(f"{folder}.")


def seen_from(folder: str, module: str) -> str:
    """The folder or module that a module lies in, beside a folder or beside one above it."""
    names, own = module.split("."), folder.split(".")
    shared = 0
    while shared < len(own) and names[shared : shared + 1] == own[shared : shared + 1]:
        shared += 1
    return ".".join(names[: shared + 1])


def called(place: str) -> str:
    """How a docstring calls a folder or module."""
    name = place.rpartition(".")[2]
    return "the expansions" if name in EXPANSIONS else name


def said(folder: str, label: str) -> set[str]:
    """The names on a line of a folder's docstring, which may go on, indented."""
    doc = sources().docstrings[folder]
    (names,) = re.findall(rf"^{label}: ((?:.|\n +)+)\.$", doc, re.MULTILINE)
    return set(re.split(r",\s+", names))


def crossings(folder: str, imports: Graph) -> tuple[set[str], set[str]]:
    """Who calls a folder, and which folders it imports."""
    callers, imported = set(), set()
    for module, others in imports.items():
        for other in others:
            if is_in(other, folder) and not is_in(module, folder):
                callers.add(called(seen_from(folder, module)))
            place = seen_from(folder, other)
            is_out = is_in(module, folder) and not is_in(other, folder)
            if is_out and place in sources().packages - {"carc"}:
                imported.add(called(place))
    return callers, imported


def test_folders_import_and_are_called_as_they_say() -> None:
    imports = without(modules(), for_types())
    wrong = {}
    for folder in folders():
        callers, imported = crossings(folder, imports)
        if said(folder, "Imports") != (imported or {"nothing"}):
            wrong[folder, "Imports"] = imported
        if said(folder, "Called by") not in ({"anybody"}, callers or {"nobody"}):
            wrong[folder, "Called by"] = callers
    assert wrong == {}


# -- how imports are read --------------------------------------------------------------------------

TYPES = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from p.b import m"


@pytest.mark.parametrize(
    "text",
    [
        "from p.b.m import B",
        "import p.b.m",
        "from p import B",  # p passes it on
        "from ..b import m",
        "from ..b.m import B",
        "def late():\n    from p.b.m import B",
        "if not TYPE_CHECKING:\n    from p.b import m",
        "if TYPE_CHECKING:\n    pass\nelse:\n    from p.b import m",
        TYPES,
    ],
)
def test_every_kind_of_import_counts(tmp_path: Path, text: str) -> None:
    files = {
        "__init__": "from p.b.m import B",
        "a/__init__": "",
        "a/m": text,
        "b/__init__": "",
        "b/m": "from p.c import C\nclass B: pass",
        "c": "class C: pass",
    }

    def read() -> Sources:
        for name, content in files.items():
            path = tmp_path / "p" / f"{name}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        return Sources(tmp_path, "p")

    graph = read().graph("p")
    assert graph == {"p.a": {"p.b"}, "p.b": {"p.c"}, "p.c": set()}
    assert cycles(graph) == []
    assert ("p.b.m" in read().modules(types=False)["p.a.m"]) == (text != TYPES)
    files["c"] = "from p.a import m"
    assert cycles(read().graph("p")) == [{"p.a", "p.b", "p.c"}]
