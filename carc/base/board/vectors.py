"""Sorted vectors: find a place, insert, remove, sort; and the n-th of an unsorted one.

`librt.vecs` has no `bisect` and no `sort`. The standard library's functions work on boxed ints;
compiled, they took six times as long here.
"""

from __future__ import annotations

from typing import Final

from librt.vecs import append, pop, vec
from mypy_extensions import i64

FEW: Final[i64] = 8  # up to so many, comparing all pairs is faster than partitioning


def place_in(entries: vec[i64], entry: i64) -> i64:
    """Return where an entry belongs in a sorted vector (binary search)."""
    low: i64 = 0
    rest = len(entries)
    while rest:
        # Without a branch: which half comes next is unpredictable.
        half = (rest + 1) >> 1
        low += (entries[low + half - 1] - entry) >> 63 & half
        rest -= half
    return low


def insert(entries: vec[i64], at: i64, entry: i64) -> vec[i64]:
    """Return the vector with an entry inserted; the argument must not be used again."""
    entries = append(entries, entry)
    place = len(entries) - 1
    while place > at:
        entries[place] = entries[place - 1]
        place -= 1
    entries[at] = entry
    return entries


def remove(entries: vec[i64], at: i64) -> vec[i64]:
    """Return the vector without an entry; the argument must not be used again."""
    last = len(entries) - 1
    while at < last:
        entries[at] = entries[at + 1]
        at += 1
    return pop(entries)[0]


def sort_in_place(entries: vec[i64]) -> vec[i64]:
    """Sort a vector in place (Shell sort) and return it."""
    gap: i64 = 1
    while gap * 9 < len(entries):
        gap = gap * 3 + 1
    while gap:
        for last in range(gap, len(entries)):
            entry = entries[last]
            at: i64 = last
            while at >= gap and entries[at - gap] > entry:
                entries[at] = entries[at - gap]
                at -= gap
            entries[at] = entry
        gap //= 3
    return entries


def nth(entries: vec[i64], n: i64, index: i64) -> i64:
    """Return the entry at an index of the first `n` if they were sorted; reorders them.

    Counts smaller entries where there are few, else partitions (quickselect).
    """
    less: i64 = 0
    if n <= FEW:
        for at in range(n):
            entry = entries[at]
            less = 0
            for other in range(n):
                less -= (entries[other] - entry) >> 63  # 1 if it is smaller, without a branch
            if less == index:
                return entry
    low: i64 = 0
    high = n - 1
    while low < high:
        middle = (low + high) >> 1
        pivot = entries[middle]
        entries[middle] = entries[high]
        less = low
        for at in range(low, high):
            entry = entries[at]
            entries[at] = entries[less]
            entries[less] = entry
            less -= (entry - pivot) >> 63
        entries[high] = entries[less]
        entries[less] = pivot
        if less == index:
            break
        if less < index:
            low = less + 1
        else:
            high = less - 1
    return entries[index]


def from_list(ints: list[int]) -> vec[i64]:
    """Return the ints as a vector; `vec[i64](ints)` asks for a buffer first, 600 instructions."""
    entries = vec[i64]([0] * len(ints))
    for at in range(len(entries)):
        entries[at] = ints[at]
    return entries


def to_list(entries: vec[i64]) -> list[int]:
    """Return the entries as a list."""
    ints: list[int] = []
    for entry in entries:
        ints.append(entry)
    return ints
