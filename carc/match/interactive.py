"""Matches with people: moves come one at a time and can be taken back."""

from collections.abc import Callable, Sequence

from carc.base.game.rules import COLOURS, Rules
from carc.base.game.state import State
from carc.base.turn.actions import Action
from carc.base.turn.scoring import Journal
from carc.base.turn.steps import CHANCE
from carc.bounded import checked_name
from carc.errors import CarcError, IllegalAction
from carc.match.bot import Bot
from carc.match.match import Fault, Match, Result, make_fault, make_result
from carc.match.moves import Move
from carc.match.referee import fallback_action, take_scorings


class NotYourTurn(IllegalAction):
    """Another seat decides now."""


class InteractiveMatch:
    """A match with people in the seats that have no bot.

    Not thread-safe. Bots may think in another thread: `bot_request`, then `answer`; `advise`.
    """

    def __init__(
        self,
        rules: Rules,
        seats: Sequence[Bot | None],
        names: Sequence[str],
        seed: int = 0,
        by_hand: bool = False,
        *,
        start: State | None = None,
    ) -> None:
        """Begin a match.

        Args:
            rules: The rules.
            seats: For each seat its bot, or None for a person.
            names: The name of each seat.
            seed: The seed of the deal.
            by_hand: Draws are entered, as from a game with real tiles, instead of dealt.
            start: The position to begin from, if not from the start.

        Raises:
            CarcError: The number of seats or names is wrong, or a name is no text.
        """
        if len(seats) != rules.players or len(names) != rules.players:
            raise CarcError(f"{rules.spec} has {rules.players} seats, not {len(seats)}")
        self.rules = rules
        self.bots = tuple(seats)
        self.names = tuple(map(_checked, names))
        self.seed = seed
        self.by_hand = by_hand
        self.start = start
        self._begin()

    def _begin(self) -> None:
        self._deal = self.rules.deal(self.seed)
        self.state: State = self.rules.start() if self.start is None else self.start.copy()
        self.journal = Journal()
        self.state.journal = self.journal
        self.moves: list[Move] = []
        self.faults: dict[int, Fault] = {}
        self._result: Result | None = None  # once the match is over

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.state.is_terminal

    @property
    def human_seats(self) -> list[int]:
        """The seats without a bot."""
        return [seat for seat, bot in enumerate(self.bots) if bot is None]

    @property
    def awaited(self) -> int | None:
        """The seat of the person to decide, `CHANCE` if a draw is to be entered, else None."""
        if self.is_over:
            return None
        player = self.state.current_player
        if player == CHANCE:
            return CHANCE if self.by_hand else None
        return player if self.bots[player] is None else None

    def replace(self, seat: int, bot: Bot) -> None:
        """Let a bot play on in a seat."""
        self.bots = tuple(bot if at == seat else old for at, old in enumerate(self.bots))

    def rename(self, seat: int, name: str) -> None:
        """Give a seat another name; raise `CarcError` if it is no text."""
        self.names = (*self.names[:seat], _checked(name), *self.names[seat + 1 :])

    def act(self, seat: int, text: str) -> Move:
        """Play a person's action, or a draw that is entered (`seat` is `CHANCE`).

        Raises `NotYourTurn` if another seat decides now, `BadNotation` or `IllegalAction`.
        """
        if self.awaited is None or self.awaited != seat:
            raise NotYourTurn(f"it is not your turn: {self._awaited_name()} decides now")
        return self._apply(self.state.check(self.rules.parse(text)))

    def _awaited_name(self) -> str:
        if self.awaited is None:
            return "nobody" if self.is_over else "chance or a bot"
        return "chance" if self.awaited == CHANCE else self.names[self.awaited]

    def deal(self) -> Move | None:
        """Play chance's action if the deal decides it."""
        if self.is_over or self.by_hand or self.state.current_player != CHANCE:
            return None
        return self._apply(self._deal.choose(self.state))

    def bot_request(self) -> Callable[[], Action | Exception] | None:
        """Return a function that asks the bot to decide, or None if no bot decides.

        It may be called in any thread. Pass its result to `answer`.
        """
        player = self.state.current_player
        bot = None if self.is_over or player == CHANCE else self.bots[player]
        if bot is None:
            return None
        copy = self.state.view(player)

        def ask() -> Action | Exception:
            try:
                return bot.choose(copy)
            except Exception as error:  # noqa: BLE001 (a bot may raise anything; noted as a fault)
                return error

        return ask

    def answer(self, choice: Action | Exception) -> Move:
        """Play a bot's choice, or `fallback_action` if the bot is at fault."""
        seat = self.state.current_player
        try:
            if isinstance(choice, Exception):
                raise choice
            action = self.state.check(choice)
        except Exception as error:  # noqa: BLE001 (as above)
            self.faults.setdefault(seat, make_fault(seat, len(self.moves), error))
            action = fallback_action(self.state)
        return self._apply(action)

    def step(self) -> Move | None:
        """Play chance's or a bot's move. Return None if a person decides or the match is over."""
        if (move := self.deal()) is not None:
            return move
        ask = self.bot_request()
        return None if ask is None else self.answer(ask())

    def run(self) -> list[Move]:
        """Play until a person decides or the match is over."""
        moves = []
        while (move := self.step()) is not None:
            moves.append(move)
        return moves

    def _apply(self, action: Action) -> Move:
        player = self.state.current_player
        self.state.apply(action)
        self.moves.append(Move(player, action.text, take_scorings(self.journal)))
        return self.moves[-1]

    def undo(self) -> int:
        """Take back a person's last action and all moves since; return how many.

        Bots keep what they remember.
        """
        entered = {*self.human_seats, *([CHANCE] if self.by_hand else [])}
        last = next(
            (n for n in reversed(range(len(self.moves))) if self.moves[n].player in entered), None
        )
        if last is None:
            return 0
        count = len(self.moves) - last
        self.rewind(last)
        return count

    def rewind(self, number: int) -> None:
        """Return to the position after `number` moves."""
        self.restart([move.action for move in self.moves[:number]])

    def restart(self, actions: Sequence[str]) -> None:
        """Begin again and play these actions.

        Raises `CarcError` if an action is not legal, or not what the seed deals.
        """
        faults = self.faults
        self._begin()
        self.faults = {seat: fault for seat, fault in faults.items() if fault.action < len(actions)}
        for text in actions:
            action = self.state.check(self.rules.parse(text))
            dealt = self.state.current_player == CHANCE and not self.by_hand
            if dealt and self._deal.choose(self.state) != action:
                raise CarcError(f"seed {self.seed} does not deal {text}: continue it by hand")
            self._apply(action)

    def advise(self, bot: Bot) -> Callable[[], tuple[Action, str]]:
        """Return a function that asks a bot what it would play now, and why.

        It may be called in any thread, and raises `CarcError` if the bot fails. The reason names
        what the action scores at once and, if the bot has a method `expected`, the final points
        that it expects for each owner.
        """
        after = self.state.view(self.state.current_player)
        after.journal = journal = Journal()

        def ask() -> tuple[Action, str]:
            try:
                action = after.check(bot.choose(after.copy()))
                after.apply(action)
                reasons = [
                    f"{COLOURS[scoring.owner]} would score {scoring.text}"
                    for scoring in journal.scorings
                ]
                expected = getattr(bot, "expected", None)
                if callable(expected) and not after.is_terminal:
                    points = [
                        f"{COLOURS[owner]} {value:.0f}"
                        for owner, value in enumerate(expected(after))
                    ]
                    reasons.append(f"points expected at the end: {', '.join(points)}")
            except Exception as error:  # noqa: BLE001 (a bot may raise anything)
                failure = f"{type(error).__name__}: {error}"
                raise CarcError(f"no hint: the bot failed, {failure}") from None
            return action, "; ".join(reasons)

        return ask

    def match(self) -> Match:
        """Return the match so far. Before the end its result is meaningless."""
        if self.is_over and self._result is None:  # it takes the final scorings from the journal
            self._result = make_result(self.state, list(self.faults.values()), self.journal)
        result = self._result or Result(
            scores=tuple(self.state.scores), ranks=(), winners=(), returns=()
        )
        return Match(
            rules=self.rules.spec,
            rules_version=self.rules.version,
            players=self.rules.players,
            seats=self.names,
            seed=self.seed,
            moves=tuple(self.moves),
            result=result,
            position="" if self.start is None else self.start.to_text(),
            end=self.state,
        )

    def record(self) -> str:
        """Return the record; before the end without its last line (see `read_saved_game`)."""
        text = self.match().to_text()
        return text if self.is_over else "".join(text.splitlines(keepends=True)[:-1])


def _checked(name: str) -> str:
    try:
        return checked_name(name)
    except ValueError as error:
        raise CarcError(str(error)) from None
