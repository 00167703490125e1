"""An action as one readable line, and back: `attack area=india target=spain`.

The line is what a button carries, what a game master types, and what a text record shows.
"""
from __future__ import annotations

import shlex

from engine.kernel import Action, GameSpec, parse_action
from engine.refusals import Illegal
from engine.text import verbatim


def write(action: Action) -> str:
    """The action as a line; fields at their defaults are left out."""
    words = [action.verb]
    for name, field in type(action).model_fields.items():
        value = getattr(action, name)
        if field.is_required() or value != field.default:
            words.append(f"{name}={','.join(map(str, value)) if isinstance(value, tuple) else shlex.quote(str(value))}")
    return " ".join(words)


def read(spec: GameSpec, line: str) -> Action:
    """The action that a line says. Raises Illegal with a sentence if it says none."""
    try:
        words = shlex.split(line)
    except ValueError:
        raise Illegal("A quotation mark is left open in {line}.", line=verbatim(line)) from None
    if not words:
        raise Illegal("Type a move such as {example}.", example=verbatim("pass"))
    verb, *pairs = words
    kind = spec.verb(verb)
    fields: dict[str, object] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise Illegal("Write fields as name=value; {word} has no equals sign.", word=verbatim(pair))
        tuple_field = kind is not None and name in kind.model_fields and "tuple" in str(kind.model_fields[name].annotation)
        fields[name] = tuple(filter(None, value.split(","))) if tuple_field else value
    return parse_action(spec, verb, fields)
