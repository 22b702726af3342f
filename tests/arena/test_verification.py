"""A copy of a ladder is verified by anybody, at any time; whatever was changed is found."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.arenas import SETTINGS
from support.forging import Forger

from carc.arena import verification
from carc.arena.deals import origin
from carc.arena.ledger import LadderLedger
from carc.arena.settings import read_settings
from carc.arena.verification import verify
from carc.tournaments.ledger import chain
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.outcomes.outcome import row
from carc.tournaments.outcomes.stages import Cause, HostFailure
from carc.tournaments.running.playing import play_one, void
from carc.tournaments.schedule.entrants import enter


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ladder of two epochs: four games of which one was voided, one void, one interrupted."""
    folder = tmp_path_factory.mktemp("arena")
    (folder / "arena.toml").write_text(SETTINGS)
    ladder = read_settings(folder).ladders[0]
    ann, bob = enter("random"), enter("greedy:overlook=0.9")
    with LadderLedger.opening(folder / "two", ladder.configuration, 3) as ledger:
        for bot in ann, bob, enter("greedy-blind"):
            ledger.enter(bot)
        ledger.deal((ann, bob))
        games = [ledger.deal(table) for table in ((ann, bob), (bob, ann))]
        ledger.add([row(play_one(game)) for game in games])
        ledger.remove("greedy-blind", "it is too quick")
    with LadderLedger.opening(folder / "two", ladder.configuration, 3) as ledger:
        ledger.add([row(void(ledger.deal((ann, bob)), HostFailure(Cause.LIMIT, "slow")))])
        ledger.void(games[0].id, "it was a trial")
        for table in ((ann, bob), (bob, ann)):
            ledger.add([row(play_one(ledger.deal(table)))])
        ledger.end()
    return folder / "two"


