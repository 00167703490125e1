"""The component data of each game: read from the data folder, with the corrections of a data pack, validated and hashed."""
from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, wraps
from importlib.resources import files
from typing import Any, TypeVar

from engine.data_packs import lay_over, meant_for, parsed
from engine.kernel import Edition, GameSpec
from engine.outside import readable
from engine.provenance import key_of, spelt
from engine.refusals import Faulty
from engine.text import verbatim

P = TypeVar("P")
T = TypeVar("T")
VALUES_KEPT = 16           # components for which a thing is known at a time: those that come with the games, and some packs


@dataclass(frozen=True)
class Components:
    """The component data of one game: raw, validated, and its SHA-256 as it is stored with the game.

    Others read words of `parts` and of `told` alone, in which nothing formats, links or pings; those of `raw` are anybody's.
    """

    raw: dict[str, Any]
    parts: Any
    hash: str
    told: dict[str, Any]


_released: dict[tuple[str, str], tuple[GameSpec, Components]] = {}         # by game and edition: bound once in a process


def components(spec: GameSpec, edition: str, pack: str | None = None) -> Components:
    """The components of an edition, with the corrections of a data pack (JSON text) laid over them.

    Without a pack everybody shares them, so nothing in them may be changed.
    Raises Faulty with everything that is wrong: list, record, field, and what would fit (`engine.data_packs`).
    """
    preset = edition_of(spec, edition)
    if pack is None:
        owner, found = _released.get((spec.key, edition), (None, None))
        if found is None or owner is not spec:
            found = bound(spec, _read(spec, preset))
            _released[spec.key, edition] = spec, found
        return found
    raw, corrections = _read(spec, preset), parsed(pack)
    meant_for(spec, preset, corrections)
    lay_over(raw, corrections)
    return bound(spec, raw)


def released(spec: GameSpec, pack_hash: str) -> Components | None:
    """Components that come with the game, by their hash, if they have been bound in this process; everybody shares them."""
    return next((found for owner, found in _released.values() if owner is spec and found.hash == pack_hash), None)


def bound(spec: GameSpec, raw: dict[str, Any]) -> Components:
    """Raw component data, as it is stored with a game, validated. Raises Faulty."""
    body = json.dumps(raw, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    told = readable(raw)
    return Components(raw, spec.rules.parts(told), hashlib.sha256(body.encode()).hexdigest(), told)


def once(work: Callable[[P], T]) -> Callable[[P], T]:
    """Return this work, done once for the parts on which alone it depends; nobody changes what it gives, nor the parts."""
    known: dict[int, tuple[P, T]] = {}

    @wraps(work)
    def found(parts: P) -> T:
        kept = known.get(id(parts))
        if kept is None:
            if len(known) >= VALUES_KEPT:
                known.clear()               # in one thread, while another one looks
            kept = known[id(parts)] = parts, work(parts)
        return kept[1]

    return found


def known_hashes(spec: GameSpec) -> set[str]:
    """The hashes of all components that come with the game, or came with an earlier version of it."""
    released = [edition for edition in spec.editions if edition.available]
    return {components(spec, edition.key).hash for edition in released} | {old for edition in released for old in edition.earlier}


def edition_of(spec: GameSpec, key: str) -> Edition:
    """The edition with this key. Raises Faulty."""
    for edition in spec.editions:
        if edition.key == key:
            if not edition.available:
                raise Faulty("{edition} isn't available yet.", edition=edition.name)
            return edition
    raise Faulty("{game} has no edition {key}. Choose among: {keys}.", game=spec.name, key=verbatim(key),
                 keys=tuple(verbatim(edition.key) for edition in spec.editions))


@cache
def _file(game: str, name: str) -> str:
    return files("data").joinpath(game, f"{name}.json").read_text(encoding="utf-8")


def as_it_comes(game: str, name: str) -> dict[str, Any]:
    """A file of components that comes with a game, whatever games are played with. Raises FileNotFoundError."""
    raw: dict[str, Any] = json.loads(_file(game, name))
    return raw


def _read(spec: GameSpec, edition: Edition) -> dict[str, Any]:
    try:
        raw = as_it_comes(spec.key, edition.data) if edition.data else {}
    except FileNotFoundError:
        return {}
    for other in edition.besides:
        _fill_in(raw, as_it_comes(spec.key, other))
    return raw


def _fill_in(raw: dict[str, Any], other: dict[str, Any]) -> None:
    """Take lists, records and fields that are missing from the component file of another edition; change nothing there is."""
    for name, body in other.items():
        mine = raw.setdefault(name, body)
        if mine is body or not isinstance(mine, list):
            continue
        known = {spelt(key): record for record in mine if (key := key_of(record))}
        for record in body:
            own = known.get(spelt(key_of(record)))
            if own is not None:
                for field, value in record.items():
                    if field != "provenance_fields":            # they speak of the file in which they stand
                        own.setdefault(field, value)
            elif key_of(record):
                mine.append(record)
