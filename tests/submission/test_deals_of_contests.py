"""Nobody alone chooses the deals of a contest: nonces, beacons, and what is opened."""

import hashlib
import json
import sqlite3
from pathlib import Path
from typing import Any

import attrs
import pytest
from support import contests
from support.contests import (
    COMMITTED,
    NONCES,
    OPENED,
    PLAIN,
    SECRET,
    VALUE,
    Contest,
    line_of,
    play_out,
    records,
)

import carc
from carc.commands.contest import _opened
from carc.errors import CarcError
from carc.tournaments.contest import holding
from carc.tournaments.contest.promise import Promise, promise
from carc.tournaments.contest.verification import verify
from carc.tournaments.ledger import chain, meta
from carc.tournaments.ledger.file import FILE
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.schedule.configuration import BadTournament, Configuration
from carc.tournaments.submission.manifest import Manifest


def deals(place: Path) -> set[int]:
    return {seed for seed, _ in records(place).values()}


def test_deals_follow_from_each_of_their_sources(tmp_path: Path) -> None:
    """Change one, and every deal is another: so whoever knows all but one knows none."""
    base = Contest(COMMITTED, beacon="drand 1")
    values = {**OPENED, "beacon": VALUE}
    held = [(base, values)]
    held += [(Contest(COMMITTED, secret=SECRET + 1, beacon="drand 1"), values)]
    held += [(base, {**values, "beacon": "d4" * 32})]
    bots = {**COMMITTED, "bob": line_of("e5" * 16)}
    held += [(Contest(bots, beacon="drand 1"), {**values, "bob@1": "e5" * 16})]
    seen: set[int] = set()
    for number, (contest, opened) in enumerate(held):
        place = tmp_path / str(number)
        line = contest.hold(place, opened)
        assert verify(place, line).problems == ()
        assert not seen & deals(place)
        seen |= deals(place)
    report = verify(tmp_path / "0")
    assert report.origin == (
        "the deals come from the organiser's secret and the nonces that the authors of ann@1, "
        "bob@1 opened and the beacon 'drand 1': whoever trusts one of these need not trust the "
        "others"
    )
    looked_up = f"to be looked up: that 'drand 1' is {VALUE}, and was not known when the line was"
    assert any(note.startswith(looked_up) for note in report.notes)


def test_without_nonces_and_beacon_the_organiser_has_to_be_trusted(tmp_path: Path) -> None:
    Contest(PLAIN).hold(tmp_path)
    assert verify(tmp_path).origin == (
        "the deals come from the organiser's secret alone: the organiser must be trusted not to "
        "have chosen it for a bot"
    )


def test_who_does_not_open_a_nonce_does_not_play(tmp_path: Path) -> None:
    """What withholding gives is said, and when a beacon rules it out: the author may have known its
    value when it withheld.
    """
    withheld = {**OPENED, "bob@1": ""}
    for number, beacon in enumerate(("", "drand 1")):
        place = tmp_path / str(number)
        values = {**withheld, "beacon": VALUE} if beacon else withheld
        line = Contest(COMMITTED, beacon=beacon).hold(place, values)
        report = verify(place, line)
        assert report.problems == ()
        assert "bob@1 does not play: its author did not open its nonce" in report.notes
        chosen = (
            "bob@1 withheld a nonce, so that whoever knew all else could choose among 2 sets of"
        )
        assert chosen in report.origin
        assert ("before the value of the beacon was known" in report.origin) == bool(beacon)
        with Ledger.reading(place) as ledger:
            assert {name for game in ledger.outcomes() for name in game.seats} == {
                "ann@1",
                "cleo@1",
            }


@pytest.mark.parametrize(
    "values, sentence",
    [
        ({}, "ann@1 is not opened: give its value, or ann@1=late to leave it out"),
        ({"ann@1": NONCES["ann"], "beacon": VALUE}, "bob@1 is not opened"),
        (OPENED, "beacon is not opened: give its value$"),
        ({**OPENED, "bob@1": NONCES["ann"]}, "is not the nonce to which bob@1 is committed"),
        ({**OPENED, "beacon": "7"}, "the value of a beacon is 32 to 512 hexadecimal digits"),
        ({**OPENED, "beacon": VALUE.upper()}, "in lower case"),  # or it could be had in two ways
        ({**OPENED, "beacon": VALUE, "cleo@1": "x"}, "nothing is to be opened for 'cleo@1'"),
    ],
)
def test_what_is_not_to_be_opened(values: dict[str, str], sentence: str, tmp_path: Path) -> None:
    contest = Contest(COMMITTED, beacon="drand 1")
    configuration, said = contest.begin(tmp_path)
    with pytest.raises(BadTournament, match=sentence):
        holding.open_values(tmp_path, configuration, said, values)
    assert not holding.is_ready(said, contest.begin(tmp_path)[0])


