"""Which submissions of a folder play in a contest; decided once, however often it is stopped."""

import secrets
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import attrs

from carc.bounded import of_kind, parse_json, read_plain
from carc.errors import BadBot, CarcError
from carc.structured import structured
from carc.tournaments.contest.publication import ADMISSION, publish
from carc.tournaments.isolation.clock import Clock
from carc.tournaments.outcomes.stages import HostFailure
from carc.tournaments.submission.checking import check
from carc.tournaments.submission.content import Content, read
from carc.tournaments.submission.manifest import MANIFEST, MOST_BYTES, parse_manifest
from carc.tournaments.submission.registry import Registry, RegistryFailure


@attrs.frozen
class Decision:
    """Whether the bot of a folder plays."""

    folder: str
    """Its name."""
    spec: str = ""
    """What the bot is called in the contest, NAME@VERSION; empty if it does not play."""
    reason: str = ""
    """Why it does not."""


def submissions(folder: Path) -> list[str]:
    """Return the names of the folders in a folder that hold a bot, in the order of admission.

    A name belongs to the first bot that has it, so those that are named like their folder come
    first: no submission takes another's name away by the alphabet. Of a registry, in which the
    server's page stores what authors upload, the latest version of each bot is a submission. Raises
    `BadBot` if there is no such folder.
    """
    stored = Registry(folder).submissions()
    if stored:
        latest = {each.name: each.digest for each in stored if not each.withdrawn}
        return list(latest.values())
    try:
        places = [place for place in folder.iterdir() if _holds_bot(place)]
    except OSError as error:
        raise BadBot(f"{folder} cannot be read: {error.strerror}") from None
    return [place.name for place in sorted(places, key=lambda place: (_borrows(place), place))]


def _holds_bot(place: Path) -> bool:
    """Return whether there is a manifest, or at least something that hides whether there is."""
    try:
        (place / MANIFEST).lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True  # why it cannot be read is for its decision
    return True


def _borrows(place: Path) -> bool:
    """Return whether the bot in a folder is named otherwise than the folder."""
    try:
        text = read_plain(place / MANIFEST, MOST_BYTES)
        return parse_manifest(text.encode()).name != place.name
    except (OSError, ValueError, BadBot):
        return True


def admit(
    folder: Path, out: Path, registry: Registry, *, level: str, clock: Clock, games: int
) -> Iterator[Decision]:
    """Decide on each submission in turn, and keep the decisions in the contest's folder.

    Args:
        folder: With the submissions.
        out: The contest's folder, which is there.
        registry: Where the bots that play are kept.
        level: How they are isolated.
        clock: Of the contest.
        games: Of each check.

    Raises:
        HostFailure: The host does not let a bot be checked.
        CarcError: The host does not let it be kept.
    """
    decided = decisions(out)
    failure = partial(_failure, level=level, clock=clock, games=games)
    for name in submissions(folder):
        if name not in decided:
            others = {each.spec: each.folder for each in decided.values() if each.spec}
            decided[name] = _decide(folder / name, others, registry, failure)
            publish(out, ADMISSION, as_data(decided))
        yield decided[name]


def as_data(decided: Mapping[str, Decision]) -> dict[str, Any]:
    """Return decisions as `decisions` reads them."""
    return {key: attrs.asdict(each) for key, each in decided.items()}


def decisions(out: Path) -> dict[str, Decision]:
    """Return what was decided before, by the submission's folder; `CarcError` if it is damaged."""
    place = out / ADMISSION
    if not place.exists():
        return {}
    try:
        data = of_kind(parse_json(read_plain(place)), dict, "the admission")
        return {name: structured(Decision, each, f"{name:.80}") for name, each in data.items()}
    except ValueError as error:
        raise CarcError(f"{place} is damaged: {error}") from None


def _decide(
    place: Path, others: Mapping[str, str], registry: Registry, failure: Callable[[Content], str]
) -> Decision:
    """Decide on the submission in a folder; `others` are the folders of those that play, by spec.

    `failure` returns why a bot does not pass its check.
    A bot that anybody may copy plays once: a copy of it must not stop the contest.
    """
    try:
        content = read(place)
        known = registry.known(content, place.name)
        if known is not None and known.spec in others:
            reason = f"the same content plays as {known.spec}, from the folder {others[known.spec]}"
            return Decision(place.name, reason=reason)
        if reason := failure(content):
            return Decision(place.name, reason=reason)
        return Decision(place.name, spec=registry.add(content, place.name).spec)
    except (HostFailure, RegistryFailure):
        raise
    except CarcError as error:
        return Decision(place.name, reason=str(error))


def _failure(content: Content, level: str, clock: Clock, games: int) -> str:
    """Return why a bot does not pass its check; empty if it does."""
    for step in check(content, level, clock, games, seed=secrets.randbits(52)):
        if not step.passed:
            return f"{step.name}: {step.detail}"
    return ""
