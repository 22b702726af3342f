"""Literals by name instead of by number, so that a new one changes no other module's C.

mypyc keeps all literals of the package in one array, `CPyStatics`, and reads them by index: one new
string shifts the indices in every file. Here each literal gets a variable of its own, named after
its text, which is filled once after the array.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

# `cpy_r_r3 = CPyStatics[1290]; /* 'road' */`, and for ints `(CPyTagged)CPyStatics[7] | 1; /* 5 */`.
READ = re.compile(r"CPyStatics\[(\d+)\]((?: \| 1)?;(?: /\* (.*?) \*/)?)", re.DOTALL)
FILLED = re.compile(r"( +)if \(CPyStatics_Initialize\(.*\n +return -1;\n +\}\n")
SIZE = re.compile(r"extern PyObject \*CPyStatics\[\d+\]")
INCLUDE = re.compile(r'^#include "__native_internal_\w+\.h"\n', re.MULTILINE)


def name_literals(main_file: Path, module_files: Iterable[Path], header: Path) -> int:
    """Give each literal that these files read a variable of its own; return how many."""
    texts = {path: path.read_text(encoding="utf-8") for path in module_files}
    names = _names(texts.values())
    for path, text in texts.items():
        used: set[str] = set()

        def named(match: re.Match[str], used: set[str] = used) -> str:
            name = names[match[3] or "", int(match[1])]
            used.add(name)
            return name + match[2]

        text = READ.sub(named, text)  # noqa: PLW2901 (the same text, changed)
        declared = "".join(f"extern PyObject *{name};\n" for name in sorted(used))
        text = INCLUDE.sub(lambda match, lines=declared: match[0] + lines, text, count=1)  # noqa: PLW2901
        path.write_text(text, encoding="utf-8")
    _define(main_file, names)
    text = header.read_text(encoding="utf-8")
    header.write_text(SIZE.sub("extern PyObject *CPyStatics[]", text), encoding="utf-8")
    return len(names)


def _names(texts: Iterable[str]) -> dict[tuple[str, int], str]:
    """Return each literal's name by its text and index; the index is in it if the text is not enough."""
    indices: dict[str, set[int]] = {}
    for text in texts:
        for match in READ.finditer(text):
            indices.setdefault(match[3] or "", set()).add(int(match[1]))
    names = {}
    for said, found in indices.items():
        digest = hashlib.sha256(said.encode()).hexdigest()[:16]
        alone = said and len(found) == 1
        for index in found:
            names[said, index] = f"CPyStatic_{digest}" if alone else f"CPyStatic_{digest}_{index}"
    return names


def _define(main_file: Path, names: dict[tuple[str, int], str]) -> None:
    by_name = sorted((name, index) for (_, index), name in names.items())
    text = main_file.read_text(encoding="utf-8")
    filled = FILLED.search(text)
    if not filled:
        raise SystemExit("carc: mypyc fills its literals in a new way; see build_tools/literals.py")
    lines = "".join(f"{filled[1]}{name} = CPyStatics[{index}];\n" for name, index in by_name)
    text = text[: filled.end()] + lines + text[filled.end() :]
    declared = "".join(f"PyObject *{name};\n" for name, _ in by_name)
    text = INCLUDE.sub(lambda match: match[0] + declared, text, count=1)
    main_file.write_text(text, encoding="utf-8")
