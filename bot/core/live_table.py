"""A game in memory: its table with what belongs to it, what the file holds of it, and what an answer led to."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.domain.announcements import Announced, Told, reader_of
from bot.domain.languages import Languages
from bot.domain.letters import AnsweredFor, Letter
from bot.store import GameRow, Holder, OrderRow
from engine.kernel import Checkpoint, Entry, Row, Table
from engine.proxies import Proxy, read
from engine.text import Reader, say, text
from engine.undo import Timeline


@dataclass(slots=True)
class LiveTable:
    """A table in memory, with what belongs to it; never ahead of the file for longer than one transaction."""

    row: GameRow
    secret: str
    holders: tuple[Holder, ...]
    told: Announced
    table: Table
    untold: Sequence[Told]

    def reader(self) -> Reader:
        """Everybody who reads of it, in the game's language."""
        return reader_of(self.table, self.row.spoken)


@dataclass(frozen=True, slots=True)
class StoredGame:
    """What the file holds of a game: the line in force, and the rows since the checkpoint or the last telling."""

    newest: int                 # the last row of any kind
    line: Timeline
    start: Checkpoint
    rows: Sequence[Row]
    orders: Sequence[OrderRow]
    used: Mapping[int, int]     # order -> how often it has answered in the rows in force


def proxy_of(live: LiveTable, entry: Entry) -> str:
    """Who answered in a seat's name: whoever stands in, or a caretaker. Of an absence it is known that defaults are given."""
    holder = next((holder for holder in live.holders if holder.seat == entry.seat), None)
    if holder is None:
        return ""
    if entry.by in ("player", "order") and holder.owner is not None:           # nobody tells these two apart
        return Proxy("standin", holder.user, entry.together).written()
    return Proxy("caretaker", None, entry.together).written() if entry.by == "clock" and holder.caretaker else ""


def answered_for(live: LiveTable, entry: Entry, languages: Languages) -> Letter | None:
    """Return what the member whose seat it is learns in private of an answer in the seat's name."""
    proxy, holder = read(entry.proxy), next((one for one in live.holders if one.seat == entry.seat), None)
    user = None if holder is None else holder.whose
    wanted = holder is not None and (holder.private if holder.owner is None else holder.owner.private)
    if proxy is None or proxy.automatic or holder is None or user is None or not wanted or user in holder.blind:
        return None
    told = text("{seat}: {answer} ({note}).", seat=entry.seat, answer=entry.answer.label(), note=proxy.note(entry.seat))
    return AnsweredFor(audience=entry.seat, user=user, text=say(told, reader_of(
        live.table, languages.of_member(user, live.row.spoken))))
