"""Makes a virtual environment with carc in it: `python -m build_tools.install EXTRA`.

Works by contents: what has not changed is not installed again. Needs only the standard library.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from build_tools.modules import c_compiler, say

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / os.environ.get("VENV", ".venv")
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
LOG = ROOT / "build" / "install.log"
WHY = {
    "ensurepip": "this Python has no ensurepip (on Debian and Ubuntu: apt install python3-venv)",
    "No matching distribution|Max retries": "pip reaches no package index; is there a network?",
}


class InstallError(Exception):
    """One sentence about what went wrong."""


def main(extra: str) -> None:
    """Install carc with an extra in the virtual environment, as far as that is not done."""
    if sys.version_info < (3, 11):  # noqa: UP036 (an older one may run this)
        raise InstallError(
            f"needs Python 3.11 or newer, and this is {sys.version_info[0]}.{sys.version_info[1]}; "
            f"`make PYTHON=python3.12 ...` takes another"
        )
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    requirements = sorted(requirements_of(project["project"], extra))
    state_file = VENV / "carc-installed.json"
    known = state_file.is_file() and PYTHON.exists()
    state = json.loads(state_file.read_text(encoding="utf-8")) if known else {}
    # Once everything was compiled, it stays so.
    modules = "first" if extra == "tournament" and state.get("compiled") != "all" else "all"
    wanted = {extra: digest(repr(requirements)), "carc": digest(), "compiled": modules}
    if state == state | wanted:
        return
    LOG.parent.mkdir(exist_ok=True)
    LOG.write_text("", encoding="utf-8")
    started = time.monotonic()
    if not PYTHON.exists():
        run("making the virtual environment", [sys.executable, "-m", "venv", str(VENV)])
    pip = [str(PYTHON), "-m", "pip", "install", "-q", "--retries", "2"]
    constrained = [*pip, "-c", str(ROOT / "constraints.txt")]
    os.environ["CARC_COMPILE"] = modules
    if state.get(extra) != wanted[extra]:
        needed = [*constrained, "--no-compile", *project["build-system"]["requires"]]
        run("installing what building needs", needed)
        extras = start(f"installing what carc[{extra}] needs", [*constrained, *requirements])
    shutil.rmtree(wheels := ROOT / "build" / "wheel", ignore_errors=True)
    build = [str(PYTHON), "-W", "ignore", "setup.py", "-q", "bdist_wheel", "-d", str(wheels)]
    built = subprocess.run(build, cwd=ROOT, check=False)
    if state.get(extra) != wanted[extra]:
        finish(f"installing what carc[{extra}] needs", extras)
    if built.returncode:
        raise InstallError("the build failed; what it said is above")
    run("installing carc", [*pip, "--no-deps", "--force-reinstall", *map(str, wheels.iterdir())])
    state_file.write_text(json.dumps(state | wanted), encoding="utf-8")
    say(f"installed in {time.monotonic() - started:.0f} s")
    if modules == "first":
        say("this was quick to compile; after `make installed` all expansions run at full speed")


def requirements_of(project: dict[str, Any], extra: str) -> set[str]:
    """Return what the project and its extra require, extras of its own resolved."""
    found, waiting = set(project["dependencies"]), [extra]
    while waiting:
        for requirement in project["optional-dependencies"][waiting.pop()]:
            own = re.fullmatch(rf"{project['name']}\[(.*)\]", requirement)
            waiting += own[1].split(",") if own else []
            found |= {requirement} if not own else set()
    return found


def digest(requirements: str = "") -> str:
    """Return a digest of what is to be installed: requirements, or carc without any."""
    found = hashlib.sha256(f"{sys.version} {c_compiler()} {requirements}".encode())
    files = [ROOT / name for name in ("constraints.txt", "pyproject.toml", "setup.py")]
    for folder in ("carc", "build_tools"):
        files += sorted((ROOT / folder).rglob("*"))
    for path in files[:1] if requirements else files:
        if path.is_file() and path.suffix not in {".pyc", ".so", ".pyd"}:
            found.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def run(what: str, command: list[str]) -> None:
    """Run a step of the installation."""
    finish(what, start(what, command))


def start(what: str, command: list[str]) -> subprocess.Popen[str]:
    say(what)
    out, err = subprocess.PIPE, subprocess.STDOUT
    return subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=err, text=True)


def finish(what: str, process: subprocess.Popen[str]) -> None:
    """Wait for a step; raise `InstallError` with the reason if it failed."""
    said, _ = process.communicate()
    with LOG.open("a", encoding="utf-8") as log:
        log.write(said)
    if process.returncode:
        lines = [line for line in said.splitlines() if line.strip()] or ["no reason given"]
        why = next((line for line in lines if line.startswith("ERROR")), lines[-1])
        why = next((known for sign, known in WHY.items() if re.search(sign, said)), why)
        raise InstallError(f"{what} failed: {why} (all it said: {LOG.relative_to(ROOT)})")


if __name__ == "__main__":
    try:
        main(sys.argv[1] if len(sys.argv) > 1 else "tournament")
    except InstallError as error:
        sys.exit(f"carc: {error}")
    except OSError as error:
        sys.exit(f"carc: cannot write {error.filename}: {error.strerror}")
