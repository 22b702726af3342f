"""Attacks from other directions: strangers' folders, odd answers, odd requests."""

import shutil
import sqlite3
from pathlib import Path

import pytest
from support import warm
from support.playing import STRONG, Against, Carc, attempts, refused

from carc.errors import CarcError
from carc.tournaments.ledger.file import writable
from carc.tournaments.ledger.ledger import BadLedger, Ledger

level = pytest.mark.parametrize("level", STRONG)


# -- a stranger's folder of a tournament --------------------------------------------------------


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tournament."""
    folder = tmp_path_factory.mktemp("whole") / "t"
    words = ["tournament", "--bots", "greedy,random", "--deals", "1", "--out", "t"]
    assert warm.run(words, folder.parent).returncode == 0
    return folder


@pytest.fixture
def played(carc: Carc, whole: Path) -> Path:
    return shutil.copytree(whole, Path("t"))


@pytest.mark.parametrize("name", ["lock", "tournament.log", "ledger.sqlite", "report.html"])
def test_a_link_in_place_of_a_file_is_not_followed(carc: Carc, played: Path, name: str) -> None:
    """`lock` was opened to write: the file it pointed to was emptied."""
    treasure = Path("treasure").absolute()
    treasure.write_text("treasure")
    (played / name).unlink(missing_ok=True)
    (played / name).symlink_to(treasure)
    for line in ("tournament --out t", "report t", "leaderboard t"):
        result = carc(line)
        assert "Traceback" not in result.err
    assert treasure.read_text() == "treasure"


def test_a_link_to_another_ledger_is_not_followed(carc: Carc, played: Path) -> None:
    """Or a stranger's folder would have this tournament's games written to it."""
    (played / "ledger.sqlite").rename("elsewhere.sqlite")
    (played / "ledger.sqlite").symlink_to(Path("elsewhere.sqlite").absolute())
    for line in ("tournament --out t", "leaderboard t", "games t", "verify t"):
        result = carc(line)
        assert (result.code, "ledger.sqlite is a link" in result.err) == (2, True), line


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER t AFTER INSERT ON meta BEGIN DELETE FROM games; END",
        "CREATE VIEW v AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) "
        "SELECT x FROM n",
        "CREATE VIRTUAL TABLE f USING fts5(x)",
        "ALTER TABLE games ADD COLUMN c TEXT GENERATED ALWAYS AS (hex(zeroblob(deal + 30000000)))",
        "ALTER TABLE games ADD COLUMN c TEXT CHECK (length(hex(zeroblob(deal + 30000000))) > 0)",
        "CREATE INDEX i ON games (hex(zeroblob(deal)))",
        "CREATE INDEX i ON games (id) WHERE hex(zeroblob(deal + 30000000)) > ''",
    ],
)
def test_a_ledger_holds_no_code(carc: Carc, played: Path, statement: str) -> None:
    connection = sqlite3.connect(played / "ledger.sqlite")
    with connection:
        connection.execute(statement)
    connection.close()
    with (
        pytest.raises(BadLedger, match="cannot be used as a ledger: it has a"),
        Ledger.reading(played),
    ):
        pass
    with pytest.raises(BadLedger, match="it has a"), writable(played / "ledger.sqlite"):
        pass
    for line in ("tournament --out t", "leaderboard t", "games t", "verify t", "merge t --out m"):
        result = carc(line)
        assert result.code == 2, line
        assert "Traceback" not in result.err


@pytest.mark.parametrize("value", ["[" * 5000, '{"a": 1}', "null", "9" * 5000, '[["x"]]'])
@pytest.mark.parametrize("column", ["ranks", "seats", "kinds", "verdicts"])
def test_rows_that_are_sealed_but_make_no_sense(
    carc: Carc, played: Path, column: str, value: str
) -> None:
    from carc.tournaments.identifiers import digest_of
    from carc.tournaments.outcomes.outcome import PLAIN

    connection = sqlite3.connect(played / "ledger.sqlite")
    with connection:
        connection.execute(f"UPDATE games SET {column} = ?", [value])
        for id, *rest in connection.execute(f"SELECT {', '.join(PLAIN)} FROM games").fetchall():
            connection.execute(
                "UPDATE games SET digest = ? WHERE id = ?", [digest_of([id, *rest]), id]
            )
    connection.close()
    for line in ("leaderboard t", "games t", "verify t"):
        try:
            result = carc(line)
        except CarcError:
            continue
        assert result.code in (0, 2), (line, result.err[-300:])
        assert "Traceback" not in result.err


# -- odd answers --------------------------------------------------------------------------------

# What a line of these says, `line`, is an answer as it should be.
ANSWERS = {
    "the number as a float": "line['id'] = float(m['id']); say(line)",
    "the number as a text": "line['id'] = str(m['id']); say(line)",
    "true": "line['id'] = True; say(line)",
    "other digits": "reply(m, m['legal'][0].replace('0', '\\u0660').replace('1', '\\uff11'))",
    "a half character": "reply(m, '\\ud800')",
    "a null character": "reply(m, m['legal'][0] + '\\0')",
    "spaces": "reply(m, ' ' + m['legal'][0] + ' ')",
    "signs": "reply(m, m['legal'][0].replace('0', '-0').replace('1', '+1'))",
    "underscores": "reply(m, m['legal'][0].replace('0', '0_0'))",
    "exponents": "reply(m, m['legal'][0].replace('0', '0e0'))",
    "a list": "line['action'] = [m['legal'][0]]; say(line)",
    "twice the key": "os.write(1, b'{\"id\": 0, ' + text[1:] + b'\\n')",
    "not a number": "os.write(1, text.replace(str(m['id']).encode(), b'NaN') + b'\\n')",
    "infinity": "os.write(1, text.replace(str(m['id']).encode(), b'Infinity') + b'\\n')",
    "a byte order mark": "os.write(1, b'\\xef\\xbb\\xbf' + text + b'\\n')",
    "other line ends": "os.write(1, text + b'\\r\\n')",
    "chance's action": "reply(m, 'draw:D')",
    "the last request's number": "line['id'] = messages[-3].get('id', 0); say(line)",
    "a byte at a time": "[(os.write(1, bytes([c])), time.sleep(0.0005)) for c in text + b'\\n']",
    "two answers": "reply(m); reply(m)",
}


@level
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_odd_answers(against: Against, level: str, answer: str) -> None:
    text = f"""
