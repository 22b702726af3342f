"""`State`: one position of a game, all of it public: the table, the bag, the scores, and what is to be decided."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, SupportsIndex

from mypy_extensions import i64

from carc.base.board.candidates import Ranks
from carc.base.board.layout import ROOM, SEGMENT_AT
from carc.base.cells import cell_at
from carc.base.game import outcome, position, position_text, views
from carc.base.game import queries as looks
from carc.base.game.actions import Action, Draw
from carc.base.game.bag import NONE_HELD, Bag
from carc.base.game.chance import throw
from carc.base.game.scoring import MONASTERY, Journal, majority, value
from carc.base.game.steps import (
    CHANCE,
    LISTED,
    TERMINAL,
    Beat,
    Step,
    may_come,
    put_before,
    put_over,
    waiting,
)
from carc.errors import IllegalAction

if TYPE_CHECKING:
    import random

    from carc.base.game.expansion import Slice
    from carc.base.game.rules import Rules
    from carc.learn.observation import Observation


class State(Bag):
    """One position. Made by `Rules.start()`; `apply` changes it in place, `copy` is independent.

    These may be read, and are changed by methods alone; so are those of `Bag` and `Layout`, which it is too:

    - `rules`: what is played, shared by all states of it
    - `current_player`: who is to decide, 0 to n-1, or `CHANCE` (-1); `TERMINAL` (-4) when the game is over
    - `active`: the player whose turn it is, who need not be the one to decide
    - `step`: the `Step` that is to be decided in; at the end, the last one that was
    - `scores`: the points by owner, that is by player, or by colour where a player has several
    - `slices`: what expansions keep, one each for those that keep anything, in the order of `rules.expansions`
    - `bag`: by kind of tile (its index in `rules.tile_names`), how many have not been seen yet
    - `left`: how many tiles can still be drawn: those of the bag but for what left it unseen
    - `hand`: the kind of the tile that is drawn and not yet laid; -1: none
    - `discarded`: the kinds of the tiles that fitted nowhere, in order
    - `tiles`: how many tiles are laid; they are numbered from 0 in the order they came
    - `last`: the number of the tile laid last
    """

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)

    def _begin(self) -> None:
        rules = self.rules
        catalogue = rules.catalogue
        self._lay_out()
        self.current_player: int = CHANCE
        self.active: int = 0
        self._waiting: Beat | None = None  # the agenda's top, which leads to the rest
        self.step: Step = rules.draw
        self._legal: list[Action] | None = (
            None  # what `current_player` may do, where somebody listed it
        )
        self._count: int = 0  # how many that is
        self.noted: i64 = 0  # what the step took note of when it counted, for its `pick`
        self._ranks: Ranks | None = None  # what of that somebody counted as ranks
        self._counted: object = None  # who
        self.journal: Journal | None = None
        self.scores: list[int] = [0] * rules.owners
        self._fill_bag()

        self.slices: list[Slice] = []
        for expansion in rules.expansions:
            own = expansion.setup(self)
            if own is not None:
                expansion.slot = len(self.slices)
                self.slices.append(own)
        for kind, x, y in catalogue.start:
            self.lay(kind, cell_at(x, y), 0)
        self.completed.clear()
        self.begin_turn(0)
        self._advance()

    # -- OpenSpiel's surface ------------------------------------------------------------------------------------

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.current_player == TERMINAL

    def legal_actions(self) -> list[Action]:
        """What `current_player` may do, ordered and deterministic; empty only at the end. The list is the caller's own."""
        actions = self._listed()
        if self.current_player != CHANCE:
            return actions.copy()
        weights = self.step.weights(self, actions)
        return [action for action, weight in zip(actions, weights, strict=True) if weight]

    def count_actions(self) -> int:
        """How many `legal_actions` there are, which are not listed for it where that is costly."""
        return self._count if self.current_player != CHANCE else len(self.legal_actions())

    def action_at(self, index: int) -> Action:
        """The one of `legal_actions` at an index, which are not listed for it where that is costly.

        Raises `IllegalAction` if there are fewer, such as when the game is over.
        """
        if self.current_player == CHANCE:
            actions = self.legal_actions()
            if 0 <= index < len(actions):
                return actions[index]
            raise IllegalAction(views.no_action_at(self, index))
        if index < 0 or index >= self._count:
            raise IllegalAction(views.no_action_at(self, index))
        if self._legal is not None:
            return self._legal[index]
        return self.step.pick(self, self.current_player, index)

    def counting(self, by: object) -> Ranks:
        """Where to put what there is to choose among, kept for `rank_at` until the next is: for `Step.count` and `Expansion.count_claims`."""
        ranks = self._ranks
        if ranks is None or ranks.shared:
            ranks = Ranks()
            self._ranks = ranks
        ranks.n = 0
        self._counted = by
        return ranks

    def has_counted(self, by: object) -> bool:
        """Whether it is theirs that were counted last."""
        return self._counted is by

    def rank_at(self, index: int) -> i64:
        """The one at an index of the ranks counted last, in order: for `Step.pick` and `Expansion.claim_at`."""
        assert self._ranks is not None
        return self._ranks.at(index)

    def random_action(self, rng: random.Random) -> Action:
        """One of `legal_actions`, all alike; what chance does is as likely as it is. Quicker than choosing from the list.

        Raises `IllegalAction` when the game is over.
        """
        if self.current_player == CHANCE:
            return throw(self, rng.random())
        return self.action_at(int(rng.random() * self._count))

    def apply(self, action: Action) -> None:
        """Perform a legal action and all that follows from it without a decision. Trusts the action: see `check`.

        Raises `IllegalAction` when the game is over.
        """
        beat = self._waiting
        if beat is None:
            raise IllegalAction(views.not_legal(self, action))
        self._waiting = beat.after
        beat.step.apply(self, beat.player, action)
        self._advance()

    def check(self, action: Action) -> Action:
        """The legal action that equals this one; raises `IllegalAction`, naming what is legal, if there is none."""
        listed = self._listed()
        at = action.kind if isinstance(action, Draw) else 0  # draws stand in the order of kinds
        while at < len(listed):
            if listed[at] is action:  # most give back what they were offered
                if self.current_player != CHANCE or may_come(self, listed, at):
                    return action
                break
            at += 1
        for legal in self.legal_actions():
            if legal == action:
                return legal
        raise IllegalAction(views.not_legal(self, action))

    def chance_outcomes(self) -> list[tuple[Action, float]]:
        """What chance may do, each with its probability; empty unless `current_player` is `CHANCE`."""
        if self.current_player != CHANCE:
            return []
        actions = self._listed()
        weights = self.step.weights(self, actions)
        total = sum(weights)
        return [(a, weight / total) for a, weight in zip(actions, weights, strict=True) if weight]

    def results(self) -> list[int]:
        """What each player is ranked by, higher is better: the scores, unless an expansion says otherwise."""
        return outcome.results(self)

    def returns(self) -> list[float]:
        """Each player's utility: 0 before the end; then a sole winner 1, losers share -1 (BASE-19)."""
        return outcome.returns(self)

    @property
    def winners(self) -> list[int]:
        """The players who won, all that are level at the top (BASE-19); empty before the end or if all lost."""
        return outcome.winners(self)

    @property
    def outcome(self) -> dict[str, Any]:
        """What expansions tell of how the game ended, as plain JSON data; empty before the end."""
        return outcome.told(self)

    def copy(self) -> State:
        """An independent copy, without the journal."""
        return self._copied(ROOM)

    def _copied(self, room: int) -> State:
        """The same, with room for so many segments more."""
        new = State(self.rules)
        self._copy_to(new, room)
        self._copy_bag_to(new)
        new.current_player = self.current_player
        new.active = self.active
        new._waiting = self._waiting
        new.step = self.step
        new._legal = self._legal
        new._count = self._count
        new.noted = self.noted
        new._ranks = self._ranks
        if self._ranks is not None:
            self._ranks.shared = True
        new._counted = self._counted
        new.journal = None
        new.scores = self.scores.copy()
        new.slices = [own.copy() for own in self.slices]
        return new

    # -- as a value -------------------------------------------------------------------------------------------------

    def key(self) -> bytes:
        """16 bytes that say which position this is, as it is now: for tables of positions seen.

        Equal positions have equal keys, whatever the order in which their tiles came, in every process.
        """
        return position.key(self)

    def __eq__(self, other: object) -> bool:
        """Whether the two are one position, of equal rules; journals do not count."""
        return self is other or (isinstance(other, State) and self.key() == other.key())

    def __hash__(self) -> int:
        return hash(self.key())

    def to_text(self) -> str:
        """The position in a line, as FEN is in chess (`docs/positions.md`); the same for equal positions."""
        return position_text.text(self)

    @staticmethod
    def from_text(text: str, rules: Rules | None = None) -> State:
        """The position a text tells of. `rules`: those it is of, where a spec does not say it all (tile files).

        Raises `BadPosition`, or `BadRules` if it names none.
        """
        known = rules or position_text.rules_of(text)
        return position.made(known, position_text.data_of(known, text))

    @staticmethod
    def from_dict(data: Mapping[str, Any], rules: Rules | None = None) -> State:
        """The state that `to_dict()` told of, numbers and all. `rules` as for `from_text`. Raises `BadPosition` or `BadRules`.

        What it is made from is told in `docs/positions.md`; the other parts follow from these and are not looked at.
        """
        return position.made(rules or position.rules_in(data), data)

    def __reduce__(self) -> tuple[Any, ...]:
        return position.made, (self.rules, position.basics(self))

    def __copy__(self) -> State:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self.copy()

    def __repr__(self) -> str:
        return f"State.from_text({self.to_text()!r})"

    # -- what is asked most ---------------------------------------------------------------------------------------

    def owners_of(self, feature: int) -> list[int]:
        """The owners with most followers on a feature (BASE-11); nobody there: none."""
        return majority(self, feature)

    def points_now(self, feature: int) -> int:
        """What a feature would be worth if the game ended now (BASE-16, BASE-17), expansions included; a complete one, what it scores."""
        complete = self.rules.catalogue.completes[self.kind[feature]] and not self.is_open(feature)
        return value(self, feature, not complete)

    def points_closed(self, feature: int) -> int:
        """What a feature would be worth if it were completed on the tiles it is on (BASE-07 to BASE-10), a monastery with all around it;
        never completed: 0. What expansions have counted by the tiles around it: with those that lie there."""
        points = value(self, feature, False)
        return points + self.free_around(feature) if self.is_kind(feature, MONASTERY) else points

    def features_of(self, tile: int) -> list[int]:
        """The features a tile is part of, each once, in the order of its segments."""
        return looks.features_of(self, tile)

    def kinds_for(self, cell: int) -> dict[int, tuple[int, ...]]:
        """The kinds still in the bag that fit on a free cell (`free_cells`), each with the rotations it fits in."""
        return looks.kinds_for(self, cell)

    def since(self, before: State) -> looks.Change:
        """What changed since an earlier position of this game, such as a copy from before the last action."""
        return looks.change(before, self)

    def observation(self, player: SupportsIndex, into: Observation | None = None) -> Observation:
        """What a player sees as numpy arrays, `board` and `numbers` (`docs/learn.md`), written into these if given: `carc.learn.observation`. Raises `CarcError`, without numpy too."""
        from carc.learn.observation import observation  # noqa: PLC0415 (for those who learn)

        return observation(self, player, into)

    # -- views ----------------------------------------------------------------------------------------------------

    def to_dict(self, *parts: str) -> dict[str, Any]:
        """Everything visible as plain JSON data, documented in `docs/positions.md`; or only the parts named.

        Raises `KeyError` if it has no such part.
        """
        return views.to_dict(self, parts)

    def features(self) -> list[dict[str, Any]]:
        """Every feature on the table, as in `to_dict()`."""
        return views.features(self)

    def piece(
        self,
        kind: str,
        cell: int,
        segment: int = -1,
        *,
        owner: int = -1,
        count: int = 1,
        text: str = "",
    ) -> dict[str, Any]:
        """Something that stands on the table and is no follower of a supply, as `to_dict()` tells it (`Expansion.describe`).

        On a segment by its number, or as a whole on the cell (a number, `carc.base.cells`); `text`: what it says.
        """
        return views.piece(self, kind, cell, segment, owner=owner, count=count, text=text)

    def __str__(self) -> str:
        return views.text(self)

    def _repr_svg_(self) -> str:
        return views.svg(self)

    # -- the agenda -------------------------------------------------------------------------------------------------

    def _advance(self) -> None:
        """Run through steps that leave nothing to decide, up to the next decision or the end."""
        beat = self._waiting
        while beat is not None:
            step = beat.step
            player = beat.player
            actions: list[Action] | None = None
            count = LISTED if step.listed else step.count(self, player)
            if count < 0:
                actions = step.actions(self, player)
                count = len(actions)
            if count:
                self.step = step
                self.current_player = player
                self._legal = actions
                self._count = count
                return
            self._waiting = beat.after
            step.apply(self, player, None)
            beat = self._waiting
        self.current_player = TERMINAL
        self._legal = []
        self._count = 0

    def _listed(self) -> list[Action]:
        """What `current_player` may do; of chance, also what cannot happen now."""
        if self._legal is None:
            self._legal = self.step.actions(self, self.current_player)
        return self._legal

    @property
    def agenda(self) -> list[tuple[Step, int]]:
        """The steps that wait, each with who decides; the next is the last of the list."""
        return [(beat.step, beat.player) for beat in reversed(waiting(self._waiting))]

    def begin_turn(self, player: int) -> None:
        """Put a player's turn on the agenda."""
        self.active = player
        turn = self.rules.turns[player]
        if self._waiting is None:
            self._waiting = turn
        else:
            self._waiting = put_over(waiting(turn), self._waiting)

    def push(self, step: Step, player: int) -> None:
        """Put a step on top of the agenda: it comes next, before all that waits. `player`: who decides, chance too."""
        self._waiting = Beat(step, player, self._waiting)

    def schedule(self, step: Step, player: int, before: Step) -> None:
        """Put a step on the agenda so that it comes right before one that waits there."""
        self._waiting = put_before(Beat(step, player, None), before, self._waiting)

    @property
    def has_begun(self) -> bool:
        """Whether a turn is on: not while the start tiles are laid, nor after the last."""
        return self._waiting is not None

    def finish(self) -> None:
        """The last turn is over: what waits is dropped, the final scoring comes."""
        self._waiting = Beat(self.rules.final_score, self.active, None)

    def end(self) -> None:
        """The game is over: nothing more is done."""
        self._waiting = None

    # -- the bag --------------------------------------------------------------------------------------------------

    def drawable(self) -> list[int]:
        """How many tiles of each kind may be drawn now: what the bag holds, and what expansions leave of it.

        Raises `BadRules` if an expansion lets come what the bag does not hold.
        """
        counts = self.bag.copy()
        for expansion in self.rules.draws:
            if expansion.holds_back(self):
                counts = expansion.draws(self, counts)
                if not self._holds(counts):
                    raise views.bad_draws(self, expansion, counts)
        return counts

    def coming(self) -> list[int]:
        """The same, not looked at for faults, where an expansion holds some back, else empty; found where `DrawStep` asks, kept until a draw."""
        counts = NONE_HELD
        for expansion in self.rules.draws:
            if expansion.holds_back(self):
                counts = expansion.draws(self, counts or self.bag.copy())
        self._coming = counts
        return counts

    def holds_back(self) -> bool:
        """Whether an expansion may keep some tiles of the bag from being drawn now."""
        return any(expansion.holds_back(self) for expansion in self.rules.draws)

    # -- the table ------------------------------------------------------------------------------------------------

    def lay(self, kind: i64, cell: i64, rotation: i64) -> None:
        """Lay a tile and tell the expansions."""
        tile = self._lay(kind, cell, rotation)
        for expansion in self.rules.heeding[kind]:
            expansion.tile_placed(self, tile)

    def lay_in_hand(self, cell: i64, rotation: i64) -> None:
        """Lay the tile in the hand."""
        kind = self.hand
        self.hand = -1
        self.lay(kind, cell, rotation)

    def lay_face_down(self, cell: i64) -> None:
        """Lay a tile from the bag face down: its kind stays unknown, and nothing joins it."""
        self.set_aside()
        self._lay_face_down(cell)

    def admits(self, tile: int) -> bool:
        """Whether figures may be put on a tile's segments now."""
        admitted = True
        for expansion in self.rules.admits:
            admitted = expansion.admits(self, tile, admitted)
        return admitted

    # -- people -----------------------------------------------------------------------------------------------------

    def put_follower(self, segment: int, owner: int, follower: int) -> None:
        """Put a follower of a kind (its index in `Rules.follower_kinds`) from the supply on a segment.

        Raises `ValueError` if the supply has none.
        """
        if self.supply_of(owner, follower) < 1:
            raise ValueError(views.none_left(self, owner, follower))
        self._put(segment, owner, follower)
        for expansion in self.rules.follower_placed:
            expansion.follower_placed(self, segment, owner, follower)

    def take_follower(self, segment: int, owner: int = -1, follower: int = -1) -> None:
        """Take a follower off a segment, back to its supply: that of this owner and kind, or the first who came there.

        Raises `ValueError` if there is none.
        """
        if owner < 0:
            owner, follower = self.first_at(segment)
        if self.count_like(segment, owner, follower) == 0:
            raise ValueError(views.nobody_there(self, segment))
        for expansion in self.rules.follower_removed:
            expansion.follower_removed(self, segment, owner, follower)
        self._take(segment, owner, follower)

    def clear_tile(self, tile: int) -> None:
        """All followers on a tile go back to their supplies, in the order of its segments."""
        first = self.first[tile]
        beyond = first + self.rules.catalogue.segment_count[self.row[tile] >> 2]
        while True:
            least = beyond
            for entry in self.stands:
                segment = entry >> SEGMENT_AT
                if first <= segment < least:
                    least = segment
            if least == beyond:
                return
            while self._who(least) >= 0:
                self.take_follower(least)

    def send_home(self, feature: int) -> None:
        """All followers on a feature go back to their supplies (BASE-12)."""
        for segment in self.followers_on(feature):
            while self._who(segment) >= 0:  # an expansion may have sent it home with another
                self.take_follower(segment)

    def add_points(self, owner: int, points: int) -> None:
        """Move a score."""
        score = self.scores[owner] + points
        for expansion in self.rules.score:
            score = expansion.score(self, owner, score)
        self.scores[owner] = score

    def award(self, owner: int, label: str, count: int, each: int) -> None:
        """Points an owner gets, or loses, outside any feature: `count` things at `each` points."""
        if self.journal is not None:
            self.journal.open()
            self.journal.item(label, count, each)
            self.journal.close(owner, count * each, label)
        self.add_points(owner, count * each)

    def note(self, label: str, count: int, each: int) -> None:
        """Itemise part of the points being worked out: `count` things at `each` points."""
        if self.journal is not None:
            self.journal.item(label, count, each)
