"""Who plays games in which players hold something: bots, programs, learners, people on pages."""

import json
import random
import re
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient
from support.hidden_hands import (
    SPEC,
    Watcher,
    dealt_otherwise,
    decisions,
    held,
    late,
    noted,
)
from support.served import Visitor, version_of, wait

from carc import Rules, play, read_record, replay
from carc.analysis import analyse, compare_lines
from carc.analysis.game import GameAnalyser
from carc.base.position.state_fields import UNKNOWN
from carc.bots import by_name
from carc.bots.session import Session, line_of
from carc.commands.main import carc
from carc.learn.gymnasium import CarcassonneEnv
from carc.learn.observation import observation
from carc.learn.token_arrays import tokens
from carc.learn.vector import VectorEnv
from carc.match import InteractiveMatch
from carc.puzzles.finding import _positions
from carc.tournaments.isolation import sandbox
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.isolation.program import Program
from carc.tournaments.players.protocol import Table
from carc.web.app import make_app
from carc.web.live_tables import PERSON, LiveTables


@pytest.mark.parametrize("bot", ["random", "greedy", "mcts:4", "uct:9", "expectimax:1", "strong:4"])
def test_bots_play_it(bot: str) -> None:
    start = late(4)
    match = play(start.rules, [by_name(bot, 1), by_name("random", 2)], seed=3, start=start)
    assert match.result.faults == ()


def test_records_have_everything_and_are_replayed() -> None:
    rules = Rules.cached(SPEC)
    match = play(rules, [by_name("random", 1), by_name("random", 2)], seed=3)
    verbs = Counter(move.action.partition(":")[0] for move in match.moves)
    assert verbs["hold"] >= 60 <= verbs["choose"]
    assert not any("?" in move.action for move in match.moves)
    again = read_record(match.to_text())
    assert again == match and replay(again, rules) == match.end


class Inside:
    """A bot's program without a process: what it is told, and what it answers."""

    begun = wall = cpu = 0.0
    meter = SimpleNamespace(cpu=0.0)
    stderr, memory = "", 0

    def __init__(self, spec: str) -> None:
        self.session, self.told = Session(spec), list[dict[str, Any]]()

    def itself(self) -> Any:
        return self

    def launched(self) -> None: ...

    def close(self, why: str = "") -> None: ...

    def tell(self, line: bytes) -> None:
        self.told.append(json.loads(line))

    def ask(self, line: bytes, seconds: float, allowed: str) -> bytes:
        answers = []
        for one in line.splitlines():
            self.tell(one)
            answers.append(self.session.reply(self.told[-1]))
        assert answers[-1] is not None
        return line_of(**answers[-1])


def test_a_program_plays_the_same_game_and_reads_nothing_of_what_others_hold() -> None:
    start, names = late(12), ["a", "b"]
    seats = [by_name("greedy", 1), by_name("random", 2)]
    inside = play(start.rules, seats, seed=3, names=names, start=start)
    program = Inside("greedy")
    with Table(Clock()) as table:
        bot = table.seat(program.itself, 0, 1)
        seats = [bot, by_name("random", 2)]
        outside = play(start.rules, seats, seed=3, names=names, start=start, watch=table.watch)
        table.over(outside)
    assert outside == inside
    asked = [message for message in program.told if message["type"] == "choose"]
    read = [text for message in asked for text in message["actions"]]
    recorded = [move.action for move in outside.moves][: len(read)]
    assert read == [
        f"{text.partition(',')[0]},?" if text.startswith(("hold:1", "choose:1")) else text
        for text in recorded
    ]
    for message in asked:
        (kept,) = message["state"]["engine"]["slices"]
        assert {*kept["tiles"][1]} <= {UNKNOWN}
        assert message["state"]["tiles_held"][1] == {}


def test_a_program_is_sent_the_same_lines_whatever_others_hold() -> None:
    rng = random.Random(7)
    for state in decisions(every=8):
        if state.current_player != 0:
            continue
        sent = []
        for one in (state, dealt_otherwise(state, 0, rng)):
            program = Inside("random")
            with Table(Clock()) as table:
                table.seat(program.itself, 0, 1).choose(one)
            sent.append([{**message, "id": 0, "bank": 0} for message in program.told])
        assert sent[0] == sent[1]


def test_a_process_of_its_own_plays_it(folder: str) -> None:
    start = late(4)
    path = [folder, str(Path(__file__).parents[1])]
    code = f"import sys; sys.path[:0] = {path}; from carc.bots.sdk import main; main('greedy')"
    with Table(Clock()) as table:
        bot = table.start(Program(sandbox.python("-c", code), None, "process"), seat=0, seed=1)
        match = play(
            start.rules, [bot, by_name("random", 2)], seed=3, start=start, watch=table.watch
        )
    assert match.result.faults == ()


