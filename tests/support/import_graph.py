"""The import graph of a package, read from its sources.

Imports for types only and imports inside functions count like all others. A name that a package
passes on counts as an import of the module that defines it, unless `fronts` is false.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from pathlib import Path

Graph = dict[str, set[str]]


class Sources:
    """What the modules below a folder of packages import; they may import others that are known."""

    def __init__(
        self, root: Path, package: str, *, fronts: bool = True, known: Collection[str] = ()
    ) -> None:
        self.fronts = fronts
        self.known = known
        self.imports: dict[str, list[ast.Import | ast.ImportFrom]] = {}
        self.packages: set[str] = set()
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            if "templates" in parts:  # what an author starts from, not a part of the program
                continue
            if parts[-1] == "__init__":
                parts = parts[:-1]
                self.packages.add(".".join(parts))
            tree = ast.parse(path.read_text(encoding="utf-8"))
            self.imports[".".join(parts)] = [
                node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)
            ]

    def imported(self, module: str) -> set[str]:
        """Return the modules, of these sources or known, that a module imports."""
        known = {*self.imports, *self.known}
        found = set()
        for node in self.imports[module]:
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

    def graph(self, package: str) -> Graph:
        """Return which of a package's direct parts, packages and modules, import which others."""
        edges: Graph = {}
        depth = package.count(".") + 1

        def part(module: str) -> str | None:
            names = module.split(".")
            inside = module.startswith(f"{package}.")
            return ".".join(names[: depth + 1]) if inside else None

        for module in self.imports:
            if (source := part(module)) is not None:
                targets = {part(other) for other in self.imported(module)}
                edges.setdefault(source, set()).update(t for t in targets if t and t != source)
        return edges

    def with_subpackages(self) -> list[str]:
        """Return the packages that have packages in them."""
        return sorted({name.rpartition(".")[0] for name in self.packages if "." in name})


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
