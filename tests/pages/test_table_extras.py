"""What a table offers beside moves: previews, points gained, the best move, rematches, a clock."""

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from support.served import Visitor, offered, version_of, wait

from carc import Rules
from carc.base.turn.steps import CHANCE
from carc.drawing.descriptions import decision_words
from carc.match.moves import Move
from carc.web import best_move
from carc.web.app import make_app
from carc.web.clock import Clock
from carc.web.live_table import LiveTable
from carc.web.live_tables import PERSON, LiveTables
from carc.web.table_words import breakdown
from carc.web.turn_log import UNFIT, recent_turns


def play_to_the_end(tables: LiveTables, table: LiveTable) -> None:
    wait(table)
    while not table.match.is_over:
        view = table.view()
        assert view.awaited is not None
        table.act(view.awaited, view.legal[0], view.version)
        tables.advance(table)
        wait(table)


# -- previews, words ---------------------------------------------------------------------


def preview(visitor: Visitor, seat: str, action: str, version: str | None = None) -> str:
    version = version or version_of(visitor.look(seat))
    query = {"action": action, "version": version}
    answer = visitor.client.get(f"{seat}/preview", params=query)
    assert answer.status_code in (200, 204, 400)
    return answer.text


def test_a_preview_counts_what_a_placement_makes(visitor: Visitor) -> None:
    """The start tile has a road from west to east; a straight road beside it makes two tiles."""
    seat = visitor.open(seats=("person", "person"), by_hand="on")
    visitor.act(seat, "draw:U")
    shown = preview(visitor, seat, "place:1,0,1")
    assert "<b>unclaimed</b> road, 2 tiles: 2 points as it is, more than 2 if completed<" in shown
    assert 'data-cells="0,0 1,0 " data-spots="150,50 "' in shown
    before = visitor.look(seat)
    assert preview(visitor, seat, "place:1,0,1", version="77") == ""  # of a position that is gone
    assert "not legal" in preview(visitor, seat, "place:9,9,1")
    assert "preview" in preview(visitor, seat, "pass")
    assert version_of(visitor.look(seat)) == version_of(before)


def test_anybody_may_ask_what_a_tile_on_the_board_is_worth(visitor: Visitor) -> None:
    """The start tile has a city in the north, a road from west to east, and a field beside each."""
    seat = visitor.open(seats=("person", "person"), by_hand="on")
    for address in (seat, seat.rpartition("/")[0]):  # a player, and somebody who watches
        shown = visitor.client.get(f"{address}/features", params={"cell": "0,0"}).text
        assert "<b>unclaimed</b> city, 1 tile: 1 point as it is, more than 2 if completed<" in shown
        assert "<b>unclaimed</b> road, 1 tile: 1 point as it is, more than 1 if completed<" in shown
        assert shown.count("<li") == 3 and shown.index("city") < shown.index("field")
        assert 'data-spots="24,34 53,78 "' in shown  # both fields, which are alike
        assert 'data-cells="0,0 "' in shown
        for cell in ("9,9", "0", "0,0,0", "99999,0", ""):
            answer = visitor.client.get(f"{address}/features", params={"cell": cell})
            assert answer.status_code == 204 and not answer.text


@pytest.mark.parametrize(
    ("kind", "action", "words"),
    [
        ("E", "place:0,-1,2", "city, 2 tiles: completed, 4 points"),
        ("G", "place:0,-1,0", "city, 2 tiles: 2 points as it is, more than 4 if completed"),
        ("B", "place:0,1,0", "monastery: 2 points as it is, 9 if completed"),
        ("B", "place:0,1,0", "field, 2 tiles: 0 points at the end of the game"),
    ],
)
def test_a_feature_says_what_it_scores(
    visitor: Visitor, kind: str, action: str, words: str
) -> None:
    """As the engine scores it: less if it stays incomplete, and more with the tiles it needs."""
    seat = visitor.open(seats=("person", "person"), by_hand="on")
    visitor.act(seat, f"draw:{kind}")
    assert f"{words}<" in preview(visitor, seat, action)


