"""The pages of tournaments: boards that live, games found, replays, logs for authors, bots submitted."""

import io
import itertools
import json
import re
import time
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import attrs
import pytest
from browser import barriers, complaints
from served import serving
from starlette.testclient import TestClient

import carc
from carc import Rules, play
from carc.bots import by_name
from carc.errors import BadBot
from carc.tournaments.entrants import Entrant
from carc.tournaments.ledger import Ledger
from carc.tournaments.outcome import Outcome, row
from carc.tournaments.registry import VARIABLE, Registry
from carc.tournaments.schedule import Configuration, rotation_set
from carc.web import authors, results, shelf, shown
from carc.web.app import make_app
from carc.web.authors import unpack

ANN = "token-of-ann-0123456789"
EVE = "token-of-eve-0123456789"
BOT = "class Bot:\n    def choose(self, state):\n        return state.legal_actions()[0]\n"
MANIFEST = 'name = "mine"\nversion = "0.1"\nlanguage = "python"\nentry = "bot:Bot"\n'


@pytest.fixture(scope="module")
def record() -> str:
    """Of a real match."""
    bots = [by_name("random", 1), by_name("random", 2)]
    return play(Rules.named("base", 2), bots, seed=3, names=["x", "y"]).to_text()


@pytest.fixture
def cup(tmp_path: Path, record: str) -> Callable[..., list[Outcome]]:
    """Writes games of made-up bots into the ledger of `cup`: `cup(["a", "b"], deals=2)`; the first by name wins all."""

    def write(bots: list[str], deals: int = 1, **changes: Any) -> list[Outcome]:
        entrants = [Entrant(name, name, f"digest of {name}") for name in bots]
        configuration = Configuration("base", "1-test", entrants, [2], deals, 1)
        written = []
        with Ledger.writing(tmp_path / "cup", configuration) as ledger:
            known = ledger.ids()
            pairs = itertools.combinations(configuration.bots, 2)
            games = [
                game
                for deal, pair in itertools.product(range(deals), pairs)
                for game in rotation_set(configuration, deal, pair)
            ]
            for number, game in enumerate(games):
                if game.id in known:
                    continue
                names = tuple(bot.name for bot in game.seats)
                first = names.index(min(names))
                parts = {
                    "id": game.id, "rotation_set": game.rotation_set, "deal": game.deal, "deal_seed": game.deal_seed, "rules": game.rules,
                    "seats": names, "digests": tuple(bot.digest for bot in game.seats), "isolation": ("none",) * 2,
                    "verdict": "ok", "ranks": tuple(int(seat != first) for seat in range(2)),
                    "scores": tuple(50 + number if seat == first else 10 for seat in range(2)), "winners": (first,),
                    "verdicts": ("ok",) * 2, "moves": (1, 1), "wall": (0.5, 0.5), "cpu": (0.2, 0.2), "kinds": ({}, {}),
                    "finished": f"2026-01-01T00:00:{number:02}+00:00", "times": ([(0.5, 0.2)], [(0.5, 0.2)]),
                    "stderr": ("\x1b[2Jred herring", "green"), "record": record,
                }  # fmt: skip
                written.append(Outcome(**{**parts, **changes}))
                ledger.add([row(written[-1])])
        return written

    return write


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "registry"))
    app = make_app(tmp_path, hosts=["testserver"], authors={ANN: "ann", EVE: "eve"})
    with TestClient(app) as client:
        yield client


def read(client: TestClient, path: str) -> str:
    """A page that may have to be waited for."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        text = client.get(path).text
        if "being rated" not in text and "being read" not in text:
            return text
        time.sleep(0.1)
    raise AssertionError(f"{path} is never ready")


def cells(text: str) -> list[list[str]]:
    """The rows of a page's tables."""
    rows = re.findall(r"<tr>(.*?)</tr>", text, re.S)
    return [
        [
            re.sub(r"<[^>]*>", "", cell).strip()
            for cell in re.findall(r"<t[hd].*?</t[hd]>", one, re.S)
        ]
        for one in rows
    ]


