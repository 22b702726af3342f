"""`find_puzzles`: positions of games in which deeper play confirms that one turn is best.

Cheap looks leave out most positions: `greedy` or the player must have missed the turn that looks
best by the evaluation or by a few playouts, and the comparison of an analysis must find it ahead.
Then a stronger bot plays on from it and from the turns that come closest, to the end of the game,
on deals that had no part in the choice. Nobody knows the order of the tiles: a lead is a mean over
deals.
"""

import random
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from typing import Final

import attrs

from carc.analysis.engines import Candidate
from carc.analysis.outlook import Appraiser
from carc.analysis.position import Comparison
from carc.base.game.outcome import is_team
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.turn.steps import CHANCE
from carc.bots import by_name
from carc.match.match import Match
from carc.match.record import begin_replay, recorded_action
from carc.puzzles.deeper import Contender
from carc.puzzles.puzzle import Puzzle, Rival
from carc.puzzles.turns import after_turn, look_of, turn_of, turn_played

LEAST: Final = 1.5
"""Points by which the answer must be better than every other turn, with 95 % confidence."""
BOT: Final = "mcts:10"
"""The bot that plays on from the turns that are compared."""
DEALS, LOOKS = 16, 4
"""Deals after which the turns are compared, and how often they may be compared."""
_QUANTILE: Final = 2.85  # of Student's distribution, for 95 % in all looks together
_CLEAR: Final = 2.5  # points of a lead by the evaluation alone, which needs no playouts
_SLIGHT: Final = 1.0  # points of a lead in a few playouts, which are drawn towards the evaluation
_LINES, _PLAYOUTS = 12, 64  # turns that these playouts compare, and their number
_PAIRS: Final = 32  # of longer playouts, in the look after it
_AHEAD: Final = 2.0  # points of a lead in these
_CLOSE: Final = 4  # turns that these compare with the best
_RIVALS: Final = 2  # of these, those that are compared by deeper play
_FEWEST_TURNS: Final = 4  # of a position that is worth a thought
_MOST_TILES: Final = 30  # still to be drawn: with more, luck outweighs most turns
_DEAL_SEEDS: Final = 1 << 40


@attrs.frozen
class _Position:
    """A position of a match in which a player has drawn a tile."""

    match: Match
    number: int  # of actions that led to it
    source: str  # what the match is called


