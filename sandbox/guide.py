"""The line above a conversation: who one is, whether it is one's move, and whom or where a tap of its button leads to."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sandbox.world import Conversation, Person

COMMANDS = "That was only a message. To use a command, type / and tap it in the list."


@dataclass(frozen=True, kw_only=True)
class Place:
    """A conversation as the guide knows it."""

    conversation: Conversation
    movers: Sequence[str]           # who is to move here
    seats: Mapping[str, str]        # person -> what they play here: "France"


@dataclass(frozen=True, kw_only=True)
class Lobby:
    """A conversation in which a game is open that hasn't begun."""

    conversation: Conversation
    host: str                       # of the people here
    joined: Sequence[str]
    free: bool                      # whether somebody can still join
    ready: bool                     # whether the host can start


@dataclass(frozen=True, kw_only=True)
class Guide:
    """What stands above a conversation."""

    you: str
    now: str
    button: str = ""                # no button: there is nothing to do, or the bot's own button does it
    person: str = ""                # whom the button makes one act as
    conversation: str = ""          # where it leads


@dataclass(frozen=True, kw_only=True)
class Try:
    """What somebody may try first in a game that waits, as long as nobody has moved."""

    game: int
    steps: int                      # the steps of the game so far
    person: str
    words: str


def guide(person: Person, here: Conversation, places: Sequence[Place], lobbies: Sequence[Lobby] = (),
          people: Sequence[Person] = ()) -> Guide:
    """The line for somebody who looks at a conversation, given all places where games are played or open, and all people."""
    place = next((place for place in places if place.conversation.id == here.id), None)
    seat = place.seats.get(person.name) if place is not None else None
    you = f"You are {person.name} ({seat})." if seat else f"You are {person.name}, the {person.role}." if (
        person.role != "player") else f"You are {person.name}."
    lobby = next((lobby for lobby in lobbies if lobby.conversation.id == here.id), None)
    if lobby is not None and place is None:
        return _in_the_lobby(you, person, lobby, people)
    movers = place.movers if place is not None else ()
    if person.name in movers:
        return Guide(you=you, now="It's your move.")
    elsewhere = [place for place in places if place.movers and place.conversation.id != here.id]
    own = next((place.conversation for place in elsewhere if person.name in place.movers), None)
    if movers:
        named = " and ".join(filter(None, (", ".join(movers[:-1]), movers[-1])))
        return Guide(you=you, now=f"Waiting for {named}.", button=f"Play as {movers[0]}", person=movers[0],
                     conversation=str(here.id))
    if own is not None:
        return Guide(you=you, now=f"It's your move in {_called(own)}.", button="Go there", person=person.name,
                     conversation=str(own.id))
    if elsewhere:
        first = elsewhere[0]
        return Guide(you=you, now=f"It's {first.movers[0]}'s move in {_called(first.conversation)}.",
                     button=f"Play as {first.movers[0]}", person=first.movers[0], conversation=str(first.conversation.id))
    return Guide(you=you, now="Nothing to do right now.")


def _in_the_lobby(you: str, person: Person, lobby: Lobby, people: Sequence[Person]) -> Guide:
    """Return what comes next before a game has begun: join, let the others join, start."""
    here = str(lobby.conversation.id)
    if person.name == lobby.host and lobby.ready:
        return Guide(you=you, now="You can start the game.")
    if lobby.free and person.name not in lobby.joined and person.role == "player":
        return Guide(you=you, now="A game is open here. You can join it.")
    if lobby.ready:
        return Guide(you=you, now=f"{lobby.host} can start the game.", button=f"Play as {lobby.host}", person=lobby.host,
                     conversation=here)
    other = next((one.name for one in people if one.role == "player" and one.name not in lobby.joined), "")
    return Guide(you=you, now="Waiting for others to join.", button=f"Play as {other}" if other else "", person=other,
                 conversation=here if other else "")


def _called(one: Conversation) -> str:
    return one.name if one.kind == "thread" else f"#{one.name}"
