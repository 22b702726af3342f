"""Nothing is imported from the current folder, nor from a submission, but what is named there.

docs/security.md, promise 2: every command is run in a folder full of modules and of packages that
register entry points, named like all that can be imported or is looked for.
"""

import importlib.metadata
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from support.playing import requires

import carc
from carc.commands.main import MODULES

# What libraries try to import, and do without where it is missing.
OPTIONAL = {
    "gmpy2", "cffi", "sitecustomize", "usercustomize", "uvloop", "httptools", "wsproto",
    "websockets", "watchfiles", "dotenv", "yaml", "pandas", "scipy", "matplotlib", "numba", "cupy",
    "psutil", "setproctitle", "colorama", "pygments", "lxml", "orjson", "ujson", "simplejson",
    "brotli", "zstandard", "lz4", "snappy", "blosc", "bokeh", "crick", "pyarrow", "fsspec", "torch",
    "jax", "readline", "_curses", "curses", "backports", "importlib_metadata",
    "importlib_resources", "typing_extensions", "zipp", "tomli", "exceptiongroup", "attr", "attrs",
    "evil",
}  # fmt: skip
WRITES = "import os\nopen(os.environ['WITNESS'], 'a').write(__name__ + '\\n')\n"
OWN = """
import helper


class Bot:
    def choose(self, state):
        import helper_later
        return state.legal_actions()[0]
"""
BOT_TOML = 'name = "evil"\nversion = "1"\nlanguage = "python"\nentry = "bot:Bot"\nrules = {rules}\n'


@cache
def names() -> set[str]:
    """Top-level names of all that could be looked for."""
    installed = {name for names in importlib.metadata.packages_distributions() for name in [names]}
    plain = {name for name in installed if name.isidentifier()}
    return plain | OPTIONAL | set(sys.stdlib_module_names) | {"tests", "conftest"}


@pytest.fixture
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file in which modules of the folder say that they were imported."""
    return tmp_path_factory.mktemp("outside") / "witness"


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A stranger's folder, alone in a folder of submissions."""
    folder = tmp_path / "submissions" / "evil"
    folder.mkdir(parents=True)
    for name in names():
        (folder / f"{name}.py").write_text(WRITES)
    for kind, name in (("dist-info", "evil-1.dist-info"), ("egg-info", "other.egg-info")):
        place = folder / name
        place.mkdir()
        (place / "entry_points.txt").write_text(
            "[carc.expansions]\nevil = evil:Evil\ninns = evil:Inns\n"
            "[console_scripts]\ncarc = evil:main\n[dask.plugins]\nevil = evil\n"
        )
        (place / ("METADATA" if kind == "dist-info" else "PKG-INFO")).write_text(
            "Metadata-Version: 2.1\nName: evil\nVersion: 1\n"
        )
    (folder / "bot.toml").write_text(BOT_TOML.format(rules='["base"]'))
    (folder / "bot.py").write_text(
        "class Bot:\n    def choose(self, state):\n        return state.legal_actions()[0]\n"
    )
    for name in ("bwrap", "node", "python3"):
        (folder / name).write_text("#!/bin/sh\necho program >> $WITNESS\n")
        (folder / name).chmod(0o755)
    return folder


# Calls the program line by line, and says after each what was written by modules of the folder.
PROGRAM = """
import os, shlex, sys
from carc.commands.main import main
sys.path.insert(0, "")  # as `python -m` has it
for line in sys.argv[1:]:
    sys.argv[1:] = shlex.split(line)
    print("LINE", line, file=sys.stderr, flush=True)
    try:
        main()
    except SystemExit as left:
        print("LEFT", left.code, file=sys.stderr, flush=True)
    imported = open(os.environ["WITNESS"]).read().split()
    print(*(f"IMPORTED {name}" for name in imported), sep="\\n", file=sys.stderr, flush=True)
"""


