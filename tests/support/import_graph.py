"""The import graph of a package, read from its sources.

Imports inside functions count like all others; those for types only can be left out. A name that
a package passes on counts as an import of the module that defines it, unless `fronts` is false.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from pathlib import Path

Graph = dict[str, set[str]]
Import = ast.Import | ast.ImportFrom


class Sources:
    """What the modules below a folder of packages import; they may import others that are known."""

    def __init__(
        self, root: Path, package: str, *, fronts: bool = True, known: Collection[str] = ()
    ) -> None:
        self.fronts = fronts
        self.known = known
        self.imports: dict[str, list[Import]] = {}
        self.at_run_time: dict[str, list[Import]] = {}
        self.docstrings: dict[str, str] = {}
        self.packages: set[str] = set()
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            if "templates" in parts:  # what an author starts from, not a part of the program
                continue
            if parts[-1] == "__init__":
                parts = parts[:-1]
                self.packages.add(".".join(parts))
            tree = ast.parse(path.read_text(encoding="utf-8"))
            module = ".".join(parts)
            self.imports[module] = [*imports_in(tree)]
            self.at_run_time[module] = [*imports_in(tree, types=False)]
            self.docstrings[module] = ast.get_docstring(tree) or ""

    def imported(self, module: str, *, types: bool = True) -> set[str]:
        """Return the modules, of these sources or known, that a module imports.

        `types`: also those that it imports for types only.
        """
        known = {*self.imports, *self.known}
        found = set()
        for node in (self.imports if types else self.at_run_time)[module]:
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            else:
                base = self._base(module, node)
                found |= {self._definer(base, alias.name) for alias in node.names}
        return (found & known) - {module}

    def _base(self, module: str, node: ast.ImportFrom) -> str:
        """Return the module that a `from ... import` names, relative ones made absolute."""
        if not node.level:
            return node.module or ""
        parts = module.split(".")
        above = parts[: len(parts) - node.level + (module in self.packages)]
        return ".".join([*above, *([node.module] if node.module else [])])

    def _definer(self, base: str, name: str) -> str:
        """Return the module in which a name is defined that `base` has or passes on."""
        if f"{base}.{name}" in self.imports or f"{base}.{name}" in self.known:
            return f"{base}.{name}"
        if base in self.packages and self.fronts:
            for node in self.imports[base]:
                if isinstance(node, ast.ImportFrom):
                    for alias in node.names:
                        if (alias.asname or alias.name) == name:
                            return self._definer(self._base(base, node), alias.name)
        return base

    def modules(self, *, types: bool = True) -> Graph:
        """Return which modules import which others."""
        return {module: self.imported(module, types=types) for module in self.imports}

    def graph(self, package: str, modules: Graph | None = None) -> Graph:
        """Return which of a package's direct parts, packages and modules, import which others.

        `modules`: the imports that count; by default all.
        """
        edges: Graph = {}
        depth = package.count(".") + 1

        def part(module: str) -> str | None:
            names = module.split(".")
            inside = module.startswith(f"{package}.")
            return ".".join(names[: depth + 1]) if inside else None

        for module, imported in (modules or self.modules()).items():
            if (source := part(module)) is not None:
                targets = {part(other) for other in imported}
                edges.setdefault(source, set()).update(t for t in targets if t and t != source)
        return edges

    def with_subpackages(self) -> list[str]:
        """Return the packages that have packages in them."""
        return sorted({name.rpartition(".")[0] for name in self.packages if "." in name})


def imports_in(tree: ast.AST, *, types: bool = True) -> Iterator[Import]:
    """The imports of a module, also those inside functions; `types`: also those for types only."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Import):
            yield node
        elif not types and isinstance(node, ast.If) and is_for_types(node.test):
            waiting += node.orelse
        else:
            waiting += ast.iter_child_nodes(node)


def is_for_types(test: ast.expr) -> bool:
    """Whether a condition holds for type checkers alone."""
    return ast.unparse(test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def without(graph: Graph, edges: Collection[tuple[str, str]]) -> Graph:
    """A graph less some edges."""
    return {
        node: {other for other in others if (node, other) not in edges}
        for node, others in graph.items()
    }


def cycles(graph: Graph) -> list[set[str]]:
    """Return the groups of nodes that reach each other."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            for other in graph.get(waiting.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return seen

    reach = {node: reached(node) for node in graph}
    groups: list[set[str]] = []
    for node in graph:
        if node in reach[node] and not any(node in group for group in groups):
            groups.append({other for other in reach[node] if node in reach.get(other, ())})
    return groups
