"""What is read from the tables."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from bot.domain.absence import USUAL, NoShow, ReplacementRules
from bot.domain.announcements import Announced, Posting
from engine.kernel import Seat
from engine.refusals import Refusal
from engine.text import Language
from engine.text.languages import ENGLISH, LANGUAGES

Status = Literal["open", "running", "paused", "over", "closed"]
Theme = Literal["dark", "light"]
Promise = Literal["open", "kept", "broken"]
Allowed = Literal["all", "public", "none"]          # which messages of players the bot carries
Newcomers = Literal["free", "asked", "none"]        # who can take a free seat: anybody, whom the game master lets in, nobody

WITHDRAWN = "its reader has been forgotten"     # why a letter isn't sent any more


class NotStored(Refusal):
    """The file could not take a change; nothing has changed."""


@dataclass(frozen=True, kw_only=True)
class GameRow:
    """A game as the lobby knows it."""

    id: int
    key: str                    # of its GameSpec
    edition: str
    options: Mapping[str, Any]  # changed options, as the opener gave them
    title: str                  # what people call it
    guild: int | None
    channel: int                # where it is played: a text channel or a thread
    owner: int                  # its game master: the member who opened it, or who was named or found since
    seats: int                  # how many
    status: Status
    pack_hash: str              # SHA-256 of its component data
    commitment: str             # SHA-256 of the secret of its dice; "" before the start
    created_at: str             # ISO 8601, UTC
    veil: int = 0               # minutes that an answer by order may take, so that nothing tells it from a person's; 0: none
    posting: Posting = "turns"  # when pictures are posted by themselves
    allowed: Allowed = "all"
    newcomers: Newcomers = "free"
    invite_only: bool = False   # else whoever sees it can join
    replacement: ReplacementRules = USUAL           # when its players can vote to replace one
    no_show: NoShow = "wait"    # what is done about a player who makes no first move
    successor: str = ""         # strength of the automatic player who gets a seat that is given up; "": none does
    caring: bool = False        # a caretaker does
    language: str | None = None         # of its messages; None: English

    @property
    def spoken(self) -> Language:
        """The language of what everybody reads of it."""
        return LANGUAGES.get(self.language or "", ENGLISH)


@dataclass(frozen=True, kw_only=True)
class Owner:
    """Whose seat it is while somebody else plays it."""

    user: int
    private: bool               # wants the private direct message, when they play again
    name: str


@dataclass(frozen=True, kw_only=True)
class Holder:
    """Who holds a seat; `user` is None for a seat that nobody holds (its questions get their defaults at once)."""

    seat: Seat
    user: int | None
    private: bool               # wants the private direct message (opt-out: False)
    name: str = ""              # how people know its player: what pictures say; "" for a seat that nobody holds
    owner: Owner | None = None  # for whom `user` stands in
    caretaker: bool = False     # nobody holds it, and the game's neutral hand answers in place of the defaults
    level: str = ""             # an automatic player of this strength plays it: nobody holds it, or its player is away
    away: bool = False          # its player, or the owner, has said so
    until: str | None = None    # ISO 8601, UTC: when that ends by itself; None: when the player comes back
    lapsed: bool = False        # nobody has said so: the clock had ended too many turns in a row
    back: int = 0               # the newest row when the player last came back; what was missed before counts no more
    blind: frozenset[int] = frozenset()         # of these two, who must not see its secrets (see `bot.domain.insights`)

    @property
    def free(self) -> bool:
        """True if nobody holds it, nor an automatic player."""
        return self.user is None and not self.level

    @property
    def absent(self) -> bool:
        """True if its questions are answered at once, since nobody is there to be asked."""
        return not self.level and (self.user is None or (self.away and self.owner is None))

    @property
    def unattended(self) -> bool:
        """True if no person is there to be asked: an automatic player can be."""
        return self.absent or bool(self.level)

    def known_to(self, user: int) -> bool:
        """True if a member may see what only this seat may: who plays it, and for whom that is done."""
        return user in self.users - self.blind

    def played_by(self, user: int) -> bool:
        """True if a member answers for it, and sees all that is needed for that."""
        return user == self.user and self.known_to(user)

    @property
    def users(self) -> frozenset[int]:
        return frozenset([user for user in (self.user, None if self.owner is None else self.owner.user) if user is not None])

    @property
    def whose(self) -> int | None:
        """The member who holds it, whoever plays it just now."""
        return self.user if self.owner is None else self.owner.user

    @property
    def reader(self) -> int | None:
        """The member to whom the letters of the seat go; None if nobody may read them."""
        return self.user if self.user is not None and self.known_to(self.user) else None


@dataclass(frozen=True, kw_only=True)
class Stored:
    """A game with what only the bot may know of it."""

    row: GameRow
    secret: str                 # 64 hexadecimal digits; "" before the start
    started_at: str | None
    told: Announced
    holders: tuple[Holder, ...]


@dataclass(frozen=True, kw_only=True)
class OutboxRow:
    """A letter on its way; see `bot.domain.letters` for what each kind says."""

    id: int
    game: int
    no: int                     # the last row of the log when it was written
    kind: str
    audience: str               # "public", "gm", or a seat
    key: str | None
    payload: Mapping[str, Any]
    nonce: str                  # the same for every attempt, and unique: Discord drops a repetition
    attempts: int
    superseded: bool = False    # it has no sense any more, but may have been on its way
