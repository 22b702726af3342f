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
    answer = client.get(path, params=query)
    (template,) = (
        each for each in DESCRIBED if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", each), path)
    )
    described = DESCRIBED[template]["get"]["responses"][str(answer.status_code)]
    kind = answer.headers["content-type"].partition(";")[0]
    schema = {**described["content"][kind]["schema"], "components": api.DOCUMENT["components"]}
    found = answer.json() if kind == "application/json" else answer.text
    Draft202012Validator(schema).validate(found)
    if answer.status_code == 200:
        asked.add(template)
    return found
