"""What waits in the outbox: a class for each kind of letter, with its audience, its key and its fields.

Letters are data; the Discord layer turns them into messages when it sends them: `bot.discord.outbox` has a sender for each class.
The fields are stored as JSON under the names that they have here. A field that letters of earlier versions lack has a default.

The audience is "public", "gm" (the game's channel, addressed to the game master), or a seat.
"""
from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from bot.domain.turns import Turn
from engine.kernel import Seat
from engine.kernel.game_spec import BOARD

PUBLIC, GM = "public", "gm"


class Letter(BaseModel):
    """One message to come. An unsent letter is replaced by a newer one with the same key in the same game."""

    model_config = ConfigDict(frozen=True)
    kind: ClassVar[str]                     # as it is stored
    elsewhere: ClassVar[bool] = False       # True: to a member directly or to another channel; to its game's only if need be
    alone: ClassVar[bool] = False           # True: what it says is for its member, or else its seat, alone

    audience: str = Field(default=PUBLIC, exclude=True)
    sentence: Any = Field(default=None, exclude=True)           # a Text that becomes its text where it is stored

    @property
    def key(self) -> str | None:
        """Return what the message is found again by; None: it is never looked for."""
        return None

    @property
    def payload(self) -> dict[str, Any]:
        """The fields as they are stored; what is None is left out."""
        return self.model_dump(exclude_none=True)


class Log(Letter):
    """What happened, turn by turn; of several letters that tell it each says with which line of how many it begins."""

    kind = "log"
    lines: list[str]
    turns: list[Turn] | None = None         # letters of earlier versions have none
    first: int | None = None
    of: int | None = None


class Picture(Letter):
    """A picture as everybody may see it after a row, marked with what is new since another."""

    kind = "picture"
    picture: str = BOARD.key
    row: int
    since: int | None = None


class Question(Letter):
    """Somebody is asked. There are no buttons if there are many answers, or if the answers themselves are secret; of a question
    that is for the seat alone the text says only that it is its move. It takes the place of the seat's last question if it
    follows right on its answer. If it is `quiet` it notifies nobody, since its player has just been here."""

    kind = "question"
    seat: Seat
    asked_at: int
    text: str
    buttons: list[tuple[str, str]]          # label, choice
    secret: bool
    follows: bool = False
    quiet: bool | None = None

    @property
    def key(self) -> str:
        return f"question:{self.seat}"


class Ballot(Letter):
    """These seats are asked for a yes or a no at once; it names them all, and notifies those who have not been told yet."""

    kind = "ballot"
    seats: list[Seat]
    told: list[Seat] = []
    asked_at: int
    text: str
    buttons: list[tuple[str, str]]          # label, choice

    @property
    def key(self) -> str:
        return "ballot"


class Packet(Letter):
    """These seats can answer in advance what may be asked of them; it names them all, and notifies those who are not asked at the
    same moment."""

    kind = "packet"
    seats: list[Seat]
    asked: list[Seat] = []
    span: str
    text: str

    @property
    def key(self) -> str:
        return "packet"


class Series(Letter):
    """These seats can give at once, by a form, what they will be asked one after the other; it names them all, and notifies those
    who are not asked at the same moment."""

    kind = "series"
    seats: list[Seat]
    asked: list[Seat] = []
    point: str
    words: str

    @property
    def key(self) -> str:
        return "series"


class Private(Letter):
    """The whole standing private message of a seat, for its holder alone."""

    kind = "private"
    elsewhere = alone = True
    seat: Seat
    text: str
    last: list[str]

    @property
    def key(self) -> str:
        return f"private:{self.seat}"


class Final(Letter):
    """The end, with its dice."""

    kind = "final"
    result: str
    standings: list[tuple[Seat, str, int, int]]         # seat, name, place, points
    secret: str
    commitment: str
    automatic: list[tuple[Seat, str]] | None = None     # the seats of automatic players, and what these are called


class AnsweredFor(Letter):
    """What somebody else answered in the name of a member's seat, for that member alone."""

    kind = "proxy"
    elsewhere = alone = True
    user: int
    text: str


