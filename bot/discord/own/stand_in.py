"""/my standin: a player asks a member to play the own seat for a while; who is asked agrees or declines by a button."""
from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import discord
from discord import SelectOption, app_commands
from discord.utils import utcnow

from bot.core.requirements import PLAYED, held_by, require
from bot.core.visit import Visit
from bot.discord.components import Persistent, Style, button, in_game, in_rows, select, user_select, view
from bot.discord.context import Interaction
from bot.discord.find_game import about_a_game, visit_meant
from bot.discord.game.answering import on_mine, on_your_move
from bot.discord.game.buttons import HERE, STAND_IN
from bot.discord.game_master.commands import may_master, require_person
from bot.discord.own.away import ending, suggest_days
from bot.discord.responses import reply, titled
from bot.discord.sanitize import known_as
from bot.discord.visibility import member_of, member_sees
from bot.domain.announcements import member, when
from bot.domain.waking_hours import Hours
from bot.store import GameRow
from bot.store.stand_ins import Offer
from engine.refusals import Refusal
from engine.text import Fact, Text, count, lines, say, text, verbatim

DAYS = (3, 7, 14, 28)           # for which a stand-in is asked by taps
BACK = 0                        # as days: until the player is back
OPEN = text("They haven't answered yet.")


def add_stand_in(group: app_commands.Group) -> None:
    @group.command(name="standin", description="Ask a member to play your seat while you're away, or end that")
    @about_a_game(member="Whom do you ask? Blank: choose by taps, or see who stands in now",
                  until="How many days, or until which day? Blank: until you're back")
    @app_commands.autocomplete(until=suggest_days)
    async def standin(interaction: Interaction, member: discord.User | None = None, until: str = "",
                      game: str | None = None) -> None:
        visit = await visit_meant(interaction, game)
        if member is None:
            await show_stand_in(interaction, visit)
            return
        await _ask(interaction, visit, member.id, ending(until, utcnow(), visit.facts.chosen.hours or Hours()))


async def show_stand_in(interaction: Interaction, visit: Visit, days: int = BACK) -> None:
    """Who stands in for the caller or is asked to, with a way to end it; else whom the caller would like to ask."""
    game, user, title = visit.game, visit.user, verbatim(titled(visit.game))
    require(game, PLAYED)
    held = next((holder for holder in visit.holders if holder.owner is not None and user in holder.users), None)
    if held is not None and held.owner is not None:
        facts: dict[str, Fact] = {"seat": held.seat, "title": title, "until": _until(held.until)}
        if held.user == user:
            await reply(interaction, text("You play {seat} in {title} for {owner}{until}.", owner=member(held.owner.user),
                                          **facts), view([giving_back(game)]))
        else:
            await reply(interaction, text("{member} plays {seat} in {title} for you{until}.", member=member(held.user or 0),
                                          **facts), view([button(text("Take my seat back"), HERE, game.id)]))
        return
    seat = held_by(visit.holders, user)
    offer = await interaction.client.services.stand_ins.open_offer(game.id, seat)
    if offer is not None:
        await reply(interaction, lines([_asking(offer, title), OPEN]), view([withdrawing(offer)]))
        return
    spans = [SelectOption(label=say(_span(number)), value=str(number), default=number == days)
             for number in (BACK, *DAYS)]
    await reply(interaction, lines([
        text("Who plays {seat} in {title} for you? They must agree, and can't have another seat here.", seat=seat, title=title),
        text("-# Until it ends, they see your secrets and move for you. Everybody can see which moves are theirs. You "
             "can take your seat back at any time.")]),
        view(in_rows([[select(spans, on_days, game.id)],
                      [user_select(on_member, game.id, days, hint=text("Ask a member"))]])))


def _span(days: int) -> Text:
    return text("For {days}", days=count(days, "{n} day", "{n} days")) if days else text("Until I'm back")


def _until(moment: str | None) -> Text:
    return text("") if moment is None else text(" until {moment}", moment=when(moment))


@in_game(STAND_IN)
async def on_stand_in(interaction: Interaction, visit: Visit) -> None:
    await show_stand_in(interaction, visit)


@in_game("standdays")
async def on_days(interaction: Interaction, visit: Visit, days: int) -> None:
    """For how long; now whom."""
    await show_stand_in(interaction, visit, days if days in DAYS else BACK)


@in_game("standask")
async def on_member(interaction: Interaction, visit: Visit, days: int, user: int) -> None:
    await _ask(interaction, visit, user, utcnow() + timedelta(days=days) if days in DAYS else None)


