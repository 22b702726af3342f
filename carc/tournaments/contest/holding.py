"""The steps of a contest: promise, open, end. Its games are those of any tournament."""

from collections.abc import Mapping
from pathlib import Path

import attrs

from carc.bounded import read_plain
from carc.errors import CarcError
from carc.files import write_anew
from carc.tournaments.contest.promise import (
    Promise,
    awaited,
    check_opened,
    difference,
    digest,
    parse,
)
from carc.tournaments.contest.publication import (
    BOARD,
    PROMISE,
    REPORT,
    SECRET,
    board_data,
    publish,
)
from carc.tournaments.ledger import chain
from carc.tournaments.ledger.file import FILE
from carc.tournaments.ledger.ledger import Ledger
from carc.tournaments.reports import html_page
from carc.tournaments.schedule.configuration import BadTournament, Configuration
from carc.tournaments.tournament import board


def begin(
    place: Path, configuration: Configuration, promised: Promise, settings: Mapping[str, str]
) -> Configuration:
    """Promise a contest, or go on with the one that was promised in this folder.

    Args:
        place: The contest's folder.
        configuration: Of the contest, as it is asked for.
        promised: What follows from that.
        settings: What the ledger is to remember beside it.

    Returns:
        The configuration under the promise, without bots that are out.

    Raises:
        BadTournament: The folder holds another contest, or one whose ledger is gone.
    """
    configuration = attrs.evolve(configuration, promise=digest(promised))
    there = _published(place)
    if there is not None and not (place / FILE).is_file():
        raise BadTournament(
            f"the ledger of the contest that was promised in {place} is missing; restore it, or "
            "hold another contest with another --out"
        )
    if there is not None and there != promised:
        raise BadTournament(
            f"{place} holds a contest that promised {difference(there, promised)}; a contest goes "
            "on as it was promised, or another is held with another --out"
        )
    if (place / FILE).is_file():
        with Ledger.reading(place) as ledger:
            before = ledger.configuration
        if before.promise != configuration.promise:
            raise BadTournament(
                f"{place} holds another contest than the one that is asked for; a contest goes on "
                "as it was promised, or another is held with another --out"
            )
        configuration = before
    else:
        with Ledger.writing(place, configuration, settings):
            pass
    if there is None:
        publish(place, PROMISE, promised)
    return configuration


def is_ready(promised: Promise, configuration: Configuration) -> bool:
    """Return whether all is opened that has to be before the first game."""
    return bool(configuration.opened) or not awaited(promised)


def open_values(
    place: Path, configuration: Configuration, promised: Promise, values: Mapping[str, str]
) -> Configuration:
    """Open what the deals are made of besides the secret; it is opened once.

    Args:
        place: The contest's folder.
        configuration: As `begin` returned it.
        promised: What was promised.
        values: The nonces by bot, empty if withheld, and the value of the beacon.

    Returns:
        The configuration of the games.

    Raises:
        BadTournament: The values are not those that have to be opened, or others were before.
    """
    check_opened(promised, values)
    with Ledger.writing(place, configuration) as ledger:
        if configuration.opened:
            if opened(ledger) != values:
                raise BadTournament(
                    f"other values were opened in {place}; they are opened once: see carc verify"
                )
            return configuration
        left = [bot for bot in configuration.bots if values.get(bot.name, "kept")]
        return ledger.note_opened(values, left)


def opened(ledger: Ledger) -> dict[str, str]:
    """Return what was opened in a ledger: values by bot, empty if withheld, and of the beacon."""
    entries = ledger.entries()
    return {each.game: each.digest for each in entries if each.stage in chain.BEFORE_GAMES}


def is_over(place: Path) -> bool:
    """Return whether the secret of a contest is published."""
    return (place / SECRET).exists()


def end(place: Path) -> None:
    """Write what everybody may see once the contest is over.

    The secret stays one while games are void, for they may be played again.
    """
    results = board(place)
    publish(place, BOARD, board_data(results))
    write_anew(place / REPORT, html_page.page(place, results))
    if not results.voids:
        with Ledger.reading(place) as ledger:
            configuration = ledger.configuration
            links = [configuration.promise, *(entry.link for entry in ledger.entries())]
        publish(place, SECRET, {"secret": configuration.seed, "head": links[-1]})
        (place / FILE).chmod(0o644)


def _published(place: Path) -> Promise | None:
    """Return the promise that was published in a folder, if there is one.

    Raises:
        CarcError: It cannot be read.
    """
    try:
        return parse(read_plain(place / PROMISE))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise CarcError(f"{place / PROMISE} cannot be read: {error}") from None
