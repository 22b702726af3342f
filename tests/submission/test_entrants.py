"""Who may be named where bots are asked for, and what is said of everybody else."""

from pathlib import Path

import pytest
from support.playing import Carc, requires

from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.outcomes.outcome import Outcome
from carc.tournaments.schedule.entrants import enter
from carc.tournaments.submission.content import read
from carc.tournaments.submission.registry import Registry

isolated = requires("confined")

BOT = 'name = "mine"\nversion = "1"\nlanguage = "python"\nentry = "bot:Bot"\n'
FIRST = "class Bot:\n  def choose(self, state):\n    return state.legal_actions()[0]\n"


def make(folder: str, code: str = FIRST) -> Path:
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    (place / "bot.toml").write_text(BOT)
    (place / "bot.py").write_text(code)
    return place


def outcomes(folder: str) -> list[Outcome]:
    with Ledger.reading(Path(folder)) as ledger:
        return list(ledger.outcomes())


@isolated
def test_a_bots_folder_plays_wherever_bots_are_named(carc: Carc) -> None:
    make("some/mine")
    played = carc("play --bots ./some/mine,random")
    assert played.code == 0, played.err
    assert "scores: red ./some/mine " in played.out
    assert "was at fault" not in played.out

    played = carc("tournament --bots some/mine/,random --deals 1 --out t")
    assert played.code == 0, played.err
    assert "some/mine " in played.out
    for game in outcomes("t"):
        seat = game.seats.index("some/mine")
        assert game.digests[seat] == read(Path("some/mine")).digest
        assert game.verdicts == ("ok", "ok")
        assert game.isolation[seat] in ("confined", "namespaces")

    wide = make("wide")
    (wide / "bot.toml").write_text(BOT + 'rules = ["base", "mists:1"]\n')
    played = carc("levels --bots ./wide --levels 1,2 --players 1 --games 1 --jobs 1")
    assert "./wide plays base, mists:1 by its bot.toml, not mists:2" in played.err
    played = carc("levels --bots ./wide --levels 1 --players 1 --games 1 --jobs 1")
    assert played.code == 0, played.err
    assert "teams of `./wide`" in played.out
    assert Registry().submissions() == [], "it was played, not submitted"


@isolated
def test_a_folder_is_played_as_it_was_when_it_was_entered(carc: Carc) -> None:
    folder = make("mine")
    entered = enter("./mine")
    make("mine", FIRST + "# better\n")
    assert (Registry().content(entered.digest) / "bot.py").read_text() == FIRST
    assert enter("./mine").digest != entered.digest
    (folder / "runs").mkdir()
    make("mine")
    assert enter("./mine") == entered


