"""How much a member and a server may ask for at a time, of what costs: what there is of each, and what is left of it."""
from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from engine.refusals import Refusal
from engine.text import Text, count, template, text

Kind: TypeAlias = Literal["presses", "pictures", "films", "files", "hints", "previews", "rehearsals"]

MINUTE, HOUR = 60.0, 3600.0
PERIODS: Final[dict[Kind, float]] = {                       # seconds in which as many come back as there are
    "presses": 5.0, "pictures": 10 * MINUTE, "films": 10 * MINUTE, "files": HOUR, "hints": HOUR, "previews": 10 * MINUTE,
    "rehearsals": HOUR}
CALLED: Final[dict[Kind, Text]] = {
    "pictures": text("pictures"), "films": text("films"), "files": text("files"), "hints": text("hints"),
    "previews": text("previews"), "rehearsals": text("rehearsals")}
FAST: Final = template("That's faster than I can follow. Go on in {wait}.")
BUSY: Final = template("This server is busier than I can follow. Go on in {wait}.")
OWN: Final = template("That was a lot of {things}. You can ask for another in {wait}.")
EVERYBODYS: Final = template("This server has asked for many {things} in a short time. The next one can come in {wait}.")
SWEPT = 1_000           # members or servers after whose number those are forgotten who have everything back


@dataclass(frozen=True)
class Quota:
    """How many a member and a server can have; 0: as many as they like."""

    member: int = 0
    server: int = 0


@dataclass(frozen=True)
class Asker:
    """Who asks for something, and on which server; None: in direct messages."""

    user: int
    guild: int | None


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How many of each kind somebody can have: of some in a time, of `games` and `orders` at once. Without values: no limits."""

    presses: Quota = Quota()            # in 5 seconds: commands, buttons, forms, suggestions while typing
    pictures: Quota = Quota()           # in 10 minutes
    films: Quota = Quota()              # in 10 minutes
    files: Quota = Quota()              # in an hour: exports, imports, packs of values, one's own data
    hints: Quota = Quota()              # in an hour
    previews: Quota = Quota()           # in 10 minutes: odds before a move, what a rollback undoes
    rehearsals: Quota = Quota()         # in an hour: each deal of one, and each run of automatic players in it
    games: Quota = Quota()              # that a member is game master of, and that are open or under way on a server
    orders: Quota = Quota()             # standing orders of a member, and of all members in the games of a server


NO_LIMITS: Final = Limits()


class Rate:
    """So many in so many seconds for each key: all at once, and then one after the other as they come back."""

    def __init__(self, most: int, seconds: float) -> None:
        self._seconds, self._each = seconds, seconds / most if most else 0.0
        self._full: dict[Hashable, float] = {}              # when a key has all of them again

    def wait(self, key: Hashable, now: float) -> float:
        """Seconds until this key can have one, to the millisecond; 0: now."""
        return max(0.0, round(self._full.get(key, now) + self._each - now - self._seconds, 3))

    def take(self, key: Hashable, now: float) -> None:
        if self._each:
            self._full[key] = max(now, self._full.get(key, now)) + self._each
            if len(self._full) > SWEPT:
                self._full = {known: full for known, full in self._full.items() if full > now}

    def put_off(self, key: Hashable, now: float) -> None:
        """This key was refused: it has its next one only after a short pause, the time in which one comes back."""
        self._full[key] = max(self._full.get(key, now), now + self._seconds)


class Quotas:
    """What members and servers have asked for lately."""

    def __init__(self, limits: Limits, now: Callable[[], float] = time.monotonic) -> None:
        self.limits, self.now = limits, now
        self._members: dict[Kind, Rate] = {}
        self._servers: dict[Kind, Rate] = {}
        for kind, seconds in PERIODS.items():
            quota: Quota = getattr(limits, kind)
            self._members[kind], self._servers[kind] = Rate(quota.member, seconds), Rate(quota.server, seconds)

    def take(self, kind: Kind, asker: Asker) -> None:
        """Somebody gets one. Raises Refusal: the member, or all on the server together, have had as many as they can have.

        Whoever goes on pressing without a pause, as a script does, gets nothing more.
        """
        now, member, server = self.now(), self._members[kind], self._servers[kind]
        if wait := member.wait(asker.user, now):
            if kind == "presses":
                member.put_off(asker.user, now)
            raise _refusal(OWN, FAST, kind, wait)
        if asker.guild is not None:
            if wait := server.wait(asker.guild, now):
                raise _refusal(EVERYBODYS, BUSY, kind, wait)
            server.take(asker.guild, now)
        member.take(asker.user, now)


def _refusal(words: str, of_presses: str, kind: Kind, seconds: float) -> Refusal:
    wait = _waiting_time(seconds)
    return Refusal(of_presses, wait=wait) if kind == "presses" else Refusal(words, things=CALLED[kind], wait=wait)


def _waiting_time(seconds: float) -> Text:
    if seconds > MINUTE:
        return count(math.ceil(seconds / MINUTE), "{n} minute", "{n} minutes")
    return count(math.ceil(seconds), "{n} second", "{n} seconds")