@pytest.fixture
def copied(held: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy as anybody may have it."""
    (tmp_path / "copy").mkdir()
    shutil.copy(held / "ledger.sqlite", tmp_path / "copy")
    yield tmp_path / "copy"


def test_all_agrees(copied: Path) -> None:
    found = verify(copied)
    assert found.problems == ()
    assert found.games == 4, "the voided one is replayed, too"
    told = "\n".join(found.notes)
    assert "1 games were interrupted or are being played" in told
    assert "1 games are void: this host did not let them be played" in told
    assert "was voided by the organiser: it was a trial" in told
    assert "not isolated, so that they could read the secret: random, greedy" in told
    assert verify(copied, found.promise, found.head, found.promise).problems == ()
    assert len(verify(copied, "0" * 64, "1" * 64).problems) == 2


def test_while_it_is_played(held: Path, tmp_path: Path) -> None:
    """The deals of an epoch whose secret is not told are checked later."""
    shutil.copytree(held, tmp_path / "two")
    (tmp_path / "arena.toml").write_text(SETTINGS)
    settings = read_settings(tmp_path)
    with LadderLedger.opening(tmp_path / "two", settings.ladders[0].configuration, 3) as ledger:
        table = (enter("random"), enter("greedy:overlook=0.9"))
        ledger.add([row(play_one(ledger.deal(table)))])
        ledger.deal(table)
        found = verify(tmp_path / "two")
    assert found.problems == ()
    assert "the deals of 1 games are checked when" in "\n".join(found.notes)
    assert found.promise == origin(settings.ladders[0].configuration)


def test_what_is_played_meanwhile_is_left_for_the_next_time(
    held: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(held, tmp_path / "two")
    (tmp_path / "arena.toml").write_text(SETTINGS)
    settings = read_settings(tmp_path)
    with LadderLedger.opening(tmp_path / "two", settings.ladders[0].configuration, 3) as ledger:
        replay = verification.differences
        before = len(ledger)

        def play_and_replay(*of: Any) -> Any:
            if len(ledger) == before:
                table = (enter("random"), enter("greedy:overlook=0.9"))
                ledger.add([row(play_one(ledger.deal(table)))])
            return replay(*of)

        monkeypatch.setattr(verification, "differences", play_and_replay)
        found = verify(tmp_path / "two")
        assert found.problems == () and len(ledger) == before + 1
        again = verify(tmp_path / "two")
    assert again.problems == () and again.games == found.games + 1


# -- tampering ------------------------------------------------------------------------------------


def _rechained(change: Callable[[list[list[object]]], object]) -> Callable[[Forger], None]:
    """Change the entries of the chain (stage, game, attempt, digest), and link them anew."""

    def tamper(forger: Forger) -> None:
        with Ledger.reading(forger.folder) as ledger:
            before = origin(ledger.configuration)
        entries = [list(each) for each in forger.rows("stage, game, attempt, digest", "chain")]
        change(entries)
        forger.sql("DELETE FROM chain")
        for number, entry in enumerate(entries, start=1):
            before = chain.link(before, *entry)
            forger.sql("INSERT INTO chain VALUES (?, ?, ?, ?, ?, ?)", number, *entry, before)

    return tamper


def _set(stage: str, column: int, value: object, nth: int = 0) -> Callable[[Forger], None]:
    def change(entries: list[list[object]]) -> None:
        [entry for entry in entries if entry[0] == stage][nth][column] = value

    return _rechained(change)


def _without(stage: str, nth: int = 0) -> Callable[[Forger], None]:
    return _rechained(
        lambda entries: entries.remove([each for each in entries if each[0] == stage][nth])
    )


def _sql(statement: str) -> Callable[[Forger], None]:
    return lambda forger: forger.sql(statement)


def _again(stage: str) -> Callable[[Forger], None]:
    return _rechained(
        lambda entries: entries.append(next(each for each in entries if each[0] == stage))
    )


def _swapped(forger: Forger) -> None:
    """A secret of whoever computes all anew: the commitment is to it, and the deals are not."""

    def change(entries: list[list[object]]) -> None:
        for stage, value in (("committed", chain.commitment("mine")), ("revealed", "mine")):
            [entry for entry in entries if entry[0] == stage][1][3] = value

    _rechained(change)(forger)


TAMPERED: dict[str, tuple[Callable[[Forger], None], str]] = {
    "scores": (lambda f: f.set("scores", lambda _: "[99, 0]"), "is not what the chain says"),
    "a record": (lambda f: f.set("record", lambda text: text + "\n"), "is not what the chain says"),
    "a row that is gone": (_sql("DELETE FROM games WHERE rowid = 2"), "the ledger holds no game"),
    "a row that never was": (
        lambda f: f.sql(
            "INSERT INTO games SELECT 'ffff', "
            + ", ".join(name for (_, name, *_) in f.rows("*", "pragma_table_info('games')")[1:])
            + " FROM games LIMIT 1"
        ),
        "6 games are in the ledger, and 5 in its chain",
    ),
    "a number in a row": (
        lambda f: f.set("deal", lambda number: number + 10),
        "its number or its rules are not those of the ladder",
    ),
    "rules in a row": (
        lambda f: f.set("rules", lambda _: "base+inns"),
        "its number or its rules are not those of the ladder",
    ),
    "what a bot is": (
        _sql("UPDATE standings SET spec = 'other' WHERE bot = 'random'"),
        "is not the game of its bots and number",
    ),
    "a deal": (_swapped, "its deal does not follow from the secret and the chain"),
    "another secret": (_set("revealed", 3, "ab"), "the secret of epoch 0 is not the one"),
    "no commitment": (_without("committed", 1), "was dealt from a secret that was not committed"),
    "an entry between": (
        _rechained(lambda entries: entries.insert(5, ["rested", "random", 0, ""])),
        "its deal does not follow from the secret and the chain",
    ),
    "a link": (_sql("UPDATE chain SET link = 'ab' WHERE number = 4"), "entry 4 of the chain does"),
    "an entry taken out": (_sql("DELETE FROM chain WHERE number = 4"), "entry 4 of the chain is m"),
    "a start": (_without("started", 1), "has an outcome without a start"),
    "an outcome": (_without("rated", 1), "5 games are in the ledger, and 4 in its chain"),
    "a number": (_set("started", 2, 7), "has number 7, not 0"),
    "an outcome twice": (_again("rated"), "has an outcome without a start"),
    "an epoch twice": (_again("committed"), "epoch 0 does not follow epoch 1"),
    "a secret told too soon": (
        _rechained(
            lambda entries: entries.insert(
                5, entries.pop(next(n for n, e in enumerate(entries) if e[0] == "revealed"))
            )
        ),
        "was dealt from a secret that was not committed to",
    ),
    "a void that is none": (_set("rated", 0, "void"), "is void in the chain or in its row"),
    "no rest": (_without("rested"), "greedy-blind is 'out' in its standing, and not in the chain"),
    "another reason": (
        _sql("UPDATE standings SET why = 'slow' WHERE state = 'out'"),
        "greedy-blind is 'out' in its standing, and not in the chain",
    ),
    "not taken out": (
        _sql("UPDATE standings SET state = 'rests' WHERE state = 'out'"),
        "greedy-blind is 'rests' in its standing, and not in the chain",
    ),
    "no entry": (_without("entered"), "a bot in it was not entered"),
    "another bot": (
        _sql("UPDATE standings SET author = 'eve' WHERE bot = 'random'"),
        "random is not the bot that was entered",
    ),
    "a bot that rested": (
        _rechained(lambda entries: entries.insert(3, ["rested", "random", 0, ""])),
        "random did not play when it was started",
    ),
    "a void by the organiser": (_without("voided"), "is not what the chain says was written"),
    "another reason for it": (
        lambda f: f.set("detail", lambda text: text.replace("it was a trial", "rain")),
        "is not as it was voided",
    ),
    "an unknown entry": (
        _rechained(lambda entries: entries.append(["adopted", "0", 0, ""])),
        "'adopted' happens to no game and no bot here",
    ),
    "a bot in the standings": (
        _sql(
            "INSERT INTO standings SELECT 'eve', author, spec, digest, isolation, since, state, "
            "why, mu, sigma, games, wins, score, faults, last FROM standings LIMIT 1"
        ),
        "eve has a standing, and was not entered",
    ),
    **{
        f"{column} of a standing": (
            _sql(f"UPDATE standings SET {column} = {value} WHERE bot = 'random'"),
            "the standing of random is not that of its games",
        )
        for column, value in {
            "mu": "mu + 0.001",
            "sigma": "sigma * 0.99",
            "games": "games + 1",
            "wins": "wins + 1",
            "score": "score + 1",
            "faults": "1",
            "last": "'yesterday'",
        }.items()
    },
    "the history": (_sql("UPDATE history SET mu = mu + 0.001"), "the history of random is not"),
}


@pytest.mark.parametrize("kind", TAMPERED)
def test_tampering_is_found(copied: Path, kind: str) -> None:
    tamper, says = TAMPERED[kind]
    forger = Forger(copied)
    with closing(forger.database), forger.database:
        tamper(forger)
    problems = verify(copied).problems
    assert any(says in problem for problem in problems), problems
