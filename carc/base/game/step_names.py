"""Names of steps, by which positions refer to those on the agenda."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from carc.base.game.attributes import attributes
from carc.base.game.steps import Step
from carc.errors import BadPosition

if TYPE_CHECKING:
    from carc.base.game.state import State


def steps_within(things: Sequence[object]) -> dict[str, Step]:
    """Return the steps that these steps and expansions are or hold, by name.

    The second step of one name is called NAME~2.
    """
    steps: dict[str, Step] = {}
    seen: list[object] = []
    waiting = list(things)
    waiting.reverse()
    while waiting:
        thing = waiting.pop()
        if any(thing is each for each in seen):
            continue
        seen.append(thing)
        if isinstance(thing, Step):
            steps[_unused_name(thing, steps)] = thing
        waiting.extend(reversed(_steps_held(thing)))
    return steps


def _unused_name(step: Step, steps: dict[str, Step]) -> str:
    plain = step.name.replace(" ", "_")
    name, n = plain, 1
    while name in steps:
        n += 1
        name = f"{plain}~{n}"
    return name


def _steps_held(thing: object) -> list[Step]:
    """Return the steps among an object's attributes, and in its lists, tuples and dicts."""
    steps: list[Step] = []
    for value in attributes(thing).values():
        items: list[object] = [value]
        if isinstance(value, (list, tuple)):
            items = list(value)
        elif isinstance(value, dict):
            items = list(value.values())
        for item in items:
            if isinstance(item, Step):
                steps.append(item)
    return steps


def step_number(state: State, step: Step) -> int:
    """Return the index of a step in `Rules.steps`.

    Raises:
        BadPosition: The rules hold no such step.
    """
    number = state.rules._step_numbers.get(step)
    if number is not None:
        return number
    raise BadPosition(
        f"the step {step.name!r} is on the agenda, but no turn, expansion or step has it as an"
        " attribute: such a position cannot be written"
    )


def step_name(state: State, step: Step) -> str:
    """Return the name of a step.

    Raises:
        BadPosition: The rules hold no such step.
    """
    return state.rules._step_names[step_number(state, step)]
