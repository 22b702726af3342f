"""What a turn loses is measured against perfect play."""

import pytest
from measure_endgames import loss
from support.notation import do, emptied

from carc import Action, Rules, State
from carc.bots.endgame import Endgame


class Claims:
    """Closes the city and claims it."""

    def choose(self, state: State) -> Action:
        return (
            state.rules.parse("place:0,-1,2") if state.step.name == "place" else state.action_at(0)
        )


class Passes:
    """Closes the city and claims nothing."""

    def choose(self, state: State) -> Action:
        return state.rules.parse("place:0,-1,2" if state.step.name == "place" else "pass")


@pytest.mark.parametrize(("bot", "lost"), [("Claims", 0.0), ("Passes", 4.0)])
def test_with_the_last_tile_a_city_of_four_points_is_closed(bot: str, lost: float) -> None:
    state = emptied(do(Rules.from_spec("base", 2).start(), "draw:E"))
    points, seconds = loss(Endgame(state.rules), state, f"{__name__}:{bot}", 1)
    assert points == lost
    assert seconds >= 0.0
