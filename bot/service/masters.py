"""Who is the game master of a game."""
from __future__ import annotations

from bot.core.incidents import operation
from bot.core.requirements import PLAYED, require
from bot.core.service import Service
from bot.domain.announcements import member, notice
from bot.domain.insights import plays
from bot.domain.letters import STATUS, Master
from bot.service.undo_request_updates import closed
from bot.store import GameRow, Ledger
from engine.refusals import Refusal
from engine.text import text


class GameMasters(Service):
    @operation
    async def name_master(self, game: int, user: int, by: int | None) -> GameRow:
        """Make a member the game master: named by somebody, or found by the bot since the one before has left the server.

        Everybody is told, and the new one directly, too. What the one before has asked the players is withdrawn. In a game that
        has begun, one whom a player names is no more neutral than that player. Raises Refusal: the member is game master
        already, or the game is over.
        """
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            require(stored.row, ("open", *PLAYED))
            if stored.row.owner == user:
                raise Refusal("{member} is already the game master.", member=member(user))
            at, before, new = self.session.time(), stored.row.owner, member(user)
            news = (text("{before} has left the server, so its owner, {new}, is now the game master.", before=member(before),
                         new=new) if by is None else text("{new} is now the game master.", new=new))

            def name(ledger: Ledger) -> None:
                circle = ledger.insights.circle(game)
                player = next((one for one in (user, by) if one is not None and plays(circle, one)), None)
                if by is not None and player == by:
                    ledger.insights.partisan(game, user, by)
                told = news if player is None else text(
                    "{news} {player} plays or has played, so seats change hands only if their player or everybody agrees.",
                    news=news, player=member(player))
                request = ledger.undo.open_request(game)
                if request is not None and request.asker == before:
                    closed(ledger, request, "withdrawn", at)
                ledger.games.set_owner(game, user)
                ledger.audit.note(game, by, f"made <@{user}> the game master", at)
                ledger.outbox.add_letters(game, ledger.log.newest(game), [
                    notice(told), Master(user=user), STATUS], at)

            self.session.forget(game)
            await self.store.write(name)
            return (await self.session.stored(game)).row
