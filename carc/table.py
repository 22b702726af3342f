"""A game that people play: moves come one by one, from people, bots and chance, and may be taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from carc.base.actions import Action
from carc.base.rules import COLOURS, Rules
from carc.base.scoring import Journal
from carc.base.state import State
from carc.base.steps import CHANCE
from carc.errors import CarcError, IllegalAction
from carc.match import Bot, Fault, Match, Result, fault_of, result_of
from carc.referee import Move, scored_by, stand_in


class NotYourTurn(IllegalAction):
    """Somebody else decides now."""


class Table:
    """A game with people in the seats that have no bot.

    `by_hand`: the tiles drawn are told, as from a game on cardboard, and not dealt. `seats` holds a bot or None by seat.
    Not safe for threads; bots think outside of it (`ask`, then `answer`).
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
        if len(seats) != rules.players or len(names) != rules.players:
            raise CarcError(f"{rules.spec} has {rules.players} seats, not {len(seats)}")
        self.rules = rules
        self.bots = tuple(seats)
        self.names = tuple(names)
        self.seed = seed
        self.by_hand = by_hand
        self.start = start  # the position it begins from, if not from the start
        self._begin()

    def _begin(self) -> None:
        self._deal = self.rules.deal(self.seed)
        self.state: State = self.rules.start() if self.start is None else self.start.copy()
        self.journal = Journal()
        self.state.journal = self.journal
        self.moves: list[Move] = []
        self.faults: dict[int, Fault] = {}

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state.is_terminal

    @property
    def people(self) -> list[int]:
        """The seats that people have."""
        return [seat for seat, bot in enumerate(self.bots) if bot is None]

    @property
    def asked(self) -> int | None:
        """The seat of the person to decide, -1 where a tile is to be told; None where nobody is asked."""
        if self.over:
            return None
        player = self.state.current_player
        if player == CHANCE:
            return CHANCE if self.by_hand else None
        return player if self.bots[player] is None else None

    def act(self, seat: int, text: str) -> Move:
        """A person's choice, or the tile told (`seat` -1). Raises `NotYourTurn`, `BadNotation` or `IllegalAction`."""
        if self.asked is None or self.asked != seat:
            now = (
                "nobody"
                if self.asked is None
                else "chance"
                if self.asked == CHANCE
                else self.names[self.asked]
            )
            raise NotYourTurn(f"it is not this seat's turn; {now} is asked now")
        return self._take(self.state.check(self.rules.parse(text)))

    def deal(self) -> Move | None:
        """Chance's move, if it is to come from the deal."""
        if self.over or self.by_hand or self.state.current_player != CHANCE:
            return None
        return self._take(self._deal.choose(self.state))

    def thinker(self) -> Callable[[], Action | Exception] | None:
        """If a bot is to decide: what asks it, to be called anywhere, its answer to be given to `answer`."""
        player = self.state.current_player
        bot = None if self.over or player == CHANCE else self.bots[player]
        if bot is None:
            return None
        copy = self.state.copy()

        def ask() -> Action | Exception:
            try:
                return bot.choose(copy)
            except Exception as error:  # noqa: BLE001 (a bot may raise anything; its fault is noted)
                return error

        return ask

    def answer(self, said: Action | Exception) -> Move:
        """What the bot to decide said: its action, or, where it was at fault, what stands in for it."""
        seat = self.state.current_player
        try:
            if isinstance(said, Exception):
                raise said
            action = self.state.check(said)
        except Exception as error:  # noqa: BLE001 (as above)
            self.faults.setdefault(seat, fault_of(seat, len(self.moves), error))
            action = stand_in(self.state)
        return self._take(action)

    def step(self) -> Move | None:
        """Chance's or a bot's move; None where a person is asked or the game is over."""
        if (move := self.deal()) is not None:
            return move
        think = self.thinker()
        return None if think is None else self.answer(think())

    def run(self) -> list[Move]:
        """Everything up to the next person's choice or the end."""
        found = []
        while (move := self.step()) is not None:
            found.append(move)
        return found

    def _take(self, action: Action) -> Move:
        player = self.state.current_player
        self.state.apply(action)
        self.moves.append(Move(player, action.text, scored_by(self.journal)))
        return self.moves[-1]

    def undo(self) -> int:
        """Take back the last thing a person said and all since; how many actions that were. Bots keep what they remember."""
        mine = {CHANCE} if self.by_hand else set()
        mine |= set(self.people)
        last = next(
            (n for n in reversed(range(len(self.moves))) if self.moves[n].player in mine), None
        )
        if last is None:
            return 0
        back = len(self.moves) - last
        self.rewind(last)
        return back

    def rewind(self, number: int) -> None:
        """Go back to the position after so many actions."""
        self.play_on([move.action for move in self.moves[:number]])

    def play_on(self, actions: Sequence[str]) -> None:
        """Begin again with these actions, from whomever. Raises `CarcError` at one that is not legal."""
        faults = self.faults
        self._begin()
        self.faults = {seat: one for seat, one in faults.items() if one.action < len(actions)}
        for text in actions:
            action = self.state.check(self.rules.parse(text))
            dealt = self.state.current_player == CHANCE and not self.by_hand
            if dealt and self._deal.choose(self.state) != action:
                raise CarcError(f"{text} is not what seed {self.seed} deals: go on with it by hand")
            self._take(action)

    def advice(self, bot: Bot) -> tuple[Action, str]:
        """What a bot would do here, and what that scores at once and, of bots that say, leads them to expect (by owner).

        Raises `CarcError` if the bot fails.
        """
        try:
            action = self.state.check(bot.choose(self.state.copy()))
        except Exception as error:  # noqa: BLE001 (a bot may raise anything)
            raise CarcError(f"no advice: the bot failed, {type(error).__name__}: {error}") from None
        after = self.state.copy()
        after.journal = journal = Journal()
        after.apply(action)
        told = [
            f"{COLOURS[scoring.owner]} would score {scoring.text}" for scoring in journal.scorings
        ]
        expected = getattr(bot, "expected", None)
        if callable(expected) and not after.is_terminal:
            points = [
                f"{COLOURS[owner]} {value:.1f}" for owner, value in enumerate(expected(after))
            ]
            told.append(f"final points expected then: {', '.join(points)}")
        return action, "; ".join(told)

    def match(self) -> Match:
        """The match so far; its result means nothing before the end."""
        faults = list(self.faults.values())
        result = (
            result_of(self.state, faults, self.journal)
            if self.over
            else Result(scores=tuple(self.state.scores), ranks=(), winners=(), returns=())
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
        """The record; without its last line, the result, while the game goes on (`carc.drawing.story.read_any`)."""
        text = self.match().to_text()
        return text if self.over else "".join(text.splitlines(keepends=True)[:-1])
