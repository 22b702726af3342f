"""Names of steps, by which positions refer to those on the agenda."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from carc.base.position.instance_attributes import attributes
from carc.base.turn.steps import Step
from carc.errors import BadPosition


class StepNames:
    """The steps that are, or are held by, the steps and expansions of some rules.

    Attributes:
        by_name: Each step by its name.
        names: The names, by number.
    """

    def __init__(self, things: Sequence[object]) -> None:
        self.by_name: Final = steps_within(things)
        self.names: Final = list(self.by_name)
        self._numbers: Final[dict[Step, int]] = {
            step: number for number, step in enumerate(self.by_name.values())
        }

    def find(self, step: Step) -> int | None:
        """Return the number of a step, if it is one of them."""
        return self._numbers.get(step)

    def number(self, step: Step) -> int:
        """Return the number of a step; raise `BadPosition` if it is none of them."""
        number = self._numbers.get(step)
        if number is not None:
            return number
        raise BadPosition(
            f"the step {step.name!r} is on the agenda, but no turn, expansion or step has it as an"
            " attribute: such a position cannot be written"
        )

    def name(self, step: Step) -> str:
        """Return the name of a step; raise `BadPosition` if it is none of them."""
        return self.names[self.number(step)]


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
