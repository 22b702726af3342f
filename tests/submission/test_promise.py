"""What a contest promises is what is played: nobody alone chooses deals, bots or games."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import stat
import zipfile
from pathlib import Path
from typing import Any

import attrs
import pytest
from support import contests, warm
from support.contests import SECRET, Contest, Stopped, play_out, play_quickly
from support.playing import requires

import carc
from carc.commands.contest import _opened
from carc.errors import BadBot, CarcError
from carc.tournaments.contest import admission, holding
from carc.tournaments.contest.promise import Promise, digest, parse, promise
from carc.tournaments.contest.verification import verify
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.ledger import chain, meta
from carc.tournaments.ledger.file import FILE
from carc.tournaments.ledger.ledger import BadLedger, Ledger
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.stages import Cause, HostFailure
from carc.tournaments.running import runner
from carc.tournaments.running.playing import void
from carc.tournaments.schedule.configuration import BadTournament, Configuration
from carc.tournaments.schedule.entrants import Entrant
from carc.tournaments.schedule.games import Game
from carc.tournaments.submission.content import Content, File
from carc.tournaments.submission.manifest import Manifest, parse_manifest
from carc.tournaments.submission.registry import Registry, RegistryFailure

NONCES = {"ann": "a1" * 16, "bob": "b2" * 16}
VALUE = "c3" * 32  # of a beacon


def line_of(nonce: str) -> str:
    """The line in a manifest, as `sha256sum` makes it."""
    return f'nonce = "{hashlib.sha256(nonce.encode()).hexdigest()}"'


PLAIN = {"ann": "", "bob": "", "cleo": ""}
COMMITTED = {**PLAIN, **{name: line_of(nonce) for name, nonce in NONCES.items()}}
OPENED = {f"{name}@1": nonce for name, nonce in NONCES.items()}


def records(place: Path) -> dict[str, tuple[int, str]]:
    with Ledger.reading(place) as ledger:
        return {
            game.id: (game.deal_seed, ledger.outcome(game.id).record) for game in ledger.outcomes()
        }


def deals(place: Path) -> set[int]:
    return {seed for seed, _ in records(place).values()}


# -- one line binds everything --------------------------------------------------------------------


@pytest.mark.parametrize(
    "other",
    [
        Contest(PLAIN, deals=2),
        Contest(PLAIN, secret=SECRET + 1),
        Contest({**PLAIN, "dan": ""}),
        Contest({"ann": "", "bob": ""}),
        Contest({**PLAIN, "cleo": 'author = "Cleo"'}),
        Contest({**PLAIN, "cleo": line_of("c" * 32)}),
        Contest(PLAIN, beacon="drand"),
    ],
    ids=["deals", "secret", "a bot more", "a bot less", "another bot", "a nonce", "a beacon"],
)
def test_a_contest_goes_on_only_as_it_was_promised(other: Contest, tmp_path: Path) -> None:
    place = tmp_path / "c"
    line = Contest(PLAIN).begin(place)[0].promise
    before = (place / FILE).read_bytes(), (place / "promise.json").read_text()
    with pytest.raises(BadTournament, match=r"holds a contest that promised .*another --out"):
        other.begin(place)
    assert before == ((place / FILE).read_bytes(), (place / "promise.json").read_text())
    assert other.begin(tmp_path / "other")[0].promise != line
    shutil.rmtree(place)
    assert Contest(PLAIN).begin(place)[0].promise == line, "the same is promised in the same words"


def test_a_winner_cannot_be_taken_out_afterwards(tmp_path: Path) -> None:
    """Whatever is removed beside: the line that was published is another one then."""
    place = tmp_path / "c"
    line = Contest(PLAIN).hold(place)
    assert verify(place, line).problems == ()
    without = Contest({"ann": "", "bob": ""})
    for name in ("secret.json", "promise.json"):
        (place / name).unlink()
        with pytest.raises(BadTournament, match="another --out"):
            without.hold(place)
    (place / FILE).unlink()
    other = without.hold(place)
    assert other != line
    (problem,) = verify(place, line).problems
    assert problem == "this is not the contest whose line was published before the first game"


def test_a_ledger_that_is_gone_is_not_begun_again(tmp_path: Path) -> None:
    contest = Contest(PLAIN)
    contest.begin(tmp_path)
    (tmp_path / FILE).unlink()
    with pytest.raises(BadTournament, match=r"the ledger of the contest .* is missing; restore it"):
        contest.begin(tmp_path)


def test_another_command_does_not_change_it(tmp_path: Path) -> None:
    """A ledger knows that it follows from a promise: `carc tournament --out` is refused, too."""
    configuration, _ = Contest(PLAIN).begin(tmp_path)

    for change in ({"promise": ""}, {"deals": 7}, {"title": "?"}, {"bots": configuration.bots[:2]}):
        changed = attrs.evolve(configuration, **change)
        with (
            pytest.raises(BadLedger, match="games are not mixed"),
            Ledger.writing(tmp_path, changed),
        ):
            pass


@pytest.mark.parametrize("seed", ["7", "-1", str(2**64)])
def test_a_secret_that_can_be_guessed_is_refused(seed: str, tmp_path: Path) -> None:
    done = call(tmp_path, "contest", "subs", "--seed", seed, "--out", "c")
    assert done.returncode == 2
    assert f"--seed {seed} can be guessed, and with it all deals" in done.stderr
    assert not (tmp_path / "c").exists()


def test_a_small_secret_is_found(tmp_path: Path) -> None:
    Contest(PLAIN, secret=7).hold(tmp_path)
    assert verify(tmp_path).problems == ("the secret is so small that it can be guessed",)


@pytest.mark.parametrize(
    "words, sentence",
    [
        (["--part", "1/2", "--seed", str(SECRET)], "a contest is one chain and has no parts"),
        (["--title", "Cup\u202e"], "--title has characters that cannot be seen"),
        (["--beacon", "drand\u200b"], "--beacon has characters that cannot be seen"),
    ],
)
def test_what_a_contest_does_not_take(words: list[str], sentence: str, tmp_path: Path) -> None:
    done = call(tmp_path, "contest", "subs", "--out", "c", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert sentence in done.stderr


# -- nobody alone chooses the deals ---------------------------------------------------------------


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


# -- a game cannot be taken back ------------------------------------------------------------------


def test_an_interrupted_game_is_played_on_its_own_deal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The third game is stopped, twice; who won it at last is told."""
    monkeypatch.setattr(runner, "LOOK", 0.0)
    calm, place = tmp_path / "calm", tmp_path / "c"
    line = Contest(PLAIN).hold(calm)
    begun: list[Game] = []

    def stopped_at_the_third(game: Game) -> Outcome:
        begun.append(game)
        if len(begun) >= 3:
            raise Stopped
        return play_quickly(game)

    for _ in range(2):
        with pytest.raises(Stopped):
            Contest(PLAIN).hold(place, play=stopped_at_the_third)
    assert begun[3] == begun[2]._replace(attempt=1)
    Contest(PLAIN).hold(place)
    assert records(place) == records(calm)
    report = verify(place, line)
    assert report.problems == ()
    (told,) = (note for note in report.notes if "begun again" in note)
    assert told.startswith("1 games were begun again, 2 times in all; of these ")
    assert told.endswith("@1 won 1")


