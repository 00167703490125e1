"""A leak of each secret, planted on purpose: whoever looks for leaks must find every one of them.

Each replaces a real function for a while, as a careless change might, and each shows in another place. What the bot keeps secret
is the same for every game, and is looked for in Struggle of Empires.
"""
from __future__ import annotations

import io
import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import patch

from PIL import Image

import bot.core.session
import bot.discord.game.status
import bot.discord.game_master.answer
import engine.players.rehearsal
import renderer
from bot.discord.game import menu_path
from bot.discord.outbox import Outbox
from bot.domain.letters import Notice
from bot.service.consent import Consent
from bot.service.orders import StandingOrders
from bot.service.records import Records, _written
from bot.service.talk import Talk
from engine.games.attack import GAME as ATTACK
from engine.games.attack.rules.diplomacy import Diplomacy
from engine.games.imperial_struggle import GAME as IMPERIAL
from engine.games.imperial_struggle.actions.shifts import DrawEvent
from engine.games.imperial_struggle.events.turns import TileTaken
from engine.games.struggle_of_empires import GAME as STRUGGLE, actions
from engine.games.struggle_of_empires.rules import unrest_bag
from engine.kernel import Ask, GameSpec
from engine.refusals import Illegal
from engine.text import text, verbatim
from tests.checks import leak_clubs, leak_pairs

TWINS, CLUBS = "twins", "clubs"
BAG = "deluxe_without_npp"  # an edition in which unrest is drawn from a bag
EARLY = 36                  # of games of Imperial Struggle in which most leaks show within five pairs

log = logging.getLogger("bot.planted")


@dataclass(frozen=True)
class Leak:
    """A leak: of which secret, how it is planted, and where it shows."""

    name: str
    plant: Callable[[], AbstractContextManager[Any]]
    where: str = TWINS
    kinds: tuple[leak_clubs.Kind, ...] = ("state",)
    edition: str = ""           # the first, if none is named
    spec: GameSpec = STRUGGLE
    pairs: int = 0              # in which it mostly shows, if more or fewer are needed than of the others
    seed: int = 0               # of games in which it has shown: they are tried first


@contextmanager
def changed(spec: GameSpec, field: str, make: Callable[[Any], Any]) -> Iterator[None]:
    """A game with another function in one of its places; of a frozen one, for a while."""
    facet = next(facet for facet in (spec.rules, spec.words, spec.views) if hasattr(facet, field))
    real = getattr(facet, field)
    object.__setattr__(facet, field, make(real))
    try:
        yield
    finally:
        object.__setattr__(facet, field, real)


def wrapped(owner: Any, name: str, make: Callable[[Any], Any]) -> AbstractContextManager[Any]:
    """A function that does what the real one does, and something more."""
    return patch.object(owner, name, make(getattr(owner, name)))


# --- Struggle of Empires ------------------------------------------------------------------------------------------------

def unrest() -> AbstractContextManager[Any]:
    """What can be built stands in another order when the sum of all unrest is odd."""
    def making(real: Any) -> Any:
        def options(cls: Any, state: Any, seat: Any) -> Any:
            found = list(real.__func__(cls, state, seat))
            return found[::-1] if sum(state.unrest.values()) % 2 else found
        return classmethod(options)
    return wrapped(actions.Build, "options", making)


def gold() -> AbstractContextManager[Any]:
    """Everybody's gold is in view, also where the game says that it is not."""
    return changed(STRUGGLE, "view", lambda real: lambda state, seat: (seen := real(state, seat)).model_copy(update={
        "powers": tuple([power.model_copy(update={"gold": state.gold.get(power.power)}) for power in seen.powers])}))


def drawn_marker() -> AbstractContextManager[Any]:
    """What a drawn marker counts is told to everybody."""
    return wrapped(unrest_bag.UnrestDrawn, "line", lambda real: lambda event: text("{power} drew {n}.", power=event.power,
                                                                                   n=event.by))


@contextmanager
def next_marker() -> Iterator[None]:
    """One pixel of a picture has another colour, by what the next marker is drawn by where somebody looked last."""
    seen = {"told": 0}

    def painting(real: Any) -> Any:
        def render(view: Any, theme: str = "dark") -> bytes:
            image, out = Image.open(io.BytesIO(real(view, theme))).convert("RGB"), io.BytesIO()
            image.putpixel((0, 0), (seen["told"] % 256, 0, 0))
            image.save(out, "PNG")
            return out.getvalue()
        return render

    def viewing(real: Any) -> Any:
        def screen(table: Any, *args: Any, **more: Any) -> Any:
            seen["told"] = int(table.state.bag_key[-2:] or "0", 16) + int(table.state.drawn) % 2
            return real(table, *args, **more)
        return screen

    with wrapped(leak_pairs, "screen", viewing), wrapped(renderer, "render", painting):
        yield


# --- Attack! --------------------------------------------------------------------------------------------------------------

