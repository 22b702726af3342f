"""The ledger gives back what it was given, mixes nothing and belongs to one process."""

import multiprocessing
import sqlite3
from pathlib import Path

import attrs
import pytest
from support.flips import Ending, Make, schedule

import carc
from carc.tournaments.ledger import chain
from carc.tournaments.ledger.ledger import BadLedger, Ledger
from carc.tournaments.outcomes.outcome import row
from carc.tournaments.outcomes.verdicts import VOID
from carc.tournaments.rating.tally import Tally


def test_what_is_written_is_read(tmp_path: Path, configuration: Make, outcome: Ending) -> None:
    made = configuration("ab", deals=2)
    fault = {"seat": 1, "action": 17, "verdict": "illegal", "detail": "no such place"}
    outcomes = [
        outcome(game, (0, 1), verdicts=("ok", "illegal"), faults=(fault,))
        for game in schedule(made)
    ]
    with Ledger.writing(tmp_path / "new" / "folder", made) as ledger:
        ledger.add(map(row, outcomes[:3]))
        ledger.add(map(row, outcomes[3:]))
    with Ledger.reading(tmp_path / "new" / "folder") as ledger:
        assert ledger.configuration == made
        assert ledger.ids() == {each.id for each in outcomes}
        assert [ledger.outcome(each.id) for each in outcomes] == outcomes
        plain = {outcome.id: outcome._replace(record="") for outcome in outcomes}
        assert {outcome.id: outcome for outcome in ledger.outcomes()} == plain
        with pytest.raises(BadLedger, match="no game 'nosuch'"):
            ledger.outcome("nosuch")


def test_no_game_twice_and_all_of_a_batch_or_none(
    tmp_path: Path, configuration: Make, outcome: Ending
) -> None:
    made = configuration("ab", deals=2)
    first, second, *_ = (row(outcome(game, (0, 1))) for game in schedule(made))
    with Ledger.writing(tmp_path, made) as ledger:
        ledger.add([first])
        with pytest.raises(sqlite3.IntegrityError):
            ledger.add([second, first])
        assert ledger.ids() == {first.id}


def test_void_games_are_to_be_played_again(
    tmp_path: Path, configuration: Make, outcome: Ending
) -> None:
    made = configuration("ab")
    first, second = schedule(made)
    with Ledger.writing(tmp_path, made) as ledger:
        ledger.add([row(outcome(first, (0, 1))), row(outcome(second, (), verdict=VOID))])
    with Ledger.writing(tmp_path, made) as ledger:
        assert ledger.ids() == {first.id}
        assert ledger.voids() == {second.id: 1}
        ledger.add([row(outcome(second, (), verdict=VOID, voids=1))])
        assert ledger.voids() == {second.id: 2}
        ledger.add([row(outcome(second, (1, 0)))])
        assert (ledger.ids(), ledger.voids()) == ({first.id, second.id}, {})
        with pytest.raises(sqlite3.IntegrityError):
            ledger.add([row(outcome(second, (1, 0)))])


def test_a_copy_leaves_void_games_behind(
    tmp_path: Path, configuration: Make, outcome: Ending
) -> None:
    made = configuration("ab", deals=2)
    first, second, third, _ = schedule(made)
    with Ledger.writing(tmp_path / "part", made) as ledger:
        ledger.add([row(outcome(first, (0, 1))), row(outcome(second, (), verdict=VOID))])
    with Ledger.writing(tmp_path / "whole", made) as ledger:
        ledger.add([row(outcome(third, (1, 0)))])
        ledger.copy(tmp_path / "part" / "ledger.sqlite")
        assert (ledger.ids(), ledger.voids(), len(ledger)) == ({first.id, third.id}, {}, 2)
        assert ledger.outcome(first.id) == outcome(first, (0, 1))


