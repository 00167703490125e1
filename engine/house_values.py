"""The list of every value of the components that no source gives, with what hangs on it."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.components import components
from engine.kernel import Edition, GameSpec
from engine.options import chosen
from engine.provenance import Group, doubtful, grouped, listed, matters, tally
from engine.text import Reader, say

HEAD = """# House values

Some numbers of these games are printed only on their components, and no source that we could use gives them. To make the games
playable, we have **made them up**; others we have **inferred** from what the sources say. This page lists them all, with what
each one decides and the rules that use it. On Discord, `/game provenance` shows those of a game with its options.

If you own a copy, you can put the real numbers in their place: docs/your-own-values.md says how.
"""


def page(games: Sequence[GameSpec]) -> str:
    return "\n".join([HEAD, *(line for spec in games for line in _game(spec))]) + "\n"


def _game(spec: GameSpec) -> Iterator[str]:
    shown: set[str] = set()
    yield f"## {spec.name}\n"
    for edition in spec.editions:
        if edition.available and edition.data not in shown:
            shown.add(edition.data)
            yield from _edition(spec, edition)


def _edition(spec: GameSpec, edition: Edition) -> Iterator[str]:
    found = components(spec, edition.key)
    reader = Reader(dict(spec.words.names(found.parts)))
    presets = {one.key: chosen(spec, one.key, {}) for one in spec.editions if one.available}
    values = [value for value in doubtful(spec, found.raw) if matters(value, presets[edition.key])
              or not any(matters(value, preset) for preset in presets.values())]
    yield f"### {edition.name}\n"
    yield f"{say(tally(values), reader)}.\n"
    heading = ""
    for group in grouped(values):
        name = say(group.origin.name, reader)
        if name != heading:
            heading = name
            yield f"#### {name}\n"
        yield from _group(group, reader, presets[edition.key])
        yield ""


def _group(group: Group, reader: Reader, preset: Mapping[str, object]) -> Iterator[str]:
    rules = f" ({', '.join(group.aspect.rules)})" if group.aspect.rules else ""
    other = "" if matters(group.values[0], preset) else ", if the option is chosen that makes use of it"
    yield f"**{say(group.aspect.name, reader).capitalize()}**, {say(group.source(), reader)}: " \
          f"{say(group.aspect.effect, reader)}{rules}{other}.\n"
    for told in listed(group.values, reader):
        yield f"- {say(told, reader)}"