def test_a_claim_says_what_the_feature_is_worth(visitor: Visitor) -> None:
    seat = visitor.open(seats=("person", "person"), by_hand="on")
    visitor.act(seat, "draw:U")
    visitor.act(seat, "place:1,0,1")
    assert "Your turn: place a follower or pass." in visitor.look(seat)
    assert "(road, 2 tiles: 2 points as it is, more than 2 if completed)" in visitor.look(seat)


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        (["claim:0,meeple", "claim:1,meeple", "pass"], "place a follower or pass"),
        (["dragon:1,2", "dragon:2,1"], "move the dragon to a place"),
        (["fairy:1,2,0,meeple"], "move the fairy to a follower"),
        (["lie:0,meeple", "lie:0,big", "pass"], "lay a follower down or pass"),
        (["building:shed", "building:house"], "build a little building"),
        (["free:0,1,0,meeple", "pass"], "free a follower or pass"),
        (["flock:grow", "flock:home"], "add a sheep to the flock or bring the flock home"),
        (["novelty:1"], "play novelty"),
    ],
)
def test_a_decision_in_words(actions: list[str], words: str) -> None:
    spec = "base+buildings+dragon+hills+inns+monasteries+russian"
    assert decision_words(actions, Rules.cached(spec)) == words


def test_a_turn_is_one_line(visitor: Visitor) -> None:
    seat = visitor.open(seats=("person", "person"), by_hand="on", name0="Ann")
    for action in ("draw:U", "place:1,0,1", "claim:1,meeple"):
        visitor.act(seat, action)
    lines = re.findall(r"<li value.*?</li>", visitor.look(seat), re.DOTALL)
    assert len(lines) == 1
    assert "Ann</span> places the tile at (1, 0), places a follower on" in lines[0]
    assert 'href="#c-U" transform="rotate(90 50 50)"' in lines[0]


def test_who_moved_in_the_turn_of_another_is_named() -> None:
    """As all do who move the dragon; of a turn that has only begun the tile is told."""
    moves = [Move(CHANCE, "draw:C", ()), Move(1, "place:1,0,0", ()), Move(0, "dragon:1,0", ())]
    moves += [Move(1, "dragon:0,0", ()), Move(CHANCE, "draw:D", ())]
    words = ["draws C", "places C", "moves the dragon", "moves it too", "draws D"]
    begun, turn = recent_turns(moves, words, ["Ann", "Bob"])
    assert turn.player == "Bob"
    assert turn.phrases == ("places C", "Ann moves the dragon", "Bob moves it too")
    assert (begun.player, begun.phrases) == ("", ("the tile to be placed now",))


def test_why_tiles_run_out_faster_is_told() -> None:
    """One that fits nowhere is put aside, and some have two turns."""
    moves = [Move(CHANCE, "draw:C", ()), Move(CHANCE, "draw:D", ()), Move(1, "place:1,0,0", ())]
    moves += [Move(CHANCE, "draw:E", ()), Move(1, "place:2,0,0", ())]
    words = [UNFIT, "draws D", "places D", "draws E", "places E"]
    second, first = recent_turns(moves, words, ["Ann", "Bob"])
    assert first.phrases == (UNFIT, "places D")
    assert second.phrases == ("has another turn", "places E")


def test_a_tile_that_fits_nowhere_is_in_the_log(visitor: Visitor) -> None:
    """E closes the city of the start tile, and every edge of C is a city."""
    seat = visitor.open(seats=("person", "person"), by_hand="on", name0="Ann", name1="Bob")
    for action in ("draw:E", "place:0,-1,2", "pass", "draw:C", "draw:U"):
        visitor.act(seat, action)
    assert UNFIT in visitor.look(seat)
    assert "68 tiles left" in visitor.look(seat)