def test_parts_that_contradict_each_other_are_not_merged(
    tmp_path: Path, configuration: Make, outcome: Ending
) -> None:
    """A game that two parts hold is the same game in both, or nothing is merged."""
    made = configuration("ab", deals=2)
    first, second, *_ = schedule(made)
    played = outcome(first, (0, 1), record="one")
    other = tmp_path / "other" / "ledger.sqlite"
    for record, contradicts in (("one", False), ("another", True)):
        with Ledger.writing(tmp_path / "other", made) as ledger:
            if not contradicts:
                ledger.add([row(played)])
                ledger.add([row(outcome(second, (0, 1)))])
        with Ledger.writing(tmp_path / record, made) as ledger:
            ledger.add([row(played._replace(record=record))])
            if not contradicts:
                ledger.copy(other)
                assert ledger.ids() == {first.id, second.id}
                continue
            with pytest.raises(BadLedger, match=f"game {first.id} was played otherwise in"):
                ledger.copy(other)
            assert ledger.ids() == {first.id}
            assert ledger.outcome(first.id).record == "another"


def test_a_void_game_contradicts_no_other_part(
    tmp_path: Path, configuration: Make, outcome: Ending
) -> None:
    made = configuration("ab", deals=1)
    first, *_ = schedule(made)
    with Ledger.writing(tmp_path / "void", made) as ledger:
        ledger.add([row(outcome(first, (0, 1), verdict=VOID, record=""))])
    with Ledger.writing(tmp_path / "rated", made) as ledger:
        ledger.add([row(outcome(first, (0, 1), record="one"))])
        ledger.copy(tmp_path / "void" / "ledger.sqlite")
        assert ledger.outcome(first.id).record == "one"


def test_only_its_owner_reads_a_ledger(tmp_path: Path, configuration: Make) -> None:
    """It holds the secret of the deals; what SQLite puts beside it, too."""
    with Ledger.writing(tmp_path, configuration("ab", mirrored=False)):
        modes = {
            path.name: path.stat().st_mode & 0o777
            for path in tmp_path.iterdir()
            if path.name.startswith("ledger.sqlite")
        }
    assert modes == dict.fromkeys(modes, 0o600)
    assert len(modes) > 1


def test_games_beyond_the_deals_of_a_tournament_do_not_count_as_played(
    tmp_path: Path, configuration: Make, outcome: Ending
) -> None:
    """Of 3 deals of 6 games each; a tournament of fewer deals has played those of the first."""
    made = configuration("abc", deals=3)
    with Ledger.writing(tmp_path, made) as ledger:
        ledger.add(row(outcome(game, (0, 1))) for game in schedule(made))
        played = [ledger.played(attrs.evolve(made, deals=deals)) for deals in (1, 2, 3, 9)]
    assert played == [6, 12, 18, 18]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"rules_version": "2-test"},
            "written with rules version 1-test, not rules version 2-test",
        ),
        ({"rules": "base+ghosts"}, "written with rules base, not rules base"),
        ({"seed": 2}, "written with seed 1, not seed 2"),
        ({"mirrored": False}, "with mirrored deals, not a deal of its own for every game"),
        ({"clock": "bank=1"}, "not clock bank=1"),
    ],
)
def test_another_tournament_is_refused(
    tmp_path: Path, configuration: Make, changes: dict[str, object], sentence: str
) -> None:
    with Ledger.writing(tmp_path, configuration(deals=2)):
        pass
    with (
        pytest.raises(BadLedger, match=sentence),
        Ledger.writing(tmp_path, configuration(**{"deals": 2, **changes})),
    ):
        pass


def test_the_field_may_change_and_games_that_are_unchanged_are_kept(
    tmp_path: Path, configuration: Make, outcome: Ending
) -> None:
    made = configuration("abc", deals=2)
    with Ledger.writing(tmp_path, made) as ledger:
        ledger.add(row(outcome(game, (0, 1))) for game in schedule(made))
    # a is dropped, b is another version, d is new.
    bots = [
        attrs.evolve(bot, digest=bot.digest + "!" * (bot.name == "b"))
        for bot in configuration("bcd").bots
    ]
    changed = attrs.evolve(made, bots=bots)
    kept = {game.id for game in schedule(made)} & {game.id for game in schedule(changed)}
    assert not kept  # every game of c was against a or b
    with Ledger.writing(tmp_path, changed) as ledger:
        assert len(ledger.ids()) == 12
        tally = Tally(configuration=changed).add_all(ledger.outcomes())
        assert (tally.games, tally.left_out) == (
            0,
            {"of a, which is not entered now": 8, "of another version of b": 4},
        )
    both = attrs.evolve(made, bots=[*made.bots, *configuration("abcd").bots[3:]], deals=1)
    with Ledger.writing(tmp_path, both) as ledger:
        tally = Tally(configuration=both).add_all(ledger.outcomes())
        assert (tally.games, tally.left_out) == (6, {"of deals beyond the first 1": 6})
        assert len({game.id for game in schedule(both)} - ledger.ids()) == 6  # those of d


