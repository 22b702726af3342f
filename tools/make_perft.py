"""Count the positions of tests/perft/positions.json anew: `python tools/make_perft.py`.

It needs `PYTHONPATH=tests`; the diff is for review.

Each position is reached by the first actions of a golden playthrough. Its numbers are counted by
the engine and by the oracle, which plays every sequence from the start, and are written down only
if both agree on every move.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from support.oracle.comparison import oracle
from support.playthroughs import FOLDER, SPECS

from carc import Rules, State, read_record
from carc.testing import perft

POSITIONS = Path(__file__).resolve().parent.parent / "tests" / "perft" / "positions.json"
# Golden playthrough, how many of its actions, depth.
CHOSEN = [
    ("base", 4, 4),
    ("base", 61, 3),
    ("base", 151, 3),
    ("base-5", 100, 3),
    ("ghosts", 40, 3),
    ("ghosts", 160, 3),
]


def state_after(spec: str, players: int, actions: Sequence[str]) -> State:
    """Return the engine's state after these actions."""
    state = Rules.from_spec(spec, players).start()
    for text in actions:
        state.apply(state.check(state.rules.parse(text)))
    return state


def oracle_perft(spec: str, players: int, actions: Sequence[str], depth: int) -> dict[str, int]:
    """Return what `carc.testing.perft` returns, counted by the oracle from the start."""

    def count(sequence: Sequence[str], more: int) -> int:
        legal = oracle_legal(spec, players, sequence)
        if more == 1:
            return len(legal)
        return sum(count([*sequence, action], more - 1) for action in legal)

    first = oracle_legal(spec, players, actions)
    return {a: count([*actions, a], depth - 1) if depth > 1 else 1 for a in first}


def oracle_legal(spec: str, players: int, actions: Sequence[str]) -> list[str]:
    """Return the oracle's legal actions after these actions."""
    table = oracle(spec, players)
    for action in actions:
        table.apply(action)
    return list(table.legal())


def main() -> None:
    """Count, compare and write the positions."""
    positions: list[dict[str, Any]] = []
    for name, length, depth in CHOSEN:
        spec, players = SPECS[name]
        record = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
        actions = list(read_record(record).actions[:length])
        counts = perft(state_after(spec, players, actions), depth)
        theirs = oracle_perft(spec, players, actions, depth)
        if counts != theirs:
            differ = sorted(a for a in counts | theirs if counts.get(a) != theirs.get(a))
            raise SystemExit(f"{name} after {length}: engine and oracle differ at {differ}")
        print(f"{name} after {length} actions, depth {depth}: {sum(counts.values())}", flush=True)
        positions.append(
            {
                "rules": spec,
                "players": players,
                "actions": actions,
                "depth": depth,
                "counts": counts,
            }
        )
    POSITIONS.write_text(json.dumps(positions, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
