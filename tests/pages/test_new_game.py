"""Choosing rules and opponents: pictures, sentences, warnings, presets, levels."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from support.installed import install
from support.served import Visitor

from carc import Expansion, Rules
from carc.base.expansions.base_game import Base
from carc.base.expansions.spec import load, registered
from carc.bots import SHIPPED
from carc.bots.ladder import ladder
from carc.drawing.words import Words, words_of
from carc.web import rules_cards
from carc.web.live_tables import PERSON, LiveTables
from carc.web.suggestions import Preset, levels_among, presets

SHIPPED_EXPANSIONS = [
    name for name, point in registered().items() if point.value.startswith("carc.")
]


@pytest.mark.parametrize("name", SHIPPED_EXPANSIONS)
def test_an_expansion_says_what_it_is(name: str) -> None:
    """One sentence that fits a card, and pictures and warnings of things that exist."""
    words = words_of(load(registered()[name]))
    assert words.summary.endswith(".") and len(words.summary) < 120
    assert words.title and not words.title.endswith(".")
    assert set(words.cautions) <= {"base", *registered()}
    if words.tile:
        card = next(card for card in rules_cards.cards() if card.name == name)
        tile = rules_cards._tile(card)
        assert tile is not None and tile.name == words.tile
    assert set(words.terms) <= met_with(name) | set(words.phrases)
    assert all(term.endswith(".") and len(term) < 100 for term in words.terms.values())


@pytest.mark.parametrize("name", ["base", *SHIPPED_EXPANSIONS])
def test_every_option_has_words(name: str) -> None:
    """A title for its menu and words for each value, and none for what there is not."""
    expansion = Base() if name == "base" else load(registered()[name])
    told = words_of(expansion).options
    assert {option: set(words) for option, words in told.items()} == {
        option: {"title", *values} for option, values in expansion.options().items()
    }
    for words in told.values():
        assert all(words.values()) and len(set(words.values())) == len(words)
        assert not any(said.endswith((".", ":")) for said in words.values())


STRANGER = """
from carc import Expansion

class Moats(Expansion):
    def options(self):
        return {"depth": ("deep", "shallow"), "toll_gate": ("off", "on")}
"""
WORDS = """
title = "The Moats"
summary = "A moat keeps thieves out."

[options.depth]
title = "Moats & ponds are"
deep = "too deep to wade"
"""


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The expansion `moats` in an installed package of somebody else."""
    package = install(tmp_path / "packages", moats="strangers_moats:Moats")
    (package / "strangers_moats.py").write_text(STRANGER)
    (package / "words.toml").write_text(WORDS)
    monkeypatch.syspath_prepend(package)
    rules_cards.cards.cache_clear()
    yield
    rules_cards.cards.cache_clear()
    sys.modules.pop("strangers_moats", None)


@pytest.mark.usefixtures("stranger")
def test_an_expansion_of_a_stranger_has_its_words_on_the_page(client: TestClient) -> None:
    """Where it has none for an option or a value, that is shown as it is written."""
    text = client.get("/play").text
    assert "<b>The Moats</b> A moat keeps thieves out." in text
    menus = re.findall(r'<label>([^<]*) <select name="moats\.(.*?)</select>', text)
    assert [title for title, _ in menus] == ["Moats &amp; ponds are", "Toll gate"]
    assert [re.findall(r'<option value="(\w+)">([^<]*)', values) for _, values in menus] == [
        [("deep", "too deep to wade"), ("shallow", "shallow")],
        [("off", "off"), ("on", "on")],
    ]


def met_with(name: str) -> set[str]:
    """What a game with an expansion shows: symbols, marks, kinds of feature and of follower."""
    card = next(card for card in rules_cards.cards() if card.name == name)
    last = f"{name}:{card.arguments[-1]}" if card.arguments else ""  # the level with everything
    rules = Rules.cached(last) if last else rules_cards._sample_rules(card)
    assert rules is not None
    found = {kind.name for kind in rules.follower_kinds}
    for tile in rules.catalogue.tiles:
        found |= {symbol for symbol, _ in tile.symbols}
        for segment in tile.segments:
            found |= {segment.kind, *(mark for mark, _ in segment.marks)}
    return found