class PlanDropped(Letter):
    """A member's private plan of a round is dropped, since the round is not being played any more; for that member alone."""

    kind = "plan"
    elsewhere = alone = True
    user: int
    text: str


class Status(Letter):
    """How the game stands, in the one message that always says so; it is made up when it is sent."""

    kind = "status"

    @property
    def key(self) -> str:
        return "status"


class LobbyFull(Letter):
    """All seats are taken, and the host can start the game: told once, and true as long as the game has not begun."""

    kind = "full"

    @property
    def key(self) -> str:
        return "full"


class Invitation(Letter):
    """A game is open in a thread, and people can join it from the channel beside it; it is made up when it is sent."""

    kind = "invitation"
    elsewhere = True
    channel: int

    @property
    def key(self) -> str:
        return f"invitation:{self.channel}"


class Opened(Letter):
    """Games have been opened of which this member wanted to hear: directly, or in the channel of the first."""

    kind = "opened"
    elsewhere = True
    user: int
    games: list[int]


class StillOpen(Letter):
    """These games have been open for days, and can be joined: in the channel where that is read; made up when it is sent."""

    kind = "stillopen"
    elsewhere = True
    channel: int
    games: list[int]


class QuietTable(Letter):
    """Nothing has happened in an open game for weeks: its host is asked, directly or else in its channel, whether to keep it."""

    kind = "quiet"
    elsewhere = True
    audience: str = Field(default=GM, exclude=True)


class MemberWeek(Letter):
    """How a member's games have changed since a moment, if the member has asked for that: directly; made up when it's sent."""

    kind = "week"
    elsewhere = alone = True
    user: int
    since: str                              # ISO 8601, UTC


class ServerWeek(Letter):
    """How the games of a server have changed since a moment, in its noticeboard's channel; made up when it is sent."""

    kind = "summary"
    elsewhere = True
    guild: int
    since: str                              # ISO 8601, UTC

    @property
    def key(self) -> str:
        return f"summary:{self.guild}"


class Called(Letter):
    """A game has been opened, and the members with this role are called to join it, once."""

    kind = "called"
    role: int

    @property
    def key(self) -> str:
        return "called"


class LateStart(Letter):
    """All seats have been taken for long, and the host has not started the game: whoever has joined can."""

    kind = "late"


class Rematch(Letter):
    """A game is open for the players of another one, who are called to join it."""

    kind = "rematch"
    host: int
    users: list[int]


class Invited(Letter):
    """A member is invited to an open game."""

    kind = "invited"
    host: int
    user: int


class Application(Letter):
    """A member would like to take over a free seat, and the game master decides; what it says is looked up when it is sent."""

    kind = "application"
    audience: str = Field(default=GM, exclude=True)
    user: int
    seat: Seat

    @property
    def key(self) -> str:
        return f"application:{self.user}"


class ReplacementVote(Letter):
    """The players vote to replace one of them, in one message; what it says is looked up when it is sent."""

    kind = "replacing"
    replacement: int

    @property
    def key(self) -> str:
        return f"replacing:{self.replacement}"


class ReplacementNotice(Letter):
    """A member is the one about whom the others vote; directly or not at all, since the vote's message calls the member, too."""

    kind = "replaced"
    elsewhere = True
    user: int
    replacement: int


class ReplacementCall(Letter):
    """A vote goes on in which some have not voted yet: they are called once more, and its message is posted anew."""

    kind = "voters"
    replacement: int


class StandInOffer(Letter):
    """A player asks a member to stand in, in one message; what it says is looked up when it is sent."""

    kind = "standin"
    offer: int

    @property
    def key(self) -> str:
        return f"standin:{self.offer}"


class LastPlayer(Letter):
    """A seat has been given up, and this member alone is left, who can end the game by a button."""

    kind = "alone"
    user: int
    text: str = ""


class TalkMessage(Letter):
    """A message from a seat, for all or for another seat; its words are looked up when it is sent."""

    kind = "press"
    press: int


class Farewell(Letter):
    """A member has a seat no more; the text takes the place of its secrets in the direct message."""

    kind = "farewell"
    elsewhere = alone = True
    user: int
    text: str = ""


