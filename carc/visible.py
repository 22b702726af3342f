"""Texts of strangers on their way to a terminal."""

import re

# Printable by Unicode's categories, and yet nothing to see: joiners, fillers, selectors of variants.
_UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)


def visible(text: object, keep: str = "") -> str:
    """The text with what a terminal would obey or not show written as escapes, `\\x1b` or `\\u202e`.

    These are control, bidirectional and zero-width characters, separators other than the space, and what is no character
    (bytes of a file name that is not UTF-8); those in `keep` stay, such as the line ends of a text of several lines.
    """
    text = str(text)
    if text.isprintable() and not _UNSEEN.search(text):
        return text
    return "".join(
        char
        if char in keep or (char.isprintable() and not _UNSEEN.match(char))
        else char.encode("unicode_escape").decode()
        for char in text
    )
