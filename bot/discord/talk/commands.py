"""/talk: threads for the players of a game, and messages from seat to seat through the bot."""
from __future__ import annotations

import contextlib
import logging
from collections.abc import Sequence
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.core.visit import Visit
from bot.discord.channels import is_private, opened_thread, takes_threads, thread_home
from bot.discord.components import Form, Persistent, Route, button, field, in_game, opening_in_game, view
from bot.discord.confided import for_seats
from bot.discord.context import Context, Interaction
from bot.discord.errors import helping
from bot.discord.find_game import about_a_game, named_seat, visit_meant
from bot.discord.game.action_commands import CONTEXTS
from bot.discord.game.status import since
from bot.discord.heard import confide
from bot.discord.languages import means
from bot.discord.lengths import MESSAGE, NAME, clip
from bot.discord.refusals import lasting, meaning
from bot.discord.responses import reply, suggestions, titled
from bot.discord.sanitize import tame
from bot.domain.announcements import member
from bot.service.channels import access_to
from bot.store import GameRow, Promise, TalkRow
from engine.kernel import Seat
from engine.refusals import NotAsked, Refusal
from engine.text import Fact, Reader, Text, confided, lines, say, text, verbatim
from engine.text.languages import speaking

ALL = "all"                     # as the receiver of a message: everybody
TO_ALL = text("All")
WORDS = 700                     # characters of a message: escaped twice as many, so that it fits into one of Discord's
PAGE = 1700                     # characters of a page of the correspondence
SHOWN = 5                       # promises shown at once: each has a row of buttons

log = logging.getLogger(__name__)

Words = app_commands.Range[str, 1, WORDS]


