"""Makes a virtual environment with carc in it: `python build_tools/install.py EXTRA`.

Works by contents: what has not changed since the last time is not installed again. Needs only what
Python brings with it.
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
from collections.abc import Iterable
from pathlib import Path
from typing import Any

OLDEST = (3, 11)
ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / os.environ.get("VENV", ".venv")
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
LOG = ROOT / "build" / "install.log"
OFFLINE = re.compile(
    "No matching distribution|Max retries|Temporary failure|NewConnectionError|Network is unreach"
)


class InstallError(Exception):
    """One sentence about what went wrong."""


def main(extra: str) -> None:
    """Install carc with an extra in the virtual environment, as far as that is not done."""
    if sys.version_info < OLDEST:
        raise InstallError(
            f"needs Python {OLDEST[0]}.{OLDEST[1]} or newer, and this is "
            f"{sys.version_info[0]}.{sys.version_info[1]}; `make PYTHON=python3.12 ...` "
            f"takes another"
        )
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    state_file = VENV / "carc-installed.json"
    state = _read_state(state_file)
    _write_log("")
    requirements = sorted(_requirements(project["project"], extra))
    started = time.monotonic()
    if not PYTHON.exists():
        _say(f"making {VENV.name} with Python {sys.version.split()[0]}")
        _run([sys.executable, "-m", "venv", str(VENV)], "making the virtual environment")
    compiler = not os.environ.get("CARC_INTERPRETED") and _compiler()
    # Once everything was compiled, it stays so.
    modules = "first" if extra == "tournament" and state.get("compiled") != "all" else "all"
    os.environ["CARC_COMPILE"] = modules
    wanted = _wanted(extra, requirements, compiler) | {"compiled": modules}
    if state == state | wanted:
        return
    pip = None
    if state.get(extra) != wanted[extra]:
        needed = project["build-system"]["requires"] if compiler else ["setuptools", "wheel"]
        _say("installing what building needs")
        _run(_pip("--no-compile", *needed), "installing what building needs")
        _say(f"installing what carc[{extra}] needs, beside the build")
        pip = _start(_pip(*requirements))
    # Beside the installation; pip takes over what is built here.
    built = subprocess.run([PYTHON, "setup.py", "-q", "build_ext"], cwd=ROOT, check=False)
    if pip:
        _finish(pip, f"installing what carc[{extra}] needs")
    if built.returncode:
        raise InstallError("the build failed; what it said is above")
    _say("installing carc")
    _run(_pip("--no-deps", "--no-build-isolation", "."), "installing carc")
    state_file.write_text(json.dumps(state | wanted), encoding="utf-8")
    _say(f"installed in {time.monotonic() - started:.0f} s")
    if compiler and modules == "first":
        _say("expansions other than ghosts run interpreted; `make installed` compiles them, too")


def _wanted(extra: str, requirements: list[str], compiler: bool) -> dict[str, str]:
    """Return digests of what an installation is made from, with or without the compiler's needs."""
    return {
        extra: _digest([ROOT / "constraints.txt"], repr(requirements), str(compiler)),
        "carc": _digest(_package_files(), str(compiler)),
    }


def _requirements(project: dict[str, Any], extra: str) -> set[str]:
    """Return what the project and its extra require, extras of its own resolved."""
    found = set(project["dependencies"])
    waiting = [extra]
    while waiting:
        for requirement in project["optional-dependencies"][waiting.pop()]:
            own = re.fullmatch(rf"{project['name']}\[(.*)\]", requirement)
            if own:
                waiting += own[1].split(",")
            else:
                found.add(requirement)
    return found


def _package_files() -> list[Path]:
    """Return what carc is built from, pages included; documents are not."""
    names = ("carc", "build_tools")
    files = [path for name in names for path in (ROOT / name).rglob("*") if path.is_file()]
    kept = [path for path in files if path.suffix not in {".pyc", ".so", ".pyd"}]
    return sorted([*kept, ROOT / "setup.py", ROOT / "pyproject.toml"])


def _digest(files: Iterable[Path], *more: str) -> str:
    digest = hashlib.sha256("\0".join([sys.version, *more]).encode())
    for path in files:
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _compiler() -> bool:
    """Return whether there seems to be a C compiler; the build looks closer."""
    if os.name == "nt":
        return True
    import sysconfig

    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    return shutil.which(command.split()[0]) is not None


def _pip(*arguments: str) -> list[str]:
    quiet = ["-q", "--retries", "2", "--disable-pip-version-check"]
    constraints = ["-c", str(ROOT / "constraints.txt")]
    return [str(PYTHON), "-m", "pip", "install", *quiet, *constraints, *arguments]


def _run(command: list[str], what: str) -> None:
    _finish(_start(command), what)


def _start(command: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def _finish(process: subprocess.Popen[str], what: str) -> None:
    said, _ = process.communicate()
    _write_log(said)
    if not process.returncode:
        return
    if "ensurepip" in said:
        why = "this Python has no ensurepip (on Debian and Ubuntu: apt install python3-venv)"
    elif OFFLINE.search(said):
        why = "pip reaches no package index; is there a network?"
    else:
        lines = [line for line in said.strip().splitlines() if line.strip()] or ["no reason given"]
        why = next((line for line in lines if line.startswith("ERROR")), lines[-1])
    raise InstallError(f"{what} failed: {why} (all it said: {LOG.relative_to(ROOT)})")


def _write_log(text: str) -> None:
    LOG.parent.mkdir(exist_ok=True)
    with LOG.open("a" if text else "w", encoding="utf-8") as log:
        log.write(text)


def _read_state(file: Path) -> dict[str, str]:
    try:
        state: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return state if PYTHON.exists() else {}


def _say(text: str) -> None:
    print(f"carc: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1] if len(sys.argv) > 1 else "tournament")
    except InstallError as error:
        sys.exit(f"carc: {error}")
    except OSError as error:
        sys.exit(f"carc: cannot write {error.filename}: {error.strerror}")
