"""Every classic expansion goes wherever a game goes: random play, pages, tournaments, pictures."""

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.fuzzed import CLASSICS
from support.served import clicks_of, wait

from carc import Action, Rules, State, classics, play
from carc.base.game.playout import playout, random_action
from carc.bots import by_name
from carc.bots.session import Session
from carc.commands.main import carc as program
from carc.errors import BadRules
from carc.match import Move, read_record, replay
from carc.testing import check
from carc.tournaments.isolation import sandbox
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.isolation.program import Program
from carc.tournaments.players.protocol import Table
from carc.tournaments.running.runner import play_one
from carc.tournaments.schedule.configuration import configure
from carc.tournaments.schedule.games import rotation_set
from carc.web.action_menu import action_menu
from carc.web.live_tables import PERSON, LiveTables

FOLDER = Path(classics.__file__).parent
ALL = "+".join(["base", *CLASSICS])
FOR_RIVALS = """
abbey bigtop bridges buildings count crops cult darmstadt dragon ferries festival flier gold hills
labyrinth mage monasteries phantom russian siege son tower tunnel watchtowers windroses
"""
NOT_IN_A_TEAM = {
    "abbot": "abbot needs the tiles of base, which mists leaves in the box",
    "river": "river needs the start of base, and mists has its own",
    **{
        name: f"{name} is for rivals, and mists is played by a team; it goes beside base"
        for name in FOR_RIVALS.split()
    },
}


@pytest.mark.parametrize("played", [*CLASSICS, "dragon(princess=must)", "river(bends=alternate)"])
def test_what_is_counted_and_picked_is_what_is_listed(played: str) -> None:
    """At every decision of two random games: how many actions there are, and one of them."""
    rules, rng = Rules.from_spec(f"base+{played}", 3), random.Random(8)
    for _ in range(2):
        state = rules.start()
        while not state.is_terminal:
            if state.current_player >= 0:
                n = state.count_actions()
                at = rng.randrange(n)
                action = state.action_at(at)
                legal = state.legal_actions()
                assert (len(legal), legal[at]) == (n, action)
            state.apply(random_action(state, rng))


@pytest.mark.parametrize("name", CLASSICS)
def test_a_team_plays_it_or_is_told_why_not(name: str) -> None:
    if name in NOT_IN_A_TEAM:
        with pytest.raises(BadRules) as refused:
            Rules.from_spec(f"mists:1+{name}")
        assert str(refused.value) == NOT_IN_A_TEAM[name]
    else:
        assert check(Rules.from_spec(f"mists:1+{name}", 2), games=2, every=6) > 1


@pytest.fixture
def first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A bot of the folder one is in, which takes the last of what is offered."""
    (tmp_path / "first.py").write_text(
        "class First:\n    def choose(self, state):\n        return state.legal_actions()[-1]\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return "first:First"


def clicked(spec: str, tiles: int) -> set[str]:
    """Play on the web page up to so many tiles: each legal action is a way to lay, a place on the
    table or a button, once. The verbs played.
    """
    tables = LiveTables()
    table = tables.open(spec, [(PERSON, "a"), (PERSON, "b")], seed=5)
    rng, seen = random.Random(3), set()
    while not table.match.is_over and table.match.state.board.tile_count < tiles:
        tables.advance(table)
        wait(table)
        view = table.view()
        asked = view.awaited
        if asked is None:
            break
        menu = action_menu(table, view, asked)
        clicks = clicks_of(menu)
        legal = [str(action) for action in table.match.state.legal_actions()]
        assert sorted(clicks) == sorted(legal)
        choice = rng.choice(legal)
        seen.add(choice.partition(":")[0])
        table.act(asked, choice, view.version)
    tables.close()
    return seen


def test_all_that_is_offered_can_be_clicked() -> None:
    """For a third of a game of all of them, in which several have something to offer."""
    seen = clicked(ALL, 60)
    assert {"place", "claim", "pass"} <= seen
    assert len(seen) >= 6


@pytest.mark.parametrize("name", CLASSICS)
def test_each_can_be_clicked(name: str) -> None:
    assert {"place", "claim", "pass"} <= clicked(f"base+{name}", 25)


class OverTheWire:
    """A random bot that is asked and answers in lines of the protocol, as in a process."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.actions: list[str] = []
        self.session = Session("random")
        self.say(
            type="game", rules=rules.spec, rules_version=rules.version, players=2, seat=0, seed=seed
        )

    def say(self, **message: object) -> dict[str, str] | None:
        return self.session.reply(json.loads(json.dumps(message)))

    def choose(self, state: State) -> Action:
        news, self.actions = self.actions, []
        answer = self.say(type="choose", id=1, actions=news, bank=9.0, limit=9.0)
        assert answer is not None
        return state.rules.parse(answer["action"])

    def watch(self, move: Move) -> None:
        self.actions.append(move.action)


