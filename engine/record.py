"""A finished game as text, so that anybody can repeat every throw and every rule: one JSON object a line.

First a header with all that the game began from, then each row in force, then the end. Every line carries the SHA-256 of the
line before it and of itself, so a changed, missing or added line shows. Who gave an answer, and on whose word, is not told.
"""
from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from engine.dice import SecretDice, commitment
from engine.kernel import Checkpoint, GameSpec, Row, Seat, Table
from engine.refusals import Drift, Faulty
from engine.shelf import Components, bound
from engine.text import English, say


class Header(BaseModel):
    """What a game begins from."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    record: Literal[1]              # version of this format
    game: str                       # key of its GameSpec
    edition: str
    options: dict[str, Any]         # those that differ from the edition's
    seats: dict[str, str]           # seat -> name, in seat order
    components: dict[str, Any]
    hash: str                       # SHA-256 of the components
    secret: str                     # of the dice
    commitment: str                 # its SHA-256, published at the start


class Answer(BaseModel):
    """One row: who answered what, and what followed."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    no: int
    seat: str
    verb: str
    answer: dict[str, Any]
    events: list[dict[str, Any]]


class End(BaseModel):
    """How it ended."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    result: str | None              # None for a game that is not over
    standings: list[tuple[str, int, int]]           # seat, place, points
    state: str                      # SHA-256 of the final state's JSON


@dataclass(frozen=True)
class Record:
    """A record that is complete and unchanged; whether the rules agree with it, `replay` finds out."""

    header: Header
    rows: tuple[Row, ...]
    end: End


M = TypeVar("M", bound=BaseModel)


def write(table: Table, *, edition: str, options: Mapping[str, Any], seats: Mapping[Seat, str], components: Components,
          secret: str, rows: Iterable[Row]) -> str:
    """The record of the game at this table, from its rows in force. `options` are those that differ from the edition's."""
    spec = table.spec
    header = {"record": 1, "game": spec.key, "edition": edition, "options": dict(options), "seats": dict(seats),
              "components": components.raw, "hash": components.hash, "secret": secret, "commitment": commitment(secret)}
    answers = [{"no": row.no, "seat": row.seat, "verb": row.verb, "answer": json.loads(row.answer),
                "events": json.loads(row.events)} for row in rows]
    end = {"result": say(spec.result(table.state), _reader(table)) if table.over else None,
           "standings": spec.standings(table.state) if table.over else [], "state": state_hash(table)}
    lines: list[str] = []
    chain = ""
    for body in (header, *answers, end):
        chain = _link(chain, body)
        lines.append(_compact({**body, "chain": chain}))
    return "".join(f"{line}\n" for line in lines)


def read(record: str) -> Record:
    """The record that a text holds. Raises Faulty with the first line that is wrong."""
    bodies: list[dict[str, Any]] = []
    chain = ""
    for number, line in enumerate(record.splitlines(), 1):
        try:
            body = json.loads(line)
            stated = body.pop("chain")
        except (ValueError, AttributeError, KeyError, TypeError, RecursionError):
            raise Faulty("Line {line} is no line of a record.", line=number) from None
        chain = _link(chain, body)
        if chain != stated:
            raise Faulty("Line {line} was changed, or a line before it is missing.", line=number)
        bodies.append(body)
    if len(bodies) < 2:
        raise Faulty("The record is cut off: it has {lines} of at least 2 lines.", lines=len(bodies))
    header, *answers, end = bodies
    rows = [_fits(Answer, body, number) for number, body in enumerate(answers, 2)]
    return Record(_fits(Header, header, 1), tuple([
        Row(row.no, row.seat, "", row.verb, _compact(row.answer), _compact(row.events)) for row in rows]),
        _fits(End, end, len(bodies)))


def replay(record: Record, spec: GameSpec) -> Table:
    """The table at the end of the record. Legality, dice and result are checked again.

    Raises Faulty with the first row that the rules, the components or the secret do not bear out.
    """
    table = position(record, spec)
    if state_hash(table) != record.end.state:
        raise Faulty("The game ends in another position than the record states.")
    result = say(spec.result(table.state), _reader(table)) if table.over else None
    standings = spec.standings(table.state) if table.over else []
    if (result, standings) != (record.end.result, record.end.standings):
        raise Faulty("The game ends with another result than the record states.")
    return table


def position(record: Record, spec: GameSpec, row: int | None = None) -> Table:
    """The table after a row of the record (None: the last), all up to there checked. Raises Faulty as `replay` does."""
    header = record.header
    if header.game != spec.key:
        raise Faulty("This is a record of another game ({key}).", key=header.game)
    components = bound(spec, header.components)
    if components.hash != header.hash:
        raise Faulty("The components of the record do not have the hash that it states.")
    try:
        dice = SecretDice(header.secret)
    except ValueError:
        raise Faulty("The secret of the dice is not written in hexadecimal digits.") from None
    if dice.commitment != header.commitment:
        raise Faulty("The secret of the dice does not fit the hash that was published at the start.")
    if row and row not in {known.no for known in record.rows}:
        raise Faulty("The record has no row {row}; its rows go up to {last}.", row=row, last=record.rows[-1].no)
    state = spec.setup(tuple(map(Seat, header.seats)), spec.options(header.edition, header.options), components.parts)
    rows = record.rows if row is None else [known for known in record.rows if known.no <= row]
    try:
        return Table(spec, components.parts, Checkpoint(0, 0, state.model_dump_json()), rows, dice=dice, checkpoints=False,
                     strict=True, run_on=False)
    except Drift as drift:
        raise Faulty("Row {row} is not what the rules and the dice allow.", row=drift.no) from None


def _reader(table: Table) -> English:
    return English(table.spec.names(table.parts))


def state_hash(table: Table) -> str:
    """The SHA-256 of the state's JSON: equal positions have equal hashes."""
    return hashlib.sha256(table.state.model_dump_json().encode()).hexdigest()


def _link(chain: str, body: Mapping[str, Any]) -> str:
    return hashlib.sha256(f"{chain}{_compact(body)}".encode()).hexdigest()


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _fits(model: type[M], body: Mapping[str, Any], number: int) -> M:
    try:
        return model.model_validate(body)
    except ValidationError:
        raise Faulty("Line {line} is no line of a record.", line=number) from None
