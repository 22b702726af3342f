"""What a contest promises is what is played: nobody alone chooses deals, bots or games."""

import shutil
from pathlib import Path

import attrs
import pytest
from support import warm
from support.contests import (
    NONCES,
    OPENED,
    PLAIN,
    SECRET,
    VALUE,
    Contest,
    Stopped,
    line_of,
    play_quickly,
    records,
)
from support.playing import requires

from carc.tournaments.contest import admission, holding
from carc.tournaments.contest.publication import REGISTRY, publish
from carc.tournaments.contest.published import Published
from carc.tournaments.contest.verification import verify
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.ledger import chain
from carc.tournaments.ledger.file import FILE
from carc.tournaments.ledger.ledger import BadLedger, Ledger
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.outcomes.stages import Cause, HostFailure
from carc.tournaments.running import runner
from carc.tournaments.running.playing import void
from carc.tournaments.schedule.configuration import BadTournament
from carc.tournaments.schedule.games import Game
from carc.tournaments.submission.content import Content, File
from carc.tournaments.submission.manifest import parse_manifest
from carc.tournaments.submission.registry import Registry, RegistryFailure

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


def test_no_program_is_looked_for_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever made the folder chose the digests."""
    line = Contest(PLAIN).hold(tmp_path / "c")
    (kept,) = (
        path
        for path in (tmp_path / "c" / REGISTRY).iterdir()
        if "bob" in (path / "bot.toml").read_text()
    )
    shutil.copytree(kept, tmp_path / "elsewhere")
    monkeypatch.setattr(Published, "_digests", {"bob@1": str(tmp_path / "elsewhere")})
    assert "the program of bob@1 is missing" in verify(tmp_path / "c", line).problems


def test_a_contest_is_not_over_while_a_game_is_void(tmp_path: Path) -> None:
    """Or an organiser takes back every game that a favourite lost, and publishes the secret."""

    def lost_is_void(game: Game) -> Outcome:
        outcome = play_quickly(game)
        if "ann@1" in {outcome.seats[seat] for seat in outcome.winners}:
            return outcome
        return void(game, HostFailure(Cause.SHORTAGE, "no memory"))

    line = Contest(PLAIN).hold(tmp_path, play=lost_is_void)
    with Ledger.reading(tmp_path) as ledger:
        secret, head = ledger.configuration.seed, list(ledger.entries())[-1].link
    publish(tmp_path, "secret.json", {"secret": secret, "head": head})
    problems = verify(tmp_path, line).problems
    assert problems
    assert all("is void: shortage: no memory; a contest is over when no" in p for p in problems)


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