def test_what_is_special_is_explained_where_it_is_met(visitor: Visitor) -> None:
    """On the tile in hand, and where all there is to decide is one thing."""
    first = visitor.open("base+dragon", seats=("person", "person"), by_hand="on")
    links = re.findall(r'data-address="(/table/[^"/]+/[^"]+)"', visitor.look(first))
    second = next(link for link in links if link != first)
    visitor.act(first, "draw:PD01")
    assert "<b>Volcano:</b> The dragon comes to this tile" in visitor.look(first)
    visitor.act(first, "place:0,1,0")
    visitor.act(first, "draw:PD04")
    visitor.act(second, "place:1,1,0")
    text = visitor.look(second)
    assert "Your turn: place a follower" in text
    assert "<b>Dragon:</b>" not in text and "data-term" not in text
    visitor.act(second, "pass")
    text = visitor.look(second)
    assert "Your turn: move the dragon to a place; step 1 of 6 of the dragon." in text
    assert "<b>Dragon:</b> It moves six tiles" in text


def test_figures_are_explained_where_one_is_placed(visitor: Visitor) -> None:
    """Only those that may be placed now."""
    seat = visitor.open("base+inns+traders", by_hand="on")
    visitor.act(seat, "draw:A")
    text = visitor.look(seat)
    assert "<b>Large follower:</b>" not in text
    visitor.act(seat, offered(text)[0])
    text = visitor.look(seat)
    assert "<b>Large follower:</b> It counts as two followers in a majority." in text
    assert "<b>Builder:</b>" not in text  # no own follower is there yet


# -- who sits there ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["\u202eBob", "Bo\u200bb", "\x1b[31mBob", "bob", "BOB ", "\uff22ob"]
)
def test_nobody_hides_or_is_called_like_another(visitor: Visitor, name: str) -> None:
    """Direction and width of characters, escapes of a terminal, letters that look the same."""
    form = {"rules": "base", "seat0": PERSON, "seat1": PERSON, "name0": name, "name1": "Bob"}
    refused = visitor.client.post("/open", data=form)
    assert refused.status_code == 400
    assert "a name has visible" in refused.text or "another at this table" in refused.text
    assert not set(refused.text) & {"\u202e", "\u200b", "\x1b"}
    seat = visitor.open(seats=("person", "person"), name1="Bob")
    answer = visitor.client.post(seat, data={"name": name})
    assert answer.status_code == 400
    assert "person 1" in visitor.look(seat)
    assert visitor.client.post(seat, data={"name": " Bobby "}).status_code == 200
    assert visitor.client.post(seat, data={"name": "bobby"}).status_code == 200  # it is one's own


def test_a_person_is_not_called_like_a_bot_or_a_seat(visitor: Visitor) -> None:
    form = {"rules": "base", "seat0": PERSON, "seat1": PERSON, "seat2": "level:beginner"}
    for name in ("Beginner", "person 2"):
        answer = visitor.client.post("/open", data={**form, "name0": name})
        assert f"nother at this table is called {name}" in answer.text


def test_all_are_told_who_knows_the_deal(visitor: Visitor, tmp_path: Path) -> None:
    told = "Who opened this table gave the seed of the deal"
    two = ("person", "person")
    seat = visitor.open(seats=two, seed="7")
    watched = seat.rpartition("/")[0]
    assert told in visitor.look(seat)
    assert told in visitor.client.get(watched).text
    assert told not in visitor.look(visitor.open(seats=two))
    assert told not in visitor.look(visitor.open(seed="7"))  # alone
    with TestClient(make_app(tmp_path, hosts=["testserver"])) as later:
        assert told in later.get(watched).text


# -- the best move ---------------------------------------------------------------------