def find_puzzles(
    games: Sequence[tuple[str, Match]],
    *,
    seed: int = 0,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Generator[Puzzle]:
    """Yield puzzles from games, in random order.

    Args:
        games: The games with their names.
        seed: The seed of the order, the playouts and the deals.
        jobs: The number of processes. The puzzles are the same with any number.
        progress: Called after each position with how many are done, and how many there are.

    Raises:
        BadRecord: A game cannot be replayed.
    """
    rng = random.Random(seed)
    positions = [each for source, match in games for each in _positions(match, source)]
    rng.shuffle(positions)
    seeds = [rng.getrandbits(32) for _ in positions]
    with _mapped(jobs) as mapped:
        for done, puzzle in enumerate(mapped(_examine, positions, seeds), start=1):
            if progress is not None:
                progress(done, len(positions))
            if puzzle is not None:
                yield puzzle


@contextmanager
def _mapped(jobs: int) -> Iterator[Callable[..., Iterator[Puzzle | None]]]:
    """Yield `map`, for several processes if wanted; what has not begun at the end is left out."""
    if jobs == 1:
        yield map
        return
    pool = ProcessPoolExecutor(jobs)
    try:
        yield pool.map
    finally:
        pool.shutdown(cancel_futures=True)


def _positions(match: Match, source: str) -> Iterator[_Position]:
    """Yield the positions of the later part of a game in which a tile was drawn.

    There are none in a game that a team plays, or that has secrets or another beginning.
    """
    rules = Rules.cached(match.rules, match.players)
    if is_team(rules) or rules.has_secrets or rules.players < 2 or match.position:
        return
    state = begin_replay(match, rules, source)
    for number, move in enumerate(match.moves):
        is_turn = state.current_player != CHANCE and state.step.name == "place"
        if is_turn and 0 < state.tiles_left <= _MOST_TILES:
            yield _Position(match, number, source)
        state.apply(recorded_action(state, move, f"{source}:{number + 2}"))


def _examine(position: _Position, seed: int) -> Puzzle | None:
    """Return the puzzle that a position is; None if it is none."""
    match, number = position.match, position.number
    rules = Rules.cached(match.rules, match.players)
    moves = match.actions[:number]
    state = after_turn(rules.start(), moves)
    greedy = turn_of(by_name("greedy", seed), state)
    played = turn_played(match, number)
    comparison = Comparison(Appraiser(rules))
    ranked = _first_look(comparison, state, seed, [greedy, played])
    ranked = _second_look(comparison, ranked, state.current_player, seed)
    if not ranked:
        return None
    answer, *rivals = [Contender(state, tuple(map(str, each.actions))) for each in ranked]
    if not _deeper_look(answer, rivals, seed):
        return None
    found = [(rival, answer.advantage(rival)) for rival in rivals]
    found.sort(key=lambda each: each[1].mean)
    return Puzzle(
        rules=rules.spec,
        players=rules.players,
        moves=tuple(moves),
        answer=answer.turn,
        rivals=tuple(
            Rival(rival.turn, round(by.mean, 2), round(_QUANTILE * by.standard_error, 2))
            for rival, by in found
        ),
        greedy=greedy,
        played=played,
        gains=answer.gains(found[0][0]),
    )


def _first_look(
    comparison: Comparison, state: State, seed: int, missed: Sequence[tuple[str, ...]]
) -> list[Candidate]:
    """Return the turn that looks best and those that come closest.

    There are none if nobody missed it, or if it is hardly better than the next.
    """
    candidates = comparison.candidates(state, seed)
    by_look = {look_of(state, [*map(str, each.actions)]): each for each in candidates}
    others = []
    for turn in missed:
        if (look := look_of(state, turn)) not in by_look:
            by_look[look] = comparison.parse(state, turn)
            candidates.append(by_look[look])
        others.append(by_look[look])
    if len(candidates) < _FEWEST_TURNS:
        return []
    player = state.current_player
    ranked = sorted(candidates, key=lambda each: each.mean(player), reverse=True)
    weight = 0.0
    if _lead(ranked, player, weight) < _CLEAR or all(each is ranked[0] for each in others):
        ranked = comparison.select(ranked[:_LINES], player, _PLAYOUTS)
        weight = comparison.engine.prior_weight
    best = ranked[0]
    if all(each is best for each in others) or _lead(ranked, player, weight) < _SLIGHT:
        return []
    close = ranked[1 : 1 + _CLOSE]
    close += [each for each in others if each is not best and each not in close]
    return [best, *close]


def _lead(ranked: Sequence[Candidate], player: int, weight: float) -> float:
    """Return by how many points the first of some lines is ahead of the second."""
    first, second = (each.mean(player, weight)[1] for each in ranked[:2])
    return first - second


def _second_look(
    comparison: Comparison, ranked: Sequence[Candidate], player: int, seed: int
) -> list[Candidate]:
    """Return the best turn and its rivals, by longer playouts; none if one is as good."""
    if not ranked:
        return []
    best, *close = ranked
    leads: list[tuple[float, int]] = []
    for number, each in enumerate(close):
        found = comparison.difference(best, each, player, _PAIRS, seed)
        if found is None or found.margin < _AHEAD:
            return []
        leads.append((found.margin, number))
    return [best, *(close[number] for _, number in sorted(leads)[:_RIVALS])]


def _deeper_look(answer: Contender, rivals: Sequence[Contender], seed: int) -> bool:
    """Let a bot play on, and return whether the answer is better than all rivals."""
    for look in range(LOOKS):
        first = _DEAL_SEEDS + (seed * LOOKS + look) * DEALS
        answer.play_on(BOT, range(first, first + DEALS))
        sure = True
        for rival in rivals:
            rival.play_on(BOT, range(first, first + DEALS))
            by = answer.advantage(rival)
            if by.mean < LEAST + by.standard_error:  # more deals would hardly help
                return False
            sure = sure and by.mean - _QUANTILE * by.standard_error > LEAST
        if sure:
            return True
    return False
