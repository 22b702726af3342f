"""Checks that all rules must pass, for authors of expansions too: `check` and `perft`."""

import random
from collections import Counter
from math import isclose
from typing import Any

from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.position.expansion_state import hidden_fields
from carc.base.position.instance_attributes import attributes
from carc.base.turn.actions import PASS, Action, Claim, Draw, Place
from carc.base.turn.scoring import Journal
from carc.base.turn.steps import CHANCE
from carc.drawing.words import words_of
from carc.learn.action_codes import OTHERS, ActionCodes
from carc.learn.encoding import Encoding
from carc.learn.tokens import TokenWriter

COPIED = 0.1  # the share of states from which play also continues on a copy


def check(rules: Rules, games: int = 10, seed: int = 0, every: int = 1) -> int:
    """Play random games and check what must hold in every state.

    - Legal actions are distinct, ordered, present until the end, and each action of a player has
      its own code.
    - The probabilities of chance add up to 1.
    - Notation is parsed back to the same action.
    - A copy is equal and shares nothing mutable. Play continues from it as from the original, and
      so it does from a position written as text and read again.
    - Tiles and followers are conserved.
    - The same actions lead to the same state and the same itemised points.
    - The words of the expansions can be read.
    - No player is given anything that tells what others hide (`State.view`): where they hold other
      tiles, a player sees and reads the same.

    Args:
        rules: The rules.
        games: How many games to play.
        seed: The seed of the random games.
        every: Check one of so many states.

    Returns:
        The number of states checked.

    Raises:
        AssertionError: A check failed.
        BadRules: The words of an expansion cannot be read.
    """
    for expansion in rules.expansions:
        words_of(expansion)
    codes = Encoding(rules) if rules.has_secrets else ActionCodes(rules)
    return sum(
        _check_game(rules, codes, random.Random(f"{seed} {game}"), every) for game in range(games)
    )


def _check_game(rules: Rules, codes: ActionCodes, rng: random.Random, every: int) -> int:
    """Play a random game and check its states. Return how many were checked."""
    state = rules.start()
    state.journal = Journal()
    pieces = _pieces(state)
    actions: list[str] = []
    checked: list[tuple[State, str]] = []
    twin = state.copy()
    read = state.copy()
    while not state.is_terminal:
        checks = len(actions) % every == 0
        if checks:
            _check_count(state)
        legal = state.legal_actions()
        if rng.random() < COPIED:
            _check_twin(state, twin)
            _check_read(state, read)
            twin = twin.copy() if rng.random() < 0.5 else state.copy()
            read = State.from_text(state.to_text(), rules)
        if checks:
            _check_state(state)
            _check_codes(state, codes)
            if isinstance(codes, Encoding):
                _check_secrets(state, codes, rng)
            assert _pieces(state) == pieces, "tiles or followers appear or vanish"
            checked.append((state.copy(), repr(state.to_dict())))
        action = rng.choice(legal)
        actions.append(str(action))
        state.apply(action)
        twin.apply(twin.check(action))
        read.apply(read.check(action))
    _check_twin(state, twin)
    assert state.legal_actions() == [], "legal actions after the end"
    for old, data in checked:
        assert repr(old.to_dict()) == data, "an old copy changed while later moves were made"
    _check_replay(rules, actions, state)
    return len(checked)


def _check_twin(state: State, twin: State) -> None:
    """Compare a state with a copy on which the same actions were played."""
    assert twin.to_dict() == state.to_dict(), "play continues differently on a copy"
    assert twin.legal_actions() == state.legal_actions(), "play continues differently on a copy"


def _check_count(state: State) -> None:
    """Compare counting and indexing of actions with their list, before it is made."""
    picked = [state.action_at(index) for index in range(state.count_actions())]
    listed = state.legal_actions()
    assert picked == listed, "legal actions are counted or picked differently than listed"


