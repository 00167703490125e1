"""What each picture of Attack! shows: plain values for one reader, built from nothing, with no place for a secret of anybody
else. The board's own values are in `view`."""
from __future__ import annotations

from typing import Literal, TypeAlias

from engine.games.attack.view import Seen, TerritoryView, Units, View

People: TypeAlias = tuple[tuple[str, str], ...]
"""(power, what its player is called) of powers whose player has a name."""


Deed: TypeAlias = Literal["attack", "move", "claim", "place", "capital", "diplomacy", "other"]
"""What can be done in a territory; "attack" enters it or begins its battle, "move" goes to one's own."""


class Way(Seen):
    """What the reader may do in a territory now."""

    territory: str
    deeds: tuple[Deed, ...]         # in their order, each once
    number: int = 0                 # by which the menu calls it; 0: it needs none


class Board(Seen):
    """The board, marked with what is new to the reader; in a seat's own picture `now` holds its cards."""

    now: View
    before: View | None = None      # as the reader knew it: what differs is marked
    ways: tuple[Way, ...] = ()      # in the order of the data; only in a seat's own picture
    people: People = ()


class Film(Seen):
    """Boards one after the other, each marked with what changed since the one before."""

    frames: tuple[Board, ...]       # at least one


class Fighter(Seen):
    """One side of a land battle."""

    power: str                      # "neutral" for a territory without owner
    name: str
    commander: str                  # name of the player who decides for neutrals; "" is the engine, or the side itself
    force: Units                    # all that it had when the battle began
    line_up: Units                  # what it put into battle first
    fighting: Units                 # in battle now
    reserve: Units
    lost: Units


class Half(Seen):
    """What one side does in a round: it brings units, rolls and hits."""

    side: Literal["attacker", "defender"]
    brought: Units
    fighting: Units                 # with those that it brought
    dice: tuple[str, ...]           # types of units, or "blank"; none before the roll
    scored: tuple[bool, ...]        # of each die, whether it is matched by a unit (ATK-7.5)
    hits: int
    losses: Units                   # of the other side


class Round(Seen):
    number: int
    halves: tuple[Half, ...]        # the defender's first


class Battle(Seen):
    """A land battle round by round, as far as it has come."""

    title: str                      # of the game
    when: str                       # "Round 3"
    territory: str
    name: str
    land: tuple[TerritoryView, ...]     # all territories now, for the map beside it
    attacker: Fighter
    defender: Fighter
    card: str                       # kind of the card that brought neutral defenders, or ""
    rounds: tuple[Round, ...]
    winner: Literal["attacker", "defender", ""]         # "" while it goes on
    spoils: bool                    # the winner took a card from the loser's hand
    more: int                       # further battles since the reader's last look
    people: People = ()


class Vessel(Seen):
    """A ship in a line, as the round left it."""

    ship: str
    hits: int
    sunk: bool


class Shot(Seen):
    """One ship of a pair: two dice and what it adds."""

    ship: str
    dice: tuple[int, int]
    modifier: int
    total: int


class Pair(Seen):
    """Ships in equal positions, and what came of it."""

    attacker: Shot
    defender: Shot
    hit: Literal["attacker", "defender", ""]    # the side that was hit
    position: int                   # of the ship that was hit, from 1
    ship: str
    sunk: bool


class NavalRound(Seen):
    number: int
    attackers_line: tuple[Vessel, ...]
    defenders_line: tuple[Vessel, ...]
    pairs: tuple[Pair, ...]         # those fought so far


class Navy(Seen):
    """One side of a naval battle."""

    power: str
    name: str
    fit: int                        # fit ships now
    lying: int                      # ships that it lays, while its line is secret; else 0


class Naval(Seen):
    """A naval battle: the last round in full, those before in short; lines only once they are turned up."""

    title: str
    when: str
    attacker: Navy
    defender: Navy
    rounds: tuple[NavalRound, ...]
    winner: Literal["attacker", "defender", ""]
    retreat: bool
    people: People = ()
