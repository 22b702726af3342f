"""What `make test` does before and after pytest.

`whole_test.py prepare` installs the programs of the system that tests call, where that is allowed.
`whole_test.py sum-up` prints how many tests ran and what was skipped; it fails if a program is
missing, unless SKIP_SYSTEM=1. Needs only what Python brings with it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
REPORTS = ROOT / "build" / "tested.jsonl"


def missing() -> list[str]:
    """Return the packages of programs that are not there, as Debian and Ubuntu call them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    needed = project["tool"]["carc"]["programs-of-tests"]
    return sorted({package for program, package in needed.items() if not shutil.which(program)})


def sentence(packages: list[str]) -> str:
    """Return what to do about missing packages."""
    return (
        f"carc: tests need programs that are not installed: apt-get install {' '.join(packages)} "
        "(SKIP_SYSTEM=1 does without, and skips what needs them)"
    )


def prepare() -> None:
    """Install what is missing, as root or with sudo that asks no password; say so if not."""
    REPORTS.parent.mkdir(exist_ok=True)
    REPORTS.write_text("", encoding="utf-8")
    packages = missing()
    if not packages or os.environ.get("SKIP_SYSTEM"):
        return
    sudo: list[str] = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if all(shutil.which(program) for program in ["apt-get", *sudo[:1]]):
        print(f"carc: installing {' '.join(packages)}, which tests call", flush=True)
        install = ["install", "-y", "-q", "--no-install-recommends"]
        for words in (["update", "-q"], *([*install, package] for package in packages)):
            subprocess.run([*sudo, "apt-get", *words], check=False, stdout=subprocess.DEVNULL)
    if packages := missing():
        print(sentence(packages), flush=True)


def summary(reports: list[dict[str, Any]]) -> str:
    """Return one line on all runs of pytest: how many tests passed, and why others were skipped."""
    passed = sum(report["passed"] for report in reports)
    why = Counter(reason for report in reports for reason in report["skipped"])
    told = "; ".join(f"{count} {reason}" for reason, count in why.most_common())
    return f"=== {passed} passed, {why.total()} skipped{f' ({told})' if told else ''} ==="


def sum_up() -> None:
    """Print the summary; exit with 1 if a program is missing that nobody chose to do without."""
    reports = [json.loads(line) for line in REPORTS.read_text(encoding="utf-8").splitlines()]
    packages = [] if os.environ.get("SKIP_SYSTEM") else missing()
    if packages:
        print(sentence(packages))
    print(summary(reports))
    sys.exit(bool(packages))


if __name__ == "__main__":
    {"prepare": prepare, "sum-up": sum_up}[sys.argv[1]]()
