"""The results of bots as an Atom feed (RFC 4287)."""

import uuid
from collections.abc import Collection, Sequence
from typing import Final

from carc.tournaments.outcomes.verdicts import OK
from carc.web.board_cache import GameRow
from carc.web.rendering import filled

TYPE: Final = "application/atom+xml"
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
    return filled(
        "feed.xml",
        origin=origin,
        ladder=ladder,
        of=of,
        bots=bots,
        games=games,
        before=_BEFORE,
        id_of=_id,
        result=_result,
    )


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