class Talk(app_commands.Group):
    """What players say to each other; nothing of it binds anybody [P-32]."""

    def __init__(self) -> None:
        super().__init__(name="talk", description="Talk with the other players of a game", allowed_contexts=CONTEXTS)

    @app_commands.command(description="Open a thread for everybody's table talk, or find it again")
    @about_a_game()
    async def thread(self, interaction: Interaction, game: str | None = None) -> None:
        await table_talk(interaction, (await visit_meant(interaction, game)).id)

    @app_commands.command(description="Open a private thread with other players, or find it again")
    @about_a_game(one="With whom?", two="And with whom?", three="And with whom?", four="And with whom?",
                  five="And with whom?")
    @app_commands.rename(one="with", two="second", three="third", four="fourth", five="fifth")
    async def private(self, interaction: Interaction, one: str, two: str | None = None, three: str | None = None,
                      four: str | None = None, five: str | None = None, game: str | None = None) -> None:
        visit = await visit_meant(interaction, game)
        own = visit.own_seat()
        others = {named_seat(visit, wanted) for wanted in (one, two, three, four, five) if wanted}
        await private_talk(interaction, visit, own, others - {own})

    @app_commands.command(description="Say something as your seat, to everybody or to one player")
    @about_a_game(to="To whom: everybody, or one player?", message="Your message (it isn't binding)")
    async def say(self, interaction: Interaction, to: str, message: Words, game: str | None = None) -> None:
        visit = await visit_meant(interaction, game)
        visit.own_seat()
        receiver = None if means(to, TO_ALL) else named_seat(visit, to, TO_ALL)
        await send(interaction, visit, receiver, message)

    @app_commands.command(description="Read what you've said and been told through the bot")
    @about_a_game()
    async def read(self, interaction: Interaction, game: str | None = None) -> None:
        await show_letters(interaction, await visit_meant(interaction, game), None)

    @app_commands.command(description="Promise one player something. It is noted down and binds nobody")
    @about_a_game(to="To whom?", words="What do you promise?")
    async def promise(self, interaction: Interaction, to: str, words: Words, game: str | None = None) -> None:
        visit = await visit_meant(interaction, game)
        visit.own_seat()
        if means(to, TO_ALL):
            raise Refusal("You can promise something to one player only. Say it to everybody with /talk say.")
        await send(interaction, visit, named_seat(visit, to), words, promise=True)

    @say.autocomplete("to")
    @promise.autocomplete("to")
    @private.autocomplete("one")
    @private.autocomplete("two")
    @private.autocomplete("three")
    @private.autocomplete("four")
    @private.autocomplete("five")
    @helping
    async def _seats(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        visit = await visit_meant(interaction, getattr(interaction.namespace, "game", None))
        own, reader, command = visit.seat, visit.reader, interaction.command.name if interaction.command else ""
        known = [(reader.name(holder.seat), str(holder.seat)) for holder in visit.holders
                 if own is not None and holder.seat != own]
        known = [(say(TO_ALL, reader), ALL), *known] if command == "say" else known
        return suggestions([Choice(name=clip(name, NAME), value=seat) for name, seat in known
                if typed.casefold() in name.casefold()])


async def send(interaction: Interaction, visit: Visit, receiver: Seat | None, words: str, *, promise: bool = False) -> None:
    """A message or a promise of the caller's seat. Raises Refusal."""
    if not tame(words):
        raise Refusal("Your message is empty. Type something to say.")
    await interaction.client.services.talk.say(visit.id, visit.user, receiver, words, promise=promise)
    sent = (text("Your message to everybody is on its way.") if receiver is None else
            text("I've noted your promise to {seat} for the two of you. It isn't binding (P-32).", seat=receiver) if promise else
            text("Your message to {seat} is on its way.", seat=receiver))
    await reply(interaction, sent)


# --- words of others -------------------------------------------------------------------------------------------------

def message_text(game: GameRow, press: TalkRow) -> Text:
    words = verbatim(tame(press.words))
    if press.receiver is None:
        return text("**{seat}** to all: {words}", seat=press.seat, words=words)
    facts: dict[str, Fact] = {"seat": press.seat, "receiver": press.receiver, "title": verbatim(titled(game)),
                              "game": game.id, "words": words}
    if press.promise is not None:
        promised = text("**{seat}** promises you ({receiver}), in {title} (game {game}): {words}\n-# It binds nobody (P-32). "
                        "`/talk read game:{game}` keeps it.", **facts)
        return confided(promised, press.receiver)
    return confided(text("**{seat}** to you ({receiver}) only, in {title} (game {game}): {words}", **facts), press.receiver)


def answering(game: GameRow, press: TalkRow) -> Persistent:
    return button(text("Answer"), on_reply, game.id, press.id)


def waits(seat: Seat, user: int) -> Text:
    """Return what the channel says when somebody cannot be written to directly."""
    return text("{member} There is a message for **{seat}**. Nobody else can read it.", member=member(user), seat=seat)


# --- threads ------------------------------------------------------------------------------------------------------------

@in_game("tabletalk")
async def table_talk(interaction: Interaction, visit: Visit) -> None:
    """The thread in which everybody talks, opened if there is none. Raises Refusal."""
    services, game = interaction.client.services, visit.game
    if visit.user != game.owner and visit.seat is None:
        raise Refusal("Only its players and its game master can open a thread for this game.")
    async with interaction.client.opening(game.id):
        thread = await _living(interaction.client, await services.channels.thread(game.id))
        if thread is None and (_in_forum(found := await _place(interaction, game)) or is_private(found)):
            kind = text("A forum post") if _in_forum(found) else text("A private thread")
            await reply(interaction, text("{kind} can't have another thread, so talk right here: {channel}.", kind=kind,
                                          channel=verbatim(found.mention)))
            return
        if thread is None:
            with speaking(game.spoken):
                name = say(text("Table talk of {title}", title=verbatim(game.title)))
                words = say(text("Talk about {title} here. Nothing said here binds anybody (P-32). Moves are made with the "
                                 "game's commands.", title=verbatim(titled(game))))
            thread = await _opened(interaction.client, _home(found), game, name, words)
    await reply(interaction, text("Table talk of this game: {thread}.", thread=verbatim(thread.mention)))


async def private_talk(interaction: Interaction, visit: Visit, own: Seat, others: set[Seat]) -> None:
    """The private thread of some seats, opened if there is none. Raises Refusal."""
    services, game, seats = interaction.client.services, visit.game, sorted({own, *others})
    users = {holder.seat: holder.user for holder in visit.holders}
    if not others:
        raise Refusal("With whom? Choose one or more of the other players.")
    empty = tuple(seat for seat in seats if users[seat] is None)
    if empty:
        raise Refusal("Nobody plays {seats} right now.", seats=empty)
    async with interaction.client.opening(game.id):
        thread = await _living(interaction.client, await services.channels.thread(game.id, seats))
        if thread is None:
            with speaking(game.spoken):
                words = say(text("Only {seats} are in this thread. Members who can manage threads on this server can read it "
                                 "too. Use `/talk say` for what they must not see.", seats=tuple(seats)), visit.reader)
                name = _name(seats, visit.reader)
            home = await _private_home(interaction, game)
            thread = await _opened(interaction.client, home, game, name, words, seats)
        await services.channels.let_in(thread.id, [user for seat in seats if (user := users[seat])])
        outside = tuple([seat for seat in seats if not await _added(thread, users[seat] or 0)])
    missing = [text("I couldn't add {seats}. Only members who can see the channel can read there.",
                    seats=outside)]
    await reply(interaction, lines([
        text("Your private thread with {seats}: {thread}. Members who can manage threads on this server can read it too.",
             seats=tuple(sorted(others)), thread=verbatim(thread.mention)), *(missing if outside else [])]))


async def _opened(bot: Context, home: discord.TextChannel, game: GameRow, name: str, words: str, seats: Sequence[Seat] = ()
                  ) -> discord.Thread:
    """A thread for these seats, private unless there are none, with its first message. It is noted last: what a death leaves
    behind before that is found again by its name."""
    thread, said = await opened_thread(bot, home, name, private=bool(seats))
    try:
        if not said:
            confide(game.id, *seats)
            await for_seats(bot, thread, thread.id, game.id, seats)
            await thread.send(words)
    finally:
        await bot.services.channels.threaded(game.id, seats, thread.id)
    return thread


def _name(seats: Sequence[Seat], reader: Reader) -> str:
    return clip(say(text("Private: {seats}", seats=tuple(seats)), reader), NAME)


async def _place(interaction: Interaction, game: GameRow) -> Any:
    """The channel or thread in which a game is played. Raises Refusal."""
    try:
        return await interaction.client.fetch_channel(game.channel)
    except discord.HTTPException as refused:
        if not lasting(refused):
            raise
        raise Refusal("I can't see this game's channel, so I can't open a thread in it. /game check tells more.") from None


def _in_forum(found: object) -> bool:
    return isinstance(found, discord.Thread) and isinstance(found.parent, discord.ForumChannel)


def _home(found: object) -> discord.TextChannel:
    """The text channel in which a game's threads are opened. Raises Refusal."""
    channel = thread_home(found)
    if channel is None:
        raise Refusal("Threads can only be opened in a server's text channels.")
    return channel


async def _private_home(interaction: Interaction, game: GameRow) -> discord.TextChannel:
    """The text channel for private threads: the game's own, or, where there are none, the one that its server has chosen. Raises
    Refusal."""
    found = await _place(interaction, game)
    home = thread_home(found)
    if not (_in_forum(found) or (home is not None and home.is_news())):
        return _home(found)
    guild = interaction.client.get_guild(game.guild or 0)
    number = None if guild is None else await interaction.client.services.forums.talk_channel(guild.id)
    chosen = None if guild is None else guild.get_channel(number or 0)
    if isinstance(chosen, discord.TextChannel) and not chosen.is_news():
        return chosen
    kind = text("Forums") if _in_forum(found) else text("Announcement channels")
    raise Refusal("{kind} have no private threads. `/talk say` carries private messages instead. Members who can manage this "
                  "server choose a text channel for them in `/settings`.", kind=kind)


async def talk_button(bot: Context, game: GameRow) -> list[Persistent]:
    """A button that opens the thread of the table, or finds it again; none where there can be no thread."""
    possible = takes_threads(bot, game.channel) or await bot.services.channels.thread(game.id) is not None
    return [button(text("Open a thread for talk"), table_talk, game.id)] if possible else []


async def _living(bot: Context, thread: int | None) -> discord.Thread | None:
    """A thread that was opened before, if it is still there. Raises HTTPException: the bot cannot see it."""
    if thread is None:
        return None
    try:
        found = await bot.fetch_channel(thread)
    except discord.HTTPException as refused:
        if meaning(refused) != "gone":
            raise
        return None
    return found if isinstance(found, discord.Thread) else None


async def let_in_and_out(bot: Context, visit: Visit) -> None:
    """Let those into the private threads of a game who hold its seats now, and nobody else who was added."""
    for access in access_to(visit.snapshot):
        if access.inside == access.holders:
            continue
        try:
            thread = await _living(bot, access.thread)
            if thread is not None and thread.archived:          # nobody comes in or goes out while it is put away
                await thread.edit(archived=False)
        except discord.HTTPException as refused:                # tried again with the next news of the game
            log.warning("game %s: a private thread cannot be looked after (%s)", visit.id, refused.code)
            continue
        if thread is None:
            await bot.services.channels.unthreaded(access.thread)
            continue
        if not all([await _show_out(bot, thread, user) for user in access.inside - access.holders]):
            continue
        for user in access.holders - access.inside:
            await bot.services.channels.let_in(thread.id, [user])
            await _added(thread, user)


async def _added(thread: discord.Thread, user: int) -> bool:
    """Add a member to a thread; whether that was possible."""
    try:
        await thread.add_user(discord.Object(user))
    except discord.HTTPException as refused:
        log.info("a player cannot be added to a thread (%s)", refused.code)
        return False
    return True


async def _show_out(bot: Context, thread: discord.Thread, user: int) -> bool:
    """Take a member out of a thread; where that is not allowed, warn the others, use the thread no more, and say False."""
    try:
        await thread.remove_user(discord.Object(user))
    except discord.HTTPException as refused:
        if meaning(refused) == "forbidden":
            await bot.services.channels.unthreaded(thread.id)
            with contextlib.suppress(discord.HTTPException):    # a thread where it cannot even write warns by its silence
                await thread.send(say(text("{member} can still read this thread, since I'm not allowed to manage threads here. "
                                           "Open a new one with `/talk private`.", member=member(user))))
            return False
        if meaning(refused) != "gone":                          # tried again with the next news of the game
            log.warning("somebody cannot be taken out of a thread (%s)", refused.code)
            return False
        log.info("somebody had left a thread already")
    await bot.services.channels.shown_out(thread.id, user)
    return True


# --- correspondence --------------------------------------------------------------------------------------------------------

async def show_letters(interaction: Interaction, visit: Visit, page: int | None) -> None:
    """A page of what the caller's seat may read, the newest without a number."""
    game, seat = visit.game, visit.own_seat()
    known = await interaction.client.services.talk.correspondence(visit.id, seat)
    pages = _pages([say(_line(press, seat), visit.reader) for press in known])
    if not pages:
        raise Refusal("No messages in this game yet. Send one with /talk say.")
    shown = len(pages) if page is None else min(max(page, 1), len(pages))
    head = text("**{title}**, messages, page {page} of {pages}", title=verbatim(titled(game)), page=shown,
                pages=len(pages))
    promised = sum(press.promise is not None for press in known)
    await reply(interaction, lines([head, verbatim(pages[shown - 1])]), view([
        *_turning(on_letters, game, shown, len(pages)),
        *([button(text("Promises"), on_promises, game.id, promised)] if promised else [])]))


def _turning(turning: Route[int, int], game: GameRow, page: int, pages: int) -> list[Persistent]:
    ways = (text("Older"), page - 1), (text("Newer"), page + 1)
    return [button(label, turning, game.id, to) for label, to in ways if 1 <= to <= pages]


def _pages(told: Sequence[str]) -> list[str]:
    """Lines put together into messages, each line whole."""
    pages: list[str] = []
    for line in told:
        if pages and len(pages[-1]) + len(line) < PAGE:
            pages[-1] += f"\n{line}"
        else:
            pages.append(line)
    return pages


def _line(press: TalkRow, own: Seat) -> Text:
    moment, seat, words = since(press.at), _you(press.seat, own), verbatim(tame(press.words))
    if press.receiver is None:
        return text("{moment} {seat} to all: {words}", moment=moment, seat=seat, words=words)
    receiver = _you(press.receiver, own)
    if press.promise is None:
        return text("{moment} {seat} to {receiver}: {words}", moment=moment, seat=seat, receiver=receiver, words=words)
    return text("{moment} {seat} to {receiver}, a promise ({fate}): {words}", moment=moment, seat=seat, receiver=receiver,
                words=words, fate=fate(press.promise))


def _you(seat: Seat, own: Seat) -> Text:
    return text("you") if seat == own else text("{seat}", seat=seat)


def fate(promise: Promise) -> Text:
    """Return what became of a promise, as its receiver says."""
    return {"open": text("not judged yet"), "kept": text("kept"), "broken": text("broken")}[promise]


async def show_promises(interaction: Interaction, visit: Visit, page: int) -> None:
    """A page of the promises that the caller's seat has made or been made, with buttons to judge the latter."""
    game, seat = visit.game, visit.own_seat()
    known = [press for press in await interaction.client.services.talk.correspondence(game.id, seat) if press.promise is not None]
    if not known:
        raise Refusal("No promises yet, to you or by you. Start with /talk promise.")
    pages = -(-len(known) // SHOWN)
    shown = min(max(page, 1), pages)
    here = known[(shown - 1) * SHOWN:shown * SHOWN]
    most = (MESSAGE - NAME) // SHOWN - NAME
    told = [text("{number}. {line}", number=number, line=verbatim(_short(say(_line(press, seat), visit.reader), most)))
            for number, press in enumerate(here, 1)]
    judging = [button(text("{number} {fate}", number=number, fate=fate(wanted)), on_judge, game.id, press.id, wanted, shown)
               for number, press in enumerate(here, 1) if press.receiver == seat
               for wanted in _FATES if wanted != press.promise]
    head = text("**{title}**, promises, page {page} of {pages}. None of them binds anybody (P-32)",
                title=verbatim(titled(game)), page=shown, pages=pages)
    await reply(interaction, lines([head, *told]), view([*judging, *_turning(on_promises, game, shown, pages)]))


def _short(words: str, most: int) -> str:
    """A promise as it fits beside others; where the rest of a long one can be read."""
    rest = say(text(" (the rest: `/talk read`)"))
    return words if len(words) <= most else f"{clip(words, most - len(rest))}{rest}"


_FATES: Sequence[Promise] = ("kept", "broken")


# --- presses -----------------------------------------------------------------------------------------------------------------

@in_game("letters")
async def on_letters(interaction: Interaction, visit: Visit, page: int) -> None:
    await show_letters(interaction, visit, page)


@in_game("letter")
async def on_letter(interaction: Interaction, visit: Visit, id: int) -> None:
    """A message that waited in the channel, for the holder of its seat alone."""
    press = await _to_me(interaction, visit, id)
    await reply(interaction, message_text(visit.game, press), view([answering(visit.game, press)]))


async def _to_me(interaction: Interaction, visit: Visit, id: int) -> TalkRow:
    """A message to the caller's seat. Raises NotAsked: it is for another one."""
    seat = visit.own_seat()
    for press in await interaction.client.services.talk.correspondence(visit.id, seat):
        if press.id == id and press.receiver == seat:
            return press
    raise NotAsked("This message is for another seat.")


@opening_in_game("reply")
async def on_reply(interaction: Interaction, visit: Visit, id: int) -> Form:
    return Form(text("Your answer"), on_replied, visit.id, id, fields=(field(text("It binds nobody"), most=WORDS, long=True),))


@in_game("replied")
async def on_replied(interaction: Interaction, visit: Visit, id: int, words: str) -> None:
    press = await _to_me(interaction, visit, id)
    await send(interaction, visit, press.seat, words)


@in_game("promises")
async def on_promises(interaction: Interaction, visit: Visit, page: int) -> None:
    await show_promises(interaction, visit, page)


@in_game("judge")
async def on_judge(interaction: Interaction, visit: Visit, id: int, promise: str, page: int) -> None:
    if promise not in _FATES:
        raise Refusal("A promise is kept or broken.")
    await interaction.client.services.talk.judge(visit.id, visit.user, id, "kept" if promise == "kept" else "broken")
    await show_promises(interaction, visit, page)
