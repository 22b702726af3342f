"""Imported first: until the program `carc` has read itself and can say what it wants, Ctrl-C ends it without a word."""

import signal
import sys
from pathlib import PurePath

if (
    PurePath(sys.argv[0] if sys.argv else "").name == "carc"
    and signal.getsignal(signal.SIGINT) is signal.default_int_handler
):
    signal.signal(signal.SIGINT, signal.SIG_DFL)
