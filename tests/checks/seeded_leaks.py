"""Leaks planted on purpose, one of each kind: whoever looks for leaks must find every one of them.

Each replaces a real function for a while, as a careless change might. These are made for Struggle of Empires, where the secret
of a seat is its unrest, drawn from a bag that nobody looks into; what the bot keeps secret is the same for every game. Those of
Attack! are in `planted_attack`.
"""
from __future__ import annotations

import io
import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from unittest.mock import patch

from PIL import Image

import bot.discord.game.status
import bot.discord.game_master.moving
import bot.domain.announcements
import bot.service.secrets
import bot.service.session
import bot.store.games
import renderer
from bot.discord.game import action_menu
from bot.discord.outbox import Outbox
from bot.domain.letters import Notice
from bot.service.consent import Consent
from bot.service.orders import StandingOrders
from bot.service.queries import Queries
from bot.service.records import Records, _written
from bot.service.session import Session
from bot.service.talk import Talk
from bot.store.undo import Returns
from engine.catalog import find
from engine.games.struggle_of_empires import actions, events
from engine.games.struggle_of_empires.rules import unrest_bag
from engine.kernel import GameSpec, Table, parse_events
from engine.refusals import Illegal
from engine.text import text
from tests.checks import leak_clubs, leak_pairs

SPEC = find("struggle_of_empires")
TWINS, CLUBS = "twins", "clubs"
RESTLESS = 15
BAG = "deluxe_without_npp"  # an edition in which unrest is drawn from a bag

log = logging.getLogger("bot.planted")


@dataclass(frozen=True)
class Leak:
    """A leak: how it is planted, and where it shows."""

    name: str
    plant: Callable[[], AbstractContextManager[Any]]
    where: str = TWINS
    kinds: tuple[leak_clubs.Kind, ...] = ("state",)
    edition: str = ""           # the first, if none is named
    spec: GameSpec = SPEC
    pairs: int = 0              # in which it mostly shows, if more or fewer are needed than of the others
    seed: int = 0               # of games in which it has shown: they are tried first


def all_unrest(state: Any) -> int:
    """The secrets of a state in one number."""
    return sum(state.unrest.values())


@contextmanager
def changed(spec_field: str, make: Callable[[Any], Any], spec: GameSpec = SPEC) -> Iterator[None]:
    """A game with another function in one of its places; of a frozen one, for a while."""
    facet = next(facet for facet in (spec.rules, spec.words, spec.views) if hasattr(facet, spec_field))
    real = getattr(facet, spec_field)
    object.__setattr__(facet, spec_field, make(real))
    try:
        yield
    finally:
        object.__setattr__(facet, spec_field, real)


def wrapped(owner: Any, name: str, make: Callable[[Any], Any]) -> AbstractContextManager[Any]:
    """A function that does what the real one does, and something more."""
    return patch.object(owner, name, make(getattr(owner, name)))


# --- what is shown of a position ---------------------------------------------------------------------------------

def in_a_view() -> AbstractContextManager[Any]:
    """Everybody sees the unrest of the first power as his own."""
    return changed("view", lambda real: lambda state, seat: real(state, seat).model_copy(
        update={"own_unrest": next(iter(state.unrest.values()), None)}))


@contextmanager
def in_the_alt_text() -> Iterator[None]:
    """A picture's words tell of the position that was viewed last."""
    seen = {"unrest": 0}

    def viewing(real: Any) -> Any:
        def view(state: Any, seat: Any) -> Any:
            seen["unrest"] = all_unrest(state)
            return real(state, seat)
        return view

    with changed("view", viewing), changed("describe", lambda real: lambda scene, most: f"{real(scene, most)} {seen}"):
        yield


@contextmanager
def in_a_pixel(told: Callable[[Any], int]) -> Iterator[None]:
    """One pixel of a picture has another colour, by the position that somebody looked at last and what is `told` of it."""
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
            seen["told"] = told(table.state)
            return real(table, *args, **more)
        return screen

    with wrapped(leak_pairs, "screen", viewing), wrapped(renderer, "render", painting):
        yield