def test_more_than_a_few_games_begun_again_are_wrong(tmp_path: Path) -> None:
    def stopped(game: Game) -> Outcome:
        raise Stopped

    for times in range(1, 5):
        with pytest.raises(Stopped):
            Contest(PLAIN).hold(tmp_path, play=stopped)
        if times == 3:
            shutil.copytree(tmp_path, tmp_path / "three")
    Contest(PLAIN).hold(tmp_path / "three")
    assert verify(tmp_path / "three").problems == ()
    shutil.rmtree(tmp_path / "three")
    Contest(PLAIN).hold(tmp_path)
    (problem,) = verify(tmp_path).problems
    assert "1 games were begun again, 4 times in all; of these" in problem
    assert problem.endswith("won 1: that is more than a few")


def test_no_game_is_given_back_after_its_tiles_were_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An organiser's own program says of each game that goes badly that nobody began it."""
    monkeypatch.setattr(runner, "LOOK", 0.0)
    for _ in range(5):
        begun: list[Game] = []

        def stopped(game: Game) -> Outcome:
            begun.append(game)  # noqa: B023
            raise Stopped

        with pytest.raises(Stopped):
            Contest(PLAIN).hold(tmp_path, play=stopped)
        with Ledger.writing(tmp_path, Contest(PLAIN).begin(tmp_path)[0]) as ledger:
            before = len(list(ledger.entries()))
            ledger.give_back(begun)
            assert len(list(ledger.entries())) == before, "carc itself does not say it"
            with ledger._connection:
                assert ledger._chain is not None
                ledger._chain.append(chain.RETURNED, [(begun[0].id, begun[0].attempt, "")])
    Contest(PLAIN).hold(tmp_path)
    problems = verify(tmp_path).problems
    assert sum("'returned', which happens to no game here" in each for each in problems) == 5
    assert any("games were begun again, 5 times in all" in each for each in problems)


