"""Draws pictures for Discord: off the event loop, one at a time, each asker in turn, and public ones once for all who ask."""
from __future__ import annotations

import asyncio
import gc
import io
import logging
import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any, TypeAlias

import discord

from bot.core.incidents import tell_log
from bot.discord.heard import confide
from bot.discord.lengths import MESSAGE, clip, shortened
from bot.domain.limits import Asker
from bot.service import Services
from bot.service.fair_queue import FairQueue
from bot.service.response_times import RecentDurations
from bot.store import Theme
from engine.kernel import Action, GameSpec, Preview, Seat
from engine.kernel.game_spec import Picture, Replay, pictures
from engine.refusals import Refusal
from engine.text import LANGUAGE, say, text

RECAP = "recap"                 # the key of the film of a game; as a close-up, it has a command of its own
ALT_TEXT = 1024                 # characters of an attachment's description
ALBUM = 32 * 1024 * 1024        # bytes of finished pictures that are kept
SHARE = 0.001                   # s that a thread keeps the interpreter when the event loop wants it; 0.005 is Python's own
SELDOM = 10_000, 20, 2          # objects made, and searches among the young, between two searches; Python's own are 700, 10, 10
HEADING = 200                   # characters left free around a text board
GIF = b"GIF8"                   # how such a file begins
UNGUESSED = text("I couldn't draw the picture of this guess.")
UNDRAWN = text("I couldn't draw the picture. `/game text` describes the board in words.")

log = logging.getLogger(__name__)

Drawing: TypeAlias = tuple[bytes, str]
Draw: TypeAlias = Callable[[GameSpec, Any, Theme], Drawing]


def favour_the_loop() -> None:
    """For a process that has loaded its code: threads give way to the event loop sooner, and the search for garbage, for which
    everything waits, comes seldom and leaves out what will stay anyway.

    Whatever was in use during two searches waits for one among all objects, interactions and their replies too, which refer to
    each other. That one isn't put off: Python itself waits with it until a quarter has been added to what stays.
    """
    gc.freeze()
    gc.set_threshold(*SELDOM)
    sys.setswitchinterval(SHARE)


def draw(spec: GameSpec, scene: Any, theme: Theme) -> Drawing:
    """A scene as a file and in words. Raises LookupError: nobody can draw this game."""
    return _painted(scene, theme), spec.views.describe(scene, ALT_TEXT)