def what_comes_next(state: Any) -> int:
    """What the next unrest marker will be drawn by."""
    return int(state.bag_key[-2:] or "0", 16) + int(state.drawn) % 2


def in_a_public_sentence() -> AbstractContextManager[Any]:
    """A change of unrest is told to everybody."""
    return wrapped(events.UnrestChanged, "line", lambda real: lambda event: text("Unrest: {n}.", n=event.total))


def in_a_line_about_a_drawn_marker() -> AbstractContextManager[Any]:
    """What a drawn marker counts is told to everybody."""
    return wrapped(unrest_bag.UnrestDrawn, "line", lambda real: lambda event: text("{power} drew {n}.", power=event.power,
                                                                                   n=event.by))


@contextmanager
def in_the_label_of_a_throw() -> Iterator[None]:
    """Whoever reads of a fight reads what is left in the unrest bag."""
    seen = {"left": 0}

    def throwing(real: Any) -> Any:
        def apply(event: Any, state: Any) -> None:
            seen["left"] = sum(state.unrest_bag.values())
            real(event, state)
        return apply

    with wrapped(events.Thrown, "apply", throwing), wrapped(events.Thrown, "line", lambda real: lambda event: text(
            "{line} ({n})", line=real(event), n=seen["left"])):
        yield


def in_the_number_of_things_left() -> AbstractContextManager[Any]:
    """The board counts the markers of the unrest bag among those that everybody may count."""
    return changed("view", lambda real: lambda state, seat: real(state, seat).model_copy(
        update={"bag": len(state.bag) + sum(state.unrest_bag.values())}))


def in_the_message_of_an_undo() -> AbstractContextManager[Any]:
    """Whoever reads what is taken back reads which markers go back into the bag."""
    def making(real: Any) -> Any:
        def taken(spec: Any, rows: Any) -> Any:
            drawn = [event.by for row in rows for event in parse_events(spec, row.events)
                     if isinstance(event, unrest_bag.UnrestDrawn)]
            return [*real(spec, rows), *(text("A marker of {n} goes back.", n=by) for by in drawn)]
        return taken
    return wrapped(leak_pairs, "quoted", making)


def in_a_row_number() -> AbstractContextManager[Any]:
    """Each marker that is drawn has a row of its own, as if it were thrown for."""
    def making(real: Any) -> Any:
        def record(table: Any, *args: Any, **more: Any) -> Any:
            entry = real(table, *args, **more)
            table._no += sum(sum(event.markers.values()) for event in entry.events if isinstance(event, unrest_bag.UnrestDrawn))
            return entry
        return record
    return wrapped(Table, "_record", making)


def in_a_purse_of_another() -> AbstractContextManager[Any]:
    """Everybody's gold is in view, also where the game says that it is not."""
    return changed("view", lambda real: lambda state, seat: (seen := real(state, seat)).model_copy(update={
        "powers": tuple([power.model_copy(update={"gold": state.gold.get(power.power)}) for power in seen.powers])}))


def in_a_refusal() -> AbstractContextManager[Any]:
    """Whoever attacks where he may not is told how restless everybody is."""
    def making(real: Any) -> Any:
        def check(action: Any, state: Any, seat: Any) -> None:
            try:
                real(action, state, seat)
            except Illegal as why:
                raise Illegal("{why} ({n})", why=why.text, n=all_unrest(state)) from None
        return check
    return wrapped(actions.Move, "check", making)


def in_the_order_of_a_menu() -> AbstractContextManager[Any]:
    """What can be built stands in another order when the sum of all unrest is odd."""
    def making(real: Any) -> Any:
        def options(cls: Any, state: Any, seat: Any) -> Any:
            found = list(real.__func__(cls, state, seat))
            return found[::-1] if all_unrest(state) % 2 else found
        return classmethod(options)
    return wrapped(actions.Build, "options", making)


def in_an_autocomplete() -> AbstractContextManager[Any]:
    """Fewer values are offered when the sum of all unrest is odd."""
    return wrapped(leak_pairs, "offered", lambda real: lambda table, *args: real(table, *args)[all_unrest(table.state) % 2:])


