"""Answers of the API, compared with its description."""

import re
from typing import Any

from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

from carc.web import api

DESCRIBED = api.DOCUMENT["paths"]
asked: set[str] = set()
"""The addresses that were answered, as they are described."""


def checked(client: TestClient, path: str, **query: str) -> Any:
    """The answer at an address, which is as described."""
    return described(client.get(path, params=query))


def described(answer: Any) -> Any:
    """An answer, which is as described."""
    path, method = answer.request.url.path, answer.request.method.lower()
    (template,) = (
        each for each in DESCRIBED if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", each), path)
    )
    known = DESCRIBED[template][method]["responses"][str(answer.status_code)]
    if answer.status_code == 200:
        asked.add(template)
    if "content" not in known:
        assert not answer.content
        return None
    kind = answer.headers["content-type"].partition(";")[0]
    schema = {**known["content"][kind]["schema"], "components": api.DOCUMENT["components"]}
    found = answer.json() if kind == "application/json" else answer.text
    Draft202012Validator(schema).validate(found)
    return found
