"""The description of the API, made of the classes of its answers (`carc.web.ladder_data`)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import UnionType
from typing import Any, Final, get_args, get_origin, get_type_hints

import attrs

import carc
from carc.web.guard import REFUSALS, REFUSALS_OF_BODIES

VERSION: Final = "3.1.0"
PLAIN: Final = "text/plain"
NOT_MODIFIED: Final = 304  # has no content
_KINDS: Final = {str: "string", int: "integer", float: "number", bool: "boolean"}


@attrs.frozen
class Parameter:
    """A parameter of an operation; one of `several` may be given repeatedly."""

    name: str
    about: str
    required: bool = False
    kind: type = str
    several: bool = False


@attrs.frozen
class Operation:
    """What can be asked at an address.

    Attributes:
        name: Its name.
        path: The address; names in braces are parts of it.
        summary: What is answered.
        answer: The class of the answer, or its media type if it is no JSON.
        parts: The parts of the address.
        query: What follows the question mark.
        needs: `token` if only an author may ask.
        takes: The media type of what is sent; empty if nothing is, and so if this is a GET.
        codes: The status codes of refusals, and what they mean.
        code: The status code of the answer.
        refusal: The media type of refusals.
    """

    name: str
    path: str
    summary: str
    answer: type | str
    parts: tuple[Parameter, ...] = ()
    query: tuple[Parameter, ...] = ()
    needs: str = ""
    takes: str = ""
    codes: Mapping[int, str] = attrs.field(factory=dict)
    code: int = 200
    refusal: str = "application/json"


def document(operations: Sequence[Operation], failure: type) -> dict[str, Any]:
    """Return the description of some operations; a `failure` says why there is no answer."""
    paths: dict[str, dict[str, Any]] = {}
    for each in operations:
        paths.setdefault(each.path, {})["post" if each.takes else "get"] = _operation(each, failure)
    kinds = dict.fromkeys(
        kind
        for root in (*(each.answer for each in operations), failure)
        if isinstance(root, type)
        for kind in _classes(root)
    )
    return {
        "openapi": VERSION,
        "info": {
            "title": "An arena of carc",
            "version": carc.__version__,
            "description": "Ladders of bots that come and go. Times are UTC, ISO 8601.",
        },
        "paths": paths,
        "components": {
            "schemas": {kind.__name__: _schema(kind) for kind in kinds},
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The token that the organiser gave an author.",
                }
            },
        },
    }


def _operation(each: Operation, failure: type) -> dict[str, Any]:
    content = (
        {each.answer: {"schema": {"type": "string"}}}
        if isinstance(each.answer, str)
        else {"application/json": {"schema": _reference(each.answer)}}
    )
    answers: dict[str, Any] = {str(each.code): {"description": each.summary}}
    if each.answer:
        answers[str(each.code)]["content"] = content
    for code, words in each.codes.items():
        answers[str(code)] = {"description": words}
        if code != NOT_MODIFIED:
            answers[str(code)]["content"] = {each.refusal: {"schema": _why(each.refusal, failure)}}
    for code, words in {**REFUSALS, **(REFUSALS_OF_BODIES if each.takes else {})}.items():
        known = answers.setdefault(str(code), {"description": words, "content": {}})
        if known["description"] != words:
            known["description"] += f", or {words}"
        known["content"][PLAIN] = {"schema": _why(PLAIN, failure)}
    described: dict[str, Any] = {
        "operationId": each.name,
        "summary": each.summary,
        "parameters": [
            *(_parameter(one, "path") for one in each.parts),
            *(_parameter(one, "query") for one in each.query),
        ],
        "responses": answers,
    }
    if each.needs:
        described["security"] = [{each.needs: []}]
    if each.takes:
        body = {each.takes: {"schema": {"type": "string"}}}
        described["requestBody"] = {"required": True, "content": body}
    return described


def _why(media: str, failure: type) -> dict[str, str]:
    """Return the schema of a refusal."""
    return {"type": "string"} if media == PLAIN else _reference(failure)


def _parameter(one: Parameter, place: str) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": _KINDS[one.kind]}
    if one.kind is int:
        schema["minimum"] = 1
    if one.several:
        schema = {"type": "array", "items": schema}
    return {
        "name": one.name,
        "in": place,
        "description": one.about,
        "required": one.required or place == "path",
        "schema": schema,
    }


# -- classes --------------------------------------------------------------------------------------


def _reference(kind: type) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


def _classes(kind: Any) -> Iterator[type]:
    if attrs.has(kind):
        yield kind
        for inside in get_type_hints(kind).values():
            yield from _classes(inside)
    for inside in get_args(kind):
        yield from _classes(inside)


def _schema(kind: Any) -> dict[str, Any]:
    summary, told = _told(kind)
    hints = get_type_hints(kind)
    names = [field.name for field in attrs.fields(kind)]
    described = {
        name: {**_type(hints[name]), **({"description": told[name]} if name in told else {})}
        for name in names
    }
    return {
        "type": "object",
        "description": summary,
        "properties": described,
        "required": names,
        "additionalProperties": False,
    }


def _type(kind: Any) -> dict[str, Any]:
    if attrs.has(kind):
        return _reference(kind)
    if isinstance(kind, UnionType):  # of something and None
        inside = next(each for each in get_args(kind) if each is not type(None))
        return {"anyOf": [_type(inside), {"type": "null"}]}
    if get_origin(kind) is tuple:
        return {"type": "array", "items": _type(get_args(kind)[0])}
    return {"type": _KINDS[kind]}


def _told(kind: type) -> tuple[str, dict[str, str]]:
    """Return what the docstring of a class says of it, and of each of its attributes."""
    summary, _, rest = (kind.__doc__ or "").partition("Attributes:")
    lines: list[str] = []
    for line in rest.splitlines():
        if re.match(r" {8}\w+: ", line):
            lines.append(line.strip())
        elif line.strip():
            lines[-1] += f" {line.strip()}"
    parts = (line.partition(": ") for line in lines)
    return " ".join(summary.split()), {name: text for name, _, text in parts}