def in_an_autocomplete_beside_others() -> AbstractContextManager[Any]:
    """Once something else is filled in, fewer values are offered when the sum of all unrest is odd."""
    return wrapped(leak_pairs, "offered", lambda real: lambda table, seat, kind, name, filled, typed: real(
        table, seat, kind, name, filled, typed)[all_unrest(table.state) % 2 if filled else 0:])


def in_a_line_at_a_height() -> AbstractContextManager[Any]:
    """Everybody reads who has become restless: that his unrest is 15 or more."""
    return wrapped(events.UnrestChanged, "line", lambda real: lambda event: (
        text("{power} is restless.", power=event.power) if event.total >= RESTLESS else real(event)))


def in_the_number_of_buttons() -> AbstractContextManager[Any]:
    """Nobody can give anything when the sum of all unrest is odd."""
    return wrapped(action_menu, "_asides", lambda real: lambda table, *more: (
        [] if all_unrest(table.state) % 2 else real(table, *more)))


def in_a_custom_id() -> AbstractContextManager[Any]:
    """What a button carries unseen tells the unrest."""
    return wrapped(action_menu, "stamp", lambda real: lambda table, path: real(table, path) + all_unrest(table.state))


def by_the_caretaker() -> AbstractContextManager[Any]:
    """A caretaker knows the unrest of others, and does otherwise."""
    return changed("caretaker", lambda real: lambda state, seat, options: options[all_unrest(state) % len(options)])


# --- what is sent ---------------------------------------------------------------------------------------------------

def in_a_further_letter() -> AbstractContextManager[Any]:
    """Everybody reads that somebody has become restless."""
    def making(real: Any) -> Any:
        def after(table: Any, *args: Any, **more: Any) -> Any:
            news = real(table, *args, **more)
            more_letters = [Notice(text="Unrest!")] if all_unrest(table.state) % 2 else []
            return replace(news, letters=[*news.letters, *more_letters])
        return after
    return wrapped(leak_pairs, "after", making)


def by_a_missing_question() -> AbstractContextManager[Any]:
    """Who has orders is not asked in public."""
    def making(real: Any) -> Any:
        def after(table: Any, *args: Any, **more: Any) -> Any:
            news = real(table, *args, **more)
            return replace(news, letters=[letter for letter in news.letters if not (
                letter.kind == "question" and table.deputy is not None and table.deputy.of(letter.audience))])
        return after
    return wrapped(leak_pairs, "after", making)


# --- what the bot does ------------------------------------------------------------------------------------------------

def in_a_failing_painter() -> AbstractContextManager[Any]:
    """What goes wrong is written into the log in its own words; a picture for one seat quotes what only that seat may see."""
    return patch.object(bot.service.session, "tell_log", lambda what, error: log.error("%s: %s", type(error).__name__, error))


def in_a_log_record() -> AbstractContextManager[Any]:
    """The log of the program notes the state of each table that is looked up."""
    def making(real: Any) -> Any:
        async def table(self: Session, game: int) -> Any:
            found = await real(self, game)
            log.debug("the table: %s", getattr(found.state, "unrest", None))
            return found
        return table
    return wrapped(Session, "table", making)


def in_the_delay() -> AbstractContextManager[Any]:
    """Looking takes a further transaction where somebody has orders."""
    def making(real: Any) -> Any:
        async def waiting(self: Queries, game: int) -> Any:
            if await self.store.read(lambda ledger: ledger.orders(game)):
                await self.store.write(lambda ledger: None)
            return await real(self, game)
        return waiting
    return wrapped(Queries, "waiting", making)


def by_a_ping() -> AbstractContextManager[Any]:
    """Nobody is notified of a question once somebody has orders, though its words are the same."""
    async def post(self: Outbox, game: Any, letter: Any, *args: Any, **more: Any) -> Any:
        if letter.kind == "question" and await self.services.session.store.read(lambda ledger: ledger.orders(game.id)):
            more["ping"] = None
        return await real(self, game, letter, *args, **more)

    real = Outbox._post
    return patch.object(Outbox, "_post", post)


