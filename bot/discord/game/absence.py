"""/my back: who comes back to the own seat, and what is said of seats whose players are away."""
from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence

from discord import app_commands
from discord.app_commands import locale_str

from bot.core.visit import Visit
from bot.discord.components import Persistent, Style, button, in_game, view
from bot.discord.context import Interaction
from bot.discord.errors import note
from bot.discord.find_game import about_a_game, visit_meant
from bot.discord.game.answering import on_your_move
from bot.discord.game.buttons import HERE, STAND_IN
from bot.discord.game.extras import extra
from bot.discord.responses import add, reply, titled
from bot.discord.visits import BACK, again
from bot.domain.announcements import member, when
from bot.store import GameRow, Holder
from engine.kernel import Seat, Table
from engine.players import NAMES, level_of
from engine.refusals import Refusal
from engine.text import Text, lines, say, text, verbatim

EVERYWHERE = locale_str("In all your games at once")


def add_back(group: app_commands.Group) -> None:
    @group.command(name="back", description="Come back: end your absence, or take your seat back")
    @about_a_game(everywhere=EVERYWHERE)
    async def back(interaction: Interaction, everywhere: bool = False, game: str | None = None) -> None:
        if not everywhere:
            await come_back(interaction, (await visit_meant(interaction, game)).id)
            return
        services, user = interaction.client.services, interaction.user.id
        games = [one for one in await services.visits.under_way(user)
                 if one.sight is not None and (one.holder(one.sight).away or one.seat is None)]
        await in_each(games, lambda one: services.seats.back(one.id, user))
        await reply(interaction, text("Welcome back to {games}.", games=titles(games)))


async def in_each(games: Sequence[Visit], act: Callable[[Visit], Awaitable[object]]) -> None:
    """Do it in every game; what one of them refuses is said after all others. Raises Refusal, also if there is no game."""
    refused = None if games else Refusal("You aren't in any game that this would affect.")
    for game in games:
        try:
            await act(game)
        except Refusal as why:
            refused = why
    if refused is not None:
        raise refused


@extra(0)
def being_back(visit: Visit, table: Table, seat: Seat) -> Iterator[Persistent]:
    if visit.holder(seat).level:
        yield button(text("I'm back"), HERE, visit.id)


def titles(games: Sequence[Visit]) -> tuple[Text, ...]:
    return tuple([verbatim(titled(visit.game)) for visit in games])


@in_game(HERE)
async def come_back(interaction: Interaction, visit: Visit) -> None:
    """End the caller's absence, unless the command itself has done so, and say what is asked now."""
    seat = visit.seat if interaction.extras.pop(BACK, None) == visit.id else None
    seat = seat or await interaction.client.services.seats.back(visit.id, visit.user)
    words, items = _asked(await again(interaction, visit.id), seat)
    await reply(interaction, lines([text("Welcome back. You play {seat} again.", seat=seat), words]), view(items))


async def welcomed(interaction: Interaction) -> None:
    """Tell whoever was away without a word, and has done something with the game just now, that the absence is over."""
    game: int | None = interaction.extras.get(BACK)
    if game is None:
        return
    services = interaction.client.services
    try:
        visit = await services.visits.visit(game, interaction.user.id)
        seat = visit.seat
        if seat is None or visit.holder(seat).away:
            return                                      # what was done is to leave again
        words, items = _asked(visit, seat)
        welcome = text("Welcome back. The clock had ended your turns and marked you away. You play {seat} again.", seat=seat)
        await add(interaction, say(lines([welcome, words]), visit.reader), view(items))
        interaction.client.outbox.answered(game)
    except Exception as error:                          # what was asked for is done; this was a courtesy
        await note(services, error, "courtesy", game)


def _asked(visit: Visit, seat: Seat) -> tuple[Text, list[Persistent]]:
    """Return what is asked of somebody who is back, with a way to answer."""
    asked = visit.table.asked(seat)
    if visit.game.status == "paused":
        return text("The game is paused. Its game master can resume it."), []
    if asked is None:
        return visit.table.idle(seat), []
    return asked.text(), [button(text("Your move"), on_your_move, visit.id, seat, style=Style.primary)]


def standing_in(game: GameRow) -> list[Persistent]:
    """The button that leads to a stand-in: whom to ask, or who it is; none where nobody could be asked."""
    return [] if game.guild is None else [button(text("Ask for a stand-in"), STAND_IN, game.id)]


def coming_back(game: GameRow) -> Persistent:
    return button(text("I'm back"), HERE, game.id)


def giving_up(visit: Visit, seat: Seat) -> Text:
    """Return what it means to give up a seat: for a stand-in its owner plays it again, for all others it is free."""
    title, holder = verbatim(titled(visit.game)), visit.holder(seat)
    if holder.owner is not None:
        return text("Give {seat} in {title} back to {owner}?", seat=seat, title=title,
                    owner=member(holder.owner.user))
    if visit.game.successor:
        return text("Give up your seat in {title}? An automatic player will play it until the game master gives it to somebody "
                    "else.", title=title)
    if visit.game.caring:
        return text("Give up your seat in {title}? A caretaker will play it until somebody else takes it over.", title=title)
    return text("Give up your seat in {title}? It makes default moves until somebody takes it over, and you may not get it "
                "back.",
                title=title)


def automatic(holder: Holder) -> Text:
    """That an automatic player has a seat, and how strong it is."""
    return text("automatic player ({level})", level=NAMES[level_of(holder.level)])


def whereabouts(holder: Holder) -> Text:
    """Who plays a seat, and whether that is for a while only."""
    if holder.caretaker:
        return text("a caretaker")
    if holder.level and holder.user is None:
        return automatic(holder)
    if holder.user is None:
        return text("nobody")
    if holder.owner is not None and holder.until is not None:
        return text("{member} for {owner} until {moment}", member=member(holder.user), owner=member(holder.owner.user),
                    moment=when(holder.until))
    if holder.owner is not None:
        return text("{member} for {owner}", member=member(holder.user), owner=member(holder.owner.user))
    if holder.level and holder.until is not None:
        return text("{member} (away until {moment}; automatic player, {level})", member=member(holder.user),
                    moment=when(holder.until), level=NAMES[level_of(holder.level)])
    if holder.level:
        return text("{member} (away; automatic player, {level})", member=member(holder.user), level=NAMES[level_of(holder.level)])
    if holder.away and holder.until is not None:
        return text("{member} (away until {moment})", member=member(holder.user), moment=when(holder.until))
    return text("{member} (away)", member=member(holder.user)) if holder.away else member(holder.user)