@isolated
def test_the_folder_one_is_in_can_be_named(carc: Carc, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(make("mine"))
    played = carc("play --bots .,random")
    assert (played.code, "red . " in played.out) == (0, True)


@pytest.mark.parametrize(
    "line, sentence",
    [
        # The bot first, then how many can play.
        ("play --bots nosuch", "unknown bot 'nosuch'; shipped are random, greedy"),
        ("play --bots nosuch,random,random,random,random,random,random", "unknown bot 'nosuch'"),
        ("play --bots random,nosuch --rules chess", "unknown bot 'nosuch'"),
        ("levels --bots nosuch", "unknown bot 'nosuch'"),
        ("levels --levels 9", "levels are numbers such as 2,3 or 2-4, from 1 to 6, not '9'"),
        ("levels --levels 0-2", "from 1 to 6, not '0-2'"),
        ("levels --levels 3-1", "from 1 to 6, not '3-1'"),
        ("levels --players 1-6", "sizes of team are numbers such as 2,3 or 2-4, from 1 to 5"),
        ("levels --bots ,", "no bots are named"),
        ("tournament --bots nosuch,random", "submitted are mine@2, your own is module:Class"),
        ("tournament --bots mine@1,random", "mine@1 was withdrawn 20"),
        ("tournament --bots gone,random", "gone was withdrawn 20"),
        ("tournament --bots mine@9,random", "mine has no version '9'; it has 1, 2"),
        ("tournament --bots mine@,random", "mine has no version ''"),
        ("tournament --bots random,greedy --tables 2-x", "not '2-x'"),
        ("tournament --bots random,greedy --tables 1-999999999", "from 1 to 99"),
        ("play --bots ./nosuch,random", "nosuch: No such file or directory; a bot is a folder"),
        ("play --bots ./,random", ".: a bot is a folder with a bot.toml"),
        ("play --bots /dev/null,random", "/dev/null: Not a directory; a bot is a folder"),
        ("play --bots ./odd,random", "odd/bot.toml: version is up to 20"),
        ("play --bots broken:Bot,random", "importing 'broken': SyntaxError"),
        ("play --bots nowhere:Bot,random", "cannot import 'nowhere'"),
        ("tournament --bots mine,random --isolation none", "mine@2 plays in a process of its own"),
        ("tournament --bots ./mine,random --isolation none", "./mine plays in a process of its"),
        ("tournament --bots bot:Bot,random --isolation process", "bot:Bot has no folder to be"),
        ("tournament --bots wild,random", "bot.toml of wild@1: the command's program '/' names"),
        ("play --bots ./wild,random", "bot.toml of wild@1: the command's program '/' names"),
        ("withdraw nosuch", "unknown bot 'nosuch'"),
    ],
)
def test_who_cannot_play_is_told_why_in_one_sentence(carc: Carc, line: str, sentence: str) -> None:
    for name, version in (("mine", 1), ("mine", 2), ("gone", 1)):
        folder = make(name)
        (folder / "bot.toml").write_text(BOT.replace("mine", name).replace('"1"', f'"{version}"'))
        Registry().add(read(folder), "ann")
    Registry().withdraw("mine@1")
    Registry().withdraw("gone")
    # As one may have been stored before commands were looked at.
    (make("wild") / "bot.toml").write_text('name = "wild"\nversion = "1"\ncommand = ["/"]\n')
    if "wild" in line:
        Registry().add(read(Path("wild")), "ann")
    (make("odd") / "bot.toml").write_text('name = "odd"\nversion = 1\n')
    Path("broken.py").write_text("class Bot\n")
    Path("bot.py").write_text(FIRST)
    result = carc(line)
    assert (result.code, result.out) == (2, "")
    (told,) = result.err.splitlines()
    assert sentence in told
    assert told.startswith("carc: ")


def test_withdrawn_twice_is_no_mistake(carc: Carc) -> None:
    Registry().add(read(make("mine")), "ann")
    assert carc("withdraw mine").out == "Withdrawn: mine@1\n"
    assert carc("withdraw mine").out == "mine has already been withdrawn.\n"
    assert carc("withdraw mine@1").out == "mine@1 has already been withdrawn.\n"


def test_one_bot_plays_all_seats(carc: Carc) -> None:
    assert ", green random " in carc("play --bots random").out
    assert ", blue random " in carc("play --bots random --players 3").out


@isolated
@pytest.mark.parametrize(
    "returned, verdict",
    [
        ("str(state.legal_actions()[0])", "ok"),
        ("'place:99,0,0'", "illegal"),
        ("'up and away'", "malformed"),
        ("None", "malformed"),
        ("state.legal_actions()", "malformed"),
    ],
)
def test_what_a_bot_returns_means_the_same_in_and_out_of_the_process(
    carc: Carc, returned: str, verdict: str
) -> None:
    code = f"class Bot:\n  def choose(self, state):\n    return {returned}\n"
    make("mine", code)
    Path("inside.py").write_text(code)
    result = carc("tournament --bots ./mine,inside:Bot --deals 1 --seed 1 --out t")
    assert result.code == 0, result.err
    for game in outcomes("t"):
        assert game.verdicts == (verdict, verdict)
