"""Which modules are compiled, and that carc runs without a compiler."""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from build_tools.modules import compiled_groups

ROOT = Path(__file__).parents[2]


@cache
def groups() -> dict[str, list[str]]:
    return compiled_groups(ROOT)


def test_a_first_tournament_compiles_folders_alone() -> None:
    """So nothing is compiled again when the rest is."""
    first = compiled_groups(ROOT, first_only=True)
    of_all = {module for modules in groups().values() for module in modules}
    assert of_all > {module for modules in first.values() for module in modules}
    assert all(len({Path(module).parent for module in each}) == 1 for each in first.values())
    assert "carc/base/board/arrays.py" in first["carc_base_board"]
    assert "carc_mists" in set(groups()) - set(first)


def test_every_module_is_in_one_group() -> None:
    modules = [module for group in groups().values() for module in group]
    assert len(set(modules)) == len(modules)
    assert all((ROOT / module).is_file() for module in modules)


def test_attrs_classes_and_bare_packages_are_not_compiled() -> None:
    modules = {module for group in groups().values() for module in group}
    texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in modules}
    assert [name for name, text in texts.items() if "\n@attrs." in text] == []
    assert "carc/base/game/__init__.py" not in modules


def test_without_a_compiler_a_sentence_says_so_and_carc_is_built_interpreted(
    tmp_path: Path,
) -> None:
    for name in ("carc", "build_tools"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("*.so"))
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    ran = subprocess.run(
        [sys.executable, "setup.py", "-q", "build"],
        cwd=tmp_path,
        env={**os.environ, "CC": "no-such-compiler"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "carc: no C compiler (CC names one); carc will run interpreted" in ran.stderr
    assert (tmp_path / "build" / "lib" / "carc" / "base" / "game" / "state.py").is_file()
