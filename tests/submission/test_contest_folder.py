"""What lies in the folder of a contest: compared, or listed as not checked."""

import json
import stat
import zipfile
from pathlib import Path

import pytest
from support import contests
from support.contests import PLAIN, SECRET, Contest, Stopped

import carc
from carc.errors import BadBot, CarcError
from carc.tournaments.contest.promise import digest, parse
from carc.tournaments.contest.verification import verify
from carc.tournaments.ledger import chain
from carc.tournaments.ledger.file import FILE
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.schedule.entrants import Entrant
from carc.tournaments.schedule.games import Game
from carc.tournaments.submission.manifest import parse_manifest


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


@pytest.mark.parametrize("name", ["promise.json", "admission.json", "board.json", "secret.json"])
def test_nothing_is_said_twice(name: str, tmp_path: Path) -> None:
    """People read the first of two values, programs the last."""
    line = Contest(PLAIN).hold(tmp_path)
    text = (tmp_path / name).read_text()
    first = next(iter(json.loads(text)))
    (tmp_path / name).write_text(text.replace("{", f'{{"{first}": "Cleo wins", ', 1))
    assert json.loads((tmp_path / name).read_text()) == json.loads(text)
    assert f"{name} cannot be read: it says {first!r} twice" in verify(tmp_path, line).problems


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