def _check_read(state: State, read: State) -> None:
    """Compare a state with one read from text on which the same actions were played.

    The tiles of the one that was read were placed in another order.
    """
    wrong = (
        "play continues differently from a position's text:"
        " do the types of the fields say what numbers refer to?"
    )
    assert read.legal_actions() == state.legal_actions(), wrong
    assert _public_data(read) == _public_data(state), wrong
    assert State.from_dict(state.to_dict(), state.rules).to_dict() == state.to_dict(), wrong


def _public_data(state: State) -> dict[str, Any]:
    """Return the state as data, independent of the order in which tiles were placed."""
    data = state.to_dict()
    del data["engine"]
    data["tiles"].sort(key=lambda tile: (tile["y"], tile["x"]))
    data["discarded"].sort()
    return data


def _check_replay(rules: Rules, actions: list[str], state: State) -> None:
    again = rules.start()
    again.journal = Journal()
    for text in actions:
        again.apply(again.check(rules.parse(text)))
    assert again.to_dict() == state.to_dict(), "the same actions lead to another state"
    assert state.journal is not None
    noted, once_more = (
        [(s.owner, s.points, s.text) for s in journal.scorings]
        for journal in (state.journal, again.journal)
    )
    assert noted == once_more, "the same actions are itemised differently"


def _check_state(state: State) -> None:
    legal = state.legal_actions()
    texts = [str(action) for action in legal]
    assert legal, "no legal action before the end"
    assert len(set(texts)) == len(texts), "a legal action is listed twice"
    own = [action for action in legal if isinstance(action, Draw | Place | Claim)]
    assert own == sorted(own, key=_order), "legal actions out of order"
    assert PASS not in legal[:-1], "legal actions out of order: pass comes last"
    for text, action in zip(texts, legal, strict=True):
        assert state.rules.parse(text) == action, f"{text} does not round-trip"
    if state.current_player == CHANCE:
        outcomes = state.chance_outcomes()
        assert isclose(sum(p for _, p in outcomes), 1.0), "chance does not sum to 1"
        assert [a for a, _ in outcomes] == legal, "chance's outcomes are not its legal actions"
    copy = state.copy()
    assert copy.to_dict() == state.to_dict(), "a copy differs"
    for mine, again in zip(state.expansion_states, copy.expansion_states, strict=True):
        for name in attributes(mine):
            assert not _shared(getattr(mine, name), getattr(again, name)), (
                f"{type(mine).__name__}.{name} is shared by a state and its copy:"
                " override ExpansionState.copy"
            )


def _check_codes(state: State, codes: ActionCodes) -> None:
    """Check that each legal action of a player has a code of its own."""
    if state.current_player == CHANCE:
        return
    all_codes = codes.legal_codes(state)
    assert len({*all_codes}) == len(all_codes), "two legal actions have one code"
    assert min(all_codes) >= 0, (
        f"{state.legal_actions()[all_codes.index(-1)]} has no code: more than {OTHERS} actions"
        " have none of their own; do choices of a segment name their layer?"
    )
    first = codes.action(state, all_codes[0])
    assert first == state.legal_actions()[0], "a code stands for another action"


def _check_secrets(state: State, encoding: Encoding, rng: random.Random) -> None:
    """Check that no player sees or reads anything of what others hide."""
    legal = state.legal_actions()
    one, other = rng.choice(legal), rng.choice(legal)
    for player in range(CHANCE, state.rules.players):
        seen = state.view(player)
        assert seen.view(player) == seen, f"player {player} does not see all of the own view"
        if state.current_player == player >= 0:
            assert seen.legal_actions() == legal, f"player {player} does not see what is legal"
        assert State.from_text(seen.to_text(), state.rules) == seen, "a view's text is another's"
        dealt = _dealt_otherwise(state, player, rng)
        assert _given(dealt, player, encoding) == _given(state, player, encoding), (
            f"player {player} sees what others hold"
        )
        views = [_after(state, action).view(player) for action in (one, other)]
        alike = one.seen_by(player) == other.seen_by(player)
        assert alike == (views[0] == views[1]), (
            f"player {player} reads {one.seen_by(player)} and {other.seen_by(player)} for {one} and"
            f" {other}, which is {'less' if alike else 'more'} than is seen: do `seen_by` of the"
            " action and `conceal` of the state agree?"
        )


