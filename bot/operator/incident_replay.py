"""A capsule of an incident, done again: the same operation in the same position, to see the same error and to see it gone."""
from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Coroutine, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.core import incidents
from bot.operator.replay_interaction import Scene, repeat
from bot.service import Services
from bot.store import Store
from engine.catalog import GAMES
from engine.kernel import GameSpec
from engine.refusals import Faulty, Refusal
from engine.text import verbatim

MOST = 64 * 1024 * 1024         # bytes of a capsule when it is unpacked
SECRET = "00" * 32              # for a game that begins in the rehearsal; others have their own


class Attempt(BaseModel):
    """What was attempted: an operation with what it was given, something done on Discord, or the bot's own work."""

    deed: str
    given: dict[str, Any] = {}
    lost: list[str] = []
    interaction: Scene | None = None
    work: str = ""


class Capsule(BaseModel):
    """What the operator finds under the number of an incident."""

    model_config = ConfigDict(extra="forbid")
    capsule: int
    number: int
    at: datetime
    error: str
    trace: list[str]
    attempt: Attempt
    game: int | None
    python: str
    packages: dict[str, str]
    tables: dict[str, list[dict[str, Any]]]

    @property
    def components(self) -> str:
        """The hash of the components with which the game is played; "" if there is none."""
        return next((str(row.get("pack_hash")) for row in self.tables.get("games", ())), "")

    @property
    def rows(self) -> int:
        return len(self.tables.get("log", ()))


@dataclass(frozen=True)
class Rehearsal:
    """What came of it this time; `error` is None if nothing went wrong."""

    capsule: Capsule
    board: str                      # the position as everybody may see it; "" if there is none, or it cannot be shown
    error: Exception | None

    @property
    def same(self) -> bool:
        """True if the same error came from the same function."""
        if self.error is None or type(self.error).__name__ != self.capsule.error:
            return False
        return _function(incidents.trace(self.error)) == _function(self.capsule.trace)


def opened(path: Path) -> Capsule:
    """The capsule in a file. Raises Faulty."""
    try:
        with gzip.open(path) as file:
            content = file.read(MOST + 1)
        if len(content) > MOST:
            raise Faulty("The capsule {path} is too large.", path=verbatim(str(path)))
        found = Capsule.model_validate(json.loads(content))
    except (OSError, EOFError, ValueError, RecursionError) as why:
        raise Faulty("The file {path} isn't a capsule ({reason}).", path=verbatim(str(path)),
                     reason=verbatim(type(why).__name__)) from None
    if found.capsule != incidents.FORM:
        raise Faulty("The capsule {path} is from another version of the bot.", path=verbatim(str(path)))
    return found


async def rehearse(capsule: Capsule, games: Sequence[GameSpec] = GAMES) -> Rehearsal:
    """Do again what was attempted, in a file of its own.

    Raises Faulty: it was not kept whole, or is of another version of the bot.
    """
    if capsule.attempt.lost:
        raise Faulty("The capsule couldn't keep {lost}, so this can't be repeated.",
                     lost=tuple(map(verbatim, capsule.attempt.lost)))
    with tempfile.TemporaryDirectory() as folder, closing(Store(Path(folder) / "capsule.db")) as store:
        await store.write(lambda ledger: ledger.game_dump.refill(capsule.tables))
        services = Services(store, games, now=lambda: capsule.at, secret=lambda: SECRET)
        board = await _board(services, capsule.game) if capsule.game is not None else ""
        done = await _done(services, capsule, games)
        try:
            await done
        except Refusal:
            return Rehearsal(capsule, board, None)      # declined in so many words: nothing went wrong
        except Exception as error:
            return Rehearsal(capsule, board, error)
        return Rehearsal(capsule, board, None)


async def _done(services: Services, capsule: Capsule, games: Sequence[GameSpec]) -> Coroutine[Any, Any, object]:
    """Return what was attempted, to be awaited. Raises Faulty: it is of another version of the bot."""
    attempt = capsule.attempt
    if attempt.interaction is not None:
        return repeat(services, games, attempt.interaction)
    if attempt.work:
        raise Faulty("The bot did this by itself ({work}), so it can't be repeated. See the trace and the game.",
                     work=verbatim(attempt.work))
    method = services.method(attempt.deed)
    if method is None:
        raise Faulty("This version of the bot doesn't know this action ({deed}).", deed=verbatim(attempt.deed))
    try:
        spec = services.session.spec((await services.queries.game(capsule.game)).key) if capsule.game is not None else None
        given = incidents.read(method, attempt.given, spec)
    except ValidationError:
        raise Faulty("This version of the bot can't read what was attempted.") from None
    return method(**given)


async def _board(services: Services, game: int) -> str:
    try:
        table = await services.session.table(game)
    except Refusal:
        return ""
    return table.spec.views.board(table.spec.views.view(table.state, None))


def _function(trace: Sequence[str]) -> str:
    """The file and the function in which an error came to be; lines move with every version."""
    place, _, function = trace[-1].partition(" ") if trace else ("", "", "")
    return f"{place.rpartition(':')[0]} {function}"
