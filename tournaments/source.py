"""What a class is made of: the digest of a bot that is written in a file with others."""

import ast
import hashlib
import inspect
from pathlib import Path
from typing import Any


def digest(maker: type[Any]) -> str:
    """SHA-256 of what a class says and of what it uses in its file, comments and layout left out.

    Of the file's classes and functions those count that the class or the file's other statements name, directly or through
    others: editing a neighbour changes nothing. What is imported does not count.
    """
    try:
        file = Path(inspect.getfile(maker))
        if file.suffix != ".py":  # a compiled class: its source lies beside it
            file = file.with_name(file.name.partition(".")[0] + ".py")
        tree = ast.parse(file.read_bytes())
    except (
        TypeError,
        OSError,
        SyntaxError,
    ):  # typed in at a prompt, or no Python: it has no source
        return hashlib.sha256(f"{maker.__module__}:{maker.__qualname__}".encode()).hexdigest()
    named = {part.name: part for part in tree.body if isinstance(part, _DEFINITIONS)}
    wanted = {maker.__qualname__.partition(".")[0]}
    for part in tree.body:
        if not isinstance(part, _DEFINITIONS):
            wanted |= _names(part)
    used: set[str] = set()
    while new := (wanted & named.keys()) - used:
        used |= new
        for name in new:
            wanted |= _names(named[name])
    kept = [
        part
        for part in tree.body
        if not isinstance(part, _DEFINITIONS) or named[part.name] is not part or part.name in used
    ]
    text = "\n".join(ast.dump(part) for part in kept)
    return hashlib.sha256(f"{maker.__qualname__}\n{text}".encode()).hexdigest()


_DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def _names(part: ast.AST) -> set[str]:
    """Every name in it, and every text that could be one."""
    found = set()
    for node in ast.walk(part):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
    return found