def _dealt_otherwise(state: State, player: int, rng: random.Random) -> State:
    """Return a position in which others hold other tiles, those in the bag among them."""
    dealt = state.copy()
    hands: list[list[int]] = [
        hand
        for own in dealt.expansion_states
        for name in hidden_fields(type(own))
        for holder, hand in enumerate(getattr(own, name))
        if holder != player
    ]
    kinds = [kind for kind, n in enumerate(state.bag) for _ in range(n)]
    kinds += [kind for hand in hands for kind in hand]
    rng.shuffle(kinds)
    for hand in hands:
        hand[:] = [kinds.pop() for _ in hand]
    dealt.bag = [kinds.count(kind) for kind in range(len(state.bag))]
    return dealt


def _given(state: State, player: int, encoding: Encoding) -> list[object]:
    """Return all that a player is given of a state."""
    seen, writer = state.view(player), TokenWriter(encoding)
    writer.write(state, player)
    return [
        seen.to_dict(),
        seen.legal_actions(),
        bytes(memoryview(encoding.board(state, player))),
        bytes(memoryview(encoding.numbers(state, player))),
        *[list(table.words[: table.count * table.width]) for table in writer.tables.values()],
    ]


def _after(state: State, action: Action) -> State:
    after = state.copy()
    after.apply(action)
    return after


def _shared(value: Any, again: Any) -> bool:
    """Return True if two values are the same list, dict or set, or contain one."""
    if isinstance(value, list | dict | set) and value is again:
        return True
    if isinstance(value, dict) and isinstance(again, dict):
        return any(_shared(value[key], again.get(key)) for key in value)
    if isinstance(value, list | tuple) and isinstance(again, list | tuple):
        return any(_shared(a, b) for a, b in zip(value, again, strict=False))
    return False


def _order(action: Draw | Place | Claim) -> tuple[int, ...]:
    """Return the sort key of a base game action (`docs/notation.md`).

    Actions of expansions may stand anywhere before `pass`.
    """
    if isinstance(action, Draw):
        return (action.kind,)
    if isinstance(action, Place):
        return (action.y, action.x, action.rotation)
    return (action.segment, action.owner, action.follower)


def _pieces(state: State) -> tuple[int, Counter[str]]:
    """Return the number of tiles in all places, and of followers by kind.

    Expansions that remove pieces from play list them in `to_dict()`.
    """
    data = state.to_dict()
    tiles = len(data["tiles"]) + sum(data["bag"].values()) + len(data["discarded"])
    tiles += data["tile_in_hand"] is not None
    tiles += sum(n for held in data.get("tiles_held", ()) for n in held.values())
    tiles += len(data.get("tiles_offered", ()))
    followers: Counter[str] = Counter()
    for feature in data["features"]:
        followers.update(follower["kind"] for follower in feature["followers"])
    for supply in data["supplies"]:
        followers.update(supply)
    followers.update(data["out_of_play"])
    return tiles, followers


def perft(state: State, depth: int) -> dict[str, int]:
    """Return, for each legal action, how many sequences of `depth` actions begin with it.

    The counts are a fingerprint of the rules. Games that end earlier do not count.

    Raises:
        ValueError: `depth` is less than 1.
    """
    if depth < 1:
        raise ValueError(f"depth is at least 1, not {depth}")
    counts = {}
    for action in state.legal_actions():
        counts[str(action)] = _count(_after(state, action), depth - 1)
    return counts


def _count(state: State, depth: int) -> int:
    if depth == 0:
        return 1
    legal = state.legal_actions()
    if depth == 1:
        return len(legal)
    total = 0
    for action in legal:
        total += _count(_after(state, action), depth - 1)
    return total
