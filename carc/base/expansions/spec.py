"""Spec strings: `base+ghosts(castles=off)`, and the expansions they name."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from carc.base.expansions.base_game import Base
from carc.base.expansions.expansion import Expansion
from carc.base.expansions.hooks import check_hooks
from carc.errors import BadRules

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "carc.expansions"

_NAME: Final = re.compile(r"\s*([a-z][a-z0-9_]*)(?::([a-z0-9]+))?(?:\(([^()]*)\))?\s*")


def registered(*names: str) -> Mapping[str, EntryPoint]:
    """Return the installed expansions by name (entry-point group `carc.expansions`).

    They are looked up once, and again where one of these names is missing.
    """
    points = _registered_on(tuple(sys.path))
    if all(name in points for name in names):
        return points
    _registered_on.cache_clear()
    return _registered_on(tuple(sys.path))


@lru_cache(maxsize=1)
def _registered_on(path: tuple[str, ...]) -> Mapping[str, EntryPoint]:
    from importlib.metadata import entry_points  # noqa: PLC0415 (slow)

    return {point.name: point for point in entry_points(group=GROUP)}


def expansions_named(spec: str) -> list[Expansion]:
    """Return the expansions of a spec, configured: the game, then the others by name.

    Raises:
        BadRules: The spec names none.
    """
    parts = _parts(spec)
    names = [name for name, _, _ in parts]
    others = [name for name in names if name != "base"]
    points = registered(*others) if others else {}
    for name in others:
        if name not in points:
            raise BadRules(
                f"unknown rules {name!r}; known are base {' '.join(sorted(points))}".rstrip()
            )
    for name in names:
        if names.count(name) > 1:
            raise BadRules(f"{name} is named twice in {spec!r}")
    made = [
        configured(Base() if name == "base" else load(points[name]), name, argument, options)
        for name, argument, options in parts
    ]
    for at, expansion in enumerate(made):
        if (at == 0) != type(expansion).STANDALONE:
            name = expansion.name
            raise BadRules(
                f"{name} comes first, in place of {names[0]}: it is a game of its own"
                if at
                else f"{name} comes after a game: base+{name}"
            )
    game, *rest = made
    return _beside([game, *sorted(rest, key=lambda expansion: expansion.name)])


def spec_of(expansions: list[Expansion]) -> str:
    """Return the spec of configured expansions, without options at their defaults."""
    words = []
    for expansion in expansions:
        word = expansion.name + (f":{expansion.argument}" if expansion.argument else "")
        choices = expansion.options()
        said = [
            f"{option}={value}"
            for option, value in expansion.chosen.items()
            if value != choices[option][0]
        ]
        words.append(f"{word}({','.join(said)})" if said else word)
    return "+".join(words)


def configured(expansion: Expansion, name: str, argument: str, options: str) -> Expansion:
    """Set argument and options of an expansion, and return it, or raise `BadRules`."""
    expansion.name = name
    allowed = list(expansion.arguments())
    if allowed and argument not in allowed:
        raise BadRules(f"{name} is written {name}:X with X one of {' '.join(allowed)}")
    if argument and not allowed:
        raise BadRules(f"{name} takes nothing after a colon")
    expansion.argument = argument
    choices = expansion.options()
    expansion.chosen = {option: values[0] for option, values in choices.items()}
    said: set[str] = set()
    for part in options.split(",") if options.strip() else []:
        option, _, value = (piece.strip() for piece in part.partition("="))
        if option not in choices:
            raise BadRules(f"{name} has no option {option!r}; it has {' '.join(choices) or 'none'}")
        if option in said:
            raise BadRules(f"{name}'s option {option} is given twice; give it once")
        if value not in choices[option]:
            raise BadRules(
                f"{name}'s option {option} is {' or '.join(choices[option])}, not {value!r}"
            )
        said.add(option)
        expansion.chosen[option] = value
    return expansion


def _parts(spec: str) -> list[tuple[str, str, str]]:
    """Return name, argument and options of each part of a spec."""
    parts: list[tuple[str, str, str]] = []
    at = 0
    while True:
        match = _NAME.match(spec, at)
        if match is None:
            raise BadRules(
                f"{spec!r} is no rules spec; it is written NAME or NAME+NAME, each with an optional"
                " :ARGUMENT and (OPTION=VALUE,...)"
            )
        parts.append((match[1], match[2] or "", match[3] or ""))
        at = match.end()
        if at == len(spec):
            return parts
        if spec[at] != "+":
            raise BadRules(f"{spec!r} is no rules spec: expected '+' before {spec[at:]!r}")
        at += 1


def load(point: EntryPoint) -> Expansion:
    """Return a new expansion of an installed class; raise `BadRules` if it cannot be loaded."""
    try:
        make: Callable[[], Expansion] = point.load()
        made = make()
    except Exception as error:
        renamed = "; carc's CHANGELOG.md lists renamed names" * isinstance(error, ImportError)
        raise BadRules(
            f"the expansion {point.name!r} ({point.value}) cannot be loaded: "
            f"{type(error).__name__}: {error}{renamed}"
        ) from error
    if not isinstance(made, Expansion):
        raise BadRules(f"the entry point {point.name!r} ({point.value}) is no carc.Expansion")
    return made


def _beside(expansions: list[Expansion]) -> list[Expansion]:
    variants: list[Expansion] = []
    for expansion in expansions:
        variant = expansion.resolve_with([other for other in expansions if other is not expansion])
        variant.name, variant.argument = expansion.name, expansion.argument
        variant.chosen = expansion.chosen
        variants.append(variant)
    return variants


def with_base(expansions: Sequence[Expansion], players: int) -> tuple[Expansion, ...]:
    """Return the expansions of a game, sorted and set up, beginning with the base game.

    Every game is built on the base game, a stand-alone one too.
    """
    parts = list(expansions)
    if not parts or type(parts[0]) is not Base:
        parts.insert(0, configured(Base(), "base", "", ""))
    parts.sort(key=lambda each: (type(each) is not Base, not type(each).STANDALONE, each.name))
    for expansion in parts:
        check_hooks(type(expansion))
        expansion.players = players
        expansion.name = expansion.name or type(expansion).__name__  # a class given by hand
    return tuple(parts)
