"""A bot that answers as it did in a game before, and fails where a message lacks what it had."""

import json
import sys
from pathlib import Path

CHANGES = {"id", "bank", "limit", "engine"}  # from game to game


def holds(new: object, old: object, where: str) -> None:
    """Exit where the new message says less than the old one, or something else."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key, value in old.items():
            if key not in new:
                sys.exit(f"{where}: no {key!r}")
            if key not in CHANGES:
                holds(new[key], value, f"{where}.{key}")
    elif new != old:
        sys.exit(f"{where}: {new!r} for {old!r}")


script = json.loads(Path(sys.argv[1]).read_text())
for number, line in enumerate(sys.stdin):
    message = json.loads(line)
    old, answer = script[number]
    holds(message, old, f"message {number}")
    if "id" in message:
        answer["id"] = message["id"]
    if message["type"] == "over":
        print("complete" if number == len(script) - 1 else "too short", file=sys.stderr)
        break
    if answer is not None:
        print(json.dumps(answer), flush=True)
