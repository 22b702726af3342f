"""`analyse_game`: every move of a match compared with the best one, and the luck of each draw."""

import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor

import attrs

from carc.analysis.difference import Difference
from carc.analysis.engines import Candidate, is_same_turn
from carc.analysis.outlook import Appraiser
from carc.analysis.position import Comparison
from carc.analysis.results import GameAnalysis, Luck, MoveAnalysis, summarise
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.base.turn.actions import Action
from carc.base.turn.steps import CHANCE
from carc.base.validation import whole
from carc.errors import BadRecord, CarcError
from carc.match.match import Match
from carc.match.record import begin_replay, recorded_action

PLAYOUTS, QUICK_PLAYOUTS = 400, 48
"""Playouts for a move, and for a move of a quick analysis. If it seems to have lost something, as
many pairs of longer playouts follow at most."""
# What looks less a few turns later is not worth telling.
_LEAST_CHANCE, _LEAST_POINTS = 0.02, 1.0


@attrs.define
class _PlayedMove:
    """A move of a match: all that a player decided at a time."""

    number: int  # from 1
    first: int  # how many actions of the match came before it
    before: State
    events: list[tuple[State, Action]]  # what chance did before it
    actions: list[Action] = attrs.field(factory=list)


def analyse_game(
    match: Match,
    rules: Rules | None = None,
    *,
    playouts: int = PLAYOUTS,
    seed: int = 0,
    jobs: int = 1,
    source: str = "record",
    progress: Callable[[int, int], None] | None = None,
) -> GameAnalysis:
    """Return an analysis of every move of a match.

    Args:
        match: The match. It may have been saved before its end.
        rules: Its rules, where its spec does not say it all (tile files).
        playouts: At most so many playouts for each move, and as many pairs of longer ones if it
            seems to have lost something. With the same number and seed, the analysis is the same,
            whatever the number of processes.
        seed: The seed of the playouts.
        jobs: The number of processes.
        source: What error messages call the match, such as the name of its file.
        progress: Called after each move with how many are done, and how many there are.

    Raises:
        BadRecord: The match cannot be replayed, or nobody moved in it.
        CarcError: A number is not a whole number or too small.
    """
    for number, what in ((playouts, "playouts"), (jobs, "jobs")):
        if whole(number, what) < 1:
            raise CarcError(f"{what} is {number}; it must be at least 1")
    rules = rules or Rules.from_spec(match.rules, match.players)
    match = attrs.evolve(match, moves=tuple(match.moves), end=None)
    analyser = GameAnalyser(match, rules, playouts, whole(seed, "seed"), source)
    total = len(analyser.moves)
    moves: list[MoveAnalysis] = []
    for move in _parallel(analyser, jobs) if jobs > 1 else map(analyser.move, range(total)):
        moves.append(move)
        if progress is not None:
            progress(len(moves), total)
    return _summary(match, moves, analyser.comparison.appraiser.is_team, playouts, seed)


def analyse_last_move(
    match: Match, player: int, *, playouts: int = PLAYOUTS, seed: int = 0
) -> MoveAnalysis:
    """Return an analysis of the last move that a player has completed.

    Args:
        match: The match. It may have been saved before its end.
        player: The seat.
        playouts: At most so many playouts.
        seed: The seed of the playouts.

    Raises:
        CarcError: The player has not completed a move.
    """
    rules = Rules.from_spec(match.rules, match.players)
    match = attrs.evolve(match, moves=tuple(match.moves), end=None)
    over = bool(match.result.ranks)
    analyser = GameAnalyser(match, rules, playouts, whole(seed, "seed"), "game")
    for index in reversed(range(len(analyser.moves))):
        move = analyser.moves[index]
        is_complete = over or move.first + len(move.actions) < len(match.moves)
        if move.before.current_player == player and is_complete:
            return analyser.move(index)
    raise CarcError("there is no completed move to analyse")


def _summary(
    match: Match, moves: list[MoveAnalysis], team: bool, playouts: int, seed: int
) -> GameAnalysis:
    """Return the analysis of a game from that of its moves."""
    return GameAnalysis(
        rules=match.rules,
        seats=match.seats,
        team=team,
        finished=bool(match.result.scores),
        playouts_per_move=playouts,
        seed=seed,
        moves=tuple(moves),
        players=tuple(
            summarise(player, name, moves, team) for player, name in enumerate(match.seats)
        ),
    )