def test_the_best_move_is_told_to_who_plays_alone(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(best_move, "PLAYOUTS", 8)
    seat = visitor.open(seed="3")
    assert "you have not moved yet" in visitor.act(seat, "best").text
    visitor.act(seat, offered(visitor.look(seat))[0])
    if "pass" in offered(visitor.look(seat)):
        visitor.act(seat, "pass")
    version = version_of(visitor.look(seat))
    text = visitor.act(seat, "best").text
    assert re.search(r"Your last move was (the best|an? [a-z ]+: it gave up \d+\.\d points)", text)
    assert ('class="best"' in text) == ("Best was" in text)  # it is shown on the board, too
    assert version_of(visitor.look(seat)) == version
    several = visitor.open(seats=("person", "person"))
    assert visitor.act(several, "best").status_code == 400


# -- the end ---------------------------------------------------------------------------


def test_after_the_end_points_add_up_and_the_same_people_play_again() -> None:
    tables = LiveTables()
    seats = [(PERSON, "Ann"), (PERSON, "Bob"), ("level:beginner", "")]
    table = tables.open("base", seats, seed=5, minutes=10)
    with pytest.raises(Exception, match="not over"):
        tables.rematch(table)
    play_to_the_end(tables, table)
    by_kind = breakdown(table)
    assert breakdown(table) == by_kind  # also when it is asked for once more
    assert table.record() == table.record()
    assert {"city", "road"} <= set(by_kind)
    assert [sum(points) for points in zip(*by_kind.values(), strict=True)] == list(
        table.view().data["scores"]
    )
    tables.rematch(table)
    tables.rematch(table)  # both ask for it
    assert len(tables) == 2
    ann, bob = table.rematch[0], table.rematch[1]
    again = tables.find(ann.split("/")[2])
    assert again is not None
    assert again.titles == ("Bob", "Beginner", "Ann")
    assert again.seat_of(ann.split("/")[3]) == 2
    assert again.seat_of(bob.split("/")[3]) == 0
    assert again.minutes == 10
    assert again.match.seed != table.match.seed
    tables.close()


# -- the clock -------------------------------------------------------------------------


def test_a_clock_counts_for_the_one_who_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    clock = Clock((0, 1), 60)
    clock.run(0)
    now += 25
    assert clock.left() == {0: 35, 1: 60}
    clock.run(1)
    now += 59
    assert clock.left() == {0: 35, 1: 1}
    assert clock.expired is None
    now += 1
    assert clock.expired == 1
    clock.run(None)  # chance or a bot: nobody's time runs
    now += 60
    assert clock.left() == {0: 35, 1: 0}
    assert [clock.expired] == [None]


def test_the_clock_waits_until_all_are_here(visitor: Visitor) -> None:
    seat = visitor.open(seats=("person", "person"), clock="5")
    app: Any = visitor.client.app
    table = app.state.live_tables.find(seat.split("/")[2])
    assert 'data-running="yes"' not in visitor.look(seat)
    assert table.clock.running is None
    friend = next(key for key in table.keys.values() if not seat.endswith(key))
    visitor.look(f"{seat.rpartition('/')[0]}/{friend}")
    assert table.clock.running == table.match.awaited
    assert 'data-running="yes"' in visitor.look(seat)


def test_a_bot_plays_on_for_a_person_whose_time_is_up(visitor: Visitor) -> None:
    seat = visitor.open(seats=("person", "random"), clock="5", name0="Ann")
    assert re.search(r'class="clock" data-left="\d+\.\d" data-running="yes"', visitor.look(seat))
    app: Any = visitor.client.app
    table = app.state.live_tables.find(seat.split("/")[2])
    table.clock = Clock.of({0: -1.0})
    table.clock.run(0)
    late = visitor.act(seat, offered(visitor.look(seat))[0])
    assert late.status_code == 409 and "your time is up" in late.text
    wait(table)
    assert table.match.is_over


def test_a_clock_that_is_not_offered_is_refused(visitor: Visitor) -> None:
    form = {"rules": "base", "seat0": PERSON, "seat1": "random", "clock": "7"}
    assert (
        "the clock is one of 5, 10, 20, 40 minutes" in visitor.client.post("/open", data=form).text
    )
