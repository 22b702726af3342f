"""Escapes for text from strangers on its way to a terminal or a page."""

import re
import unicodedata

# Printable by their Unicode category, but invisible: joiners, fillers and variation selectors.
_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)


def escape_unprintable(text: object, keep: str = "") -> str:
    r"""Return the text with unprintable and invisible characters escaped, such as `\x1b`.

    These are control, bidirectional and zero-width characters, separators other than the space, and
    surrogates, which stand for bytes of a file name that are not UTF-8. Those to keep, such as the
    newline, stay.
    """
    text = str(text)
    if text.isprintable() and not _INVISIBLE.search(text):
        return text
    return "".join(
        char
        if char in keep or (char.isprintable() and not _INVISIBLE.match(char))
        else char.encode("unicode_escape").decode()
        for char in text
    )


def folded(name: str) -> str:
    """Return what spellings of a name that look alike have in common."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def quote_start(data: bytes) -> str:
    """Return the first 80 bytes in quotes, printable."""
    return escape_unprintable(repr(data[:80].decode(errors="replace")))
