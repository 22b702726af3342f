"""Analyses read back from JSON, as `carc analyse --json` prints them."""

from carc.analysis.results import GameAnalysis, MoveAnalysis
from carc.base.game.rules import Rules
from carc.base.game.state import State
from carc.bounded import parse_json
from carc.errors import CarcError
from carc.match.match import Match
from carc.match.record import begin_replay, recorded_action
from carc.structured import structured

_MOST = 1e6  # of any chance or margin, without its sign


def parse_analysis(text: str, source: str = "analysis") -> GameAnalysis:
    """Return an analysis, whatever match it is of, from its JSON text, or raise `CarcError`."""
    try:
        return structured(GameAnalysis, parse_json(text), "an analysis", _MOST)
    except ValueError:
        raise CarcError(
            f"{source}: this is not an analysis; `carc analyse GAME --json` prints one"
        ) from None


def read_analysis(text: str, match: Match, rules: Rules, source: str = "analysis") -> GameAnalysis:
    """Return the analysis of a match from its JSON text.

    Args:
        text: The text.
        match: The match that it must be of.
        rules: The rules of the match.
        source: What error messages call it, such as the name of its file.

    Raises:
        CarcError: This is not an analysis, or it is one of another match.
    """
    analysis = parse_analysis(text, source)
    if (
        analysis.rules != match.rules
        or analysis.seats != match.seats
        or [player.player for player in analysis.players] != list(range(len(match.seats)))
        or not _fits(analysis, match, rules)
    ):
        raise CarcError(f"{source}: this is the analysis of another game")
    return analysis


def _fits(analysis: GameAnalysis, match: Match, rules: Rules) -> bool:
    """Return True if the match has all moves of the analysis, and all best lines are legal."""
    moves = {move.first_action: move for move in analysis.moves}
    if len(moves) != len(analysis.moves) or any(at not in range(len(match.moves)) for at in moves):
        return False
    state = begin_replay(match, rules, "record")
    for at, recorded in enumerate(match.moves):
        if at in moves and not _is_played(moves[at], match, state):
            return False
        state.apply(recorded_action(state, recorded, f"record:{at + 2}"))
    return True


def _is_played(move: MoveAnalysis, match: Match, state: State) -> bool:
    """Return True if a match has this move in a state, and its best line is legal."""
    played = tuple(each.action for each in match.moves[move.first_action : move.last_action])
    if not move.best or not played or move.played != played:
        return False
    if move.player != state.current_player or len(played) != move.last_action - move.first_action:
        return False
    state = state.copy()
    try:
        for action in move.best:
            state.apply(state.check(state.rules.parse(action)))
    except CarcError:
        return False
    return True