def test_the_secret_stays_one_while_a_game_is_void(tmp_path: Path) -> None:
    """For it may be played again."""
    held: list[str] = []

    def first_is_void(game: Game) -> Outcome:
        held.append(game.id)
        if len(held) == 1:
            return void(game, HostFailure(Cause.SHORTAGE, "no memory"))
        return play_quickly(game)

    line = Contest(PLAIN).hold(tmp_path, play=first_is_void)
    report = verify(tmp_path, line)
    assert (report.over, report.problems) == (False, ())
    assert not holding.is_over(tmp_path)
    Contest(PLAIN).hold(tmp_path)
    report = verify(tmp_path, line)
    assert (report.over, report.problems) == (True, ())
    assert any(note.startswith("1 games were begun again, 1 times") for note in report.notes)


def test_a_registry_that_cannot_be_written_is_no_bots_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a full disk: nothing is decided, and the same command tries again."""
    (tmp_path / "subs" / "ann").mkdir(parents=True)
    (tmp_path / "subs" / "ann" / "bot.py").write_text(BOT)
    (tmp_path / "subs" / "ann" / "bot.toml").write_text(
        'name = "ann"\nversion = "1"\nlanguage = "python"\nentry = "bot:Bot"\n'
    )
    (tmp_path / "out").mkdir()
    (tmp_path / "file").touch()
    monkeypatch.setattr(admission, "check", lambda *_, **__: iter(()))

    def admitted(registry: Path) -> list[str]:
        decided = admission.admit(
            tmp_path / "subs",
            tmp_path / "out",
            Registry(registry),
            level="process",
            clock=Clock(),
            games=1,
        )
        return [each.spec for each in decided]

    with pytest.raises(RegistryFailure, match="cannot be written"):
        admitted(tmp_path / "file" / "registry")
    assert admission.decisions(tmp_path / "out") == {}
    assert admitted(tmp_path / "registry") == ["ann@1"]


def test_bots_that_authors_uploaded_enter_in_their_latest_version(tmp_path: Path) -> None:
    """A registry is a folder of submissions, too; withdrawn versions are none."""
    registry = Registry(tmp_path)
    for name, version in (("ann", 1), ("ann", 2), ("bob", 1), ("bob", 2), ("cleo", 1)):
        text = f'name = "{name}"\nversion = "{version}"\ncommand = ["./x"]\n'.encode()
        files = {"bot.toml": File(text, executable=False)}
        registry.add(Content(parse_manifest(text), files), name)
    registry.withdraw("bob@2")
    registry.withdraw("cleo")
    expected = [registry.find(spec).digest for spec in ("ann@2", "bob@1")]
    assert admission.submissions(tmp_path) == expected


# -- what lies in the folder ----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["promise.json", "admission.json", "board.json", "secret.json"])
def test_nothing_is_said_twice(name: str, tmp_path: Path) -> None:
    """People read the first of two values, programs the last."""
    line = Contest(PLAIN).hold(tmp_path)
    text = (tmp_path / name).read_text()
    first = next(iter(json.loads(text)))
    (tmp_path / name).write_text(text.replace("{", f'{{"{first}": "Cleo wins", ', 1))
    assert json.loads((tmp_path / name).read_text()) == json.loads(text)
    assert f"{name} cannot be read: it says {first!r} twice" in verify(tmp_path, line).problems


def test_a_bot_that_could_read_the_secret_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever agrees to a promise may overlook a level."""

    def entrant(name: str, spec: str, digest: str, isolation: str) -> Entrant:
        return Entrant(name, spec, digest, "process" if name == "bob@1" else isolation)

    monkeypatch.setattr(contests, "Entrant", entrant)
    line = Contest(PLAIN).hold(tmp_path)
    report = verify(tmp_path, line)
    told = [note for note in report.notes if "secret" in note]
    assert told == ["bob@1 plays at 'process': it can read the secret"]


