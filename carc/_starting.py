"""Imported first: until the program `carc` has read itself and can say what it wants, Ctrl-C ends it without a word.

Nothing is imported here that takes time: before this, Ctrl-C is the interpreter's to answer.
"""

import _signal as signal  # what `signal` makes enums of
import sys

if (
    sys.argv
    and sys.argv[0].rpartition("/")[2] == "carc"
    and signal.getsignal(signal.SIGINT) is signal.default_int_handler
):
    signal.signal(signal.SIGINT, signal.SIG_DFL)
