"""What the game master may see of the seats' secrets, where the group has said so when it opened the game (SOE-21.1.6)."""
from __future__ import annotations

from collections.abc import Sequence

from bot.service.session import Works
from engine.refusals import Refusal
from engine.text import Text


class Disclosing(Works):
    """Secrets of the seats, for the game master alone."""

    async def secrets(self, game: int, by: int) -> Sequence[Text]:
        """The secrets of all seats as they stand; that somebody looked at them is noted in the audit.

        Raises Refusal: the group has not said so, or the game is not under way.
        """
        async with self._turn(game):
            await self._played(game)
            table, at = (await self._loaded(game)).table, self._time()
            told = table.spec.views.secrets(table.state)
            if told is None:
                raise Refusal("This game keeps the secrets of its players from its game master too; only when a game is opened "
                              "can that be decided otherwise.")
            await self._store.write(lambda ledger: ledger.note(game, by, "looked at the secrets of all seats", at))
            return told
