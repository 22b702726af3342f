"""Scoring: values of features, majorities, points, and their itemised notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

from carc.base.board.arrays import OWNER_BITS, OWNER_MASK
from carc.base.board.vectors import to_list
from carc.base.tiles.tile import CITY, FIELD, MONASTERY, ROAD

if TYPE_CHECKING:
    from carc.base.game.state import State


class Scored:
    """Points an owner scored at once; `text` says what for: `city 2x2 = 4`."""

    def __init__(self, owner: int, points: int, text: str) -> None:
        self.owner: Final = owner
        self.points: Final = points
        self.text: Final = text
        self.final: bool = False  # scored after the last turn; a record tells by where it stands

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Scored)
            and self.owner == other.owner
            and self.points == other.points
            and self.text == other.text
        )

    def __hash__(self) -> int:
        return hash((self.owner, self.points, self.text))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.owner, self.points, self.text)

    def __repr__(self) -> str:
        return f"Scored({self.owner}, {self.points}, {self.text!r})"


@final
class Journal:
    """Itemised scorings of a game, kept by whoever attaches one to `State.journal`.

    Attributes:
        scorings: What was scored.
        forced: What was done because only that could be, by whom, in notation. Nobody was asked.
    """

    def __init__(self) -> None:
        self.scorings: list[Scored] = []
        self.forced: list[tuple[int, str]] = []
        self.final: bool = False  # the last turn is over
        self.items: list[str] = []  # of the scoring being worked out
        self.total: int = 0  # what the items add up to

    def open(self) -> None:
        """Begin a scoring."""
        self.items = []
        self.total = 0

    def item(self, label: str, count: int, each: int) -> None:
        """Note `count` times `each` points."""
        if count and each:
            self.items.append(f"{label} {count}x{each}")
            self.total += count * each

    def settle(self, label: str, points: int) -> None:
        """Note a change of the points that was not itemised."""
        if points != self.total:
            self.items.append(f"{label} {points - self.total:+d}")
            self.total = points

    def close(self, owner: int, points: int, name: str) -> None:
        """Enter the scoring with its items."""
        text = ", ".join(self.items) if self.items else f"{name} 0"
        scored = Scored(owner, points, f"{text} = {points}")
        scored.final = self.final
        self.scorings.append(scored)


def cities_of(state: State, field: int) -> list[int]:
    """Return the completed cities that a field borders, each once (BASE-17)."""
    return to_list(_cities_of(state, field))


def _cities_of(state: State, field: i64) -> vec[i64]:
    cities = vec[i64]()
    touched = state.rules.catalogue.touched
    starts = state.rules.catalogue.segment_start
    tile_of, firsts, oriented_kind, follow = (
        state.board._tile_of,
        state.board._first_segment,
        state.board._oriented_kind,
        state.board._next,
    )
    feature, opened = state.board._feature, state.board._open
    segment = field
    while True:
        tile = tile_of[segment]
        beside = firsts[tile]
        bits = touched[starts[oriented_kind[tile] >> 2] + segment - beside]
        while bits:
            if bits & 1:
                city = feature[beside]
                if opened[city] == 0 and not any(known == city for known in cities):
                    cities = append(cities, city)
            bits >>= 1
            beside += 1
        segment = follow[segment]
        if segment == field:
            return cities


def value(state: State, feature: int, final: bool) -> int:
    """Return what a feature is worth, expansions included (BASE-07 to BASE-10, BASE-16, BASE-17).

    `final`: the game is over and the feature is incomplete.
    """
    f: i64 = feature
    kind = state.board._kind[f]
    size: i64 = state.board._size[f]
    journal = state.journal
    points: i64 = 0
    if kind == ROAD:
        points = size
        if journal is not None:
            journal.item("road", size, 1)
    elif kind == CITY:
        halved = size == 2 and state.rules.halves_small_cities
        each: i64 = 1 if halved or (final and state.board._open[f]) else 2
        coats: i64 = 0
        if state.rules.coat_of_arms >= 0:
            coats = state.board.mark(feature, state.rules.coat_of_arms)
        points = each * (size + coats)
        if journal is not None:
            journal.item("city", size, each)
            journal.item("coat of arms", coats, each)
    elif kind == FIELD:
        cities = len(_cities_of(state, f)) if final else i64(0)
        points = 3 * cities
        if journal is not None:
            journal.item("completed city", cities, 3)
    elif kind == MONASTERY:
        points = 9 - state.board.free_around(f)
        if journal is not None:
            journal.item("monastery", points, 1)
    return with_expansions(state, feature, final, int(points))


def with_expansions(state: State, feature: int, final: bool, points: int) -> int:
    """Return what a feature is worth, given what it is worth without expansions."""
    journal = state.journal
    for expansion in state.rules._feature_points[state.board._kind[feature]]:
        points = expansion.feature_points(state, feature, final, points)
        if journal is not None:
            journal.settle(expansion.name, points)
    return points


def majority(state: State, feature: int) -> list[int]:
    """Return the owners with most followers on a feature (BASE-11); empty: none (BASE-13)."""
    leading = leaders(state, feature)
    owners: list[int] = []
    owner = 0
    while leading:
        if leading & 1:
            owners.append(owner)
        leading >>= 1
        owner += 1
    return owners


def leads(state: State, feature: int, owner: int) -> bool:
    """Return True if nobody has more followers on a feature than an owner who has some."""
    return leaders(state, feature) >> i64(owner) & 1 != 0


def leaders(state: State, feature: i64) -> i64:
    """Return the owners with most followers on a feature, a bit each."""
    if len(state.rules._power[state.board._kind[feature]]):
        return _leaders_by_power(state, feature)
    claimed = state.board._claimed[feature]
    bits: i64 = 0
    best: i64 = 0
    owner: i64 = 1
    while claimed:
        power = claimed & OWNER_MASK
        if power > best:
            best = power
            bits = 0
        if power and power == best:
            bits |= owner
        claimed >>= OWNER_BITS
        owner <<= 1
    return bits


def _leaders_by_power(state: State, feature: i64) -> i64:
    """Return them where expansions change the power."""
    claimed = state.board._claimed[feature]
    powers = [
        int(claimed >> OWNER_BITS * owner & OWNER_MASK) for owner in range(state.rules.owners)
    ]
    for expansion in state.rules._power[state.board._kind[feature]]:
        powers = expansion.power(state, feature, powers)
    best: i64 = 0
    bits: i64 = 0
    owner_bit: i64 = 1
    for power in powers:
        if power > best:
            best = power
            bits = 0
        if power == best and best:
            bits |= owner_bit
        owner_bit <<= 1
    return bits


def points_for(state: State, feature: int, owner: int, final: bool) -> int:
    """Return what an owner with the majority would score for a feature as it stands."""
    points = value(state, feature, final)
    for expansion in state.rules._player_points[state.board._kind[feature]]:
        points = expansion.player_points(state, feature, owner, final, points)
    return points


def score_feature(state: State, feature: int, final: bool) -> None:
    """Score one feature for those with the majority (BASE-11); followers stay on it."""
    give_shares(state, feature, final)
    tell_scored(state, feature, final)


def give_shares(state: State, feature: int, final: bool) -> None:
    """Give the value of a feature to those with the majority, and tell no expansion."""
    journal = state.journal
    if journal is not None:
        journal.open()
    winners = majority(state, feature)
    points = value(state, feature, final)
    for owner in winners:
        score_share(state, feature, owner, final, points)


def tell_scored(state: State, feature: int, final: bool) -> None:
    """Tell the expansions that a feature was scored."""
    for expansion in state.rules._feature_scored[state.board._kind[feature]]:
        expansion.feature_scored(state, feature, final)


def score_share(state: State, feature: int, owner: int, final: bool, points: int) -> None:
    """Give an owner their share of the value of a feature, which is itemised already."""
    journal = state.journal
    mine = points
    if journal is not None:
        items = journal.items.copy()
        journal.total = points
    for expansion in state.rules._player_points[state.board._kind[feature]]:
        mine = expansion.player_points(state, feature, owner, final, mine)
        if journal is not None:
            journal.settle(expansion.name, mine)
    if journal is not None:
        journal.close(owner, mine, state.board.kind_of(feature))
        journal.items = items
    add_points(state, owner, mine)


def award(state: State, owner: int, label: str, count: int, each: int) -> None:
    """Give an owner `count` times `each` points, or take them, outside any feature."""
    if state.journal is not None:
        state.journal.open()
        state.journal.item(label, count, each)
        state.journal.close(owner, count * each, label)
    add_points(state, owner, count * each)


def add_points(state: State, owner: int, points: int) -> None:
    """Add points to an owner's score."""
    score = state.scores[owner] + points
    for expansion in state.rules.hooks.score:
        score = expansion.score(state, owner, score)
    state.scores[owner] = score


def send_home(state: State, feature: int) -> None:
    """Return all followers on a feature to their supplies (BASE-12)."""
    board = state.board
    for segment in board.occupied_segments_of(feature):
        while board._first_on(segment) >= 0:  # an expansion may have sent it home already
            state.take_follower(segment)


def score_completed(state: State) -> None:
    """Score what the last tile completed, then send the followers home (BASE-12)."""
    for feature in state.board.completed:
        if state.board._claimed[feature]:
            score_feature(state, feature, False)
            send_home(state, feature)
        elif len(state.rules.hooks.feature_scored):
            tell_scored(state, feature, False)
            send_home(state, feature)  # figures that claim nothing
    state.board.completed.clear()


def score_rest(state: State) -> None:
    """Score every feature with a follower at the end (BASE-16, BASE-17), then the expansions."""
    journal = state.journal
    if journal is not None:
        journal.final = True
    board, kinds = state.board, state.rules.catalogue.kinds
    standing = sorted(board.occupied_features())
    scoring = [f for f in standing if board._claimed[f] and kinds[board._kind[f]].scores]
    for feature in scoring:
        score_feature(state, feature, True)
    for expansion in state.rules.hooks.game_ended:
        expansion.game_ended(state)