class Reminder(Letter):
    """What one member has to answer in all games; directly if possible. A mere `notice`, beside the question in the channel,
    comes directly or not at all."""

    kind = "reminder"
    elsewhere = True
    user: int
    duties: list[tuple[int, Seat, int]]                 # game, seat, since which row it is asked
    notice: bool | None = None


class Escalation(Letter):
    """The game master should look after these seats."""

    kind = "escalation"
    elsewhere = True
    audience: str = Field(default=GM, exclude=True)
    why: Literal["missed", "waits"]
    seats: list[Seat]


class LongWait(Letter):
    """The players hear that their game waits for one of these seats, and when they can vote about it."""

    kind = "waiting"
    seats: list[Seat]


class Standstill(Letter):
    """A game stands still, and of its players and game masters nobody has been seen for a while: those who look after its server
    hear of it. It waits for one of these seats; of a game that hasn't begun there are none."""

    kind = "stands"
    seats: list[Seat]

    @property
    def key(self) -> str:
        return "stands"


class LongPause(Letter):
    """A game has been paused for long, and its game master isn't seen: its players and those who look after its server hear of
    it, and can let it go on; made up when it is sent."""

    kind = "longpause"


class Master(Letter):
    """This member is the game master now; directly if possible."""

    kind = "master"
    elsewhere = True
    audience: str = Field(default=GM, exclude=True)
    user: int


class Lapse(Letter):
    """A member is away, since the clock had ended turn after turn, and can be back by a button."""

    kind = "lapse"
    user: int
    text: str


class Upcoming(Letter):
    """Whose turn comes next, for who wants to know."""

    kind = "upcoming"
    elsewhere = True
    user: int
    seat: Seat

    @property
    def key(self) -> str:
        return f"upcoming:{self.seat}"


class VoteMessage(Letter):
    """How a vote to pause the game, or to let it go on, stands, in the one message of that vote; a new one calls who is `waiting`
    to vote. Of an earlier version each vote was a message of its own, with the key "vote"."""

    kind = "vote"
    text: str = ""
    choice: Literal["pause", "resume"]
    waiting: list[int] = []
    ended: bool = False

    @property
    def key(self) -> str:
        return "pausing"


class RequestMessage(Letter):
    """A seat asks the others to take something back; what it says is looked up when it is sent, and it changes the one message of
    the request."""

    kind = "request"
    request: int

    @property
    def key(self) -> str:
        return f"request:{self.request}"


class Strike(Letter):
    """The message that a letter of the log has become says which of its rows have been taken back."""

    kind = "strike"
    letter: int

    @property
    def key(self) -> str:
        return f"strike:{self.letter}"


class Notice(Letter):
    """News of the lobby and of the game master; members stand in it as <@id>."""

    kind = "notice"
    text: str = ""


STATUS = Status()
STEPS = tuple(one.kind for one in (Log, Picture, Question, Ballot, Packet, Series, Final, Status, Notice))
# letters that everybody reads in the game's channel, each about the step at which it was written
KINDS: Mapping[str, type[Letter]] = {one.kind: one for one in Letter.__subclasses__()}
ELSEWHERE = tuple([one.kind for one in KINDS.values() if one.elsewhere])


def read(kind: str, audience: str, payload: Mapping[str, Any]) -> Letter:
    """The letter that is stored so, by whatever version. Raises KeyError: there is no such kind; ValueError: it is none."""
    return KINDS[kind].model_validate({**payload, "audience": audience})


def without_ping(letter: Letter, quiet: Collection[Seat]) -> Letter:
    """A letter as it is stored: it notifies nobody who is here."""
    if isinstance(letter, Series):
        return letter.model_copy(update={"asked": [seat for seat in letter.seats if seat in letter.asked or seat in quiet]})
    if isinstance(letter, Ballot):
        return letter.model_copy(update={"told": [seat for seat in letter.seats if seat in letter.told or seat in quiet]})
    if isinstance(letter, Question) and letter.seat in quiet:
        return letter.model_copy(update={"quiet": True})
    return letter
