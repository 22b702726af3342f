"""Processes that the server starts end with it, however it ends."""

import multiprocessing
import os
import threading
from multiprocessing.process import BaseProcess


def end_with_parent() -> None:
    """Make this process end when the one that started it does. Call it in the child.

    A server that is stopped by a signal does not come to shut its pools down.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_follow, args=(parent,), daemon=True).start()


def _follow(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
