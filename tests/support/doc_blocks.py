"""The code blocks of the pages: found, and run as written in an empty folder.

A comment before a block says how it is run, `<!-- run: NOTE, NOTE -->`; without one it is run as it
is. `<!-- save: FILE -->` before a Python block also saves it. A page's blocks run in order, in one
folder.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import attrs

from carc.tournaments.ledger.ledger import Ledger
from support import warm
from support.warm import PYTHONPATH

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NOT_RUN = {"installs", "nothing to check", "on several machines"}
LONG = "long"  # not run where all must be quick
FOLDER_OF_CARC = "in the folder of carc"
KEYBOARD = "at the keyboard"
UNTIL_STOPPED = "until stopped"
COPIED = ("bots", "tournaments", "tools", "examples", "carc/expansion_ghosts/data")
LEFT = 130  # the exit code of a program that the player left
BLOCK = re.compile(
    r"(?:^<!-- (?P<key>run|save): (?P<note>[^>]*) "
    r"-->\n)?^```(?P<language>sh|python)\n(?P<text>.*?)^```",
    re.DOTALL | re.MULTILINE,
)


@attrs.frozen
class Block:
    """A block of code of a page, and how it is run."""

    language: str
    text: str
    run: str = ""
    save: str = ""


def blocks(page: Path) -> list[Block]:
    """Return the blocks of a page in Python and shell, in order."""
    found = []
    for match in BLOCK.finditer(page.read_text(encoding="utf-8")):
        note = {match["key"]: match["note"]} if match["key"] else {}
        found.append(Block(match["language"], match["text"], **note))
    return found


@attrs.define
class Folder:
    """An empty folder in which the blocks of a page run."""

    path: Path
    quick: bool = True
    """Whether tournaments play one deal only, and analyses are rough."""

    def __attrs_post_init__(self) -> None:
        """Make the programs `carc` and `python` that blocks call."""
        programs = self.path / ".programs"
        programs.mkdir()
        for name, code in (
            ("carc", "-c 'from carc.commands.main import main; main()' \"$@\""),
            ("python", '"$@"'),
        ):
            program = programs / name
            program.write_text(f"#!/bin/sh\nexec {sys.executable} {code}\n", encoding="utf-8")
            program.chmod(0o755)

    def run(self, block: Block) -> None:
        """Run a block. Raises `AssertionError` with what it printed if it fails."""
        if block.language == "python":
            self._python(block)
            return
        notes = set(filter(None, block.run.split(", ")))
        if not notes & NOT_RUN and not (self.quick and LONG in notes):
            for line in self._lines(block):
                self._shell(line, notes)

    def _python(self, block: Block) -> None:
        if block.save:
            (self.path / block.save).write_text(block.text, encoding="utf-8")
        words = [sys.executable, "-W", "error", "-c", block.text]
        ran = subprocess.run(
            words,
            cwd=self.path,
            env={**os.environ, "PYTHONPATH": PYTHONPATH},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, f"{block.text}\n{ran.stderr}"

    def _lines(self, block: Block) -> Iterator[str]:
        for line in block.text.splitlines():
            text = line
            if self.quick:
                text = re.sub(r"--deals \d+", "--deals 1", line)
                text = text.replace(" --quick", " --playouts 1")
            if "GAME" in text:
                out = re.search(r"--out (\S+)", text)
                assert out is not None, f"{line} names no tournament"
                text = text.replace("GAME", self._game(out[1], set(text.split())))
            yield text

    def _game(self, out: str, words: set[str]) -> str:
        """Return the first game of a tournament, of those with a bot named in the line if any."""
        with Ledger.reading(self.path / out) as ledger:
            outcomes = sorted(
                ledger.outcomes(),
                key=lambda outcome: words.isdisjoint(bot.split("@")[0] for bot in outcome.seats),
            )
        return outcomes[0].id[:8]

    def _shell(self, line: str, notes: set[str]) -> None:
        folder = self._folder_of_carc() if FOLDER_OF_CARC in notes else self.path
        for note in notes - {FOLDER_OF_CARC}:
            if note.startswith("in "):
                folder = self.path / note.removeprefix("in ")
        path = f"{self.path / '.programs'}:{os.environ['PATH']}"
        env = {**os.environ, "PATH": path, "PYTHONPATH": PYTHONPATH, "COLUMNS": "120"}
        process: warm.Process | subprocess.Popen[str]
        if line.startswith("carc ") and not set(line) & set("|&;<>$`*?~#("):
            process = warm.start(shlex.split(line)[1:], folder, env)
        else:
            process = subprocess.Popen(
                ["bash", "-c", line],
                cwd=folder,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                start_new_session=True,
            )
        if UNTIL_STOPPED in notes:
            time.sleep(3)
            assert process.poll() is None, f"{line}\n{process.communicate()}"
            os.killpg(process.pid, signal.SIGTERM)
            process.communicate()
            return
        out = "\n".join(filter(None, process.communicate()))
        allowed = (0, LEFT) if KEYBOARD in notes else (0,)
        assert process.returncode in allowed, f"{line}\nexit code {process.returncode}\n{out}"

    def _folder_of_carc(self) -> Path:
        folder = self.path / "carc-repository"
        for name in COPIED:
            if not (folder / name).exists():
                shutil.copytree(ROOT / name, folder / name)
        return folder
