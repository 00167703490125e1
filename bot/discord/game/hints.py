"""/my hint: what a strong player would consider in the asker's place, and why; for the asker alone."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from discord import SelectOption, app_commands

from bot.core.visit import Visit
from bot.discord.components import ROWS, Persistent, Route, Style, button, in_game, select, view
from bot.discord.context import Interaction
from bot.discord.find_game import about_a_game, visit_meant
from bot.discord.game import menu_path as mp
from bot.discord.game.answering import on_your_move
from bot.discord.game.buttons import HINT
from bot.discord.game.extras import extra
from bot.discord.game.menu_words import called, partly, said, spoken
from bot.discord.game.position import Position, position_put_to
from bot.discord.lengths import CHOICES, NAME, capital, clip
from bot.discord.responses import reply
from bot.domain.announcements import choice_id
from engine.kernel import Action, GameSpec, Seat, Table
from engine.options import hints
from engine.players.hints import Hint
from engine.refusals import Refusal, Stale
from engine.text import Reader, Text, lines, say, sentences, text, verbatim

ROOM = (ROWS - 1) * CHOICES         # moves in the lists of one message
INSTEAD = Route[int, str, int, str, int, str]("instead")      # game, seat, when it was asked, path, which list, what was chosen


def add_hint(group: app_commands.Group) -> None:
    @group.command(name="hint", description="What a strong player would consider here, and why, if the game has hints")
    @about_a_game()
    async def hint(interaction: Interaction, game: str | None = None) -> None:
        visit = await visit_meant(interaction, game)
        await show_hint(interaction, visit, visit.own_seat())


async def show_hint(interaction: Interaction, visit: Visit, seat: Seat) -> None:
    found = await interaction.client.services.coaching.suggest(visit.id, visit.user)
    await reply(interaction, _told(text("Worth considering for {seat:the}:", seat=seat), found, visit), view([
        button(text("Your move"), on_your_move, visit.id, seat, style=Style.primary),
        button(text("Why not another move?"), on_why_not, visit.id, seat)]))


def _told(head: Text, found: Sequence[Hint], visit: Visit) -> Text:
    menus, reader = visit.spec.words.menus, visit.reader
    told = [text("{place}. **{answer}**: {reasons}", place=place, answer=verbatim(said(menus, hint.action, reader)),
                 reasons=verbatim(sentences(hint.reasons, reader))) for place, hint in enumerate(found, 1)]
    return lines([head, *told, text("-# An estimate from what you can see. Only you see this.")])


@in_game(HINT)
async def on_hint(interaction: Interaction, visit: Visit, seat: str) -> None:
    await show_hint(interaction, visit, (await position_put_to(interaction, visit, seat)).seat)


@in_game("whynot")
async def on_why_not(interaction: Interaction, visit: Visit, seat: str) -> None:
    """Ask which move the hint is to be compared with."""
    position = await position_put_to(interaction, visit, seat)
    await _which(interaction, visit, position, mp.step_at(position.table, position.seat, ()))


@in_game(INSTEAD)
async def on_instead(interaction: Interaction, visit: Visit, seat: str, asked_at: int, path: str, part: int, chosen: str
                     ) -> None:
    position, steps = await position_put_to(interaction, visit, seat), (*filter(None, path.split(".")), chosen)
    try:
        if asked_at != mp.stamp(position.table, steps):
            raise Stale(mp.STALE)
        way = mp.step_at(position.table, position.seat, steps)
        if isinstance(way, mp.Step):
            await _which(interaction, visit, position, way)
            return
        found = await interaction.client.services.coaching.compare(visit.id, visit.user, way)
    except Stale as stale:
        await position.afresh(stale)
        return
    await reply(interaction, _told(text("Compared for {seat:the}:", seat=position.seat), found, visit), view([
        button(text("Your move"), on_your_move, visit.id, position.seat, style=Style.primary),
        button(text("Another move"), on_why_not, visit.id, position.seat)]))


async def _which(interaction: Interaction, visit: Visit, position: Position, way: mp.Step | Action) -> None:
    """Lists of the moves themselves if they have room, else of the choices that lead there."""
    if not isinstance(way, mp.Step):
        raise Refusal("There is no other move now.")
    table, seat, whole = position.table, position.seat, len(way.options) <= ROOM
    named = {mp.WHOLE + choice_id(option): say(option.label(), visit.reader) for option in way.options} if whole else {
        key: _named(table.spec, way, value, visit.reader) for key, value in way.values.items()}
    found = sorted([SelectOption(label=clip(capital(label), NAME), value=key) for key, label in named.items()],
                   key=lambda one: one.label)
    parts = [found[at:at + CHOICES] for at in range(0, min(len(found), ROOM), CHOICES)]
    await reply(interaction, text("Which move do you want to compare with the hint?"), view([
        *(select(part, INSTEAD, visit.id, seat, mp.stamp(table, way.path), ".".join(way.path), number,
                 hint=f"{part[0].label} – {part[-1].label}") for number, part in enumerate(parts)),
        button(text("Back to your move"), on_your_move, visit.id, seat)]))


def _named(spec: GameSpec, step: mp.Step, value: Any, reader: Reader) -> str:
    if step.kind is None:
        kind = spec.verb(value)
        return value if kind is None else called(step.menus, kind, reader)
    if value == mp.NO_MORE:
        return say(text("No more"), reader)
    return partly(step.shown, dict(zip(step.fields, value)), reader) if len(step.fields) > 1 else spoken(value, reader)


@extra(15)
def hinting(visit: Visit, table: Table, seat: Seat) -> Iterator[Persistent]:
    if table.asked(seat) is not None and hints(visit.game.options):
        yield button(text("Hint"), HINT, visit.id, seat)