def listed(text: str) -> list[list[str]]:
    """The games a page lists."""
    return [row for row in cells(text) if len(row) == 4][1:]


def test_the_board_ranks_and_the_cross_table_tells_who_beat_whom(
    client: TestClient, cup: Any
) -> None:
    cup(["bob", "ann"], deals=3)
    assert '<a href="/t/cup">cup</a>' in client.get("/").text
    rows = cells(read(client, "/t/cup"))
    board = {row[1]: row for row in rows if len(row) == 10}
    assert [row[1] for row in rows if len(row) == 10][1:] == ["ann", "bob"]
    assert board["ann"][2:4] == ["6", "6"] and board["bob"][3] == "0"
    assert ["ann", "", "1.00"] in rows and ["bob", "0.00", ""] in rows


def test_games_are_filtered_sorted_and_lead_to_their_replay(client: TestClient, cup: Any) -> None:
    games = cup(["ann", "bob", "cid"], deals=2)
    games += cup(["ann", "bob", "cid"], deals=3, verdicts=("crash", "ok"))
    everything = listed(read(client, "/t/cup/games"))
    assert len(everything) == len(games) == 18
    with_cid = listed(client.get("/t/cup/games?bot=cid&other=ann").text)
    assert len(with_cid) == 6
    faulty = listed(client.get("/t/cup/games?verdict=faults").text)
    assert len(faulty) == 6 and all("crash" in row[3] for row in faulty)
    assert len(listed(client.get("/t/cup/games?verdict=clean").text)) == 12
    margins = [
        [int(n) for n in re.findall(r"\d+", row[1])]
        for row in listed(client.get("/t/cup/games?sort=margin").text)
    ]
    assert margins[0][0] - margins[0][1] == max(max(g.scores) - min(g.scores) for g in games)
    page = client.get(f"/t/cup/game/{games[0].id}").text
    assert 'class="carc-replay"' in page and "0.50 s" in page
    for odd in ("page=99", "page=-1", "page=x", "page=²", "bot=nobody", "sort=%00"):
        assert client.get(f"/t/cup/games?{odd}").status_code == 200


def test_pages_of_many_games(client: TestClient, cup: Any) -> None:
    cup(["ann", "bob"], deals=40)
    text = read(client, "/t/cup/games")
    assert len(listed(text)) == 50 and "page 1 of 2" in text
    older = re.findall(r'href="([^"]*page=2[^"]*)"', text)[0].replace("&amp;", "&")
    assert len(listed(client.get(older).text)) == 30


