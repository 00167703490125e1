"""/my since, and what somebody is told who comes back after a while: what happened, what it means for the own seat."""
from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import discord
from discord import app_commands

from bot.core.visit import Visit
from bot.discord.admission import asker
from bot.discord.components import Persistent, Style, button, in_game, view
from bot.discord.context import Interaction
from bot.discord.errors import note
from bot.discord.find_game import about_a_game, visit_meant
from bot.discord.game.answering import on_your_move
from bot.discord.game.buttons import HAPPENED
from bot.discord.lengths import clip
from bot.discord.responses import add, reply, titled
from bot.discord.visits import visit_of
from bot.domain.announcements import when
from bot.service.digest import OFTEN, Chapter, Digest
from bot.store import GameRow
from engine.kernel import Seat
from engine.kernel.game_spec import CLOSEUP, pictures
from engine.refusals import Refusal
from engine.text import Reader, Text, count, say, text, verbatim

PAGE = 900                  # characters of the record in one message: the rest is for what follows it on the first page
UNDONE = 300                # characters of what was taken back
PRIVATE = 400               # characters of what only the reader learnt


def add_digest(group: app_commands.Group) -> None:
    @group.command(name="since", description="What happened since you last looked or moved, and what you can do now")
    @about_a_game()
    async def since(interaction: Interaction, game: str | None = None) -> None:
        await tell(interaction, await visit_meant(interaction, game))


def happened(game: GameRow) -> Persistent:
    return button(text("What happened?"), HAPPENED, game.id)


async def tell(interaction: Interaction, visit: Visit) -> None:
    """Tell the caller what happened since the last look, and note that it has been told."""
    digests = interaction.client.services.digests
    since, until = await digests.unseen(visit.id, visit.user)
    shown = await _shown(interaction, visit, since, until)
    await reply(interaction, shown.words, view(shown.items), await _pictures(interaction, visit, since, until))
    await digests.told(visit.id, visit.user, until)


async def attended(interaction: Interaction) -> None:
    """Something was done for a member: whoever comes back to a game after a while is told, besides, what happened."""
    visit = visit_of(interaction)
    if visit is None or visit.seen_within(OFTEN, interaction.client.services.session.now()):
        return
    try:
        missed = await interaction.client.services.digests.came(visit.id, visit.user)
        if missed is None:
            return
        here = await interaction.client.services.visits.visit(visit.id, visit.user)
        shown = await _shown(interaction, here, *missed)
        await add(interaction, shown.words, view(shown.items), await _pictures(interaction, here, *missed))
    except Exception as error:                          # what was asked for is done; this was a courtesy
        await note(interaction.client.services, error, "courtesy", visit.id)


# --- how it is told -------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class DigestPage:
    """A message: words, and what can be pressed."""

    words: str
    items: Sequence[Persistent]


async def _shown(interaction: Interaction, visit: Visit, since: int, until: int, page: int = 0) -> DigestPage:
    """A page of what happened; the first one is the newest, and says besides what only the reader learnt and is asked."""
    game, reader = visit.game, visit.reader
    stretch = await interaction.client.services.digests.stretch(visit.id, visit.user, since=since, until=until)
    digest = await asyncio.to_thread(stretch.digest)
    pages = paged(digest.chapters, reader)
    page = min(max(page, 0), len(pages) - 1)
    earlier = sum(len(told) for told in pages[page + 1:])
    title = verbatim(titled(game))
    lines = [say(text("**{title}**: what happened so far", title=title) if stretch.since is None else
                 text("**{title}**: what happened since {moment}", title=title, moment=when(stretch.since)), reader)]
    if earlier:
        more = count(earlier, "… and {n} paragraph before this one.", "… and {n} paragraphs before these.")
        lines.append(f"-# {say(more, reader)}")
    lines += pages[page] or [say(text("Nothing has happened yet."), reader)]
    items = [button(label, on_since, game.id, since, until, to) for label, to in (
        (text("Earlier"), page + 1), (text("Later"), page - 1)) if 0 <= to < len(pages)]
    seat = stretch.story.seat
    if page == 0 and digest.undone:
        lines.append(f"**{say(text('Undone'), reader)}** {_last(digest.undone, reader, UNDONE, '~~')}")
    if page == 0 and seat is not None:
        lines += _own(digest, reader)
        asked, mine = _asked(visit, seat)
        lines, items = [*lines, *asked], [*items, *mine]
    return DigestPage("\n".join(lines), items)


