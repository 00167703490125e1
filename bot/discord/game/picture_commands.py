"""The pictures of a game on request: for the one who asks, or for everybody; as commands and as buttons below the board."""
from __future__ import annotations

from collections.abc import Sequence

import discord
from discord import SelectOption, app_commands
from discord.app_commands import Choice, locale_str

from bot.core.visit import Visit
from bot.discord import lengths as ls, responses as rs
from bot.discord.admission import asker
from bot.discord.components import ROWS, Persistent, button, in_game, in_rows, select, view
from bot.discord.confided import for_all
from bot.discord.context import Interaction
from bot.discord.errors import explain, helping
from bot.discord.find_game import about_a_game, visit_meant
from bot.discord.game.action_menu import closeup_of, own_board
from bot.discord.game.buttons import CLOSE_UP, LOOK, LOOK_BACK, MENU, NOW
from bot.discord.game.menu_path import STALE, Step, parts_of, stamp, step_at
from bot.discord.game.position import position_put_to
from bot.discord.game.stepping import home, in_two, stepping
from bot.discord.heard import tell_of
from bot.discord.languages import as_typed, means
from bot.discord.pictures import RECAP, fenced
from bot.discord.sanitize import tame
from bot.discord.visibility import read_by_others
from bot.domain.announcements import reader_of
from bot.service import Services
from bot.store import GameRow
from engine.kernel import GameSpec
from engine.kernel.game_spec import CLOSEUP, Picture, pictures
from engine.refusals import Refusal, Stale
from engine.text import LANGUAGE, say, text, verbatim
from engine.text.languages import speaking

BUTTONS = 4                                 # below a board
LISTS = 4                                   # of parts of a picture
FENCES = len(fenced(""))

ROW = locale_str("After which step of the history?")
SHARE = locale_str("Post it for everybody? Otherwise only you see it")
AREA = locale_str("Which part? Blank: where most has happened")
ABOUT = locale_str("Which part of the game? Blank: all of it, or the latest")


def add_pictures(group: app_commands.Group) -> None:
    @group.command(name="map", description="The board as a picture, with your secrets if you play")
    @about_a_game(row=ROW, share=SHARE, own="Off: without your secrets")
    async def board(interaction: Interaction, row: int | None = None, share: bool = False, own: bool | None = None,
                    game: str | None = None) -> None:
        found = await visit_meant(interaction, game)
        await show(interaction, found, pictures(found.spec)[0], row=row, share=share, own=own)

    @group.command(name="show", description="Any picture of a game")
    @about_a_game(what="Which picture", about=ABOUT, row=ROW, share=SHARE)
    @app_commands.autocomplete(what=_suggest_pictures, about=_suggest_subjects)
    async def any_picture(interaction: Interaction, what: str, about: str = "", row: int | None = None, share: bool = False,
                          game: str | None = None) -> None:
        found = await visit_meant(interaction, game)
        await show(interaction, found, named(found.spec, what), about=about, row=row, share=share)

    @group.command(name=CLOSEUP, description="A part of the board close up, with what happened there last")
    @about_a_game(area=AREA, row=ROW, share=SHARE)
    @app_commands.autocomplete(area=_suggest_subjects)
    async def closeup(interaction: Interaction, area: str = "", row: int | None = None, share: bool = False,
                      game: str | None = None) -> None:
        found = await visit_meant(interaction, game)
        await show(interaction, found, named(found.spec, CLOSEUP), about=area, row=row, share=share)

    @group.command(name=RECAP, description="What happened, as a film")
    @about_a_game(about=ABOUT, share=SHARE)
    @app_commands.autocomplete(about=_suggest_subjects)
    async def recap(interaction: Interaction, about: str = "", share: bool = False, game: str | None = None) -> None:
        found = await visit_meant(interaction, game)
        await show(interaction, found, named(found.spec, RECAP), about=about, share=share)

    @group.command(name="text", description="The whole board in words, for screen readers")
    @about_a_game(row=ROW)
    async def text_board(interaction: Interaction, row: int | None = None, game: str | None = None) -> None:
        found = await visit_meant(interaction, game)
        words = await interaction.client.gallery.text(found.id, seat=found.sight, row=row)
        first, *others = ls.pieces(words, ls.MESSAGE - FENCES)
        await rs.reply(interaction, fenced(first))
        for piece in others:
            await rs.add(interaction, fenced(piece))


# --- showing ------------------------------------------------------------------------------------------

