"""The chronicle of a finished game, worked out of its record: off the event loop, one at a time, and kept for the next reader."""
from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict

from pydantic import ValidationError

from bot.core.service import Service
from bot.core.session import Session
from bot.domain.chronicle import Chronicle, chronicle
from bot.service.queries import Queries
from engine.kernel.game_spec import Picture
from engine.refusals import Refusal

CHRONICLES_KEPT = 32               # chronicles of some thousand numbers each
WHOLE = Picture(key="chronicle", title="chronicle", whole=True)

log = logging.getLogger(__name__)


class Chronicles(Service):
    """What finished games tell of their whole course."""

    def __init__(self, session: Session, queries: Queries) -> None:
        super().__init__(session)
        self.queries = queries
        self._known: OrderedDict[tuple[int, int], Chronicle] = OrderedDict()       # by game and newest row
        self._at_work = asyncio.Lock()

    async def chronicle(self, game: int) -> tuple[int, Chronicle]:
        """The chronicle of a game that is over, and the newest row, to which it reaches. Raises Refusal: it isn't over, or its
        title has none."""
        row = await self.queries.game(game)
        course = self.session.spec(row.key).course
        if row.status != "over":
            raise Refusal("The chronicle comes when the game is over.")
        if course is None:
            raise Refusal("This game has no chronicle.")
        async with self._at_work:
            newest = await self.queries.public_newest(game)
            known = self._known.get((game, newest))
            if known is None:
                story = await self.queries.story(game, WHOLE, row=newest)
                try:
                    known = await asyncio.to_thread(chronicle, story, course)
                except (KeyError, ValidationError) as why:
                    log.warning("game %s: no chronicle (%s)", game, type(why).__name__)
                    raise Refusal("This game was played by an earlier version of its rules, and its record can no "
                                  "longer be read.") from None
                self._known[game, newest] = known
                while len(self._known) > CHRONICLES_KEPT:
                    self._known.popitem(last=False)
            return newest, known
