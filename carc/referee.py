"""The loop of a match: who is asked, what is done, what is noted. Compiled, for tournaments play millions."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from json.encoder import encode_basestring_ascii
from operator import index
from typing import Any, Final

from mypy_extensions import mypyc_attr

from carc.base.actions import PASS, Action
from carc.base.deal import Deal
from carc.base.scoring import Journal, Scored
from carc.base.state import State
from carc.base.steps import CHANCE, TERMINAL
from carc.errors import IllegalAction

_MOST_TEXTS: Final = 1 << 14


class Move:
    """One action of a match: the player who decided, what (in notation), and what it made owners score."""

    def __init__(self, player: int, action: str, scored: tuple[Scored, ...] = ()) -> None:
        self.player: Final = player
        self.action: Final = action
        self.scored: Final = scored

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Move)
            and self.player == other.player
            and self.action == other.action
            and self.scored == other.scored
        )

    def __hash__(self) -> int:
        return hash((self.player, self.action, self.scored))

    def __reduce__(self) -> tuple[Any, ...]:
        return Move, (self.player, self.action, self.scored)

    def __repr__(self) -> str:
        return f"Move({self.player}, {self.action!r}, {self.scored!r})"


_WHO: Final = [str(player) for player in range(CHANCE, 9)]


class Log:
    """The moves of a match in parts, which are put together for who looks at them: tournaments play millions."""

    def __init__(self, moves: Sequence[Move] = ()) -> None:
        self.words: Final[list[str]] = []
        """Who acted and what, in turn."""
        self.scored: Final[dict[int, tuple[Scored, ...]]] = {}
        """What was scored, by the number of the move, from 0."""
        for move in moves:
            self.add(move.player, move.action, move.scored)

    def __reduce__(self) -> tuple[Any, ...]:
        return Log, ([self.move(number) for number in range(len(self))],)

    def add(self, player: int, action: str, scored: tuple[Scored, ...]) -> None:
        """Note a move."""
        if scored:
            self.scored[len(self.words) // 2] = scored
        self.words.append(_WHO[player + 1] if CHANCE <= player <= 8 else str(player))
        self.words.append(action)

    def __len__(self) -> int:
        return len(self.words) // 2

    def move(self, number: int) -> Move:
        """One of the moves, from 0."""
        return Move(
            int(self.words[2 * number]), self.words[2 * number + 1], self.scored.get(number, ())
        )


@mypyc_attr(allow_interpreted_subclasses=True)
class Asked:
    """A bot as the referee asks it: by its `choose`, which is given a copy, or by its `choose_index`."""

    def __init__(self, bot: Any) -> None:
        self.by_index: Final = chooses_index(bot)
        self.method: Final[Any] = bot.choose_index if self.by_index else bot.choose

    def ask(self, state: State) -> Action:
        """The bot's choice, which is legal. Raises `IllegalAction`, and whatever the bot raises, as an `Exception`."""
        said = self.say(state.count_actions() if self.by_index else state.copy())
        return at_index(state, said) if self.by_index else chosen(state, said)

    def say(self, shown: object) -> object:
        """What the bot says to what it is shown. Raises whatever it raises, as an `Exception`."""
        try:
            return self.method(shown)
        except SystemExit as leave:
            raise RuntimeError(f"the bot called exit({leave.code!r})") from leave

    def choose(self, state: State) -> Action:
        """The same, for whoever asks it as a bot."""
        return self.ask(state)


def chooses_index(bot: Any) -> bool:
    """Whether a bot is asked for an index: its class has `choose_index`, and nothing more special to it a `choose`."""
    if "choose" in getattr(bot, "__dict__", {}):
        return False
    for one in type(bot).__mro__:
        if "choose_index" in vars(one):
            return True
        if "choose" in vars(one):
            return False
    return False


def chosen(state: State, said: object) -> Action:
    """The legal action that a bot chose: an action, or its notation. Raises `IllegalAction`, or `BadNotation` for what is neither."""
    return state.check(said if isinstance(said, Action) else state.rules.parse(str(said)))


def at_index(state: State, said: Any) -> Action:
    """The legal action at the index a bot said. Raises `IllegalAction`, or `TypeError` if it is no whole number."""
    at: int = said if isinstance(said, int) else index(said)
    count = state.count_actions()
    if 0 <= at < count:
        return state.action_at(at)
    raise IllegalAction(f"index {at} is not one of the {count} legal actions'")