def test_gymnasium_and_many_games_at_once() -> None:
    learner = CarcassonneEnv(SPEC, opponents="random", seat=0, size=9)
    seen, _ = learner.reset(seed=3)
    over = False
    while not over:
        action = int(np.flatnonzero(seen["action_mask"])[0])
        seen, _, over, _, _ = learner.step(action)
    games = VectorEnv(SPEC, num_envs=3, seed=1, size=9)
    for _ in range(40):
        games.step(games.sample_actions())
    board = games.observe()["board"].copy()
    assert [len(games.observe_tokens().of(game)["actions"]) for game in range(3)] == [
        games.state(game).count_actions() for game in range(3)
    ]
    for game in range(3):
        state = games.state(game)
        alone = observation(state, state.current_player, encoding=games.encoding)
        assert np.array_equal(board[game], alone["board"])
        rows = tokens(state, state.current_player, games.encoding)
        assert np.array_equal(games.observe_tokens().of(game)["numbers"], rows["numbers"])


def test_an_analysis_does_not_know_what_others_hold() -> None:
    state = late(2)
    other = dealt_otherwise(state, 0, random.Random(1))
    assert analyse(state, playouts=6) == analyse(other, playouts=6)
    lines = [[str(action)] for action in state.legal_actions()]
    one, two = (compare_lines(each, lines[0], lines[-1], playouts=2) for each in (state, other))
    assert one == two
    match = play(state.rules, [by_name("random", 1), by_name("random", 2)], seed=3)
    for move in GameAnalyser(match, state.rules, 1, 0, "game").moves:
        player = move.before.current_player
        assert {*held(move.before)[1 - player]} <= {UNKNOWN}
    assert list(_positions(match, "game")) == [], "no puzzle"


# -- people ----------------------------------------------------------------------------------------


def test_a_bot_in_a_match_with_people_is_given_what_it_sees() -> None:
    watcher = Watcher()
    match = InteractiveMatch(Rules.cached(SPEC), [None, watcher], ["a", "b"], seed=3)
    match.run()
    match.act(0, str(match.state.legal_actions()[0]))
    while match.state.current_player != 1:
        match.deal() or match.act(0, str(match.state.legal_actions()[0]))
    seen = match.state.view(1)
    match.run()
    assert noted(seen) in watcher.given
    match.advise(watcher)()
    assert watcher.given[-1] == noted(match.state.view(0)) != noted(match.state)


def test_a_person_at_the_keyboard_reads_the_own_hand_and_no_other() -> None:
    asked = ["play", "--rules", SPEC, "--seed", "3", "--bots", "human,random"]
    done = CliRunner().invoke(carc, asked, input="1\n1\npass\n1\nq\n")
    printed = done.output
    assert re.findall(r"1  play choose: 0, \w", printed), printed
    assert re.search(r"red human plays choose: 0, \w", printed)
    assert "green random plays choose: 1, ?" in printed


def test_a_page_shows_a_seat_its_own_hand_and_nobody_else_s() -> None:
    tables = LiveTables()
    table = tables.open(SPEC, [(PERSON, "a"), (PERSON, "b")], seed=5)
    wait(table)
    hands = [view.data["tiles_held"] for view in map(table.view, (None, 0, 1))]
    full = table.match.state.to_dict()["tiles_held"]
    assert sum(full[0].values()) == 2
    assert hands == [[{}, {}], [full[0], {}], [{}, full[1]]]
    chosen = table.view(0).legal[0]
    table.act(0, chosen, table.version)
    tile = chosen.partition(",")[2]
    assert table.view(0).data["tile_in_hand"] == tile
    for visitor in (None, 1):
        view = table.view(visitor)
        assert view.data["tile_in_hand"] is None
        assert chosen not in repr(view) and f"choose: 0, {tile}" not in repr(view.turns)
    table.act(0, table.view(0).legal[0], table.version)
    assert table.view(1).data["tiles"][-1]["kind"] == tile
    tables.close()


def test_openspiel_knows_that_players_do_not_see_all() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from carc.learn.openspiel import CarcassonneGame, CarcassonneState

    game = pyspiel.load_game(f"carc(rules={SPEC},size=9)")
    assert isinstance(game, CarcassonneGame)
    assert game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    one, other = game.new_initial_state(), game.new_initial_state()
    assert isinstance(one, CarcassonneState) and isinstance(other, CarcassonneState)
    one.game_state = late()
    other.game_state = dealt_otherwise(one.game_state, 0, random.Random(1))
    observer = game.make_py_observer()
    assert observer.string_from(one, 0) == observer.string_from(other, 0)
    assert observer.string_from(one, 1) != observer.string_from(other, 1)


def test_a_person_chooses_from_the_own_hand_on_the_page(tmp_path: Path) -> None:
    visitor = Visitor(TestClient(make_app(tmp_path, hosts=["testserver"])))
    first = visitor.open(SPEC, ("person", "person"))
    page = visitor.look(first)
    (chosen, *_) = re.findall(r'value="(choose:0,\w)"', page)
    assert "choose:0," not in visitor.look(first.rpartition("/")[0])
    form = {"action": chosen, "version": version_of(page)}
    answer = visitor.client.post(first, data=form, headers={"x-carc": "part"})
    assert "place:" in answer.text
    placing = visitor.look(first)
    (place, *_) = re.findall(r"place:-?\d+,-?\d+,\d", placing)
    version = version_of(placing)
    preview = visitor.client.get(f"{first}/preview", params={"action": place, "version": version})
    assert preview.status_code == 200 and preview.text
