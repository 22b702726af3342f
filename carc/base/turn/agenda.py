"""The agenda: the steps that wait, as a linked list whose frozen items copies of a state share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

from carc.base.turn.steps import CHANCE, Step


@final
class AgendaItem:
    """A step on the agenda, who decides in it, and what comes after. Frozen; copies share it."""

    def __init__(self, step: Step, player: int, after: AgendaItem | None) -> None:
        self.step: Final = step
        self.player: Final = player
        self.after: Final = after


def first_item(steps: Sequence[Step], player: int) -> AgendaItem:
    """Return the first item of an agenda of these steps, for a player and for chance."""
    *rest, last = steps
    item = AgendaItem(last, CHANCE if last.by_chance else player, None)
    for step in reversed(rest):
        item = AgendaItem(step, CHANCE if step.by_chance else player, item)
    return item


def items_from(top: AgendaItem | None) -> list[AgendaItem]:
    """Return the items of an agenda, the next one first."""
    items: list[AgendaItem] = []
    while top is not None:
        items.append(top)
        top = top.after
    return items


def put_on_top(items: Sequence[AgendaItem], rest: AgendaItem | None) -> AgendaItem | None:
    """Return the agenda on which these items come before the rest."""
    for item in reversed(items):
        rest = AgendaItem(item.step, item.player, rest)
    return rest


def put_before(item: AgendaItem, before: Step, top: AgendaItem | None) -> AgendaItem:
    """Return the agenda with an item right before a step; last if that step does not wait."""
    if top is None or top.step is before:
        return AgendaItem(item.step, item.player, top)
    return AgendaItem(top.step, top.player, put_before(item, before, top.after))
