"""Each C file declares what it uses and nothing else, so that a change reaches few other files.

mypyc writes one header with all functions and literals of the package, and reads literals by their
index in one array, `CPyStatics`: one new function or string changes every file. Here each file gets
its own declarations, and each literal a variable, named after its text, that is set once after the
array is filled. A declaration that were missing stops the compiler; it cannot go wrong unseen.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

# `cpy_r_r3 = CPyStatics[1290]; /* 'road' */`, and for ints `(CPyTagged)CPyStatics[7] | 1; /* 5 */`.
READ = re.compile(r"CPyStatics\[(\d+)\]((?: \| 1)?;(?: /\* (.*?) \*/)?)", re.DOTALL)
FILLED = re.compile(r"( +)if \(CPyStatics_Initialize\(.*\n +return -1;\n +\}\n")
INCLUDE = re.compile(r'^#include "__native_internal_\w+\.h"\n', re.MULTILINE)
EXTERN = re.compile(r"^extern [^;]*?(\w+)(?:\[\d*\])*(?:\([^;]*)?;\n", re.MULTILINE)
WORD = re.compile(r"\w+")
# Compilers that take an undeclared function for one that returns an int are told not to.
UNDECLARED_IS_AN_ERROR = {
    "unix": ["-Werror=implicit-function-declaration", "-Werror=int-conversion"],
    "msvc": ["/we4013"],
}


def localize(main_file: Path, module_files: Sequence[Path], header: Path) -> None:
    """Move the header's declarations into the files that use them, and name the literals."""
    texts = {path: path.read_text(encoding="utf-8") for path in [main_file, *module_files]}
    names = _names(texts[path] for path in module_files)
    for path in module_files:
        texts[path] = READ.sub(lambda m: names[m[3] or "", int(m[1])] + m[2], texts[path])
    variables = {name: index for (_, index), name in sorted(names.items())}
    texts[main_file] = _set_variables(texts[main_file], variables)
    shared = header.read_text(encoding="utf-8")
    declarations = {match[1]: match[0] for match in EXTERN.finditer(shared)}
    declarations |= {name: f"extern PyObject *{name};\n" for name in variables}
    header.write_text(EXTERN.sub("", shared), encoding="utf-8")
    for path, text in texts.items():
        used = sorted(set(WORD.findall(text)) & declarations.keys())
        lines = "".join(declarations[name] for name in used)
        include = INCLUDE.search(text)
        if not include:
            raise SystemExit(f"carc: {path} includes no header; see build_tools/declarations.py")
        path.write_text(text[: include.end()] + lines + text[include.end() :], encoding="utf-8")


def _names(texts: Iterable[str]) -> dict[tuple[str, int], str]:
    """Return each literal's name by its text and index.

    Where the text is no sure sign of the literal, its index is part of the name.
    """
    indices: dict[str, set[int]] = {}
    for text in texts:
        for match in READ.finditer(text):
            indices.setdefault(match[3] or "", set()).add(int(match[1]))
    names = {}
    for said, found in indices.items():
        digest = hashlib.sha256(said.encode()).hexdigest()[:16]
        sure = said and len(found) == 1
        for index in found:
            names[said, index] = f"CPyStatic_{digest}" + ("" if sure else f"_{index}")
    return names


def _set_variables(text: str, variables: dict[str, int]) -> str:
    """Return the main file's text with these variables, set where the array is filled."""
    filled = FILLED.search(text)
    include = INCLUDE.search(text)
    if not filled or not include:
        raise SystemExit(
            "carc: mypyc fills its literals in a new way; see build_tools/declarations.py"
        )
    set_all = "".join(f"{filled[1]}{name} = CPyStatics[{i}];\n" for name, i in variables.items())
    defined = "".join(f"PyObject *{name};\n" for name in variables)
    start, end = include.end(), filled.end()
    return text[:start] + defined + text[start:end] + set_all + text[end:]
