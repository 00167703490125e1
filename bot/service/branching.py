"""A game that goes on from a row of another one, which goes on untouched: "what if", or a way out of a quarrel.

The branch has all rows up to there as its own, so it replays, is drawn and can be exported like any other game. Its dice have a
secret of their own, whose hash is published anew: the old secret may still be needed in the other game, and to go on from it
here would tell there what comes. What was rolled before the branch stays as it was, and so a branch never returns to before it.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.core.incidents import operation
from bot.core.live_table import LiveTable
from bot.core.requirements import require, require_row
from bot.core.service import Service
from bot.domain.announcements import Announced, notice
from bot.domain.letters import STATUS
from bot.service.quotas import require_room_for_game
from bot.store import GameRow, Ledger, Stored
from engine.dice import SecretDice
from engine.kernel import Checkpoint, Row, Table
from engine.options import dice
from engine.orders import Orders
from engine.outside import one_line
from engine.refusals import Refusal
from engine.text import Text, text, verbatim
from engine.undo import Timeline, line

TITLE = 50                  # characters of the old title that stay in the new one


@dataclass(frozen=True, kw_only=True)
class Prospect:
    """What a new game would go on from."""

    moment: Text                # how the game stood there
    branches: int               # games that go on from this one by now
    consent: bool               # the table has to agree first, and has not yet


class Branching(Service):
    """Games that go on from a row of another."""

    async def prospect(self, game: int, row: int) -> Prospect:
        """What a new game would go on from. Changes nothing. Raises Refusal: none can go on from there."""
        async with self.session.locked(game):
            moment = await self.moment_after(await self.session.stored(game), row)
            branches, consent = await self.store.read(lambda ledger: (ledger.undo.branches(game), bool(
                ledger.insights.circle(game).running and ledger.undo.agreed_branch(game, row) is None)))
            return Prospect(moment=moment, branches=branches, consent=consent)

    async def moment_after(self, stored: Stored, row: int) -> Text:
        table = await self._at(stored, row, dice(self.session.secret(), stored.row.options))
        return table.spec.words.moment(table.state)

    @operation
    async def branch(self, game: int, row: int, by: int, *, channel: int, title: str = "") -> GameRow:
        """Play on from row `row` as a new game in a channel, with the same seats; the old one goes on as it stands.

        While one of the games that share this past runs, all must have agreed to that before. Raises Refusal.
        """
        async with self.session.locked(game):
            stored, secret, at = await self.session.stored(game), self.session.secret(), self.session.time()
            own = dice(secret, stored.row.options)
            table = await self._at(stored, row, own)
            number, running, agreed = await self.store.read(
                lambda ledger: (ledger.numbers.next_game(), ledger.insights.circle(game).running,
                                ledger.undo.agreed_branch(game, row)))
            if running and agreed is None:
                raise Refusal("The players must agree first to a new game from step {row}, since its end shows what they knew in "
                              "secret. `/gm branch` asks them.", row=row)
            name = one_line(title) or f"{stored.row.title[:TITLE]} ({row})"
            begun = replace(stored.row, id=number, title=name, channel=channel, status="running", commitment=own.commitment,
                            created_at=at)
            told = Announced(row=row, pictured=row, marked=row, public=row)
            live = LiveTable(begun, secret, stored.holders, told, table, ())
            table.stir()
            self.session.tell_moments(table)
            table.go_on()
            there = notice(text("Game {game} in {channel} starts from step {row} of this one. Nothing "
                                "changes here.", row=row, game=number, channel=verbatim(f"<#{channel}>")))
            here = notice(text("This game continues from step {row} of game {game}, in {channel}, with "
                               "new dice.", row=row, game=game, channel=verbatim(f"<#{stored.row.channel}>")))
            known = stored.row.status == "over" and not running         # its record has told every secret
            values: Mapping[str, object] = {
                "id": number, "circle": number if known else await self.store.read(
                    lambda ledger: ledger.insights.circle_of(game)),
                "title": name, "channel": channel, "status": "running", "commitment": own.commitment,
                "secret": secret, "created_at": at, "started_at": at, "told": told.model_dump_json()}

            def begin(ledger: Ledger) -> None:
                require_room_for_game(self.session.quotas.limits, ledger, by, begun.guild)
                ledger.undo.branch_off(game, row, values, agreed)
                ledger.audit.note(number, by, f"began this game from step {row} of game {game}", at)
                ledger.audit.note(game, by, f"played on from step {row} as game {number}", at)
                ledger.outbox.add_letters(game, ledger.log.newest(game), [there, STATUS], at)

            async with self.session.locked(number):
                await self.session.commit(live, first=[here], again=[holder.seat for holder in live.holders], picture=True,
                                          also=begin)
                self.session.remember(live)
            return begun

    async def _at(self, stored: Stored, row: int, own: SecretDice) -> Table:
        """The table of a game as it stood after a row, with other dice. Raises Refusal unless a game can begin so."""
        require(stored.row, ("running", "paused", "over", "closed"))
        game, spec = stored.row.id, self.session.spec(stored.row.key)

        def read(ledger: Ledger) -> tuple[Timeline, Checkpoint | None, list[Row]]:
            public = ledger.log.public_newest(game)
            rows = [old for old in ledger.log.outline(game) if old.no <= public]
            require_row(rows, row)
            here = line([old for old in rows if old.no <= row])
            valid = {old.no for old in here.rows}
            start = ledger.log.checkpoint(game, valid)
            return here, start, [] if start is None else [old for old in ledger.log.rows(game, since=start.no) if old.no in valid]

        here, start, past = await self.store.read(read)
        if start is None:
            raise Refusal("The game hasn't started yet.")
        table = Table(spec, (await self.session.components(stored.row)).parts, start, past, dice=own, epoch=here.epoch,
                      next_no=row + 1, returned_at=here.returned_at, run_on=False, veiled=stored.row.veil > 0,
                      absent=[holder.seat for holder in stored.holders if holder.absent],
                      cared=[holder.seat for holder in stored.holders if holder.caretaker], deputy=Orders(spec, ()))
        if table.over:
            raise Refusal("The game was over after step {row}. Choose an earlier one.", row=row)
        if table.given:
            raise Refusal("After step {row} only some of the sealed moves are in. Choose step {before}, just before them.",
                          row=row, before=table.put_at)
        return table
