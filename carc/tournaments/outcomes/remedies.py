"""What an author is told of an answer that is none: what came, and the remedy if one is usual.

Whoever takes a bot's answers says it in these sentences: `carc check`, tournaments, the arena.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from carc.bounded import parse_json
from carc.errors import BadNotation
from carc.escape import quote_start

LOG: Final = "text for people belongs on stderr"


def no_json(line: bytes, error: ValueError) -> str:
    """Return what is said of a line that is not JSON in UTF-8."""
    return f"not a line of JSON in UTF-8: {quote_start(line)}: {_remedy(line.strip()) or error}"


def _remedy(text: bytes) -> str:
    if b"\0" in text:
        return "this is UTF-16 or binary; write UTF-8"
    if text.startswith(b"{'"):
        return "this is how Python prints a dict; write json.dumps(message)"
    if text in (b"{", b"["):
        return "write a message on one line"
    if not text:
        return "an answer is one line, without empty ones"
    if text[:1] not in b"{[" and text.isascii():
        return LOG
    return ""


def another_message(line: bytes, kind: str) -> str:
    """Return what is said of a message that is not of the kind that was asked for."""
    return f'expected a message {{"type": "{kind}", ...}}, not {quote_start(line)}'


def another_id(given: Any, wanted: int, earlier: Iterable[int]) -> str:
    """Return what is said of an answer with another id than that of its request.

    Args:
        given: What the answer has as its id; None if it has none.
        wanted: The request's.
        earlier: Those of the requests before it.
    """
    told = f"it answered request {shown(given)}, not {wanted}"
    if given is None:
        return f'an answer without an "id": repeat that of the request, {wanted}'
    if isinstance(given, str):
        return f"{told}: an id is a number"
    if given in list(earlier):
        return f"{told}: that request is older; answer each once, when it comes"
    return f"{told}: repeat the id of the request"


def no_text(action: Any) -> str:
    """Return what is said of an action that is no text, or too long for one."""
    remedy = ': give the text in "legal", not its place' if isinstance(action, int) else ""
    return f'"action" is notation, not {shown(action)}{remedy}'


def no_action(text: str, legal: Sequence[str], error: BadNotation) -> str:
    """Return what is said of a text that denotes no action."""
    for action in legal:
        if _plain(action) == _plain(text):
            return f'{text!r} is no action: write it as "legal" has it, {action!r}'
    return str(error)


def _plain(text: str) -> str:
    return "".join(text.split()).casefold()


def unasked(data: bytes, after: bytes = b"") -> str:
    """Return what is said of lines that came when nothing was asked, after an answer."""
    line = data.partition(b"\n")[0]
    remedy = LOG
    if not line.strip():
        remedy = "end an answer with one newline, not two"
    elif _is_message(line) and (not after or _is_message(after)):
        remedy = "answer each request once, when it comes"
    before = f", after {quote_start(after)}" if after else ""
    return f"it spoke unasked: {quote_start(data)}{before}: {remedy}"


def _is_message(line: bytes) -> bool:
    try:
        return "type" in parse_json(line)
    except (TypeError, ValueError):
        return False


def kept_back(data: bytes) -> str:
    """Return what is said of what a bot had written when its time was up, flushed or not."""
    if b"\n" not in data:
        return f"it wrote {quote_start(data)} and no newline: end each answer with one"
    return f"it wrote {quote_start(data)} when its input was closed: flush stdout after each answer"


def shown(value: Any) -> str:
    """Return a value of a message, short."""
    return repr(value)[:80]
