"""What a contest promises before its first game, and what its deals are made of.

One line is published: the SHA-256 of the promise. It covers everything that decides the contest,
and the chain of the ledger follows from it. The deals are made from three things, so that nobody
alone knows or chooses them:

- the organiser's secret, whose hash is promised; it is published after the last game;
- the nonces of authors, each of which committed to one in its manifest; they are opened when the
  promise is published, so that no author knew the secret, and the organiser no nonce;
- a public beacon that the promise names; its value is known only later.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any, Final

import carc
from carc.bounded import parse_plainly
from carc.escape import folded
from carc.tournaments.ledger import chain
from carc.tournaments.ledger.meta import plain
from carc.tournaments.schedule.configuration import MOST_BOTS, BadTournament, Configuration
from carc.tournaments.submission.manifest import Manifest

BEACON: Final = "beacon"
LATE: Final = "late"  # in place of a nonce that its author did not open
LEAST_SECRET: Final = 1 << 100
VALUE: Final = re.compile(r"[0-9a-f]{32,512}")
_NOT_PROMISED: Final = ("seed", "promise", "opened")
_HASHES: Final = ("secret", "admission")

Promise = Mapping[str, Any]
"""Plain JSON data: what `promise` returns."""


def promise(
    configuration: Configuration,
    manifests: Mapping[str, Manifest],
    *,
    admission: object,
    games: int,
    beacon: str = "",
) -> Promise:
    """Return all that a contest promises.

    Args:
        configuration: Of the contest; its seed is the organiser's secret.
        manifests: Of its bots, by name.
        admission: What was decided on each submission, as JSON data.
        games: Of the check that each submission had to pass.
        beacon: A public beacon and its moment, in words; empty for none.
    """
    return plain(
        {
            "carc": carc.__version__,
            "secret": chain.commitment(configuration.seed),
            **_settings(configuration),
            "admission": digest(admission),
            "check_games": games,
            "authors": {name: each.author for name, each in manifests.items() if each.author},
            "nonces": {name: each.nonce for name, each in manifests.items() if each.nonce},
            "beacon": beacon,
        }
    )


def digest(data: object) -> str:
    """Return the SHA-256 of JSON data in its one canonical form."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def difference(promised: Promise, asked: Promise) -> str:
    """Return in words in what two promises differ; empty if they are one."""
    for key in dict.fromkeys([*promised, *asked]):
        if promised.get(key) != asked.get(key):
            if isinstance(promised.get(key), str | int) and key not in _HASHES:
                return f"{key} {promised[key]!r:.60}, not {asked.get(key)!r:.60}"
            return f"other {key.replace('_', ' ')}"
    return ""


def parse(text: str) -> Promise:
    """Return the promise in a text, which may be a stranger's; raise `ValueError` if it is none."""
    data = parse_plainly(text)
    kinds = {"carc": str, "secret": str, "admission": str, "beacon": str, "bots": list}
    for key, kind in {**kinds, "nonces": dict, "authors": dict}.items():
        if not isinstance(data, dict) or not isinstance(data.get(key), kind):
            raise ValueError(f"it has no {key!r}")
    texts = [*data["nonces"].values(), *data["authors"].values()]
    if len(data["bots"]) > MOST_BOTS:
        raise ValueError(f"it has {len(data['bots'])} bots; a contest has at most {MOST_BOTS:,}")
    for bot in data["bots"]:
        texts += [bot.get("name"), bot.get("digest")] if isinstance(bot, dict) else [None]
    if not all(isinstance(each, str) for each in texts):
        raise ValueError("a field that is a text is none")
    made: Promise = data
    return made


def awaited(promised: Promise) -> dict[str, str]:
    """Return what has to be opened before the first game, and what it is.

    That is the commitment of each author, by bot, and the name of the beacon.
    """
    beacon = {BEACON: promised["beacon"]} if promised["beacon"] else {}
    return {**promised["nonces"], **beacon}


def check_opened(promised: Promise, values: Mapping[str, str]) -> None:
    """Raise `BadTournament` unless these values, and no others, are what was to be opened.

    A nonce may be withheld, which is an empty value; then its bot does not play.
    """
    wanted = awaited(promised)
    for name, what in wanted.items():
        if name not in values:
            out = "" if name == BEACON else f", or {name}={LATE} to leave it out"
            raise BadTournament(f"{name} is not opened: give its value{out}")
        value = values[name]
        if name == BEACON and not VALUE.fullmatch(value):
            raise BadTournament(
                f"the value of a beacon is 32 to 512 hexadecimal digits in lower case, not "
                f"{value!r:.60}"
            )
        if name != BEACON and value and commitment(value) != what:
            raise BadTournament(f"{value!r:.60} is not the nonce to which {name} is committed")
    for name in values.keys() - wanted.keys():
        only = f", only for {_listed(wanted)}" if wanted else ""
        raise BadTournament(f"nothing is to be opened for {name!r:.60}{only}")


def commitment(nonce: str) -> str:
    """Return what a manifest says of a nonce before it is opened: its SHA-256."""
    return hashlib.sha256(nonce.encode("utf-8", "surrogatepass")).hexdigest()


def is_kept(promised: Promise, configuration: Configuration, withheld: Iterable[str]) -> bool:
    """Return whether a configuration is the promised one, without the bots that are out."""
    gone = set(withheld)
    bots = [bot for bot in promised["bots"] if bot["name"] not in gone]
    ours = {"secret": chain.commitment(configuration.seed), **_settings(configuration)}
    wanted = {**promised, "bots": bots}
    return all(wanted.get(key) == value for key, value in plain(ours).items())


def origin(promised: Promise, withheld: Iterable[str]) -> str:
    """Return in a sentence what the deals come from, and whom one has to trust for them."""
    gone = sorted(withheld)
    told = [name for name in promised["nonces"] if name not in gone]
    beacon = promised["beacon"]
    sources = [
        *([f"the nonces that the authors of {_listed(told)} opened"] if told else ()),
        *([f"the beacon {beacon!r:.200}"] if beacon else ()),
    ]
    if not sources:
        return (
            "the deals come from the organiser's secret alone: the organiser must be trusted not "
            "to have chosen it for a bot"
        )
    trust = "whoever trusts one of these need not trust the others"
    if gone:
        first = ", unless that was told before the value of the beacon was known" if beacon else ""
        trust = (
            f"{_listed(gone)} withheld a nonce, so that whoever knew all else could choose among "
            f"{2 ** len(gone)} sets of deals{first}"
        )
    return f"the deals come from the organiser's secret and {' and '.join(sources)}: {trust}"


def of_one_author(promised: Promise) -> list[str]:
    """Return in sentences which bots are by one author."""
    named = sorted((folded(author), name) for name, author in promised["authors"].items())
    groups = [[name for _, name in some] for _, some in groupby(named, key=lambda each: each[0])]
    return [
        f"{_listed(group)} are by one author, {promised['authors'][group[0]]}: at one table they "
        "may cooperate"
        for group in groups
        if len(group) > 1
    ]


def _settings(configuration: Configuration) -> dict[str, Any]:
    """Return what a promise says of a configuration."""
    data = configuration.to_dict()
    return {key: value for key, value in data.items() if key not in _NOT_PROMISED}


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
