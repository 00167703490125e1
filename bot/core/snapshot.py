"""What the file knows of a game and of the people who play it, read in one go."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.core.requirements import PLAYED
from bot.domain.deadlines import Deadline
from bot.store import ClockRow, Ledger, MemberRow, PlanRow, Stored, Theme, VacationRow
from engine.kernel import Row, Seat
from engine.undo import line

IN_NAMES = 12                   # rows in force that were answered in a seat's name, the newest: some may be sealed still


@dataclass(frozen=True, slots=True)
class PrivateThread:
    """A private thread: who was let in, and which seats talk there."""

    number: int
    inside: frozenset[int]
    seats: Sequence[Seat]


@dataclass(frozen=True, kw_only=True)
class FreeSeat:
    """A seat of a game under way that nobody plays, or a caretaker does."""

    seat: Seat
    caretaker: bool
    since: str | None               # ISO 8601, UTC; None: nobody has noted it


@dataclass(frozen=True, kw_only=True, slots=True)
class GameSnapshot:
    """A game with its seats and all that its status tells; it holds until a game, a seat or a setting is written."""

    stored: Stored
    clock: ClockRow
    deadlines: Sequence[Deadline]
    vacations: Mapping[int, Sequence[VacationRow]]      # by player
    members: Mapping[int, MemberRow]                    # by player: what each has chosen
    theme: Theme | None                                 # of the server
    gm_role: int | None                                 # whose members are game masters there; never the one that everybody has
    free: Sequence[FreeSeat]                            # an automatic player's isn't
    threads: Sequence[PrivateThread]
    in_names: Sequence[Row]                             # in force and answered in a seat's name, the newest, oldest first
    plans: Sequence[PlanRow]                            # what seats have planned in private: each a secret of its seat
    asked: tuple[int, str | None]                       # the row that led to the present questions, and when it was stored


def read_game(ledger: Ledger, game: int, asked_at: int) -> GameSnapshot:
    """The snapshot of a game; `asked_at`: the row that led to the present questions. Raises Refusal: there is no such game."""
    stored = ledger.games.game(game)
    users = [holder.user for holder in stored.holders if holder.user is not None]
    threads = [PrivateThread(number, frozenset(ledger.channels.thread_members(number)), seats)
               for number, seats in ledger.channels.private_threads(game)]
    in_names = ledger.log.proxies(game)
    if in_names:
        in_force = {row.no for row in line(ledger.log.outline(game)).rows}
        in_names = [row for row in in_names if row.no in in_force][-IN_NAMES:]
    return GameSnapshot(stored=stored, clock=ledger.clocks.clock(game), deadlines=ledger.clocks.deadlines(game),
                        vacations={user: ledger.clocks.vacations(game, user) for user in users},
                        members={user: ledger.settings.member(user) for user in users},
                        theme=ledger.settings.theme(stored.row.guild, None), gm_role=ledger.settings.gm_role(stored.row.guild),
                        free=free_seats(ledger, stored),
                        threads=threads, in_names=in_names, plans=ledger.plans.plans(game),
                        asked=(asked_at, ledger.log.time(game, asked_at)))


def free_seats(ledger: Ledger, stored: Stored) -> list[FreeSeat]:
    free = [holder for holder in stored.holders if holder.free] if stored.row.status in PLAYED else []
    since = [ledger.seats.tenure(stored.row.id, holder.seat) for holder in free]
    return [FreeSeat(seat=holder.seat, caretaker=holder.caretaker, since=None if tenure is None else tenure.at)
            for holder, tenure in zip(free, since)]