def test_what_is_not_compared_is_listed(tmp_path: Path) -> None:
    Contest(PLAIN).hold(tmp_path)
    (tmp_path / "board-2.json").write_text("{}")
    (tmp_path / "registry" / "better").mkdir()
    (note,) = (note for note in verify(tmp_path).notes if note.startswith("not checked: "))
    assert "board-2.json" in note
    assert "registry/better" in note
    assert "report.html" not in note
    assert "admission.json" not in note


def test_a_page_of_another_version_is_listed_and_not_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be written otherwise."""
    line = Contest(PLAIN).hold(tmp_path)
    (tmp_path / "report.html").write_text("another page")
    assert verify(tmp_path, line).problems == ("report.html is not the page of these games",)
    monkeypatch.setattr(carc, "__version__", "9.9")
    report = verify(tmp_path, line)
    assert report.problems == ()
    assert any("not checked" in note and "report.html" in note for note in report.notes)


def test_many_files_are_not_listed_in_full(tmp_path: Path) -> None:
    Contest(PLAIN).hold(tmp_path)
    for number in range(100):
        (tmp_path / f"a{number:03}").touch()
    (note,) = (note for note in verify(tmp_path).notes if note.startswith("not checked: "))
    assert note.count("a0") == 20
    assert note.endswith(" more")


def test_nobody_else_reads_the_secret_of_a_contest_that_runs(tmp_path: Path) -> None:
    def stopped(game: Game) -> Outcome:
        for path in tmp_path.rglob("*"):
            if path.is_file() and b"%d" % SECRET in path.read_bytes():
                assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
        assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
        raise Stopped

    with pytest.raises(Stopped):
        Contest(PLAIN).hold(tmp_path, play=stopped)
    Contest(PLAIN).hold(tmp_path)
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o644


def test_bots_of_one_author_are_told(tmp_path: Path) -> None:
    """However the name is spelt."""
    bots = {"ann": 'author = "Ann Lee"', "bob": 'author = "ANN  lee"', "cleo": 'author = "Cleo"'}
    Contest(bots).hold(tmp_path)
    told = "ann@1, bob@1 are by one author, Ann Lee: at one table they may cooperate"
    assert told in verify(tmp_path).notes


@pytest.mark.parametrize(
    "line, sentence",
    [
        ('author = "a\\u202Eb"', "an author's name has 1 to 80 characters, all of them visible"),
        ('author = "a\\u200Bb"', "all of them visible"),
        ('author = "a\\u001Bb"', "all of them visible"),
        ('author = " "', "1 to 80 characters"),
        (f'author = "{"a" * 81}"', "1 to 80 characters"),
        ("author = 7", "1 to 80 characters"),
        ('nonce = "7"', "nonce is the SHA-256 of a nonce, 64 hexadecimal digits in lower case"),
        (f'nonce = "{"A" * 64}"', "in lower case"),
        ("nonce = 7", "64 hexadecimal digits"),
    ],
)
def test_lines_of_a_manifest(line: str, sentence: str) -> None:
    with pytest.raises(BadBot, match=sentence):
        parse_manifest(f'name = "a"\nversion = "1"\ncommand = ["./x"]\n{line}\n'.encode())


@pytest.mark.parametrize(
    "change",
    [
        {"bots": [1]},
        {"bots": [{"name": "a"}]},
        {"bots": {}},
        {"nonces": {"a": 1}},
        {"authors": []},
        {"beacon": 1},
        {"bots": [{"name": "a", "digest": "b"}] * 1001},
        {"secret": None},
    ],
    ids=lambda change: f"{change!s:.30}",
)
def test_a_promise_that_is_none(change: dict[str, object], tmp_path: Path) -> None:
    Contest(PLAIN).hold(tmp_path)
    data = {**json.loads((tmp_path / "promise.json").read_text()), **change}
    (tmp_path / "promise.json").write_text(json.dumps(data))
    with pytest.raises(ValueError, match=r"it has|a field that is a text is none"):
        parse(json.dumps(data))
    assert any("promise.json cannot be read" in each for each in verify(tmp_path).problems)
    with pytest.raises(CarcError, match=r"promise.json cannot be read"):
        Contest(PLAIN).begin(tmp_path)


# -- publications of carc 0.1 ---------------------------------------------------------------------


def test_a_contest_of_carc_0_1_is_verified_and_what_it_does_not_bind_is_said(
    tmp_path: Path,
) -> None:
    with zipfile.ZipFile(Path(__file__).with_name("contest_of_0_1.zip")) as files:
        files.extractall(tmp_path)
    line = json.loads((tmp_path / "commitment.json").read_text())["commitment"]
    report = verify(tmp_path, line)
    assert (report.problems, report.games, report.promise) == ((), 2, line)
    assert "its line binds the secret alone, not the bots and the settings" in report.origin
    assert "the organiser must be trusted" in report.origin
    secret = json.loads((tmp_path / "secret.json").read_text())["secret"]
    assert chain.commitment(secret) == line
    data = json.loads((tmp_path / "commitment.json").read_text())
    (tmp_path / "commitment.json").write_text(json.dumps({**data, "deals": 2}))
    assert verify(tmp_path, line).problems == (
        "commitment.json promises another contest or another secret",
    )


def test_values_on_the_command_line() -> None:
    assert _opened("ann@1=a,bob@1 = late,beacon=b=c") == {
        "ann@1": "a",
        "bob@1": "",
        "beacon": "b=c",
    }


@pytest.mark.parametrize(
    "data",
    [
        {"ann": {"folder": "ann", "spec": ["ann@1"], "reason": ""}},
        {"ann": 1},
        [],
        {"ann": {"folder": "ann", "spec": "ann@1", "reason": ""}},
    ],
    ids=str,
)
def test_an_admission_that_was_promised_and_is_none(data: object, tmp_path: Path) -> None:
    """An organiser promises what it likes: it is a problem that is reported, no more."""
    Contest(PLAIN).hold(tmp_path)
    promised = json.loads((tmp_path / "promise.json").read_text())
    (tmp_path / "admission.json").write_text(json.dumps(data))
    (tmp_path / "promise.json").write_text(json.dumps({**promised, "admission": digest(data)}))
    problems = verify(tmp_path).problems
    assert any("admission.json is damaged" in each for each in problems) or (
        "admission.json admits other bots than promise.json" in problems
    )


# -- the program ----------------------------------------------------------------------------------

BOT = "class Bot:\n    def choose(self, state): return state.legal_actions()[0]\n"


def call(folder: Path, *words: str) -> warm.Done:
    return warm.run(words, folder)


@requires("confined")
def test_a_contest_with_nonces_and_a_beacon(tmp_path: Path) -> None:
    """As docs/hold-a-contest.md tells it: promise, open, play, verify."""
    for name, nonce in NONCES.items():
        place = tmp_path / "subs" / name
        place.mkdir(parents=True)
        (place / "bot.py").write_text(BOT)
        (place / "bot.toml").write_text(
            f'name = "{name}"\nversion = "1"\nlanguage = "python"\nentry = "bot:Bot"\n'
            f'author = "Ann"\n{line_of(nonce)}\n'
        )
    words = ["--format", "duel", "--deals", "1", "--games", "1", "--beacon", "drand 1"]
    first = call(tmp_path, "contest", "subs", "--out", "c", *words)
    assert first.returncode == 0, first.stderr
    assert "ann@1, bob@1 are by one author, Ann: at one table they may cooperate" in first.stdout
    (line,) = (
        line.rpartition(" ")[2] for line in first.stdout.splitlines() if "the promise," in line
    )
    assert "to be opened before the first game: beacon, value of drand 1" in first.stdout
    assert "carc contest --out c --open ann@1=...,bob@1=...,beacon=..." in first.stdout
    waiting = call(tmp_path, "verify", "c", "--promise", line)
    assert waiting.returncode == 0
    assert "Not over; all agrees so far: 0 games replayed." in waiting.stdout
    opened = ",".join(f"{name}={nonce}" for name, nonce in OPENED.items()) + f",beacon={VALUE}"
    for wrong in ("ann@1", "ann@1=a,ann@1=b", opened.replace("b2", "b3")):
        refused = call(tmp_path, "contest", "--out", "c", "--open", wrong)
        assert refused.returncode == 2
        assert refused.stderr.startswith(("carc: --open takes NAME", "carc: 'b3b3"))
    done = call(tmp_path, "contest", "--out", "c", "--open", opened)
    assert done.returncode == 0, done.stderr
    again = call(tmp_path, "contest", "--out", "c", "--open", opened)
    assert again.returncode == 0, again.stderr
    verified = call(tmp_path, "verify", "c", "--promise", line)
    assert verified.returncode == 0, verified.stdout
    assert verified.stdout.startswith("the deals come from the organiser's secret and the nonces")
    assert "All agrees: 2 games replayed." in verified.stdout