@pytest.mark.parametrize("name", CLASSICS)
def test_each_is_played_by_the_protocol(name: str) -> None:
    """A whole game: what a bot makes of the actions it is told is what the runner has."""
    rules = Rules.from_spec(f"base+{name}")
    bot = OverTheWire(rules, 1)
    inside = play(rules, [by_name("random", 1), by_name("random", 2)], seed=3, names=["a", "b"])
    outside = play(rules, [bot, by_name("random", 2)], seed=3, names=["a", "b"], watch=bot.watch)
    assert outside == inside


@pytest.mark.parametrize("name", CLASSICS)
def test_each_is_played_in_a_tournament(name: str, first: str) -> None:
    """Both games of a deal, as its workers play them: no faults, and the records are replayed."""
    configuration = configure(f"base+{name}", [first, "random"], [2], 1, 7)
    games = rotation_set(configuration, 0, configuration.bots)
    assert len(games) == 2
    for outcome in map(play_one, games):
        assert (outcome.verdict, outcome.verdicts) == ("ok", ("ok", "ok"))
        end = replay(read_record(outcome.record), Rules.cached(f"base+{name}"))
        assert end.is_terminal and tuple(end.scores) == outcome.scores


def test_a_bot_in_a_process_plays_the_same_game() -> None:
    """Its own state, made from the actions it was told, is the runner's."""
    rules = Rules.from_spec(ALL)
    inside = play(rules, [by_name("random", 1), by_name("random", 2)], seed=3, names=["a", "b"])
    program = Program(sandbox.python("-m", "carc.bots.sdk", "random"), None, "process")
    with Table(Clock()) as table:
        bot = table.start(program, seat=1, seed=2)
        seats = [by_name("random", 1), bot]
        isolated = play(rules, seats, seed=3, names=["a", "b"], watch=table.watch)
        table.over(isolated)
    assert isolated == inside


def test_a_tournament_is_played(first: str) -> None:
    done = CliRunner().invoke(
        program,
        ["tournament", "--rules", ALL, "--bots", f"{first},random", "--deals", "1", "--out", "out"],
    )
    assert done.exit_code == 0, done.output
    assert "2 of 2 games" in done.output


def test_greedy_knows_none_by_name_and_plays_all_better_than_chance() -> None:
    """The first 70 tiles of a game of all of them: earlier, what is completed is mostly luck."""
    rules = Rules.from_spec(ALL)
    state, deal = rules.start(), rules.deal(4)
    bots = [by_name("greedy", 1), by_name("random", 1)]
    while state.board.tile_count < 70:
        player = state.current_player
        chosen = deal.choose(state) if player < 0 else bots[player].choose(state.copy())
        state.apply(chosen)
    assert state.scores[0] > 2 * state.scores[1]


def test_it_is_seen() -> None:
    """As data and as a picture."""
    state = Rules.from_spec(ALL).start()
    playout(state, random.Random(3))
    assert json.loads(json.dumps(state.to_dict())) == state.to_dict()
    assert state._repr_svg_().startswith("<svg")


def test_every_set_of_tiles_can_be_looked_at() -> None:
    """`carc tiles --set`, whichever option plays with it."""
    for path in FOLDER.glob("*/*.txt"):
        name = path.read_text(encoding="utf-8").partition("\nset ")[2].split()[0]
        done = CliRunner().invoke(program, ["tiles", "--set", name])
        assert done.exit_code == 0, done.output
