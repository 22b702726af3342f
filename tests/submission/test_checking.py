"""A bot that is checked cannot tell that it is; what stands in its way is said before it plays."""

import json
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.playing import SPEAKING, Carc, requires

from carc import Bot, Match, Rules, play
from carc.match import Void
from carc.tournaments.isolation import rooms
from carc.tournaments.submission.content import read
from carc.tournaments.submission.registry import Registry

isolated = requires("confined")

# Plays, and writes all that it sees into a file; at `process`, where it may.
CURIOUS = """
import glob
from speaking import *
def describe(name):
    return [os.stat(name).st_mode, time.time() - os.stat(name).st_mtime < 60]
seen = {
    "argv": sys.argv, "cwd": os.getcwd(), "environ": dict(os.environ), "umask": os.umask(0),
    "files": {name: describe(name) for name in sorted(glob.glob("**", recursive=True))},
    "limits": open("/proc/self/limits").read(),
}
def over(message):
    seen["messages"] = messages
    with open("FILE", "a") as file:
        file.write(json.dumps(seen) + "\\n")
play(over=over)
"""


@pytest.fixture
def curious(tmp_path: Path) -> Callable[[], list[dict[str, Any]]]:
    """Makes `mine` with a bot that notes what it sees; gives what was noted since the last call."""
    notes = tmp_path / "notes"
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "bot.toml").write_text(
        'name = "mine"\nversion = "1"\ncommand = ["python3", "bot.py"]\n'
    )
    (folder / "speaking.py").write_text(SPEAKING)
    (folder / "bot.py").write_text(CURIOUS.replace("FILE", str(notes)))

    def noted() -> list[dict[str, Any]]:
        found = [json.loads(line) for line in notes.read_text().splitlines()]
        notes.unlink()
        return found

    return noted


def told(seen: dict[str, Any], kind: str) -> dict[str, Any]:
    (message,) = [each for each in seen["messages"] if each["type"] == kind]
    return message


def draws(seen: dict[str, Any]) -> tuple[str, ...]:
    """In the order of the deal."""
    return tuple(
        action
        for message in seen["messages"]
        for action in message.get("actions", ())
        if action.startswith("draw:")
    )


def test_every_check_has_deals_seeds_and_seats_of_its_own(
    carc: Carc, curious: Callable[[], list[dict[str, Any]]]
) -> None:
    checks = []
    for _ in range(2):
        assert carc("check mine --games 2 --isolation process").code == 0
        checks.append(curious())
    games = [game for check in checks for game in check]
    assert len(games) == 2 * 3, "two of base, one at a full table"
    seeds = [told(game, "game")["seed"] for game in games]
    assert len(set(seeds)) == 6
    assert min(seeds) > 1 << 24, "not to be found by counting"
    assert len({draws(game)[:20] for game in games}) == 6
    for check in checks:
        assert sorted(told(game, "game")["seat"] for game in check[:2]) == [0, 1]


def test_a_check_can_be_repeated(carc: Carc, curious: Callable[[], list[dict[str, Any]]]) -> None:
    first = carc("check mine --games 2 --isolation process")
    (seed,) = re.findall(r"^isolation process, clock \S+, seed (\d+)$", first.out, re.MULTILINE)
    before = sorted(draws(game) for game in curious())  # games end in any order
    again = carc(f"check mine --games 2 --isolation process --seed {seed}")
    assert sorted(draws(game) for game in curious()) == before
    results = [line for line in first.out.splitlines() if "points a game" in line]
    assert results == [line for line in again.out.splitlines() if "points a game" in line] != []


def test_opponents_are_drawn_from_those_a_tournament_has(carc: Carc) -> None:
    carc("new-bot mine")
    told = carc("check mine --games 5 --isolation process --seed 3").out
    assert "FAIL" not in told and "void" not in told, told
    assert re.search(r"won \d of \d against greedy, \d+ of \d+ against random; \d+", told)


