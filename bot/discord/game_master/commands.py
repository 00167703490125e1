"""/gm: take back, answer for a seat, hand a seat over, pause, close; for the game master and those whom the server names."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.core.requirements import PLAYED
from bot.core.visit import Visit
from bot.discord.admission import charge
from bot.discord.channels import (
    Somewhere,
    ground,
    losses,
    new_channel,
    new_thread,
    require_member,
    require_threads,
    require_usable,
)
from bot.discord.components import Persistent, Style, button, in_game, on_cancel, view
from bot.discord.context import Interaction
from bot.discord.errors import helping
from bot.discord.find_game import about_a_game, may_manage, named_seat, visit_meant
from bot.discord.game.action_commands import CONTEXTS
from bot.discord.game.buttons import BACK_TO, HOME
from bot.discord.game.history import NEWEST, label_of, turn
from bot.discord.lengths import CHOICES, NAME, clip
from bot.discord.responses import reply, seat_name, suggestions, titled
from bot.discord.sanitize import known_as, tame
from bot.discord.visibility import masters
from bot.discord.visits import again
from bot.domain import announcements
from bot.service.branching import TITLE
from bot.service.undo import AFRESH, Preview
from bot.store.undo import Request
from engine.kernel import Seat
from engine.players import level_named
from engine.refusals import Refusal, Stale
from engine.text import Text, count, lines, say, text, verbatim

PAGE = 15                   # rows of a page of the audit
QUOTED = 15                 # lines of what a return takes back
PLACES = {"thread": text("a new thread"), "channel": text("a new channel"), "here": text("this channel")}


class NotGameMaster(Refusal):
    """Somebody used a command of the game master's."""


async def require_gm(interaction: Interaction, visit: Visit) -> None:
    """Raise NotGameMaster unless the caller is the game master and still on its server, or manages that, or has its role."""
    if not await may_master(interaction, visit):
        raise NotGameMaster("This is for the game master, or for members with the server's game master role (/settings).")


async def may_master(interaction: Interaction, visit: Visit) -> bool:
    guild = visit.game.guild
    return await masters(interaction, visit.game) or (
        guild is not None and guild == interaction.guild_id and may_manage(interaction, visit.snapshot.gm_role))


async def gm_game(interaction: Interaction, wanted: str | None) -> Visit:
    """Visit the game that is meant, if the caller is its game master. Raises Refusal."""
    visit = await visit_meant(interaction, wanted)
    await require_gm(interaction, visit)
    return visit


