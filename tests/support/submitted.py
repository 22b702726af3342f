"""Submissions in a folder, and the program called beside it."""

from pathlib import Path

from support import warm

BOT = """
import random
class Bot:
    def __init__(self, seed): self.rng = random.Random(seed)
    def choose(self, state): return self.rng.choice(state.legal_actions())
"""
MANIFEST = 'name = "{name}"\nversion = "1"\nlanguage = "python"\nentry = "bot:Bot"\n'


def submit(folder: Path, *names: str, code: str = BOT) -> None:
    for name in names:
        place = folder / name
        place.mkdir(parents=True)
        (place / "bot.toml").write_text(MANIFEST.format(name=name))
        (place / "bot.py").write_text(code)


def call(folder: Path, *words: str) -> warm.Done:
    return warm.run(words, folder)
