"""What the classic expansions for rivals are written with: words of theirs as actions, moments of theirs as steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from librt.vecs import vec
from mypy_extensions import i64

from carc.base.board.board import Board
from carc.base.cells import count_bits, nth_bit
from carc.base.game.actions import Action, OnCell, on_cell, on_cells, parse_choice
from carc.base.game.choices import NO_CHOICES, Choices, Listed
from carc.base.game.expansion import Expansion
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.game.steps import Step
from carc.base.game.type_variables import S_co
from carc.classics.figure_choices import FigureVerb
from carc.classics.tile_set_expansion import TileSetExpansion
from carc.errors import BadRules


class SimpleAction(Action):
    """An action that is one word of an expansion's in these rules; `effect` is told state and player."""

    def __init__(self, rules: Rules, text: str, effect: Callable[[State, int], None]) -> None:
        super().__init__(text)
        self.rules: Final = rules
        self.effect: Final = effect

    def perform(self, state: State, player: int) -> None:
        self.effect(state, player)


class CallbackStep(Step):
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

    def choices(self, state: State, player: int) -> Choices:
        return Listed([] if self.may is None else self.may(state, player))

    def apply(self, state: State, player: int, action: Action | None) -> None:
        if self.do is not None:
            self.do(state, player, action)
        elif action is not None:
            action.perform(state, player)


class AdjacentCellStep(Step):
    """A choice among cells around one, `VERB:X,Y` with the step's name as verb.

    Where there is a single one, it is taken without a decision.
    """

    def __init__(self, verb: str, steps: Sequence[int]) -> None:
        super().__init__(verb)
        self.steps: vec[i64] = vec[i64](steps)  # from the cell in the middle, in order
        self.made: Final = on_cells(verb)

    def around(self, state: State) -> tuple[int, list[int]]:
        """Return the cell in the middle and the cells that are excluded.

        Default: the cell of the tile laid last, and none.
        """
        return state.board.cell_of(state.board.last_tile), []

    def go(self, state: State, player: int, cell: int) -> None:
        """Perform the choice of a cell; -1: there was none."""

    def choices(self, state: State, player: int) -> Choices:
        choices = self._free(state)
        return choices if choices.count > 1 else NO_CHOICES

    def _free(self, state: State) -> AdjacentCells:
        middle, excluded = self.around(state)
        return AdjacentCells(self, state.board, middle, excluded)

    def apply(self, state: State, player: int, action: Action | None) -> None:
        if isinstance(action, OnCell):
            self.go(state, player, action.cell)
        else:
            self.go(state, player, self._free(state).cell(0))


class AdjacentCells(Choices):
    """The cells around one on which tiles lie face up, without some."""

    def __init__(
        self, step: AdjacentCellStep, board: Board, middle: i64, excluded: list[int]
    ) -> None:
        ways = board.tiles_at(middle, step.steps)
        for cell in excluded:
            for at in range(len(step.steps)):
                if middle + step.steps[at] == cell:
                    ways &= ~(1 << at)
        super().__init__(count_bits(ways))
        self.step: Final = step
        self.middle: Final[i64] = middle
        self.ways: Final[i64] = ways  # which of the steps lead to such a cell, a bit each

    def cell(self, index: i64) -> int:
        """Return the cell at an index; -1 if there are fewer."""
        if index >= self.count:
            return -1
        return self.middle + self.step.steps[nth_bit(self.ways, index)]

    def action(self, state: State, index: int) -> Action:
        return on_cell(self.step.name, self.cell(index), self.step.made)


class ChanceStep(Step):
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

    def choices(self, state: State, player: int) -> Choices:
        return Listed(self.words)

    def weights(self, state: State, actions: list[Action]) -> list[int]:
        return [1] * len(actions) if self.weighed is None else self.weighed(state)


class CompetitiveExpansion(TileSetExpansion[S_co]):
    """A classic expansion played beside `base` alone, not in a team: a player's colour has the player's number.

    What it says in actions is read from `words` and `verbs` (set in `bind`) and from the verbs of choices of segments and cells.
    """

    ON_SEGMENTS: ClassVar[tuple[str, ...]] = ()
    ON_CELLS: ClassVar[tuple[str, ...]] = ()

    def __init__(self) -> None:
        super().__init__()
        self.words: list[Action] = []
        self.verbs: list[FigureVerb] = []

    def resolve_with(self, others: Sequence[Expansion]) -> Expansion:
        if others[0].name != "base":
            raise BadRules(
                f"{self.name} is for rivals, and {others[0].name} is played by a team; it goes beside base"
            )
        return super().resolve_with(others)

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
