"""A row is written by hand where that is quicker; it holds what `json` and `random` would make."""

import hmac
import json
import random
from collections.abc import Sequence
from typing import Any

import attrs
import pytest
from support.flips import Ending, Make

from carc import Rules, play
from carc.base.game.chance import shuffle
from carc.bots import by_name
from carc.tournaments.identifiers import fingerprint, seed_from
from carc.tournaments.outcomes.columns import kinds_text, read_times, times_text
from carc.tournaments.outcomes.outcome import Outcome, cells, outcome_of, row
from carc.tournaments.outcomes.stages import Cause, HostFailure
from carc.tournaments.pairing.design import round_robin
from carc.tournaments.rating import tally
from carc.tournaments.rating.ratings import board_of
from carc.tournaments.rating.tally import Tally
from carc.tournaments.running import playing
from carc.tournaments.schedule.entrants import Entrant
from carc.tournaments.schedule.games import Game


def test_times_are_json_to_the_microsecond() -> None:
    seats = [[(0.0000004, 0.0000004), (0.001234, 0.001234), (2.5, 1.25)], [(0.0042, 0.0042)], []]
    told = [[(0.0, 0.0), (0.001234, 0.001234), (2.5, 1.25)], [(0.0042, 0.0042)], []]
    assert [*read_times(json.loads(times_text(seats)))] == told
    # As ledgers of before have them.
    assert [*read_times(json.loads(json.dumps(told)))] == told
    assert [*read_times([[0, 1234, [2.5, 1.25]], [4200], []])] == told


def test_moves_of_the_same_time_are_told_together() -> None:
    none, three, long = (0.0, 0.0), (0.000003, 0.000003), (2.0, 1.0)
    seats = [[none, none, three, none, none, none], [long, long], [three]]
    assert json.loads(times_text(seats)) == [["0x2", 3, "0x3"], [[2.0, 1.0], [2.0, 1.0]], [3]]
    assert [*read_times(json.loads(times_text(seats)))] == seats


@pytest.mark.parametrize(
    "seats",
    [
        [["1x99999999999"]],
        [["1x60000"], [1, "1x40000"]],
        [["1x-5"]],
        [["1x0"]],
        [["9" * 400 + "x2"]],
        [[10**400]],
        [["x5"]],
        [["5x"], ["a"]],
    ],
    ids=lambda seats: str(seats)[:20],
)
def test_times_that_are_none_or_too_many_take_no_memory(seats: list[list[Any]]) -> None:
    """A few bytes of a stranger's ledger could stand for any number of moves."""
    with pytest.raises(ValueError, match=r"time|literal"):
        read_times(seats)
    assert len(read_times([["1x60000"], ["1x39999", 1]])[0]) == 60000