async def _ask(interaction: Interaction, visit: Visit, user: int, until: datetime | None) -> None:
    """Ask a member who can read the question. Raises Refusal."""
    game = visit.game
    require(game, PLAYED)
    held_by(visit.holders, visit.user)                      # nobody else asks who sees what
    found = await member_of(interaction.client, game.guild or 0, user)
    if found is None or not await member_sees(interaction.client, found, game.channel):
        raise Refusal("{member:Begin} can't see {channel}, where this game is played.", member=member(user),
                      channel=verbatim(f"<#{game.channel}>"))
    require_person(found)
    offer = await interaction.client.services.stand_ins.offer_stand_in(game.id, visit.user, user, until, name=known_as(found))
    await reply(interaction, lines([_asking(offer, verbatim(titled(game))), OPEN]), view([withdrawing(offer)]))


def _asking(offer: Offer, title: Text) -> Text:
    return text("You asked {member} to play {seat} in {title} for you{until}.", member=member(offer.user), seat=offer.seat,
                title=title, until=_until(offer.until))


def withdrawing(offer: Offer) -> Persistent:
    return button(text("Withdraw the request"), on_withdraw, offer.game, offer.id)


def giving_back(game: GameRow) -> Persistent:
    return button(text("Give the seat back"), on_give_back, game.id)


@in_game("standdown")
async def on_give_back(interaction: Interaction, visit: Visit) -> None:
    row = visit.game
    owner = await interaction.client.services.seats.stand_down(row.id, interaction.user.id)
    await reply(interaction, text("You gave the seat in {title} back to {owner}.", title=verbatim(titled(row)),
                                  owner=member(owner.user)))
    interaction.client.outbox.answered(row.id)


# --- the message of an offer ------------------------------------------------------------------------------------

def offering(game: GameRow, offer: Offer) -> tuple[Text, Sequence[Persistent]]:
    """Return what the one message of an offer says now, and its buttons as long as nobody has answered."""
    facts: dict[str, Fact] = {"member": member(offer.user), "owner": member(offer.asker), "seat": offer.seat}
    if offer.ended is None:
        return lines([
            text("{member}, {owner} asks you to stand in and play {seat} in {title}{until}.", title=verbatim(titled(game)),
                 until=_until(offer.until), **facts),
            text("-# You'd see this seat's secrets for as long as it lasts. Everybody can see which moves are yours.")]), [
                button(text("Stand in"), on_accept, game.id, offer.id, style=Style.success),
                button(text("Decline"), on_decline, game.id, offer.id), withdrawing(offer)]
    told = {"accepted": text("{member} agreed to stand in for {owner}.", **facts),
            "declined": text("{member} declined to stand in for {owner}.", **facts),
            "withdrawn": text("{owner} asked {member} to stand in. That was withdrawn.", **facts),
            "over": text("{owner} asked {member} to stand in. The request has lapsed.", **facts)}
    return told[offer.ended], []


@in_game("standin")
async def on_accept(interaction: Interaction, visit: Visit, offer: int) -> None:
    services = interaction.client.services
    row = visit.game
    agreed = await services.stand_ins.accept_offer(row.id, offer, interaction.user.id)
    reached = await interaction.client.outbox.open_private(row.id, agreed.seat)
    await reply(interaction, lines([
        text("You play {seat} in {title} for {owner}{until}.", seat=agreed.seat, title=verbatim(titled(row)),
             owner=member(agreed.asker), until=_until(agreed.until)),
        text("I'll send the seat's secrets by DM.") if reached else
        text("I can't send you DMs. Use `/my move` to see the seat's secrets.")]), view([
            button(text("Your move"), on_your_move, row.id, agreed.seat, style=Style.primary),
            button(text("Your secrets"), on_mine, row.id), giving_back(row)]))
    interaction.client.outbox.answered(row.id)


@in_game("standno")
async def on_decline(interaction: Interaction, visit: Visit, offer: int) -> None:
    row = visit.game
    declined = await interaction.client.services.stand_ins.decline_offer(row.id, offer, interaction.user.id)
    await reply(interaction, text("You declined. {owner} can read that here.", owner=member(declined.asker)))


@in_game("standback")
async def on_withdraw(interaction: Interaction, visit: Visit, offer: int) -> None:
    master = await may_master(interaction, visit)
    gone = await interaction.client.services.stand_ins.withdraw_offer(visit.id, offer, visit.user, master=master)
    await reply(interaction, text("Your request to {member} is withdrawn.", member=member(gone.user)))
