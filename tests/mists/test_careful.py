"""The bot `careful` and the command `carc levels`."""

import pytest
from click.testing import CliRunner

from carc import CHANCE, Rules, play
from carc.bots import by_name
from carc.commands.levels import levels
from carc.errors import BadBot


@pytest.mark.parametrize(("level", "players"), [(1, 1), (4, 4), (6, 2)])
def test_careful_plays_without_a_fault(level, players):
    """Every level: test_play.py."""
    rules = Rules.from_spec(f"mists:{level}", players=players)
    match = play(rules, [by_name("careful", seed=seat) for seat in range(players)], seed=level)
    assert match.result.faults == ()
    assert len(set(match.result.returns)) == 1


def test_careful_is_repeatable_from_its_seed():
    rules = Rules.from_spec("mists:6", players=1)

    def played():
        return play(rules, [by_name("careful", seed=3)], seed=8).actions

    assert played() == played()


def test_careful_refuses_another_game():
    state = Rules.from_spec("base", players=2).start()
    rules = state.rules
    while state.current_player == CHANCE or len(state.legal_actions()) == 1:
        state.apply(rules.draw("D"))
    with pytest.raises(BadBot, match="mists:1 to mists:6"):
        by_name("careful").choose(state)


def test_careful_takes_the_win(nearly_won):
    t = nearly_won
    while not t.state.is_terminal:
        t.do(str(by_name("careful", seed=1).choose(t.state)))
    assert t.data["outcome"]["won"]


@pytest.mark.parametrize("tiles", [3, 4])
def test_careful_takes_ghosts_off_before_they_run_out(table, tiles):
    """As many as there are on a tile: of three tiles one ghost less would be worth fewer points."""
    t = table("mists:1")
    for x in range(1, 2 * tiles, 2):
        t.lay("fog", x, 0).lay("plain", x + 1, 0)
    t.lay("pair", 2 * tiles + 1, 0)
    t.lay("town", 0, -1, 0, "0").put("town", 0, -2, 2)
    assert str(by_name("careful", seed=1).choose(t.state)).startswith("ghosts:")


def test_careful_takes_points_while_ghosts_are_few(table):
    t = table("mists:1").lay("wisp", 1, 0).lay("cap", 0, -1, 0, "0").put("cap", 0, -2, 2)
    assert str(by_name("careful", seed=1).choose(t.state)) == "points"


def test_the_command_prints_a_row_a_level_and_a_column_a_team(tmp_path):
    words = "--bots random --levels 1,2 --players 1,3 --games 2 --jobs 1 --out"
    found = CliRunner().invoke(levels, [*words.split(), str(tmp_path / "levels")])
    lines = found.output.splitlines()
    assert found.exit_code == 0
    assert "| level | 1 player | 3 players |" in lines
    first = [line.split("|")[1].strip() for line in lines if line.startswith("|")]
    assert first[2:4] == ["mists:1", "mists:2"]
    assert all(f" {name} " in found.output for name in ("random x 1", "random x 3"))


@pytest.mark.parametrize("wrong", [["--levels", "7"], ["--players", "x"]])
def test_the_command_says_what_is_allowed(wrong):
    found = CliRunner().invoke(levels, [*wrong, "--games", "1"])
    assert found.exit_code == 2
    assert "from 1 to" in found.output
