"""`play`: one match between bots."""

from collections.abc import Callable, Sequence

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.turn.scoring import Journal
from carc.base.validation import whole
from carc.errors import BadBot, CarcError
from carc.match.bot import Bot, Void
from carc.match.match import Fault, Match, MoveSequence, make_fault, make_result
from carc.match.moves import Move
from carc.match.referee import referee


def play(
    rules: Rules | str,
    bots: Sequence[Bot],
    seed: int = 0,
    names: Sequence[str] | None = None,
    watch: Callable[[Move], None] | None = None,
    *,
    start: State | None = None,
) -> Match:
    """Play one match and return it.

    A bot that raises or returns an illegal action is at fault. The match notes the fault and goes
    on: the seat passes where it may, else takes the first legal action, and ranks last.

    Args:
        rules: The rules, or a spec, which is played by as many players as there are bots.
        bots: One bot for each seat. What a bot is given shares nothing with the match.
        seed: The seed of the deal.
        names: The names of the seats in the record; by default those of the bots.
        watch: Called with every move as soon as it is made, chance's included.
        start: The position to begin from, if not from the start.

    Raises:
        CarcError: The number of bots is wrong, one is not a bot, or `start` has other rules.
        Void: The match cannot be finished, and no bot is to blame.
    """
    rules = Rules.coerce(Rules.cached(rules, len(bots)) if isinstance(rules, str) else rules)
    seed = whole(seed, "a seed")
    _require(rules, bots, start)
    state = rules.start() if start is None else start.copy()
    journal = state.journal = Journal()
    faults: list[Fault] = []

    def on_fault(seat: int, action: int, error: Exception) -> None:
        if isinstance(error, Void):
            raise error
        faults.append(make_fault(seat, action, error))

    log = referee(state, rules.deal(seed), bots, on_fault, watch)
    return Match(
        rules.spec,
        rules.version,
        rules.players,
        seats=tuple(names or [_name(bot) for bot in bots]),
        seed=seed,
        moves=MoveSequence(log),
        result=make_result(state, faults, journal),
        position="" if start is None else start.to_text(),
        end=state,
    )


def _require(rules: Rules, bots: Sequence[Bot], start: State | None) -> None:
    if start is not None and start.rules != rules:
        raise CarcError(f"the position belongs to {start.rules}, not to {rules}")
    if len(bots) != rules.players:
        raise CarcError(
            f"{rules.spec} for {rules.players} players needs {rules.players} bots, not {len(bots)}"
        )
    for bot in bots:
        if isinstance(bot, type):
            raise BadBot(f"a bot is an instance, not a class: pass {bot.__name__}()")
        if not (hasattr(bot, "choose") or hasattr(bot, "choose_index")):
            raise BadBot(
                f"{bot!r} is not a bot: it has no method choose(state);"
                " carc.bots.by_name makes a bot from a name"
            )


def _name(bot: Bot) -> str:
    return str(getattr(bot, "name", type(bot).__name__))
