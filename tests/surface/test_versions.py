"""The rules' version names what is played, expansions without tiles too, in whatever order."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import pytest
from support.installed import install
from support.trial_expansions import Inert

from carc import Expansion, Rules
from carc.base.expansions.base_game import TILES
from carc.base.expansions.spec import configured
from carc.base.tiles.tile import BASE_KINDS
from carc.base.tiles.tile_file import read_tiles


class Inert1(Inert):
    """Does nothing, with an argument and an option."""

    def arguments(self) -> Sequence[str]:
        return ("low", "high")

    def options(self) -> Mapping[str, Sequence[str]]:
        return {"lamps": ("on", "off")}


class Inert2(Inert):
    """Does nothing."""


class Raised(Inert2):
    """The same under other rules."""

    VERSION: ClassVar[int] = 2


def version(*expansions: Expansion, spec: str = "") -> str:
    return Rules(expansions, 2, spec).version


def one(argument: str = "low", options: str = "") -> Expansion:
    return configured(Inert1(), "inert1", argument, options)


def two(made: Expansion | None = None) -> Expansion:
    return configured(made or Inert2(), "inert2", "", "")


def test_rules_that_differ_in_anything_have_versions_that_differ() -> None:
    versions = [
        Rules.from_spec("base").version,
        Rules.from_spec("base(fields=off)").version,
        version(one()),
        version(one("high")),
        version(one(options="lamps=off")),
        version(two()),
        version(two(Raised())),
        version(one(), two()),
    ]
    assert len(set(versions)) == len(versions)


def test_the_base_alone_is_named_by_its_tiles() -> None:
    digest = read_tiles(TILES, BASE_KINDS).digest
    assert (
        Rules.from_spec("base").version
        == Rules.from_spec("base(fields=on)").version
        == f"1-{digest}"
    )
    assert version() == f"1-{digest}"


def test_what_is_called_base_and_is_more_has_another_version() -> None:
    assert version(two(), spec="base") != Rules.from_spec("base").version


def test_an_option_said_at_its_default_changes_nothing() -> None:
    assert version(one(options="lamps=on")) == version(one())


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, **{f"inert{n}": f"{Inert1.__module__}:Inert{n}" for n in (1, 2)})
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])


@pytest.mark.usefixtures("installed")
def test_the_order_of_names_changes_neither_spec_nor_version() -> None:
    there = Rules.from_spec("base+inert1:low+inert2")
    back = Rules.from_spec("base+inert2+inert1:low")
    assert back.spec == there.spec == "base+inert1:low+inert2"
    assert back.version == there.version
    assert [e.name for e in back.expansions] == [e.name for e in there.expansions]


def test_nor_does_the_order_in_which_expansions_are_given() -> None:
    there, back = Rules([one(), two()]), Rules([two(), one()])
    assert back.spec == there.spec == "base+inert1:low+inert2"
    assert back.version == there.version
    assert [e.name for e in back.expansions] == ["base", "inert1", "inert2"]
