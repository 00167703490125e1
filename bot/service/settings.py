"""What servers and members choose for themselves."""
from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC

from bot.core.incidents import operation
from bot.core.requirements import held_by, require
from bot.core.service import Service
from bot.domain.announcements import Posting
from bot.domain.deadlines import Clock, read
from bot.domain.letters import STATUS
from bot.domain.waking_hours import Hours, Nudges
from bot.store import Ledger, MemberRow, Theme
from engine.refusals import Refusal
from engine.text.languages import LANGUAGES


@dataclass(frozen=True, kw_only=True)
class ServerSettings:
    """What a server has chosen for its new games and its game masters."""

    clock: Clock
    theme: Theme
    posting: Posting
    gm_role: int | None


class Settings(Service):
    async def member(self, user: int) -> MemberRow:
        return await self.store.read(lambda ledger: ledger.settings.member(user))

    async def player(self, game: int, user: int) -> MemberRow:
        """Return what a member has chosen who is told something of a game; at no cost for its players."""
        return (await self.session.snapshot(game)).members.get(user) or await self.member(user)

    @operation
    async def set_member(self, user: int, row: MemberRow) -> None:
        """A member chooses this, all in all; deadlines move with the waking hours from now on, and what has run has run."""
        now, at = self.session.now().astimezone(UTC).replace(microsecond=0), self.session.time()

        def choose(ledger: Ledger) -> None:
            own = ledger.clocks.deadlines_of(user)
            before = {one.game: ledger.clocks.hours(one.game, user) for one in own}
            ledger.settings.set_member(user, row)
            nudged = {game for game, hours in before.items() if hours.nudges != ledger.clocks.hours(game, user).nudges}
            ledger.clocks.put_deadlines(
                [one.nudged(now, ledger.clocks.hours(one.game, user)) for one in own if one.game in nudged])
            if all(_same(hours, ledger.clocks.hours(game, user)) for game, hours in before.items()):
                return
            ledger.clocks.put_deadlines([one.moved(now, before[one.game], ledger.clocks.hours(one.game, user))
                                         for one in ledger.clocks.deadlines_of(user)])
            for game in before:
                ledger.outbox.add_letters(game, ledger.log.newest(game), [STATUS], at)

        await self.store.write(choose)

    async def own(self, user: int, guild: int | None) -> tuple[MemberRow, Theme, bool]:
        """Return what a member has chosen, which pictures the member sees on a server, and whether the week is told."""
        return await self.store.read(lambda ledger: (
            ledger.settings.member(user), ledger.settings.theme(guild, user) or "dark",
            ledger.settings.own_weekly(user) is not None))

    async def nudges(self, game: int, user: int) -> Nudges | None:
        """How often a member wants to be reminded in a game; None: as in all games."""
        return await self.store.read(lambda ledger: ledger.settings.nudges(game, user))

    @operation
    async def set_nudges(self, game: int, user: int, nudges: Nudges | None) -> None:
        """A member wants to be reminded so in a game, or as in all games, from now on. Raises Refusal: no seat there."""
        held_by((await self.session.stored(game)).holders, user)
        now = self.session.now().astimezone(UTC).replace(microsecond=0)

        def choose(ledger: Ledger) -> None:
            ledger.settings.set_nudges(game, user, nudges)
            ledger.clocks.put_deadlines([one.nudged(now, ledger.clocks.hours(game, user)) for one in ledger.clocks.deadlines(game)
                                         if one.user == user])

        await self.store.write(choose)

    async def server(self, guild: int | None) -> ServerSettings:
        return await self.store.read(lambda ledger: ServerSettings(
            clock=read(ledger.settings.server_clock(guild)), theme=ledger.settings.theme(guild, None) or "dark",
            posting=ledger.settings.server_posting(guild), gm_role=ledger.settings.gm_role(guild)))

    @operation
    async def set_language(self, user: int, language: str | None) -> None:
        """A member wants to read this language; None: that of the member's Discord."""
        await self._reads(user, language, self.session.languages.members.get(user, (None, None))[1])

    @operation
    async def seen(self, user: int, language: str | None) -> None:
        """A member's Discord is in this language now; None: the bot doesn't speak it."""
        chosen, before = self.session.languages.members.get(user, (None, None))
        if language != before and user not in self.session.forgotten:
            await self._reads(user, chosen, language)

    async def _reads(self, user: int, chosen: str | None, seen: str | None) -> None:
        await self.store.write(lambda ledger: ledger.settings.set_member_language(user, chosen, seen))
        self.session.languages.members[user] = chosen, seen

    @operation
    async def set_server_language(self, guild: int, language: str | None) -> None:
        """Choose the language of a server's new games, its noticeboard and its weekly summary; None: the server's on Discord."""
        def choose(ledger: Ledger) -> None:
            ledger.settings.set_server_language(guild, language)
            ledger.noticeboards.change(guild)

        await self.store.write(choose)
        self.session.languages.servers[guild] = language

    @operation
    async def set_game_language(self, game: int, by: int, language: str) -> None:
        """Choose the language in which everybody reads of a game, from its next message on."""
        async with self.session.locked(game):
            require((await self.session.stored(game)).row, ("open", "running", "paused"))
            self.session.forget(game)
            await self.change(game, by, lambda ledger: ledger.games.set_language(game, language), letters=[STATUS],
                              audit=f"had the game's messages written in {LANGUAGES[language].own_name}")

    @operation
    async def set_server_clock(self, guild: int, clock: Clock) -> None:
        await self.store.write(lambda ledger: ledger.settings.set_server_clock(guild, clock.written()))

    @operation
    async def set_server_posting(self, guild: int, posting: Posting) -> None:
        await self.store.write(lambda ledger: ledger.settings.set_server_posting(guild, posting))

    @operation
    async def set_posting(self, game: int, by: int, posting: Posting) -> None:
        async with self.session.locked(game):
            require((await self.session.stored(game)).row, ("open", "running", "paused"))
            self.session.forget(game)
            await self.change(game, by, lambda ledger: ledger.games.set_posting(game, posting),
                              audit=f"had pictures posted by {posting}")

    async def theme(self, guild: int | None, user: int | None = None) -> Theme:
        return await self.store.read(lambda ledger: ledger.settings.theme(guild, user)) or "dark"

    @operation
    async def set_server_theme(self, guild: int, theme: Theme) -> None:
        """Choose the theme of what is posted on a server, and of what its members see who have chosen none."""
        await self.store.write(lambda ledger: ledger.settings.set_server_theme(guild, theme))

    @operation
    async def set_member_theme(self, user: int, theme: Theme) -> None:
        await self.store.write(lambda ledger: ledger.settings.set_member_theme(user, theme))

    async def gm_role(self, guild: int) -> int | None:
        return await self.store.read(lambda ledger: ledger.settings.gm_role(guild))

    @operation
    async def set_gm_role(self, guild: int, role: int | None) -> None:
        """Choose that role, or none. Raises Refusal: everybody has it."""
        if role == guild:
            raise Refusal("Everybody has that role. Choose one that only your game masters have.")
        await self.store.write(lambda ledger: ledger.settings.set_gm_role(guild, role))


def _same(one: Hours, other: Hours) -> bool:
    return (one.zone, one.wake, one.sleep) == (other.zone, other.wake, other.sleep)
