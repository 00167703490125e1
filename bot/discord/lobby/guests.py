"""Who can join a game and what can be seen, for whoever asks; its game master also invites and removes members, opens it to
everybody or to invited ones only, and names another game master."""
from __future__ import annotations

from discord import SelectOption

from bot.core.requirements import PLAYED, require
from bot.core.visit import Visit
from bot.discord.components import Persistent, button, in_game, in_rows, member_select, select, user_select, view
from bot.discord.context import Interaction
from bot.discord.find_game import about_a_game
from bot.discord.game_master.commands import Moderator, gm_game, may_master, require_gm
from bot.discord.game_master.succession import on_master
from bot.discord.lengths import NAME, clip
from bot.discord.lobby.buttons import GUESTS, back
from bot.discord.lobby.gone_players import on_gone
from bot.discord.lobby.open_game import EVERYBODY, INVITED, rights
from bot.discord.responses import reply, titled
from bot.discord.visits import again
from bot.domain.announcements import member
from bot.store import Newcomers
from engine.text import Text, lines, say, text, verbatim

NEWCOMERS: dict[Newcomers, Text] = {
    "free": text("Free seats: anybody can take one"), "asked": text("Free seats: the game master decides"),
    "none": text("Free seats: nobody can take one")}


def add_guests(group: Moderator) -> None:
    @group.command(name="guests", description="Who can join, and who can take over a free seat later; invite players")
    @about_a_game()
    async def guests(interaction: Interaction, game: str | None = None) -> None:
        await _show(interaction, await gm_game(interaction, game))


@in_game(GUESTS)
async def show_guests(interaction: Interaction, visit: Visit) -> None:
    """Who has joined, and what can be changed; once the game is under way, who can take over a free seat."""
    await _show(interaction, visit)


async def _show(interaction: Interaction, visit: Visit, note: Text | None = None) -> None:
    game = visit.game
    require(game, ("open", *PLAYED))
    title, joined, told = verbatim(titled(game)), dict[int, str](), list[Text]()
    if game.status == "open":
        joined = {holder.user: holder.name for holder in visit.holders if holder.user is not None}
        head = text("Nobody has joined {title} yet.", title=title) if not joined else text(
            "Players of {title}: {members}.", title=title, members=tuple(map(member, joined)))
        told = [text("- {right}", right=right) for right in rights(visit)]
    else:
        free = tuple(one.seat for one in visit.snapshot.free)
        head = text("Free in {title}: {seats}.", title=title, seats=free) if free else text("No seat is free in {title:.}",
                                                                                             title=title)
        told = [INVITED if game.invite_only else EVERYBODY]
    listed = [SelectOption(label=clip(name or str(user), NAME), value=str(user)) for user, name in joined.items()]
    rows: list[list[Persistent]] = []
    if await may_master(interaction, visit):
        told.append(text("The last list names the game master. Somebody who doesn't play is best."))
        later = select([SelectOption(label=say(words), value=value, default=value == game.newcomers)
                        for value, words in NEWCOMERS.items()], on_newcomers, game.id)
        rows = [[user_select(on_invite, game.id, hint=text("Invite a member"))],
                [select(listed, on_remove, game.id, hint=text("Remove a player"))] if listed else [], [later],
                [member_select(on_master, game.id, chosen=game.owner)] if game.status == "open" else [],
                [button(text("Open it to everybody") if game.invite_only else text("By invitation only"), on_only, game.id,
                        int(not game.invite_only)),
                 button(text("Players who are gone"), on_gone, game.id)]]
    rows = [*rows[:-1], [*(rows[-1] if rows else []), back(game.id)]]
    await reply(interaction, lines([*([note] if note is not None else []), head, *told]), view(in_rows(rows)))


@in_game("guestinvite")
async def on_invite(interaction: Interaction, visit: Visit, user: int) -> None:
    await require_gm(interaction, visit)
    services = interaction.client.services
    invite = services.lobby.invite if visit.game.status == "open" else services.free_seats.invite_to_seat
    await invite(visit.id, user, visit.user)
    await _changed(interaction, visit, text("{member} is invited.", member=member(user)))


@in_game("guestremove")
async def on_remove(interaction: Interaction, visit: Visit, user: int) -> None:
    await require_gm(interaction, visit)
    await interaction.client.services.lobby.remove(visit.id, user, visit.user)
    await _changed(interaction, visit, text("{member} is out of the game.", member=member(user)))


@in_game("newcomers")
async def on_newcomers(interaction: Interaction, visit: Visit, who: Newcomers) -> None:
    await require_gm(interaction, visit)
    await interaction.client.services.free_seats.set_newcomers(visit.id, visit.user, who)
    await _changed(interaction, visit)


@in_game("guestonly")
async def on_only(interaction: Interaction, visit: Visit, on: int) -> None:
    await require_gm(interaction, visit)
    await interaction.client.services.lobby.set_invite_only(visit.id, visit.user, only=on == 1)
    await _changed(interaction, visit)


async def _changed(interaction: Interaction, visit: Visit, note: Text | None = None) -> None:
    await _show(interaction, await again(interaction, visit.id), note)