def cards() -> AbstractContextManager[Any]:
    """Fewer values are suggested when the hands are odd ones."""
    def told(state: Any) -> int:
        return sum(place * int(card[-2:]) * len(card) for place, power in enumerate(state.powers, 1)
                   for card in state.hands[power])
    return wrapped(leak_pairs, "offered", lambda real: lambda table, *args: real(table, *args)[told(table.state) % 5:])


def next_card() -> AbstractContextManager[Any]:
    """Who negotiates with a territory that has an owner is told which card lies on top."""
    def making(real: Any) -> Any:
        def check(action: Any, state: Any, seat: Any) -> None:
            try:
                real(action, state, seat)
            except Illegal as why:
                raise Illegal("{why} ({card})", why=why.text, card=state.deck[0] if state.deck else "none") from None
        return check
    return wrapped(Diplomacy, "check", making)


def sealed_line() -> AbstractContextManager[Any]:
    """Everybody is told what a player answers before all have."""
    def making(real: Any) -> Any:
        def after(table: Any, *args: Any, **more: Any) -> Any:
            news = real(table, *args, **more)
            told = [Notice(text=repr(answer)) for answer in table.given.values()]
            return replace(news, letters=[*news.letters, *told])
        return after
    return wrapped(leak_pairs, "after", making)


def open_deal() -> AbstractContextManager[Any]:
    """Everybody reads what is asked about an open deal, and who makes it."""
    return wrapped(Ask, "told", lambda real: lambda question: question.text())


def true_world() -> AbstractContextManager[Any]:
    """Whoever rehearses does so in the true world, not in one that is guessed."""
    return patch.object(engine.players.rehearsal, "deal_anew", lambda world, seat, rng: None)


def suggestions() -> AbstractContextManager[Any]:
    """/gm answer suggests what a seat could answer, also where that tells its hand or its cards."""
    return patch.object(bot.discord.game_master.answer, "_secret", lambda question: False)


# --- Imperial Struggle ----------------------------------------------------------------------------------------------------

def told(state: Any, field: str) -> int:
    """These secrets of both sides in one number: other cards or tiles make another one."""
    values = [value for own in state.own.values() for value in getattr(own, field)]
    return sum(place * sum(map(ord, str(value))) for place, value in enumerate(values, 1))


@contextmanager
def hand() -> Iterator[None]:
    """Whoever takes a tile tells everybody what is in the hands."""
    seen: dict[str, object] = {}

    def taking(real: Any) -> Any:
        def apply(event: Any, state: Any) -> None:
            seen["it"] = told(state, "hand")
            real(event, state)
        return apply

    with wrapped(TileTaken, "apply", taking), wrapped(TileTaken, "line", lambda real: lambda event: text(
            "{side} thinks of {n}.", side=event.side, n=str(seen.get("it")))):
        yield


@contextmanager
def ministries() -> Iterator[None]:
    """A screen reader reads the face-down ministries of the position that was viewed last."""
    seen = {"ministries": 0}

    def viewing(real: Any) -> Any:
        def view(state: Any, seat: Any) -> Any:
            seen["ministries"] = told(state, "ministries")
            return real(state, seat)
        return view

    with changed(IMPERIAL, "view", viewing), changed(IMPERIAL, "board", lambda real: lambda view: f"{real(view)} {seen}"):
        yield


def war_tiles() -> AbstractContextManager[Any]:
    """What a button carries unseen tells the tiles."""
    return wrapped(menu_path, "stamp", lambda real: lambda table, path: real(table, path) + told(table.state, "tiles"))


def next_event() -> AbstractContextManager[Any]:
    """Who could draw an event is told which one comes."""
    return wrapped(DrawEvent, "cost", lambda real: lambda action, state, seat: verbatim(state.deck[0] if state.deck else "none"))


def sealed_ministries() -> AbstractContextManager[Any]:
    """A menu tells what has been answered to a question that is put to both."""
    def making(real: Any) -> Any:
        def screen(table: Any, *args: Any, **more: Any) -> Any:
            shown = real(table, *args, **more)
            return replace(shown, words=f"{shown.words} {table.given}")
        return screen
    return wrapped(leak_pairs, "screen", making)


def planned_round() -> AbstractContextManager[Any]:
    """How the game stands tells everybody that a round is being planned, and how far."""
    def making(real: Any) -> Any:
        async def awaited(services: Any, game: Any, holders: Any) -> Any:
            planned = sum(len(plan.steps) for plan in (await services.session.snapshot(game.id)).plans)
            return [*await real(services, game, holders), *([text("{n} planned", n=planned)] if planned else [])]
        return awaited
    return wrapped(bot.discord.game.status, "_awaited", making)


# --- what the bot keeps secret --------------------------------------------------------------------------------------------

def secrets_in_the_log() -> AbstractContextManager[Any]:
    """What goes wrong is written into the log in its own words; a picture for one seat quotes what only that seat may see."""
    return patch.object(bot.core.session, "tell_log", lambda what, error: log.error("%s: %s", type(error).__name__, error))


