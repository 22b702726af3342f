"""What a turn loses is measured against perfect play."""

import measure_endgames
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


def test_a_table_of_what_is_solved_has_a_row_for_each_spec_and_number_of_players(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The last tile is always solved. A team of `careful` wins level 1 long before."""
    monkeypatch.setattr(measure_endgames, "LARGEST_REACH", 1)
    command = "reach --specs base,base+inns --players 2,3 --games 1 --seconds 0"
    monkeypatch.setattr("sys.argv", ["measure_endgames.py", *command.split()])
    measure_endgames.main()
    assert capsys.readouterr().out.splitlines() == [
        "| rules | players | 1 |",
        "|---|---|---|",
        "| `base` | 2 | 1 |",
        "| `base+inns` | 2 | 1 |",
        "| `base` | 3 | 1 |",
        "| `base+inns` | 3 | 1 |",
    ]
    command = "reach --specs mists:1 --bot careful --games 1"
    monkeypatch.setattr("sys.argv", ["measure_endgames.py", *command.split()])
    measure_endgames.main()
    assert capsys.readouterr().out.splitlines()[2:] == ["| `mists:1` | 2 | - |"]
