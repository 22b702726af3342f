"""Golden playthroughs: a change of behaviour shows in their diff. `make docs` makes them anew."""

import pytest
from support import playthroughs

from carc import Rules, read_record, replay


@pytest.mark.parametrize("name", list(playthroughs.SPECS))
def test_a_playthrough_is_as_it_was(name: str) -> None:
    path = playthroughs.FOLDER / f"{name}.jsonl"
    golden = path.read_text(encoding="utf-8")
    assert playthroughs.playthrough(name).to_text() == golden, "review, then `make docs`"
    match = read_record(golden, path.name)
    replay(match, Rules.from_spec(match.rules, match.players), path.name)