def test_it_is_opened_once(tmp_path: Path) -> None:
    contest = Contest(COMMITTED)
    configuration, said = contest.begin(tmp_path)
    ready = holding.open_values(tmp_path, configuration, said, OPENED)
    assert holding.open_values(tmp_path, ready, said, OPENED) == ready, "the same command again"
    with pytest.raises(BadTournament, match="other values were opened in"):
        holding.open_values(tmp_path, ready, said, {**OPENED, "bob@1": ""})


def test_deals_that_are_made_from_something_else_are_found(tmp_path: Path) -> None:
    """By an organiser who plays with a program of its own: games without the nonces, or with a
    value that it likes better in their place.
    """
    for number, (values, opened, sentence) in enumerate(
        (
            (None, "", "ann@1 is not opened: give its value"),
            (OPENED, "f" * 64, "the deals are not made from what was opened"),
        )
    ):
        place = tmp_path / str(number)
        configuration, said = Contest(COMMITTED).begin(place)
        if values is not None:
            configuration = holding.open_values(place, configuration, said, values)
        forged = attrs.evolve(configuration, opened=opened)
        with sqlite3.connect(place / FILE) as ledger:
            data = {**forged.to_dict(), "settings": {}, "format_version": meta.FORMAT}
            meta.write(ledger, {**data, "carc_version": carc.__version__})
        ledger.close()
        play_out(place, forged)
        (problem,) = verify(place, forged.promise).problems
        assert problem.startswith(sentence)


@pytest.mark.parametrize(
    "other",
    [
        [("opened", "ann@1", 7, NONCES["ann"]), ("opened", "bob@1", 0, NONCES["bob"])],
        [("withheld", "ann@1", 0, NONCES["ann"]), ("opened", "bob@1", 0, NONCES["bob"])],
        [("opened", "bob@1", 0, NONCES["bob"]), ("opened", "ann@1", 0, NONCES["ann"])],
    ],
    ids=["a number", "a stage", "the order"],
)
def test_deals_cannot_be_chosen_by_how_the_same_is_opened(
    other: list[tuple[str, str, int, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The deals follow from the last of these entries. An organiser that knows all nonces could try
    numbers until a bot wins.
    """
    true, forged = tmp_path / "true", tmp_path / "forged"
    Contest(COMMITTED).hold(true, OPENED)
    with monkeypatch.context() as patched:
        patched.setattr(chain, "opening", lambda values: other)
        line = Contest(COMMITTED).hold(forged, OPENED)
    assert not deals(true) & deals(forged)
    (problem,) = verify(forged, line).problems
    assert problem.startswith("what was opened is not in the chain as carc writes it")


def test_a_nonce_of_the_organisers_own_is_no_authors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The promise names another commitment than the bot's manifest."""
    own = "9a" * 16

    def promised_otherwise(
        configuration: Configuration, manifests: dict[str, Manifest], **more: Any
    ) -> Promise:
        ann = attrs.evolve(manifests["ann@1"], nonce=hashlib.sha256(own.encode()).hexdigest())
        return promise(configuration, {**manifests, "ann@1": ann}, **more)

    monkeypatch.setattr(contests, "promise", promised_otherwise)
    line = Contest(COMMITTED).hold(tmp_path, {**OPENED, "ann@1": own})
    (problem,) = verify(tmp_path, line).problems
    assert problem == "the manifest of ann@1 says otherwise than promise.json"


def test_another_version_of_carc_than_the_promised_one(tmp_path: Path) -> None:
    """As carc itself refuses to go on after an update."""
    line = Contest(PLAIN).hold(tmp_path)
    with sqlite3.connect(tmp_path / FILE) as ledger:
        rows = ledger.execute("SELECT key, value FROM meta WHERE key != 'digest'")
        data = {key: json.loads(value) for key, value in rows.fetchall()}
        meta.write(ledger, {**data, "carc_version": "0.1.7"})
    ledger.close()
    (problem,) = verify(tmp_path, line).problems
    assert problem == f"carc 0.1.7 wrote the ledger, not {carc.__version__} as promised"
    with pytest.raises(CarcError, match=r"was written with carc version 0\.1\.7"):
        Contest(PLAIN).hold(tmp_path)


def test_a_nonce_of_nobody_is_no_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first line of `carc verify` would name an author that the organiser made up."""
    own = "9a" * 16

    def promised_otherwise(configuration: Configuration, *args: Any, **more: Any) -> Promise:
        said = dict(promise(configuration, *args, **more))
        return {**said, "nonces": {"zoe@1": hashlib.sha256(own.encode()).hexdigest()}}

    monkeypatch.setattr(contests, "promise", promised_otherwise)
    line = Contest(PLAIN).hold(tmp_path, {"zoe@1": own})
    (problem,) = verify(tmp_path, line).problems
    assert problem == "promise.json has a nonce or an author of zoe@1, which is no bot of it"


def test_values_on_the_command_line() -> None:
    assert _opened("ann@1=a,bob@1 = late,beacon=b=c") == {
        "ann@1": "a",
        "bob@1": "",
        "beacon": "b=c",
    }
