"""/settings: what a member, a game and a server have chosen, in one panel of three pages; nothing has to be typed."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, Literal

import discord
from discord import SelectOption, app_commands
from discord.app_commands import Choice

from bot.core.visit import Visit
from bot.discord import components as ui
from bot.discord.context import Interaction
from bot.discord.errors import helping
from bot.discord.find_game import about_a_game, managed, may_manage, visit_meant
from bot.discord.game.buttons import SETTINGS, Page
from bot.discord.game.clock import awake, usual
from bot.discord.game_master.commands import may_master, require_gm
from bot.discord.language_choice import language_button
from bot.discord.lengths import CHOICES, NAME, clip
from bot.discord.lobby.forum import on_show_forum
from bot.discord.lobby.noticeboard import on_call_role, on_show_noticeboard
from bot.discord.own.interests import on_interests
from bot.discord.picture_frequency import POSTING, POSTINGS
from bot.discord.responses import reply, titled
from bot.discord.time_zones import in_zone, region, suggest_zones, typed_zone
from bot.discord.visits import again, number_of
from bot.domain import deadlines
from bot.domain.deadlines import Clock
from bot.domain.waking_hours import DAY, LEAST, Hours, Nudges, checked, zones_at
from bot.store import Allowed, MemberRow, Pings, Theme
from engine.orders import Ordering
from engine.refusals import Refusal
from engine.text import Text, count, lines, say, text, verbatim

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
THEME = ui.Route[str, int, Theme]("settheme")          # "server" or "me", game, theme
CLOCK = ui.Route[str, int, str]("setclock")             # "server" or "game", game, clock
VEILS = (0, 15, 30, 60, 120, 240)       # minutes that answers by order can take, as they are offered


@app_commands.command(name="settings", description="Your settings, this game's and this server's")
@about_a_game(zone="Your time zone, by its city")
@app_commands.rename(zone="time_zone")
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
@app_commands.allowed_installs(guilds=True, users=True)
async def settings(interaction: Interaction, zone: str | None = None, game: str | None = None) -> None:
    """The panel, on the page of the caller; with a time zone, that is chosen first."""
    visit = await _here(interaction, game)
    if zone is not None:
        await _choose_zone(interaction, visit, typed_zone(zone))
    await show(interaction, "me", visit)


@settings.autocomplete("zone")
@helping
async def _suggest_zones(interaction: Interaction, typed: str) -> list[Choice[str]]:
    return suggest_zones(typed)


async def _here(interaction: Interaction, wanted: str | None) -> Visit | None:
    """The game that is meant, if there is one; where none or several are played, there is no page for a game."""
    try:
        return await visit_meant(interaction, wanted)
    except Refusal:
        if wanted is not None:
            raise
        return None


# --- the pages ---------------------------------------------------------------------------------------------

async def show(interaction: Interaction, page: Page, visit: Visit | None, note: Text | None = None) -> None:
    number = number_of(visit)
    if page == "game" and visit is not None:
        words, items = await _game_page(interaction, visit)
    elif page == "server" and interaction.guild_id is not None:
        words, items = await _server_page(interaction, interaction.guild_id, number)
    else:
        page, (words, items) = "me", await _own_page(interaction, number)
    hidden = {"game" if visit is None else "", "server" if interaction.guild_id is None else ""}
    tabs = [ui.button(PAGES[tab], on_page, tab, number, style=ui.Style.primary if tab == page else ui.Style.secondary,
                      disabled=tab == page) for tab in PAGES if tab not in hidden]
    await _panel(interaction, [*([note] if note is not None else []), *words],
                 [*items[:ui.ROWS - 1], [*tabs, *(item for row in items[ui.ROWS - 1:] for item in row)]])


async def _panel(interaction: Interaction, words: Sequence[Text], rows: Iterable[Sequence[ui.Persistent]]) -> None:
    await reply(interaction, lines(words), ui.view(ui.in_rows(rows)))


async def _own_page(interaction: Interaction, game: int) -> tuple[list[Text], list[list[ui.Persistent]]]:
    row, theme, weekly = await interaction.client.services.settings.own(interaction.user.id, interaction.guild_id)
    words = [text("**Your settings**, in all games"), awake(row.hours),
             *([text("Choose your time zone, and then your waking hours.")] if row.hours is None else [])]
    turns = [*language_button("me", game), ui.button(text("Waking hours"), on_awake, game),
             ui.button(_switch(text("Reminders by DM"), on=row.direct), on_direct, game, int(not row.direct)),
             ui.button(_switch(text("Tell me when I'm next"), on=row.upcoming), on_next, game, int(not row.upcoming)),
             ui.button(_switch(text("DM for each move"), on=row.notices), on_notices, game, int(not row.notices))]
    return words, [[_choice(PINGS, row.pings, on_pings, game)], [_choice(NUDGES, row.nudges, on_nudges, game)],
                   [_choice(THEMES, theme, on_theme, "me", game)], turns,
                   [ui.button(_switch(text("My week by DM"), on=weekly), on_weekly, game, int(not weekly)),
                    *([ui.button(text("Games I'd like"), on_interests)] if interaction.guild_id is not None else [])]]


async def _game_page(interaction: Interaction, visit: Visit) -> tuple[list[Text], list[list[ui.Persistent]]]:
    game, ordering, rules = visit.game, visit.spec.orders, visit.snapshot.clock
    words = [text("**{title}**, game {game}", title=verbatim(titled(game)), game=game.id),
             text("Time: {clock}. Each player can take {vacation} off and {extensions}.", clock=rules.clock.text(ordering),
                  vacation=count(rules.vacation, "{n} day", "{n} days"),
                  extensions=count(rules.extensions, "{n} extension", "{n} extensions")),
             text("Messages: {press}. {veil}.", press=PRESS[game.allowed], veil=_veil(game.veil)),
             text("{posting}.", posting=POSTINGS[game.posting])]
    items: list[list[ui.Persistent]] = []
    own = next((holder for holder in visit.holders if holder.user == visit.user), None)
    if own is not None:
        items.append([ui.button(_switch(text("My secrets by DM"), on=own.private), on_private, game.id,
                                int(not own.private)), ui.button(text("Reminders here"), on_reminders, game.id)])
    if not await may_master(interaction, visit):
        return [*words, text("Its game master can change this.")], items
    veils = [SelectOption(label=say(_veil(minutes)), value=str(minutes), default=minutes == game.veil)
             for minutes in sorted({*VEILS, game.veil})]
    return words, [[_clocks(rules.clock, ordering, "game", game.id)], [_choice(PRESS, game.allowed, on_who_writes, game.id)],
                   [ui.select(veils, on_veil, game.id)],
                   [*(items[0] if items else []), ui.button(text("Days and extensions"), on_form, game.id),
                    ui.button(text("Pictures"), POSTING, "game", game.id), *language_button("game", game.id)]]


def _veil(minutes: int) -> Text:
    """How long answers by standing orders take."""
    if not minutes:
        return text("Standing orders move at once")
    return text("Standing orders take up to {minutes}, as people do", minutes=count(minutes, "{n} minute", "{n} minutes"))


async def _server_page(interaction: Interaction, guild: int, game: int) -> tuple[list[Text], list[list[ui.Persistent]]]:
    server = await interaction.client.services.settings.server(guild)
    clock, role = server.clock, server.gm_role
    words = [text("**This server**"), text("New games have {clock}. {posting}.", clock=clock.text(),
                                           posting=POSTINGS[server.posting]),
             text("Members with the role {role} are game masters.", role=verbatim(f"<@&{role}>")) if role else
             text("Whoever opens a game is its game master.")]
    if not may_manage(interaction, role):
        return [*words, text("Members who can manage this server can change this.")], []
    items = [[_clocks(clock, None, "server", game)], [_choice(THEMES, server.theme, on_theme, "server", game)]]
    more = [ui.button(text("Pictures of new games"), POSTING, "server", game),
            ui.button(text("Noticeboard"), on_show_noticeboard), ui.button(text("Forum for games"), on_show_forum)]
    if interaction.permissions.manage_guild:
        items.append([ui.role_select(on_role, game, hint=say(text("Role of the game masters")))])
        more += [ui.button(text("No game master role"), on_no_role, game)] if role else []
        more.append(ui.button(text("Role that is pinged"), on_call_role))
    more += language_button("server", game)
    return words, [*items, more[:ui.ROWS], more[ui.ROWS:]]


def _switch(what: Text, *, on: bool) -> Text:
    return text("{what}: on", what=what) if on else text("{what}: off", what=what)


def _choice(known: dict[Pings, Text] | dict[Nudges, Text] | dict[Theme, Text] | dict[Allowed, Text], now: str,
            route: ui.Route[*ui.Facts, ui.Chosen], *facts: *ui.Facts) -> ui.Persistent:
    return ui.select([SelectOption(label=say(words), value=value, default=value == now)
                      for value, words in known.items()], route, *facts)


def _clocks(now: Clock, ordering: Ordering | None, whose: str, game: int) -> ui.Persistent:
    """A select of the usual clocks, and of the present one if it is another; of a game, as they are for it."""
    now = now.suited(ordering)
    known = dict.fromkeys([*usual(ordering), now])
    return ui.select([SelectOption(label=clip(say(text("Clock: {clock}", clock=clock.text(ordering))), NAME),
                                   value=clock.written(), default=clock == now) for clock in known], on_clock, whose, game)


# --- time zone and waking hours ----------------------------------------------------------------------------------

async def _ask_zone(interaction: Interaction, game: int) -> None:
    """The first step to a time zone: which hour it is."""
    await _panel(interaction, [text("What time is it where you are?")], [
        [ui.select([SelectOption(label=f"{hour}:00 – {hour}:59", value=str(hour)) for hour in range(DAY)], on_hour, game)],
        [ui.button(text("Back"), on_page, "me", game)]])


async def _ask_city(interaction: Interaction, game: int, hour: int, page: int) -> None:
    """The second step: a city in which it is this hour."""
    found = zones_at(hour, discord.utils.utcnow())
    shown = found[page * CHOICES:(page + 1) * CHOICES]
    if not shown:
        raise Refusal("It isn't that hour anywhere now. Choose the hour again.")
    turns = [ui.button(text("Back"), on_zone, game)]
    if page:
        turns.append(ui.button(text("Previous"), on_zone_page, game, hour, page - 1))
    if len(found) > (page + 1) * CHOICES:
        turns.append(ui.button(text("More"), on_zone_page, game, hour, page + 1))
    await _panel(interaction, [text("Choose a city with your time. `/settings time_zone` finds any city by name.")], [
        [ui.select([SelectOption(label=clip(region(zone), NAME), value=zone) for zone in shown], on_city, game)], turns])


async def _change(interaction: Interaction, visit: Visit | None, note: Text, **chosen: Any) -> None:
    """Store what the presser has chosen, and show the page again."""
    await _choose(interaction, replace(await _chosen(interaction, visit), **chosen))
    await show(interaction, "me", visit, note)


async def _choose_zone(interaction: Interaction, visit: Visit | None, zone: str) -> None:
    chosen = await _chosen(interaction, visit)
    await _choose(interaction, replace(chosen, hours=in_zone(chosen.hours, zone)))


async def _choose(interaction: Interaction, chosen: MemberRow) -> None:
    await interaction.client.services.settings.set_member(interaction.user.id, chosen)


async def _chosen(interaction: Interaction, visit: Visit | None) -> MemberRow:
    return visit.facts.chosen if visit is not None else await interaction.client.services.settings.member(interaction.user.id)


# --- presses -----------------------------------------------------------------------------------------------------

@ui.in_game(SETTINGS)
async def on_page(interaction: Interaction, page: Page, visit: Visit | None) -> None:
    await show(interaction, page, visit)


@ui.in_game("setpings")
async def on_pings(interaction: Interaction, visit: Visit | None, pings: Pings) -> None:
    await _change(interaction, visit, text("Saved: {chosen}.", chosen=PINGS[pings]), pings=pings)


@ui.in_game("setnudges")
async def on_nudges(interaction: Interaction, visit: Visit | None, nudges: Nudges) -> None:
    await _change(interaction, visit, text("Saved: {chosen}.", chosen=NUDGES[nudges]), nudges=nudges)


@ui.in_game("setnotices")
async def on_notices(interaction: Interaction, visit: Visit | None, on: int) -> None:
    note = (text("I'll send you a DM for each move, a few minutes after it's your move.") if on == 1 else
            text("I'll no longer send you a DM for each move."))
    await _change(interaction, visit, note, notices=on == 1)


@ui.in_game("setweekly")
async def on_weekly(interaction: Interaction, visit: Visit | None, on: int) -> None:
    """Whether a direct message tells the presser once a week how all own games stand."""
    await interaction.client.services.weekly.want_own_weekly(interaction.user.id, wanted=on == 1)
    await show(interaction, "me", visit,
               text("Once a week I'll send you a DM: all your games, their points, and how they have changed.") if on == 1 else
               text("I'll no longer send you your week."))


@ui.in_game("reminders")
async def on_reminders(interaction: Interaction, visit: Visit) -> None:
    now = await interaction.client.services.settings.nudges(visit.id, visit.user) or USUAL
    known = [(USUAL, text("As in all my games")), *NUDGES.items()]
    listed = [SelectOption(label=say(words), value=value, default=value == now) for value, words in known]
    await _panel(interaction, [text("How often shall I remind you in {title}?", title=verbatim(titled(visit.game)))],
                 [[ui.select(listed, on_game_nudges, visit.id)], [ui.button(text("Back"), on_page, "game", visit.id)]])


@ui.in_game("gamenudges")
async def on_game_nudges(interaction: Interaction, visit: Visit, here: NudgesHere) -> None:
    await interaction.client.services.settings.set_nudges(visit.id, visit.user, None if here == USUAL else here)
    told = text("As in all my games") if here == USUAL else NUDGES[here]
    await show(interaction, "game", visit, text("Saved for this game: {chosen}.", chosen=told))


@ui.in_game("setdirect")
async def on_direct(interaction: Interaction, visit: Visit | None, on: int) -> None:
    await _change(interaction, visit, text("I'll remind you by DM, if you allow DMs.") if on == 1 else
                  text("I'll remind you in the game's channel."), direct=on == 1)


@ui.in_game("setnext")
async def on_next(interaction: Interaction, visit: Visit | None, on: int) -> None:
    await _change(interaction, visit, text("I'll tell you when you're next.") if on == 1 else
                  text("I'll no longer tell you when you're next."), upcoming=on == 1)


@ui.in_game(THEME)
async def on_theme(interaction: Interaction, whom: str, visit: Visit | None, theme: Theme) -> None:
    settings = interaction.client.services.settings
    if whom == "server":
        await settings.set_server_theme(await managed(interaction), theme)
    else:
        await settings.set_member_theme(interaction.user.id, theme)
    await show(interaction, "server" if whom == "server" else "me", visit)


@ui.in_game("setzone")
async def on_zone(interaction: Interaction, visit: Visit | None) -> None:
    await _ask_zone(interaction, number_of(visit))


@ui.in_game("zonehour")
async def on_hour(interaction: Interaction, visit: Visit | None, hour: int) -> None:
    await _ask_city(interaction, number_of(visit), hour, 0)


@ui.in_game("zonepage")
async def on_zone_page(interaction: Interaction, visit: Visit | None, hour: int, page: int) -> None:
    await _ask_city(interaction, number_of(visit), hour, page)


@ui.in_game("zonepick")
async def on_city(interaction: Interaction, visit: Visit | None, zone: str) -> None:
    await _choose_zone(interaction, visit, zone)
    await show(interaction, "me", visit)


@ui.in_game("setawake")
async def on_awake(interaction: Interaction, visit: Visit | None) -> None:
    """Choose waking hours: first from when."""
    game = number_of(visit)
    if (await _chosen(interaction, visit)).hours is None:
        await _ask_zone(interaction, game)
        return
    await _panel(interaction, [text("From which hour can you play?")], [
        [ui.select([SelectOption(label=f"{hour}:00", value=str(hour)) for hour in range(DAY)], on_wake, game)],
        [ui.button(text("Day and night"), on_hours, game, 0, 0), ui.button(text("Time zone"), on_zone, game),
         ui.button(text("Back"), on_page, "me", game)]])


@ui.in_game("setwake")
async def on_wake(interaction: Interaction, visit: Visit | None, wake: int) -> None:
    """Then until when, at least eight hours later."""
    game, later = number_of(visit), [(wake + hours) % DAY for hours in range(LEAST, DAY)]
    await _panel(interaction, [text("From {wake}:00 until which hour?", wake=wake)], [
        [ui.select([SelectOption(label=f"{hour}:00", value=str(hour)) for hour in later], on_hours, game, wake)],
        [ui.button(text("Back"), on_awake, game)]])


@ui.in_game("sethours")
async def on_hours(interaction: Interaction, visit: Visit | None, wake: int, sleep: int) -> None:
    zone = ((await _chosen(interaction, visit)).hours or Hours()).zone
    await _change(interaction, visit, text("Your clock and my reminders keep to these hours."), hours=checked(zone, wake, sleep))


@ui.in_game("setprivate")
async def on_private(interaction: Interaction, visit: Visit, on: int) -> None:
    """Whether what only a seat may see comes as a direct message."""
    await interaction.client.services.seats.set_private(visit.id, visit.user, on == 1)
    note: Text | None = None
    if on == 1 and visit.seat is not None and not await interaction.client.outbox.open_private(visit.id, visit.seat):
        note = text("I can't send you DMs. Allow DMs from members of this server.")
    await _again(interaction, visit, note)


async def _again(interaction: Interaction, visit: Visit, note: Text | None = None) -> None:
    """The page of a game that has been changed."""
    await show(interaction, "game", await again(interaction, visit.id), note)


@ui.in_game(CLOCK)
async def on_clock(interaction: Interaction, whose: str, visit: Visit | None, clock: str) -> None:
    wanted, services = deadlines.read(clock), interaction.client.services
    if visit is None or whose == "server":
        await services.settings.set_server_clock(await managed(interaction), wanted)
        await show(interaction, "server", visit)
        return
    await require_gm(interaction, visit)
    await services.clocks.set_clock(visit.id, visit.user, clock=wanted)
    await _again(interaction, visit)


@ui.opening_in_game("formclock")
async def on_form(interaction: Interaction, visit: Visit) -> ui.Form:
    rules = visit.snapshot.clock
    return ui.Form(text("Days and extensions"), on_limits, visit.id, fields=(
        ui.field(text("Days of vacation for each player"), value=str(rules.vacation), most=3),
        ui.field(text("Extensions for each player"), value=str(rules.extensions), most=2)))


@ui.in_game("setlimits")
async def on_limits(interaction: Interaction, visit: Visit, vacation: str, extensions: str) -> None:
    await require_gm(interaction, visit)
    note: Text | None = None
    try:
        days, times = int(vacation), int(extensions)
        await interaction.client.services.clocks.set_clock(visit.id, visit.user, vacation=days, extensions=times)
    except ValueError:
        note = text("Days and extensions must be whole numbers, such as 21 and 2.")
    except Refusal as why:
        note = why.text
    await _again(interaction, visit, note)


@ui.in_game("setpress")
async def on_who_writes(interaction: Interaction, visit: Visit, allowed: Allowed) -> None:
    await require_gm(interaction, visit)
    await interaction.client.services.talk.allow_press(visit.id, allowed, visit.user)
    await _again(interaction, visit)


@ui.in_game("setveil")
async def on_veil(interaction: Interaction, visit: Visit, minutes: int) -> None:
    await require_gm(interaction, visit)
    await interaction.client.services.orders.set_veil(visit.id, minutes, visit.user)
    await _again(interaction, visit)


@ui.in_game("setrole")
async def on_role(interaction: Interaction, visit: Visit | None, role: int) -> None:
    await _set_role(interaction, visit, role)


@ui.in_game("norole")
async def on_no_role(interaction: Interaction, visit: Visit | None) -> None:
    await _set_role(interaction, visit, None)


async def _set_role(interaction: Interaction, visit: Visit | None, role: int | None) -> None:
    if interaction.guild_id is None or not interaction.permissions.manage_guild:
        raise Refusal("Only members who can manage this server can set its game master role.")
    await interaction.client.services.settings.set_gm_role(interaction.guild_id, role)
    await show(interaction, "server", visit)
