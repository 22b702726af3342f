"""Tables of a board as texts: on a narrow terminal in portions, each with the first columns."""

from carc.tournaments.reports.sheets import Sheet

BOTS = [f"bot-{number}" for number in range(20)]
ROWS = [
    [bot, "0.22 [-1.16, 1.71]", *(f"0.{at:02}" for at in range(len(BOTS)))]  # a column a number
    for bot in BOTS
]
SHEET = Sheet("better than", ("bot", "above", *BOTS), ROWS, fixed=2)


def test_portions_have_every_column_once_beside_the_first_ones() -> None:
    portions = list(SHEET.portions(80))
    assert len(portions) > 1
    assert [head for each in portions for head in each.heads[2:]] == BOTS
    for each in portions:
        assert each.heads[:2] == ("bot", "above")
        for row, whole in zip(each.rows, ROWS, strict=True):
            assert row == [*whole[:2], *(f"0.{BOTS.index(head):02}" for head in each.heads[2:])]


def test_a_portion_fits_the_terminal() -> None:
    for width in (60, 80, 120):
        for each in SHEET.portions(width):
            columns = zip(each.heads, *each.rows, strict=True)
            assert sum(2 + max(map(len, column)) for column in columns) <= width


def test_there_is_one_portion_where_all_fits_and_a_column_each_where_nothing_does() -> None:
    assert [each.heads for each in SHEET.portions(1000)] == [SHEET.heads]
    assert [each.heads[2:] for each in SHEET.portions(1)] == [(bot,) for bot in BOTS]
