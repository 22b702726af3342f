"""What `make test` says of missing programs and of tests that did not run."""

import json
from pathlib import Path

import pytest
import whole_test


def test_the_summary_counts_what_was_skipped_and_why() -> None:
    reports = [
        {"passed": 40, "skipped": ["no bwrap", "no chromium"]},
        {"passed": 2, "skipped": ["no chromium"]},
    ]
    told = "=== 42 passed, 3 skipped (2 no chromium; 1 no bwrap) ==="
    assert whole_test.summary(reports) == told
    assert whole_test.summary([{"passed": 1, "skipped": []}]) == "=== 1 passed, 0 skipped ==="


@pytest.mark.parametrize(("skip", "code"), [("", 1), ("1", 0)])
def test_a_missing_program_fails_at_the_end_unless_one_does_without(
    skip: str,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("SKIP_SYSTEM", skip)
    monkeypatch.setattr(whole_test, "REPORTS", tmp_path / "tested.jsonl")
    whole_test.REPORTS.write_text(json.dumps({"passed": 5, "skipped": []}) + "\n")
    with pytest.raises(SystemExit) as stopped:
        whole_test.sum_up()
    assert stopped.value.code == code
    *said, last = capsys.readouterr().out.splitlines()
    assert last == "=== 5 passed, 0 skipped ==="
    install = "apt-get install bubblewrap chromium chromium-driver nodejs "
    assert [install in line for line in said] == [True] * code


def test_a_program_that_is_there_is_not_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "node").write_text("#!/bin/sh\n")
    (tmp_path / "node").chmod(0o755)
    assert whole_test.missing() == ["bubblewrap", "chromium", "chromium-driver"]
