"""Checks every request of the bot against Discord's own description of its API (discord/discord-api-spec, MIT)."""
from __future__ import annotations

import functools
import gzip
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema_rs import Draft202012Validator as Accepts
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

FILE = Path(__file__).with_name("openapi.json.gz")


@functools.cache
def description() -> dict[str, Any]:
    """The API description; its numbers may be strings or integers, as discord.py sends both."""
    spec: dict[str, Any] = json.loads(gzip.decompress(FILE.read_bytes()))
    spec["components"]["schemas"]["SnowflakeType"]["type"] = ["string", "integer"]
    return spec


@functools.cache
def routes() -> list[tuple[re.Pattern[str], str, frozenset[str]]]:
    """The described paths, those with the fewest parameters first: what a concrete one looks like, and the methods."""
    return sorted(((re.compile(re.sub(r"\{[^}]+\}", "[^/]+", known)), known, frozenset(operations))
                   for known, operations in description()["paths"].items()), key=lambda one: one[1].count("{"))


@functools.cache
def route(method: str, path: str) -> str | None:
    """The described path that a concrete one is an instance of: the one with the fewest parameters."""
    return next((known for form, known, methods in routes() if method.lower() in methods and form.fullmatch(path)), None)


def body(method: str, known: str) -> dict[str, Any] | None:
    """The schema of a request's JSON body; None if it has no such body."""
    content = description()["paths"][known][method.lower()].get("requestBody", {}).get("content", {})
    schema: dict[str, Any] | None = content.get("application/json", {}).get("schema")
    return schema


@functools.cache
def accepts(method: str, known: str) -> Accepts | None:
    """Says yes or no about the body of a request, a hundred times as fast as `validator`, which also says why."""
    schema = body(method, known)
    return None if schema is None else Accepts({"components": description()["components"], **schema})


@functools.cache
def validator(method: str, known: str) -> Draft202012Validator:
    """What the body of a request must look like, with a reason for each fault."""
    place = known.replace("~", "~0").replace("/", "~1")
    pointer = f"urn:discord#/paths/{place}/{method.lower()}/requestBody/content/application~1json/schema"
    resource = Resource.from_contents(description(), default_specification=DRAFT202012)
    return Draft202012Validator({"$ref": pointer}, registry=Registry().with_resource("urn:discord", resource))


def plainest(error: ValidationError) -> ValidationError:
    """The fault itself, inside the alternative that was meant: the one whose `type` fits and that has the fewest faults."""
    while error.context:
        branches: dict[object, list[ValidationError]] = {}
        for fault in error.context:
            branches.setdefault(fault.relative_schema_path[0], []).append(fault)
        meant = min(branches.values(), key=lambda faults: (any(_of_another_type(fault) for fault in faults), len(faults)))
        error = max(meant, key=lambda fault: len(fault.relative_path))
    return error


def _of_another_type(fault: ValidationError) -> bool:
    return list(fault.relative_path)[-1:] == ["type"] or (fault.validator == "type" and not fault.relative_path)


def problems(requests: Iterable[Any]) -> list[str]:
    """What Discord would refuse, one line each; requests have `method`, `path` and `json`."""
    out = []
    for request in requests:
        known = route(request.method, request.path)
        if known is None:
            out.append(f"{request.method} {request.path}: the API has no such route")
        elif request.json is not None and (quick := accepts(request.method, known)) and not quick.is_valid(request.json):
            for error in validator(request.method, known).iter_errors(request.json):
                fault = plainest(error)
                out.append(f"{request.method} {known}: {'/'.join(map(str, fault.absolute_path))}: {fault.message[:200]}")
    return out
