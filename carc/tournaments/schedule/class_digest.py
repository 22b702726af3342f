"""What a class is made of: the digest of a bot that is written in a file with others."""

import ast
import hashlib
import inspect
from pathlib import Path
from typing import Any


def digest(maker: type[Any]) -> str:
    """Return SHA-256 of a class and what it uses in its file, without comments and layout.

    Of the file's classes and functions those count that the class, or the file's other statements,
    name directly or through others: editing a neighbour changes nothing. The user's own modules
    that it imports (`own_files`) count whole.
    """
    try:
        file = _file(maker)
        tree = ast.parse(file.read_bytes())
        own = [dump(ast.parse(other.read_bytes())) for other in own_files(maker)[1:]]
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
    text = "\n".join([*map(dump, kept), *own])
    return hashlib.sha256(f"{maker.__qualname__}\n{text}".encode()).hexdigest()


def dump(tree: object) -> str:
    """Return a syntax tree as text. Unlike `ast.dump`, it is the same in all versions of Python.

    Newer versions add fields, and leave out empty ones. Here what is empty is left out.
    """
    if isinstance(tree, list):
        return f"[{', '.join(map(dump, tree))}]"
    if isinstance(tree, ast.AST):
        parts = [
            f"{name}={dump(part)}" for name, part in ast.iter_fields(tree) if part not in (None, [])
        ]
        return f"{type(tree).__name__}({', '.join(parts)})"
    return repr(tree)


def own_files(maker: type[Any]) -> list[Path]:
    """Return the file of a class, and of the own modules that it imports.

    Those are in the folder or package in which it is written; what they import from there counts
    too. A shipped bot, and a class without a file, have no others.
    """
    module = maker.__module__
    package, dot, _ = module.partition(".")
    file = _file(maker)
    root = file.parents[module.count(".")]
    files = [file]
    if package == "carc" or (not dot and root.name in ("site-packages", "dist-packages")):
        return files
    modules = [module]
    for at in modules:  # it grows
        for name in _imported(at, (_module(root, at) or file).read_bytes()):
            where = _module(root, name)
            if where is not None and name not in modules and (not dot or name.startswith(package)):
                modules.append(name)
                files.append(where)
    return files


def _file(maker: type[Any]) -> Path:
    """Return where a class is written; raise `TypeError` if nowhere."""
    file = Path(inspect.getfile(maker))
    # A compiled class: its source lies beside it.
    return file if file.suffix == ".py" else file.with_name(file.name.partition(".")[0] + ".py")


def _module(root: Path, name: str) -> Path | None:
    """Return the file of a module below a folder, if it is there."""
    path = root.joinpath(*name.split("."))
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return file
    return None


def _imported(module: str, text: bytes) -> list[str]:
    """Return whatever a module's text imports, in order: modules, and what may be one."""
    names = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = module.split(".")[: -node.level] if node.level else []
            of = ".".join([*above, *filter(None, [node.module])])
            names += [of, *(f"{of}.{name.name}" for name in node.names)]
    return names


_DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def _names(part: ast.AST) -> set[str]:
    """Return every name in a text, and every text in it that could be one."""
    names = set()
    for node in ast.walk(part):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names.add(node.value)
    return names