def _painted(scene: Any, theme: Theme) -> bytes:
    from renderer import render  # Pillow and its fonts wait until a picture is wanted

    return render(scene, theme)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture with its words for who cannot see it; without an image the words stand in its place."""

    name: str
    image: bytes
    words: str

    def text(self) -> str:
        """Return what the message says: nothing, if there is an image."""
        return "" if self.image else self.words

    def files(self) -> list[discord.File]:
        if not self.image:
            return []
        suffix = "gif" if self.image.startswith(GIF) else "png"
        return [discord.File(io.BytesIO(self.image), f"{self.name}.{suffix}", description=clip(self.words, ALT_TEXT))]


class PictureCache:
    """Finished pictures, each in the language that was spoken: those shown last, in so many bytes at most."""

    def __init__(self, most: int = ALBUM) -> None:
        self.size, self._most = 0, most
        self._drawn: OrderedDict[Hashable, Drawn] = OrderedDict()      # the one shown longest ago first

    def find(self, key: Hashable) -> Drawn | None:
        key = key, LANGUAGE.get()
        if key in self._drawn:
            self._drawn.move_to_end(key)
        return self._drawn.get(key)

    def keep(self, key: Hashable, drawn: Drawn) -> None:
        """Keep one more, in the place of those shown longest ago."""
        self._drawn[key, LANGUAGE.get()] = drawn
        self.size += len(drawn.image)
        while self.size > self._most:
            _, old = self._drawn.popitem(last=False)
            self.size -= len(old.image)


class Gallery:
    """Where pictures are ordered. One is drawn at a time; a private one is drawn for its reader and never kept."""

    def __init__(self, services: Services, draw: Draw, took: RecentDurations) -> None:
        """`took` is told how many seconds each picture takes to draw."""
        self._services, self._draw, self._album, self._took = services, draw, PictureCache(), took
        self._brush = FairQueue()

    async def picture(self, game: int, picture: Picture, theme: Theme, *, seat: Seat | None = None, row: int | None = None,
                      since: int | None = None, subject: str = "", ahead: Preview | None = None,
                      options: Sequence[Action] | None = None, by: Asker | None = None) -> Drawn | None:
        """A picture as this seat (None: everybody) may see it, at an earlier row or now; None if there is nothing to show.

        `ahead`: where the seat's plan leads. `options`: those of the seat's answers which it shows; None: all.

        What cannot be drawn becomes a text board or a sentence. Raises Refusal: there is no such position or subject, or whoever
        asks (`by`; None: nobody, it is to be posted) has had as many as they can have.
        """
        if seat is not None:
            confide(game, seat)
            self._charge(picture, by)
            story = await self._services.queries.story(game, picture, seat=seat, row=row, since=since, subject=subject,
                                                       ahead=ahead)
            if options is not None:
                story = replace(story, options=tuple(options))
            async with self._brush.turn(_whose(by)):
                return await self._drawn(game, picture, story, theme)
        at = await self._services.queries.public_newest(game) if row is None else row
        key = game, picture.key, subject, at, since
        drawn = self._album.find((key, theme))
        if drawn is None:
            story = await self._services.queries.story(game, picture, row=at, since=since, subject=subject)
            drawn = await self.picture_of(story, picture, theme, key=key, game=game, by=by)
        return drawn

    async def news(self, game: int, picture: Picture, *, row: int, since: int | None) -> Sequence[str]:
        """Return what this picture is posted of after a row: subjects, oldest first."""
        story = await self._services.queries.story(game, picture, row=row, since=since)
        return await asyncio.to_thread(picture.news, story)

    async def picture_of(self, story: Replay, picture: Picture, theme: Theme, *, key: Hashable, game: int | None = None,
                         by: Asker | None = None) -> Drawn | None:
        """A picture of a story, a game's or a lesson's; drawn once for all who ask with this key.

        Raises Refusal: whoever asks has had as many as they can have.
        """
        if self._album.find((key, theme)) is None:
            self._charge(picture, by)
        async with self._brush.turn(_whose(by)):
            drawn = self._album.find((key, theme))
            if drawn is None:
                drawn = await self._drawn(game, picture, story, theme)
                if drawn is not None and drawn.image:
                    self._album.keep((key, theme), drawn)
            return drawn

    async def rehearsed(self, story: Replay, picture: Picture, theme: Theme, *, by: Asker) -> Drawn | None:
        """A picture of a rehearsal, for whoever rehearses alone; it is never kept, and the operator learns nothing of it.

        Raises Refusal, as `picture`.
        """
        self._charge(picture, by)
        async with self._brush.turn(_whose(by)):
            try:
                return await asyncio.to_thread(self._paint, picture, story, theme)
            except Refusal:
                raise
            except Exception as error:
                log.info("a picture of a rehearsal could not be drawn: %s", type(error).__name__)
                return Drawn(picture.key, b"", say(UNGUESSED))

    async def sheet(self, name: str, scene: Any, words: str, theme: Theme, *, by: Asker, key: Hashable = None) -> Drawn:
        """A picture that belongs to no game; if it can't be drawn, its words stand in its place. With a key it is drawn once for
        all who ask. Raises Refusal, as `picture`."""
        if key is None or self._album.find((name, key, theme)) is None:
            self._services.session.quotas.take("pictures", by)
        async with self._brush.turn(_whose(by)):
            if key is not None and (kept := self._album.find((name, key, theme))) is not None:
                return kept
            begin = perf_counter()
            try:
                image = await asyncio.to_thread(_painted, scene, theme)
            except Exception as error:
                await self._broken(error, None, picture=name, theme=theme)
                return Drawn(name, b"", words)
            self._took.note(perf_counter() - begin)
            drawn = Drawn(name, image, words)
            if key is not None:
                self._album.keep((name, key, theme), drawn)
            return drawn

    async def text(self, game: int, *, seat: Seat | None, row: int | None) -> str:
        """The whole board in words, as this seat (None: everybody) may see it."""
        spec = self._services.session.spec((await self._services.queries.game(game)).key)
        board = pictures(spec)[0]
        story = await self._services.queries.story(game, board, seat=seat, row=row)
        return await asyncio.to_thread(lambda: spec.views.board(board.scene(story)))

    def _charge(self, picture: Picture, by: Asker | None) -> None:
        """Whoever asks gets one of what costs to draw; what is posted by itself is not counted. Raises Refusal."""
        if by is not None:
            self._services.session.quotas.take("films" if picture.key == RECAP else "pictures", by)

    async def _drawn(self, game: int | None, picture: Picture, story: Replay, theme: Theme) -> Drawn | None:
        try:
            begin = perf_counter()
            drawn = await asyncio.to_thread(self._paint, picture, story, theme)
            self._took.note(perf_counter() - begin)
            return drawn
        except Refusal:
            raise
        except Exception as error:
            row = story.rows[-1].no if story.rows else story.start.no
            await self._broken(error, game, picture=picture.key, seat=story.seat, row=row, since=story.since,
                               subject=story.subject, theme=theme)
            return Drawn(picture.key, b"", say(UNDRAWN))

    async def _broken(self, error: Exception, game: int | None, **given: object) -> None:
        await self._services.session.incident(error, {"deed": "", "work": "picture", "given": given}, game)

    def _paint(self, picture: Picture, story: Replay, theme: Theme) -> Drawn | None:
        """In a worker thread: from a story to a picture, or to a text board if nobody can draw it."""
        scene = picture.scene(story)
        if scene is None:
            return None
        try:
            image, words = self._draw(story.spec, scene, theme)
        except LookupError as lacking:                  # a painter, or what it paints with
            tell_log("a board in words", lacking)
            board = shortened(story.spec.views.board(scene), MESSAGE - HEADING, text("/game text"))
            return Drawn(picture.key, b"", fenced(board))
        return Drawn(picture.key, image, words)


def _whose(by: Asker | None) -> int | None:
    """Whose turn it is to have a picture drawn; all that is posted by itself has turns of its own."""
    return None if by is None else by.user


def fenced(words: str) -> str:
    """A text board as a message shows it, with its columns kept."""
    return "```\n{}\n```".format(words.replace("`", "'"))
