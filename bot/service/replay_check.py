"""Whether the rules of this version lead the games of a file to where they stand."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import ValidationError

from bot.core.requirements import PLAYED
from bot.core.row_sentences import MODERATOR
from bot.core.service import Service
from bot.store import GameRow, Stored
from engine.kernel import Row
from engine.kernel.game_spec import Replay
from engine.refusals import Drift, Refusal
from engine.undo import REWIND, Rewind, line


@dataclass(frozen=True, kw_only=True)
class Finding:
    """How a game fares under the rules of this version. What differs is told by names, never by values."""

    game: GameRow
    rows: int                           # in force
    past: str = ""                      # what differs first when all its rows are replayed; "": nothing
    parted: tuple[int, tuple[str, ...]] | None = None       # no row differs, but the state kept after this one, in these parts
    broken: str = ""                    # why it cannot go on as it stands; "": it can
    mends: int | None = None            # the row to which a rollback lets it go on; None: none does
    kept: int = 0                       # rows in force that such a rollback leaves

    @property
    def same(self) -> bool:
        """True if nothing differs."""
        return not (self.past or self.parted or self.broken)


class ReplayCheck(Service):
    """Whether the rules of this version lead the games of a file to where they stand; nothing is stored."""

    async def played(self) -> list[GameRow]:
        return await self.store.read(lambda ledger: ledger.games.games(status=PLAYED))

    async def examined(self, game: int) -> Finding:
        """Replay a game that is played: as the bot loads it, and from its beginning."""
        stored = await self.session.played(game)
        log = await self.store.read(lambda ledger: ledger.log.outline(game))
        rows = line(log).rows
        past, broken = await self._fault(stored, before=1), await self._fault(stored)
        if broken:
            mends = await self._mends(stored, log)
            return Finding(game=stored.row, rows=len(rows), past=past, broken=broken, mends=mends,
                           kept=sum(row.no <= (mends or 0) for row in rows))
        return Finding(game=stored.row, rows=len(rows), past=past, parted=None if past else await self._parted(stored))

    async def _fault(self, stored: Stored, *, returning: Row | None = None, before: int | None = None) -> str:
        """Why there is no table, or ""; never the words of an error that is not ours, which may quote a state."""
        try:
            await self.session.replay(stored, returning, before=before)
        except (Drift, Refusal) as why:
            return str(why)
        except Exception as why:
            return type(why).__name__
        return ""

    async def _mends(self, stored: Stored, log: Sequence[Row]) -> int | None:
        """The last row to which a rollback leads to a position that these rules understand."""
        no = log[-1].no + 1 if log else 1
        for to in reversed([0, *(row.no for row in line(log).rows)]):
            back = Row(no, MODERATOR, MODERATOR, REWIND, Rewind(to=to, kind="rollback").model_dump_json())
            if not await self._fault(stored, returning=back):
                return to
        return None

    async def _parted(self, stored: Stored) -> tuple[int, tuple[str, ...]] | None:
        """The first state that was kept and is not the one to which the rows lead now; and which parts of it differ."""
        past, spec = await self.session.past(stored, before=1), self.session.spec(stored.row.key)
        kept = {start.no: start for start in await self.store.read(lambda ledger: ledger.log.checkpoints(stored.row.id))}
        try:
            spec.rules.state.model_validate_json(past.start.state)
        except ValidationError:
            past = await self.session.past(stored, before=0)
        story = Replay(spec=spec, parts=(await self.session.components(stored.row)).parts, start=past.start,
                      rows=[row for row in past.rows if row.no > past.start.no], since=0)
        for step in story.steps():
            if step.no in kept:
                now = step.state.model_dump()
                try:
                    then = replace(story, start=kept[step.no], rows=()).end().model_dump()
                except (Drift, ValidationError):                # of other rules; an earlier one is taken in its place
                    continue
                if now != then:
                    return step.no, tuple([part for part in now if now[part] != then[part]])
        return None
