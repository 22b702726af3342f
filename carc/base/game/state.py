"""`State`: one position of a game; `view` is what a player sees of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, final

from librt.vecs import append, vec
from mypy_extensions import i64

from carc.base import display
from carc.base.board import tile_laying
from carc.base.board.arrays import ROOM
from carc.base.board.board import Board
from carc.base.cells import cell_at
from carc.base.game import hidden, outcome, refusals
from carc.base.position import restoring, state_data, state_key, state_text
from carc.base.position.expansion_state import ExpansionState
from carc.base.position.position import Position
from carc.base.turn.actions import Action, Draw
from carc.base.turn.agenda import AgendaItem, items_from, put_before, put_on_top
from carc.base.turn.bag import Bag
from carc.base.turn.choices import NO_CHOICES, Choices, Listed
from carc.base.turn.scoring import Journal, award, majority, value
from carc.base.turn.steps import CHANCE, TERMINAL, Step, may_come
from carc.errors import IllegalAction

if TYPE_CHECKING:
    from carc.base.game.rules import Rules


@final
class State(Bag):
    """One position of a game. `Rules.start()` makes the first; `apply` changes it in place.

    Attributes may be read; only methods change them.

    Attributes:
        rules: What is played; shared by all states of it.
        board: What lies on the table.
        current_player: Who is to decide, 0 to n-1, or `CHANCE` (-1); `TERMINAL` (-4) at the end.
        active_player: Whose turn it is; another player may be to decide.
        step: The `Step` that is to be decided; at the end, the last one that was.
        scores: The points by owner: by player, or by colour where a player has several.
        expansion_states: What expansions keep, in the order of `rules.expansions`.
        bag: How many tiles of each kind (an index of `rules.tile_names`) nobody has seen yet.
        tiles_left: How many tiles can be drawn: those of the bag less what left it unseen.
        tile_in_hand: The kind of the tile drawn and not laid yet; -1 if there is none.
        discarded: The kinds of the tiles that fitted nowhere, in order.
        journal: Where scorings are itemised; None if nobody wants to know.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def _begin(self, start: Sequence[tuple[int, int, int, int]]) -> None:
        rules = self.rules
        self.board: Board = Board(rules.components)
        self.board._clear()
        self.current_player: int = CHANCE
        self.active_player: int = 0
        self._agenda: AgendaItem | None = None  # the top, which leads to the rest
        self.step: Step = rules._draw_step
        self._choices: Choices = NO_CHOICES
        self.journal: Journal | None = None
        self.scores: list[int] = [0] * rules.owners
        self._fill_bag(rules.catalogue)
        self.expansion_states: vec[ExpansionState] = vec[ExpansionState]()
        for expansion in rules.expansions:
            own = expansion.setup(self)
            if own is not None:
                expansion._slot = len(self.expansion_states)
                self.expansion_states = append(self.expansion_states, own)
        for kind, x, y, rotation in start:
            self._lay(kind, cell_at(x, y), rotation)
        self.board.completed.clear()
        self._begin_turn(0)
        self._advance()

    # -- playing -------------------------------------------------------------------------------

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.current_player == TERMINAL

    def legal_actions(self) -> list[Action]:
        """Return what `current_player` may do, in a fixed order; a list of the caller's own.

        It is empty only at the end of the game.
        """
        actions = self._listed()
        if self.current_player != CHANCE:
            return actions.copy()
        weights = self.step.weights(self, actions)
        return [action for action, weight in zip(actions, weights, strict=True) if weight]

    def count_actions(self) -> int:
        """Return how many legal actions there are, without listing them where that is costly."""
        if self.current_player == CHANCE:
            return len(self.legal_actions())
        return self._choices.count

    def action_at(self, index: int) -> Action:
        """Return the legal action at an index, without listing them where that is costly.

        Raises:
            IllegalAction: There are fewer; at the end of the game there are none.
        """
        if self.current_player == CHANCE:
            actions = self.legal_actions()
            if 0 <= index < len(actions):
                return actions[index]
        elif 0 <= index < self._choices.count:
            return self._choices.action(self, index)
        raise IllegalAction(refusals.no_action_at(index, self.count_actions()))

    def apply(self, action: Action) -> None:
        """Perform a legal action and all that follows from it up to the next decision.

        The action is not validated: see `check`.

        Raises:
            IllegalAction: The game is over.
        """
        item = self._agenda
        if item is None:
            raise IllegalAction(refusals.not_legal(action, self.legal_actions()))
        self._agenda = item.after
        item.step.apply(self, item.player, action)
        self._advance()

    def check(self, action: Action) -> Action:
        """Return the legal action that equals this one.

        Raises:
            IllegalAction: It is not legal; the message names what is.
        """
        listed = self._listed()
        at = action.kind if isinstance(action, Draw) else 0  # draws are in the order of kinds
        while at < len(listed):
            if listed[at] is action:  # most callers return what they were offered
                if self.current_player != CHANCE or may_come(self, listed, at):
                    return action
                break
            at += 1
        for legal in self.legal_actions():
            if legal == action:
                return legal
        raise IllegalAction(refusals.not_legal(action, self.legal_actions()))

    def chance_outcomes(self) -> list[tuple[Action, float]]:
        """Return what chance may do with probabilities; empty unless `CHANCE` is to decide."""
        if self.current_player != CHANCE:
            return []
        actions = self._listed()
        weights = self.step.weights(self, actions)
        total = sum(weights)
        return [(a, weight / total) for a, weight in zip(actions, weights, strict=True) if weight]

    def returns(self) -> list[float]:
        """Return each player's utility: 0 before the end; then 1 for a sole winner (BASE-19).

        The losers share -1.
        """
        return outcome.returns(self)

    @property
    def winners(self) -> list[int]:
        """The players who won, several if tied (BASE-19); empty before the end or if all lost."""
        return outcome.winners(self)

    @property
    def outcome(self) -> dict[str, Any]:
        """What expansions report of how the game ended, as JSON data; empty before the end."""
        return outcome.report(self)

    def copy(self) -> State:
        """Return an independent copy, without the journal."""
        return self._copy(ROOM)

    def view(self, player: int) -> State:
        """Return a copy in which what a player (`CHANCE`: any) does not see is left to chance."""
        return hidden.view(self, player)

    def _copy(self, room: int) -> State:
        """Return a copy whose board has room for so many more segments."""
        new = State(self.rules)
        new.board = self.board.copy(room)
        new.current_player = self.current_player
        new.active_player = self.active_player
        new._agenda = self._agenda
        new.step = self.step
        new._choices = self._choices
        new.journal = None
        new.scores = self.scores.copy()
        self._copy_bag_to(new)
        new.expansion_states = vec[ExpansionState]([own.copy() for own in self.expansion_states])
        return new

    # -- what bots ask most --------------------------------------------------------------------

    def owners_of(self, feature: int) -> list[int]:
        """Return the owners with most followers on a feature (BASE-11); none if it is empty."""
        return majority(self, feature)

    def points_now(self, feature: int) -> int:
        """Return what a feature would score if the game ended now (BASE-16, BASE-17).

        Expansions included. For a complete feature: what it scores.
        """
        board = self.board
        completes = self.rules.catalogue.completes[board._kind[feature]]
        return value(self, feature, not (completes and not board.is_open(feature)))

    # -- as a value ----------------------------------------------------------------------------

    def key(self) -> bytes:
        """Return 16 bytes that identify the position, for tables of positions.

        Equal positions have equal keys in every process, whatever the order of their tiles.
        """
        return state_key.key(self)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, State) and self.key() == other.key())

    def __hash__(self) -> int:
        return hash(self.key())

    def to_text(self) -> str:
        """Return the position as one line, like FEN in chess (`docs/positions.md`)."""
        return state_text.to_text(self)

    @staticmethod
    def from_text(text: str, rules: Rules | None = None) -> State:
        """Return the position that a text describes.

        Args:
            text: A line that `to_text` wrote.
            rules: The rules, where their spec does not say it all (tile files).

        Raises:
            BadPosition: The text describes no position.
            BadRules: The text names unknown rules.
        """
        parsed = Position.parse(text)
        return restoring.state_from(rules or restoring.rules_of(parsed), parsed)

    @staticmethod
    def from_dict(data: Mapping[str, Any], rules: Rules | None = None) -> State:
        """Return the state that `to_dict()` described; `rules` as in `from_text`.

        Raises:
            BadPosition: The data describe no position.
            BadRules: They name unknown rules.
        """
        described = Position.from_dict(data)
        return restoring.state_from(rules or restoring.rules_of(described), described)

    def to_dict(self, *parts: str) -> dict[str, Any]:
        """Return everything visible as JSON data (`docs/positions.md`), or only some parts.

        Raises:
            KeyError: There is no such part.
        """
        return state_data.to_dict(self, parts)

    def __reduce__(self) -> tuple[Any, ...]:
        return restoring.state_from_dict, (self.rules, state_data.basics(self))

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self.copy()

    def __copy__(self) -> State:
        return self.copy()

    def __repr__(self) -> str:
        return f"State.from_text({self.to_text()!r})"

    def __str__(self) -> str:
        return display.render("text", self)

    def _repr_svg_(self) -> str:
        return display.render("svg", self)

    # -- the agenda ----------------------------------------------------------------------------

    def _advance(self) -> None:
        """Run steps that leave nothing to decide, up to the next decision or the end."""
        some_hidden = self._hidden
        item = self._agenda
        while item is not None:
            step = item.step
            player = item.player
            if some_hidden and player >= 0 and hidden.unknown_hand(self, player) is not None:
                step, player = self.rules._reveal, CHANCE
                self.push(step, player)
            choices = step.choices(self, player)
            if choices.count:
                self.step = step
                self.current_player = player
                self._choices = choices
                return
            self._agenda = item.after
            step.apply(self, player, None)
            item = self._agenda
        self.current_player = TERMINAL
        self._choices = NO_CHOICES

    def _listed(self) -> list[Action]:
        """Return what `current_player` may do; of chance, also what cannot happen now."""
        if not isinstance(self._choices, Listed):
            self._choices = Listed(self._choices.actions(self))
        return self._choices.actions(self)

    @property
    def agenda(self) -> list[tuple[Step, int]]:
        """The waiting steps, each with who decides; the next one is last."""
        return [(item.step, item.player) for item in reversed(items_from(self._agenda))]

    def _begin_turn(self, player: int) -> None:
        """Put a player's turn on the agenda."""
        self.active_player = player
        turn, rest = self.rules._turns[player], self._agenda
        self._agenda = turn if rest is None else put_on_top(items_from(turn), rest)

    def push(self, step: Step, player: int) -> None:
        """Put a step on top of the agenda: it comes next. `player`: who decides, or `CHANCE`."""
        self._agenda = AgendaItem(step, player, self._agenda)

    def schedule(self, step: Step, player: int, before: Step) -> None:
        """Put a step on the agenda right before one that waits there."""
        self._agenda = put_before(AgendaItem(step, player, None), before, self._agenda)

    @property
    def has_begun(self) -> bool:
        """Whether a turn is on: not while the start tiles are laid, nor after the last turn."""
        return self._agenda is not None

    def end(self) -> None:
        """End the game at once: nothing more is done."""
        self._agenda = None

    # -- the table -----------------------------------------------------------------------------

    def _lay(self, kind: i64, cell: i64, rotation: i64) -> None:
        """Lay a tile and tell the expansions."""
        tile = tile_laying.lay(self.board, kind, cell, rotation)
        for expansion in self.rules._tile_placed[kind]:
            expansion.tile_placed(self, tile)

    def lay_face_down(self, cell: i64) -> None:
        """Lay a tile from the bag face down: its kind stays unknown, and nothing joins it."""
        self.set_aside()
        tile_laying.lay_face_down(self.board, cell)

    def allows_figures(self, tile: int) -> bool:
        """Return True if figures may be put on a tile now."""
        for expansion in self.rules._allows_figures[self.board._oriented_kind[tile] >> 2]:
            if not expansion.allows_figures(self, tile):
                return False
        return True

    def put_follower(self, segment: int, owner: int, follower: int) -> None:
        """Put a follower of a kind from the supply on a segment.

        Raises:
            ValueError: The supply has none.
        """
        if self.board.supply_of(owner, follower) < 1:
            raise ValueError(refusals.none_in_supply(self.board, owner, follower))
        self.board._put(segment, owner, follower)
        for expansion in self.rules.hooks.follower_placed:
            expansion.follower_placed(self, segment, owner, follower)

    def take_follower(self, segment: int, owner: int = -1, follower: int = -1) -> None:
        """Return a follower on a segment to its supply: of this owner and kind, or the first.

        Raises:
            ValueError: There is none.
        """
        if owner < 0:
            owner, follower = self.board.first_follower_at(segment)
        if self.board.count_followers(segment, owner, follower) == 0:
            raise ValueError(refusals.nobody_there(self.board, segment))
        for expansion in self.rules.hooks.follower_removed:
            expansion.follower_removed(self, segment, owner, follower)
        self.board._take(segment, owner, follower)

    # -- points --------------------------------------------------------------------------------

    def award(self, owner: int, label: str, count: int, each: int) -> None:
        """Give an owner `count` times `each` points, or take them, outside any feature."""
        award(self, owner, label, count, each)

    def note(self, label: str, count: int, each: int) -> None:
        """Itemise part of the points being worked out: `count` times `each` points."""
        if self.journal is not None:
            self.journal.item(label, count, each)
