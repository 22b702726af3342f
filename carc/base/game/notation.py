"""The notation of actions (`docs/notation.md`): from text to action."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from carc.base.cells import REACH
from carc.base.turn.actions import PASS, Action, place
from carc.errors import BadNotation

if TYPE_CHECKING:
    from carc.base.game.rules import Rules


def parse_action(rules: Rules, text: str) -> Action:
    """Return the action that `text` denotes under these rules, legal or not, or `BadNotation`."""
    if text == "pass":
        return PASS
    for expansion in rules.expansions:
        action = expansion.parse(text)
        if action is not None:
            return action
    verb, _, rest = text.partition(":")
    if verb == "draw":
        if rest in rules.catalogue.index:
            return rules.draw(rest)
        tiles = " ".join(rules.catalogue.index)
        raise BadNotation(f"{text!r} names no tile of {rules.spec}; tiles are {tiles}")
    if verb == "place":
        return _parse_place(text, rest)
    if verb == "claim":
        for some in rules._claim_actions:
            for claim in some:
                if claim.text == text:
                    return claim
        last = rules._claim_actions[-1]
        raise BadNotation(
            f"{text!r} is no claim of {rules.spec}; "
            f"claims go from {rules._claim_actions[0][0]} to {last[-1]}"
        )
    raise _no_action(text)


def _parse_place(text: str, rest: str) -> Action:
    numbers = re.fullmatch(r"(-?\d{1,3}),(-?\d{1,3}),([0-3])", rest)
    if numbers is None:
        raise BadNotation(f"{text!r} is no placement; it is written place:X,Y,R with R 0 to 3")
    x, y = int(numbers[1]), int(numbers[2])
    if max(abs(x), abs(y)) > REACH:
        raise BadNotation(f"{text!r} is off the table; X and Y are at most {REACH}")
    action = place(x, y, int(numbers[3]))
    if action.text != text:
        raise _no_action(text)
    return action


def _no_action(text: str) -> BadNotation:
    return BadNotation(
        f"{text!r} is no action; actions are draw:KIND, place:X,Y,R, claim:SEGMENT,KIND, pass"
        " and those of the expansions played"
    )
