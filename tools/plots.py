"""How plots are saved: the same plot is the same file, and its texts stay texts."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure


def save_svg(figure: Figure, file: Path) -> None:
    """Write a figure as SVG."""
    with mpl.rc_context({"svg.hashsalt": "carc", "svg.fonttype": "none"}):
        figure.savefig(file, metadata={"Date": None})
