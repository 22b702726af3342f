"""The shipped bots, and bots by name."""

import importlib
import inspect
from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

from carc.base.validation import whole
from carc.errors import BadBot
from carc.match import Bot

# Modules are imported when their bot is asked for, so that a start costs only what is used.
SHIPPED = {
    "random": "carc.bots.random:Random",
    "greedy": "carc.bots.greedy:Greedy",
    "greedy-blind": "carc.bots.greedy:GhostBlind",
    "careful": "carc.bots.careful:Careful",
    "mcts": "carc.bots.mcts:MCTS",
    "strong": "carc.bots.mcts:Strong",
    "expectimax": "carc.bots.expectimax:Expectimax",
    "uct": "carc.bots.uct:UCT",
    "mcts-rave": "carc.bots.uct:RAVE",
    "team-mcts": "carc.bots.team:TeamMCTS",
}
# Of shipped bots that have one: what may follow the name and a colon.
PARAMETERS = {
    "greedy": "how rash it is, 0.001 to 1 (greedy:0.02)",
    "mcts": "N iterations a decision (mcts:200) or seconds (mcts:0.2s), and processes (mcts:0.2s:jobs=2)",
    "strong": "as of mcts; or processes alone (strong:jobs=2)",
    "expectimax": "turns it looks at, 1 to 4 (expectimax:2)",
    "uct": "iterations or seconds, as of mcts",
    "mcts-rave": "iterations or seconds, as of mcts",
    "team-mcts": "N playouts a decision (team-mcts:64) or seconds (team-mcts:0.2s)",
}


def shipped(spec: str) -> str:
    """Where the class of a shipped bot's spec is, as module:Class; empty if the spec names no shipped bot."""
    name, _, _ = spec.partition(":")
    return SHIPPED.get(name if name in PARAMETERS else spec, "")


def names() -> str:
    """The shipped bots as people are told of them."""
    return ", ".join(f"{name}[:PARAMETER]" if name in PARAMETERS else name for name in SHIPPED)


@lru_cache(maxsize=256)
def _takes_seed(made: Callable[..., Any]) -> bool:
    try:
        return "seed" in inspect.signature(made).parameters
    except ValueError:  # of what is not written in Python
        return False


def _made(found: Callable[..., Any], seed: int) -> Any:
    return found(seed=seed) if _takes_seed(found) else found()


def maker(given: str | type[Bot] | Callable[[int], Bot]) -> Callable[[int], Bot]:
    """What makes a new bot from a seed: of a bot's name, of its class, or what is one already.

    Raises `BadBot` for a bot itself, which would go from one game to the next with all it keeps, and for what makes none.
    """
    if isinstance(given, str):
        by_name(given)  # a mistake shows at once
        return partial(by_name, given)
    if not callable(given):
        raise BadBot(
            f"a bot's name, its class or a function that makes one from a seed is wanted, not {given!r}"
        )
    if isinstance(given, type):
        if not hasattr(given, "choose"):
            raise BadBot(f"the class {given.__name__} has no method choose(state)")
        return partial(_made, given)
    return partial(_by, given)


def _by(make: Callable[[int], Bot], seed: int) -> Bot:
    bot = make(seed)
    if not callable(getattr(bot, "choose", None)):
        raise BadBot(f"{make!r} made {bot!r}, which has no method choose(state)")
    return bot


@lru_cache(maxsize=256)
def _parts(spec: str) -> tuple[str, str, str]:
    """Module, class and parameter of a bot's spec. Raises `BadBot`."""
    where = shipped(spec)
    known, colon, parameter = spec.partition(":")
    if known in SHIPPED and colon and not where:
        raise BadBot(f"bot {spec!r}: {known} is a shipped bot that takes no parameter")
    if where and colon and not parameter:
        raise BadBot(f"bot {spec!r}: after the colon comes {PARAMETERS[known]}; or leave it out")
    module, colon, name = (where or spec).partition(":")
    if not colon:
        raise BadBot(f"unknown bot {spec!r}; shipped are {names()}, your own is module:Class")
    return module, name, parameter if where else ""


def by_name(spec: str, seed: int = 0) -> Bot:
    """The bot a spec names: a shipped one, such as `greedy` or `mcts:200`, or one's own, `module:Class`.

    A class whose constructor has a parameter `seed` is given one. Raises `BadBot`.
    """
    found, parameter = loaded(spec)
    seed = whole(seed, "a seed")
    try:
        bot = found(seed=seed, parameter=parameter) if parameter else _made(found, seed)
    except BadBot as error:
        raise BadBot(f"bot {spec!r}: {error}") from None
    except Exception as error:  # noqa: BLE001 (a stranger's constructor may raise anything)
        raise BadBot(f"bot {spec!r} cannot be made: {type(error).__name__}: {error}") from None
    if not callable(getattr(bot, "choose", None)):
        raise BadBot(f"bot {spec!r} has no method choose(state)")
    made: Bot = bot
    return made


def loaded(spec: str) -> tuple[Callable[..., Any], str]:
    """What makes the bot a spec names, its module imported, and the parameter it is given. Raises `BadBot`."""
    if not isinstance(spec, str):
        raise BadBot(f"a bot is named by a text, such as 'greedy' or module:Class, not {spec!r}")
    module, name, parameter = _parts(spec)
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
    if not callable(found):
        raise BadBot(f"bot {spec!r}: {module}.{name} is no class but of {type(found).__name__}")
    return found, parameter
