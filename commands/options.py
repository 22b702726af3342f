"""What several commands ask for, said in one way."""

from __future__ import annotations

from pathlib import Path

import click

tile_files_option = click.option(
    "--tiles", "tile_files", multiple=True, type=click.Path(path_type=Path),
    help="Your own tile file, in place of the set of its name.",
)  # fmt: skip
