"""Expansions of others, installed."""

import tomllib
from pathlib import Path


def install(folder: Path, **expansions: str) -> Path:
    """Leave in a folder what pip leaves of a package with these expansions, `name="module:Class"`.

    The folder is to come onto the search path.
    """
    name = "-".join(expansions)
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [f"{expansion} = {where}\n" for expansion, where in expansions.items()]
    (info / "entry_points.txt").write_text("[carc.expansions]\n" + "".join(lines))
    return folder


def expansions_of(package: Path) -> dict[str, str]:
    """The expansions that the pyproject.toml of a package names."""
    text = (package / "pyproject.toml").read_text(encoding="utf-8")
    found: dict[str, str] = tomllib.loads(text)["project"]["entry-points"]["carc.expansions"]
    return found
