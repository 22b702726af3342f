"""The digest of a class is of the class and of what it uses, and of nothing else in its file."""

import ast
import importlib.util
from pathlib import Path

import pytest

from carc.tournaments.schedule.class_digest import digest, dump

FILE = """
import math

WEIGHT = 3


def helper():
    return WEIGHT


def other():
    return 1


class Base:
    def rank(self):
        return helper()


class Mine(Base):
    def choose(self, state):
        return state.legal_actions()[0]


class Neighbour(Base):
    def choose(self, state):
        return state.legal_actions()[other()]
"""


@pytest.fixture
def of(tmp_path: Path):
    """The digest of a class in a file of this text."""

    def load(text: str, name: str = "Mine") -> str:
        path = tmp_path / "mine.py"
        path.write_text(text)
        spec = importlib.util.spec_from_file_location("mine", path)
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        module_class = getattr(module, name)
        import sys

        sys.modules["mine"] = module
        try:
            return digest(module_class)
        finally:
            del sys.modules["mine"]

    return load


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("legal_actions()[other()]", "legal_actions()[-1]"),  # a neighbour
        ("return 1", "return 2"),  # what only a neighbour uses
        ("import math\n", "import math  # for later\n\n"),  # a comment
    ],
)
def test_what_does_not_matter_changes_nothing(of, before: str, after: str) -> None:
    assert of(FILE.replace(before, after)) == of(FILE)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("return state.legal_actions()[0]", "return state.legal_actions()[-1]"),  # itself
        ("return helper()", "return 2 * helper()"),  # what it inherits
        ("return WEIGHT", "return -WEIGHT"),  # what that calls
        ("WEIGHT = 3", "WEIGHT = 4"),  # what is there for all
        ("    return 1\n", "    return 1\n\n\nhelper = other\n"),  # now everybody depends on it
    ],
)
def test_what_matters_is_another_version(of, before: str, after: str) -> None:
    assert of(FILE.replace(before, after)) != of(FILE)


def test_modules_of_ones_own_count_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside the class, in its package, and what these import from there; nothing else."""
    elsewhere = tmp_path / "elsewhere"
    for file, text in {
        "here/lone.py": "import json, far, near\nfrom team.two import B\n\n\n"
        "class A:\n    x = near\n",
        "here/near.py": "import nearer\n",
        "here/nearer.py": "X = 1\n",
        "here/unused.py": "X = 1\n",
        "here/team/__init__.py": "",
        "here/team/two.py": "from . import three\nimport nearer\n\n\nclass B:\n    x = three\n",
        "here/team/three.py": "from .deep.four import X\n",
        "here/team/deep/__init__.py": "",
        "here/team/deep/four.py": "X = 1\n",
        "elsewhere/far.py": "X = 1\n",
    }.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    monkeypatch.syspath_prepend(str(elsewhere))
    monkeypatch.syspath_prepend(str(tmp_path / "here"))
    lone = importlib.import_module("lone").A
    two = importlib.import_module("team.two").B
    before = digest(lone), digest(two)
    for file, changed in {
        "here/nearer.py": (True, False),  # the package's class is of its package only
        "here/unused.py": (False, False),
        "here/team/three.py": (True, True),
        "here/team/deep/four.py": (True, True),
        "elsewhere/far.py": (False, False),
    }.items():
        text = (tmp_path / file).read_text()
        (tmp_path / file).write_text(text + "Y = 2\n")
        assert (digest(lone) != before[0], digest(two) != before[1]) == changed, file
        (tmp_path / file).write_text(text + "# a remark\n")
        assert (digest(lone), digest(two)) == before


def test_classes_of_one_file_are_told_apart(of) -> None:
    assert of(FILE, "Mine") != of(FILE, "Neighbour")


def test_versions_of_python_agree() -> None:
    """Newer ones have more fields, such as `type_params`, and drop those that are empty."""
    tree = ast.parse(FILE)
    before = dump(tree)
    for node in ast.walk(tree):
        for name, part in list(ast.iter_fields(node)):
            if part is None or part == []:
                delattr(node, name)
    assert dump(tree) == before
    assert dump(ast.parse("x = None")) != dump(ast.parse("x = 0"))