def referee(
    state: State,
    deal: Deal,
    bots: Sequence[Any],
    book: Callable[[int, int, Exception], None],
    watch: Callable[[Move], None] | None,
) -> Log:
    """Play a state, which has a journal, to its end; what was done. A bot is `Asked` already or will be.

    `book` is told of a seat whose bot raised or did what is not legal, of the index of the action, and of the error; from
    then on the seat is played for. `watch` is told every move.
    """
    log = Log()
    at_fault: set[int] = set()
    asked = [bot if isinstance(bot, Asked) else Asked(bot) for bot in bots]
    journal = state.journal
    assert journal is not None
    while state.current_player != TERMINAL:
        player = state.current_player
        if player == CHANCE:
            action = state.check(deal.choose(state))
        elif at_fault and player in at_fault:
            action = stand_in(state)
        else:
            try:
                action = asked[player].ask(state)
            except Exception as error:  # noqa: BLE001 (a bot may raise anything)
                book(player, len(log), error)
                at_fault.add(player)
                action = stand_in(state)
        state.apply(action)
        log.add(player, action.text, scored_by(journal) if journal.scorings else ())
        if watch is not None:
            watch(log.move(len(log) - 1))
    return log


def stand_in(state: State) -> Action:
    """The fixed rule a seat at fault plays by: pass, or else the first legal action."""
    legal = state.legal_actions()
    return PASS if legal[-1] is PASS else legal[0]


def scored_by(journal: Journal, final: bool = False) -> tuple[Scored, ...]:
    """Take what was scored since the last call, in a turn or in final scoring."""
    if not journal.final and not final:  # most calls: all of it
        all_of_it = tuple(journal.scorings)
        journal.scorings = []
        return all_of_it
    taken = [scored for scored in journal.scorings if scored.final == final]
    left = len(journal.scorings) - len(taken)
    journal.scorings = [one for one in journal.scorings if one.final != final] if left else []
    return tuple(taken)


# The same few thousand texts in all matches.
_quoted: Final[dict[str, str]] = {}
_lines: Final[dict[int, dict[str, str]]] = {}
_plain: Final[set[str]] = set()


def quote(text: str) -> str:
    """A text as JSON: of the few that stand in all matches."""
    found = _quoted.get(text)
    if found is None:
        if len(_quoted) >= _MOST_TEXTS:
            _quoted.clear()
        found = _quoted[text] = json.dumps(text)
    return found


def _line(player: int, action: str) -> str:
    """A move that scores nothing."""
    of_player = _lines.setdefault(player, {})
    found = of_player.get(action)
    if found is None:
        if len(of_player) >= _MOST_TEXTS:
            of_player.clear()
        found = of_player[action] = f'{{"player": {player}, "action": {quote(action)}}}'
    return found


def move_lines(moves: Sequence[Move]) -> list[str]:
    """Moves as lines of a record: as `json.dumps` would write them, at a small part of the time."""
    lines: list[str] = []
    for move in moves:
        line = _line(move.player, move.action)
        if move.scored:
            line = f'{line[:-1]}, "scored": {scored_text(move.scored)}}}'
        lines.append(line)
    return lines


def moves_in_short(log: Log) -> list[str]:
    """Moves as the one line of a record in short; as they are where that cannot tell them apart, nor has to: a notation
    with a space in it, or no move at all."""
    text = " ".join(log.words)
    if text and _are_plain(log.words[1::2]):
        quoted = f'"{text}"'
    elif text.count(" ") == len(log.words) - 1:
        quoted = encode_basestring_ascii(text)
    else:
        return move_lines([log.move(number) for number in range(len(log))])
    scorings = [f'"{at}": {scored_text(scored)}' for at, scored in log.scored.items()]
    return [f'{{"moves": {quoted}, "scored": {{{", ".join(scorings)}}}}}']


def _are_plain(words: list[str]) -> bool:
    """Whether JSON writes words as they are, and a space tells them apart: looked up, for that costs a fifth of looking."""
    if _plain.issuperset(words):
        return True
    if len(_plain) >= _MOST_TEXTS:
        _plain.clear()
    for word in set(words) - _plain:
        if " " in word or encode_basestring_ascii(word) != f'"{word}"':
            return False
        _plain.add(word)
    return True


def scored_text(scored: Sequence[Scored]) -> str:
    """What was scored at once, as a record has it."""
    parts = [
        f'{{"owner": {s.owner}, "points": {s.points}, "text": {quote(s.text)}}}' for s in scored
    ]
    return f"[{', '.join(parts)}]"