class Moderator(app_commands.Group):
    """What a game master can do; each act is a row or a line of the audit."""

    def __init__(self) -> None:
        super().__init__(name="gm", description="For game masters", allowed_contexts=CONTEXTS)

    @app_commands.command(description="Undo the last move, with all that followed from it")
    @about_a_game()
    async def undo(self, interaction: Interaction, game: str | None = None) -> None:
        visit = await gm_game(interaction, game)
        preview = await interaction.client.services.undo.last_move(visit.id)
        if preview is None:
            await _returned(interaction, visit, text("Undone"), await interaction.client.services.undo.undo(visit.id, visit.user))
            return
        head = text("This undoes {rows}, the last move and what followed from it.", rows=_rows(preview))
        await _show_preview(interaction, visit, [head], preview, button(
            text("Confirm"), on_undo, visit.id, visit.facts.public_newest, style=Style.danger))

    @app_commands.command(description="Undo the last undo or rollback")
    @about_a_game()
    async def redo(self, interaction: Interaction, game: str | None = None) -> None:
        visit = await gm_game(interaction, game)
        await _returned(interaction, visit, text("Redone"),
                        await interaction.client.services.undo.redo(visit.id, visit.user))

    @app_commands.command(description="Go back to an earlier step. Shows first what that undoes")
    @about_a_game(row="Keep everything up to which step of the history?", fresh="Roll new dice from there on?")
    async def rollback(self, interaction: Interaction, row: int, fresh: bool = False, game: str | None = None) -> None:
        await show_rollback(interaction, await visit_meant(interaction, game), row, fresh=fresh)

    @rollback.autocomplete("row")
    @helping
    async def _recent(self, interaction: Interaction, typed: str) -> list[Choice[int]]:
        found = await gm_game(interaction, getattr(interaction.namespace, "game", None))
        rows, _ = await interaction.client.services.queries.history(found.id, page=NEWEST, size=CHOICES)
        named = {no: label_of(no, line, found.reader) for no, mark, line in reversed(rows) if not mark}
        return suggestions([Choice(name=name, value=no) for no, name in named.items() if typed.casefold() in name.casefold()])

    @app_commands.command(description="Start a new game from an earlier step. The old one goes on as it is")
    @about_a_game(row="Branch off after which step?", place="Where is the new game played?")
    async def branch(self, interaction: Interaction, row: int,
                     place: Literal["a new thread", "a new channel", "this channel"] = "a new thread",
                     game: str | None = None) -> None:
        found = await gm_game(interaction, game)
        ahead = await interaction.client.services.branching.prospect(found.id, row)
        where = "thread" if place == "a new thread" else "channel" if place == "a new channel" else "here"
        if where == "thread":
            require_threads(interaction)
        if ahead.consent:
            await reply(interaction, text("The new game would go on from step {row} ({moment}). When it ends, it shows "
                                          "everybody's secrets up to there, so the players must agree first.", row=row,
                                          moment=ahead.moment), view([
                button(text("Ask them"), on_ask_to_branch, found.id, row, style=Style.primary),
                button(text("Cancel"), on_cancel)]))
            return
        words = text("Start a new game from step {row} ({moment}) in {place}? It has the same players, no standing orders yet "
                     "and its own dice. This game goes on as it is.", row=row, moment=ahead.moment,
                     place=PLACES[where])
        await reply(interaction, words, view([
            button(text("Start it"), on_branch, found.id, row, where, ahead.branches, style=Style.danger),
            button(text("Cancel"), on_cancel)]))

    @app_commands.command(description="Give a seat to another member, or to an automatic player")
    @about_a_game(seat="Which seat?", member="Who gets it?",
                  automatic="Or an automatic player: pick its strength, or none to remove it")
    async def hand(self, interaction: Interaction, seat: str, member: discord.User | None = None,
                   automatic: Literal["for beginners", "solid", "strong", "none"] | None = None, game: str | None = None) -> None:
        visit = await gm_game(interaction, game)
        if (member is None) == (automatic is None):
            raise Refusal("Name a member, or the strength of an automatic player.")
        who = named_seat(visit, seat)
        if member is None:
            await interaction.client.services.automatic_seats.automate(visit.id, who, level_named(automatic), visit.user)
            await _seated(interaction, visit, text("The automatic player no longer plays {seat}.", seat=who)
                          if automatic == "none" else text("An automatic player ({level}) plays {seat} now.", seat=who,
                                                           level=verbatim(automatic or "")))
            return
        require_person(member)
        asked = await interaction.client.services.consent.hand_over(visit.id, who, member.id, visit.user,
                                                                    name=known_as(member))
        await _seated(interaction, visit, _asked(asked) if asked is not None else text(
            "{member} now plays {seat:the}.", seat=who, member=announcements.member(member.id)))

    @app_commands.command(description="Lend a seat to another member until its player is back, or end that")
    @about_a_game(seat="For which seat?", member="Who stands in? Blank: nobody from now on")
    async def standin(self, interaction: Interaction, seat: str, member: discord.User | None = None,
                      game: str | None = None) -> None:
        visit = await gm_game(interaction, game)
        who = named_seat(visit, seat)
        if member is None:
            await interaction.client.services.seats.relieve(visit.id, who, visit.user)
            await _seated(interaction, visit, text("Nobody stands in for {seat} now.", seat=who))
            return
        require_person(member)
        asked = await interaction.client.services.consent.stand_in(visit.id, who, member.id, visit.user,
                                                                   name=known_as(member))
        await _seated(interaction, visit, _asked(asked) if asked is not None else text(
            "{member} plays {seat} until its player is back.", seat=who, member=announcements.member(member.id)))

    @hand.autocomplete("seat")
    @standin.autocomplete("seat")
    @helping
    async def _seats(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        return await suggest_seats(interaction, typed)

    @app_commands.command(description="Pause the game: nobody can move until you resume it")
    @about_a_game()
    async def pause(self, interaction: Interaction, game: str | None = None) -> None:
        visit = await gm_game(interaction, game)
        await interaction.client.services.seats.pause(visit.id, visit.user)
        await reply(interaction, text("{title} is paused.", title=verbatim(titled(visit.game))))

    @app_commands.command(description="Resume a paused game")
    @about_a_game()
    async def resume(self, interaction: Interaction, game: str | None = None) -> None:
        visit = await gm_game(interaction, game)
        await interaction.client.services.seats.go_on(visit.id, visit.user)
        await reply(interaction, text("{title} goes on.", title=verbatim(titled(visit.game))))

    @app_commands.command(description="Move a game to another channel or thread")
    @about_a_game(channel="Where to?")
    async def move(self, interaction: Interaction, channel: Somewhere, game: str | None = None) -> None:
        row = (await gm_game(interaction, game)).game
        if channel.guild_id != row.guild:
            raise Refusal("A game can move only within its server.")
        require_usable(channel)
        services, outbox = interaction.client.services, interaction.client.outbox
        left = await services.outbox.messages(row.id)
        await services.channels.move(row.id, channel.id, interaction.user.id)
        outbox.retry(row.id)
        await outbox.leave(row, left, channel.id)
        found = await ground(interaction.client, channel.id)
        await reply(interaction, lines([
            text("{title} is now played in {channel}.", title=verbatim(titled(row)),
                 channel=verbatim(f"<#{channel.id}>")),
            *losses(found.lacking() if found else ())]))

    @app_commands.command(description="End a game without a result")
    @about_a_game(why="Why? Everybody will read it")
    async def close(self, interaction: Interaction, why: app_commands.Range[str, 1, 60] = "",
                    game: str | None = None) -> None:
        visit = await gm_game(interaction, game)
        reason = why.replace(":", " ")
        await reply(interaction, text("Close {title} without a result, for everybody and for good?",
                                      title=verbatim(titled(visit.game))),
                    view([button(text("Close the game"), on_close, visit.id, reason, style=Style.danger),
                          button(text("Cancel"), on_cancel)]))

    @app_commands.command(description="Who did what in this game, the game master included")
    @about_a_game(page="Which page? Blank: the newest")
    async def audit(self, interaction: Interaction, page: int | None = None, game: str | None = None) -> None:
        await show_audit(interaction, await visit_meant(interaction, game), page)

    @app_commands.command(description="The secrets of all seats, only for you, if the game allows that")
    @about_a_game()
    async def secrets(self, interaction: Interaction, game: str | None = None) -> None:
        visit = await gm_game(interaction, game)
        told = await interaction.client.services.secrets.secrets(visit.id, visit.user)
        await reply(interaction, lines([text("Only you see this. Everybody is told that you looked."), *told]))


# --- what several of them need ---------------------------------------------------------------------------------

def _called(visit: Visit, seat: Seat) -> str:
    return seat.replace("_", " ") if visit.game.status == "open" else seat_name(visit.table, seat, visit.reader)


async def suggest_seats(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """The seats of the game that a command means, with those that are to move marked."""
    visit = await gm_game(interaction, getattr(interaction.namespace, "game", None))
    asked = [question.seat for question in visit.table.asks] if visit.game.status in PLAYED else []
    known = [(_called(visit, holder.seat), holder.seat) for holder in visit.holders]
    named = [(say(text("{name}, to move", name=verbatim(name))) if seat in asked else name, str(seat))
             for name, seat in known]
    return suggestions([Choice(name=clip(name, NAME), value=seat) for name, seat in named
                        if typed.casefold() in name.casefold()])


def require_person(member: discord.User | discord.Member) -> None:
    """Raise Refusal if this is a bot."""
    if member.bot:
        raise Refusal("A bot can't have a seat.")


async def _seated(interaction: Interaction, visit: Visit, words: Text) -> None:
    """Say who plays a seat now, and that a paused game still waits."""
    paused = (await again(interaction, visit.id)).game.status == "paused"
    await reply(interaction, lines([words, *([text("The game is paused. `/gm resume` ends that.")] if paused else [])]))
    interaction.client.outbox.answered(visit.id)


async def _returned(interaction: Interaction, visit: Visit, head: Text, preview: Preview) -> None:
    stands = text("{head}: {rows}. The game is now at step {row}.", head=head, rows=_rows(preview), row=preview.to)
    await reply(interaction, lines([stands, *_quoted(preview)]))
    interaction.client.outbox.answered(visit.id)


def _rows(preview: Preview) -> Text:
    return count(len(preview.rows), "{n} step", "{n} steps")


def _quoted(preview: Preview) -> list[Text]:
    """Return what a return takes back, or brings back, as everybody read it; the newest, if there is much."""
    left = len(preview.lines) - QUOTED
    more = count(left, "> … and {n} line before: `/game history`", "> … and {n} lines before: `/game history`")
    return [*([more] if left > 0 else []), *(text("> {line}", line=line) for line in preview.lines[-QUOTED:])]


def answered_for(seat: Seat, *, several: bool) -> Text:
    """Return what a game master hears who has answered for a seat; under seal, not whether that was still needed."""
    return text("You moved for {seat}, unless its sealed move was already in.", seat=seat) if several else \
        text("You moved for {seat}.", seat=seat)


def _asked(request: Request) -> Text:
    """Return what a game master hears who has to ask the players first."""
    return text("You aren't a neutral game master here, or {member} has known another seat's secrets. So I've asked the players "
                "to agree: {seats}. Silence counts as no.", member=announcements.member(request.about["user"]),
                seats=tuple(request.agreed))


async def show_audit(interaction: Interaction, visit: Visit, page: int | None) -> None:
    """A page of the audit, for all who play, and for game masters. Raises Refusal."""
    if visit.sight is None:
        await require_gm(interaction, visit)
    notes, pages = await interaction.client.services.queries.audit(visit.id, page=NEWEST if page is None else page, size=PAGE)
    await turn(interaction, on_audit, visit.game, page, pages, notes)


# --- presses -----------------------------------------------------------------------------------------------------

async def show_rollback(interaction: Interaction, visit: Visit, row: int, *, fresh: bool = False) -> None:
    """What a rollback undoes, to be confirmed; for the game master alone. Raises Refusal."""
    await require_gm(interaction, visit)
    charge(interaction, "previews")
    newest, preview = visit.facts.public_newest, await interaction.client.services.undo.preview(visit.id, row)
    head = text("Rolling back to step {row} undoes {rows}.", row=row, rows=_rows(preview))
    await _show_preview(interaction, visit, [head, *([AFRESH] if fresh and not preview.fresh else [])], preview, button(
        text("Confirm"), on_rollback, visit.id, row, int(fresh), newest, style=Style.danger))


async def _show_preview(interaction: Interaction, visit: Visit, head: Sequence[Text], preview: Preview, confirm: Persistent
                        ) -> None:
    await reply(interaction, lines([*head, *([AFRESH] if preview.fresh else []), *_quoted(preview)]), view([
        confirm, button(text("Cancel"), HOME, visit.id)]))


@in_game("gmundo")
async def on_undo(interaction: Interaction, visit: Visit, newest: int) -> None:
    """The undo that was previewed, if nothing has happened since."""
    await require_gm(interaction, visit)
    await _returned(interaction, visit, text("Undone"),
                    await interaction.client.services.undo.undo(visit.id, visit.user, newest=newest))


@in_game(BACK_TO)
async def on_back_to(interaction: Interaction, visit: Visit, row: int) -> None:
    await show_rollback(interaction, visit, row)


@in_game("rollback")
async def on_rollback(interaction: Interaction, visit: Visit, to: int, fresh: int, newest: int) -> None:
    """The rollback that was previewed, if nothing has happened since."""
    await require_gm(interaction, visit)
    preview = await interaction.client.services.undo.rollback(visit.id, to, visit.user, fresh=fresh == 1, newest=newest)
    await _returned(interaction, visit, text("Undone"), preview)


@in_game("askbranch")
async def on_ask_to_branch(interaction: Interaction, visit: Visit, row: int) -> None:
    await require_gm(interaction, visit)
    request = await interaction.client.services.consent.ask_to_branch(visit.id, row, visit.user)
    await reply(interaction, text("You asked {seats}. Once they agree, `/gm branch` starts the new game. Silence counts as no.",
                                  seats=tuple(request.agreed)))


@in_game("branch")
async def on_branch(interaction: Interaction, visit: Visit, row: int, place: str, branches: int) -> None:
    await require_gm(interaction, visit)
    origin, services = visit.game, interaction.client.services
    await require_member(interaction)
    async with interaction.client.opening(origin.id):
        ahead = await services.branching.prospect(origin.id, row)             # before a place is made for it
        if branches != ahead.branches:
            raise Stale("A new game has been started from this one since. Type /gm branch again if you want another.")
        if ahead.consent:
            raise Stale("The players must agree first. Type /gm branch again to ask them.")
        await services.lobby.require_room(interaction.user.id, origin.guild)
        name = f"{origin.title[:TITLE]} ({row})"
        channel = ((await new_thread(interaction, name)).id if place == "thread" else
                   (await new_channel(interaction, name)).id if place == "channel" else interaction.channel_id or origin.channel)
        begun = await services.branching.branch(origin.id, row, interaction.user.id, channel=channel, title=name)
    await reply(interaction, text("Game {game}, {title}, goes on from step {row} in {channel}.", game=begun.id, row=row,
                                  title=verbatim(titled(begun)), channel=verbatim(f"<#{channel}>")))


@in_game("close")
async def on_close(interaction: Interaction, visit: Visit, why: str) -> None:
    await require_gm(interaction, visit)
    await interaction.client.services.seats.close(visit.id, visit.user, tame(why))
    await reply(interaction, text("{title} is closed.", title=verbatim(titled(visit.game))))


@in_game("audit")
async def on_audit(interaction: Interaction, visit: Visit, page: int) -> None:
    await show_audit(interaction, visit, page)