def paged(chapters: Sequence[Chapter], reader: Reader) -> list[list[str]]:
    """Paragraphs on pages, each in order; the first page is the newest one, and there is always one."""
    pages: list[list[str]] = [[]]
    room = PAGE
    for told in reversed([piece for chapter in chapters for piece in _paragraphs(chapter, reader)]):
        if len(told) + 1 > room and pages[-1]:
            pages.append([])
            room = PAGE
        pages[-1].insert(0, told)
        room -= len(told) + 1
    return pages


def _paragraphs(chapter: Chapter, reader: Reader) -> list[str]:
    """A chapter in pieces that fit on a page: its moment, and its sentences one after the other."""
    head = "" if chapter.moment is None else f"**{say(chapter.moment, reader)}** "
    pieces = [head]
    for line in chapter.lines:
        said = clip(say(line, reader), PAGE // 2)
        if len(pieces[-1]) + len(said) + 1 > PAGE // 2 and pieces[-1] != head:
            pieces.append("")
        pieces[-1] += f"{said} "
    return [piece.rstrip() for piece in pieces if piece.strip()]


def _own(digest: Digest, reader: Reader) -> list[str]:
    return [f"**{say(text('Only for you'), reader)}** {_last(digest.private, reader, PRIVATE)}"] if digest.private else []


def _last(told: Sequence[Text], reader: Reader, most: int, mark: str = "") -> str:
    """The last of these sentences, as many as fit, each between two marks."""
    kept: list[str] = []
    for line in reversed(told):
        said = f"{mark}{clip(say(line, reader), most // 2)}{mark}"
        if kept and sum(map(len, kept)) + len(said) > most:
            left = count(len(told) - len(kept), "(and {n} earlier line)", "(and {n} earlier lines)")
            return " ".join([say(left, reader), *kept])
        kept.insert(0, said)
    return " ".join(kept)


def _asked(visit: Visit, seat: Seat) -> tuple[list[str], list[Persistent]]:
    reader, question = visit.reader, visit.table.asked(seat)
    if question is None:
        return [say(visit.table.idle(seat), reader)], []
    return [f"**{say(text('Your move'), reader)}** {say(question.text(), reader)}"], [
        button(text("Your move"), on_your_move, visit.id, seat, style=Style.primary)]


async def _pictures(interaction: Interaction, visit: Visit, since: int, until: int) -> list[discord.File]:
    """The board with what is new, and the part of it that touched the reader most; none that cannot be drawn."""
    (board, *others), seat, gallery = pictures(visit.spec), visit.sight, interaction.client.gallery
    files: list[discord.File] = []
    for picture in (board, *(other for other in others if other.key == CLOSEUP)):
        try:
            drawn = await gallery.picture(visit.id, picture, visit.facts.theme, seat=seat, since=since,
                                          row=until if seat is None else None, by=asker(interaction))
        except Refusal:                                 # nothing has happened there
            continue
        except Exception as error:                      # words have told everything already
            await note(interaction.client.services, error, "picture", visit.id, picture=picture.key, since=since)
            continue
        files += drawn.files() if drawn is not None else []
    return files


# --- presses -----------------------------------------------------------------------------------------------------

@in_game(HAPPENED)
async def on_happened(interaction: Interaction, visit: Visit) -> None:
    await tell(interaction, visit)


@in_game("since")
async def on_since(interaction: Interaction, visit: Visit, since: int, until: int, page: int) -> None:
    shown = await _shown(interaction, visit, since, until, page)
    await reply(interaction, shown.words, view(shown.items))
