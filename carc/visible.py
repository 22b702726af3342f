"""The former name of `carc.escape`, for modules that still use it."""

from carc.escape import escape_unprintable as visible

__all__ = ["visible"]
