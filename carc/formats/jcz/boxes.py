"""What JCloisterZone calls expansions: their sets of tiles, their elements, their rules."""

from collections.abc import Mapping, Sequence
from typing import Final

import attrs

FOLLOWERS: Final = 7
GARDENS: Final = "gardens"  # the option that says on which tiles gardens are
ALWAYS: Final[Mapping[str, object]] = {"small-follower": FOLLOWERS, "farmers": True}


@attrs.frozen
class Box:
    """One of our expansions, as they have it.

    Attributes:
        sets: Their sets of tiles. If there are several, the option `part` says which are in play.
        elements: What else belongs to it: figures and tokens by number, True for all else.
        enforced: Elements that its tiles bring along, so that many files leave them out.
        optional: Elements that may be missing: our option and its value then.
        alone: Elements that may be played without its tiles.
        shared: Elements that tiles of other sets show, too.
        counted: Pieces of which a player may have another number, or none.
        part: The option that says which sets are in play, and its value for each of them.
        both: The value of that option for all of them.
        fixed: Values of options that are theirs though not our default.
        known: Options of which they have every value, by their sets and elements.
        has_editions: Whether its tiles have a newer edition, with gardens.
        theirs: Options, each with its value there and the expansion beside which it matters. Our
            default is another value, with which most games go alike.
        start: The one tile on which a game may start, and our option and its value then.
    """

    sets: Sequence[str] = ()
    elements: Mapping[str, object] = {}
    enforced: Sequence[str] = ()
    optional: Mapping[str, tuple[str, str]] = {}
    alone: Sequence[str] = ()
    shared: Sequence[str] = ()
    counted: Sequence[str] = ()
    part: tuple[str, Sequence[str]] = ("", ())
    both: str = "both"
    fixed: Mapping[str, str] = {}
    known: Sequence[str] = ()
    has_editions: bool = False
    theirs: Sequence[tuple[str, str, str]] = ()
    start: tuple[str, str, str] = ("", "", "")


@attrs.frozen
class Rule:
    """One of their rules that players choose.

    Attributes:
        expansion: The expansion of ours that it is about.
        default: Their usual value.
        option: Our option, if we have one for it.
        values: Their values that we have, each with the value of our option.
        broken: Those of them by which the rule cannot be played there.
    """

    expansion: str
    default: object
    option: str = ""
    values: Mapping[object, str] = {}
    broken: Sequence[object] = ()


BOXES: Final[Mapping[str, Box]] = {
    "abbey": Box(
        ["abbey-and-mayor"],
        {"abbey": 1, "barn": 1, "mayor": 1, "wagon": 1},
        alone=["abbey", "barn", "mayor", "wagon"],
        counted=["abbey", "barn", "mayor", "wagon"],
        has_editions=True,
    ),
    "abbot": Box(
        elements={"abbot": 1, "garden": True},
        optional={"garden": (GARDENS, "off")},
        known=[GARDENS],
    ),
    "bigtop": Box(
        ["under-the-big-top"],
        {"acrobats": True, "big-top": True, "ringmaster": 1},
        optional={"acrobats": ("acrobats", "off")},
        theirs=[("castles", "tile", "bridges")],
        has_editions=True,
    ),
    "bridges": Box(
        ["bridges-castles-and-bazaars"],
        {"bridge": True, "castle": True, "bazaar": True},
        optional={
            "bridge": ("bridges", "off"),
            "castle": ("castles", "off"),
            "bazaar": ("bazaars", "off"),
        },
        alone=["bridge", "castle"],
        fixed={"bridges": "own"},
        has_editions=True,
    ),
    "buildings": Box(elements={"little-buildings": True}),
    "city_gates": Box(["city-gates"]),
    "count": Box(["count"], {"count": 1}, theirs=[("enter", "tile", "traders")]),
    "crops": Box(
        ["corn-circles/1", "corn-circles/2"], enforced=["corn-circle"], part=("sets", ("1", "2"))
    ),
    "cult": Box(["cult/6"], {"shrine": True}),
    "darmstadt": Box(["darmstadt"], enforced=["church"]),
    "dragon": Box(
        ["princess-and-dragon"],
        {"dragon": 1, "fairy": 1, "princess": True, "portal": True},
        alone=["fairy"],
        theirs=[("fairy", "always", "inns"), ("fairy", "always", "siege")],
        has_editions=True,
    ),
    "ferries": Box(["ferries"], {"ferry": True}),
    "festival": Box(["festival"], {"festival": True}),
    "flier": Box(["flier"], enforced=["flier"], fixed={"fields": "off"}, has_editions=True),
    "gold": Box(["goldmines"], {"gold": True}),
    "gq11": Box(
        ["gq11"],
        {"pig-herd": True},
        optional={"pig-herd": ("herd", "none")},
        start=("GQ/RFI", "spring", "own"),
    ),
    "hills": Box(
        ["hills-and-sheep"],
        {"shepherd": 1, "hill": True, "vineyard": True},
        alone=["shepherd"],
        counted=["shepherd"],
        has_editions=True,
    ),
    "inns": Box(
        ["inns-and-cathedrals"],
        {"big-follower": 1, "cathedral": True, "inn": True},
        alone=["big-follower"],
        has_editions=True,
    ),
    "king": Box(["king-and-robber"], {"king": True, "robber": True}, has_editions=True),
    "labyrinth": Box(["labyrinth"], enforced=["labyrinth"]),
    "mage": Box(["mage-and-witch"], {"mage": 1, "witch": 1}, has_editions=True),
    "monasteries": Box(["monasteries"], enforced=["monastery"]),
    "phantom": Box(elements={"phantom": 1}),
    "river": Box(
        ["river/1", "river/2"], enforced=["river"], part=("part", ("one", "two")), has_editions=True
    ),
    "russian": Box(
        ["russian-promos/2013", "russian-promos/2016"],
        enforced=["russian-trap", "yaga"],
        part=("sets", ("2013", "2016")),
    ),
    "siege": Box(
        ["siege/besiegers", "siege/cathars"],
        {"siege": True, "escape": True},
        optional={"escape": ("escape", "off")},
        part=("sets", ("besiegers", "cathars")),
        known=["escapes"],
    ),
    "son": Box(elements={"robbers-son": True}),
    "spiel_doch": Box(["spiel-doch"], has_editions=True),
    "tower": Box(["tower"], {"tower": 1}, has_editions=True),
    "traders": Box(
        ["traders-and-builders"],
        {"builder": 1, "pig": 1, "traders": True, "pig-herd": True},
        optional={"pig-herd": ("herds", "off")},
        alone=["builder", "pig"],
        shared=["pig-herd"],
        counted=["builder", "pig"],
        has_editions=True,
    ),
    "tunnel": Box(["tunnel"], {"tunnel": 1}, theirs=[("builders", "off", "traders")]),
    "watchtowers": Box(
        ["watchtowers"], enforced=["watchtower"], theirs=[("castles", "none", "bridges")]
    ),
    "windroses": Box(["wind-roses"], enforced=["wind-rose"], start=("WR/CFR", "start", "rose")),
}
BASE_SET: Final = "basic"
RIVER_OF_GQ11: Final = "gq11/river"
ADDONS: Final = ("city-gates",)  # sets of tiles that their client has only if they are installed

