"""Who is the game master of a game."""
from __future__ import annotations

from bot.domain.announcements import GM, STATUS, Letter, member, notice
from bot.service.session import PLAYED, Works, require
from bot.store import GameRow, Ledger
from engine.refusals import Refusal
from engine.text import English, text


class Mastering(Works):
    """Who is the game master of a game."""

    async def name_master(self, game: int, user: int, by: int | None) -> GameRow:
        """Make a member the game master: named by somebody, or found by the bot since the one before has left the server.

        Everybody is told, and the new one directly, too. Raises Refusal: the member is game master already, or nothing is left
        to be done.
        """
        async with self._turn(game):
            stored = await self._stored(game)
            require(stored.row, ("open", *PLAYED))
            if stored.row.owner == user:
                raise Refusal("{member} is the game master already.", member=member(user))
            at, before, new = self._time(), member(stored.row.owner), member(user)
            news = (text("{before} has left the server. {new} owns it, and is the game master of this game now.", before=before,
                         new=new) if by is None else text("{new} is the game master of this game now.", new=new))

            def name(ledger: Ledger) -> None:
                ledger.set_owner(game, user)
                ledger.note(game, by, f"made <@{user}> the game master", at)
                ledger.add_letters(game, ledger.newest(game), [
                    notice(news, English()), Letter("master", GM, {"user": user}), STATUS], at)

            self._live.pop(game, None)
            await self._store.write(name)
            return (await self._stored(game)).row
