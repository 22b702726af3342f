"""Which modules are compiled, and what their C depends on."""

from pathlib import Path

from build_tools.modules import HOTTEST, compiled_modules, read_by

ROOT = Path(__file__).parents[2]
MODULES = compiled_modules(ROOT)


def test_the_hottest_modules_are_compiled_first() -> None:
    first = compiled_modules(ROOT, first_only=True)
    hottest = [name for names in HOTTEST.values() for name in names]
    assert len(set(hottest)) == len(hottest)
    assert set(hottest) < set(first) < set(MODULES)
    assert "carc/mists/game.py" in set(MODULES) - set(first)


def test_attrs_classes_and_bare_packages_are_not_compiled() -> None:
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in MODULES}
    assert [name for name, text in texts.items() if "\n@attrs." in text] == []
    assert "carc/base/game/__init__.py" not in MODULES


def test_a_page_or_a_document_changes_no_c() -> None:
    read = {path.relative_to(ROOT).as_posix() for path in read_by(ROOT, MODULES)}
    assert set(MODULES) <= read
    assert "carc/errors.py" in read  # its classes are raised by compiled modules
    assert [name for name in read if not name.endswith(".py")] == []
    assert [name for name in read if name.startswith(("carc/web/", "carc/commands/"))] == []


def test_what_is_imported_relatively_is_read(tmp_path: Path) -> None:
    for name, text in {
        "carc/__init__.py": "",
        "carc/a/__init__.py": "from . import near\n",
        "carc/a/near.py": "from ..b import far\n",
        "carc/b/__init__.py": "",
        "carc/b/far.py": "import os\n",
        "carc/b/other.py": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    read = read_by(tmp_path, ["carc/a/__init__.py"])
    names = ["carc/__init__.py", "carc/a/__init__.py", "carc/a/near.py"]
    assert read == [tmp_path / name for name in [*names, "carc/b/__init__.py", "carc/b/far.py"]]
