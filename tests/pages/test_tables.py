"""Tables without a browser: who may do what, and what strangers may not."""

import random
import re
import threading
import time
from itertools import combinations
from math import hypot

import pytest
from support.served import Visitor, clicks_of, offered, version_of, wait

from carc import Rules, read_record, replay
from carc.web import table_pages
from carc.web.action_menu import action_menu
from carc.web.live_tables import PERSON, LiveTables


def settled(tables: LiveTables, spec: str, seats: list[tuple[str, str]], **options: object):
    table = tables.open(spec, seats, seed=5, **options)  # type: ignore[arg-type]
    wait(table)
    return table


# -- playing ---------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["base+ghosts+spellcircles", "mists:5+spellcircles", "mists:6"])
def test_every_decision_of_a_game_is_offered_to_click(spec: str) -> None:
    """Each legal action is once a rotation in a cell, a place on the board, or a button."""
    tables = LiveTables()
    table = settled(tables, spec, [(PERSON, "a"), ("random", "")])
    rng = random.Random(2)
    seen = set()
    while not table.match.is_over:
        view = table.view()
        found = action_menu(table, view, 0)
        clicks = clicks_of(found)
        assert sorted(clicks) == sorted(str(a) for a in table.match.state.legal_actions())
        assert [one.action for one in found.every] == list(view.legal)
        assert len({one.words for one in found.every}) == len(found.every)
        for one, other in combinations(found.on_board, 2):  # a finger hits what it is put on
            assert hypot(one.x - other.x, one.y - other.y) >= one.radius + other.radius
        left, top, width, height = map(int, table_pages.table_values(table, view, 0)["box"].split())
        for one in found.on_board:  # and sees
            assert left + one.radius <= one.x <= left + width - one.radius
            assert top + one.radius <= one.y <= top + height - one.radius
        seen |= {click.partition(":")[0] for click in clicks}
        table.act(0, rng.choice(clicks), view.version)
        tables.advance(table)
        wait(table)
    assert {"place", "claim"} <= seen
    tables.close()


def test_the_board_stands_still_during_a_turn() -> None:
    tables = LiveTables()
    table = settled(tables, "base", [(PERSON, "a"), ("random", "")])
    rng, turns = random.Random(2), 0
    frames: list[str] = []
    while turns < 12:
        view = table.view()
        if view.data["decision"] == "place":
            turns += len(set(frames)) == 1 and len(frames) == 2
            assert len(set(frames)) <= 1
            frames = []
        frames.append(table_pages.table_values(table, view, 0)["box"])
        table.act(0, rng.choice(view.legal), view.version)
        tables.advance(table)
        wait(table)
    tables.close()


def test_a_seed_says_what_bots_and_chance_do() -> None:
    tables = LiveTables()
    told = []
    for seed in (5, 5, 6):
        table = tables.open("base", [(PERSON, "a"), ("random", "")], seed=seed)
        while not table.match.is_over and len(table.match.moves) < 40:
            wait(table)
            table.act(0, table.view().legal[0], table.version)
            tables.advance(table)
        told.append([move.action for move in table.match.moves[:40]])
    assert told[0] == told[1] != told[2]
    tables.close()


def test_a_game_by_buttons_alone(visitor: Visitor) -> None:
    """Without script: every choice stands in a form, and the record at the end holds."""
    seat = visitor.open("mists:1", ("person", "random"))
    for _ in range(400):
        text = visitor.look(seat)
        if 'data-over="yes"' in text:
            break
        form = {"action": offered(text)[0], "version": version_of(text)}
        answer = visitor.client.post(seat, data=form, follow_redirects=False)
        assert answer.status_code == 303
    record = visitor.client.get(f"{seat}/record").text
    assert replay(read_record(record), Rules.from_spec("mists:1", 2)).is_terminal
    assert "The game is over" in visitor.look(seat)


