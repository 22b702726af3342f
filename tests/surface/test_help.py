"""`help()` of the sources has words for whatever is public, and parameters also when compiled."""

import ast
import inspect
import re
from pathlib import Path

import pytest

import carc
from carc import Action, Deal, Expansion, Rules, State
from carc.commands.bench import is_compiled
from carc.learn.action_codes import ActionCodes
from carc.learn.encoding import Encoding

HOME = Path(carc.__file__).resolve().parent.parent


def source_of(cls: type) -> ast.ClassDef:
    """A class as its source has it, which editors and the documentation read."""
    path = HOME.joinpath(*cls.__module__.split(".")).with_suffix(".py")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    (found,) = (n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == cls.__name__)
    return found


@pytest.mark.parametrize("cls", [State, Rules, Action, Deal, Expansion, Encoding, ActionCodes])
def test_public_methods_and_properties_say_what_they_are(cls: type) -> None:
    mute = []
    for base in (base for base in cls.__mro__ if base.__module__.startswith("carc.")):
        source = source_of(base)
        assert ast.get_docstring(source), f"{base.__name__} says nothing"
        for node in source.body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                above = [getattr(b, node.name, None) for b in base.__mro__[1:]]
                if not ast.get_docstring(node) and not any(above):
                    mute.append(f"{base.__name__}.{node.name}")
    assert mute == []


def test_what_may_be_read_of_a_state_is_told_one_by_one() -> None:
    words = ast.get_docstring(source_of(State)) or ""
    state = Rules.cached("base", 2).start()
    told = re.findall(r"^    (\w+): \S", words, re.MULTILINE)
    assert {*told} >= {
        "rules",
        "board",
        "current_player",
        "active_player",
        "step",
        "scores",
        "expansion_states",
        "bag",
        "tiles_left",
        "tile_in_hand",
        "discarded",
        "journal",
    }
    assert all(hasattr(state, name) for name in told)


def test_parameters_are_those_of_the_source_and_words_where_nothing_is_compiled() -> None:
    assert list(inspect.signature(State.schedule).parameters) == [
        "self",
        "step",
        "player",
        "before",
    ]
    if not is_compiled():
        assert inspect.getdoc(State.copy) == "Return an independent copy, without the journal."
        assert "BASE-19" in (inspect.getdoc(State.winners) or "")
