"""What version 0.1 wrote is read, replayed and played on with (see README.md here)."""

import json
import lzma
import random
import shutil
import tarfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from support.modes import thinned
from support.notation import do
from support.program import python
from support.values import seen

from carc import CHANCE, Rules, State, play, read_record, replay
from carc.base.turn.scoring import Journal
from carc.bots import by_name
from carc.commands.main import carc as program
from carc.commands.settings import read_settings
from carc.commands.tournament import tournament as command
from carc.match import InteractiveMatch, read_saved_game
from carc.tournaments.isolation import host, sandbox
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.isolation.program import Program
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.players.protocol import Table
from carc.tournaments.submission.registry import Registry

HERE = Path(__file__).parent
SPEAKER = HERE / "speaker.py"


def lines(name: str) -> list[dict[str, Any]]:
    """The objects in a file, one a line."""
    with lzma.open(HERE / f"{name}.jsonl.xz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def spec_of(entry: dict[str, Any]) -> str:
    return f"{entry['spec']}-{entry['players']}"


GAMES = lines("games")
games = pytest.mark.parametrize("game", GAMES, ids=spec_of)


def carc(*arguments: object) -> str:
    """Call the program; what it prints."""
    result = CliRunner().invoke(program, [*map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def assert_holds(new: Any, old: Any, where: str = "") -> None:
    """All that the old data says the new data says too; it may say more."""
    if isinstance(old, dict):
        for key, value in old.items():
            assert key in new, f"{where}: no {key!r}"
            assert_holds(new[key], value, f"{where}.{key}")
    elif isinstance(old, list):
        assert len(new) == len(old), where
        for number, value in enumerate(old):
            assert_holds(new[number], value, f"{where}[{number}]")
    else:
        assert new == old, where


@games
def test_records_are_read_and_replayed(game: dict[str, Any]) -> None:
    match = read_record(game["record"])
    assert [move.action for move in match.moves] == game["actions"]
    assert match.to_text() == game["record"]
    result = match.result
    assert [*result.scores] == game["scores"]
    assert [*result.ranks] == game["ranks"]
    assert [*result.winners] == game["winners"]
    assert replay(match, Rules.cached(match.rules, match.players)).scores == game["scores"]


@pytest.mark.parametrize("game", [GAMES[0], GAMES[6]], ids=spec_of)
def test_the_program_verifies_records(game: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "old.jsonl"
    file.write_text(game["record"], encoding="utf-8")
    carc("replay", file, "--verify")


@games
def test_every_point_is_scored_as_it_was(game: dict[str, Any]) -> None:
    state = Rules.from_spec(game["spec"], game["players"]).start()
    journal = state.journal = Journal()
    do(state, " ".join(game["actions"]))
    assert [[s.owner, s.points, s.text] for s in journal.scorings] == game["scored"]


@pytest.mark.parametrize("game", thinned(GAMES, 3), ids=spec_of)
def test_positions_are_read_and_played_on_with(game: dict[str, Any]) -> None:
    rules = Rules.from_spec(game["spec"], game["players"])
    for position in game["positions"]:
        done, rest = game["actions"][: position["after"]], game["actions"][position["after"] :]
        reached = do(rules.start(), " ".join(done))
        assert_holds({**reached.to_dict(), "engine": position["dict"]["engine"]}, position["dict"])
        for state in (
            reached,
            State.from_text(position["text"]),
            State.from_dict(position["dict"]),
        ):
            assert state.current_player == position["player"]
            assert [str(action) for action in state.legal_actions()] == position["legal"]
            if state.current_player == CHANCE:
                chances = {str(action): share for action, share in state.chance_outcomes()}
                assert chances == pytest.approx(dict(position["chances"]))
            assert seen(state) == seen(reached)
            assert do(state.copy(), " ".join(rest)).scores == game["scores"]
        assert reached.to_text() == position["text"]


@pytest.mark.parametrize("game", lines("saved"), ids=spec_of)
def test_saved_games_go_on(game: dict[str, Any]) -> None:
    match, over = read_saved_game(game["text"], "saved")
    assert over == game["over"]
    assert [move.action for move in match.moves] == game["actions"]
    assert [move.player for move in match.moves] == game["by"]
    start = State.from_text(match.position) if match.position else None
    rules = Rules.from_spec(game["spec"], game["players"]) if start is None else start.rules
    people = [None] * game["players"]
    by_hand = game["spec"] == "mists:3"  # else the seed must deal the same tiles
    table = InteractiveMatch(rules, people, match.seats, match.seed, by_hand, start=start)
    table.restart(game["actions"])
    assert table.state.scores == game["scores"]
    assert table.state.current_player == game["player"]
    assert [str(action) for action in table.state.legal_actions()] == game["legal"]
    assert table.state.to_text() == game["position"]
    assert table.record() == game["text"]


class Scripted:
    """Plays the actions of a game when it is asked, as they come."""

    def __init__(self, actions: Iterator[str]) -> None:
        self._actions = actions

    def choose(self, state: State) -> Any:
        return state.check(state.rules.parse(next(self._actions)))


@pytest.mark.skipif(bool(host.missing("process")), reason=host.missing("process"))
@pytest.mark.parametrize("game", thinned(lines("protocol"), 2), ids=spec_of)
def test_a_bot_meets_the_messages_that_it_met(game: dict[str, Any], tmp_path: Path) -> None:
    """The program answers as it did then, and fails at a message that lacks what it had then."""
    script = tmp_path / "script.json"
    script.write_text(json.dumps(game["lines"]))
    rules = Rules.from_spec(game["spec"], game["players"])
    actions = [action for message, _ in game["lines"] for action in message.get("actions", ())]
    # Whose each action is: the others play theirs again, whatever `random` would choose today.
    state = rules.start()
    theirs: list[list[str]] = [[] for _ in range(game["players"])]
    for action in actions:
        if state.current_player >= 0:
            theirs[state.current_player].append(action)
        do(state, action)
    with Table(Clock()) as table:
        speaker = sandbox.python(str(SPEAKER), str(script))
        bot = table.start(Program(speaker, None, "process"), seat=0, seed=5)
        others = [Scripted(iter(some)) for some in theirs[1:]]
        match = play(rules, [bot, *others], seed=game["seed"], watch=table.watch)
        table.over(match)
        assert match.result.faults == (), match.result.faults
        assert "complete" in bot.stderr
    assert [*match.result.scores] == game["lines"][-1][0]["scores"]


@pytest.fixture(params=["first", "second"])
def tournament(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, dict[str, Any]]:
    """The folder of a tournament, and what was said of it."""
    with lzma.open(HERE / f"{request.param}.sqlite.xz") as packed:
        (tmp_path / "ledger.sqlite").write_bytes(packed.read())
    with lzma.open(HERE / "tournaments.json.xz") as said:
        return tmp_path, json.load(said)[request.param]


def test_ledgers_are_read(tournament: tuple[Path, dict[str, Any]]) -> None:
    folder, said = tournament
    with Ledger.reading(folder) as ledger:
        held = {outcome.id: outcome for outcome in ledger.outcomes()}
        assert sorted(held) == sorted(game["id"] for game in said["games"])
        for game in said["games"]:
            outcome = ledger.outcome(game["id"])
            for field in ("seats", "scores", "ranks", "verdicts"):
                assert [*getattr(outcome, field)] == game[field]
            assert outcome.deal_seed == game["deal_seed"]
            match = read_record(outcome.record)
            assert replay(match, Rules.cached(match.rules, match.players)).scores == game["scores"]


def test_boards_of_ledgers_say_what_they_said(tournament: tuple[Path, dict[str, Any]]) -> None:
    folder, said = tournament
    board = json.loads(carc("leaderboard", folder, "--json"))
    old = said["leaderboard"]
    assert [line["bot"] for line in board["standings"]] == [
        line["bot"] for line in old["standings"]
    ]
    for new, line in zip(board["standings"], old["standings"], strict=True):
        for key in ("games", "wins", "verdicts", "fault", "ranks", "kinds", "seats"):
            assert new[key] == line[key], key
        assert new["score"]["value"] == pytest.approx(line["score"]["value"])
        assert new["strength"]["value"] == pytest.approx(line["strength"]["value"], abs=1e-4)
        assert new["mu"] == pytest.approx(line["mu"])
    assert carc("games", folder).count("\n") >= len(said["games"])


@pytest.fixture
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    with tarfile.open(HERE / "registry.tar.xz") as packed:
        # Python 3.11.4 has filters, and later ones ask for one.
        careful: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        packed.extractall(tmp_path, **careful)
    monkeypatch.setenv("CARC_REGISTRY", str(tmp_path / "registry"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "registry"


def test_submitted_bots_are_listed(registry: Path) -> None:
    listed = carc("bots")
    for spec, author in (("mine@0.1", "ann"), ("plain@1.0", "bob"), ("yours@0.1", "bob")):
        (line,) = (line for line in listed.splitlines() if spec in line)
        assert author in line
        place = Registry().verified(Registry().find(spec).digest)
        assert (place / "bot.toml").is_file()


@pytest.mark.skipif(bool(host.missing("process")), reason=host.missing("process"))
@pytest.mark.parametrize("bot", thinned(["mine@0.1", "plain@1.0", "yours@0.1"], 3))
def test_submitted_bots_play(registry: Path, bot: str, tmp_path: Path) -> None:
    """`mine` calls methods of `State` that have other names now."""
    if bot == "yours@0.1" and shutil.which("node") is None:
        pytest.skip("no node")
    out = tmp_path / "out"
    carc("tournament", "--bots", f"{bot},random", "--deals", 1, "--seed", random.randrange(99),
         "--isolation", "process", "--jobs", 1, "--out", out)  # fmt: skip
    with Ledger.reading(out) as ledger:
        outcomes = [ledger.outcome(game) for game in ledger.ids()]
    assert [outcome.verdicts for outcome in outcomes] == [("ok", "ok")] * 2, [
        outcome.stderr for outcome in outcomes
    ]
    if bot == "mine@0.1":
        for outcome in outcomes:
            (log,) = filter(None, outcome.stderr)
            assert log.splitlines() == [
                "carc: State.neighbours is an old name; the new one is board.count_neighbours"
            ]


def test_old_names_of_a_state_say_what_the_new_ones_do() -> None:
    """In a process of its own, for the names stay."""
    program = """
import random
from carc import Rules
from carc.bots.version_0_1 import ATTRIBUTES, FUNCTIONS, OF_THE_BOARD, add_old_names

add_old_names()
state = Rules.from_spec("base").start()
for name in [*ATTRIBUTES, *FUNCTIONS, *OF_THE_BOARD, "kind_of", "open_edges", "free_cells"]:
    getattr(state, name)
state.apply(state.random_action(random.Random(1)))
assert state.hand == state.tile_in_hand and state.left == state.tiles_left
assert state.neighbours(state.board.cell_of(0)) == 0 and state.kind_of(0) == state.board.kind_of(0)
before = state.copy()
kinds = sorted(feature["kind"] for feature in state.features())
assert kinds == ["city", "field", "field", "road"]
assert list(state.results()) == [0, 0]
state.apply(state.random_action(random.Random(1)))
assert state.since(before)
"""
    done = python(program)
    assert done.returncode == 0, done.stderr
    said = done.stderr.splitlines()
    assert len(said) == len(set(said)), "each old name is told once"


def test_the_clock_of_a_bot_is_where_it_was() -> None:
    """Bots that were submitted to carc 0.1 may import it from there."""
    from carc.bots import sdk
    from carc.bots.session import Clock

    assert sdk.Clock is Clock
    with pytest.raises(AttributeError, match="no attribute 'clock'"):
        sdk.clock  # noqa: B018


@pytest.mark.parametrize("path", sorted((HERE / "settings").glob("*.toml")), ids=lambda p: p.stem)
def test_settings_of_tournaments_are_read(path: Path) -> None:
    """Every key is still an option, and every bot and spec that is named is still there."""
    written = tomllib.loads(path.read_text(encoding="utf-8"))
    assert read_settings(path, click.Context(command)).keys() == written.keys()
    for bot in written["bots"]:
        assert by_name(bot, 1)
    if "rules" in written:
        assert Rules.from_spec(written["rules"], 2).spec == written["rules"]
