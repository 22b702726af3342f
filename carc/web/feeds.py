"""The results of bots as an Atom feed (RFC 4287)."""

from __future__ import annotations

import uuid
import xml.etree.ElementTree as ET
from collections.abc import Collection, Sequence
from typing import Final

import carc
from carc.escape import escape_unprintable
from carc.tournaments.outcomes.verdicts import OK
from carc.web.board_cache import GameRow

TYPE: Final = "application/atom+xml"
_ATOM: Final = "http://www.w3.org/2005/Atom"
_BEFORE: Final = "1970-01-01T00:00:00+00:00"  # of a feed without games


def feed(origin: str, ladder: str, of: str, bots: Collection[str], games: Sequence[GameRow]) -> str:
    """Return the feed of the games of some bots.

    Args:
        origin: Where the pages are, such as `https://arena.example`.
        ladder: The name of the ladder.
        of: Whose results they are: a bot, or an author.
        bots: The bots.
        games: The games, the latest first.
    """
    root = ET.Element("feed", xmlns=_ATOM)
    _add(root, "id", _id(ladder, of))
    _add(root, "title", f"{of} in {ladder}")
    _add(root, "updated", games[0].finished if games else _BEFORE)
    _add(root, "link", rel="alternate", href=f"{origin}/ladder/{ladder}")
    _add(_add(root, "author"), "name", of)
    _add(root, "generator", "carc", version=carc.__version__)
    for game in games:
        entry = _add(root, "entry")
        _add(entry, "id", _id(ladder, of, game.id))
        _add(entry, "title", _result(game, bots))
        _add(entry, "updated", game.finished)
        _add(entry, "link", rel="alternate", href=f"{origin}/t/{ladder}/game/{game.id}")
        _add(entry, "summary", ", ".join(f"{name} {score}" for name, score in game.standings))
    return ET.tostring(root, encoding="unicode", xml_declaration=True)


def _id(*of: str) -> str:
    """Return what a feed or an entry is known by, wherever it is read."""
    return uuid.uuid5(uuid.NAMESPACE_OID, "\n".join(of)).urn


def _result(game: GameRow, bots: Collection[str]) -> str:
    """Return what became of a game for the bots of a feed."""
    said = []
    for seat, name in enumerate(game.seats):
        if name not in bots:
            continue
        if game.verdict != OK:
            said.append(f"{name}: {game.verdict}")
        elif game.verdicts[seat] != OK:
            said.append(f"{name} lost: {game.verdicts[seat]}")
        elif game.ranks[seat] > 0:
            said.append(f"{name}: place {game.ranks[seat] + 1} of {len(game.ranks)}")
        else:
            said.append(f"{name} {'won' if game.ranks.count(0) == 1 else 'drew'}")
    return "; ".join(said)


def _add(parent: ET.Element, name: str, text: str = "", **attributes: str) -> ET.Element:
    element = ET.SubElement(parent, name, attributes)
    element.text = escape_unprintable(text) or None
    return element
