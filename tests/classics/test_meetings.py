"""What changes the points of one feature, every two that can meet there: played by the expansions
themselves, counted by hand.
"""

from itertools import combinations

import pytest
from support.notation import begin, haunt, kept, scored

from carc.base.cells import cell_at
from carc.base.turn.scoring import score_feature
from carc.classics.mage import NAMES

# What may change the points of a feature -> the kinds of feature it does so on. Ghosts join
# meeples, who go into no garden, and count nothing at the end, when fields are scored.
ON = {
    "coat of arms": {"city"},
    "cathedral": {"city"},
    "inn": {"road"},
    "mage": {"city", "road"},
    "witch": {"city", "road"},
    "vineyard": {"monastery"},
    "garden": {"garden"},
    "castle": {"castle"},
    "pig herd": {"field"},
    "pig": {"field"},
    "ghosts": {"city", "road", "monastery", "castle"},
    "fairy": {"city", "road", "monastery", "garden", "castle", "field"},
}
# Brought together, one of them moves before anything is scored (MAG-01).
APART = {("mage", "witch")}

AROUND = (
    ("U", -1, 0, 1),
    ("U", 1, 0, 1),
    ("B", -1, 1, 0),
    ("B", 1, 1, 0),
    ("B", -1, 2, 0),
    ("B", 0, 2, 0),
)
ENDS = (("U", -1, 0, 1), ("W", 2, 0, 0), ("W", -2, 0, 2))
# Name -> the expansion the tiles are from, the tiles besides the start tile, the segment with red's
# follower, its kind.
FEATURES = {
    "road": ("", (("U", 1, 0, 1), *ENDS), (1, 0, 0), "meeple"),
    "inn": ("inns", (("IC15", 1, 0, 0), *ENDS), (1, 0, 0), "meeple"),
    "city": ("", (("F", 0, -1, 1), ("E", 0, -2, 2)), (0, -1, 0), "meeple"),
    "cathedral": (
        "inns",
        (("IC01", 0, -1, 0), ("E", 0, -2, 2), ("E", 1, -1, 3), ("F", -1, -1, 0), ("E", -2, -1, 1)),
        (0, -1, 0),
        "meeple",
    ),
    "vineyard": ("hills", (("B", 0, 1, 0), *AROUND, ("HS01", 1, 2, 2)), (0, 1, 0), "meeple"),
    "garden": ("abbot", (("E-garden", 0, -1, 2),), (0, -1, 2), "abbot"),
    "castle": ("ghosts", (("M17", 9, 9, 0), ("M17", 10, 9, 0)), (9, 9, 2), "meeple"),
    "field": (
        "river(part=two)",
        (("RJ11", 1, 0, 0), ("E", 2, 0, 0), ("E", 2, -1, 2)),
        (2, 0, 1),
        "meeple",
    ),
}  # fmt: skip

