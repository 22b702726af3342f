"""Who reaches whom: each case of the tables on docs/who-reaches-whom.md, tried on a board.

A place is a function that puts a meeple of red's on a segment of the tile at 0,0 or 0,1, and a
figure one that puts such a figure there. What acts is a function that says whether it reaches it.
"""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from support.notation import RING, expansion_of, kept, lay, put

from carc import Rules, State
from carc.base.cells import xy
from carc.base.turn.actions import chosen_segment
from carc.base.turn.choices import Choices

PAGE = Path(__file__).parents[2] / "docs/who-reaches-whom.md"
SPEC = (
    "base+abbey+bigtop+bridges+crops+dragon+festival+flier+ghosts(tiles=base)+hills+monasteries"
    "+russian+siege+son+tower+traders"
)
SON = (Path(__file__).parents[2] / "carc/base/tiles/base.txt").read_text(encoding="utf-8")
Place = Callable[[State], int]
Reach = Callable[[State, int], bool]


def named(words: str) -> list[str]:
    """The names in a list, without the rules and sources in brackets."""
    return re.sub(r"\s[(\[][^)\]]*[)\]]", "", words).split(", ")


def section(heading: str) -> str:
    return PAGE.read_text(encoding="utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]


def cases(heading: str, all_others: str = "") -> list[tuple[str, str, bool]]:
    """What the table under a heading has first, each of the others, and whether they go together.

    Args:
        heading: The heading.
        all_others: What the list of all others, in the text above the table, begins after.
    """
    text = " ".join(section(heading).split())
    lines = [line for line in section(heading).splitlines() if line.startswith("|")][2:]
    rows = [[word.strip() for word in line.strip("|").split("|")] for line in lines]
    listed = text.partition(all_others)[2].partition(".")[0] if all_others else ", ".join(FREE)
    others = named(listed)
    found = []
    for first, second in rows:
        but = second.startswith("any")
        told = set(named(second.partition(" but ")[2] if but else second)) - {""}
        assert told <= set(others), told
        found += [(one, other, (other in told) != but) for one in named(first) for other in others]
    return found


@cache
def rules(folder: Path) -> Rules:
    """The rules of all of them; curves of roads show the robber's son."""
    file = folder / "base.txt"
    file.write_text(SON.replace("road S W", "road S W robbers_son=1"), encoding="utf-8")
    return Rules.from_spec(SPEC, 2, [file])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reach")


# -- places and figures ---------------------------------------------------------------------------


def standing(x: int, y: int, index: int, kind: str = "meeple", *tiles: str) -> Place:
    def place(state: State) -> int:
        put(lay(state, *tiles), 0, (x, y, index), kind=kind)
        return state.board.segment_at(x, y, index)

    return place


def lying(state: State) -> int:
    segment = standing(0, 1, 1, "meeple", "MO05 0,1,0")(state)
    kept(state, "monasteries").lay_last(state.board, segment)
    return segment


def in_castle(state: State) -> int:
    lay(state, "E 0,-1,2")
    segment = standing(0, 0, 0)(state)
    state.board.completed.append(state.board.feature_of(segment))
    expansion_of(state, "bridges").castles.found(state, 0, segment)
    return segment


def on_tower(state: State) -> int:
    lay(state, "TO02 0,1,0")
    kept(state, "tower").heights[0] = 1
    return standing(0, 1, 0)(state)


def in_pyramid(state: State) -> int:
    (ground,) = kept(lay(state, "BT01 0,1,0"), "bigtop").grounds
    state.put_follower(ground, 0, 0)
    return int(ground)


def in_trap(state: State) -> int:
    (trap,) = kept(lay(state, "RQ02 0,1,0"), "russian").traps
    state.board.seat_follower(trap, 0, 0)
    return int(trap)


def beside_fairy(state: State) -> int:
    segment = standing(0, 0, 1)(state)
    own = kept(state, "dragon")
    own.fairy, own.companion = state.board.cell_under(segment), (segment, 0, 0)
    return segment


PLACES: dict[str, Place] = {
    "a road": standing(0, 0, 1),
    "a city": standing(0, 0, 0),
    "a field": standing(0, 0, 3),
    "a monastery": standing(0, 1, 0, "meeple", "B 0,1,0"),
    "a bed in a German monastery": lying,
    "a castle": in_castle,
    "the top of a tower": on_tower,
    "a pyramid of acrobats": in_pyramid,
    "a trap": in_trap,
    "a road beside the fairy": beside_fairy,
}
FIGURES: dict[str, Place] = {
    "mayor": standing(0, 0, 0, "mayor"),
    "wagon": standing(0, 0, 1, "wagon"),
    "ringmaster": standing(0, 0, 1, "ringmaster"),
    "builder": standing(0, 0, 1, "builder"),
    "pig": standing(0, 0, 3, "pig"),
    "shepherd": standing(0, 0, 3, "shepherd"),
    "barn": standing(0, 0, 3, "barn"),
}


# -- what acts ------------------------------------------------------------------------------------


def lay_beside(state: State, segment: int, tile: str, dx: int) -> None:
    """Lay a tile east or west of the figure's."""
    x, y = xy(state.board.cell_under(segment))
    lay(state, f"{tile} {x + dx},{y},0")


def lay_north(state: State, tile: str) -> None:
    """Lay a tile that continues the start tile's city, or lies north of a castle."""
    y = -1 if state.board.tile_at(0, -1) < 0 else -2
    lay(state, f"{tile} 0,{y},2")


def offered(state: State, expansion: str, verb: str, segment: int) -> bool:
    """Whether red may choose the figure on a segment when the last tile lies."""
    x, y = xy(state.board.cell_under(segment))
    index = segment - state.board.segment_of(state.board.tile_under(segment), 0)
    claims = expansion_of(state, expansion).claims(state, 0).actions(state)
    return any(str(action).startswith(f"{verb}:{x},{y},{index},") for action in claims)


def names(state: State, choices: Choices, segment: int) -> bool:
    """Whether one of these choices is of the figure on a segment."""
    return segment in [chosen_segment(state.board, one) for one in choices.actions(state)]


def dragon(state: State, segment: int) -> bool:
    """It stands beside the tile and comes to it, if it may."""
    move = expansion_of(state, "dragon").dragon_move
    cell = state.board.cell_under(segment)
    kept(state, "dragon").dragon = cell - 1
    ways = move._cells(state)
    if cell not in [ways.cell(way) for way in range(ways.count)]:
        return False
    move.cell_chosen(state, 1, cell)
    return not state.board.has_follower(segment)


def tower(state: State, segment: int) -> bool:
    lay_beside(state, segment, "TO03", 1)
    own = kept(state, "tower")
    tile = state.board.last_tile
    (own.last,) = [s for s in state.board.segments_of(tile) if s in own.foundations]
    own.heights[own.foundations.index(own.last)] = 1
    return names(state, expansion_of(state, "tower").prison.in_reach(state), segment)


def vodyanoy(state: State, segment: int) -> bool:
    lay_beside(state, segment, "RQ02", 1)
    expansion_of(state, "russian").traps.spring(state)
    return not state.board.has_follower(segment)


def robber(state: State, segment: int) -> bool:
    lay_beside(state, segment, "RQ01", -1)
    expansion_of(state, "russian").traps.spring(state)
    return not state.board.has_follower(segment)


def princess(state: State, segment: int) -> bool:
    lay_north(state, "PD09")
    return offered(state, "dragon", "princess", segment)


def son(state: State, segment: int) -> bool:
    lay_beside(state, segment, "V", 1)
    return offered(state, "son", "rob", segment)


def festival(state: State, segment: int) -> bool:
    lay(state, "FE01 9,9,0")
    return offered(state, "festival", "festival", segment)


def circle(state: State, segment: int) -> bool:
    """One of the circles of a city, a field and a road."""
    crops = expansion_of(state, "crops")
    found = False
    for at, tile in enumerate(("CA01", "CA03", "CA04")):
        lay(state, f"{tile} {9 + at},9,0")
        found |= names(state, crops.steps[1]._figures(state, 0), segment)
    return found


def escape(state: State, segment: int) -> bool:
    lay(state, "B 1,-1,0")
    lay_north(state, "SB01")
    return names(state, expansion_of(state, "siege").escaping(state, 0), segment)


def ghosts(state: State, segment: int) -> bool:
    return segment in expansion_of(state, "ghosts").candidates(state, 0, True).segments()


def fairy(state: State, segment: int) -> bool:
    lay(state, "B 9,9,0")
    return offered(state, "dragon", "fairy", segment)


def big_top(state: State, segment: int) -> bool:
    lay_beside(state, segment, "BT13", 1)
    kept(state, "bigtop").tent = state.board.cell_of(state.board.last_tile)
    state.rules.parse("tent:1").perform(state, 0)
    return state.scores[0] == 1


REACHES: dict[str, Reach] = {
    "dragon": dragon,
    "tower": tower,
    "vodyanoy": vodyanoy,
    "robber": robber,
    "princess": princess,
    "robber's son": son,
    "festival": festival,
    "crop circle": circle,
    "escape": escape,
    "ghosts": ghosts,
    "fairy": fairy,
    "big top": big_top,
}


# -- free places and who comes there --------------------------------------------------------------


def surrounded(state: State) -> int:
    """Put tiles on all sides of a German monastery; it is complete, and scored in a turn."""
    lay(state, "MO05 0,2,0", *RING, "B 1,3,0")
    segment = state.board.segment_at(0, 2, 1)
    next(step for step in state.rules.turn if step.name == "score").apply(state, 0, None)
    return segment


def freed(place: Place) -> Place:
    """The place without who was there."""

    def free(state: State) -> int:
        segment = place(state)
        for owner, kind in state.board.followers_at(segment):
            state.take_follower(segment, owner, kind)
        return segment

    return free


FREE: dict[str, Place] = {
    **{name: freed(PLACES[name]) for name in ("a road", "a city", "a field", "a monastery")},
    "a German monastery with tiles all around": surrounded,
    **{name: freed(PLACES[name]) for name in ("a castle", "the top of a tower")},
    **{name: freed(PLACES[name]) for name in ("a pyramid of acrobats", "a trap")},
}


def portal(state: State, segment: int) -> bool:
    lay(state, "PD12 9,9,0")
    return offered(state, "dragon", "portal", segment)


def flight(state: State, segment: int) -> bool:
    own = kept(state, "flier")
    own.flying, own.cell = 0, state.board.cell_under(segment)
    return segment in expansion_of(state, "flier")._landing_places(state)


def wagon(state: State, segment: int) -> bool:
    x, y = xy(state.board.cell_under(segment))
    if state.board.tile_at(x + 1, y) < 0:
        lay_beside(state, segment, "B", 1)
    kept(state, "abbey").left[0] = state.board.segment_at(x + 1, y, 0)
    return names(state, expansion_of(state, "abbey").wagons.goals(state, 0), segment)


COMES: dict[str, Reach] = {"portal": portal, "flight": flight, "wagon": wagon}


@pytest.mark.rule("DRG-04", "FLY-01", "ABM-03", "MON-01", "BRC-02")
@pytest.mark.parametrize(("how", "place", "comes"), cases("Who comes to a free place"))
def test_who_comes_there(how: str, place: str, comes: bool, folder: Path) -> None:
    state = rules(folder).start()
    assert COMES[how](state, FREE[place](state)) is comes


@pytest.mark.rule(
    "BRC-02", "DRG-02", "DRG-03", "DRG-05", "TOW-03", "RUS-02", "RUS-03", "ROB-01", "FES-01"
)
@pytest.mark.rule("CRC-01", "SIE-03", "GCC-12", "BIG-01")
@pytest.mark.parametrize(("what", "place", "reached"), cases("Where a follower is", "turn it is: "))
def test_who_reaches_a_follower_there(what: str, place: str, reached: bool, folder: Path) -> None:
    state = rules(folder).start()
    assert REACHES[what](state, PLACES[place](state)) is reached


@pytest.mark.rule("DRG-02", "TOW-03", "RUS-02", "RUS-03", "DRG-03", "FES-01", "CRC-01", "BIG-01")
@pytest.mark.parametrize(("figure", "what", "reached"), cases("Which figure it is", "acts: "))
def test_who_reaches_such_a_figure(figure: str, what: str, reached: bool, folder: Path) -> None:
    state = rules(folder).start()
    assert REACHES[what](state, FIGURES[figure](state)) is reached


def test_the_page_names_all_places_figures_and_what_acts() -> None:
    def both(found: list[tuple[str, str, bool]]) -> tuple[set[str], set[str]]:
        return {one for one, _, _ in found}, {other for _, other, _ in found}

    assert both(cases("Where a follower is", "turn it is: ")) == (set(REACHES), set(PLACES))
    assert both(cases("Which figure it is", "acts: "))[0] == set(FIGURES)
    assert both(cases("Who comes to a free place")) == (set(COMES), set(FREE))
    told = section("Who comes to a free place")
    assert "a castle, the top of a tower, a pyramid of acrobats or a trap" in told