def test_when_a_game_ended_is_told_to_the_millisecond(
    configuration: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = next(round_robin(configuration("ab"), ()))
    told = []
    for now in (1767225599.9996, 1767225600.0, 1767225600.0625):
        monkeypatch.setattr(playing, "time", lambda now=now: now)
        told.append(playing.void(game, HostFailure(Cause.LIMIT, "")).finished)
    assert told == [
        "2025-12-31T23:59:59.999+00:00",
        "2026-01-01T00:00:00.000+00:00",
        "2026-01-01T00:00:00.062+00:00",
    ]


def test_kinds_are_json_whatever_a_stranger_calls_them() -> None:
    kinds = [{"city": 4, 'the "old"\n': -1, "Kloster ü": 9}, {}]
    assert json.loads(kinds_text(kinds)) == kinds


def test_a_row_is_read_as_it_was_written(configuration: Make, outcome: Ending) -> None:
    planned = next(round_robin(configuration("abc", tables=[3]), ()))
    fault = {"seat": 1, "action": 7, "verdict": "crash", "detail": "é\n\x00\ud800"}
    made = outcome(
        planned,
        (0, 2, 1),
        scores=(50, -3, 0),
        wall=(1e-06, 0.1, 12.5),
        cpu=(0.0, 1e-05, 3.0),
        moves=(3, 0, 1),
        faults=(fault,),
        verdicts=("ok", "crash", "ok"),
        kinds=({"city": 50}, {}, {"road": 3, "fairy's": -3}),
        stderr=("", "lost\n", ""),
        times=([(0.5, 0.25)], [], []),
    )
    game, record = cells(row(made).game), cells(row(made).record)
    read = outcome_of([*game[:-1], *record[1:-1]])
    assert (read.scores, read.kinds, read.wall, read.cpu) == (
        made.scores,
        made.kinds,
        made.wall,
        made.cpu,
    )
    assert (read.faults, read.stderr, read.ranks) == (made.faults, made.stderr, made.ranks)
    assert outcome_of(game[:-1]).kinds == made.kinds


def test_a_bots_seconds_are_those_of_its_moves_to_the_microsecond(configuration: Make) -> None:
    bots = [Entrant(name, name, "") for name in ("greedy", "random")]
    game = next(round_robin(attrs.evolve(configuration("ab"), bots=bots), ()))
    played = playing.play_one(game)
    for seat, bot in enumerate(game.seats):
        took = sum(wall for wall, _ in played.times[seat])
        assert played.wall[seat] == pytest.approx(took, abs=1e-6 * played.moves[seat])
        assert played.wall[seat] == round(played.wall[seat], 6)
        assert played.wall[seat] > 1e-3 or bot.name == "random"


def test_seconds_are_written_as_such_whatever_was_written_before(
    configuration: Make, outcome: Ending
) -> None:
    game = next(round_robin(configuration("ab"), ()))
    for _ in range(2):
        made = row(outcome(game, (0, 0), scores=(0, 0), moves=(0, 0), wall=(0.0, 0.0)))
        assert cells(made.game).count("[0, 0]") == 3
        assert cells(made.game).count("[0.0, 0.0]") == 1


def test_a_record_is_what_json_writes() -> None:
    text = play(
        Rules.from_spec("base"), [by_name("random", 1), by_name("random", 2)], seed=3
    ).to_text()
    assert text.endswith("}\n")
    for line in text.splitlines():
        assert line == json.dumps(json.loads(line))


@pytest.mark.parametrize("n", [1, 2, 3, 64, 71, 72, 1000])
def test_the_order_of_a_deal_is_that_of_the_standard_library(n: int) -> None:
    mine, theirs = list(range(n)), list(range(n))
    shuffle(mine, random.Random(n))
    random.Random(n).shuffle(theirs)
    assert mine == theirs


def test_seeds_are_made_of_json() -> None:
    """Of ledgers there are, too: HMAC and SHA-256 of the same texts, made by hand."""
    assert fingerprint("game", ["ü", 'a"b', 1, True, None, 0.5, [2, ()]]) == "ef86228c72c64901"
    for secret in (7, 10**100):  # a long key is hashed first
        made = hmac.digest(str(secret).encode(), b'["bot", "\\u00e9", 3]', "sha256")
        assert seed_from(secret, "bot", "é", 3) == int(made.hex()[:13], 16)
    assert seed_from(7, "bot", "é", 3) == 3314233366563289


def test_games_added_up_in_part_are_added_up_whole(
    configuration: Make, outcome: Ending, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(1)

    def played(game: Game) -> Outcome:
        ranks: Sequence[int] = rng.choice([(0, 1, 2), (0, 0, 1), (2, 1, 0), (1, 0, 0)])
        kinds: tuple[dict[str, int], ...] = ({"city": rng.randrange(9)}, {"road": 2}, {})
        moves = tuple(rng.randrange(50) for _ in ranks)
        return outcome(game, ranks, kinds=kinds, moves=moves)

    games = [played(game) for game in round_robin(configuration("abcd", tables=[3], deals=12), ())]
    games.sort(key=lambda game: game.rotation_set)
    whole = board_of(Tally(False).add_all(games), samples=50)
    monkeypatch.setattr(tally, "ALIKE", 5)
    assert board_of(Tally(False).add_all(games), samples=50) == whole
    assert sum(line.games for line in whole.standings) == 3 * len(games)
