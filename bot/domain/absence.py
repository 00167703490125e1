"""People who are gone, games in which nothing happens, and whatever else is due at some moment: what is done about it, and when.

One table says after how long each is done (`POLICIES`); below it stands what has to be weighed besides: who is late, who can
vote, what an open game has come to. Pure: `bot.store.timers` finds what waits, `bot.service.timers` has it done. What is counted
in days counts those with the bot there (`bot.domain.presence`), and who is on vacation is left in peace.

Whether a seat has answered under seal is nobody's business [P-28], so nothing here is reckoned from such an answer before all are
in.
"""
from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, get_args

from bot.domain.presence import Presence
from bot.domain.waking_hours import Hours, Span
from engine.text import Text, count, text

DAY = timedelta(days=1)
NOW = timedelta()           # what is kept is the very moment, in the waking hours of whoever is waited for

FIRST_MOVE = 3 * DAY        # for a first move in a game without a clock; with one its deadline counts [P-46]
HEARING, VOTING = DAY, 3 * DAY          # of a vote: before it counts, and before it is over [P-44]
PAUSING = DAY               # that a vote to pause a game, or to go on, is open [P-15]
OFFERED = 7 * DAY           # that an offer to stand in waits for an answer [P-43]
LONG_WAIT = 3 * DAY          # with a question that waits, until people are told, or told again
STARTING = 2 * DAY          # that a host has to start a full game; then whoever has joined can
STOOD = timedelta(hours=90)             # without anything happening: after the players and the game master have been called
SEEN = timedelta(hours=30)              # within which somebody who is still here does something, in any game
PAUSED = 7 * DAY            # of a pause whose game master is not seen; and until its people hear of it again
MISSED = 3 * DAY            # within which a game master who is still here does something, in any game
REMINDED = (3 * DAY, 10 * DAY)          # without anything new: when the channel reads that a game is still open
ASKED, CLOSED = 21 * DAY, 28 * DAY      # when its host is asked, once awake; when it is closed, and not before a week after that

Kind = Literal["alarm", "first_move", "order", "time_up", "reminder", "long_wait", "back", "request", "opening", "late_start",
               "offer", "vote", "pause_vote", "standstill", "long_pause", "open_game"]


@dataclass(frozen=True, slots=True)
class Policy:
    """After how long something is done."""

    after: timedelta = NOW
    again: timedelta | None = None      # until it is done again, if nothing has happened; None: not before something has
    grows: bool = False                 # the second time after twice as long, and so on
    seldom: bool = False                # an hour more or less does not matter


POLICIES: Mapping[Kind, Policy] = {     # in the order in which they are done
    # what waits, and since when                                              # what is done, and who is told
    "alarm": Policy(),                  # a moment on which a game agreed       the game is told, and so everybody
    "first_move": Policy(FIRST_MOVE),   # a question of a seat's first turn     the seat is free, or the game opened again [P-46]
    "order": Policy(),                  # an answer by order, behind a veil     it is given
    "time_up": Policy(),                # a question with a clock               its order, plan or default; everybody [P-11]
    "reminder": Policy(),               # a question, as its player chose       its player, awake: one message for all games
    "long_wait": Policy(LONG_WAIT, LONG_WAIT),    # any question                  the game master and the other players
    "back": Policy(),                   # an absence with an end                the seat is its owner's again; everybody
    "request": Policy(),                # a request to undo                     it is refused; everybody
    "opening": Policy(),                # a game that is opened, or a seat      whoever wants to hear of such games, awake
    "late_start": Policy(STARTING, grows=True),         # a full game           its players, who can start it
    "offer": Policy(),                  # a member asked to stand in            both
    "vote": Policy(),                   # a vote about a player who is gone     carried, called for or over; the players
    "pause_vote": Policy(PAUSING),      # a vote to pause, or to go on          it is over; the players
    "standstill": Policy(STOOD, again=3 * DAY, seldom=True),    # a game        who looks after its server, if nobody else is seen
    "long_pause": Policy(PAUSED, again=PAUSED, seldom=True),    # a paused game     its people, if its game master isn't seen
    "open_game": Policy(REMINDED[0], seldom=True),      # an open game          its channel, its host; and in the end it is closed
}
OFTEN = tuple(kind for kind, policy in POLICIES.items() if not policy.seldom)


@dataclass(frozen=True, slots=True)
class Timer:
    """Something that has waited for long enough, or may have."""

    kind: Kind
    game: int                           # 0: it is about a member or a channel, whatever the games
    whom: Any                           # a seat, member or channel, or the number of a vote, request or offer, as its kind says
    row: int                            # that led to the question that waits; or how often it has been done
    since: datetime

    @property
    def key(self) -> tuple[object, ...]:
        return self.kind, self.game, self.whom, self.row


def moments(presence: Presence) -> Mapping[str, datetime]:
    """For each kind the moment since which it must have waited to be due, by the names that the queries use; and `<kind>_again`,
    since which nobody must have been told, and `seen` and `missed`, since which nobody must have been seen."""
    return {"now": presence.now, **{kind: presence.ago(policy.after) for kind, policy in POLICIES.items()},
            **{f"{kind}_again": presence.ago(policy.again) for kind, policy in POLICIES.items() if policy.again is not None},
            "seen": presence.ago(SEEN), "missed": presence.ago(MISSED)}


