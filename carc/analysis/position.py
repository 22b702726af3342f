"""`analyse`: what a position is worth, and the best lines of the player to decide."""

from collections.abc import Sequence
from contextlib import suppress

from carc.analysis.difference import Difference
from carc.analysis.ends import MOST_TILES, Ends, OutOfBudget
from carc.analysis.engines import Candidate, Engine, engine_for
from carc.analysis.outlook import Appraiser, Outlook, mean_outlook
from carc.analysis.results import LineAnalysis, Luck, PositionAnalysis
from carc.base.game.state import State
from carc.base.turn.actions import Action
from carc.base.turn.steps import CHANCE
from carc.base.validation import whole
from carc.errors import CarcError

PLAYOUTS = 400
"""Playouts for a position."""
FAR_TURNS = 20
"""How many turns the playouts last that confirm a difference."""
_LEFT = 0.65  # of a difference so many turns later, at the end of the game if that is later still
_FRESH = 1 << 24  # the playouts that measure have numbers from here on
_CONFIRMING = 1 << 25  # and those that confirm a difference, from here on
_PAIRS = 16  # of playouts, before it is looked whether more are needed
_NODES_PER_PLAYOUT = 1000  # positions that solving may visit; this takes as long as 10 playouts


class Comparison:
    """Compares the lines of a move.

    Half of the playouts choose the best lines, by sequential halving. The other half measures them
    with new draws: the best of many lines was also lucky in the playouts by which it was chosen.
    That a line is better than another is confirmed by playouts that go much further: what looks
    better a few turns later is often gone at the end of the game.

    Attributes:
        appraiser: Values positions.
        engine: Finds lines and plays playouts.
        playouts: The playouts made since the object was made.
    """

    def __init__(self, appraiser: Appraiser) -> None:
        self.appraiser = appraiser
        self.engine: Engine = engine_for(appraiser)
        # For each of two lines, as an engine keeps something of the playouts that it made before.
        self.far_engines = [engine_for(appraiser, FAR_TURNS) for _ in range(2)]
        self.playouts = 0

    def candidates(self, state: State, seed: int) -> list[Candidate]:
        """Start a decision and return the lines that look best."""
        lines = self.engine.lines(state, seed)
        return [self.candidate(actions, after) for actions, after in lines]

    def solve(
        self, state: State, candidates: list[Candidate], wanted: list[Candidate], budget: int
    ) -> Candidate | None:
        """Find the best line and the exact outlooks of lines, if few tiles are left.

        Args:
            state: The position.
            candidates: Its lines. The best one is added if it is not among them.
            wanted: The lines whose outlooks are wanted besides that of the best.
            budget: The playouts allowed, which limit the time.

        Returns:
            The best line; None if this takes too long. Then nothing is changed.
        """
        if state.tiles_left > MOST_TILES:
            return None
        ends = Ends(self.appraiser, budget * _NODES_PER_PLAYOUT)
        try:
            best = self.find(candidates, *ends.best_line(state))
            outlooks = [ends.outlook(each.after) for each in [best, *wanted]]
        except OutOfBudget:
            return None
        for each, outlook in zip([best, *wanted], outlooks, strict=True):
            each.exact = outlook
        return best

    def solve_after(self, candidate: Candidate, budget: int) -> Outlook | None:
        """Find the exact outlook after a line, if few tiles are left and it does not take long."""
        if candidate.exact is None and candidate.after.tiles_left <= MOST_TILES:
            ends = Ends(self.appraiser, budget * _NODES_PER_PLAYOUT)
            with suppress(OutOfBudget):
                candidate.exact = ends.outlook(candidate.after)
        return candidate.exact

    def find(self, candidates: list[Candidate], actions: list[Action], after: State) -> Candidate:
        """Return the candidate that leads to a position; it is added if there is none."""
        key = after.key()
        for candidate in candidates:
            if candidate.after.key() == key:
                return candidate
        candidates.append(self.candidate(actions, after))
        return candidates[-1]

    def candidate(self, actions: list[Action], after: State) -> Candidate:
        """Return a line without playouts."""
        return Candidate(actions, after, self.appraiser.outlook(after))

    def parse(self, state: State, texts: Sequence[str]) -> Candidate:
        """Return the line of these actions in notation, without playouts, or raise `CarcError`."""
        after = state.copy()
        actions = []
        for text in texts:
            actions.append(after.check(state.rules.parse(text)))
            after.apply(actions[-1])
        return self.candidate(actions, after)

    def select(self, candidates: list[Candidate], player: int, budget: int) -> list[Candidate]:
        """Return the candidates in order, the best first, after at most `budget` playouts."""
        by_prior = sorted(candidates, key=lambda each: each.mean(player), reverse=True)
        left = by_prior[: max(1, budget)]
        dropped = by_prior[len(left) :]
        rounds = (len(left) - 1).bit_length()
        for number in range(rounds):
            each = budget // (rounds * len(left))
            for candidate in left:
                self._play(candidate, each, len(candidate.outlooks))
            weight = self.engine.prior_weight
            left.sort(key=lambda candidate: candidate.mean(player, weight), reverse=True)
            if number < rounds - 1:
                half = (len(left) + 1) // 2
                dropped = left[half:] + dropped
                del left[half:]
        return left + dropped

    def difference(
        self, ahead: Candidate, behind: Candidate, player: int, most: int, seed: int
    ) -> Difference | None:
        """Measure how far a line is ahead of another, by pairs of playouts with the same draws.

        Args:
            ahead: A line.
            behind: Another.
            player: The seat that plays them.
            most: At most so many pairs are played; fewer if they decide.
            seed: The seed of the playouts.

        Returns:
            The difference; None if less than two pairs are allowed.
        """
        if ahead.exact is not None and behind.exact is not None:
            (chance, margin), (less, lower) = ahead.mean(player), behind.mean(player)
            return Difference(chance - less, margin - lower)
        for line, engine in zip((ahead, behind), self.far_engines, strict=True):
            engine.begin(line.after, seed)
        is_end = self.appraiser.is_team or ahead.after.tiles_left <= FAR_TURNS
        left = 1.0 if is_end else _LEFT
        ends: tuple[list[Outlook], list[Outlook]] = ([], [])
        found = None
        while len(ends[0]) < most and not (found is not None and found.is_decided):
            first = len(ends[0])
            for index in range(first, min(first + _PAIRS, most)):
                ends[0].append(self._end(self.far_engines[0], ahead, _CONFIRMING + index))
                ends[1].append(self._end(self.far_engines[1], behind, _CONFIRMING + index))
            if len(ends[0]) > 1:
                found = Difference.of(*ends, player, left)
        return found

    def _end(self, engine: Engine, line: Candidate, index: int) -> Outlook:
        """Return the outlook in which a playout of a line ends; the exact one if it is known."""
        if line.exact is not None:
            return line.exact
        self.playouts += 1
        return self.appraiser.outlook(engine.end_of_playout(line.after, index))

    def luck(self, state: State, happened: Action, player: int) -> Luck:
        """Return what a draw or another chance event in a position brought a player.

        Every outcome is followed by what looks best.
        """
        outcomes = {}
        for outcome, weight in state.chance_outcomes():
            after = state.copy()
            after.apply(outcome)
            outcomes[outcome] = self.appraiser.outlook(self.engine.settle(after)), weight
        average = mean_outlook(list(outcomes.values()))
        found = outcomes[happened][0]
        return Luck(
            found.chances[player] - average.chances[player],
            found.margins[player] - average.margins[player],
        )

    def measure(self, candidates: list[Candidate], budget: int) -> None:
        """Replace the playouts of some candidates by new ones, at most `budget` together."""
        for candidate in candidates:
            candidate.outlooks.clear()
            self._play(candidate, budget // len(candidates), _FRESH)

    def _play(self, candidate: Candidate, count: int, first: int) -> None:
        if candidate.exact is not None:
            return
        for index in range(first, first + count):
            candidate.outlooks.append(self._end(self.engine, candidate, index))


def analyse(
    state: State, *, playouts: int = PLAYOUTS, seed: int = 0, lines: int = 3
) -> PositionAnalysis:
    """Return what a position is worth, and the best lines of the player to decide.

    Args:
        state: The position. It is not changed.
        playouts: At most so many playouts. With the same number and seed, the analysis is the same.
        seed: The seed of the playouts.
        lines: How many lines to return.

    Raises:
        CarcError: A number is not a whole number or too small.
    """
    for number, what in ((playouts, "playouts"), (lines, "lines")):
        if whole(number, what) < 1:
            raise CarcError(f"{what} is {number}; it must be at least 1")
    comparison, state = Comparison(Appraiser(state.rules)), state.view(state.current_player)
    if state.is_terminal or state.current_player == CHANCE:
        return _without_decision(comparison, state, playouts, whole(seed, "seed"))
    player = state.current_player
    candidates = comparison.candidates(state, seed)
    ranked = comparison.select(candidates, player, playouts // 2)[:lines]
    solved = comparison.solve(state, candidates, ranked, playouts)
    if solved is None:
        comparison.measure(ranked, playouts - playouts // 2)
    elif solved not in ranked:
        ranked[-1] = solved
    ranked.sort(key=lambda each: each.mean(player), reverse=True)
    best = ranked[0]
    return PositionAnalysis(
        player=player,
        chances=tuple(best.mean(each)[0] for each in range(state.rules.players)),
        margins=tuple(best.mean(each)[1] for each in range(state.rules.players)),
        lines=tuple(_line(each, player) for each in ranked),
        exact=all(each.exact is not None for each in ranked),
        playouts=comparison.playouts,
    )


def compare_lines(
    state: State,
    ahead: Sequence[str],
    behind: Sequence[str],
    *,
    playouts: int = PLAYOUTS,
    seed: int = 0,
) -> Difference:
    """Return how far one line of the player to decide is ahead of another.

    Args:
        state: The position. It is not changed.
        ahead: The actions of a line in notation, to the end of what the player decides at a time.
        behind: Those of another.
        playouts: At most so many pairs of playouts, two at least; fewer if they decide.
        seed: The seed of the playouts.

    Raises:
        CarcError: An action is not legal, nobody decides, or the number is too small.
    """
    if whole(playouts, "playouts") < 2:
        raise CarcError(f"playouts is {playouts}; it must be at least 2")
    if state.is_terminal or state.current_player == CHANCE:
        raise CarcError("no player decides here; there are no lines to compare")
    comparison, state = Comparison(Appraiser(state.rules)), state.view(state.current_player)
    one, other = (comparison.parse(state, texts) for texts in (ahead, behind))
    for line in (one, other):
        comparison.solve_after(line, playouts)
    player = state.current_player
    found = comparison.difference(one, other, player, playouts, whole(seed, "seed"))
    assert found is not None
    return found


def _line(candidate: Candidate, player: int) -> LineAnalysis:
    chance, margin = candidate.mean(player)
    return LineAnalysis(tuple(map(str, candidate.actions)), chance, margin)


def _without_decision(
    comparison: Comparison, state: State, playouts: int, seed: int
) -> PositionAnalysis:
    """Return what a position is worth in which chance decides or the game is over."""
    candidate = comparison.candidate([], state)
    outlook = comparison.solve_after(candidate, playouts)
    if outlook is None:
        comparison.engine.begin(state, seed)
        comparison.measure([candidate], playouts)
        outlook = mean_outlook([(each, 1.0 / playouts) for each in candidate.outlooks])
    return PositionAnalysis(
        player=-1,
        chances=outlook.chances,
        margins=outlook.margins,
        lines=(),
        exact=candidate.exact is not None,
        playouts=comparison.playouts,
    )
