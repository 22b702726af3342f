"""`bot.toml`: whatever is wrong with it gets one sentence, before anything is played."""

from pathlib import Path

import pytest
from support.playing import Carc

COMMAND = 'name = "a"\nversion = "1"\ncommand = ["sh"]\n'


@pytest.mark.parametrize(
    "text, sentence",
    [
        (None, "a bot is a folder with a bot.toml"),
        ("name = ", "not TOML"),
        (b"name = '\xff'", "not TOML: 'utf-8' codec can't decode"),
        ("x = " + "[" * 30_000 + "]" * 30_000, "nested more than 32 deep"),
        ("name" + ".a" * 20_000 + " = 1", "nested more than 32 deep"),
        ("x = {a" + ' . "a"' * 10_000 + " = 1}", "nested more than 32 deep"),
        ("#" * 70_000, "too large; a manifest has at most 64 kB"),
        ('version = "1"', "name is a text in quotes, not None"),
        ('name = "X y"\nversion = "1"', "a bot's name is up to 40"),
        ('name = "greedy"\nversion = "1"', "the name of a shipped bot"),
        ('name = "a"\nversion = 1', "version is up to 20"),
        (f'name = "a"\nversion = 0x{"f" * 9000}', "not a number of thousands of digits"),
        ('name = "a"\nversion = "1"', "either language and entry, or a command"),
        ('name = "a"\nversion = "1"\nlanguage = "cobol"\nentry = "x"', "others give a command"),
        ('name = "a"\nversion = "1"\nlanguage = "python"\nentry = "x.py"', "is module:Class"),
        ('name = "a"\nversion = "1"\nlanguage = "python"\nentry = 3', "entry is a text such as"),
        ('name = "a"\nversion = "1"\ncommand = "x"', "command is a list of texts"),
        ('name = "a"\nversion = "1"\ncommand = []', "command is a list of texts"),
        ('name = "a"\nversion = "1"\ncommand = ["a\\u0000b"]', "command is a list of texts"),
        ('name = "a"\nversion = "1"\ncommand = ["/"]', "'/' names a place outside"),
        ('name = "a"\nversion = "1"\ncommand = ["./bot.toml"]', "is not an executable file"),
        (COMMAND + 'colour = "red"', "unknown key 'colour'"),
        (COMMAND + f'{"k" * 500} = "red"', "unknown key 'kkkkkkkkkkkk...kkkk"),
        (COMMAND + 'rules = ["chess"]', "bot.toml: unknown rules 'chess'"),
        (COMMAND + f"rules = {['base'] * 17}", "rules has at most 16 texts, not 17"),
        (COMMAND + f"exclude = {['x'] * 33}", "exclude has at most 32 texts, not 33"),
        (COMMAND + f"include = {['x'] * 33}", "include has at most 32 texts, not 33"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_bad_manifest_gets_one_sentence(
    carc: Carc, text: str | bytes | None, sentence: str
) -> None:
    Path("mine").mkdir()
    if text is not None:
        Path("mine/bot.toml").write_bytes(text.encode() if isinstance(text, str) else text)
    for command in ("check", "submit"):
        result = carc(f"{command} mine --isolation process")
        assert result.code == 2
        (line,) = result.err.splitlines()
        assert sentence in line
        assert len(line) < 400
        assert "/tmp" not in line, "the place of a copy tells the author nothing"
    assert not Path("runs").exists()


@pytest.mark.parametrize("name", ["greedy", "X", "a" * 41, "../-"])
def test_a_new_bot_has_a_name_that_can_be_submitted(carc: Carc, name: str) -> None:
    result = carc(f"new-bot {name}")
    assert result.code == 2
    assert "name" in result.err
    assert not Path(name).exists()
