"""Run the code and the commands of all pages as written: `python tools/run_docs.py [PAGE ...]`.

Each page runs in an empty folder of its own. Blocks marked as needing an installation or several
machines are left out. The tests do the same with one deal a tournament.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from support.doc_blocks import PAGES, Folder, blocks


def main() -> None:
    """Run the pages named on the command line, or all."""
    names = sys.argv[1:]
    failures = []
    for page in PAGES:
        if names and page.stem not in names:
            continue
        begun = time.monotonic()
        with tempfile.TemporaryDirectory() as room:
            Path(room).chmod(0o755)
            folder = Folder(Path(room), quick=False)
            try:
                for block in blocks(page):
                    folder.run(block)
            except AssertionError as error:
                failures.append(page.stem)
                print(f"FAIL {page.stem}: {error}")
        print(f"{page.stem}: {len(blocks(page))} blocks, {time.monotonic() - begun:.0f} s")
    sys.exit(f"failed: {', '.join(failures)}" if failures else 0)


if __name__ == "__main__":
    main()
