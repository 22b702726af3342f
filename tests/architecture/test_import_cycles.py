"""No package is part of an import cycle: neither carc's packages nor the packages inside one."""

from pathlib import Path

import pytest
from support.import_graph import Sources, cycles

ROOT = Path(__file__).resolve().parents[2]


def test_no_package_is_part_of_an_import_cycle() -> None:
    sources = Sources(ROOT, "carc")
    graphs = {package: sources.graph(package) for package in sources.with_subpackages()}
    assert {"carc", "carc.tournaments", "carc.classics"} <= set(graphs)
    assert "carc.base" in graphs["carc"]["carc.bots"] & graphs["carc"]["carc.mists"]
    assert {package: found for package, graph in graphs.items() if (found := cycles(graph))} == {}


@pytest.mark.parametrize(
    "text",
    [
        "from p.b.m import B",
        "import p.b.m",
        "from p import B",  # p passes it on
        "from ..b import m",
        "from ..b.m import B",
        "def late():\n    from p.b.m import B",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from p.b import m",
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

    def graph() -> dict[str, set[str]]:
        for name, content in files.items():
            path = tmp_path / "p" / f"{name}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
        return Sources(tmp_path, "p").graph("p")

    assert graph() == {"p.a": {"p.b"}, "p.b": {"p.c"}, "p.c": set()}
    assert cycles(graph()) == []
    files["c"] = "from p.a import m"
    assert cycles(graph()) == [{"p.a", "p.b", "p.c"}]
