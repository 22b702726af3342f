"""Nothing that a terminal obeys or hides passes `escape_unprintable`."""

import sys
import unicodedata

import pytest

from carc.escape import escape_unprintable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Käthe's bot, 2 → 3", "Käthe's bot, 2 → 3"),
        ("\x1b[31mred\x07", r"\x1b[31mred\x07"),
        ("a\nb\tc\rd", r"a\nb\tc\rd"),
        ("\x9b2J\x7f", r"\x9b2J\x7f"),
        ("good\u202egpj.exe", r"good\u202egpj.exe"),
        ("\u2066left\u2069 \u200emark\u061c", r"\u2066left\u2069 \u200emark\u061c"),
        ("zero\u200bwidth\u200d\ufeff\u00ad", r"zero\u200bwidth\u200d\ufeff\xad"),
        ("fill\u3164er\u034f\ufe0f\U000e0101", r"fill\u3164er\u034f\ufe0f\U000e0101"),
        ("two\u2028lines", r"two\u2028lines"),
        ("like a\u00a0space", r"like a\xa0space"),
        (b"odd\xff".decode(errors="surrogateescape"), r"odd\udcff"),
    ],
)
def test_what_is_shown(text: str, shown: str) -> None:
    assert escape_unprintable(text) == shown


def test_lines_may_stay() -> None:
    assert escape_unprintable("one\n\ttwo\x1b\r", keep="\n\t") == "one\n\ttwo\\x1b\\r"


def test_no_control_format_or_surrogate_character_passes() -> None:
    passed = [
        char
        for char in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")
        and escape_unprintable(char) == char
    ]
    assert passed == []
