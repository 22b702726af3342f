"""Positions told wrongly: texts and data with some of their parts changed at random, and what may
come of reading them.

By hand, so many of each spec: `PYTHONPATH=tests python -m support.fuzzed 1000`.
"""

import json
import random
import re
import sys
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from carc import Rules, State
from carc.base.expansions.spec import registered
from carc.base.game.playout import random_action
from carc.errors import BadPosition, BadRules

CLASSICS = sorted(n for n, at in registered().items() if at.value.startswith("carc.classics."))
SPECS = [
    "base",
    *(f"base+{name}" for name in [*CLASSICS, "ghosts", "ghosts+spellcircles"]),
    *(f"mists:{level}+spellcircles" for level in range(1, 7)),
    "+".join(("base", *CLASSICS)),
    "+".join(("base", *CLASSICS, "ghosts", "spellcircles")),
]
ODD: Sequence[Any] = (
    *(-(10**30), -5, -2, -1, 0, 1, 2, 3, 4, 5, 7, 17, 64, 99, 300, 4096, 10**6, 10**30),
    *(0.5, "", "x", "A", "draw", "meeple", None, True, False),
    *([], {}, [0], [[]], [0, 0], [0, 0, 0], {"x": 1}, {"set": [1]}),
    *({"tile": [0, 0]}, {"segment": [0, 0, 0]}),
)
# Words of Python's own errors.
PYTHONS = re.compile(
    r"Error|index out of|invalid literal|not enough values|too many values|object is "
    r"not|has no attribute|unsupported|"
    r"not supported|NoneType|unhashable|expected \d|argument|Expecting|Extra data"
)


def told(spec: str, rng: random.Random) -> State:
    """A position of a random game."""
    state = Rules.cached(spec, 2).start()
    for _ in range(rng.choice((0, 5, 30, 60, 120, 200, 1000))):
        if state.is_terminal:
            break
        state.apply(random_action(state, rng))
    return state


def changed(value: Any, rng: random.Random) -> Any:
    """Data with something in it changed."""
    inside = isinstance(value, list | dict) and value and rng.random() < 0.9
    if not inside:
        if isinstance(value, int) and rng.random() < 0.5:
            return value + rng.choice((-2, -1, 1, 2, 10, 100))
        return rng.choice(ODD)
    if isinstance(value, dict):
        new = dict(value)
        key = rng.choice(list(new))
        what = rng.random()
        if what < 0.1:
            del new[key]
        elif what < 0.2:
            new[rng.choice(("x", "A", "ghosts", "0"))] = new[key]
        else:
            new[key] = changed(new[key], rng)
        return new
    news = list(value)
    at = rng.randrange(len(news))
    what = rng.random()
    if what < 0.1:
        del news[at]
    elif what < 0.2:
        news.insert(at, rng.choice(news))
    elif what < 0.3:
        news[at] = rng.choice(news)
    else:
        news[at] = changed(news[at], rng)
    return news


def changed_text(text: str, rng: random.Random) -> str:
    """A position's text with something in a field changed."""
    fields = text.split(" ")
    at = rng.randrange(len(fields))
    field = fields[at]
    if field.startswith("[") and rng.random() < 0.8:
        with suppress(ValueError):  # it was changed before
            fields[at] = json.dumps(changed(json.loads(field), rng), separators=(",", ":"))
            return " ".join(fields)
    what = rng.random()
    numbers = list(re.finditer(r"-?\d+", field))
    parts = field.split("/")
    if what < 0.4 and numbers:
        one = rng.choice(numbers)
        n = rng.choice((int(one[0]) + rng.choice((-2, -1, 1, 2, 10)), *ODD[:18]))
        field = f"{field[: one.start()]}{n}{field[one.end() :]}"
    elif what < 0.5:
        field = rng.choice(("-", "", "0", "x", "/", "?", rng.choice(fields)))
    elif what < 0.6:
        parts.remove(rng.choice(parts))
        field = "/".join(parts)
    elif what < 0.7:
        parts.insert(rng.randrange(len(parts) + 1), rng.choice(parts))
        field = "/".join(parts)
    elif what < 0.8:
        rng.shuffle(parts)
        field = "/".join(parts)
    else:
        place = rng.randrange(len(field) + 1)
        odd = rng.choice('0129-/:,@=*.?xA[]{}"\\')
        field = field[:place] + odd + field[place + rng.randrange(2) :]
    fields[at] = field
    return " ".join(fields)


def tried(data: str | dict[str, Any], rng: random.Random) -> str:
    """Read what is told and play on: what was wrong with it, or nothing if it is a position."""
    try:
        state = State.from_text(data) if isinstance(data, str) else State.from_dict(data)
    except (BadPosition, BadRules) as error:
        said = str(error)
        quoted = re.sub(r"'[^']*'|\"[^\"]*\"", "", said)
        assert said and not PYTHONS.search(quoted), said
        return said
    for _ in range(50):
        if state.is_terminal:
            break
        state.apply(random_action(state, rng))
    assert len(state.legal_actions()) == state.count_actions()
    assert state.to_text() and state.key() and str(state)
    return ""


def one_of(spec: str, seed: str) -> str | dict[str, Any]:
    """A position told wrongly, by a seed."""
    rng = random.Random(seed)
    state = told(spec, rng)
    times = rng.choice((1, 1, 1, 2, 3))
    if rng.random() < 0.5:
        text = state.to_text()
        for _ in range(times):
            text = changed_text(text, rng)
        return text
    data: Any = json.loads(json.dumps(state.to_dict()))
    for _ in range(times):
        if rng.random() < 0.5 and "engine" in data:
            data["engine"] = changed(data["engine"], rng)
        else:
            data = changed(data, rng)
        if not isinstance(data, dict):
            break
    return data


def main() -> None:
    """So many of each spec; what failed, each in some lines."""
    many = int(sys.argv[1])
    began, read, failed = time.perf_counter(), 0, 0
    for spec in SPECS[int(sys.argv[2]) :] if len(sys.argv) > 2 else SPECS:
        bad = 0
        for n in range(many):
            seed = f"{spec} {n}"
            try:
                read += not tried(one_of(spec, seed), random.Random(seed))
            except Exception as error:  # noqa: BLE001 (whatever it is, it is what is looked for)
                bad += 1
                if bad <= 8:
                    where = traceback.extract_tb(error.__traceback__)
                    print(
                        f"{seed!r}: {type(error).__name__}: {error}"[:300],
                        [f"{f.filename[-28:]}:{f.lineno}" for f in where][-3:],
                    )
        failed += bad
        print(f"{spec[:40]}: {bad} of {many} failed", flush=True)
    took = time.perf_counter() - began
    print(f"{many * len(SPECS)} tried, {read} read, {failed} failed, {took:.0f} s")


if __name__ == "__main__":
    main()