def test_a_game_of_a_check_looks_like_a_rated_one(
    carc: Carc, curious: Callable[[], list[dict[str, Any]]]
) -> None:
    """All that the bot can see but moves and names of new folders: the same, whichever it is."""
    assert carc("check mine --games 2 --isolation process").code == 0
    checked = curious()[:2]
    Registry().add(read(Path("mine")), "ann")
    Path("mine/bot.py").unlink()
    played = carc("tournament --bots mine,random --deals 1 --isolation process --out t")
    assert played.code == 0, played.err
    rated = curious()
    assert len(rated) == 2

    def looks(seen: dict[str, Any]) -> str:
        seen["messages"] = [
            {
                key: value
                if key in ("type", "protocol", "rules", "rules_version", "players", "clock")
                else 0
                for key, value in each.items()
            }
            for each in (*seen["messages"][:3], seen["messages"][-1])
        ]
        return re.sub(rooms.PREFIX + r"\w{8}", "ROOM", json.dumps(seen, sort_keys=True))

    assert len({looks(each) for each in (*checked, *rated)}) == 1


@isolated
def test_conflicts_are_said_before_the_bot_is_checked(
    carc: Carc, monkeypatch: pytest.MonkeyPatch
) -> None:
    carc("new-bot mine")
    Registry().add(read(Path("mine")), "ann")
    (Path("mine") / "bot.py").write_text("# changed\n")

    def checked(*args: object, **named: object) -> None:
        raise AssertionError("it was checked")

    monkeypatch.setattr("carc.commands.bots.check", checked)
    manifest = Path("mine/bot.toml")
    text = manifest.read_text()
    for change, author, sentence in (
        ("0.1", "ann", "mine@0.1 was submitted with other content; give a new version"),
        ("0.2", "bob", "the name 'mine' is taken by ann"),
        ("0.2", "", "an author's name has 1 to 80 characters, all of them visible, not ''"),
        ("0.2", "a" * 81, "an author's name has 1 to 80 characters"),
        ("0.2", "\udcff", "an author's name has 1 to 80 characters"),
    ):
        manifest.write_text(text.replace("0.1", change))
        result = carc("submit mine --author", author)
        assert (result.code, result.out) == (2, "")
        assert sentence in result.err
    assert [each.spec for each in Registry().submissions()] == ["mine@0.1"]


@isolated
def test_what_a_bot_changes_in_its_copy_is_not_stored(carc: Carc) -> None:
    carc("new-bot mine")
    bot = Path("mine/bot.py")
    bot.write_text("open(__file__, 'a').write('# grown')\n" + bot.read_text())
    result = carc("submit mine --author ann --games 1 --isolation process")
    assert result.code == 0, result.out
    stored = Registry().content(Registry().find("mine").digest)
    assert (stored / "bot.py").read_text() == bot.read_text()
    assert "# grown" not in bot.read_text().splitlines()[-1]


def test_a_void_game_is_played_again_on_other_tiles_and_blamed_on_nobody(
    carc: Carc, monkeypatch: pytest.MonkeyPatch
) -> None:
    carc("new-bot mine")
    deals: list[int] = []

    def spoilt(times: int) -> Callable[..., Match]:
        def play_or_not(rules: Rules, bots: list[Bot], seed: int, **named: Any) -> Match:
            deals.append(seed)
            if len(deals) <= times:
                raise Void("the machine was too busy")
            return play(rules, bots, seed=seed, **named)

        return play_or_not

    with monkeypatch.context() as patch:
        patch.setattr("carc.tournaments.submission.checking.play", spoilt(2))
        assert carc("check mine --games 1 --isolation process").code == 0
    assert len(set(deals)) == len(deals) == 4
    deals.clear()
    with monkeypatch.context() as patch:
        patch.setattr("carc.tournaments.submission.checking.play", spoilt(3))
        result = carc("submit mine --games 1 --isolation process")
    assert result.code == 2
    assert "void  the machine was too busy; try again when the machine is less busy" in result.out
    assert "FAIL" not in result.out
    assert Registry().submissions() == []


def test_nothing_is_left_of_a_check(
    carc: Carc, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    carc("new-bot mine")
    room = tmp_path / "temporary"
    room.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(room))
    assert carc("check mine --games 1 --isolation process").code == 0
    Path("mine/bot.py").write_text("import nosuch")
    assert carc("check mine --games 1 --isolation process").code == 2
    assert list(room.iterdir()) == []


@pytest.mark.parametrize("games", ["0", "-1", "x"])
def test_a_check_has_games(carc: Carc, games: str) -> None:
    carc("new-bot mine")
    result = carc(f"check mine --games {games}")
    assert (result.code, len(result.err.splitlines())) == (2, 1)