class GameAnalyser:
    """Analyses the moves of a match, in any order."""

    def __init__(self, match: Match, rules: Rules, playouts: int, seed: int, source: str) -> None:
        self.arguments = (match, rules, playouts, seed, source)
        self.comparison = Comparison(Appraiser(rules))
        self.moves = list(_played_moves(match, rules, source))
        if not self.moves:
            raise BadRecord(f"{source}:{len(match.moves) + 1}: nobody moved; there is no analysis")
        self._playouts = playouts
        self._seed = seed

    def move(self, index: int) -> MoveAnalysis:
        """Return the analysis of a move."""
        move = self.moves[index]
        comparison = self.comparison
        player = move.before.current_player
        made = comparison.playouts
        seed = self._seed + 7919 * move.number
        candidates = comparison.candidates(move.before, seed)
        played = self._played(candidates, move)
        best = played
        if len(candidates) > 1:
            best = self._best(move.before, candidates, played)
        elif comparison.solve_after(played, self._playouts) is None:
            comparison.measure([played], self._playouts)
        lost = self._lost(best, played, player, seed)
        if lost is None:
            best, lost = played, Difference(0.0, 0.0)
        chance, margin = played.mean(player)
        return MoveAnalysis(
            number=move.number,
            player=player,
            first_action=move.first,
            last_action=move.first + len(move.actions),
            played=tuple(map(str, move.actions)),
            best=tuple(map(str, best.actions)),
            chance_before=min(chance + lost.certain_chance, 1.0),
            chance_after=chance,
            margin_before=margin + lost.certain_margin,
            margin_after=margin,
            chance_error=lost.chance_error,
            points_error=lost.margin_error,
            choices=len(candidates),
            exact=best.exact is not None and played.exact is not None,
            luck=self._luck(move),
            playouts=comparison.playouts - made,
        )

    def _best(self, state: State, candidates: list[Candidate], played: Candidate) -> Candidate:
        """Return the candidate that looks best. It and the one played have been measured."""
        comparison, player = self.comparison, state.current_player
        best = comparison.solve(state, candidates, [played], self._playouts)
        if best is None:
            half = self._playouts // 2
            best = comparison.select(candidates, player, half)[0]
            compared = [best] if best is played else [best, played]
            comparison.measure(compared, self._playouts - half)
        return best

    def _lost(
        self, best: Candidate, played: Candidate, player: int, seed: int
    ) -> Difference | None:
        """Return what a move gave up; None if it is not certain that it gave up anything."""
        (chance, margin), (less, lower) = best.mean(player), played.mean(player)
        if chance - less < _LEAST_CHANCE and margin - lower < _LEAST_POINTS:
            return None
        lost = self.comparison.difference(best, played, player, self._playouts, seed)
        return lost if lost is not None and lost.is_gain else None

    def _played(self, candidates: list[Candidate], move: _PlayedMove) -> Candidate:
        """Return the candidate that was played; it is added if it is not among them."""
        after = move.before.copy()
        for action in move.actions:
            after.apply(action)
        candidate = self.comparison.find(candidates, move.actions, after)
        candidate.actions = move.actions
        return candidate

    def _luck(self, move: _PlayedMove) -> Luck:
        """Return what chance brought the player before a move."""
        player = move.before.current_player
        each = [self.comparison.luck(*event, player) for event in move.events]
        return Luck(sum(luck.chance for luck in each), sum(luck.margin for luck in each))


def _played_moves(match: Match, rules: Rules, source: str) -> Iterator[_PlayedMove]:
    """Yield the moves of a match; raise `BadRecord` if it cannot be replayed."""
    state = begin_replay(match, rules, source)
    events: list[tuple[State, Action]] = []
    move: _PlayedMove | None = None
    number = 0
    for at, recorded in enumerate(match.moves):
        action = recorded_action(state, recorded, f"{source}:{at + 2}")
        if state.current_player == CHANCE:
            if move is not None:
                yield move
                move = None
            events.append((state.copy(), action))
        else:
            if move is not None and not is_same_turn(state, move.before.current_player):
                yield move
                move = None
            if move is None:
                number += 1
                move = _PlayedMove(number, at, state.view(state.current_player), events)
                events = []
            move.actions.append(action)
        state.apply(action)
    if move is not None:
        yield move
    if match.result.scores and not state.is_terminal:
        raise BadRecord(f"{source}:{len(match.moves) + 2}: the record ends before the game does")


# -- several processes ------------------------------------------------------------------------

_analyser: GameAnalyser | None = None  # of a process that helps


def _parallel(analyser: GameAnalyser, jobs: int) -> Iterator[MoveAnalysis]:
    """Yield the analyses of all moves, in order, from several processes."""
    forks = "fork" in multiprocessing.get_all_start_methods()
    with ProcessPoolExecutor(
        max_workers=min(jobs, len(analyser.moves)),
        mp_context=multiprocessing.get_context("fork" if forks else None),
        initializer=_begin,
        initargs=analyser.arguments,
    ) as pool:
        yield from pool.map(_move, range(len(analyser.moves)))


def _begin(match: Match, rules: Rules, playouts: int, seed: int, source: str) -> None:
    """Replay the match in a new process."""
    global _analyser  # noqa: PLW0603 (the only way to keep something in a process of a pool)
    _analyser = GameAnalyser(match, rules, playouts, seed, source)


def _move(index: int) -> MoveAnalysis:
    assert _analyser is not None
    return _analyser.move(index)
