"""Docstrings for compiled classes, functions and properties: mypyc writes signatures and leaves the
words out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

# As mypyc writes them: `(PyCFunction)CPyPy_state___State___copy, METH_...,
# PyDoc_STR("copy($self)\n--\n\n")`, `(getter)state___State_get_winners, NULL, NULL, NULL}` and
# `.tp_doc = PyDoc_STR("Draw(tile, kind)\n--\n\n")`.
FUNCTION = re.compile(r'(CPyPy_(\w+),\s*METH_[^"]*?PyDoc_STR\("(?:[^"\\]|\\.)*)("\))')
PROPERTY = re.compile(r"(\(getter\)(\w+?)_get_(\w+),\s*(?:NULL|\(setter\)\w+),\s*)NULL(, NULL\})")
# In the docstring of a class: the section on attributes, and one of them.
ATTRIBUTES = re.compile(r"^Attributes:\n((?:    .*\n?|\n)*)", re.MULTILINE)
ATTRIBUTE = re.compile(r"^    (\w+): (.+(?:\n        .+)*)", re.MULTILINE)
CLASS = re.compile(r'(\.tp_doc = PyDoc_STR\("(\w+)\((?:[^"\\]|\\.)*)("\))')


def docstrings(paths: Sequence[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """What is documented in these modules: its dotted name in parts, and the docstring."""
    for path in paths:
        tree = ast.parse(Path(path).read_text(encoding="utf-8"))
        module = tuple(Path(path).with_suffix("").parts)
        for node in tree.body:
            if not isinstance(node, ast.ClassDef | ast.FunctionDef):
                continue
            words = ast.get_docstring(node) or ""
            yield (*module, node.name), words
            section = ATTRIBUTES.search(words)
            for name, meaning in ATTRIBUTE.findall(section[1]) if section else ():
                yield (*module, node.name, name), " ".join(meaning.split())
            for inner in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(inner, ast.FunctionDef):
                    yield (*module, node.name, inner.name), ast.get_docstring(inner) or ""


def known_as(paths: Sequence[str]) -> dict[str, str]:
    """The docstrings by every name that mypyc may give: it takes as little of the module's as tells
    modules apart.
    """
    found: dict[str, str] = {}
    for parts, words in docstrings(paths):
        if words:
            for start in range(len(parts)):
                found["___".join(parts[start:])] = words
    return found


def quoted(words: str) -> str:
    """The inside of a C string."""
    return "".join(
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\?' else f"\\{byte:03o}"
        for byte in words.encode()
    )


def write_into(c_file: Path, known: Mapping[str, str]) -> int:
    """Put these docstrings into what mypyc wrote, and return how many."""
    count = 0

    def function(found: re.Match[str]) -> str:
        nonlocal count
        words = known.get(found[2], "")
        count += bool(words)
        return f"{found[1]}{quoted(words)}{found[3]}"

    def attribute(found: re.Match[str]) -> str:
        nonlocal count
        words = known.get(f"{found[2]}___{found[3]}", "")
        count += bool(words)
        return f'{found[1]}PyDoc_STR("{quoted(words)}"){found[4]}' if words else found[0]

    text = c_file.read_text(encoding="utf-8")
    text = FUNCTION.sub(function, text)
    text = PROPERTY.sub(attribute, text)
    text = CLASS.sub(function, text)
    c_file.write_text(text, encoding="utf-8")
    return count
