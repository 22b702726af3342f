"""Campaigns: who plays what, and teams and levels rated on one scale."""

import signal
from collections import Counter
from collections.abc import Callable, Iterator
from math import log

import attrs
import pytest
from support.flips import Ending

from carc.tournaments.campaign import campaign, table
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.pairing import format_of
from carc.tournaments.rating.ratings import Leaderboard, board_of
from carc.tournaments.rating.tally import Tally
from carc.tournaments.schedule.configuration import BadTournament, Configuration, configure
from carc.tournaments.schedule.games import Game


def games_of(configuration: Configuration) -> list[Game]:
    return list(format_of(configuration).next_games(configuration, ()))


def test_every_bot_is_in_teams_of_every_size_at_every_level() -> None:
    made = campaign(["random", "careful"], [1, 4], [1, 3], 5, seed=1)
    games = games_of(made)
    assert len({game.id for game in games}) == len(games) == 2 * 2 * 2 * 5
    assert format_of(made).total(made) == len(games)
    assert all(len({bot.name for bot in game.seats}) == 1 for game in games)
    assert Counter((game.rules, len(game.seats)) for game in games) == {
        (level, size): 10 for level in ("mists:1", "mists:4") for size in (1, 3)
    }
    assert len({game.deal_seed for game in games}) == 5  # all play the same deals
    fewer = games_of(attrs.evolve(made, deals=2))
    assert fewer == games[: len(fewer)]


def test_a_campaign_has_levels_and_nothing_else_does() -> None:
    made = configure("mists:1", ["random", "careful"], [2], 1, seed=1)
    with pytest.raises(BadTournament, match="carc levels plays one"):
        format_of(attrs.evolve(made, format="campaign"))
    with pytest.raises(BadTournament, match="carc levels plays one"):
        format_of(attrs.evolve(made, levels=["mists:1"]))


def rated(
    outcome: Ending,
    made: Configuration,
    won: Callable[[Game], bool],
    **changes: object,
) -> Leaderboard:
    def played() -> Iterator[Outcome]:
        for game in games_of(made):
            seats = tuple(range(len(game.seats)))
            winners = seats if won(game) else ()
            yield outcome(game, (0,) * len(seats), winners=winners, **changes)

    return board_of(Tally(False, made).add_all(played()), samples=20)


def test_a_team_wins_with_the_odds_of_the_difference(outcome: Ending) -> None:
    # By hand: three quarters of the games at level 1, a quarter at level 2: log 3 above the one,
    # below the other.
    made = campaign(["random"], [1, 2], [2], 1000, seed=1)
    board = rated(outcome, made, lambda game: game.deal % 4 < (3 if game.rules == "mists:1" else 1))
    strengths = {line.bot: line.strength.value for line in board.standings}
    assert strengths == pytest.approx(
        {"random x 2": 0, "mists:1": -log(3), "mists:2": log(3)}, abs=0.01
    )
    assert not board.by_score
    assert (
        table(board, made, "random").splitlines()[2].startswith("| mists:1 | 75.0 (72.2 to 77.6) |")
    )


def test_a_team_at_fault_has_lost_whatever_came_of_the_game(
    outcome: Ending,
) -> None:
    made = campaign(["random"], [1], [2], 4, seed=1)
    fault = {"seat": 1, "action": 3, "verdict": "crash", "detail": "no such tile"}
    board = rated(outcome, made, lambda _: True, faults=(fault,), verdicts=("ok", "crash"))
    team = next(line for line in board.standings if line.bot == "random x 2")
    assert (team.wins, team.verdicts, team.fault) == (0, {"crash": 4}, "no such tile")


def test_a_killed_campaign_goes_on(run_carc) -> None:
    command = "levels --bots random --levels 1,3 --players 1,2 --games 150 --seed 1 --jobs 1"
    first = run_carc.start(f"{command} --out t")
    run_carc.await_games("t", 5)
    first.send_signal(signal.SIGKILL)
    first.communicate()
    before = run_carc.games("t")
    assert before < 600
    again = run_carc("levels --out t")
    assert f"{before} of 600 games are in the ledger already" in again.stderr
    assert again.stdout == run_carc(f"{command} --out u").stdout
    assert "600 of 600 games" in again.stdout
    assert "mists:1" in run_carc("leaderboard t").stdout
    assert run_carc("report t").returncode == 0