# Two that meet -> the feature, and what is scored. Counted: the road has 5 tiles; the city 3 and a
# coat of arms, 8; that with the cathedral 6 and a coat of arms, 21; the monastery 9, one vineyard
# beside it; the garden one neighbour; the castle shows mist, and so does one tile beside it, 2
# each; the field one completed city, 3. The witch leaves half, rounded up.
MET = {
    ("coat of arms", "cathedral"): ("cathedral", "city 6x2, coat of arms 1x2, cathedral 7x1 = 21"),
    ("coat of arms", "mage"): ("city", "city 3x2, coat of arms 1x2, mage 3x1 = 11"),
    ("coat of arms", "witch"): ("city", "city 3x2, coat of arms 1x2, witch 4x-1 = 4"),
    ("coat of arms", "ghosts"): ("city", "city 3x2, coat of arms 1x2, ghosts 1x-2 = 6"),
    ("coat of arms", "fairy"): ("city", "city 3x2, coat of arms 1x2 = 8"),
    ("cathedral", "mage"): (
        "cathedral",
        "city 6x2, coat of arms 1x2, cathedral 7x1, mage 6x1 = 27",
    ),
    ("cathedral", "witch"): (
        "cathedral",
        "city 6x2, coat of arms 1x2, cathedral 7x1, witch 10x-1 = 11",
    ),
    ("cathedral", "ghosts"): (
        "cathedral",
        "city 6x2, coat of arms 1x2, cathedral 7x1, ghosts 1x-2 = 19",
    ),
    ("cathedral", "fairy"): ("cathedral", "city 6x2, coat of arms 1x2, cathedral 7x1 = 21"),
    ("inn", "mage"): ("inn", "road 5x1, inn 5x1, mage 5x1 = 15"),
    ("inn", "witch"): ("inn", "road 5x1, inn 5x1, witch 5x-1 = 5"),
    ("inn", "ghosts"): ("inn", "road 5x1, inn 5x1, ghosts 1x-2 = 8"),
    ("inn", "fairy"): ("inn", "road 5x1, inn 5x1 = 10"),
    ("mage", "ghosts"): ("road", "road 5x1, mage 5x1, ghosts 1x-2 = 8"),
    ("mage", "fairy"): ("road", "road 5x1, mage 5x1 = 10"),
    ("witch", "ghosts"): ("road", "road 5x1, witch 2x-1, ghosts 1x-2 = 1"),
    ("witch", "fairy"): ("road", "road 5x1, witch 2x-1 = 3"),
    ("vineyard", "ghosts"): ("vineyard", "monastery 9x1, vineyard 1x3, ghosts 1x-2 = 10"),
    ("vineyard", "fairy"): ("vineyard", "monastery 9x1, vineyard 1x3 = 12"),
    ("garden", "fairy"): ("garden", "garden 2x1 = 2"),
    ("castle", "ghosts"): ("castle", "castle 2x2, ghosts 1x-2 = 2"),
    ("castle", "fairy"): ("castle", "castle 2x2 = 4"),
    ("pig herd", "pig"): ("field", "completed city 1x3, pig herd 1x1, pig 1x1 = 5"),
    ("pig herd", "fairy"): ("field", "completed city 1x3, pig herd 1x1 = 4"),
    ("pig", "fairy"): ("field", "completed city 1x3, pig herd 1x1, pig 1x1 = 5"),
    ("ghosts", "fairy"): ("road", "road 5x1, ghosts 1x-2 = 3"),
}
FROM = {
    "mage": "mage",
    "witch": "mage",
    "ghosts": "ghosts",
    "fairy": "dragon",
    "pig": "traders",
    "pig herd": "traders",
}


def test_every_two_that_can_meet_are_here() -> None:
    meeting = {pair for pair in combinations(ON, 2) if ON[pair[0]] & ON[pair[1]]}
    assert set(MET) == meeting - APART


@pytest.mark.rule("SEQ-01", "SEQ-03", "DRG-05")
@pytest.mark.parametrize("two", MET, ids=" and ".join)
def test_two_that_meet(two: tuple[str, str]) -> None:
    """The itemised score names both; the fairy's 3 come beside it, last."""
    name, worth = MET[two]
    box, tiles, place, kind = FEATURES[name]
    parts = {box, *(FROM.get(each, "") for each in two)} - {""}
    ghosts = "ghosts" if box == "ghosts" else "ghosts(tiles=base)"
    state = begin("+".join(["base", *sorted(parts)]).replace("ghosts", ghosts), 2)
    for tile, x, y, rotation in tiles:
        state._lay(state.rules.catalogue.index[tile], cell_at(x, y), rotation)
    segment, follower = state.board.segment_at(*place), state.rules.follower_number(kind)
    state.put_follower(segment, 0, follower)
    if "ghosts" in two:
        haunt(state, *place)
    if "pig" in two:
        state.put_follower(segment, 0, state.rules.follower_number("pig"))
    for figure in {"mage", "witch"}.intersection(two):
        kept(state, "mage").at[NAMES.index(figure)] = segment
    if "fairy" in two:
        kept(state, "dragon").companion = (segment, 0, follower)
    score_feature(state, state.board.feature_of(segment), name == "field")
    assert scored(state) == [f"0: {worth}", *(["0: fairy 1x3 = 3"] if "fairy" in two else [])]
    assert all(each in worth for each in two if each != "fairy")
