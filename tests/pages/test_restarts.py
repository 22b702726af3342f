"""A restart of the server: it loses no game, and its first visitor waits for nothing."""

import json
import re
import stat
import time
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from support.served import Visitor, offered, version_of, wait

from carc import Action, State
from carc.commands.serve import server
from carc.web import rendering
from carc.web.app import make_app
from carc.web.live_tables import PERSON, LiveTables
from carc.web.table_store import FOLDER


def test_a_restart_loses_no_game(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path, hosts=["testserver"])) as client:
        visitor = Visitor(client)
        seat = visitor.open(
            "base+ghosts",
            ("person", "person", "level:beginner"),
            name0="Ann",
            clock="20",
            colour0="pink",
        )
        first = visitor.look(seat)
        visitor.act(seat, offered(first)[0])
        before = visitor.look(seat)
    (path,) = (tmp_path / FOLDER).glob("*.json")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600  # it holds the deal and the seats' keys
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    with TestClient(make_app(tmp_path, hosts=["testserver"])) as client:
        visitor = Visitor(client)
        after = visitor.look(seat)
        assert offered(after) == offered(before)
        assert re.findall(r"<li value.*?</li>", after, re.DOTALL) == re.findall(
            r"<li value.*?</li>", before, re.DOTALL
        )
        assert "Beginner" in after
        assert 'aria-label="pink"' in after
        assert 0 < float(re.findall(r'data-left="(\d+\.\d)"', after)[0]) <= 1200
        stale = visitor.act(seat, offered(after)[0], version_of(before))
        assert stale.status_code == 409
        assert visitor.act(seat, offered(after)[0], version_of(after)).status_code == 200
        assert client.get(f"{seat[:-3]}abc").status_code == 404  # another key
    data = json.loads(path.read_text())
    path.write_text(json.dumps({**data, "colours": None}))  # as saved before there were any
    with TestClient(make_app(tmp_path, hosts=["testserver"])) as client:
        assert 'aria-label="red"' in client.get(seat).text
    path.write_text(json.dumps({**data, "rules_version": "older"}))
    with TestClient(make_app(tmp_path, hosts=["testserver"])) as client:
        assert client.get(seat).status_code == 404
    for damaged in (
        "{",
        "[]",
        "{}",
        json.dumps({**data, "actions": ["place:90,90,0"]}),
        json.dumps({**data, "colours": ["red", "red", "red"]}),
        json.dumps({**data, "colours": [7, 8, 9]}),
    ):
        path.write_text(damaged)
        with TestClient(make_app(tmp_path, hosts=["testserver"])) as client:
            assert client.get(seat).status_code == 404


def test_who_has_come_has_come_after_a_restart(tmp_path: Path) -> None:
    with TestClient(make_app(tmp_path, hosts=["testserver"])) as client:
        visitor = Visitor(client)
        seat = visitor.open(seats=("person", "person"))
        links = re.findall(r'data-address="(/table/[^"/]+/[^"]+)"', visitor.look(seat))
        visitor.look(next(link for link in links if link != seat))
    with TestClient(make_app(tmp_path, hosts=["testserver"])) as client:
        assert "not here yet" not in Visitor(client).look(seat)


class Unhurried:
    """A bot that thinks until the table has been saved with the person's move."""

    def choose(self, state: State) -> Action:
        time.sleep(0.2)
        return state.legal_actions()[0]


def test_what_bots_did_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that thinks for a time would do something else after a restart."""
    monkeypatch.setattr("carc.web.live_tables.by_name", lambda *_: Unhurried())
    tables = LiveTables(folder=tmp_path)
    table = tables.open("base", [(PERSON, "a"), ("random", "")], seed=5)
    wait(table)
    while not any(move.player == 1 for move in table.match.moves):
        view = table.view()
        table.act(0, view.legal[-1], view.version)
        tables.advance(table)
        wait(table)
    tables.think(lambda: None).result()  # that thread is done
    tables.close()
    data = json.loads((tmp_path / f"{table.id}.json").read_text())
    assert data["actions"] == [move.action for move in table.match.moves]


def test_only_tables_are_read_from_disk(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / "outside0.json").write_text("{}")
    tables = LiveTables(folder=tmp_path / FOLDER)
    for name in ("../outside0", "..", "x" * 5000, "", "nothing12345"):
        assert tables.find(name) is None
    tables.close()


def test_a_folder_that_cannot_be_written_to_stops_no_game(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    tables = LiveTables(folder=tmp_path / "file" / FOLDER)
    table = tables.open("base", [(PERSON, "a"), ("random", "")])
    wait(table)
    assert table.view().legal
    tables.close()


def test_templates_are_compiled_before_the_first_visitor_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = rendering._TEMPLATES.overlay()
    monkeypatch.setattr(rendering, "_TEMPLATES", fresh)
    app = make_app(tmp_path, hosts=["testserver"])
    server(app)
    monkeypatch.setattr(fresh, "compile", None)
    with TestClient(app) as client:
        for path in "/", "/play", "/bots", "/nowhere":
            assert client.get(path).text.startswith("<!doctype html>")
