"""What the classic expansions for rivals are written with: words of theirs as actions, moments of theirs as steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.cells import bits
from carc.base.game.actions import Action, OnCell, on_cell, on_cells, parse_choice
from carc.base.game.expansion import Expansion
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.game.steps import LISTED, Step
from carc.classics.box import Box
from carc.classics.figures import Verb
from carc.errors import BadRules


class Word(Action):
    """An action that is one word of an expansion's in these rules; `effect` is told state and player."""

    def __init__(self, rules: Rules, text: str, effect: Callable[[State, int], None]) -> None:
        super().__init__(text)
        self.rules: Final = rules
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
    """A choice among cells around one, `VERB:X,Y` with the step's name as verb; a single one is none."""

    def __init__(self, verb: str, steps: Sequence[int]) -> None:
        super().__init__(verb)
        self.steps: vec[i64] = vec[i64](steps)  # from the one in the middle, in order
        self.choices: Final = on_cells(verb)

    def around(self, state: State) -> tuple[int, int, list[int]]:
        """The cell in the middle, that of the tile laid last; and what is out of the question, a cell (-1: none) and others."""
        return state.cell_of(state.last), -1, []

    def free(self, state: State, middle: i64, but: i64, others: list[int]) -> i64:
        """Which of the steps lead to tiles that are not out of the question, a bit each."""
        found = self._without(state.tiles_at(middle, self.steps), but - middle)
        for one in others:
            found = self._without(found, one - middle)
        return found

    def _without(self, ways: i64, step: i64) -> i64:
        """These ways but for a step; it need not be among them."""
        for at in range(len(self.steps)):
            if self.steps[at] == step:
                return ways & ~(1 << at)
        return ways

    def way(self, middle: i64, ways: i64, index: i64) -> int:
        """The cell that the way at an index leads to; -1: there are fewer."""
        for step in self.steps:
            if ways & 1:
                if index == 0:
                    return middle + step
                index -= 1
            ways >>= 1
        return -1

    def go(self, state: State, player: int, cell: int) -> None:
        """Do it; below 0: there is none."""

    def actions(self, state: State, player: int) -> list[Action]:
        return [self.pick(state, player, at) for at in range(self.count(state, player))]

    def count(self, state: State, player: int) -> int:
        around = self.around(state)
        middle: i64 = around[0]
        ways = self.free(state, middle, around[1], around[2])
        state.noted = middle << len(self.steps) | ways
        n = bits(ways)
        return n if n > 1 else 0

    def pick(self, state: State, player: int, index: int) -> Action:
        return on_cell(self.name, self._cell(state, index), self.choices)

    def _cell(self, state: State, index: i64) -> int:
        n = len(self.steps)
        return self.way(state.noted >> n, state.noted & (1 << n) - 1, index)

    def apply(self, state: State, player: int, action: Action | None) -> None:
        cell = action.cell if isinstance(action, OnCell) else self._cell(state, 0)
        self.go(state, player, cell)


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
    """A classic expansion played beside `base` alone, not in a team: a player's colour has the player's number.

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

    def layers(self) -> int:
        return max([verb.layers for verb in self.verbs], default=1)

    def parse(self, text: str) -> Action | None:
        for word in self.words:
            if word.text == text:
                return word
        for verb in self.verbs:
            found = verb.parse(text)
            if found is not None:
                return found
        return parse_choice(text, self.ON_SEGMENTS, self.ON_CELLS)


def showing(rules: Rules, symbol: str) -> vec[i64]:
    """By kind of tile, whether a symbol is printed on it: 1 or 0."""
    return vec[i64]([int(tile.symbol(symbol) is not None) for tile in rules.catalogue.tiles])


def marked(rules: Rules, mark: str) -> vec[i64]:
    """By kind of tile, which of its segments, by index, carry a mark: a bit each."""
    return vec[i64](
        [
            sum([1 << at for at, part in enumerate(tile.segments) if mark in dict(part.marks)])
            for tile in rules.catalogue.tiles
        ]
    )
