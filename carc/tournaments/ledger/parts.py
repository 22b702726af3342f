"""Merging parts of one tournament: the games of another ledger are taken over."""

import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path

from carc.tournaments.ledger import chain
from carc.tournaments.ledger.chain import Chain
from carc.tournaments.ledger.file import BadLedger, has_table
from carc.tournaments.outcomes.verdicts import VOID


def copy(
    here: sqlite3.Connection, other: Path, own: Chain | None, content_digest: Callable[[str], str]
) -> None:
    """Take over the rated games of another ledger that an open one does not hold.

    Raises `BadLedger` if a game was played otherwise there.
    """
    here.execute("ATTACH ? AS other", [str(other)])
    try:
        with here:
            _refuse_contradiction(here, other)
            missing = here.execute(
                "SELECT id, voids FROM other.games WHERE verdict != ? "
                "AND id NOT IN (SELECT id FROM games) ORDER BY id",
                [VOID],
            ).fetchall()
            ids = [(id,) for id, _ in missing]
            for table in ("records", "games"):
                here.executemany(
                    f"INSERT INTO {table} SELECT * FROM other.{table} WHERE id = ?", ids
                )
            if own is not None:
                _copy_chain(here, own, dict(missing), content_digest)
    finally:
        here.execute("DETACH other")


def _refuse_contradiction(here: sqlite3.Connection, other: Path) -> None:
    """Raise `BadLedger` if a game that both ledgers hold was played otherwise in the other."""
    twice = here.execute(
        "SELECT games.id FROM games JOIN records USING (id) "
        "JOIN other.games AS theirs USING (id) JOIN other.records AS played USING (id) "
        "WHERE games.verdict != ? AND theirs.verdict != ? AND records.record != played.record",
        [VOID, VOID],
    ).fetchone()
    if twice is not None:
        raise BadLedger(
            f"game {twice[0]} was played otherwise in {other} than in another part: parts that "
            "contradict each other are not merged"
        )


def _copy_chain(
    here: sqlite3.Connection,
    own: Chain,
    voids: Mapping[str, int],
    content_digest: Callable[[str], str],
) -> None:
    """Take over the entries of games that were copied; what was void here stays noted."""
    if not has_table(here, "chain", "other"):
        adopted = [(id, many, content_digest(id)) for id, many in voids.items()]
        own.append(chain.ADOPTED, adopted)
        return
    rows = here.execute("SELECT stage, game, attempt, digest FROM other.chain ORDER BY number")
    for stage, game, attempt, digest in rows.fetchall():
        if game in voids:
            own.append(stage, [(game, attempt, digest)])
