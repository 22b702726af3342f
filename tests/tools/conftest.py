"""What fits, tunes and measures is no part of carc, and takes long: `make test-all` tests it, and
whoever names such a test.
"""

from pathlib import Path

import pytest

LABORATORY = ("calibrate_", "fit_", "measure_", "plot_", "simulate_", "train_", "tune_")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    of_laboratory = collection_path.name.removeprefix("test_").startswith(LABORATORY)
    named = any(collection_path.name in str(word) for word in config.args)
    return True if of_laboratory and not named and config.option.markexpr == "not long" else None