async def show(interaction: Interaction, visit: Visit, picture: Picture, *, about: str = "", row: int | None = None,
               share: bool = False, own: bool | None = None) -> None:
    """Show a picture to the caller alone, or post the public one. Raises Refusal: there is nothing to show.

    The caller's own one, with what only that seat may see, is shown unless `own` is False; it is never posted.
    """
    if share and own:
        raise Refusal("I never post your secrets. Turn off `own` or `share`.")
    game = visit.game
    if share and read_by_others(interaction, game):
        raise Refusal("Not everybody here can see this game. Share its pictures where it is played, in {channel}.",
                      channel=verbatim(f"<#{game.channel}>"))
    seat, queries = None, interaction.client.services.queries
    if own:
        seat = visit.sight or visit.own_seat()
    elif own is None and picture.private and not share:
        seat = visit.sight
    subject = _subject(visit, picture, about)
    parts_of = [] if share else _parts_of(visit, picture, subject)
    since = visit.marked_since(own=not share) if row is None else await queries.pictured_before(game.id, row)
    if not subject and (last := await queries.shown(game.id, picture, row)):
        since = min(since, last - 1)                    # the last one, if none is new
    spoken = game.spoken if share else LANGUAGE.get()
    try:
        with speaking(spoken):
            drawn = await interaction.client.gallery.picture(
                game.id, picture, (visit.snapshot.theme or "dark") if share else visit.facts.theme, seat=seat, row=row,
                subject=subject, since=since, by=asker(interaction))
        if drawn is None:
            raise Refusal("This picture has nothing to show right now.")
    except Refusal as why:
        if share:
            raise
        ways = [] if row is None else (await stepping(interaction, visit, picture, subject, row))[0]     # it may be at another
        below = [*([part] for part in parts_of), *in_two([*ways, home(game)], room=ROWS - len(parts_of))]
        await rs.reply(interaction, explain(why, visit.reader), view(in_rows(below)))     # nothing by itself, but what is chosen
        return
    head = (text("{game}: {picture}", game=verbatim(rs.titled(game)), picture=text(picture.title)) if row is None else
            text("{game}: {picture} after step {row}", game=verbatim(rs.titled(game)), picture=text(picture.title), row=row))
    steps, led = ([], "") if share else await stepping(interaction, visit, picture, subject, row)
    with speaking(spoken):
        words = "\n".join(filter(None, (say(head), led, drawn.text())))
    if share:
        await rs.reply(interaction, text("Here it is, for everybody."))
        tell_of(game.id)
        if interaction.guild is None:
            await rs.for_presser(interaction)
        else:
            await for_all(interaction.client, interaction.channel_id or 0)
        try:
            await interaction.followup.send(words, files=drawn.files(), allowed_mentions=discord.AllowedMentions.none())
        except discord.HTTPException as refused:
            for piece in ls.pieces("\n".join([words, *rs.in_words(drawn.files(), refused)])):
                await interaction.followup.send(piece, allowed_mentions=discord.AllowedMentions.none())
        return
    below = [*([part] for part in parts_of), *in_two([*steps, home(game)], room=ROWS - len(parts_of))]
    await rs.reply(interaction, words, view(in_rows(below)), files=drawn.files())
    if row is None and picture is pictures(visit.spec)[0]:
        await queries.looked(game.id, visit.user, visit.facts.public_newest)


def _subjects(visit: Visit, picture: Picture) -> dict[str, str]:
    """What a picture can be about, as the presser reads it."""
    return {id: say(name) for id, name in picture.subjects(visit.parts).items()}


def _parts_of(visit: Visit, picture: Picture, shown: str) -> list[Persistent]:
    subjects = _subjects(visit, picture)
    listed = [SelectOption(label=ls.clip(name, ls.NAME), value=id, default=id == shown) for id, name in subjects.items()
              if len(subjects) > 1]
    lists = [listed[at:at + ls.CHOICES] for at in range(0, len(listed), ls.CHOICES)][:LISTS]
    return [*(select(part, on_look_at, visit.id, picture.key, number,
                     hint=text("{picture}: which part?", picture=text(picture.title)) if len(lists) == 1 else
                     f"{part[0].label} – {part[-1].label}") for number, part in enumerate(lists))]


async def looks(services: Services, game: GameRow, spec: GameSpec) -> list[Persistent]:
    """The buttons below a posted board: one's own board, and the pictures that come next, as far as there are any yet."""
    others = [picture for picture in pictures(spec)[1:] if await services.queries.shown(game.id, picture) is not None]
    return [*own_board(spec, game.id), *(button(text(picture.title), LOOK, game.id, picture.key) for picture in others)][:BUTTONS]


