"""What the classic expansions for rivals are written with: words of theirs as actions, moments of theirs as steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from carc.base.actions import Action, OnCell, on_cell, parse_choice
from carc.base.expansion import Expansion
from carc.base.rules import Rules
from carc.base.state import State
from carc.base.steps import LISTED, Step
from carc.classics.box import Box
from carc.classics.figures import Verb
from carc.errors import BadRules


class Word(Action):
    """An action that is one word of an expansion's; `effect` is told state and player."""

    def __init__(self, text: str, effect: Callable[[State, int], None]) -> None:
        super().__init__(text)
        self.effect: Final = effect

    def perform(self, state: State, player: int) -> None:
        self.effect(state, player)


class Moment(Step):
    """A step that its expansion says: what may be done (None: nothing, ever), and what is done (`None`: there was nothing to decide)."""

    def __init__(
        self,
        name: str,
        may: Callable[[State, int], list[Action]] | None,
        do: Callable[[State, int, Action | None], None] | None = None,
    ) -> None:
        super().__init__(name)
        self.may: Final = may
        self.do: Final = do

    def actions(self, state: State, player: int) -> list[Action]:
        return [] if self.may is None else self.may(state, player)

    def count(self, state: State, player: int) -> int:
        return 0 if self.may is None else LISTED

    def apply(self, state: State, player: int, action: Action | None) -> None:
        if self.do is not None:
            self.do(state, player, action)
        elif action is not None:
            action.perform(state, player)


class AmongCells(Step):
    """A choice among the cells that `ways` tells, `VERB:X,Y`; a single one is none. `go` is told state, player and cell, -1: nowhere."""

    def __init__(
        self,
        verb: str,
        ways: Callable[[State], list[int]],
        go: Callable[[State, int, int], None],
    ) -> None:
        super().__init__(verb)
        self.ways: Final = ways
        self.go: Final = go

    def actions(self, state: State, player: int) -> list[Action]:
        ways = self.ways(state)
        return [on_cell(self.name, cell) for cell in ways] if len(ways) > 1 else []

    def count(self, state: State, player: int) -> int:
        n = len(self.ways(state))
        return n if n > 1 else 0

    def pick(self, state: State, player: int, index: int) -> Action:
        return on_cell(self.name, self.ways(state)[index])

    def apply(self, state: State, player: int, action: Action | None) -> None:
        ways = [action.cell] if isinstance(action, OnCell) else self.ways(state)
        self.go(state, player, ways[0] if ways else -1)


class Throw(Step):
    """A step of chance among words, each as likely as `weighed` says, or all alike."""

    def __init__(
        self,
        name: str,
        words: Sequence[Action],
        weighed: Callable[[State], list[int]] | None = None,
    ) -> None:
        super().__init__(name, by_chance=True)
        self.words: Final = list(words)
        self.weighed: Final = weighed

    def actions(self, state: State, player: int) -> list[Action]:
        return self.words

    def weights(self, state: State, actions: list[Action]) -> list[int]:
        return [1] * len(actions) if self.weighed is None else self.weighed(state)


class Rivalry(Box):
    """A classic expansion played beside `base` alone, not in a team.

    What it says in actions is read from `words` and `verbs` (set in `bind`) and from the verbs of choices of segments and cells.
    """

    ON_SEGMENTS: ClassVar[tuple[str, ...]] = ()
    ON_CELLS: ClassVar[tuple[str, ...]] = ()

    def __init__(self) -> None:
        super().__init__()
        self.words: list[Action] = []
        self.verbs: list[Verb] = []

    def beside(self, others: Sequence[Expansion]) -> Expansion:
        if others[0].name != "base":
            raise BadRules(
                f"{self.name} is for rivals, and {others[0].name} is played by a team; it goes beside base"
            )
        return super().beside(others)

    def parse(self, text: str) -> Action | None:
        for word in self.words:
            if word.text == text:
                return word
        for verb in self.verbs:
            found = verb.parse(text)
            if found is not None:
                return found
        return parse_choice(text, self.ON_SEGMENTS, self.ON_CELLS)


def showing(rules: Rules, symbol: str) -> list[bool]:
    """By kind of tile, whether a symbol is printed on it."""
    return [tile.symbol(symbol) is not None for tile in rules.catalogue.tiles]