def by_a_draft_of_another() -> AbstractContextManager[Any]:
    """Whoever lists his orders can go on with what somebody else writes."""
    async def draft(self: StandingOrders, game: int, user: int, kind: str) -> Any:
        def read(ledger: Any) -> Any:
            found = [ledger.draft(game, holder.seat, kind, holder.user) for holder in ledger.holders(game)]
            return next((body for body in found if body is not None), None)
        return await self.store.read(read)
    return patch.object(StandingOrders, "draft", draft)


def in_press_to_another() -> AbstractContextManager[Any]:
    """Everybody reads all that was said to anybody."""
    async def correspondence(self: Talk, game: int, seat: Any) -> Any:
        def read(ledger: Any) -> Any:
            told = {press.id: press for holder in ledger.holders(game) for press in ledger.press(game, holder.seat)}
            return [told[id] for id in sorted(told)]
        return await self.store.read(read)
    return patch.object(Talk, "correspondence", correspondence)


def by_who_is_awaited_still() -> AbstractContextManager[Any]:
    """The status names only those whose sealed answers are not in yet."""
    async def awaited(services: Any, game: Any, holders: Any) -> Any:
        return [text("Awaited: {seats}", seats=tuple(waiting.seat for waiting in await services.queries.waiting(game.id)))]
    return patch.object(bot.discord.game.status, "_awaited", awaited)


# --- what a host who plays can try ------------------------------------------------------------------------------------

def by_a_seat_for_the_asking(given: Callable[[str, int, int, int], bool]) -> AbstractContextManager[Any]:
    """A seat changes hands and nobody has agreed, where `given` says so of the way, the game, who gets it and who gives it."""
    real = Consent._change_hands

    async def change(self: Consent, kind: Any, game: int, seat: Any, user: int, by: int, name: str) -> Any:
        if not given(kind, game, user, by):
            return await real(self, kind, game, seat, user, by, name)
        async with self.session.locked(game):
            await self._hand_on(await self.session.played(game), kind, {"seat": seat, "user": user, "name": name}, by,
                                agreed=False)
            return None

    return patch.object(Consent, "_change_hands", change)


@contextmanager
def by_a_seat_that_forgets(given: Callable[[str, int, int, int], bool]) -> Iterator[None]:
    """The same for somebody who has held another seat, and is shown everything all the same."""
    with by_a_seat_for_the_asking(given), patch.object(bot.store.games, "may_be_shown", lambda circle, seat, user: True):
        yield


@contextmanager
def by_a_branch_for_the_asking() -> Iterator[None]:
    """A running game is branched though nobody has agreed, and in the branch nobody remembers who has held which seat."""
    async def agreed(self: Consent, game: int, row: int) -> bool:
        return False

    with patch.object(Consent, "needs_consent", agreed), patch.object(Returns, "agreed_branch", lambda ledger, game, row: 0), \
            by_a_seat_that_forgets(lambda kind, game, user, by: game > leak_clubs.GAME):
        yield


@contextmanager
def by_a_game_master_who_plays() -> Iterator[None]:
    """Whoever manages a game that is opened so looks at all secrets, though he plays."""
    with patch.object(bot.service.secrets, "plays", lambda circle, user: False), \
            patch.object(bot.service.secrets, "may_be_shown", lambda circle, seat, user: True):
        yield


def by_an_answer_that_is_in_already() -> AbstractContextManager[Any]:
    """A game master who answers for somebody is told that the sealed answer is in."""
    return patch.object(Table, "put_to", Table.asked)


def in_a_record_that_comes_too_early() -> AbstractContextManager[Any]:
    """The whole record is given away while the game runs, to be taken in elsewhere."""
    async def export(self: Records, row: Any) -> str:
        live = await self.session.loaded(row.id)
        rows = await self.session.store.read(lambda ledger: ledger.rows(row.id))
        return _written(live.table, edition=row.edition, options=row.options, secret=live.secret, log=rows,
                        seats=[holder.seat for holder in live.holders], components=await self.session.components(row))
    return patch.object(Records, "_public_export", export)


