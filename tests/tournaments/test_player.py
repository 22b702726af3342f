"""A bot in this process: what its moves took."""

import time

import pytest

from carc import Action, Rules, State
from carc.tournaments.players.player import Player


class Sleepy:
    """Sleeps in its third and fourth moves."""

    def __init__(self) -> None:
        self.moves = 0

    def choose(self, state: State) -> Action:
        self.moves += 1
        if self.moves in (3, 4):
            time.sleep(0.1)
        return state.legal_actions()[0]


class Busy:
    """Computes for 0.02 s of CPU time in each move."""

    def choose(self, state: State) -> Action:
        end = time.process_time() + 0.02
        while time.process_time() < end:
            pass
        return state.legal_actions()[0]


def test_the_time_of_its_moves() -> None:
    """The wall time of a quick move after a quick one stands for its CPU time."""
    state, player = Rules.from_spec("base").start(), Player(f"{__name__}:Sleepy", 0, 1)
    questions = [state.copy() for _ in range(6)]
    for asked, draw in zip(questions, state.legal_actions(), strict=False):
        asked.apply(draw)
    answers = [player.ask(asked) for asked in questions]  # nothing else is computed between them
    assert answers == [asked.legal_actions()[0] for asked in questions]
    _, second, third, fourth, fifth, last = player.times
    assert second[0] == second[1] == round(second[0], 6)
    for wall, cpu in (third, fourth):
        # It slept, and the CPU clock was looked at; threads of libraries count.
        assert wall >= 0.1 > 2 * cpu
    assert fifth[0] < 0.1
    assert last[0] == last[1] == round(last[0], 6)
    assert player.wall == pytest.approx(sum(wall for wall, _ in player.times), abs=1e-5)
    assert player.cpu == pytest.approx(sum(cpu for _, cpu in player.times), abs=1e-5)


def test_a_slow_move_after_quick_ones_counts_at_most_its_wall_time() -> None:
    """Whatever the process computed since the CPU clock was last looked at."""
    state, player = Rules.from_spec("base").start(), Player(f"{__name__}:Sleepy", 0, 1)
    asked = state.copy()
    asked.apply(state.legal_actions()[0])
    player.ask(asked)
    player.ask(asked)
    end = time.process_time() + 0.3
    while time.process_time() < end:
        pass
    player.ask(asked)
    wall, cpu = player.times[2]
    assert 0.1 <= wall <= 0.3
    assert cpu <= wall


def test_a_slow_move_does_not_count_what_others_computed_before() -> None:
    state = Rules.from_spec("base").start()
    state.apply(state.legal_actions()[0])
    sleepy, busy = Player(f"{__name__}:Sleepy", 0, 1), Player(f"{__name__}:Busy", 1, 1)
    for _ in range(3):
        busy.ask(state)
        sleepy.ask(state)
    assert busy.cpu >= 0.06
    assert sleepy.times[2][0] >= 0.1 > 2 * sleepy.times[2][1]
