"""Actions in words, and where on the board they point.

Both are derived from the notation (`docs/notation.md`), the position, and the words of the
expansions.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import attrs

from carc.base.game.rules import COLOURS, Rules
from carc.base.tiles.tile import Segment, Tile
from carc.drawing.pieces import SIDE_NAMES, Data
from carc.drawing.words import Words, words_of

_PLACE = re.compile(r"place:(-?\d+),(-?\d+),([0-3])")
_CLAIM = re.compile(r"claim:(\d+),([a-z][a-z0-9_-]*)(?:,([a-z]+))?")
_ON_LAST = re.compile(r"([a-z]+):(\d+)((?:,[a-z][a-z0-9_-]*)+)")
_SEGMENT = re.compile(r"([a-z]+):(-?\d+),(-?\d+),(\d+)((?:,[a-z][a-z0-9_-]*)*)")
_CELL = re.compile(r"([a-z]+):(-?\d+),(-?\d+)")
_MOST_COMMANDS = 3  # in a sentence
_CORNERS = ("northwest", "northeast", "southeast", "southwest")
_NAMES = {"meeple": "follower"}  # what people call things of the base game
_GENERAL = {"place": "a place", "cell": "a place", "figure": "a follower"}
_TELLS_PLACE = re.compile(r" (on|from) \{place\}")


@attrs.frozen
class Target:
    """What an action points at: a cell, perhaps with a rotation or a segment, or nothing.

    Attributes:
        cell: The cell.
        rotation: The rotation of the tile in hand, in quarter turns clockwise.
        segment: The segment of the tile on the cell.
    """

    cell: tuple[int, int] | None = None
    rotation: int | None = None
    segment: int | None = None


def target(action: str, before: Data) -> Target:
    """Return where an action points, in the position before it."""
    if match := _PLACE.fullmatch(action):
        return Target((int(match[1]), int(match[2])), rotation=int(match[3]))
    if match := _ON_LAST.fullmatch(action):
        last = before["tiles"][-1]
        return Target((last["x"], last["y"]), segment=int(match[2]))
    if match := _SEGMENT.fullmatch(action):
        return Target((int(match[2]), int(match[3])), segment=int(match[4]))
    if match := _CELL.fullmatch(action):
        return Target((int(match[2]), int(match[3])))
    return Target()


def claimed(action: str, owner: int) -> tuple[int, str, int] | None:
    """Return the segment, the kind of follower and its owner of a claim; None for other actions.

    It is of this owner if the notation names no colour.
    """
    match = _CLAIM.fullmatch(action)
    if match is None:
        return None
    return int(match[1]), match[2], COLOURS.index(match[3]) if match[3] else owner


def describe(action: str, before: Data, rules: Rules) -> str:
    """Return an action as a verb phrase, such as `places D at (1, 0), rotated 180 degrees`."""
    verb, _, rest = action.partition(":")
    if verb == "draw":
        return f"draws {rest}"
    if action == "pass":
        return "passes"
    to = target(action, before)
    if to.cell is not None and to.rotation is not None:
        hand = before["tile_in_hand"] or "a tile"
        turned = f", rotated {90 * to.rotation} degrees" if to.rotation else ""
        return f"places {hand} at {_cell(to.cell)}{turned}"
    if match := _CLAIM.fullmatch(action):
        assert to.cell is not None and to.segment is not None
        segment = _segment(rules, before, to.cell, to.segment, "")
        return f"places {_figure(match[2], match[3] or '', rules)} on the {segment}"
    fields = _fields(action, to, before, rules)
    phrases = _words_for(action, rules).phrases
    if phrase := phrases.get(action, phrases.get(verb)):
        return phrase.format_map(fields)
    words = f": {fields['words']}" if fields["words"] else ""
    return f"plays {verb} on {fields['place']}{words}" if to.cell else f"plays {verb}{words}"


def describe_line(actions: Sequence[str], before: Data, rules: Rules) -> str:
    """Return the actions of a turn as verb phrases; the first may place the tile in hand."""
    after = after_placing(actions[0], before)
    words = [describe(actions[0], before, rules)]
    return ", ".join([*words, *(describe(action, after, rules) for action in actions[1:])])


def after_placing(action: str, before: Data) -> Data:
    """Return a position with the tile in hand placed, the same one if the action does not."""
    to, hand = target(action, before), before["tile_in_hand"]
    if to.cell is None or to.rotation is None or not hand:
        return before
    x, y = to.cell
    placed = {"kind": hand, "x": x, "y": y, "rotation": to.rotation}
    return {**before, "tiles": [*before["tiles"], placed]}


def _words_for(action: str, rules: Rules) -> Words:
    """Return the words of the expansion to which an action belongs."""
    for expansion in rules.expansions:
        if expansion.parse(action) is not None:
            return words_of(expansion)
    return Words()


def _fields(action: str, to: Target, before: Data, rules: Rules) -> dict[str, str]:
    """Return what the braces of a phrase may name (`Words`)."""
    rest = action.partition(":")[2]
    if match := _SEGMENT.fullmatch(action) or _ON_LAST.fullmatch(action):
        rest = match[match.lastindex or 0].removeprefix(",")
    elif to.cell is not None:
        rest = ""
    first, _, last = rest.partition(",")
    names = [noun(part, rules) for part in rest.replace("+", " and ").split(",")]
    fields = {"words": ", ".join(names), "first": names[0], "last": names[-1]}
    if first:
        fields["figure"] = _figure(first, last if to.cell else "", rules)
    if to.cell is None:
        return fields
    fields["cell"] = _cell(to.cell)
    at = f" at {_cell(to.cell)}"
    fields["place"] = f"the tile{at}"
    if to.segment is not None:
        fields["place"] = f"the {_segment(rules, before, to.cell, to.segment, at)}"
    placed = _placed(before, to.cell)
    if placed is None:
        return fields
    fields |= {name: noun(value, rules) for name, value in _tile(rules, placed).symbols if value}
    if match := re.fullmatch(r"to(\d+)", rest):
        fields["other"] = f"the {_segment(rules, before, to.cell, int(match[1]), '')}"
    if rest and set(rest) <= set("nesw"):
        turned = ["nesw".index(side) + placed["rotation"] for side in rest]
        fields["way"] = " and ".join([SIDE_NAMES[side] for side in sorted(n % 4 for n in turned)])
    return fields


def decision_words(actions: Iterable[str], rules: Rules) -> str:
    """Return what is to be decided by legal actions, such as `place a follower, or pass`."""
    commands = []
    can_pass = False
    for action in actions:
        if action == "pass":
            can_pass = True
        else:
            commands.append(_command(action, rules))
    commands = list(dict.fromkeys(commands))
    if len(commands) > _MOST_COMMANDS:
        commands = [*commands[:_MOST_COMMANDS], "do something else"]
    if can_pass:
        commands.append("pass")
    if len(commands) < 2:
        return "".join(commands)
    return f"{', '.join(commands[:-1])} or {commands[-1]}"


def _command(action: str, rules: Rules) -> str:
    """Return what an action does as a command, without the details that tell it from others."""
    verb = action.partition(":")[0]
    if verb == "claim":
        return "place a follower"
    if verb == "place":
        return "place the tile"
    words = _words_for(action, rules)
    if verb in words.asks:
        return words.asks[verb]
    phrase = words.phrases.get(action, words.phrases.get(verb, f"plays {verb}"))
    if "{figure}" in phrase:  # it says enough
        phrase = _TELLS_PLACE.sub("", phrase)
    return imperative(phrase.format_map(_GENERAL))


def imperative(phrase: str) -> str:
    """Return a verb phrase as a command: `place D at (1, 0)` for `places D at (1, 0)`."""
    verb, space, rest = phrase.partition(" ")
    if verb.endswith("ies"):
        verb = f"{verb[:-3]}y"
    elif verb.endswith(("sses", "shes", "ches", "xes")):
        verb = verb[:-2]
    else:
        verb = verb.removesuffix("s")
    return f"{verb}{space}{rest}"


def noun(name: str, rules: Rules) -> str:
    """Return what people call something, such as a kind of follower."""
    return _names(rules).get(name, name.replace("_", " "))


@lru_cache(maxsize=64)
def _names(rules: Rules) -> Mapping[str, str]:
    names = dict(_NAMES)
    for expansion in rules.expansions:
        names.update(words_of(expansion).names)
    return names


def _figure(kind: str, colour: str, rules: Rules) -> str:
    """Return a follower with an article, such as `a red follower`."""
    words = " ".join(filter(None, (colour, noun(kind, rules))))
    return f"a{'n' if words[0] in 'aeiou' else ''} {words}"


def _cell(cell: tuple[int, int]) -> str:
    return f"({cell[0]}, {cell[1]})"


def _placed(before: Data, cell: tuple[int, int]) -> Mapping[str, Any] | None:
    """Return the tile on a cell, with its kind and rotation."""
    return next((tile for tile in before["tiles"] if (tile["x"], tile["y"]) == cell), None)


def _tile(rules: Rules, placed: Mapping[str, Any]) -> Tile:
    return rules.catalogue.tiles[rules.catalogue.index[placed["kind"]]]


def _segment(rules: Rules, before: Data, cell: tuple[int, int], index: int, at: str) -> str:
    """Return a segment in words, such as `city at (3, 7), south side`.

    Where it is on its tile is told only if that has several segments of its kind: by the sides it
    reaches, by its corners, or by both, whichever is enough.
    """
    placed = _placed(before, cell)
    segments = _tile(rules, placed).segments if placed else ()
    if placed is None or index >= len(segments):
        return f"segment {index}{at}"
    kind = noun(segments[index].kind, rules)
    alike = [each for each in segments if each.kind == segments[index].kind]
    if len(alike) < 2:
        return f"{kind}{at}"
    turned = placed["rotation"]
    for where in (_sides, _corners, lambda each, turn: _sides(each, turn) + _corners(each, turn)):
        words = where(segments[index], turned)
        if words and [where(each, turned) for each in alike].count(words) == 1:
            return f"{kind}{at}{words}"
    return f"{kind} {index}{at}"


def _sides(segment: Segment, turned: int) -> str:
    """Return the sides of its tile that a segment reaches, such as `, north and south sides`."""
    sides = {*segment.edges, *(half // 2 for half in segment.halves)}
    turned_sides = sorted((side + turned) % 4 for side in sides)
    return _listed([SIDE_NAMES[side] for side in turned_sides], "side")


def _corners(segment: Segment, turned: int) -> str:
    """Return the corners of its tile beside the halves of sides that a segment reaches."""
    corners = {((half + 1) // 2 + turned) % 4 for half in segment.halves}
    return _listed([_CORNERS[corner] for corner in sorted(corners)], "corner")


def _listed(names: list[str], what: str) -> str:
    if len(names) < 2:
        return f", {names[0]} {what}" if names else ""
    return f", {', '.join(names[:-1])} and {names[-1]} {what}s"