def run(folder: Path, witness: Path, *lines: str) -> str:
    """Call the program as the installed script does: its own folder is first on the path.

    All lines in one process, which imports for each what it has not yet. What it says of them.
    """
    script = witness.parent / "bin" / "carc"
    script.parent.mkdir(exist_ok=True)
    script.write_text(PROGRAM)
    witness.touch()
    source = str(Path(carc.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, str(script), *lines],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": source,
            "PATH": f".:{os.environ['PATH']}",
            "WITNESS": str(witness),
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        stdin=subprocess.DEVNULL,
    )
    assert done.stderr.count("LEFT") == len(lines), done.stderr[-2000:]
    assert "Traceback" not in done.stderr, done.stderr[-2000:]
    return done.stderr


def imported(said: str) -> set[str]:
    return set(re.findall(r"^IMPORTED (\w+)$", said, re.MULTILINE))


LINES = [
    "--help",
    "tournament --bots greedy,random --deals 1 --out runs/t",
    "play --bots greedy,random --rules base",
    "play --bots random,random --rules base+inns",
    "replay nosuch",
    "show nosuch",
    "analyse nosuch",
    "review nosuch --player x",
    "puzzles nosuch",
    "tiles base",
    "doctor",
    "bots",
    "games runs/t",
    "leaderboard runs/t --details",
    "report runs/t",
    "export runs/t --out -",
    "export nosuch.jsonl --jcz --out game.jcz",
    "import nosuch.jcz",
    "duel random greedy --deals 2 --out runs/d",
    "merge runs/t --out runs/m",
    "levels --bots careful --levels 1 --players 2 --games 1 --out runs/l",
    "new-bot mine",
    "new-expansion mine_expansion",
    "withdraw evil",
    "arena author add runs/arena eve",
    "arena status runs/arena",
    "connect NO_ARENA --token x random",
    "verify runs/t",
    "log nosuch evil --out runs/t",
    "serve --port 1 --host nosuch.invalid nosuch",
]
ISOLATED = [
    "check . --games 1",
    "submit . --games 1 --author eve",
    "tournament --bots .,random --deals 1 --out runs/u",
    "bench --seconds 0.1",
    "contest .. --games 1 --deals 1",
]


@pytest.fixture
def no_arena() -> Iterator[str]:
    """The address of a server that is no arena, which `carc connect` does not try again."""
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_command_imports_nothing_from_the_current_folder(
    trap: Path, outside: Path, no_arena: str
) -> None:
    said = run(trap, outside, *(line.replace("NO_ARENA", no_arena) for line in LINES))
    assert imported(said) == set(), said[-3000:]


@requires("confined")
@pytest.mark.parametrize(
    "rules",
    [
        "base+evil",
        pytest.param("base", marks=pytest.mark.long),
        pytest.param("base+inns", marks=pytest.mark.long),
    ],
)
def test_a_submission_is_imported_in_isolation_alone(trap: Path, outside: Path, rules: str) -> None:
    (trap / "bot.toml").write_text(BOT_TOML.format(rules=f'["{rules}"]'))
    said = run(trap, outside, *ISOLATED)
    assert imported(said) == set(), said[-3000:]


def test_what_is_named_is_imported_with_what_it_imports_and_nothing_else(
    trap: Path, outside: Path
) -> None:
    """A board rates with mpmath, which would take gmpy2 if it found it."""
    (trap / "own.py").write_text(WRITES + OWN)
    (trap / "helper.py").write_text(WRITES)
    (trap / "helper_later.py").write_text(WRITES)
    played = "tournament --bots own:Bot,random --deals 1 --jobs 1 --out runs/v"
    said = run(trap, outside, played, "leaderboard runs/v")
    assert said.count("LEFT 0") == 2, said
    assert imported(said) == {"own", "helper", "helper_later"}


def test_every_command_is_tried() -> None:
    tried = {line.split()[0] for line in LINES + ISOLATED}
    assert set(MODULES) - tried <= {"fit", "calibrate"}
