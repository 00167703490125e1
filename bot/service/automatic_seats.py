"""Automatic players who get a seat of a game under way, for good or until its player is back, and give it back."""
from __future__ import annotations

from bot.core.incidents import operation
from bot.core.requirements import PLAYED, require, require_seat
from bot.core.service import Service
from bot.core.session import Session
from bot.domain.announcements import member, notice
from bot.domain.letters import STATUS
from bot.service.seats import Seats
from bot.store import Holder, Stored
from engine.kernel import Seat
from engine.players import NAMES, level_of, playable
from engine.refusals import Refusal, Stale
from engine.text import Fact, text


class AutomaticSeats(Service):
    def __init__(self, session: Session, seats: Seats) -> None:
        super().__init__(session)
        self.seats = seats

    @operation
    async def automate(self, game: int, seat: Seat, level: str, by: int, *, held: int | None = None) -> None:
        """Have an automatic player of this strength play a seat from now on; "": its default moves are played again.

        `held` is the member from whom it is taken. Raises Stale if somebody else plays it now.
        """
        async with self.session.locked(game):
            stored = await self.session.played(game)
            holder = self._held(stored, seat, level)
            whose = holder.whose
            if held is not None and whose != held:
                raise Stale("Somebody else has that seat now. Type /gm seats again.")
            if whose is None or not level:
                _require_other(holder, level)
            if whose is not None and not level:
                raise Refusal("The automatic player stands in for {member}. `/gm seats` changes that.", member=member(whose))
            facts: dict[str, Fact] = {"seat": seat, "master": member(by)}
            news = (text("Game master {master} takes {seat} from {loser}.", loser=member(whose), **facts)
                    if whose is not None else
                    text("Game master {master} takes {seat} from its automatic player.", **facts) if not level else
                    text("Game master {master} gives {seat} to another automatic player.", **facts) if holder.level else
                    text("Game master {master} gives {seat} to an automatic player.", **facts))
            await self.seats.automate_for_good(
                stored, holder, level, news, by=by, audit=f"gave {seat} to an automatic player ({level})" if level
                else f"took {seat} from its automatic player")

    @operation
    async def cover(self, game: int, seat: Seat, level: str, by: int) -> None:
        """Have an automatic player of this strength play a seat until its player is back; "": default moves meanwhile."""
        async with self.session.locked(game):
            stored = await self.session.played(game)
            holder = self._held(stored, seat, level)
            if holder.whose is None:
                raise Refusal("Nobody plays {seat}, so nobody can stand in. `/gm seats` gives it to an automatic player.",
                              seat=seat)
            _require_other(holder, level)
            facts: dict[str, Fact] = {"seat": seat, "master": member(by), "member": member(holder.whose)}
            news = (text("Game master {master} lets an automatic player play {seat} until {member} is back. A move of "
                         "{member:possessive}, or `/my back`, ends that.", **facts) if level else
                    text("Game master {master} takes {seat} from its automatic player until {member} is back.", **facts))
            await self.seats.automate_meanwhile(
                stored, holder, level, news, by=by, audit=f"let an automatic player ({level}) stand in for {seat}" if level
                else f"took the automatic stand-in from {seat}")

    @operation
    async def follow(self, game: int, level: str, by: int) -> None:
        """Say which automatic player plays for whoever resigns or is away from now on; "": default moves are played."""
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            require(stored.row, ("open", *PLAYED))
            self._require_playable(stored, level)
            facts: dict[str, Fact] = {"master": member(by)}
            news = (text("Game master {master} decides: an automatic player ({level}) plays for whoever resigns or is away "
                         "from now on.", level=NAMES[level_of(level)], **facts) if level else
                    text("Game master {master} decides: default moves are played for whoever resigns or is away from now "
                         "on.", **facts))
            audit = f"decided that {f'an automatic player ({level})' if level else 'nobody'} follows whoever resigns or is away"
            await self.change(game, by, lambda ledger: ledger.seats.set_successor(game, level), audit=audit,
                              letters=[notice(news), STATUS])

    def _held(self, stored: Stored, seat: Seat, level: str) -> Holder:
        """A seat that an automatic player of this strength can get. Raises Refusal."""
        require_seat(stored.holders, seat)
        self._require_playable(stored, level)
        return next(holder for holder in stored.holders if holder.seat == seat)

    def _require_playable(self, stored: Stored, level: str) -> None:
        """Raise Refusal unless an automatic player of this strength can play; Faulty: there is no such strength."""
        if level and level_of(level) and not playable(self.session.spec(stored.row.key)):
            raise Refusal("This game has no automatic players.")


def _require_other(holder: Holder, level: str) -> None:
    """Raise Refusal if an automatic player of this strength has the seat already; "": if none has it."""
    if holder.level == level:
        raise Refusal("An automatic player already plays {seat}." if level else "No automatic player plays {seat}.",
                      seat=holder.seat)