RULES: Final[Mapping[str, Rule]] = {
    "princess-action": Rule("dragon", "may", "princess", {"may": "may", "must": "must"}),
    "fairy-placement": Rule("dragon", "next-follower"),
    "dragon-move": Rule(
        "dragon", "before-scoring", "moves", {"before-scoring": "before", "after-scoring": "after"}
    ),
    "barn-placement": Rule(
        "abbey", "not-occupied", "barns", {"not-occupied": "alone", "occupied": "together"}
    ),
    "wagon-move": Rule("abbey", "C2", "wagon", {"C2": "near", "C1": "touching"}),
    "bazaar-no-auction": Rule(
        "bridges", default=False, option="bazaars", values={False: "on", True: "choose"}
    ),
    "hill-tiebreaker": Rule(
        "hills",
        "at-least-one-follower",
        "ties",
        {"at-least-one-follower": "one", "number-of-followers": "most"},
    ),
    "espace-variant": Rule(
        "siege", "any-tile", "escape", {"any-tile": "city", "siege-tile": "siege"}
    ),
    "gq11-pig-herd": Rule("gq11", "pig", "herd", {"pig": "on", "nothing": "off"}),
    "tunnelize-other-expansions": Rule(
        "tunnel", default=True, option="others", values={True: "on", False: "off"}
    ),
    "more-tunnel-tokens": Rule(
        "tunnel", "3/2", "tokens", {"3/2": "most", "2/1": "fewer", "1/1": "one"}
    ),
    "festival-return": Rule(
        "festival",
        "meeple",
        "returns",
        {"meeple": "figures", "follower": "followers"},
        broken=["follower"],  # nobody is offered then
    ),
    "keep-monasteries": Rule("monasteries", "replace", "others", {"keep": "on", "replace": "off"}),
    "labyrinth-variant": Rule(
        "labyrinth", "advanced", "followers", {"advanced": "majority", "basic": "off"}
    ),
    "little-buildings-scoring": Rule(
        "buildings", "1/1/1", "worth", {"1/1/1": "each", "3/2/1": "order"}
    ),
    "king-and-robber-scoring": Rule(
        "king",
        "default",
        "worth",
        {"default": "completed", "continuously": "at_once", "10/20": "10", "15/40": "15"},
    ),
    "tiny-city-scoring": Rule("base", "4", "small_cities", {"4": "full", "2": "half"}),
    "coc-final-scoring": Rule(
        "count", "market-only", "final", {"market-only": "market", "any-district": "all"}
    ),
    "count-move": Rule(
        "count",
        "by-player",
        "moves",
        {"by-player": "player", "clockwise": "clockwise", "follow-meeple": "follow"},
    ),
}