def due(found: Iterable[Timer], presence: Presence) -> list[Timer]:
    """Of these, what is to be done now, in the order in which it is."""
    order = {kind: place for place, kind in enumerate(POLICIES)}
    ripe = [timer for timer in found if not (policy := POLICIES[timer.kind]).grows
            or presence.since(timer.since) >= policy.after * (timer.row + 1)]
    return sorted(ripe, key=lambda timer: (order[timer.kind], timer.since, timer.game))


# --- players who keep the others waiting ------------------------------------------------------------------------------

NoShow = Literal["wait", "replace", "drop"]     # nothing; the seat is free; the game is opened again without the player
Agreement = Literal["half", "all"]      # more than half of those who are there, or all of them
ALONE = 2                               # times as long as usual: if one player alone would decide


def no_show_sentence(what: NoShow, *, timed: bool) -> Text:
    """Return what a game does about a player who never makes a first move, as its host has chosen before the start [P-46]."""
    if what == "wait":
        return text("The game waits for whoever makes no first move.")
    within = text("by its deadline") if timed else text("within {days}", days=count(FIRST_MOVE.days, "{n} day", "{n} days"))
    if what == "replace":
        return text("If somebody makes no first move {within}, their seat is free for others.", within=within)
    return text("If somebody makes no first move {within}, I open the game again without them. If play has "
                "already begun, I free their seat instead.", within=within)


@dataclass(frozen=True, slots=True)
class ReplacementRules:
    """When players can vote to replace one of them who is gone, and how many must agree."""

    days: int                   # without a move before a vote can begin; 0: they can't
    agreement: Agreement

    def silence(self, voters: int) -> timedelta:
        """How long a player must have been silent before so many others can vote."""
        return timedelta(days=self.days * (ALONE if voters == 1 else 1))

    def needed(self, voters: int) -> int:
        return max(voters, 1) if self.agreement == "all" else voters // 2 + 1

    def sentence(self, players: int) -> Text:
        """The rules for people, in a game of so many players."""
        if not self.days:
            return text("The players can't vote to replace anybody.")
        if players == 2:
            return text("If somebody makes no move for {days}, the other player can replace them.",
                        days=count(self.silence(1).days, "{n} day", "{n} days"))
        return text("If somebody makes no move for {days}, the players can vote to replace them. {who} must agree.",
                    days=count(self.days, "{n} day", "{n} days"),
                    who=text("More than half of the others") if self.agreement == "half" else text("All others"))


AGREEMENTS: tuple[Agreement, ...] = get_args(Agreement)
CHOICES = (*[ReplacementRules(days, agreement) for agreement in AGREEMENTS for days in (3, 7, 14)], ReplacementRules(0, "half"))
USUAL = ReplacementRules(7, "half")     # of a new game


def silent_for(presence: Presence, *, wanted: datetime | None, heard: datetime | None,
               away: tuple[Span, ...]) -> timedelta | None:
    """How long a player has kept the others waiting, without vacations and what the bot was off; None: not at all, or on vacation
    now.

    `wanted`: since when a move of the player has been missing; `heard`: when a vote about the player was last over.
    """
    now = presence.now
    if wanted is None or any(gone <= now < back for gone, back in away):
        return None
    since = wanted if heard is None else max(wanted, heard)
    return Hours(away=tuple(sorted([*away, *presence.off]))).between(since, now) if since < now else timedelta()


def carried(ballots: Mapping[int, bool], players: Collection[int], needed: int) -> bool:
    return sum(ballots.get(user, False) for user in players) >= needed


def hopeless(ballots: Mapping[int, bool], players: Collection[int], needed: int) -> bool:
    return sum(ballots.get(user, True) for user in players) < needed


# --- open games that nobody joins ---------------------------------------------------------------------------------------

Step = Literal["remind", "ask", "close"]


@dataclass(frozen=True, slots=True)
class OpenGame:
    """An open game with empty seats."""

    game: int
    since: datetime             # when anything last happened there
    told: datetime | None       # when its people were last told that it is still open
    host: int
    closed_circle: bool         # only invited members can join
    channel: int                # where people read that it is open
    listed: bool                # on the noticeboard of its server


def step(table: OpenGame, presence: Presence, host: Hours) -> Step | None:
    """Return what is due for an open game now; of what was missed, the last. A host who is asleep is asked later."""
    quiet = presence.since(table.since)
    told = None if table.told is None or table.told < table.since else quiet - presence.since(table.told)
    if told is not None and told >= ASKED:              # after so long without anything new
        return "close" if quiet - told >= CLOSED - ASKED else None
    if quiet >= ASKED:
        return "ask" if host.awake(presence.now) else None
    passed = max((age for age in REMINDED if quiet >= age), default=None)
    if passed is None or table.closed_circle or table.listed or (told is not None and told >= passed):
        return None
    return "remind"