def orders() -> AbstractContextManager[Any]:
    """Nobody is notified of a question once somebody has orders, though its words are the same."""
    async def post(self: Outbox, game: Any, letter: Any, *args: Any, **more: Any) -> Any:
        if letter.kind == "question" and await self.services.session.store.read(lambda ledger: ledger.orders.orders(game.id)):
            more["ping"] = None
        return await real(self, game, letter, *args, **more)

    real = Outbox._post
    return patch.object(Outbox, "_post", post)


def drafts() -> AbstractContextManager[Any]:
    """Whoever lists his orders can go on with what somebody else writes."""
    async def own(self: StandingOrders, game: int, user: int) -> Any:
        def read(ledger: Any) -> Any:
            found = [ledger.orders.drafts(game, holder.seat, holder.user) for holder in ledger.games.holders(game)]
            return {kind: body for drafts in found for kind, body in drafts.items()}
        return replace(await real(self, game, user), drafts=await self.store.read(read))

    real = StandingOrders.own
    return patch.object(StandingOrders, "own", own)


def press() -> AbstractContextManager[Any]:
    """Everybody reads all that was said to anybody."""
    async def correspondence(self: Talk, game: int, seat: Any) -> Any:
        def read(ledger: Any) -> Any:
            told = {press.id: press for holder in ledger.games.holders(game) for press in ledger.talk.press(game, holder.seat)}
            return [told[id] for id in sorted(told)]
        return await self.store.read(read)
    return patch.object(Talk, "correspondence", correspondence)


def sealed_answers() -> AbstractContextManager[Any]:
    """The status names only those whose sealed answers are not in yet."""
    def awaited(visit: Any, table: Any) -> Any:
        return [text("Awaited: {seats}", seats=tuple(waiting.seat for waiting in table.waiting()))]
    return patch.object(bot.discord.game.status, "_awaited", awaited)


def seats() -> AbstractContextManager[Any]:
    """A seat of a host who plays changes hands, and nobody has agreed."""
    async def change(self: Consent, stored: Any, kind: Any, seat: Any, user: int, by: int, name: str) -> Any:
        if kind != "hand" or user == by:
            return await real(self, stored, kind, seat, user, by, name)
        await self._hand_on(stored, kind, {"seat": seat, "user": user, "name": name}, by, agreed=False)
        return None

    real = Consent.change_hands
    return patch.object(Consent, "change_hands", change)


def dice() -> AbstractContextManager[Any]:
    """The whole record is given away while the game runs, to be taken in elsewhere."""
    async def export(self: Records, row: Any) -> str:
        live = await self.session.loaded(row.id)
        rows = await self.session.store.read(lambda ledger: ledger.log.rows(row.id))
        return _written(live.table, edition=row.edition, options=row.options, secret=live.secret, log=rows,
                        seats=[holder.seat for holder in live.holders], components=await self.session.components(row))
    return patch.object(Records, "_public_export", export)


LEAKS: tuple[Leak, ...] = (
    Leak("unrest", unrest, seed=1),
    Leak("gold that is hidden", gold, seed=1),
    Leak("a drawn marker", drawn_marker, edition=BAG, seed=3),
    Leak("the next marker", next_marker, edition=BAG),
    Leak("cards", cards, spec=ATTACK),
    Leak("the next card", next_card, spec=ATTACK, seed=4),
    Leak("a sealed line", sealed_line, spec=ATTACK, pairs=200),
    Leak("an open deal", open_deal, spec=ATTACK, pairs=200),
    Leak("a rehearsal", true_world, spec=ATTACK),
    Leak("what a seat could answer", suggestions, CLUBS, spec=ATTACK, pairs=1, seed=52),
    Leak("a hand", hand, spec=IMPERIAL, seed=EARLY),
    Leak("ministries", ministries, spec=IMPERIAL, seed=EARLY),
    Leak("war tiles", war_tiles, spec=IMPERIAL, seed=EARLY),
    Leak("the next event", next_event, spec=IMPERIAL, seed=7),
    Leak("ministries that are still sealed", sealed_ministries, spec=IMPERIAL, seed=EARLY),
    Leak("a planned round", planned_round, CLUBS, ("plan",), spec=IMPERIAL, pairs=2, seed=11),
    Leak("secrets in the log", secrets_in_the_log, CLUBS, pairs=3, seed=3),
    Leak("orders", orders, CLUBS, ("orders",), pairs=2, seed=36),
    Leak("a draft of another", drafts, CLUBS, ("draft",), pairs=1, seed=12),
    Leak("press to another", press, CLUBS, ("press",), pairs=4, seed=58),
    Leak("that an answer is in", sealed_answers, CLUBS, ("sealed",), pairs=1, seed=4),
    Leak("a seat of another", seats, CLUBS, ("host",), pairs=1),
    Leak("the dice to come", dice, CLUBS, ("host",), pairs=1),
)
