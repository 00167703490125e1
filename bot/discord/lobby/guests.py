"""Who can join a game and what can be seen, for whoever asks; its game master also invites and removes members, opens it to
everybody or to invited ones only, and names another game master."""
from __future__ import annotations

from discord import SelectOption, app_commands

from bot.core.requirements import PLAYED, require
from bot.discord.components import Persistent, button, in_rows, member_select, pressed, select, user_select, view
from bot.discord.context import Interaction
from bot.discord.find_game import game_of_button, suggest_games
from bot.discord.game.action_commands import GAME_HELP
from bot.discord.game_master.commands import Moderator, gm_game, mastered, may_master
from bot.discord.game_master.succession import press_master
from bot.discord.lengths import NAME, clip
from bot.discord.lobby.buttons import GUESTS, back
from bot.discord.lobby.gone_players import press_gone
from bot.discord.lobby.open_game import EVERYBODY, INVITED, rights
from bot.discord.responses import reply, titled
from bot.domain.announcements import member
from bot.store import GameRow
from bot.store.seats import Newcomers
from engine.text import English, Text, lines, say, text, verbatim

NEWCOMERS: dict[Newcomers, Text] = {
    "free": text("Free seats: anybody can take one"), "asked": text("Free seats: the game master decides"),
    "none": text("Free seats: nobody can take one")}


def add_guests(group: Moderator) -> None:
    @group.command(name="guests", description="Who can join, and who can take over a free seat later; invite players")
    @app_commands.describe(game=GAME_HELP)
    @app_commands.autocomplete(game=suggest_games)
    async def guests(interaction: Interaction, game: str | None = None) -> None:
        await show_guests(interaction, await gm_game(interaction, game))


async def show_guests(interaction: Interaction, game: GameRow, note: Text | None = None) -> None:
    """Who has joined, and what can be changed; once the game is under way, who can take over a free seat."""
    services = interaction.client.services
    require(game, ("open", *PLAYED))
    only, who = await services.lobby.invite_only(game.id), await services.free_seats.newcomers(game.id)
    title, joined, told = verbatim(titled(game)), dict[int, str](), list[Text]()
    if game.status == "open":
        joined = {holder.user: holder.name for holder in await services.queries.holders(game.id) if holder.user is not None}
        head = text("Nobody has joined {title} yet.", title=title) if not joined else text(
            "Players of {title}: {members}.", title=title, members=tuple(map(member, joined)))
        told = [text("- {right}", right=right) for right in await rights(services, game)]
    else:
        free = tuple(one.seat for one in await services.free_seats.free_seats(game.id))
        head = text("Free in {title}: {seats}.", title=title, seats=free) if free else text("No seat is free in {title}.",
                                                                                             title=title)
        told = [INVITED if only else EVERYBODY]
    listed = [SelectOption(label=clip(name or str(user), NAME), value=str(user)) for user, name in joined.items()]
    rows: list[list[Persistent]] = []
    if await may_master(interaction, game):
        told.append(text("The last menu names the game master: better someone who doesn't play."))
        later = select([SelectOption(label=say(words, English()), value=value, default=value == who)
                        for value, words in NEWCOMERS.items()], press_newcomers, game.id)
        rows = [[user_select(press_invite, game.id, hint=text("Invite a member"))],
                [select(listed, press_remove, game.id, hint=text("Remove a player"))] if listed else [], [later],
                [member_select(press_master, game.id, chosen=game.owner)] if game.status == "open" else [],
                [button(text("Open it to everybody") if only else text("By invitation only"), press_only, game.id, int(not only)),
                 button(text("Players who are gone"), press_gone, game.id)]]
    rows = [*rows[:-1], [*(rows[-1] if rows else []), back(game.id)]]
    await reply(interaction, lines([*([note] if note is not None else []), head, *told]), view(in_rows(rows)))


@pressed(GUESTS)
async def press_guests(interaction: Interaction, game: int) -> None:
    await show_guests(interaction, await game_of_button(interaction, game))


@pressed("guestinvite")
async def press_invite(interaction: Interaction, game: int, user: int) -> None:
    row, services = await mastered(interaction, game), interaction.client.services
    invite = services.lobby.invite if row.status == "open" else services.free_seats.invite_to_seat
    await invite(game, user, interaction.user.id)
    await show_guests(interaction, row, text("{member} is invited.", member=member(user)))


@pressed("guestremove")
async def press_remove(interaction: Interaction, game: int, user: int) -> None:
    row = await mastered(interaction, game)
    await interaction.client.services.lobby.remove(game, user, interaction.user.id)
    await show_guests(interaction, row, text("{member} is out of the game.", member=member(user)))


@pressed("newcomers")
async def press_newcomers(interaction: Interaction, game: int, who: Newcomers) -> None:
    row = await mastered(interaction, game)
    await interaction.client.services.free_seats.set_newcomers(game, interaction.user.id, who)
    await show_guests(interaction, row)


@pressed("guestonly")
async def press_only(interaction: Interaction, game: int, on: int) -> None:
    row = await mastered(interaction, game)
    await interaction.client.services.lobby.set_invite_only(game, interaction.user.id, only=on == 1)
    await show_guests(interaction, row)
