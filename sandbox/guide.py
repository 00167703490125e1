"""The line above a conversation: who one is, whether it is one's move, and what a tap of its button does."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sandbox.world import Conversation, Person

MENU = "Your move"          # the bot's own button that opens a turn
COMMANDS = "That was only a message. To use a command, type / and tap it in the list."


@dataclass(frozen=True, kw_only=True)
class Place:
    """A conversation as the guide knows it."""

    conversation: Conversation
    movers: Sequence[str]           # who is to move here
    seats: Mapping[str, str]        # person -> what they play here: "France"


@dataclass(frozen=True, kw_only=True)
class Guide:
    """What stands above a conversation."""

    you: str
    now: str
    button: str = ""                # no button: there is nothing to do
    person: str = ""                # whom the button makes one act as
    conversation: str = ""          # where it leads; none: it presses the bot's own button here


@dataclass(frozen=True, kw_only=True)
class Try:
    """What somebody may try first in a game that waits, as long as nobody has moved."""

    game: int
    steps: int                      # the steps of the game so far
    person: str
    words: str


def guide(person: Person, here: Conversation, places: Sequence[Place]) -> Guide:
    """The line for somebody who looks at a conversation, given all tables where games are played."""
    place = next((place for place in places if place.conversation.id == here.id), None)
    seat = place.seats.get(person.name) if place is not None else None
    you = f"You are {person.name} ({seat})." if seat else f"You are {person.name}, the {person.role}." if (
        person.role != "player") else f"You are {person.name}."
    movers = place.movers if place is not None else ()
    if person.name in movers:
        return Guide(you=you, now="It's your move.", button=MENU, person=person.name)
    elsewhere = [place for place in places if place.movers and place.conversation.id != here.id]
    own = next((place.conversation for place in elsewhere if person.name in place.movers), None)
    if movers:
        return Guide(you=you, now=f"Waiting for {' and '.join(movers)}.", button=f"Play as {movers[0]}", person=movers[0],
                     conversation=str(here.id))
    if own is not None:
        return Guide(you=you, now=f"It's your move in {_called(own)}.", button="Go there", person=person.name,
                     conversation=str(own.id))
    if elsewhere:
        first = elsewhere[0]
        return Guide(you=you, now=f"It's {first.movers[0]}'s move in {_called(first.conversation)}.",
                     button=f"Play as {first.movers[0]}", person=first.movers[0], conversation=str(first.conversation.id))
    return Guide(you=you, now="Nothing to do right now.")


def _called(one: Conversation) -> str:
    return one.name if one.kind == "thread" else f"#{one.name}"
