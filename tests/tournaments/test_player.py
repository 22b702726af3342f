"""A bot in this process: what its moves took."""

import time

import pytest

from carc import Action, Rules, State
from carc.tournaments.players.player import Player


class Sleepy:
    """Sleeps from its second move on, but for the last."""

    def __init__(self) -> None:
        self.moves = 0

    def choose(self, state: State) -> Action:
        self.moves += 1
        if self.moves in (2, 3):
            time.sleep(0.02)
        return state.legal_actions()[0]


def test_the_time_of_its_moves() -> None:
    """Of a quick bot the wall time stands for the CPU's, which it takes long to look at: until a
    move was slow.
    """
    state, player = Rules.from_spec("base").start(), Player(f"{__name__}:Sleepy", 0, 1)
    for draw in state.legal_actions()[:4]:
        asked = state.copy()
        asked.apply(draw)
        assert player.ask(asked) == asked.legal_actions()[0]
    first, second, third, fourth = player.times
    assert first[0] == first[1] == round(first[0], 6)
    assert second[0] == second[1] >= 0.02
    assert third[0] >= 0.02 > third[1]
    assert fourth[0] < 0.02
    assert fourth[0] != fourth[1]  # the CPU clock was looked at
    assert player.wall == pytest.approx(sum(wall for wall, _ in player.times), abs=1e-5)
    assert player.cpu == pytest.approx(sum(cpu for _, cpu in player.times), abs=1e-5)