@in_game(LOOK)
async def on_look(interaction: Interaction, visit: Visit, key: str) -> None:
    """A picture of how things stand now, for the presser alone."""
    await show(interaction, visit, named(visit.spec, key))


@in_game("lookat")
async def on_look_at(interaction: Interaction, visit: Visit, key: str, number: int, about: str) -> None:
    await show(interaction, visit, named(visit.spec, key), about=about)


@in_game(CLOSE_UP)
async def on_close_up(interaction: Interaction, visit: Visit, seat: str, asked_at: int, path: str, *wanted: str) -> None:
    """A part of the board among whose places a menu chooses, as the presser's plan makes it, with the menu's numbers.

    Buttons of earlier versions don't say which: theirs is the only one.
    """
    position = await position_put_to(interaction, visit, seat, asked_at)
    table, own = position.table, position.seat
    steps = tuple(filter(None, path.split(".")))
    try:
        if asked_at != stamp(table, steps):
            raise Stale(STALE)
        step = step_at(table, own, steps)
        parts = parts_of(step.menus, step.options, table.spec.views.areas(table.parts)) if isinstance(step, Step) else []
        part, picture = next(iter(wanted or parts), ""), closeup_of(table.spec)
        if picture is None or not part or part not in parts or not isinstance(step, Step):
            raise Stale(STALE)
    except Stale as stale:
        await position.afresh(stale)
        return
    drawn = await position.drawn(picture, subject=part, options=step.options)
    head = say(position.headed(text("{game}: {part}", game=verbatim(rs.titled(visit.game)), part=part)), reader_of(table))
    await rs.reply(interaction, "\n".join(filter(None, (head, drawn.text()))),
                   view([button(text("Back"), MENU, visit.id, own, asked_at, path, 0)]), files=drawn.files())


@in_game(LOOK_BACK)
async def on_look_back(interaction: Interaction, visit: Visit, key: str, about: str, row: int) -> None:
    """A board as it was after an earlier or a later row, or as it is, for the presser alone."""
    await show(interaction, visit, named(visit.spec, key), about=about, row=None if row == NOW else row)


@in_game("lookrow")
async def on_look_row(interaction: Interaction, visit: Visit, row: int) -> None:
    await show(interaction, visit, pictures(visit.spec)[0], row=row)


# --- which picture is meant -----------------------------------------------------------------------------

def named(spec: GameSpec, wanted: str) -> Picture:
    """A picture by its key or its title. Raises Refusal with those that there are."""
    for picture in pictures(spec):
        if wanted.strip().casefold() == picture.key.casefold() or means(wanted, text(picture.title)):
            return picture
    raise Refusal("This game has no picture {wanted}. Choose among: {pictures}.",
                  wanted=verbatim(ls.clip(tame(wanted), ls.NAME)),
                  pictures=tuple(text(picture.title) for picture in pictures(spec)))


def _subject(visit: Visit, picture: Picture, about: str) -> str:
    """A subject of a picture by its id or its name. Raises Refusal with those that there are."""
    if not about.strip():
        return ""
    subjects = _subjects(visit, picture)
    for id, name in picture.subjects(visit.parts).items():
        if as_typed(about) == id.casefold() or means(about, name):
            return id
    if not subjects:
        raise Refusal("This picture always shows the whole game. Leave out what it is about.")
    raise Refusal("This picture can't be about {wanted}. Choose among: {subjects}.",
                  wanted=verbatim(ls.clip(tame(about), ls.NAME)),
                  subjects=tuple(verbatim(name) for name in subjects.values()))


@helping
async def _suggest_pictures(interaction: Interaction, typed: str) -> list[Choice[str]]:
    visit = await visit_meant(interaction, getattr(interaction.namespace, "game", None))
    return _choices(typed, [(say(text(picture.title)), picture.key) for picture in pictures(visit.spec)])


@helping
async def _suggest_subjects(interaction: Interaction, typed: str) -> list[Choice[str]]:
    command = interaction.command.name if interaction.command else ""
    visit = await visit_meant(interaction, getattr(interaction.namespace, "game", None))
    subjects = _subjects(visit, named(visit.spec, interaction.namespace.what or command))
    return _choices(typed, [(name, id) for id, name in subjects.items()])


def _choices(typed: str, known: Sequence[tuple[str, str]]) -> list[Choice[str]]:
    return rs.suggestions([Choice(name=ls.clip(name, ls.NAME), value=value) for name, value in known
                           if typed.casefold() in name.casefold()])
