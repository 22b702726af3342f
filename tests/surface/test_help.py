"""`help()` speaks, compiled or not: words and parameters of whatever is public."""

import inspect
import re
import types

import pytest

import carc
from carc import Action, Deal, Expansion, Rules, State
from carc.commands.bench import is_compiled
from carc.learn.action_codes import ActionCodes
from carc.learn.encoding import Encoding


@pytest.mark.parametrize("cls", [State, Rules, Action, Deal, Expansion, Encoding, ActionCodes])
def test_public_methods_and_properties_say_what_they_are(cls: type) -> None:
    assert inspect.getdoc(cls)
    for base in cls.__mro__[:-1]:
        for name, value in vars(base).items():
            if name.startswith("_") or isinstance(value, types.MemberDescriptorType):
                continue
            if callable(value):
                assert inspect.getdoc(getattr(cls, name)), f"{cls.__name__}.{name} says nothing"


def test_what_may_be_read_of_a_state_is_told_one_by_one() -> None:
    words = inspect.getdoc(State) or ""
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
    if is_compiled():
        assert (inspect.getdoc(vars(State)["current_player"]) or "").startswith("Who is to decide")


def test_words_and_parameters_are_those_of_the_source() -> None:
    assert inspect.getdoc(State.copy) == "Return an independent copy, without the journal."
    assert list(inspect.signature(State.schedule).parameters) == [
        "self",
        "step",
        "player",
        "before",
    ]
    assert "BASE-19" in (inspect.getdoc(State.winners) or "")
    assert (inspect.getdoc(carc.playout) or "").startswith("Play `state` to its end")