def choose(m):
    line = {{"type": "action", "id": m["id"], "action": m["legal"][0]}}
    text = json.dumps(line).encode()
    if len(messages) != 7: return reply(m)
    {answer}
play(choose)"""
    played = against(level, text, clock="cap=9")
    assert played.verdict in ("ok", "malformed", "illegal")
    assert all(len(fault.detail) < 1000 for fault in played.match.result.faults)


# -- odd requests of the host -------------------------------------------------------------------

REQUESTS = {
    "lower priority, to be kept from a core": "os.nice(19)",
    "idle scheduling": "os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))",
    "first for the killer of processes": "open('/proc/self/oom_score_adj', 'w').write('1000')",
    "its own group of the scheduler": "open('/proc/self/autogroup', 'w').write('19')",
    "a larger pipe": "fcntl.fcntl(2, 1031, 1 << 20)",
    "signals when its pipe is read": "fcntl.fcntl(0, 9, os.getpid()) or fcntl.fcntl(0, 4, 0o20000)",
    "not to be looked at": "assert libc.prctl(4, 0, 0, 0, 0) == 0",
    "to be traced by anybody": "assert libc.prctl(0x59616D61, -1, 0, 0, 0) == 0",
    "to outlive its runner": "assert libc.prctl(1, 0, 0, 0, 0) == 0",
    "to adopt orphans": "assert libc.prctl(36, 1, 0, 0, 0) == 0",
    "memory that other bots map": "open('/usr/lib/os-release', 'r+b')",
    "its own code changed": "open(os.getcwd() + '/bot.py', 'a').write('#')",
    "a terminal": "os.open('/dev/tty', os.O_RDWR)",
    "the kernel's log": "open('/dev/kmsg', 'w').write('x')",
    "the runner's memory": "open(f'/proc/{os.getppid()}/mem', 'rb').read(1)",
    "the runner's streams": "os.open(f'/proc/{os.getppid()}/fd/1', os.O_WRONLY)",
    "a link to a common file": "os.link('/usr/bin/env', os.environ['HOME'] + '/x')",
    "a pipe by name": "os.mkfifo(os.environ['HOME'] + '/p')",
    "more than it may open": "resource.setrlimit(resource.RLIMIT_NOFILE, (1000, 1000))",
    "more processor time": "resource.setrlimit(resource.RLIMIT_CPU, (10**6, 10**6))",
}


@level
def test_odd_requests(against: Against, level: str) -> None:
    """Each is refused, and the game goes on."""
    lines = ["import fcntl, resource"]
    for number, (name, request) in enumerate(REQUESTS.items()):
        lines += [f"def act_{number}(): {request}", f"attempt({name!r}, act_{number})"]
    refused(against(level, attempts("\n".join(lines)), clock="cap=9"), len(REQUESTS))
