"""What a member sees of a rehearsal: that it is one, what has happened in it, and the menu of whoever is asked there."""
from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.core.incidents import unheard
from bot.core.visit import Visit
from bot.discord.admission import asker
from bot.discord.components import Persistent, Style, button, view
from bot.discord.context import Interaction
from bot.discord.game.action_menu import Screen, screen
from bot.discord.game.buttons import REHEARSE, REHEARSED
from bot.discord.game.menu_path import Path
from bot.discord.lengths import clip
from bot.discord.pictures import Drawn
from bot.discord.responses import reply, titled
from bot.domain.announcements import reader_of
from bot.service.rehearsals import STUCK, Rehearsal
from bot.store import GameRow
from engine.kernel import Action
from engine.kernel.game_spec import Picture
from engine.refusals import Refusal, Stale
from engine.text import say, text, verbatim

ROOM = 700                          # characters for what has happened: with the rest they find room in one message
HEAD = text("**Rehearsal: what you can't see is guessed.** Only you see this, and nothing here counts.")

log = logging.getLogger(__name__)


async def show_rehearsal(interaction: Interaction, game: GameRow, now: Rehearsal, path: Path = (), page: int = 0, *,
                         above: str = "") -> None:
    """Reply with where a rehearsal stands, or with a step of its menu. Raises Stale for a dead path."""
    head = [say(HEAD)]
    if moved := await interaction.client.services.rehearsals.moved_on(now):
        head.append(say(text("-# {game} has moved on. This rehearsal still continues from before that.",
                             game=verbatim(titled(game)))))
    ways = list(_ways_on(game.id, now, moved=moved))
    try:
        with unheard():
            shown = _step(game.id, now, path, page, head) if path else _position(game.id, now, [*head, above], ways)
    except Stale:
        raise
    except Exception as why:            # in a world that cannot be the true one anything can go wrong
        log.info("a rehearsal could not be shown: %s", type(why).__name__)
        shown = Screen("\n".join([*head, say(text(STUCK))]), view(ways))
    await reply(interaction, shown.words, shown.view)


async def rehearsed_picture(interaction: Interaction, visit: Visit, now: Rehearsal, picture: Picture, *, subject: str = "",
                            options: Sequence[Action] | None = None) -> Drawn:
    """A picture of where a rehearsal stands, from the member's own view; `options`: those of the answers which it shows.

    Raises Refusal: there is nothing to show, or the member has had as many as can be had.
    """
    rehearsals = interaction.client.services.rehearsals
    story = replace(await rehearsals.story_of_rehearsal(visit.id, visit.user, now.table.asked_at), subject=subject)
    if options is not None:
        story = replace(story, options=tuple(options))
    drawn = await interaction.client.gallery.rehearsed(story, picture, visit.facts.theme, by=asker(interaction))
    if drawn is None:
        raise Refusal("This picture has nothing to show right now.")
    return drawn


def _step(game: int, now: Rehearsal, path: Path, page: int, head: Sequence[str]) -> Screen:
    return screen(now.table, game, now.asked, path, page, above="\n".join(head), board=False, asides=False)


def _position(game: int, now: Rehearsal, above: Sequence[str], ways: Sequence[Persistent]) -> Screen:
    reader = reader_of(now.table)
    news = clip("\n".join([say(sentence, reader) for sentence in now.news]), ROOM)
    other = [] if now.asked == now.seat else [say(text("-# Choose for {seat:the} here, or let an automatic player do it.",
                                                       seat=now.asked), reader)]
    return screen(now.table, game, now.asked, above="\n".join(filter(None, (*above, news))), planned=other, more=ways,
                  board=False, asides=False)


def _ways_on(game: int, now: Rehearsal, *, moved: bool) -> Iterator[Persistent]:
    facts = game, now.table.asked_at
    if now.asked != now.seat:
        yield button(text("Automatic move"), REHEARSED, *facts, "one")
        yield button(text("On to my move"), REHEARSED, *facts, "on")
    if now.given:
        yield button(text("Step back"), REHEARSED, *facts, "back")
    yield button(text("Deal again"), REHEARSED, *facts, "deal")
    yield button(text("Show board"), REHEARSED, *facts, "board")
    if moved:
        yield button(text("Rehearse from now"), REHEARSE, game, now.seat, style=Style.primary)
    yield button(text("Close"), REHEARSED, *facts, "close")
