"""Scorings in one normal form: ours from their text, the other engine's from its `points` events.

A scoring is whose it is, what was scored, its points, and its items: what, how many (None where
the other engine gives no number), points. Scorings of 0 points count like all others.
"""

import re
from typing import Any

from carc.base.turn.scoring import Scored

Item = tuple[str, int | None, int]
Scoring = tuple[int, str, int, frozenset[Item]]

# Our first item -> what is scored, and the other engine's word for the item.
FIRST = {
    "city": ("city", "tiles"),
    "road": ("road", "tiles"),
    "monastery": ("monastery", "tiles"),
    "garden": ("garden", "tiles"),
    "abbot": ("abbot", "tiles"),
    "completed city": ("field", "cities"),
    "field": ("field", ""),
    "king": ("king", "cities"),
    "robber": ("robber", "roads"),
    "fairy": ("fairy", "fairy"),
    "gold": ("gold", "gold"),
    "sheep": ("flock", "sheep"),
    "most cloth": ("trade-goods", "trade-goods.CLOTH"),
    "most wine": ("trade-goods", "trade-goods.WINE"),
    "most grain": ("trade-goods", "trade-goods.GRAIN"),
    "church": ("church", "church"),
    "challenge": ("challenged", "shrine-challenge"),
    "wind rose": ("wind-rose", "wind-rose"),
    "big top": ("bigtop", "meeples"),
    "acrobats": ("acrobats", "meeples"),
    "ringmaster": ("ringmaster", "tiles"),
    "buildings": ("field", "little-buildings"),  # where no city is beside the field
    "watched cities": ("watchtower", "cities"),
    "watched roads": ("watchtower", "roads"),
    "watched monasteries": ("watchtower", "monasteries"),
    "watched coats of arms": ("watchtower", "pennants"),
    "watched meeples": ("watchtower", "meeples"),
    "hut": ("yaga-hut", "yaga"),
    "vodyanoy": ("vodyanoy", "meeples"),
}
MORE = {
    "coat of arms": "pennants",
    "inn": "inn",
    "cathedral": "cathedral",
    "mage": "mage",
    "witch": "witch",
    "pig": "pigs",
    "vineyard": "vineyards",
    "pig herd": "pigHerds",
    "darmstadtium": "darmstadtium",
    "buildings": "little-buildings",
    "row and column": "row and column",
    "besieged": "besieged",
    "besieged city": "besieged",
    "neighbour": "tiles",
}
COUNTED = {
    "castles",
    "tiles",
    "pennants",
    "cities",
    "roads",
    "gold",
    "vineyards",
    "meeples",
    "monasteries",
}
COUNTED |= {"little-buildings"}
LYING: frozenset[Item] = frozenset()  # they list each direction, we only all of them
OF_FEATURES = {"city", "road", "monastery", "garden"}


UNSCORED = ("ransom", "bazaar")  # points that they tell of in another way


def ours(scored: Scored) -> Scoring:
    """The normal form of a scoring of ours."""
    body, _, total = scored.text.rpartition(" = ")
    assert int(total) == scored.points, scored.text
    parts = [re.fullmatch(r"(.+?) (\d+)x(-?\d+)|(\w+) 0", part) for part in body.split(", ")]
    items: set[Item] = set()
    what = ""
    for part in parts:
        assert part is not None, scored.text
        label = part[1] or part[4]
        if part[4]:
            what, _ = FIRST[label]
            continue
        count, points = int(part[2]), int(part[2]) * int(part[3])
        if label.startswith("incomplete with "):  # nothing of it counts
            items = {(MORE[label.removeprefix("incomplete with ")], None, 0)}
            continue
        if label in ("barn", "joined late"):  # they say at once what a city is worth
            items = {("cities", count, points + sum(worth for _, _, worth in items))}
            continue
        if label.startswith("castle by "):
            what, word = "castle", f"castle.{label.removeprefix('castle by ')}"
        elif label == "castle":  # they count castles apart, we as cities with one point more
            items = {
                (name, (n or 0) - count, worth - 3 * count)
                for name, n, worth in items
                if n != count
            }
            word, points = "castles", 4 * count
        elif not what:
            what, word = FIRST[label]
        else:
            word = MORE[label]
        counts = word in COUNTED or label == "besieged city"
        items.add((word, count if counts else None, points))
    if any(word == "row and column" for word, _, _ in items):
        return scored.owner, "special-monastery", scored.points, LYING
    if scored.final and what in OF_FEATURES:
        what += ".incomplete"
    return scored.owner, what, scored.points, frozenset(items)


def theirs(event: list[Any], final: bool) -> list[Scoring]:
    """The normal forms of the scorings of one `points` event."""
    found = []
    for owner, what, points, items in event:
        word = what
        if what.startswith("fairy"):
            word = "fairy"  # 1 at the start of a turn, 3 with a feature: the points say which
        elif what.endswith(".incomplete") and not final:
            word = "abbot"  # who was taken back
        if what == "castle" and final:  # one that has scored nothing
            continue
        if what == "city.empty":  # a mayor without coats of arms scores nothing
            continue
        word = word.partition(".barn-")[0]
        listed = {(name, count, worth) for count, name, worth in items if worth or not points}
        if ("coc", None, 3) in listed:  # they count Carcassonne apart, we with the other cities
            cities = sum(n for n, name, _ in items if name == "cities")
            listed = {item for item in listed if item[0] not in ("cities", "coc")}
            listed.add(("cities", cities + 1, 3 * (cities + 1)))
        word = word.replace("shrine", "monastery")  # a shrine is a monastery with a mark
        if what == "special-monastery":
            listed = set()
        if what.endswith(".challenged"):
            word, listed = "challenged", set()
        if what == "ringmaster":  # circus and acrobats' tiles are items of their own; we add them
            count = sum(n or 0 for n, *_ in items)
            listed = {("tiles", count, points)}
        if what == "flock":  # each token is an item; we add them up
            listed = {("sheep", None, sum(worth for _, _, worth in items))}
        found.append((owner, word, points, frozenset(listed)))
    return found
