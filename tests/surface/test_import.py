"""What `import carc` costs: nothing but its names, until one is asked for."""

import types

import pytest
from support.program import python

import carc


def test_import_loads_no_engine() -> None:
    program = "import sys, carc; print(sorted(m for m in sys.modules if m.startswith('carc.')))"
    assert python(program).stdout.strip() == "[]"


def test_every_public_name_is_there() -> None:
    assert [
        name for name in carc.__all__ if isinstance(getattr(carc, name), types.ModuleType)
    ] == []
    assert set(carc.__all__) <= set(dir(carc))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'carc' has no attribute 'nothing'"):
        carc.nothing  # type: ignore[attr-defined]  # noqa: B018 (that is the claim)
