"""Which tests are near a change."""

from pathlib import Path

import pytest
from tests_near import near

FILES = {
    "carc/__init__.py": "from carc.a.one import One",
    "carc/a/__init__.py": "",
    "carc/a/one.py": "class One: pass",
    "carc/a/two.py": "from carc.a.one import One",
    "carc/b.py": "from carc.a.one import One",
    "carc/c/tower/__init__.py": "",
    "tests/support/__init__.py": "",
    "tests/support/hands.py": "from carc.a.two import One",
    "tests/test_direct.py": "from carc.a.one import One",
    "tests/test_helped.py": "from support.hands import One",
    "tests/test_front.py": "from carc import One",
    "tests/test_elsewhere.py": "import carc.b",
    "tests/c/test_tower.py": "from carc import One",
}


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("carc/a/one.py", ["test_direct", "test_helped"]),
        ("carc/b.py", ["test_elsewhere"]),
        ("carc/c/tower/__init__.py", ["c/test_tower"]),
        ("tests/support/hands.py", ["test_helped"]),
        ("tests/test_front.py", ["test_front"]),
        ("README.md", []),
    ],
)
def test_what_imports_a_change_or_is_named_after_it_is_near(
    path: str, names: list[str], tmp_path: Path
) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert near(tmp_path, [path]) == [f"tests/{name}.py" for name in names]