def test_a_forged_move_changes_nothing(visitor: Visitor) -> None:
    seat = visitor.open()
    before = visitor.look(seat)
    odd = ("drop table", "x" * 5000, "", "pass\npass")
    for forged in ("place:40,40,0", "claim:0,meeple", "draw:C", *odd):
        answer = visitor.act(seat, forged)
        assert answer.status_code == 400, forged
        assert 'role="alert"' in answer.text
    assert version_of(visitor.look(seat)) == version_of(before)
    assert offered(visitor.look(seat)) == offered(before)


def test_news_come_when_something_happens(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = visitor.open(seats=("person", "person"))
    before = visitor.look(seat)
    at = version_of(before)
    assert visitor.client.get(f"{seat}/news?since=0").status_code == 200  # it has been missed
    later = threading.Timer(0.3, visitor.act, (seat, offered(before)[0], at))
    with monkeypatch.context() as patched:
        patched.setattr(table_pages, "WAIT", 300.0)  # however busy the host is
        began = time.monotonic()
        later.start()
        answer = visitor.client.get(f"{seat}/news?since={at}")
        assert answer.status_code == 200
        assert time.monotonic() - began > 0.25  # not before
    assert int(version_of(answer.text)) > int(at)
    later.join()
    monkeypatch.setattr(table_pages, "WAIT", 0.1)
    monkeypatch.setattr(table_pages, "_CHECK_INTERVAL", 0.05)
    now = version_of(visitor.client.get(seat).text)
    assert visitor.client.get(f"{seat}/news?since={now}").status_code == 204


def test_a_choice_made_in_another_position_is_not_carried_out(visitor: Visitor) -> None:
    seat = visitor.open()
    text = visitor.look(seat)
    assert visitor.act(seat, offered(text)[0]).status_code == 200
    late = visitor.act(seat, "pass", version=version_of(text))
    assert late.status_code == 409
    assert "the position has changed" in late.text
    assert visitor.act(seat, "pass", version="9" * 30).status_code == 409
    assert visitor.act(seat, "pass", version="-1").status_code == 409


def test_who_comes_is_told_of_and_makes_no_choice_stale(visitor: Visitor) -> None:
    first = visitor.open(seats=("person", "person"), name1="Bob")
    (second,) = seats_of(visitor, first)
    before = visitor.look(first)
    at = version_of(before)
    assert "Bob <span" in before and "not here yet" in before
    visitor.look(second)
    told = visitor.client.get(f"{first}/news?since={at}").text
    assert "not here yet" not in told and version_of(told) != at
    assert visitor.act(first, offered(before)[0], at).status_code == 200
    assert visitor.act(first, "pass", at).status_code == 409
    first = visitor.open(seats=("person", "person"))
    visitor.act(first, offered(visitor.look(first))[0])
    while "Your turn" in visitor.look(first):
        visitor.act(first, "pass")
    assert "Waiting for person 2, who is not here yet." in visitor.look(first)


def seats_of(visitor: Visitor, first: str) -> list[str]:
    text = visitor.client.get(first).text
    return re.findall(r'data-address="(/table/[^"/]+/[^"]+)"', text.partition('id="table"')[0])


def whose_time_runs(text: str) -> list[bool]:
    return ["data-running" in cell for cell in re.findall(r'<td class="clock"[^>]*>', text)]


def test_people_at_one_table_play_their_own_turns_only(visitor: Visitor) -> None:
    first = visitor.open(seats=("person", "person"), name0="Ann", name1="Bob", clock="20")
    (second,) = seats_of(visitor, first)
    mine, other = visitor.look(first), visitor.look(second)
    assert "Your turn" in mine and "Waiting for Ann" in other
    assert not offered(other)
    action = offered(mine)[0]
    forged = visitor.act(second, action, version_of(mine))
    assert forged.status_code == 400
    assert "Ann decides now" in forged.text
    assert visitor.act(first, action).status_code == 200
    assert whose_time_runs(visitor.look(first)) == [True, False]
    while "Your turn" in visitor.look(first):
        visitor.act(first, "pass")
    assert "Your turn" in visitor.look(second)
    assert whose_time_runs(visitor.look(second)) == [False, True]
    assert seats_of(visitor, first) == []  # Bob has come: his link is shown no more
    assert second.rpartition("/")[2] not in visitor.look(first)


def test_who_has_no_key_only_watches(visitor: Visitor) -> None:
    seat = visitor.open()
    visitor.look(seat)
    address = seat.rpartition("/")[0]
    watched = visitor.client.get(address)
    assert watched.status_code == 200
    assert not offered(watched.text)
    assert seat.rpartition("/")[2] not in watched.text
    assert visitor.client.post(address, data={"action": "pass"}).status_code == 405
    for wrong in (f"{address}/wrong", f"{address}/{'x' * 24}", "/table/none", f"{address}/%c3%a9"):
        assert visitor.client.get(wrong).status_code == 404
        assert visitor.client.post(wrong, data={"action": "pass"}).status_code in (404, 405)


def test_taking_back_and_hints_are_for_who_plays_alone(visitor: Visitor) -> None:
    seat = visitor.open()
    text = visitor.look(seat)
    hint = visitor.act(seat, "hint")
    advised = re.findall(r'data-action="([^"]+)">Hint', hint.text)[0]
    assert advised in offered(text)
    assert "Points expected at the end: " in hint.text
    assert version_of(hint.text) == version_of(text)
    visitor.act(seat, advised)
    visitor.look(seat)
    assert offered(visitor.act(seat, "undo").text) == offered(text)
    first = visitor.open(seats=("person", "person"))
    for action in ("undo", "hint"):
        assert visitor.act(first, action).status_code == 400
        assert f'value="{action}"' not in visitor.look(first)


def test_taking_back_from_a_stale_page_takes_nothing_back(visitor: Visitor) -> None:
    """Two windows show one table; the older page asks to take back what it does not show."""
    seat = visitor.open()
    stale = visitor.look(seat)
    visitor.act(seat, offered(stale)[0])
    text = visitor.look(seat)
    assert visitor.act(seat, "undo", version_of(stale)).status_code == 409
    assert version_of(visitor.look(seat)) == version_of(text)


def test_the_deal_stays_secret_until_the_end(visitor: Visitor) -> None:
    """The record contains the seed of the deal, so several people get it only at the end."""
    alone = visitor.open()
    visitor.look(alone)
    assert visitor.client.get(f"{alone}/record").status_code == 200
    assert visitor.client.get(f"{alone.rpartition('/')[0]}/record").status_code == 403
    first = visitor.open(seats=("person", "person"))
    assert visitor.client.get(f"{first}/record").status_code == 403
    assert "seed" not in visitor.look(first)


def reopened(visitor: Visitor, saved: str) -> str:
    """Go on with a saved game; the address of the seat."""
    files = {"saved": ("g.jsonl", saved)}
    answer = visitor.client.post("/open", files=files, follow_redirects=False)
    return str(answer.headers["location"])


def test_a_saved_game_goes_on(visitor: Visitor) -> None:
    seat = visitor.open("base+ghosts")
    visitor.act(seat, offered(visitor.look(seat))[0])
    text = visitor.look(seat)
    saved = visitor.client.get(f"{seat}/record").text
    again = visitor.look(reopened(visitor, saved))
    assert offered(again) == offered(text)
    assert "random" in again
    for bad, why in (
        (saved[:-5], "not a line of JSON"),
        (saved.replace("place:", "place:9"), "place:9"),
        ("\x00", "not a line"),
    ):
        answer = visitor.client.post("/open", files={"saved": ("g.jsonl", bad)})
        assert answer.status_code == 400
        assert why in answer.text
    answer = visitor.client.post("/open", files={"saved": ("g.jsonl", b"\xff\xfe")})
    assert "not a text file" in answer.text


@pytest.mark.parametrize("seats", [2, 3])
def test_a_saved_game_goes_on_against_the_level_it_was_played_against(
    visitor: Visitor, seats: int
) -> None:
    seat = visitor.open(seats=("person", *["level:strong"] * (seats - 1)))
    saved = visitor.client.get(f"{seat}/record").text
    assert "Strong player" in visitor.look(reopened(visitor, saved))
    formerly = {2: "greedy:overlook=0.14", 3: "greedy:overlook=0.171"}[seats]
    saved, count = re.subn('"people:overlook=[0-9.]+"', f'"{formerly}"', saved)
    assert count == seats - 1
    assert "Strong player" in visitor.look(reopened(visitor, saved))
    stranger = saved.replace('"greedy:overlook', '"elsewhere:overlook')
    assert len(seats_of(visitor, reopened(visitor, stranger))) == seats - 1


def test_a_game_on_cardboard(visitor: Visitor) -> None:
    first = visitor.open(seats=("person", "person"), by_hand="on")
    (second,) = seats_of(visitor, first)
    text = visitor.look(first)
    assert "Which tile was drawn?" in text
    assert len([one for one in offered(text) if one.startswith("draw:")]) == 24
    # The first person tells.
    assert visitor.act(second, "draw:X", version_of(text)).status_code == 400
    visitor.act(first, "draw:X")
    assert "Your turn: place the tile" in visitor.look(first)
    assert visitor.client.get(f"{first}/record").text.count("draw:X") == 1


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"rules": "bse"}, "unknown rules"),
        ({f"seat{seat}": "person" for seat in range(6)}, "base is for 1 to 5 players, not 6"),
        ({"seat0": "random"}, "at least one seat must be a person"),
        ({"seat1": "os:system"}, "no bot &#39;os:system&#39; here"),
        ({"adviser": "os:system"}, "no bot"),
        ({"rules": "x" * 400}, "at most 300 characters"),
        ({"seed": "1e9"}, "whole number"),
        ({"seed": "²"}, "whole number"),
    ],
)
def test_what_cannot_be_opened_is_said_and_the_form_kept(
    visitor: Visitor, form: dict[str, str], sentence: str
) -> None:
    form = {"rules": "base", "seat0": "person", "seat1": "random", **form}
    answer = visitor.client.post("/open", data=form)
    assert answer.status_code == 400
    assert sentence in answer.text
    assert f'value="{form["rules"]}"' in answer.text


