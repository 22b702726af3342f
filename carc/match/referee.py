"""The loop of a match: ask, check, apply, log. Compiled: tournaments play millions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import index
from typing import Any, Final

from mypy_extensions import mypyc_attr

from carc.base.game.chance import Deal
from carc.base.game.state import State
from carc.base.turn.actions import PASS, Action
from carc.base.turn.scoring import Journal, Scored
from carc.base.turn.steps import CHANCE, TERMINAL
from carc.errors import IllegalAction
from carc.match.moves import Move, MoveLog


@mypyc_attr(allow_interpreted_subclasses=True)
class BotAdapter:
    """A bot as the referee calls it: by `choose` with what it sees, or by `choose_index`."""

    def __init__(self, bot: Any) -> None:
        self.by_index: Final = chooses_index(bot)
        self.method: Final[Any] = bot.choose_index if self.by_index else bot.choose

    def ask(self, state: State) -> Action:
        """Return the bot's choice, a legal action.

        Raises:
            IllegalAction: The choice is not legal.
            Exception: Whatever the bot raises.
        """
        if self.by_index:
            return action_at_index(state, self.call(state.count_actions()))
        return legal_action(state, self.call(state.view(state.current_player)))

    def call(self, argument: object) -> object:
        """Call the bot with a state or a count.

        Raises:
            Exception: Whatever the bot raises; `SystemExit` becomes `RuntimeError`.
        """
        try:
            return self.method(argument)
        except SystemExit as leave:
            raise RuntimeError(f"the bot called exit({leave.code!r})") from leave

    def choose(self, state: State) -> Action:
        """Do the same as `ask`: an adapter is itself a bot."""
        return self.ask(state)


def chooses_index(bot: Any) -> bool:
    """Return True if a bot is called by `choose_index`.

    That is the case if its most derived class with either method has `choose_index`.
    """
    if "choose" in getattr(bot, "__dict__", {}):
        return False
    for cls in type(bot).__mro__:
        if "choose_index" in vars(cls):
            return True
        if "choose" in vars(cls):
            return False
    return False


def legal_action(state: State, answer: object) -> Action:
    """Return the legal action that a bot answered, as an action or in notation.

    Raises `BadNotation` if the answer is neither, `IllegalAction` if it is not legal.
    """
    return state.check(answer if isinstance(answer, Action) else state.rules.parse(str(answer)))


def action_at_index(state: State, answer: Any) -> Action:
    """Return the legal action at the index that a bot answered.

    Raises `IllegalAction` if it is out of range, `TypeError` if it is not an integer.
    """
    at: int = answer if isinstance(answer, int) else index(answer)
    count = state.count_actions()
    if 0 <= at < count:
        return state.action_at(at)
    raise IllegalAction(f"index {at} is out of range: there are {count} legal actions")


def referee(
    state: State,
    deal: Deal,
    bots: Sequence[Any],
    on_fault: Callable[[int, int, Exception], None],
    watch: Callable[[Move], None] | None,
) -> MoveLog:
    """Play a state to its end and return the moves.

    A seat at fault is not asked again: `fallback_action` plays for it.

    Args:
        state: The state, which has a journal. It is changed.
        deal: The source of chance's actions.
        bots: One bot or `BotAdapter` for each seat.
        on_fault: Called with the seat, the index of the action and the error.
        watch: Called with every move.
    """
    log = MoveLog()
    at_fault: set[int] = set()
    adapters = [bot if isinstance(bot, BotAdapter) else BotAdapter(bot) for bot in bots]
    journal = state.journal
    assert journal is not None
    while state.current_player != TERMINAL:
        player = state.current_player
        if player == CHANCE:
            action = state.check(deal.choose(state))
        elif at_fault and player in at_fault:
            action = fallback_action(state)
        else:
            try:
                action = adapters[player].ask(state)
            except Exception as error:  # noqa: BLE001 (a bot may raise anything)
                on_fault(player, len(log), error)
                at_fault.add(player)
                action = fallback_action(state)
        state.apply(action)
        log.add(player, action.text, take_scorings(journal) if journal.scorings else ())
        if watch is not None:
            watch(log.move(len(log) - 1))
    return log


def fallback_action(state: State) -> Action:
    """Return what a seat at fault plays: pass, or else the first legal action."""
    legal = state.legal_actions()
    return PASS if legal[-1] is PASS else legal[0]


def take_scorings(journal: Journal, final: bool = False) -> tuple[Scored, ...]:
    """Remove and return the scorings since the last call, of turns or of final scoring."""
    if not journal.final and not final:  # most calls: all of them
        scorings = tuple(journal.scorings)
        journal.scorings = []
        return scorings
    taken = [scored for scored in journal.scorings if scored.final == final]
    journal.scorings = [scored for scored in journal.scorings if scored.final != final]
    return tuple(taken)
