"""The JSON Schema (draft-07) of show.yaml and of an episode's file, made of the same classes the decoder reads.

Editors complete and check with it; what it cannot say (files that must exist, names that must be known) podsite says.
"""

from __future__ import annotations

import json
from typing import Any, Literal

from podsite import shapes
from podsite.model import Episode, Show
from podsite.scalars import Scalar

Kind = Literal["episode", "show"]
_MODELS: dict[Kind, type] = {"episode": Episode, "show": Show}
_NOTHING = {"type": "null"}


def schema(kind: Kind) -> dict[str, Any]:
    """The schema of one of the two files."""
    definitions: dict[str, Any] = {}
    body = _record(shapes.record(_MODELS[kind]), definitions)
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": f"podsite {kind}",
        "description": (_MODELS[kind].__doc__ or "").strip(),
        **body,
        "definitions": dict(sorted(definitions.items())),
    }


def schema_text(kind: Kind) -> str:
    """The schema as the file that is committed and shipped."""
    return json.dumps(schema(kind), indent=2, ensure_ascii=False) + "\n"


def _record(record: shapes.Record, definitions: dict[str, Any]) -> dict[str, Any]:
    body: dict[str, Any] = {
        "type": "object",
        "properties": {key.name: _key(key, definitions) for key in record.keys.values()},
        "patternProperties": {"^x-": True},
        "additionalProperties": False,
    }
    required = [key.name for key in record.keys.values() if key.required]
    if "file" in record.keys and "url" in record.keys and len(record.short) > 1:
        body["oneOf"] = [{"required": ["file"]}, {"required": ["url"]}]
    return {**body, "required": required} if required else body


def _key(key: shapes.Key, definitions: dict[str, Any]) -> dict[str, Any]:
    """A key's schema with its documentation; one that may be left out may also stand there without a value."""
    value = _shape(key.shape, definitions)
    if key.required:
        if isinstance(key.shape, shapes.Listing):
            value = {"allOf": [value, {"type": ["array", "object"], "minItems": 1}]}
        return {"description": key.doc, **value} if "$ref" not in value else {"description": key.doc, "allOf": [value]}
    return {"description": key.doc, "anyOf": [value, _NOTHING]}


def _shape(shape: shapes.Shape, definitions: dict[str, Any]) -> dict[str, Any]:
    match shape:
        case Scalar():
            return dict(shape.schema)
        case shapes.Choice():
            return {"enum": list(shape.options)}
        case shapes.Listing():
            item = _shape(shape.item, definitions)
            several = {"type": "array", "items": item}
            return {"anyOf": [several, item]} if isinstance(shape.item, shapes.Record) else several
        case shapes.Table():
            names = {"propertyNames": dict(shape.key.schema)}
            return {"type": "object", **names, "additionalProperties": _shape(shape.item, definitions)}
        case shapes.Record():
            return _reference(shape, definitions)
        case shapes.Free():
            return {}


def _reference(record: shapes.Record, definitions: dict[str, Any]) -> dict[str, Any]:
    name = record.kind.__name__
    if name not in definitions:
        definitions[name] = {}  # stands in while the record's own parts are described
        full = {"description": (record.kind.__doc__ or "").strip(), **_record(record, definitions)}
        short = [_shape(key.shape, definitions) for key in record.short]
        definitions[name] = {"anyOf": [*short, full]} if short else full
    return {"$ref": f"#/definitions/{name}"}
