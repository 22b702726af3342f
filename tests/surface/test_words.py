"""`words.toml`, what people read of an expansion: a stranger is told what is wrong in it."""

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.installed import install

from carc import Expansion, Rules
from carc.base.expansions.spec import configured, registered
from carc.drawing.words import Words, words_of
from carc.errors import BadRules
from carc.testing import check

MOATS = """
from carc import Expansion

class Moats(Expansion):
    def options(self):
        return {"depth": ("deep", "shallow")}

class OlderMoats(Expansion):
    pass
"""


@pytest.fixture
def moats(tmp_path: Path) -> Iterator[type[Expansion]]:
    """The class of an expansion whose module lies in `tmp_path`."""
    path = tmp_path / "strangers_moats.py"
    path.write_text(MOATS)
    spec = importlib.util.spec_from_file_location("strangers_moats", path)
    assert spec is not None and spec.loader is not None
    module = sys.modules["strangers_moats"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module.Moats
    del sys.modules["strangers_moats"]


def test_an_expansion_without_words_has_none(
    moats: type[Expansion], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor has one that was typed in; then its module is no file, and this folder is any."""
    assert words_of(moats()) == Words()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words.toml").write_text("title = 'Others'\n")
    assert words_of(type("Typed", (Expansion,), {"__module__": "typed_in"})()) == Words()


def test_words_lie_beside_the_module(moats: type[Expansion], tmp_path: Path) -> None:
    """What extends an expansion elsewhere has its words, unless it brings its own."""
    (tmp_path / "words.toml").write_text('title = "Moats"\n[asks]\nwade = "wade"\n')
    assert words_of(moats()) == Words("Moats", asks={"wade": "wade"})
    assert words_of(type("Wider", (moats,), {"__module__": __name__})()).title == "Moats"
    assert words_of(Rules.cached("base+inns").expansions[1]).title == "Inns & Cathedrals"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title", "Expected '='"),
        ("titel = 'Moats'", "unknown key 'titel'; keys are title, summary"),
        ("title = 1", "'title' of the words is a text, not 1"),
        ("options = 1", "'options' of the words is an object, not 1"),
        ("[phrases]\nwade = 1", "'wade' in 'phrases' of the words is a text, not 1"),
        ("[options]\ndepth = 1", "'depth' in 'options' of the words is an object, not 1"),
        ("[options.depth]\ndeep = 'too deep'", "option depth has no title"),
        (
            "[options.depth]\ntitle = 1",
            "'title' in 'depth' in 'options' of the words is a text, not 1",
        ),
        ("[options.width]\ntitle = 'Wide'", "moats has no option 'width'; it has depth"),
        (
            "[options.depth]\ntitle = 'Deep'\nflat = 'dry'",
            "option depth has no value 'flat'; its values are deep shallow",
        ),
    ],
)
def test_what_is_wrong_in_them_is_said_in_one_sentence(
    moats: type[Expansion], tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "words.toml").write_text(text)
    with pytest.raises(BadRules) as error:
        words_of(configured(moats(), "moats", "", ""))
    assert str(tmp_path / "words.toml") in str(error.value)
    assert said in str(error.value)


def test_a_variant_is_told_by_the_words_of_what_was_chosen(
    moats: type[Expansion], tmp_path: Path
) -> None:
    """`resolve_with` gives one that has no options itself; what was chosen is known."""
    (tmp_path / "words.toml").write_text("[options.depth]\ntitle = 'Depth'\n")
    variant = sys.modules["strangers_moats"].OlderMoats()
    variant.chosen = configured(moats(), "moats", "", "").chosen
    assert words_of(variant).options == {"depth": {"title": "Depth"}}


def test_an_author_who_checks_the_rules_is_told(moats: type[Expansion], tmp_path: Path) -> None:
    (tmp_path / "words.toml").write_text("titel = 'Moats'\n")
    with pytest.raises(BadRules, match="unknown key 'titel'"):
        check(Rules([moats()], 2), games=0)


def test_an_expansion_by_older_names_is_pointed_to_the_table_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = install(tmp_path / "packages", moats="older_moats:Moats")
    (package / "older_moats.py").write_text("from carc.base.expansions.about import About\n")
    monkeypatch.syspath_prepend(package)
    with pytest.raises(BadRules, match=r"about'; carc's CHANGELOG.md lists renamed names$"):
        Rules.from_spec("base+moats")


@pytest.mark.parametrize("name", [n for n, at in registered().items() if "carc." in at.value])
def test_every_expansion_shipped_has_words(name: str) -> None:
    """They are in what is installed, too."""
    cls = registered()[name].load()
    assert Path(sys.modules[cls.__module__].__file__ or "").with_name("words.toml").is_file()
