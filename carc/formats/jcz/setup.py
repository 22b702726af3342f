"""What is played: the setup of a saved game of JCloisterZone, and the spec of our rules."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from carc.base.expansions.expansion import Expansion
from carc.base.game.rules import Rules
from carc.errors import BadRecord, BadRules
from carc.formats.jcz.beginning import CITY, QUARTER_TURN, start_of
from carc.formats.jcz.boxes import (
    ADDONS,
    ALWAYS,
    BASE_SET,
    BOXES,
    GARDENS,
    RIVER_OF_GQ11,
    RULES,
    Box,
)
from carc.formats.jcz.saved_game import brief, object_in

Options = dict[str, dict[str, str]]  # expansion -> option -> value


def spec_of(setup: Mapping[str, Any], *, with_own_tiles: bool = False) -> str:
    """Return the spec of what a setup plays; a tile file may have the tiles of sets that we lack.

    Raises `BadRecord` if it plays something that we lack. The message names it.
    """
    sets = _sets(setup)
    elements = {
        name: amount
        for name, amount in object_in(setup, "elements").items()
        if amount not in (0, False, None)
    }
    chosen: Options = {}
    for name, box in BOXES.items():
        ours = [s for s in box.sets if s in sets]
        pieces = box.alone if box.sets else box.elements
        if ours or any(element in elements for element in pieces):
            chosen[name] = _options_of(box, ours)
    _check_sets(sets, chosen, with_own_tiles=with_own_tiles)
    _take_editions(sets, chosen, with_gardens="garden" in elements)
    _take_start(setup, chosen)
    base = {} if "farmers" in elements else {"fields": "off"}
    _take_elements(elements, chosen)
    chosen = {"base": base, **chosen}
    _take_rules(object_in(setup, "rules"), chosen)
    words = [_word(name, options) for name, options in chosen.items()]
    return "+".join(words)


def _word(name: str, options: Mapping[str, str]) -> str:
    listed = ",".join(f"{option}={value}" for option, value in options.items())
    return f"{name}({listed})" if listed else name


def _sets(setup: Mapping[str, Any]) -> dict[str, str]:
    """Return the sets of tiles in play, each with its edition."""
    sets: dict[str, str] = {}
    for name, copies in object_in(setup, "sets").items():
        known, _, edition = name.partition(":")
        if copies not in (0, 1, True, False):
            raise BadRecord(
                f"the game has the tiles of {brief(known)} {brief(copies)} times;"
                " carc has them once"
            )
        if copies:
            sets[known] = edition
    if BASE_SET not in sets:
        raise BadRecord(
            f"the game is played without the base game's tiles; carc needs {BASE_SET!r}"
        )
    return sets


def _options_of(box: Box, ours: list[str]) -> dict[str, str]:
    option, values = box.part
    options = dict(box.fixed)
    if box.sets and not ours:
        options["tiles"] = "off"
    elif option:
        whole = len(ours) == len(box.sets)
        options[option] = box.both if whole else values[box.sets.index(ours[0])]
    return options


def _check_sets(sets: Mapping[str, str], chosen: Options, *, with_own_tiles: bool) -> None:
    known = {BASE_SET, RIVER_OF_GQ11} | {name for box in BOXES.values() for name in box.sets}
    for name in sets:
        if name not in known and not with_own_tiles:
            raise BadRecord(f"the game uses the tiles of {brief(name)}, which carc cannot import")
    if RIVER_OF_GQ11 in sets and not {"gq11", "river"} <= chosen.keys():
        raise BadRecord(f"the game uses {RIVER_OF_GQ11} without gq11 and a river")
    if {"gq11", "river"} <= chosen.keys() and RIVER_OF_GQ11 not in sets:
        raise BadRecord(f"the game uses gq11 and a river without {RIVER_OF_GQ11}")


def _take_editions(sets: Mapping[str, str], chosen: Options, *, with_gardens: bool) -> None:
    """Note which tiles have gardens: those of edition 2."""
    editions = {BASE_SET: sets[BASE_SET]} | {
        name: sets[name]
        for box in BOXES.values()
        for name in box.sets
        if box.has_editions and name in sets
    }
    others = [edition for name, edition in editions.items() if name != BASE_SET]
    on_base_only = with_gardens and "1" in others
    for name, edition in editions.items():
        is_newer = with_gardens and (name == BASE_SET or not on_base_only)
        if edition and edition != ("2" if is_newer else "1"):
            raise BadRecord(
                f"the game uses edition {brief(edition)} of {name}"
                f" {'with' if with_gardens else 'without'} gardens; carc has gardens on the tiles"
                " of all sets, of the base game alone, or nowhere"
            )
    if on_base_only and "abbot" in chosen:
        chosen["abbot"][GARDENS] = "base"


def _take_start(setup: Mapping[str, Any], chosen: Options) -> None:
    """Note what starts on a tile of its own, alone or beside the city of Carcassonne."""
    start = setup.get("start")
    placed = start if isinstance(start, list) else []
    names = [str(tile.get("tile")) for tile in placed if isinstance(tile, dict)]
    names = [name for name in names if not name.startswith(CITY)]
    for name, options in chosen.items():
        tile, option, value = BOXES[name].start
        if names == [tile]:
            options[option] = value


def _take_elements(elements: Mapping[str, object], chosen: Options) -> None:
    """Check that each expansion has its elements; note which of them are left out."""
    expected = {**ALWAYS}
    for name in chosen:
        expected |= dict.fromkeys(BOXES[name].enforced, True)
        expected |= _take_elements_of(name, elements, chosen[name])
    for element, amount in elements.items():
        if element not in expected:
            raise BadRecord(
                f"the game uses {brief(element)}, which carc does not have in this game"
            )
        wanted = expected[element]
        if type(amount) not in (int, float, bool) or amount != wanted:
            raise BadRecord(
                f"the game has {brief(element)} {brief(amount)} times; carc has it {wanted:d} times"
            )
    if elements.get("small-follower") is None:
        raise BadRecord("the game is played without small followers")


def _take_elements_of(
    name: str, elements: Mapping[str, object], options: dict[str, str]
) -> dict[str, object]:
    """Note what of an expansion is left out or has another number; return what is expected."""
    box = BOXES[name]
    is_alone = options.get("tiles") == "off"
    expected: dict[str, object] = {}
    for element, usual in box.elements.items():
        given = elements.get(element)
        expected[element] = usual
        if element in box.counted and (given is None or given == 2):
            options[f"{element}_count"] = "0" if given is None else "2"
            expected[element] = given
        elif given is None and element in box.optional:
            option, value = box.optional[element]
            options[option] = value
        elif given is None and not (is_alone and element not in box.alone):
            raise BadRecord(f"the game has {name} without {element!r}; carc has no such option")
    return {element: amount for element, amount in expected.items() if element in elements}


def _take_rules(rules: Mapping[str, Any], chosen: Options) -> None:
    """Turn their rules into our options."""
    for name in rules:
        if name not in RULES:
            raise BadRecord(f"the game has a rule {brief(name)}, which carc does not know")
    for name, rule in RULES.items():
        if rule.expansion not in chosen:
            continue
        value = rules.get(name, rule.default)
        allowed: Iterable[object] = rule.values or [rule.default]
        if not isinstance(value, str | bool) or value not in allowed:
            raise BadRecord(
                f"the game has the rule {name} = {brief(value)}, which carc does not have"
            )
        if rule.option and chosen[rule.expansion].get(rule.option) not in ("off", "none"):
            chosen[rule.expansion][rule.option] = rule.values[value]


def as_they_play(rules: Rules, tiles: Sequence[Path] = ()) -> Rules | None:
    """Return the rules with all options as they have them; None if these are so, or it is the same.

    An export or import names such an option only if a game goes otherwise with it.
    """
    names = [each.name for each in rules.expansions]
    words = []
    differs = False
    for each in rules.expansions:
        known = BOXES[each.name].theirs if each.name in BOXES else ()
        chosen = {option: value for option, value, beside in known if beside in names}
        words.append(_word(each.name, each.chosen | chosen))
        differs |= any(each.chosen[option] != value for option, value in chosen.items())
    return Rules.from_spec("+".join(words), rules.players, tiles) if differs else None


def setup_of(rules: Rules) -> dict[str, Any]:
    """Return the setup in which they play these rules; `BadRules` names what they lack."""
    base, *others = rules.expansions
    if base.name != "base":
        raise BadRules(f"JCloisterZone does not know {base.name}")
    elements = dict(ALWAYS)
    if base.chosen.get("fields") == "off":
        del elements["farmers"]
    gardens = next((other.chosen[GARDENS] for other in others if other.name == "abbot"), "off")
    edition = "2" if gardens == "all" else "1"
    sets = {f"{BASE_SET}:{'1' if gardens == 'off' else '2'}": 1}
    their_rules = _rules_in_play(base)
    names = {other.name for other in others}
    for other in others:
        if other.name not in BOXES:
            raise BadRules(f"JCloisterZone does not know {other.name}")
        box = BOXES[other.name]
        suffix = f":{edition}" if box.has_editions else ""
        sets |= {f"{name}{suffix}": 1 for name in _sets_in_play(box, other.chosen)}
        elements |= _elements_in_play(box, other.chosen)
        their_rules |= _rules_in_play(other)
    _settle_herds(others, elements, their_rules)
    if {"gq11", "river"} <= names:
        sets[RIVER_OF_GQ11] = 1
    start = [
        {"tile": tile, "x": x, "y": y, "rotation": turns * QUARTER_TURN}
        for tile, x, y, turns in start_of(rules.start())
    ]
    addons = {name: 1 for name in sets if name in ADDONS}
    return {
        **({"addons": addons} if addons else {}),
        "sets": sets,
        "elements": elements,
        "rules": their_rules,
        "timer": None,
        "start": start,
        "options": {},
    }


def _settle_herds(
    others: Sequence[Expansion], elements: dict[str, object], their_rules: dict[str, object]
) -> None:
    """Where both `traders` and `gq11` have herds of pigs, `traders` says whether they score."""
    chosen = {other.name: other.chosen for other in others}
    if not {"traders", "gq11"} <= chosen.keys():
        return
    if chosen["traders"]["herds"] == "off":
        elements.pop("pig-herd", None)
    elif chosen["gq11"]["herd"] == "none":
        their_rules["gq11-pig-herd"] = "nothing"


def _sets_in_play(box: Box, chosen: Mapping[str, str]) -> list[str]:
    option, values = box.part
    if chosen.get("tiles") == "off":
        return []
    if not option or chosen[option] == box.both:
        return list(box.sets)
    return [box.sets[values.index(chosen[option])]]


def _elements_in_play(box: Box, chosen: Mapping[str, str]) -> dict[str, object]:
    left_out = {
        element for element, (option, value) in box.optional.items() if chosen[option] == value
    }
    counts = {element: int(chosen[f"{element}_count"]) for element in box.counted}
    elements = {**box.elements, **dict.fromkeys(box.enforced, True), **counts}
    if chosen.get("tiles") == "off":
        left_out |= elements.keys() - {*box.alone, *box.shared}
    left_out |= {element for element, n in counts.items() if not n}
    return {name: amount for name, amount in elements.items() if name not in left_out}


def _options_known(box: Box) -> list[str]:
    """Return the options that their sets, elements and start tiles say."""
    counts = [f"{element}_count" for element in box.counted]
    return [
        box.part[0],
        box.start[1],
        *(option for option, _, _ in box.theirs),
        *box.known,
        *counts,
        *(["tiles"] if box.alone else []),
    ]


def _rules_in_play(expansion: Expansion) -> dict[str, object]:
    """Return the values of their rules about one of our expansions.

    Files that name all of them leave nothing to what a version takes for usual.
    """
    name, chosen = expansion.name, expansion.chosen
    rules = {key: rule for key, rule in RULES.items() if rule.expansion == name}
    box = BOXES.get(name, Box(known=["fields"]))
    for option, (default, *_) in expansion.options().items():
        allowed = [
            ours
            for rule in rules.values()
            if rule.option == option
            for theirs, ours in rule.values.items()
            if theirs not in rule.broken
        ]
        allowed = allowed or [box.fixed.get(option, default)]
        allowed += [value for own, value in box.optional.values() if own == option]
        if option not in _options_known(box) and chosen[option] not in allowed:
            raise BadRules(
                f"JCloisterZone does not know {name}({option}={chosen[option]});"
                f" it plays {name}({option}={' or '.join(allowed)})"
            )
    return {
        key: next(
            (theirs for theirs, ours in rule.values.items() if chosen[rule.option] == ours),
            rule.default,
        )
        for key, rule in rules.items()
    }