def test_another_version_of_carc_is_refused(
    tmp_path: Path, configuration: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Ledger.writing(tmp_path, configuration()):
        pass
    monkeypatch.setattr(carc, "__version__", "99.0")
    with (
        pytest.raises(BadLedger, match=r"carc version .*, not carc version 99\.0"),
        Ledger.writing(tmp_path, configuration()),
    ):
        pass


def test_a_tournament_may_get_more_deals(tmp_path: Path, configuration: Make) -> None:
    with Ledger.writing(tmp_path, configuration(deals=2)):
        pass
    with Ledger.writing(tmp_path, configuration(deals=5)) as ledger:
        assert ledger.configuration.deals == 5


def test_one_tournament_at_a_time(tmp_path: Path, configuration: Make) -> None:
    made = configuration()

    def second(answer: "multiprocessing.SimpleQueue[str]") -> None:
        try:
            with Ledger.writing(tmp_path, made):
                answer.put("opened")
        except BadLedger as error:
            answer.put(str(error))

    fork = multiprocessing.get_context("fork")
    answer = fork.SimpleQueue()
    with Ledger.writing(tmp_path, made):
        process = fork.Process(target=second, args=(answer,))
        process.start()
        process.join()
        with Ledger.reading(tmp_path) as reader:  # reading is always possible
            assert reader.ids() == set()
    assert "another tournament is running" in answer.get()


def test_a_ledger_without_a_chain_gets_one(
    tmp_path: Path, configuration: Make, outcome: Ending
) -> None:
    """As carc 0.1 wrote them: its games are adopted, and no deal of theirs is spent again."""
    made = configuration("ab", deals=2, mirrored=False)
    games = schedule(made)
    with Ledger.writing(tmp_path, made) as ledger:
        ledger.add([row(outcome(games[0], (0, 1)))])
        ledger.add([row(outcome(games[1], (), verdict=VOID, voids=1))])
    connection = sqlite3.connect(tmp_path / "ledger.sqlite")
    with connection:
        connection.execute("DROP TABLE chain")
    connection.close()
    with Ledger.reading(tmp_path) as ledger:
        assert list(ledger.entries()) == []
        assert ledger.attempts() == {}
    with Ledger.writing(tmp_path, made) as ledger:
        assert {(entry.stage, entry.game, entry.attempt) for entry in ledger.entries()} == {
            ("adopted", games[0].id, 0),
            ("adopted", games[1].id, 1),
        }
        ledger.start([games[1].again(2, 2)])
        ledger.add([row(outcome(games[1], (0, 1), voids=2))])
        assert [entry.stage for entry in ledger.entries()][2:] == ["started", "rated"]


def test_a_link_seals_all_that_was_before(
    tmp_path: Path, configuration: Make, outcome: Ending
) -> None:
    made = configuration("ab", deals=2, mirrored=False)
    games = schedule(made)
    with Ledger.writing(tmp_path, made) as ledger:
        ledger.start(games)
        ledger.add([row(outcome(game, (0, 1))) for game in games])
        before = chain.commitment(made.seed)
        for entry in ledger.entries():
            digest = "" if entry.stage == "started" else ledger.content_digest(entry.game)
            before = chain.link(before, entry.stage, entry.game, 0, digest)
            assert (entry.link, entry.digest) == (before, digest)
        assert entry.number == 8
