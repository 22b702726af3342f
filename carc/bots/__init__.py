"""The shipped bots, and how to make a bot from its name.

Called by: analysis, arena, commands, learn, puzzles, tournaments, web.
Imports: base, match, the expansions.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from carc.base.validation import whole
from carc.errors import BadBot

if TYPE_CHECKING:  # a bot's process needs no matches
    from carc.match import Bot

# Modules are imported when their bot is asked for, so that a start costs only what is used.
SHIPPED = {
    "random": "carc.bots.random:Random",
    "greedy": "carc.bots.greedy:Greedy",
    "greedy-1": "carc.bots.greedy:Greedy1",
    "greedy-blind": "carc.bots.greedy:GhostBlind",
    "people": "carc.bots.people:People",
    "careful": "carc.bots.careful:Careful",
    "mcts": "carc.bots.mcts:MCTS",
    "strong": "carc.bots.mcts:Strong",
    "strong-1": "carc.bots.mcts:Strong1",
    "expectimax": "carc.bots.expectimax:Expectimax",
    "uct": "carc.bots.uct:UCT",
    "mcts-rave": "carc.bots.uct:RAVE",
    "team-mcts": "carc.bots.team_mcts:TeamMCTS",
}
# The parameters of those that have one: what may follow the name and a colon.
PARAMETERS = {
    "greedy": "its temperature (greedy:0.02) or the probability that it overlooks an action"
    " (greedy:overlook=0.3), 0.001 to 1",
    "greedy-1": "the same as for greedy",
    "people": "the same as for greedy; with a temperature of 1 it varies as people do",
    "mcts": "N playouts per turn (mcts:200) or seconds of CPU time (mcts:0.2s), and processes"
    " (mcts:0.2s:jobs=2)",
    "strong": "the same as for mcts; or processes alone (strong:jobs=2)",
    "strong-1": "the same as for strong, per decision",
    "expectimax": "the turns it searches, 1 to 4 (expectimax:2)",
    "uct": "N iterations per decision (uct:200) or seconds of CPU time (uct:0.2s)",
    "mcts-rave": "the same as for uct",
    "team-mcts": "N playouts per decision (team-mcts:64) or seconds of CPU time (team-mcts:0.2s)",
}


def class_path(spec: str) -> str:
    """Return where the class of a shipped bot is, as module:Class; empty for other bots."""
    name, _, _ = spec.partition(":")
    return SHIPPED.get(name if name in PARAMETERS else spec, "")


def names() -> str:
    """Return the names of the shipped bots, for messages."""
    return ", ".join(f"{name}[:PARAMETER]" if name in PARAMETERS else name for name in SHIPPED)


@lru_cache(maxsize=256)
def _takes_seed(maker: Callable[..., Any]) -> bool:
    try:
        return "seed" in inspect.signature(maker).parameters
    except ValueError:  # it is not written in Python
        return False


def _make(maker: Callable[..., Any], seed: int) -> Any:
    return maker(seed=seed) if _takes_seed(maker) else maker()


def bot_maker(bot: str | type[Bot] | Callable[[int], Bot]) -> Callable[[int], Bot]:
    """Return a function that makes a new bot from a seed, of a spec, a class, or such a function.

    Raises `BadBot` if it is none of these. A bot itself is refused, too: it would carry over what
    it remembers from one game to the next.
    """
    if isinstance(bot, str):
        by_name(bot)  # a wrong name is refused here
        return partial(by_name, bot)
    if not callable(bot):
        raise BadBot(
            "a bot's name, its class or a function that makes one from a seed is wanted, not"
            f" {bot!r}"
        )
    if isinstance(bot, type):
        if not hasattr(bot, "choose"):
            raise BadBot(f"the class {bot.__name__} has no method choose(state)")
        return partial(_make, bot)
    return partial(_make_by_function, bot)


def _make_by_function(make: Callable[[int], Bot], seed: int) -> Bot:
    bot = make(seed)
    if not callable(getattr(bot, "choose", None)):
        raise BadBot(f"{make!r} made {bot!r}, which has no method choose(state)")
    return bot


@lru_cache(maxsize=256)
def _parse_spec(spec: str) -> tuple[str, str, str]:
    """Return the module, the class and the parameter of a bot's spec."""
    path = class_path(spec)
    base, colon, parameter = spec.partition(":")
    if base in SHIPPED and colon and not path:
        raise BadBot(f"bot {spec!r}: {base} is a shipped bot that takes no parameter")
    if path and colon and not parameter:
        raise BadBot(f"bot {spec!r}: after the colon comes {PARAMETERS[base]}; or leave it out")
    module, colon, name = (path or spec).partition(":")
    if not colon:
        raise BadBot(f"unknown bot {spec!r}; shipped are {names()}, your own is module:Class")
    return module, name, parameter if path else ""


def by_name(spec: str, seed: int = 0) -> Bot:
    """Make the bot of a spec: a shipped one, such as `mcts:200`, or your own `module:Class`.

    The seed is passed to the class if its constructor has a parameter of that name. Raises `BadBot`
    if there is no such bot, or if it cannot be made.
    """
    maker, parameter = load_class(spec)
    seed = whole(seed, "a seed")
    try:
        made = maker(seed=seed, parameter=parameter) if parameter else _make(maker, seed)
    except BadBot as error:
        raise BadBot(f"bot {spec!r}: {error}") from None
    except Exception as error:  # noqa: BLE001 (a stranger's constructor may raise anything)
        raise BadBot(f"bot {spec!r} cannot be made: {type(error).__name__}: {error}") from None
    if not callable(getattr(made, "choose", None)):
        raise BadBot(f"bot {spec!r} has no method choose(state)")
    bot: Bot = made
    return bot


def load_class(spec: str) -> tuple[Callable[..., Any], str]:
    """Return the class and the parameter of the bot that a spec names, or raise `BadBot`."""
    if not isinstance(spec, str):
        raise BadBot(f"a bot is named by a text, such as 'greedy' or module:Class, not {spec!r}")
    module, name, parameter = _parse_spec(spec)
    try:
        maker: Callable[..., Any] = getattr(importlib.import_module(module), name)
    except ImportError as error:
        raise BadBot(f"bot {spec!r}: cannot import {module!r}: {error}") from None
    except AttributeError:
        raise BadBot(f"bot {spec!r}: {module!r} has no {name!r}") from None
    except Exception as error:  # noqa: BLE001 (a stranger's module may raise anything)
        raise BadBot(
            f"bot {spec!r}: importing {module!r}: {type(error).__name__}: {error}"
        ) from None
    if not callable(maker):
        raise BadBot(
            f"bot {spec!r}: {module}.{name} is not a class but of type {type(maker).__name__}"
        )
    return maker, parameter