def test_a_picture_shows_the_tile_and_the_piece(client: TestClient) -> None:
    answer = client.get("/rules/dragon.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert rules_cards._piece("dragon") in answer.text
    assert "script" not in answer.text
    for name in ("son", "phantom"):  # no tiles: initials, a figure
        assert "<g transform" in client.get(f"/rules/{name}.svg").text
    assert client.get("/rules/nothing.svg").status_code == 404


def test_an_expansion_without_a_declaration_is_shown_by_its_name() -> None:
    class Toll(Expansion):
        """Roads cost a point.

        More than the card has room for.
        """

    assert rules_cards.card_words("toll_gate", Toll()) == Words("Toll gate", "Roads cost a point.")


@pytest.mark.parametrize(
    ("spec", "players", "sentence"),
    [
        ("base", 2, "72 tiles, about 40 minutes."),
        ("base+inns", 2, "90 tiles"),
        ("base+nothing", 2, "Unknown rules"),
        ("spellcircles", 2, "Spellcircles comes after a game"),
        ("base", 6, "Base is for 1 to 5 players, not 6."),
        ("mists:1+traders", 2, "goods and pigs are worth nothing"),
        ("base+inns+traders+king+abbot+dragon", 2, "5 expansions at once"),
        ("base+son", 2, "No tile shows the robber"),
        ("base+ghosts+inns", 2, "This will be a long game."),
        ("x" * 400, 2, "at most 300 characters"),
    ],
)
def test_a_choice_is_explained(client: TestClient, spec: str, players: int, sentence: str) -> None:
    answer = client.get("/play/check", params={"rules": spec, "players": players})
    assert answer.status_code == 200
    assert sentence in answer.text


def test_what_is_not_odd_brings_no_warning(client: TestClient) -> None:
    for spec in ("base", "base+inns+river", "base+traders", "mists:1"):
        assert "caution" not in client.get("/play/check", params={"rules": spec}).text


def test_pictures_alone_choose_the_rules(visitor: Visitor) -> None:
    """Without script the line of rules stays empty."""
    form = {"rules": "", "game": "base", "part": ["inns", "river"], "mists-argument": "2"}
    form |= {"seat0": PERSON, "seat1": "random"}
    answer = visitor.client.post("/open", data=form, follow_redirects=False)
    assert "base+inns+river" in visitor.look(answer.headers["location"])
    form |= {"game": "mists", "part": []}
    answer = visitor.client.post("/open", data=form, follow_redirects=False)
    assert "mists:2" in visitor.look(answer.headers["location"])
    form |= {"game": "base", "part": ["dragon"], "base.fields": "on", "dragon.princess": "must"}
    answer = visitor.client.post("/open", data=form, follow_redirects=False)
    assert "<code>base+dragon(princess=must)</code>" in visitor.look(answer.headers["location"])


def test_a_preset_fills_in_the_form(client: TestClient) -> None:
    assert 'href="/play?preset=together"' in client.get("/").text
    text = client.get("/play?preset=together").text
    assert 'value="mists:1"' in text
    assert re.search(r'value="level:strong"[^>]* selected', text)
    assert client.get("/play?preset=nothing").status_code == 200


def test_a_game_with_a_friend_is_found_and_says_whom_its_link_reaches(client: TestClient) -> None:
    home = client.get("/").text
    assert 'href="/play?preset=friend"' in home
    pictures = re.findall(r'<li><a [^>]*><img src="([^"]+)"', home)
    assert len(pictures) == home.count('<li><a href="/play')  # each card has one
    assert {client.get(at).headers["content-type"] for at in pictures} == {"image/svg+xml"}
    form = client.get("/play?preset=friend")
    assert len(re.findall('value="person" selected', form.text)) == 2
    assert form.text.index('id="seat0"') < form.text.index('name="game"')  # players come first
    assert "works on this computer only" not in form.text


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.id)
def test_a_preset_can_be_played(visitor: Visitor, preset: Preset) -> None:
    assert visitor.look(visitor.open(preset.rules, tuple(preset.seats)))


def test_a_level_is_a_bot_that_suits_the_game() -> None:
    tables = LiveTables()
    seats = [(PERSON, "a"), ("level:strong", "")]
    rivals, team = tables.open("base", seats), tables.open("mists:1", seats)
    assert rivals.match.names[1] == "people:overlook=0.12"
    assert team.match.names[1] == "greedy:0.0025"
    assert rivals.titles[1] == team.titles[1] == "Strong player"
    tables.close()


def test_a_server_offers_the_levels_of_its_bots_only(visitor: Visitor) -> None:
    assert levels_among(["random"]) == ()
    assert [level.id for level in levels_among(["greedy"])] == ["expert"]
    assert levels_among(["greedy", "people"]) == ladder()[:6]
    assert len(levels_among(tuple(SHIPPED))) == len(ladder())
    for seat in ("level:nothing", "level:", "greedy:0.5", "strong:jobs=64"):
        form = {"rules": "base", "seat0": PERSON, "seat1": seat}
        assert visitor.client.post("/open", data=form).status_code == 400
