"""Write a match down, read it back, check every line, and look at the end."""

import tempfile
from pathlib import Path

from carc import Rules, play, read_record, replay
from carc.bots import by_name

rules = Rules.from_spec("base")
record = Path(tempfile.mkdtemp()) / "match.jsonl"
play(rules, [by_name("random", 1), by_name("random", 2)], seed=3).write(record)
match = read_record(record.read_text(encoding="utf-8"), source=record.name)
end = replay(match, Rules.from_spec(match.rules, match.players), source=record.name)
print(end)
