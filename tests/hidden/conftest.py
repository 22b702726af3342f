"""The trial expansion `Hands`, installed for each module of these tests."""

import sys
from collections.abc import Iterator

import pytest
from support.installed import install


# By module: without `__init__.py` a package's fixture would stay until the whole run has ended.
@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the expansion is installed, as a package of somebody."""
    path = str(install(tmp_path_factory.mktemp("hands"), hands="support.hands:Hands"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [path, *sys.path])
        yield path