LEAKS: tuple[Leak, ...] = (
    Leak("a view", in_a_view),
    Leak("the alt text", in_the_alt_text),
    Leak("a pixel", partial(in_a_pixel, all_unrest), seed=4),
    Leak("a public sentence", in_a_public_sentence),
    Leak("a line about a drawn marker", in_a_line_about_a_drawn_marker, edition=BAG, seed=3),
    Leak("the label of a throw", in_the_label_of_a_throw, edition=BAG, seed=3),
    Leak("the number of things left", in_the_number_of_things_left, edition=BAG),
    Leak("a corner of a picture", partial(in_a_pixel, what_comes_next), edition=BAG),
    Leak("the message of an undo", in_the_message_of_an_undo, edition=BAG, seed=3),
    Leak("a row number", in_a_row_number, edition=BAG, seed=3),
    Leak("a purse of another", in_a_purse_of_another, seed=1),
    Leak("a refusal", in_a_refusal, seed=4),
    Leak("the order of a menu", in_the_order_of_a_menu, seed=1),
    Leak("an autocomplete", in_an_autocomplete),
    Leak("an autocomplete beside other options", in_an_autocomplete_beside_others),
    Leak("a line at a height of unrest", in_a_line_at_a_height, pairs=200, seed=4),
    Leak("the number of buttons", in_the_number_of_buttons),
    Leak("a custom id", in_a_custom_id),
    Leak("a caretaker who knows", by_the_caretaker),
    Leak("a further letter", in_a_further_letter),
    Leak("a missing question", by_a_missing_question),
    Leak("a failing painter", in_a_failing_painter, CLUBS, pairs=3, seed=3),
    Leak("a log record", in_a_log_record, CLUBS, pairs=1, seed=3),
    Leak("the delay", in_the_delay, CLUBS, ("orders",), pairs=1, seed=56),
    Leak("a ping", by_a_ping, CLUBS, ("orders",), pairs=2, seed=36),
    Leak("a seat for the asking", partial(by_a_seat_for_the_asking, lambda kind, game, user, by: kind == "hand" and user != by),
         CLUBS, ("host",), pairs=1),
    Leak("a stand-in for the asking", partial(by_a_seat_for_the_asking, lambda kind, game, user, by: kind == "standin"), CLUBS,
         ("host",), pairs=1),
    Leak("a seat for one's own", partial(by_a_seat_that_forgets, lambda kind, game, user, by: user == by), CLUBS, ("host",),
         pairs=1),
    Leak("a branch for the asking", by_a_branch_for_the_asking, CLUBS, ("host",), pairs=1),
    Leak("a game master who plays", by_a_game_master_who_plays, CLUBS, ("host",), pairs=1),
    Leak("a record that comes too early", in_a_record_that_comes_too_early, CLUBS, ("host",), pairs=1),
    Leak("an answer that is in already", by_an_answer_that_is_in_already, CLUBS, ("sealed",)),
    Leak("a draft of another", by_a_draft_of_another, CLUBS, ("draft",), pairs=1, seed=36),
    Leak("press to another", in_press_to_another, CLUBS, ("press",), pairs=4, seed=58),
    Leak("who is awaited still", by_who_is_awaited_still, CLUBS, ("sealed",), pairs=1, seed=4),
)


def by_a_line_that_is_still_sealed() -> AbstractContextManager[Any]:
    """A menu tells what has been answered to a question that is put to several."""
    def making(real: Any) -> Any:
        def screen(table: Any, *args: Any, **more: Any) -> Any:
            shown = real(table, *args, **more)
            return replace(shown, words=f"{shown.words} {table.given}")
        return screen
    return wrapped(leak_pairs, "screen", making)


def by_suggestions_to_the_game_master() -> AbstractContextManager[Any]:
    """/gm answer suggests what a seat could answer, also where that tells its hand or its cards."""
    return patch.object(bot.discord.game_master.moving, "_secret", lambda question: False)
