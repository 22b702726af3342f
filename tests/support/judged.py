"""A match of two bots that choose at random, and an analysis of it that takes no time."""

from carc import Match, Rules, play
from carc.analysis.results import GameAnalysis, Luck, MoveAnalysis, summarise
from carc.bots import by_name


def played(spec: str = "base", names: tuple[str, str] = ("random", "random")) -> Match:
    bots = [by_name("random", seat) for seat in range(2)]
    return play(Rules.from_spec(spec, 2), bots, seed=3, names=names)


def judged(match: Match) -> GameAnalysis:
    """An analysis made by hand: a blunder, a move that lost nothing, a mistake; by 0, 1 and 0."""
    moves: list[MoveAnalysis] = []
    until = 0
    for number, (after, lost) in enumerate(((0.45, 0.25), (0.55, 0.0), (0.4, 0.12)), start=1):
        at = next(at for at, move in enumerate(match.moves) if at >= until and move.player >= 0)
        until = at
        while match.moves[until].player == match.moves[at].player:
            until += 1
        played = tuple(move.action for move in match.moves[at:until])
        move = MoveAnalysis(
            number, match.moves[at].player, at, until, played, played, after + lost, after, 3, 0,
            9, False, Luck(0.2, 5.0) if number == 2 else Luck(), 10,
        )  # fmt: skip
        moves.append(move)
    names = tuple(match.seats)
    players = tuple(summarise(seat, name, moves, False) for seat, name in enumerate(names))
    return GameAnalysis(match.rules, names, False, True, 10, 0, tuple(moves), players)
