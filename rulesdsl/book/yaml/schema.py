"""The form of a file, checked against the schemas of `grammar/schema/`, with messages for people.

The schemas keep to a style that makes one mistake one error: no `anyOf`, a closed list of keys, and
`if`/`then` to choose between kinds. Three annotations carry our words: `title` names the thing ("a
border"), `x-expects` says what a value should be, `x-says` replaces the whole message.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

from rulesdsl.base.diagnostics import Diagnostic, did_you_mean, meant
from rulesdsl.base.resources import data_dir
from rulesdsl.base.source import Span
from rulesdsl.book.yaml.file import YamlDocument
from rulesdsl.book.yaml.nodes import Path, shorten

_TYPE_WORDS = {
    "object": "a mapping (keys with values)",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}


def schema_problems(doc: YamlDocument, schema_name: str) -> list[Diagnostic]:
    """Every place where `doc` has not the form of `grammar/schema/<schema_name>.json`."""
    problems: list[Diagnostic] = []
    for error in _validator(schema_name).iter_errors(doc.value):
        problems.extend(_TRANSLATIONS[error.validator](doc, error))
    # A misspelt key is unknown and leaves the right one missing: one mistake, one message.
    misspelt = {problem.span for problem in problems if problem.code == "unknown-key"}
    return [p for p in problems if p.code != "missing-key" or p.span not in misspelt]


@cache
def read_schema(schema_name: str) -> dict[str, Any]:
    """The schema with its `$ref`s written out: resolving them for every value costs half the time."""
    directory = data_dir("grammar") / "schema"
    schema: dict[str, Any] = json.loads((directory / f"{schema_name}.json").read_text("utf-8"))
    shared: dict[str, Any] = json.loads((directory / "common.json").read_text("utf-8"))["$defs"]
    return {**_written_out(schema, {**shared, **schema.get("$defs", {})}), "$defs": {}}


@cache
def _validator(schema_name: str) -> Any:
    # Imported here because it costs a tenth of a second that most commands need not pay.
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend
    from referencing import Registry

    types = Draft202012Validator.TYPE_CHECKER.redefine_many(
        {
            "integer": lambda _, value: isinstance(value, int) and not isinstance(value, bool),
            "number": lambda _, value: isinstance(value, int | Fraction) and not isinstance(value, bool),
        }
    )
    # An empty registry: a remote reference must never be fetched.
    registry: Any = Registry()
    return extend(Draft202012Validator, type_checker=types)(read_schema(schema_name), registry=registry)


def _written_out(schema: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(schema, list):
        return [_written_out(part, definitions) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        target = definitions[schema["$ref"].rsplit("/", 1)[-1]]
        own = {key: part for key, part in schema.items() if key != "$ref"}
        return _written_out({**target, **own}, definitions)
    return {key: _written_out(part, definitions) for key, part in schema.items() if key != "$defs"}


def _missing_key(doc: YamlDocument, error: Any) -> list[Diagnostic]:
    key = next(name for name in error.validator_value if error.message.startswith(repr(name)))
    known = error.schema.get("properties", {})
    misspelt = [name for name in error.instance if name not in known and did_you_mean(name, [key])]
    what = error.schema.get("title", "this")
    path = _path(error)
    place = doc.span((*path, misspelt[0]), key=True) if misspelt else doc.span(path)
    hint = meant(key, misspelt[0]) if misspelt else error.schema.get("x-example", "")
    return [Diagnostic("missing-key", f'{what} needs "{key}"', place, help=hint)]


def _unknown_keys(doc: YamlDocument, error: Any) -> list[Diagnostic]:
    known = error.schema.get("properties", {})
    what = error.schema.get("title", "this")
    path = _path(error)
    free = sorted(set(known) - set(error.instance))
    return [
        Diagnostic(
            "unknown-key",
            f'{what} has no "{shorten(key)}"',
            doc.span((*path, key), key=True),
            help=did_you_mean(key, free) or did_you_mean(key, known) or f"it may have {', '.join(known)}",
        )
        for key in error.instance
        if key not in known
    ]


def _wrong_type(doc: YamlDocument, error: Any) -> list[Diagnostic]:
    types = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
    expects = error.schema.get("x-expects") or " or ".join(_TYPE_WORDS[name] for name in types)
    message = f"{_subject(error)} must be {expects}, here is {_shown(error.instance)}"
    path = _path(error)
    hint = error.schema.get("x-help", "")
    if not hint and path and isinstance(path[-1], str):
        # An attribute of a strange form is often a misspelt key of another form.
        hint = did_you_mean(path[-1], error.schema.get("x-beside", ()))
    return [Diagnostic("wrong-type", _said(error, message), _place(doc, error), help=hint)]


def _not_in_list(doc: YamlDocument, error: Any) -> list[Diagnostic]:
    allowed = error.validator_value if error.validator == "enum" else [error.validator_value]
    message = f"{_subject(error)} cannot be {_shown(error.instance)}"
    words = [str(word) for word in allowed]
    listed = f"one of {', '.join(words)}" if len(words) > 1 else f'write "{words[0]}"'
    near = did_you_mean(error.instance, words) if isinstance(error.instance, str) else ""
    return [Diagnostic("wrong-value", _said(error, message), _place(doc, error), help=near or listed)]


def _wrong_text(doc: YamlDocument, error: Any) -> list[Diagnostic]:
    expects = error.schema.get("x-expects", "of another form")
    message = f"{_subject(error)} must be {expects}, here is {_shown(error.instance)}"
    return [
        Diagnostic(
            "wrong-text", _said(error, message), _place(doc, error), help=error.schema.get("x-help", "")
        )
    ]


def _out_of_bounds(doc: YamlDocument, error: Any) -> list[Diagnostic]:
    """A number or a length outside of its bounds."""
    bound = error.validator_value
    words = {
        "minimum": f"at least {bound}",
        "maximum": f"at most {bound}",
        "minItems": f"a list of at least {bound}",
        "maxItems": f"a list of at most {bound}",
        "minProperties": f"a mapping with at least {bound}",
        "minLength": "a text that is not empty",
        "maxLength": f"a text of at most {bound} characters",
    }[error.validator]
    here = "" if error.validator == "minLength" else f", here is {_shown(error.instance)}"
    message = f"{_subject(error)} must be {words}{here}"
    return [Diagnostic("wrong-value", _said(error, message), _place(doc, error))]


# Every keyword that the shipped schemas use; a test holds this list complete.
_TRANSLATIONS: dict[str, Callable[[YamlDocument, Any], list[Diagnostic]]] = {
    "required": _missing_key,
    "additionalProperties": _unknown_keys,
    "type": _wrong_type,
    "enum": _not_in_list,
    "const": _not_in_list,
    "pattern": _wrong_text,
    "minimum": _out_of_bounds,
    "maximum": _out_of_bounds,
    "minItems": _out_of_bounds,
    "maxItems": _out_of_bounds,
    "minProperties": _out_of_bounds,
    "minLength": _out_of_bounds,
    "maxLength": _out_of_bounds,
}


def _path(error: Any) -> Path:
    return tuple(error.absolute_path)


def _about_a_key(error: Any) -> bool:
    return "propertyNames" in error.absolute_schema_path


def _place(doc: YamlDocument, error: Any) -> Span:
    if _about_a_key(error):
        return doc.span((*_path(error), error.instance), key=True)
    return doc.span(_path(error))


def _subject(error: Any) -> str:
    path = _path(error)
    if _about_a_key(error):
        return str(error.schema.get("title", "a key"))
    named = next((step for step in reversed(path) if isinstance(step, str)), None)
    if named is None:
        return str(error.schema.get("title", "the file"))
    last = path[-1]
    return f'item {last + 1} of "{shorten(named)}"' if isinstance(last, int) else f'"{shorten(named)}"'


def _said(error: Any, message: str) -> str:
    return str(error.schema.get("x-says", message))


def _shown(value: Any) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case dict():
            return "a mapping" if value else "an empty mapping"
        case list():
            return f"a list of {len(value)}" if value else "an empty list"
        case str():
            return f'"{shorten(value)}"'
        case Fraction():
            return f"{float(value):g}"
        case _:
            return str(value)