def test_one_bot_against_each_and_the_best_in_the_cross_table(
    client: TestClient, cup: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup(["ann", "bob", "cid"], deals=3)
    monkeypatch.setattr(shown, "MOST_CROSS", 2)
    text = read(client, "/t/cup")
    assert "the best 2" in text
    crossed = text[text.index("cross table") :]
    assert [row[0] for row in cells(crossed)] == ["bot", "ann", "bob"]
    against = [row for row in cells(read(client, "/t/cup/games?bot=bob")) if len(row) == 2]
    assert [row[0] for row in against] == ["of", "ann", "cid"]
    assert against[1][1].startswith("0.00 [") and against[2][1].startswith("1.00 [")


# -- what is known at once ----------------------------------------------------------------------------------------------


class Never(results.Reader):
    """Reads and does not come to an end."""

    def submit(self, *asked: Any) -> Future[Any]:
        self.asked = asked
        return Future()


def test_a_rough_board_comes_before_the_rated_one(tmp_path: Path, cup: Any) -> None:
    cup(["ann", "bob", "cid"], deals=4)
    rough, rated = (results.read(tmp_path / "cup", (), one) for one in (True, False))
    assert results.ROUGH in rough.board.notes and results.ROUGH not in rated.board.notes
    assert not rough.whole and rated.whole
    assert [one.strength[0] for one in rough.board.lines] == [
        one.strength[0] for one in rated.board.lines
    ]
    assert rough.board.lines[0].mu is None and rated.board.lines[0].mu is not None
    assert rough.games == rated.games
    (tmp_path / "cup" / shelf.FILE).unlink()
    app = make_app(tmp_path, hosts=["testserver"])
    app.state.tournaments.reader.submit = lambda *asked: Future()
    with TestClient(app) as client:
        one = app.state.tournaments.find("cup")
        assert "being read" in client.get("/t/cup").text
        one._latest = rough
        board = [row for row in cells(client.get("/t/cup").text) if len(row) == 10]
        assert [row[1] for row in board] == ["bot", "ann", "bob", "cid"]
        assert [row[6:8] for row in board[1:]] == [["", ""]] * 3  # neither ranks nor TrueSkill
        assert not any("[" in cell for row in board for cell in row)


def test_what_was_rated_last_is_shown_at_once(client: TestClient, tmp_path: Path, cup: Any) -> None:
    cup(["ann", "bob"], deals=2)
    rated = read(client, "/t/cup")
    again = results.Tournament("cup", tmp_path / "cup", reader := Never())
    found, wrong = again.latest()
    assert found is not None and not wrong
    assert [line.bot for line in found.board.lines] == ["ann", "bob"]
    assert found.board.heading in rated
    assert found.games is None and reader.asked[2] is True  # these are still to be read
    fresh = make_app(tmp_path, hosts=["testserver"])
    fresh.state.tournaments.reader.submit = lambda *asked: Future()
    with TestClient(fresh) as other:
        assert cells(other.get("/t/cup").text) == cells(rated)
        assert "being read" in other.get("/t/cup/games").text


def test_a_board_that_is_kept_is_not_taken_for_that_of_other_games(
    tmp_path: Path, cup: Any
) -> None:
    cup(["ann", "bob"])
    folder = tmp_path / "cup"
    one = results.Tournaments(tmp_path).find("cup")
    assert one is not None
    try:
        until(lambda: (found := one.latest()[0]) is not None and found.whole)
        assert one.latest()[0].board.lines[0].games == 2  # type: ignore[union-attr]
        cup(["ann", "bob"], deals=5)
        later = results.Tournament("cup", folder, one._reader)
        assert later.latest()[0].board.lines[0].games == 2  # type: ignore[union-attr]
        until(lambda: (found := later.latest()[0]) is not None and found.whole)
        assert later.latest()[0].board.lines[0].games == 10  # type: ignore[union-attr]
    finally:
        one._reader.close()


def until(met: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not met():
        assert time.monotonic() < end, "it never comes"
        time.sleep(0.05)


@pytest.mark.parametrize(
    "kept",
    ["", "no json", "[]", "{}", '{"carc_version": "0", "stamp": [], "board": {}}',
     json.dumps({"carc_version": carc.__version__, "stamp": [[1, 2]], "board": {"lines": [{"rank": 1}]}})],
)  # fmt: skip
def test_a_kept_board_that_is_not_understood_is_left_alone(tmp_path: Path, kept: str) -> None:
    (tmp_path / shelf.FILE).write_text(kept)
    assert shelf.get(tmp_path) is None


def test_where_nothing_may_be_written_no_board_is_kept(tmp_path: Path, cup: Any) -> None:
    cup(["ann", "bob"])
    board = results.read(tmp_path / "cup", (), True).board
    shelf.put(tmp_path / "none", (), board)
    assert not (tmp_path / "none").exists()
    shelf.put(tmp_path, ((1, 2),), board)
    kept = shelf.get(tmp_path)
    assert kept is not None and kept.board == board and kept.stamp == ((1, 2),)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == [shelf.FILE]


def test_names_of_bots_are_texts(client: TestClient, cup: Any) -> None:
    hostile = "<img src=x onerror=alert(1)>\u202e"
    games = cup(["ann", hostile], deals=1)
    for path in ("/t/cup", "/t/cup/games", f"/t/cup/game/{games[0].id}"):
        text = read(client, path)
        assert "<img" not in text
        if "/game/" not in path:  # the record has names of its own
            assert "&lt;img" in text
            assert "\u202e" not in re.sub(
                r'value="[^"]*"', "", text
            )  # a form sends back the name itself


@pytest.mark.parametrize(
    "path", ["/t/none", "/t/none/games", "/t/cup/game/zzz", "/t/cup/game/%25", "/replay/none.js"]
)
def test_what_is_not_there_is_said(client: TestClient, cup: Any, path: str) -> None:
    cup(["ann", "bob"])
    answer = client.get(path)
    assert answer.status_code in (400, 404)
    assert "<h1>" in answer.text


def test_a_broken_ledger_is_said_and_the_rest_served(
    client: TestClient, tmp_path: Path, cup: Any
) -> None:
    cup(["ann", "bob"])
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "ledger.sqlite").write_bytes(b"no database" * 1000)
    assert 'role="alert"' in read(client, "/t/bad")
    assert "ann" in read(client, "/t/cup")


# -- authors ------------------------------------------------------------------------------------------------------------


def sign_in(client: TestClient, token: str) -> int:
    return client.post("/sign-in", data={"token": token}, follow_redirects=False).status_code


def submitted(tmp_path: Path, name: str, author: str) -> None:
    from carc.tournaments.content import read as content

    folder = tmp_path / f"bot of {author}"
    folder.mkdir()
    (folder / "bot.py").write_text(BOT)
    (folder / "bot.toml").write_text(MANIFEST.replace("mine", name))
    Registry().add(content(folder), author)


def test_what_a_bot_wrote_is_for_its_author(client: TestClient, cup: Any, tmp_path: Path) -> None:
    submitted(tmp_path, "mine", "ann")
    submitted(tmp_path, "other", "eve")
    (game, *_) = cup(["mine", "other"])
    seat = game.seats.index("mine")
    path = f"/t/cup/game/{game.id}/log/{seat}"
    assert client.get(path).status_code == 403
    sign_in(client, EVE)
    assert client.get(path).status_code == 403
    assert f"/log/{seat}" not in client.get(f"/t/cup/game/{game.id}").text
    sign_in(client, ANN)
    assert f"/log/{seat}" in client.get(f"/t/cup/game/{game.id}").text
    text = client.get(path).text
    assert ("red herring", "green")[seat] in text
    assert "\x1b" not in text
    for wrong in (f"/t/cup/game/{game.id}/log/{1 - seat}", f"/t/cup/game/{game.id}/log/7"):
        assert client.get(wrong).status_code == 403
    sign_in(client, "")
    assert client.get(path).status_code == 403


def test_a_wrong_token_signs_nobody_in(client: TestClient) -> None:
    assert sign_in(client, "guess") == 403
    assert sign_in(client, ANN) == 303
    cookie = client.cookies.jar
    (kept,) = list(cookie)
    assert (
        kept.has_nonstandard_attr("HttpOnly") and kept.get_nonstandard_attr("SameSite") == "strict"
    )


def zipped(**files: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return packed.getvalue()


GOOD = {"mine/bot.py": BOT, "mine/bot.toml": MANIFEST}


def upload(client: TestClient, archive: bytes) -> str:
    """Submit an archive; what is said in the end."""
    answer = client.post("/bots", files={"bot": ("mine.zip", archive)}, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    end = time.monotonic() + 300
    while time.monotonic() < end:
        text = client.get(answer.headers["location"]).text
        said = re.findall(r'<p role="status">(.*?)</p>', text)[0]
        if not said.startswith("It plays"):
            return f"{said} {text}"
        time.sleep(0.2)
    raise AssertionError("the check does not end")


def test_a_bot_is_checked_and_submitted(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(authors, "GAMES", 1)
    sign_in(client, ANN)
    said = upload(client, zipped(**GOOD))
    assert "Submitted mine@0.1, digest " in said, said
    assert "pass  " in said
    (held,) = Registry().submissions()
    assert (held.spec, held.author) == ("mine@0.1", "ann")
    assert "mine@0.1" in client.get("/bots").text
    assert "This very content is mine@0.1" in upload(client, zipped(**GOOD))


def test_only_authors_submit_and_a_check_is_seen_by_its_author_alone(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(authors, "GAMES", 1)
    files = {"bot": ("mine.zip", zipped(**GOOD))}
    assert client.post("/bots", files=files).status_code == 403
    assert Registry().submissions() == []
    sign_in(client, ANN)
    answer = client.post("/bots", files={"bot": ("x.zip", b"no zip")}, follow_redirects=False)
    sign_in(client, EVE)
    assert client.get(answer.headers["location"]).status_code == 404


def test_a_bot_that_fails_the_check_is_not_stored(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(authors, "GAMES", 1)
    sign_in(client, ANN)
    lost = BOT.replace("return", "raise KeyError('lost')\n        return")
    said = upload(client, zipped(**{**GOOD, "mine/bot.py": lost}))
    assert "Not submitted." in said and "FAIL" in said
    assert Registry().submissions() == []


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({"../evil.py": "x"}, "names places outside"),
        ({"a/../../evil.py": "x"}, "names places outside"),
        ({"/etc/evil": "x"}, "names places outside"),
        ({"a\\..\\evil": "x"}, "names places outside"),
        ({}, "the archive is empty"),
        ({f"f{n}": "" for n in range(201)}, "holds 201 files"),
        ({"a": "x", "a/b": "y"}, "no zip archive"),
        ({"big": "0" * (41 << 20)}, "larger than 40 MB"),
    ],
    ids=lambda value: value[:12] if isinstance(value, str) else "",
)
def test_archives_that_mean_harm(tmp_path: Path, files: dict[str, str], sentence: str) -> None:
    with pytest.raises(BadBot, match=sentence):
        unpack(zipped(**files), tmp_path / "in" / "bot")
    outside = [path for path in tmp_path.rglob("*") if path.is_file() and "bot" not in path.parts]
    assert outside == []


def test_links_in_archives_are_refused(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        link = zipfile.ZipInfo("link")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(BadBot, match="links"):
        unpack(packed.getvalue(), tmp_path / "bot")
    with pytest.raises(BadBot, match="no zip archive"):
        unpack(packed.getvalue()[:-30], tmp_path / "bot")


def test_too_large_an_upload_is_not_taken(client: TestClient) -> None:
    sign_in(client, ANN)
    files = {"bot": ("mine.zip", b"x" * (21 << 20))}
    assert client.post("/bots", files=files).status_code == 413
    assert client.post("/bots", data={"bot": "no file"}).status_code == 400


# -- in a browser -------------------------------------------------------------------------------------------------------


def test_the_board_changes_while_one_looks(browser: Any, tmp_path: Path, cup: Any) -> None:
    cup(["ann", "bob"], deals=1)
    with serving(tmp_path) as address:
        browser.get(f"{address}/t/cup")
        said = "return document.getElementById('live').textContent"

        def wait(text: str) -> None:
            end = time.monotonic() + 60
            while text not in browser.execute_script(said):
                assert time.monotonic() < end, browser.execute_script(said)
                time.sleep(0.1)

        wait("2 games in 1 rotation sets")
        assert barriers(browser) == []
        cup(["ann", "bob"], deals=3)
        wait("6 games in 3 rotation sets")  # without a reload
        assert complaints(browser) == []


def test_a_replay_of_a_tournaments_game_steps_to_its_end(
    browser: Any, tmp_path: Path, cup: Any
) -> None:
    (game, *_) = cup(["ann", "bob"])
    with serving(tmp_path) as address:
        browser.get(f"{address}/t/cup/game/{game.id}")
        browser.find_element("css selector", '[data-do="last"]').click()
        number = browser.find_element("css selector", ".carc-number").get_attribute("textContent")
        at, last = number.split("/")
        assert at == last
        assert complaints(browser) == []


def test_outcomes_are_as_the_ledger_has_them() -> None:
    """The pages rely on these fields by name."""
    names = {field.name for field in attrs.fields(Outcome)}
    assert {
        "id",
        "seats",
        "scores",
        "ranks",
        "verdict",
        "verdicts",
        "finished",
        "times",
        "stderr",
        "record",
    } <= names
