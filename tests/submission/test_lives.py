"""The lives of `tools/fuzz_lives.py`, some; `make test-all` and the tool live more.

docs/security.md, promise 1: no void, no error, no wrong culprit.
"""

import os

import pytest
from fuzz_lives import BOT, HARMFUL, HARMLESS, MOMENTS, fuzz
from support.playing import requires

LIVES = int(os.environ.get("CARC_LIVES", "60"))
LEVELS = [
    pytest.param(level, marks=requires(level), id=level)
    for level in ("process", "confined", "namespaces")
]


@pytest.mark.parametrize("level", LEVELS)
def test_whatever_a_bot_does_its_game_counts(level: str) -> None:
    state = None
    for state in fuzz(LIVES // len(LEVELS), seed=7, levels=[level]):  # noqa: B007
        pass
    assert state is not None
    assert state.wrong == []
    assert sum(state.verdicts.values()) == LIVES // len(LEVELS)
    assert state.verdicts["ok"]
    assert len(state.verdicts) > 2, "they do not misbehave"


def test_all_that_bots_do_is_code() -> None:
    values = {
        "name": b"\xff", "junk": b"x", "stream": 0, "other": 1, "number": 1, "signal": 9,
        "code": 1, "which": 0, "small": 0,
    }  # fmt: skip
    for act in (*HARMLESS, *HARMFUL):
        compile(act.format(**values), act, "exec")
    for moment in MOMENTS:
        assert f'"{moment}"' in BOT
