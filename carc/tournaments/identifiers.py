"""Ids of games, independent seeds, and digests of rows. Compiled: a game takes about ten."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b
from json.encoder import encode_basestring_ascii

_BLOCK = 64  # bytes that SHA-256 takes at once


class Json:
    """Text that is JSON already."""

    def __init__(self, *parts: object) -> None:
        self.text = _text(parts)


def fingerprint(*parts: object) -> str:
    """Return 16 hex digits that stand for `parts`, which are anything JSON can write."""
    return hashlib.sha256(_text(parts).encode()).hexdigest()[:16]


def seed_from(secret: object, *parts: object) -> int:
    """Return a seed of 52 bits, so that every reader of JSON reads it exactly.

    It is a keyed hash (HMAC): whoever knows the seed and the parts, but not the secret, knows
    nothing of other seeds.
    """
    inside, outside = _keyed(secret)
    inner, outer = inside.copy(), outside.copy()
    inner.update(_text(parts).encode())
    outer.update(inner.digest())
    return int.from_bytes(outer.digest()[:7], "big") >> 4


def digest_of(values: Iterable[object]) -> str:
    """Return 16 hex digits that stand for the cells of a row."""
    text = "\x1f".join([str(value) for value in values])
    return blake2b(text.encode("utf-8", "backslashreplace"), digest_size=8).hexdigest()


@lru_cache(maxsize=64)
def _keyed(secret: object) -> tuple[hashlib._Hash, hashlib._Hash]:
    """Return the two begun hashes of an HMAC (RFC 2104); `hmac` takes half as long again."""
    key = json.dumps(secret).encode()
    if len(key) > _BLOCK:
        key = hashlib.sha256(key).digest()
    key = key.ljust(_BLOCK, b"\0")
    return hashlib.sha256(bytes([n ^ 0x36 for n in key])), hashlib.sha256(
        bytes([n ^ 0x5C for n in key])
    )


def _text(part: object) -> str:
    """Return JSON as `json.dumps` writes it, at a third of the time."""
    if isinstance(part, Json):
        return part.text
    if type(part) is str:
        return encode_basestring_ascii(part)
    if type(part) is int:
        return str(part)
    if isinstance(part, (list, tuple)):
        return "[" + ", ".join([_text(item) for item in part]) + "]"
    return json.dumps(part)
