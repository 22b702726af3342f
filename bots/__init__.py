"""The shipped bots, and bots by name."""

import importlib
import inspect
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from carc.errors import BadBot
from carc.match import Bot

# Modules are imported when their bot is asked for, so that a start costs only what is used.
SHIPPED = {
    "random": "carc.bots.random:Random",
    "greedy": "carc.bots.greedy:Greedy",
    "greedy-blind": "carc.bots.greedy:GhostBlind",
    "careful": "carc.bots.careful:Careful",
}


@lru_cache(maxsize=256)
def _takes_seed(made: Callable[..., Any]) -> bool:
    return "seed" in inspect.signature(made).parameters


def by_name(spec: str, seed: int = 0) -> Bot:
    """The bot a spec names: a shipped one, such as `greedy`, or one's own, `module:Class`.

    A class whose constructor has a parameter `seed` is given one. Raises `BadBot`.
    """
    path = SHIPPED.get(spec, spec)
    module, colon, name = path.partition(":")
    if not colon:
        raise BadBot(
            f"unknown bot {spec!r}; shipped are {', '.join(SHIPPED)}, your own is module:Class"
        )
    try:
        found: Callable[..., Any] = getattr(importlib.import_module(module), name)
    except ImportError as error:
        raise BadBot(f"bot {spec!r}: cannot import {module!r}: {error}") from None
    except AttributeError:
        raise BadBot(f"bot {spec!r}: {module!r} has no {name!r}") from None
    except Exception as error:  # noqa: BLE001 (a stranger's module may raise anything)
        raise BadBot(
            f"bot {spec!r}: importing {module!r}: {type(error).__name__}: {error}"
        ) from None
    try:
        bot = found(seed=seed) if _takes_seed(found) else found()
    except Exception as error:  # noqa: BLE001 (a stranger's constructor may raise anything)
        raise BadBot(f"bot {spec!r} cannot be made: {type(error).__name__}: {error}") from None
    if not callable(getattr(bot, "choose", None)):
        raise BadBot(f"bot {spec!r} has no method choose(state)")
    made: Bot = bot
    return made
