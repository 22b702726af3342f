"""Vectors in order: where an entry belongs, one more, one less; and vectors that are in none."""

from __future__ import annotations

from typing import Final

from librt.vecs import append, pop, vec
from mypy_extensions import i64

FEW: Final[i64] = 8  # of so many entries each is sooner compared with all than they are parted


def place_in(some: vec[i64], entry: i64) -> i64:
    """Where an entry belongs in a vector that is in order."""
    low: i64 = 0
    rest = len(some)
    while rest:
        # Half of what is left lies before it or not: without a branch, for nobody could foretell which.
        half = (rest + 1) >> 1
        low += (some[low + half - 1] - entry) >> 63 & half
        rest -= half
    return low


def insert(some: vec[i64], at: i64, entry: i64) -> vec[i64]:
    """The vector with one entry more; the one given is used up."""
    some = append(some, entry)
    place = len(some) - 1
    while place > at:
        some[place] = some[place - 1]
        place -= 1
    some[at] = entry
    return some


def remove(some: vec[i64], at: i64) -> vec[i64]:
    """The vector with one entry less; the one given is used up."""
    last = len(some) - 1
    while at < last:
        some[at] = some[at + 1]
        at += 1
    return pop(some)[0]


def in_rank(some: vec[i64]) -> vec[i64]:
    """The entries, the least first; in place."""
    gap: i64 = 1
    while gap * 9 < len(some):
        gap = gap * 3 + 1
    while gap:
        for last in range(gap, len(some)):
            entry = some[last]
            at: i64 = last
            while at >= gap and some[at - gap] > entry:
                some[at] = some[at - gap]
                at -= gap
            some[at] = entry
        gap //= 3
    return some


def nth(some: vec[i64], n: i64, index: i64) -> i64:
    """What would be at an index of the first `n` entries if they were in order; in place."""
    less: i64 = 0
    if n <= FEW:
        for at in range(n):
            entry = some[at]
            less = 0
            for other in range(n):
                less -= (some[other] - entry) >> 63  # without a branch: nobody could foretell which
            if less == index:
                return entry
    low: i64 = 0
    high = n - 1
    while low < high:
        middle = (low + high) >> 1
        parted = some[middle]
        some[middle] = some[high]
        less = low
        for at in range(low, high):
            entry = some[at]
            some[at] = some[less]
            some[less] = entry
            less -= (entry - parted) >> 63
        some[high] = some[less]
        some[less] = parted
        if less == index:
            break
        if less < index:
            low = less + 1
        else:
            high = less - 1
    return some[index]


def plain(some: vec[i64]) -> list[int]:
    """The entries as a list."""
    found: list[int] = []
    for one in some:
        found.append(one)
    return found
