"""Actions in words, and where on the board they point.

Both are derived from the notation (`docs/notation.md`) and the position alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import attrs

from carc.base.game.rules import COLOURS
from carc.base.tiles.tile import Segment, Tile
from carc.drawing.pieces import Data

_PLACE = re.compile(r"place:(-?\d+),(-?\d+),([0-3])")
_CLAIM = re.compile(r"claim:(\d+),([a-z][a-z0-9_-]*)(?:,([a-z]+))?")
_SEGMENT = re.compile(r"([a-z]+):(-?\d+),(-?\d+),(\d+)((?:,[a-z][a-z0-9_-]*)*)")
_CELL = re.compile(r"([a-z]+):(-?\d+),(-?\d+)")
_SIDES = ("north", "east", "south", "west")
_MOST_COMMANDS = 3  # in a sentence
_CORNERS = ("northwest", "northeast", "southeast", "southwest")
_KINDS = {"meeple": "follower", "big": "large follower"}  # what people call kinds of follower

# By verb, or by the whole action. `{place}` is a tile or a segment, `{cell}` a cell, `{figure}` a
# follower, `{words}` the rest of the notation. The first phrase that an action can fill is used. A
# verb without a phrase is shown as it is.
_PHRASES: Mapping[str, tuple[str, ...]] = {
    "abbot": ("takes the abbot back",),
    "acrobat": ("puts {figure} on {place}",),
    "add": ("adds {figure} to {place}",),
    "auction": ("chooses a tile and bids: {words}",),
    "barn": ("builds a barn on {place}",),
    "bid": ("bids {words}",),
    "bridge": ("builds a bridge on {cell}",),
    "building": ("builds a {words}",),
    "bury": ("buries the follower on {place}", "buries a {words} follower from the supply"),
    "buy": ("buys the tile",),
    "capture": ("captures {figure} on {place}",),
    "castle": ("makes {place} a castle",),
    "cat": ("moves the cat to {place}",),
    "cemetery": ("puts the extra ghost on {place}",),
    "count": ("moves the count to the quarter at {cell}",),
    "crops:add": ("lets everyone add a follower",),
    "crops:take": ("makes everyone take a follower back",),
    "dragon": ("moves the dragon to {place}",),
    "enter": ("puts {figure} into the quarter at {cell}",),
    "escape": ("lets {figure} escape from {place}",),
    "exchange": ("exchanges the captive for a {words}",),
    "fairy": ("moves the fairy to {figure} on {place}",),
    "ferry": ("puts the ferry on {place}",),
    "festival": ("takes {figure} back from {place}",),
    "flight": ("sets the flight to distance {words}",),
    "flock:grow": ("adds a sheep to the flock",),
    "flock:home": ("brings the flock home",),
    "fly": ("puts a {words} on the flying machine",),
    "free": ("frees a ghost on {place}",),
    "ghosts": ("removes ghosts from {place}",),
    "gold": ("puts gold on {place}",),
    "haunt": ("puts a ghost on {place}",),
    "hide": ("places the tile face down at {cell}",),
    "hound": ("sends the hound to {place}",),
    "join": ("sends {figure} from Carcassonne to {place}",),
    "land": ("lands on {place}",),
    "leave": ("takes the {words} off the board",),
    "lie": ("lays a follower down in segment {words}",),
    "lure": ("lures a ghost from {place}",),
    "mage": ("moves the mage to {place}",),
    "marker": ("moves the {words} marker",),
    "markers": ("chooses the markers {words}",),
    "pass": ("passes",),
    "points": ("takes the points",),
    "portal": ("sends {figure} through the portal to {place}",),
    "princess": ("sends {figure} away from {place}",),
    "pyramid": ("scores the pyramid on {place}",),
    "ransom": ("pays the ransom for a follower: {words}",),
    "rob": ("sends {figure} home from {place}",),
    "score": ("scores {place} next",),
    "sell": ("sells the tile",),
    "take": ("takes {figure} back from {place}", "takes {words}"),
    "tent": ("reveals the token {words} under the big top",),
    "token": ("draws the token {words}",),
    "top": ("puts {figure} on top of {place}",),
    "tower": ("builds on {place}",),
    "tunnel": ("puts a tunnel token on {place}",),
    "wagon": ("moves the wagon to {place}",),
    "witch": ("moves the witch to {place}",),
}


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
    if match := _CLAIM.fullmatch(action):
        last = before["tiles"][-1]
        return Target((last["x"], last["y"]), segment=int(match[1]))
    if match := _SEGMENT.fullmatch(action):
        return Target((int(match[2]), int(match[3])), segment=int(match[4]))
    if match := _CELL.fullmatch(action):
        return Target((int(match[2]), int(match[3])))
    return Target()


def claimed(action: str, owner: int) -> tuple[int, str, int] | None:
    """Return the segment, the kind of follower and its owner of a claim; None for other actions.

    Args:
        action: The action in notation.
        owner: Whose follower it is if the notation names no colour.
    """
    match = _CLAIM.fullmatch(action)
    if match is None:
        return None
    return int(match[1]), match[2], COLOURS.index(match[3]) if match[3] else owner


def describe(action: str, before: Data, tiles: Mapping[str, Tile]) -> str:
    """Return an action as a verb phrase, such as `places D at (1, 0), rotated 180 degrees`.

    Args:
        action: The action in notation.
        before: The position before it.
        tiles: The kinds of tile by name.
    """
    verb, _, rest = action.partition(":")
    if verb == "draw":
        return f"draws {rest}"
    to = target(action, before)
    if to.cell is not None and to.rotation is not None:
        hand = before["tile_in_hand"] or "a tile"
        turned = f", rotated {90 * to.rotation} degrees" if to.rotation else ""
        return f"places {hand} at {_cell(to.cell)}{turned}"
    if match := _CLAIM.fullmatch(action):
        assert to.cell is not None and to.segment is not None
        segment = _segment(tiles, before, to.cell, to.segment, "")
        return f"places {_figure(match[2], match[3] or '')} on the {segment}"
    fields = {}
    if to.cell is not None:
        fields["cell"] = _cell(to.cell)
        fields["place"] = f"the tile at {_cell(to.cell)}"
        if to.segment is not None:
            at = f" at {_cell(to.cell)}"
            fields["place"] = f"the {_segment(tiles, before, to.cell, to.segment, at)}"
    elif rest:
        names = [noun(name) for name in rest.replace("+", " and ").split(",")]
        fields["words"] = ", ".join(names)
    if (match := _SEGMENT.fullmatch(action)) and match[5]:
        kind, _, colour = match[5][1:].partition(",")
        fields["figure"] = _figure(kind, colour)
    if action in _PHRASES:
        return _PHRASES[action][0]
    for phrase in _PHRASES.get(verb, ()):
        if set(re.findall(r"\{(\w+)\}", phrase)) <= fields.keys():
            return phrase.format(**fields)
    if "place" in fields:
        return f"plays {verb} on {fields['place']}"
    return f"plays {verb}: {fields['words']}" if rest else f"plays {verb}"


def decision_words(actions: Iterable[str]) -> str:
    """Return what is to be decided, such as `place a follower, or pass`.

    Args:
        actions: The legal actions in notation.
    """
    general = {
        "place": "a place",
        "cell": "a place",
        "figure": "a follower",
        "words": "one of these",
    }
    commands = []
    can_pass = False
    for action in actions:
        verb = action.partition(":")[0]
        if verb == "pass":
            can_pass = True
            continue
        phrase = _PHRASES.get(action, _PHRASES.get(verb, (f"plays {verb}",)))[0]
        if verb == "claim":
            phrase = "places a follower"
        elif verb == "place":
            phrase = "places the tile"
        if "{figure}" in phrase:  # it says enough
            phrase = re.sub(r" (on|from) \{place\}", "", phrase)
        commands.append(imperative(phrase.format(**general)))
    commands = list(dict.fromkeys(commands))
    if len(commands) > _MOST_COMMANDS:
        commands = [*commands[:_MOST_COMMANDS], "do something else"]
    if can_pass:
        commands.append("pass")
    if len(commands) < 2:
        return "".join(commands)
    return f"{', '.join(commands[:-1])} or {commands[-1]}"


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


def noun(kind: str) -> str:
    """Return what people call a kind of follower."""
    return _KINDS.get(kind, kind)


def _figure(kind: str, colour: str) -> str:
    """Return a follower with an article, such as `a red follower`."""
    words = " ".join(filter(None, (colour, noun(kind))))
    return f"a{'n' if words[0] in 'aeiou' else ''} {words}"


def _cell(cell: tuple[int, int]) -> str:
    return f"({cell[0]}, {cell[1]})"


def _segment(
    tiles: Mapping[str, Tile], before: Data, cell: tuple[int, int], index: int, at: str
) -> str:
    """Return a segment in words, such as `city at (3, 7), south side`.

    Where it is on its tile is told only if that has several segments of its kind: by the sides it
    reaches, or by its corners if another one reaches the same sides.
    """
    placed = next((tile for tile in before["tiles"] if (tile["x"], tile["y"]) == cell), None)
    segments = tiles[placed["kind"]].segments if placed else ()
    if placed is None or index >= len(segments):
        return f"segment {index}{at}"
    segment = segments[index]
    sides = [_sides(each) for each in segments if each.kind == segment.kind]
    if len(sides) < 2:
        return f"{segment.kind}{at}"
    if sides.count(_sides(segment)) < 2:
        turned = sorted((side + placed["rotation"]) % 4 for side in _sides(segment))
        names, what = [_SIDES[side] for side in turned], "side"
    else:
        corners = {((half + 1) // 2 + placed["rotation"]) % 4 for half in segment.halves}
        names, what = [_CORNERS[corner] for corner in sorted(corners)], "corner"
    if not names:
        return f"{segment.kind} {index}{at}"
    if len(names) == 1:
        return f"{segment.kind}{at}, {names[0]} {what}"
    return f"{segment.kind}{at}, {', '.join(names[:-1])} and {names[-1]} {what}s"


def _sides(segment: Segment) -> tuple[int, ...]:
    """Return the sides of its tile that a segment reaches."""
    return tuple(sorted({*segment.edges, *(half // 2 for half in segment.halves)}))