def test_who_comes_without_a_name_gives_one(visitor: Visitor) -> None:
    first = visitor.open(seats=("person", "person"), name0="Ann")
    (second,) = seats_of(visitor, first)
    assert "You play with Ann." in visitor.look(second)
    for name in ("", "  "):
        assert visitor.client.post(second, data={"name": name}).status_code == 400
    visitor.client.post(second, data={"name": "  <b>Bob</b>  "})
    text = visitor.look(first)
    assert "&lt;b&gt;Bob&lt;/b&gt;" in text and "Your name" not in text
    assert "Waiting for Ann" in visitor.look(second)
    assert "Your name" not in visitor.look(second)
    visitor.act(first, offered(text)[0])
    while "Your turn" in visitor.look(first):
        visitor.act(first, "pass")
    assert "You play with Ann." in visitor.look(second)
    visitor.act(second, offered(visitor.look(second))[0])
    assert "You play with" not in visitor.look(second)  # greeted is who has not moved yet


def test_names_of_people_are_texts(visitor: Visitor) -> None:
    hostile = "<script>alert(1)</script>"
    seat = visitor.open(name0=hostile, seats=("person", "random"))
    text = visitor.look(seat)
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    long = visitor.look(visitor.open(name0="n" * 5000))
    assert "n" * 41 not in long
