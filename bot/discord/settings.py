"""/settings: what a member, a game and a server have chosen, in one panel of three pages; nothing has to be typed."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, Literal

import discord
from discord import SelectOption, app_commands
from discord.app_commands import Choice

from bot.discord import components as ui
from bot.discord.context import Interaction
from bot.discord.errors import helping
from bot.discord.find_game import find_game, game_of_button, managed, manages, suggest_games
from bot.discord.game.action_commands import GAME_HELP
from bot.discord.game.buttons import NOWHERE, SETTINGS, Page
from bot.discord.game.clock import awake, usual
from bot.discord.game_master.commands import mastered, require_gm
from bot.discord.lengths import CHOICES, NAME, clip
from bot.discord.lobby.forum import press_show_forum
from bot.discord.lobby.noticeboard import press_call_role, press_show_noticeboard
from bot.discord.own.interests import press_interests
from bot.discord.picture_frequency import POSTING, POSTINGS
from bot.discord.responses import reply, titled
from bot.discord.time_zones import region, set_zone, suggest_zones, typed_zone
from bot.domain import deadlines
from bot.domain.deadlines import Clock
from bot.domain.waking_hours import DAY, LEAST, Hours, Nudges, checked, zones_at
from bot.service import Theme
from bot.store import Allowed, GameRow, MemberRow, Pings
from engine.orders import Ordering
from engine.refusals import Refusal
from engine.text import English, Text, count, lines, say, text, verbatim

PAGES: dict[Page, Text] = {"me": text("Me"), "game": text("This game"), "server": text("This server")}
PINGS: dict[Pings, Text] = {"all": text("Ping me for every move"), "reminders": text("Ping me only as a reminder"),
                            "none": text("Never ping me in a channel")}
NUDGES: dict[Nudges, Text] = {"growing": text("Remind me less and less often"),
                              "daily": text("Remind me every day"), "once": text("Remind me once"),
                              "none": text("Don't remind me")}
NudgesHere = Literal["usual", "growing", "daily", "once", "none"]       # in one game; usual: as in all games
USUAL: Final = "usual"
THEMES: dict[Theme, Text] = {"dark": text("Dark pictures"), "light": text("Light pictures")}
PRESS: dict[Allowed, Text] = {"all": text("Players can write to everybody and to each other"),
                              "public": text("Players can write to everybody"), "none": text("No messages through the bot")}
VEILS = (0, 15, 30, 60, 120, 240)       # minutes that answers by order can take, as they are offered


@app_commands.command(name="settings", description="Your settings, this game's and this server's")
@app_commands.describe(zone="Your time zone, by its city", game=GAME_HELP)
@app_commands.rename(zone="time_zone")
@app_commands.autocomplete(game=suggest_games)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
@app_commands.allowed_installs(guilds=True, users=True)
async def settings(interaction: Interaction, zone: str | None = None, game: str | None = None) -> None:
    """The panel, on the page of the caller; with a time zone, that is chosen first."""
    row = await _here(interaction, game)
    if zone is not None:
        await set_zone(interaction, typed_zone(zone))
    await show(interaction, "me", row)


@settings.autocomplete("zone")
@helping
async def _suggest_zones(interaction: Interaction, typed: str) -> list[Choice[str]]:
    return suggest_zones(typed)


async def _here(interaction: Interaction, wanted: str | None) -> GameRow | None:
    """The game that is meant, if there is one; where none or several are played, there is no page for a game."""
    if wanted is not None:
        return await find_game(interaction, wanted)
    try:
        return await find_game(interaction, None)
    except Refusal:
        return None


# --- the pages ---------------------------------------------------------------------------------------------

async def show(interaction: Interaction, page: Page, game: GameRow | None, note: Text | None = None) -> None:
    number = game.id if game is not None else NOWHERE
    if page == "game" and game is not None:
        words, items = await _game_page(interaction, game)
    elif page == "server" and interaction.guild_id is not None:
        words, items = await _server_page(interaction, interaction.guild_id, number)
    else:
        page, (words, items) = "me", await _own_page(interaction, number)
    hidden = {"game" if game is None else "", "server" if interaction.guild_id is None else ""}
    tabs = [ui.button(PAGES[tab], press_page, tab, number, style=ui.Style.primary if tab == page else ui.Style.secondary,
                      disabled=tab == page) for tab in PAGES if tab not in hidden]
    await _panel(interaction, [*([note] if note is not None else []), *words],
                 [*items[:ui.ROWS - 1], [*tabs, *(item for row in items[ui.ROWS - 1:] for item in row)]])


async def _panel(interaction: Interaction, words: Sequence[Text], rows: Iterable[Sequence[ui.Persistent]]) -> None:
    await reply(interaction, lines(words), ui.view(ui.in_rows(rows)))


async def _own_page(interaction: Interaction, game: int) -> tuple[list[Text], list[list[ui.Persistent]]]:
    user = interaction.user.id
    settings = interaction.client.services.settings
    row, theme = await settings.member(user), await settings.theme(interaction.guild_id, user)
    weekly = await interaction.client.services.weekly.own_weekly(user)
    words = [text("**Your settings**, in all games"), awake(row.hours),
             *([text("Choose your time zone, and then your waking hours.")] if row.hours is None else [])]
    turns = [ui.button(text("Time zone"), press_zone, game), ui.button(text("Waking hours"), press_awake, game),
             ui.button(_switch(text("Reminders by DM"), on=row.direct), press_direct, game, int(not row.direct)),
             ui.button(_switch(text("Tell me when I'm next"), on=row.upcoming), press_next, game, int(not row.upcoming)),
             ui.button(_switch(text("DM for each move"), on=row.notices), press_notices, game, int(not row.notices))]
    return words, [[_choice(PINGS, row.pings, press_pings, game)], [_choice(NUDGES, row.nudges, press_nudges, game)],
                   [_choice(THEMES, theme, press_theme, "me", game)], turns,
                   [ui.button(_switch(text("My week by DM"), on=weekly), press_weekly, game, int(not weekly)),
                    *([ui.button(text("Games I'd like"), press_interests)] if interaction.guild_id is not None else [])]]


async def _game_page(interaction: Interaction, game: GameRow) -> tuple[list[Text], list[list[ui.Persistent]]]:
    services, user = interaction.client.services, interaction.user.id
    game = await services.queries.game(game.id)
    ordering = services.session.spec(game.key).orders
    rules, press = await services.clocks.clock(game.id), await services.talk.press_allowed(game.id)
    words = [text("**{title}**, game {game}", title=verbatim(titled(game)), game=game.id),
             text("Time: {clock}. Each player can take {vacation} off and {extensions}.", clock=rules.clock.text(ordering),
                  vacation=count(rules.vacation, "{n} day", "{n} days"),
                  extensions=count(rules.extensions, "{n} extension", "{n} extensions")),
             text("Messages: {press}. {veil}.", press=PRESS[press], veil=_veil(game.veil)),
             text("{posting}.", posting=POSTINGS[game.posting])]
    items: list[list[ui.Persistent]] = []
    own = next((holder for holder in await services.queries.holders(game.id) if holder.user == user), None)
    if own is not None:
        items.append([ui.button(_switch(text("My secrets by DM"), on=own.private), press_private, game.id,
                                int(not own.private)), ui.button(text("Reminders here"), press_reminders, game.id)])
    if not await _masters(interaction, game):
        return [*words, text("Its game master can change this.")], items
    veils = [SelectOption(label=say(_veil(minutes), English()), value=str(minutes), default=minutes == game.veil)
             for minutes in sorted({*VEILS, game.veil})]
    return words, [[_clocks(rules.clock, ordering, "game", game.id)], [_choice(PRESS, press, press_who_writes, game.id)],
                   [ui.select(veils, press_veil, game.id)],
                   [*(items[0] if items else []), ui.button(text("Days and extensions"), press_form, game.id),
                    ui.button(text("Pictures"), POSTING, "game", game.id)]]


def _veil(minutes: int) -> Text:
    """How long answers by standing orders take."""
    if not minutes:
        return text("Standing orders move at once")
    return text("Standing orders take up to {minutes}, as people do", minutes=count(minutes, "{n} minute", "{n} minutes"))


async def _server_page(interaction: Interaction, guild: int, game: int) -> tuple[list[Text], list[list[ui.Persistent]]]:
    services = interaction.client.services
    settings = services.settings
    clock, theme, role = await settings.server_clock(guild), await settings.theme(guild), await settings.gm_role(guild)
    posting = POSTINGS[await settings.server_posting(guild)]
    words = [text("**This server**"), text("New games have {clock}. {posting}.", clock=clock.text(), posting=posting),
             text("Members with the role {role} are game masters.", role=verbatim(f"<@&{role}>")) if role else
             text("Whoever opens a game is its game master.")]
    if not await manages(interaction):
        return [*words, text("Members who can manage this server can change this.")], []
    items = [[_clocks(clock, None, "server", game)], [_choice(THEMES, theme, press_theme, "server", game)]]
    more = [ui.button(text("Pictures of new games"), POSTING, "server", game),
            ui.button(text("Noticeboard"), press_show_noticeboard), ui.button(text("Forum for games"), press_show_forum)]
    if interaction.permissions.manage_guild:
        items.append([ui.role_select(press_role, game, hint=say(text("Role of the game masters"), English()))])
        more += [ui.button(text("No game master role"), press_no_role, game)] if role else []
        more.append(ui.button(text("Role that is pinged"), press_call_role))
    return words, [*items, more]


def _switch(what: Text, *, on: bool) -> Text:
    return text("{what}: on", what=what) if on else text("{what}: off", what=what)


def _choice(known: dict[Pings, Text] | dict[Nudges, Text] | dict[Theme, Text] | dict[Allowed, Text], now: str,
            route: ui.Route[*ui.Facts, ui.Chosen], *facts: *ui.Facts) -> ui.Persistent:
    return ui.select([SelectOption(label=say(words, English()), value=value, default=value == now)
                      for value, words in known.items()], route, *facts)


def _clocks(now: Clock, ordering: Ordering | None, whose: str, game: int) -> ui.Persistent:
    """A select of the usual clocks, and of the present one if it is another; of a game, as they are for it."""
    now = now.suited(ordering)
    known = dict.fromkeys([*usual(ordering), now])
    return ui.select([SelectOption(label=clip(say(text("Clock: {clock}", clock=clock.text(ordering)), English()), NAME),
                                   value=clock.written(), default=clock == now) for clock in known], press_clock, whose, game)


async def _masters(interaction: Interaction, game: GameRow) -> bool:
    try:
        await require_gm(interaction, game)
    except Refusal:
        return False
    return True


# --- time zone and waking hours ----------------------------------------------------------------------------------

async def _ask_zone(interaction: Interaction, game: int) -> None:
    """The first step to a time zone: which hour it is."""
    await _panel(interaction, [text("What time is it where you are?")], [
        [ui.select([SelectOption(label=f"{hour}:00 – {hour}:59", value=str(hour)) for hour in range(DAY)], press_hour, game)],
        [ui.button(text("Back"), press_page, "me", game)]])


async def _ask_city(interaction: Interaction, game: int, hour: int, page: int) -> None:
    """The second step: a city in which it is this hour."""
    found = zones_at(hour, discord.utils.utcnow())
    shown = found[page * CHOICES:(page + 1) * CHOICES]
    if not shown:
        raise Refusal("It isn't that hour anywhere now. Choose the hour again.")
    turns = [ui.button(text("Back"), press_zone, game)]
    if page:
        turns.append(ui.button(text("Previous"), press_zone_page, game, hour, page - 1))
    if len(found) > (page + 1) * CHOICES:
        turns.append(ui.button(text("More"), press_zone_page, game, hour, page + 1))
    await _panel(interaction, [text("Choose a city with your time. `/settings time_zone` finds any city by name.")], [
        [ui.select([SelectOption(label=clip(region(zone), NAME), value=zone) for zone in shown], press_city, game)], turns])


async def _change(interaction: Interaction, game: int, now: MemberRow, note: Text) -> None:
    """Store what the presser has chosen, and show the page again."""
    await interaction.client.services.settings.set_member(interaction.user.id, now)
    await show(interaction, "me", await _known(interaction, game), note)


async def _known(interaction: Interaction, game: int) -> GameRow | None:
    if game == NOWHERE:
        return None
    row = await game_of_button(interaction, game)
    return row


# --- presses -----------------------------------------------------------------------------------------------------

@ui.pressed(SETTINGS)
async def press_page(interaction: Interaction, page: Page, game: int) -> None:
    await show(interaction, page, await _known(interaction, game))


@ui.pressed("setpings")
async def press_pings(interaction: Interaction, game: int, pings: Pings) -> None:
    row = await interaction.client.services.settings.member(interaction.user.id)
    await _change(interaction, game, replace(row, pings=pings), text("Saved: {chosen}.", chosen=PINGS[pings]))


@ui.pressed("setnudges")
async def press_nudges(interaction: Interaction, game: int, nudges: Nudges) -> None:
    row = await interaction.client.services.settings.member(interaction.user.id)
    await _change(interaction, game, replace(row, nudges=nudges), text("Saved: {chosen}.", chosen=NUDGES[nudges]))


@ui.pressed("setnotices")
async def press_notices(interaction: Interaction, game: int, on: int) -> None:
    row = await interaction.client.services.settings.member(interaction.user.id)
    await _change(interaction, game, replace(row, notices=on == 1),
                  text("I'll send you a DM for each move, a few minutes after it's your move.") if on == 1 else
                  text("I'll no longer send you a DM for each move."))


@ui.pressed("setweekly")
async def press_weekly(interaction: Interaction, game: int, on: int) -> None:
    """Whether a direct message tells the presser once a week how all own games stand."""
    await interaction.client.services.weekly.want_own_weekly(interaction.user.id, wanted=on == 1)
    await show(interaction, "me", await _known(interaction, game),
               text("Once a week I'll send you a DM: all your games, their points, and how they have changed.") if on == 1 else
               text("I'll no longer send you your week."))


@ui.pressed("reminders")
async def press_reminders(interaction: Interaction, game: int) -> None:
    row = await game_of_button(interaction, game)
    now = await interaction.client.services.settings.nudges(game, interaction.user.id) or USUAL
    known = [(USUAL, text("As in all my games")), *NUDGES.items()]
    listed = [SelectOption(label=say(words, English()), value=value, default=value == now) for value, words in known]
    await _panel(interaction, [text("How often shall I remind you in {title}?", title=verbatim(titled(row)))],
                 [[ui.select(listed, press_game_nudges, game)], [ui.button(text("Back"), press_page, "game", game)]])


@ui.pressed("gamenudges")
async def press_game_nudges(interaction: Interaction, game: int, here: NudgesHere) -> None:
    row = await game_of_button(interaction, game)
    await interaction.client.services.settings.set_nudges(game, interaction.user.id, None if here == USUAL else here)
    told = text("As in all my games") if here == USUAL else NUDGES[here]
    await show(interaction, "game", row, text("Saved for this game: {chosen}.", chosen=told))


@ui.pressed("setdirect")
async def press_direct(interaction: Interaction, game: int, on: int) -> None:
    row = await interaction.client.services.settings.member(interaction.user.id)
    await _change(interaction, game, replace(row, direct=on == 1),
                  text("I'll remind you by DM, if you allow DMs.") if on == 1 else
                  text("I'll remind you in the game's channel."))


@ui.pressed("setnext")
async def press_next(interaction: Interaction, game: int, on: int) -> None:
    row = await interaction.client.services.settings.member(interaction.user.id)
    await _change(interaction, game, replace(row, upcoming=on == 1),
                  text("I'll tell you when you're next.") if on == 1 else text("I'll no longer tell you when you're next."))


@ui.pressed("settheme")
async def press_theme(interaction: Interaction, whom: str, game: int, theme: Theme) -> None:
    if whom == "server":
        await interaction.client.services.settings.set_server_theme(await managed(interaction), theme)
        await show(interaction, "server", await _known(interaction, game))
        return
    await interaction.client.services.settings.set_member_theme(interaction.user.id, theme)
    await show(interaction, "me", await _known(interaction, game))


@ui.pressed("setzone")
async def press_zone(interaction: Interaction, game: int) -> None:
    await _ask_zone(interaction, game)


@ui.pressed("zonehour")
async def press_hour(interaction: Interaction, game: int, hour: int) -> None:
    await _ask_city(interaction, game, hour, 0)


@ui.pressed("zonepage")
async def press_zone_page(interaction: Interaction, game: int, hour: int, page: int) -> None:
    await _ask_city(interaction, game, hour, page)


@ui.pressed("zonepick")
async def press_city(interaction: Interaction, game: int, zone: str) -> None:
    await set_zone(interaction, zone)
    await show(interaction, "me", await _known(interaction, game))


@ui.pressed("setawake")
async def press_awake(interaction: Interaction, game: int) -> None:
    """Choose waking hours: first from when."""
    if (await interaction.client.services.settings.member(interaction.user.id)).hours is None:
        await _ask_zone(interaction, game)
        return
    await _panel(interaction, [text("From which hour can you play?")], [
        [ui.select([SelectOption(label=f"{hour}:00", value=str(hour)) for hour in range(DAY)], press_wake, game)],
        [ui.button(text("Day and night"), press_hours, game, 0, 0), ui.button(text("Back"), press_page, "me", game)]])


@ui.pressed("setwake")
async def press_wake(interaction: Interaction, game: int, wake: int) -> None:
    """Then until when, at least eight hours later."""
    later = [(wake + hours) % DAY for hours in range(LEAST, DAY)]
    await _panel(interaction, [text("From {wake}:00 until which hour?", wake=wake)], [
        [ui.select([SelectOption(label=f"{hour}:00", value=str(hour)) for hour in later], press_hours, game, wake)],
        [ui.button(text("Back"), press_awake, game)]])


@ui.pressed("sethours")
async def press_hours(interaction: Interaction, game: int, wake: int, sleep: int) -> None:
    row = await interaction.client.services.settings.member(interaction.user.id)
    zone = row.hours.zone if row.hours is not None else Hours().zone
    await _change(interaction, game, replace(row, hours=checked(zone, wake, sleep)),
                  text("Your clock and my reminders keep to these hours."))


@ui.pressed("setprivate")
async def press_private(interaction: Interaction, game: int, on: int) -> None:
    """Whether what only a seat may see comes as a direct message."""
    row = await interaction.client.services.queries.game(game)
    interaction.extras["game"] = row
    await interaction.client.services.seats.set_private(row.id, interaction.user.id, on == 1)
    outbox = interaction.client.outbox
    seat = await interaction.client.services.queries.seat_of(row.id, interaction.user.id)
    note: Text | None = None
    if on == 1 and seat is not None and not await outbox.open_private(row.id, seat):
        note = text("I can't send you DMs. Allow DMs from members of this server.")
    await show(interaction, "game", row, note)


@ui.pressed("setclock")
async def press_clock(interaction: Interaction, whose: str, game: int, clock: str) -> None:
    wanted, services = deadlines.read(clock), interaction.client.services
    if whose == "server":
        await services.settings.set_server_clock(await managed(interaction), wanted)
        await show(interaction, "server", await _known(interaction, game))
        return
    row = await mastered(interaction, game)
    await services.clocks.set_clock(row.id, interaction.user.id, clock=wanted)
    await show(interaction, "game", row)


@ui.opening("formclock")
async def press_form(interaction: Interaction, game: int) -> ui.Form:
    rules = await interaction.client.services.clocks.clock(game)
    return ui.Form(text("Days and extensions"), press_limits, game, fields=(
        ui.field(text("Days of vacation for each player"), value=str(rules.vacation), most=3),
        ui.field(text("Extensions for each player"), value=str(rules.extensions), most=2)))


@ui.pressed("setlimits")
async def press_limits(interaction: Interaction, game: int, vacation: str, extensions: str) -> None:
    row = await mastered(interaction, game)
    note: Text | None = None
    try:
        days, times = int(vacation), int(extensions)
        await interaction.client.services.clocks.set_clock(row.id, interaction.user.id, vacation=days, extensions=times)
    except ValueError:
        note = text("Days and extensions must be whole numbers, such as 21 and 2.")
    except Refusal as why:
        note = why.text
    await show(interaction, "game", row, note)


@ui.pressed("setpress")
async def press_who_writes(interaction: Interaction, game: int, allowed: Allowed) -> None:
    row = await mastered(interaction, game)
    await interaction.client.services.talk.allow_press(row.id, allowed, interaction.user.id)
    await show(interaction, "game", row)


@ui.pressed("setveil")
async def press_veil(interaction: Interaction, game: int, minutes: int) -> None:
    row = await mastered(interaction, game)
    await interaction.client.services.orders.set_veil(row.id, minutes, interaction.user.id)
    await show(interaction, "game", row)


@ui.pressed("setrole")
async def press_role(interaction: Interaction, game: int, role: int) -> None:
    await _set_role(interaction, game, role)


@ui.pressed("norole")
async def press_no_role(interaction: Interaction, game: int) -> None:
    await _set_role(interaction, game, None)


async def _set_role(interaction: Interaction, game: int, role: int | None) -> None:
    if interaction.guild_id is None or not interaction.permissions.manage_guild:
        raise Refusal("Only members who can manage this server can set its game master role.")
    await interaction.client.services.settings.set_gm_role(interaction.guild_id, role)
    await show(interaction, "server", await _known(interaction, game))
