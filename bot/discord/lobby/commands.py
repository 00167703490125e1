"""/game: open, join, leave, start, look back, resign; its pictures stand in `shows`, learning in `teach`, rules in `rulebook`."""
from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Literal

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.core.visit import Visit
from bot.discord.admission import charge
from bot.discord.channels import report, require_member
from bot.discord.components import Style, button, in_game, on_cancel, pressed, view
from bot.discord.context import Interaction
from bot.discord.errors import helping
from bot.discord.find_game import FINISHED, about_a_game, visit_meant, within_reach
from bot.discord.forums import forum_losses, post_beside
from bot.discord.game.absence import giving_up
from bot.discord.game.action_commands import CONTEXTS
from bot.discord.game.clock import suggested
from bot.discord.game.history import show_history
from bot.discord.game.last_player import winning_for
from bot.discord.game.legal_moves import add_legal
from bot.discord.game.lessons import add_learning
from bot.discord.game.picture_commands import add_pictures
from bot.discord.game.provenance import add_provenance
from bot.discord.game.rules import add_rulebook
from bot.discord.game.status import standing, ways
from bot.discord.game_master.commands import may_master
from bot.discord.lengths import NAME, capital, clip
from bot.discord.lobby import opening
from bot.discord.lobby.buttons import FILL, GAMES, JOIN, LEAVE, RECORD, REMATCH, START, UNFILL, back, starting
from bot.discord.lobby.open_game import about, in_brief
from bot.discord.responses import reply, suggestions, titled, where_played
from bot.discord.sanitize import known_as
from bot.discord.talk.commands import talk_button
from bot.discord.visits import again
from bot.domain.announcements import member
from bot.domain.titles import TITLE
from bot.store import Status
from engine.kernel import GameSpec
from engine.options import chosen, offered
from engine.players import LEVELS, NAMES, level_named, level_of
from engine.record import seal
from engine.refusals import Faulty, Refusal
from engine.text import Text, count, lines, printed, say, text, verbatim

STATUS: Mapping[Status, Text] = {"open": text("open"), "running": text("running"), "paused": text("paused"),
                                 "over": text("over"), "closed": text("closed")}

Title = app_commands.Range[str, 1, TITLE]


CLOSED = text("I can't send you DMs. Use `/my move` to see your secrets, or allow DMs from members of this server.")

LISTED = 15                 # games on a page of the list


class Lobby(app_commands.Group):
    """Everything about a game that is no move."""

    def __init__(self, games: Sequence[GameSpec]) -> None:
        super().__init__(name="game", description="Open, join and follow games", allowed_contexts=CONTEXTS)
        self.games = games
        add_pictures(self)
        add_legal(self)
        add_rulebook(self, games)
        add_provenance(self, games)
        add_learning(self, games)

    @app_commands.command(description="Open a game that others can join. Choose everything by taps")
    @app_commands.describe(
        game="Which game?", seats="For how many players?", edition="Which edition? Blank: the first",
        title="What is it called?", place="Where is it played: here, or in its own thread, channel or forum post?",
        clock="How long for each move, such as 24h? Blank: this server's choice",
        options="Options to change, such as help.auto_call=False. Easier by taps, later",
        data="A file with the real values of your copy (get it from /game provenance)",
        automatic="Fill the seats that stay empty with automatic players: how strong?")
    async def open(self, interaction: Interaction, game: str | None = None, seats: int | None = None, edition: str | None = None,
                   title: Title | None = None, clock: str | None = None, options: str = "",
                   data: discord.Attachment | None = None, place: opening.Where = "this channel",
                   automatic: Literal["for beginners", "solid", "strong"] | None = None) -> None:
        if data is not None:
            charge(interaction, "files")
        pack = None if data is None else await opening.text_of(data, opening.PACK)
        named = (None, None) if pack is None else await opening.named_in(pack)
        game, edition = game or named[0], edition or named[1]
        if game is not None:
            opening.wanted(self.games, game)
        if seats is None or (game is None and len(self.games) > 1):
            if any((title, clock, options, pack, place != "this channel", automatic)):
                raise Faulty("Also say which game and for how many players: `game` and `seats`.")
            await opening.ask(interaction, self.games, game, edition, seats or 0)
            return
        spec = opening.wanted(self.games, game or self.games[0].key)
        await opening.opened(interaction, spec, edition=opening.edition_of(spec, edition), seats=seats, title=title, clock=clock,
                             options=opening.options_in(spec, options), pack=pack, place=place, level=level_named(automatic))

    @open.autocomplete("clock")
    @helping
    async def _clocks(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        key = getattr(interaction.namespace, "game", None) or (self.games[0].key if len(self.games) == 1 else None)
        return suggested(typed, opening.wanted(self.games, key).orders if key else None)

    @open.autocomplete("game")
    @helping
    async def _games(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        return suggestions([Choice(name=clip(spec.name, NAME), value=spec.key) for spec in self.games
                if typed.casefold() in spec.name.casefold()])

    @open.autocomplete("edition")
    @helping
    async def _editions(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        key = getattr(interaction.namespace, "game", None)
        known = [edition for spec in self.games if key in (None, "", spec.key) for edition in spec.editions if edition.available]
        named = [(say(text(edition.name)), edition.key) for edition in known]
        return suggestions([Choice(name=clip(name, NAME), value=key) for name, key in named
                            if typed.casefold() in name.casefold()])

    @open.autocomplete("options")
    @helping
    async def _changes(self, interaction: Interaction, typed: str) -> list[Choice[str]]:
        """Each option that can be changed, behind those that are chosen already."""
        *written, begun = typed.split(" ")
        kept, taken = "".join(f"{change} " for change in written), {change.partition("=")[0] for change in written}
        spec = opening.wanted(self.games, getattr(interaction.namespace, "game", None) or self.games[0].key)
        preset = chosen(spec, opening.edition_of(spec, getattr(interaction.namespace, "edition", None)), {})
        changes = [f"{kept}{key}={value}" for key, values in offered(spec).items() if key not in taken for value in values
                   if value != preset[key] and begun.casefold() in f"{key}={value}".casefold()]
        return suggestions([Choice(name=change, value=change) for change in changes if len(change) <= NAME])

    @app_commands.command(description="Take a seat in an open game")
    @about_a_game()
    async def join(self, interaction: Interaction, game: str | None = None) -> None:
        await join(interaction, (await visit_meant(interaction, game, lobby=True, seated=False)).id)

    @app_commands.command(description="Give up your seat before the game starts")
    @about_a_game()
    async def leave(self, interaction: Interaction, game: str | None = None) -> None:
        await leave(interaction, (await visit_meant(interaction, game, lobby=True)).id)

    @app_commands.command(description="Start the game with everybody who has joined")
    @about_a_game()
    async def start(self, interaction: Interaction, game: str | None = None) -> None:
        await start(interaction, (await visit_meant(interaction, game, lobby=True)).id)

    @app_commands.command(description="Where a game stands, who is to move and since when")
    @about_a_game()
    async def status(self, interaction: Interaction, game: str | None = None) -> None:
        visit = await visit_meant(interaction, game)
        items = ways(visit, visit.user) if visit.game.status == "open" else [about(visit.id)]
        await reply(interaction, standing(visit, interaction.client.services.session.now()), view(items))

    @app_commands.command(description="Check my permissions in a game's channel")
    @about_a_game()
    async def check(self, interaction: Interaction, game: str | None = None) -> None:
        row = (await visit_meant(interaction, game)).game
        await interaction.client.outbox.look_after(row)
        await reply(interaction, lines([await report(interaction.client, row),
                                        *await forum_losses(interaction.client, row.guild, row)]))

    @app_commands.command(description="What has happened so far, step by step")
    @about_a_game(page="Which page? Blank: the newest")
    async def history(self, interaction: Interaction, page: int | None = None, game: str | None = None) -> None:
        await show_history(interaction, await visit_meant(interaction, game), page)

    @app_commands.command(description="Download a game's record as a file")
    @about_a_game()
    async def export(self, interaction: Interaction, game: str | None = None) -> None:
        await send_record(interaction, (await visit_meant(interaction, game)).id)

    @app_commands.command(description="Give up your seat in a running game")
    @about_a_game()
    async def resign(self, interaction: Interaction, game: str | None = None) -> None:
        visit = await visit_meant(interaction, game)
        await reply(interaction, giving_up(visit, visit.own_seat()),
                    view([*winning_for(visit),
                          button(text("Resign"), on_resign, visit.id, style=Style.danger),
                          button(text("Cancel"), on_cancel)]))

    @app_commands.command(name="list", description="This server's games, and yours elsewhere")
    @app_commands.describe(finished="Finished games too?")
    async def listing(self, interaction: Interaction, finished: bool = False) -> None:
        await list_games(interaction, finished=finished)

# --- what several commands and buttons do -----------------------------------------------------------------

@in_game(JOIN)
async def join(interaction: Interaction, visit: Visit) -> None:
    """Take a seat, and open the direct message in which stands what only it may see."""
    seat = await interaction.client.services.lobby.join(visit.id, visit.user, name=known_as(interaction.user))
    reached = await interaction.client.outbox.open_private(visit.id, seat)
    await reply(interaction, lines([
        text("You joined {title:.} {where}", title=verbatim(titled(visit.game)),
             where=text("I'll send your secrets by DM.") if reached else CLOSED),
        *in_brief(await again(interaction, visit.id))]))


@in_game(LEAVE)
async def leave(interaction: Interaction, visit: Visit) -> None:
    await interaction.client.services.lobby.leave(visit.id, visit.user)
    await reply(interaction, text("You left {title:.}", title=verbatim(titled(visit.game))))


@in_game(START)
async def start(interaction: Interaction, visit: Visit) -> None:
    """Begin with those who have joined. Raises Refusal unless the host or another game master wants it, or the host lets a full
    table wait for long."""
    game, lobby = visit.game, interaction.client.services.lobby
    if not await may_master(interaction, visit) and not await lobby.may_start(game.id, visit.user):
        raise Refusal("Only {host} can start this game, or a game master of this server.", host=member(game.owner))
    await lobby.start(game.id, visit.user)
    await reply(interaction, text("{title} has started.", title=verbatim(titled(game))),
                view(await talk_button(interaction.client, game)))


@in_game(RECORD)
async def send_record(interaction: Interaction, visit: Visit) -> None:
    charge(interaction, "files")
    game = visit.game
    record = await interaction.client.services.records.export(game.id)
    file = discord.File(io.BytesIO(record.encode()), f"game-{game.id}.jsonl")
    beside = await interaction.client.services.records.kept_back(game.id)
    what = (text("The public record so far. The full one, with its dice, comes when the game is over.")
            if game.status != "over" else text("The record of this game, with the secret of its dice.") if not beside else
            text("The public record. The full one comes when these games, which share its past, are over too: {games}.",
                 games=tuple(beside)))
    hashes = text("-# SHA-256 of the secret of its dice: `{secret}`. Last hash of the record: `{last}`.",
                  secret=verbatim(game.commitment), last=verbatim(seal(record)))
    await reply(interaction, lines([what, hashes]), files=[file])


async def list_games(interaction: Interaction, *, finished: bool, page: int = 1) -> None:
    """A page of the games that the caller sees, newest first, with buttons to turn it."""
    games = [row for row in await within_reach(interaction) if finished or row.status not in FINISHED]
    if not games:
        await reply(interaction, text("No game is being played here. Open one with `/game open`."))
        return
    pages = -(-len(games) // LISTED)
    page = min(max(page, 1), pages)
    specs = {spec.key: spec.name for spec in interaction.client.games}
    told = [text("{game} · {title} · {spec} · {status} · {channel}", game=row.id, title=verbatim(titled(row)),
                 spec=printed(specs.get(row.key, row.key)), status=STATUS[row.status], channel=where_played(row))
            for row in games[::-1][(page - 1) * LISTED:page * LISTED]]
    head = [text("{games}, page {page} of {pages}", games=count(len(games), "{n} game", "{n} games"), page=page, pages=pages)] \
        if pages > 1 else []
    ways = (text("Newer"), page - 1), (text("Older"), page + 1)
    await reply(interaction, lines([*head, *told]), view([
        button(label, GAMES, int(finished), to) for label, to in ways if 1 <= to <= pages]))


@pressed(GAMES)
async def on_games(interaction: Interaction, finished: int, page: int) -> None:
    await list_games(interaction, finished=bool(finished), page=page)


# --- presses ---------------------------------------------------------------------------------------------

@in_game(FILL)
async def on_fill(interaction: Interaction, visit: Visit) -> None:
    await _require_host(interaction, visit)
    await reply(interaction, text("How strong should the automatic players be? They also take over for anyone who "
                                  "resigns or is away."), view([
        *(button(capital(say(NAMES[level])), fill, visit.id, level) for level in LEVELS), back(visit.id)]))


@in_game("fillwith")
async def fill(interaction: Interaction, visit: Visit, level: str) -> None:
    """Fill the empty seats with automatic players, or take them out. Raises Refusal unless the host wants it."""
    await _require_host(interaction, visit)
    await interaction.client.services.lobby.fill(visit.id, level, visit.user)
    ready = any(holder.user is not None for holder in visit.holders)
    words = (text("The automatic players are gone.") if not level else
             text("The empty seats have automatic players now ({level}). {next}", level=NAMES[level_of(level)],
                  next=text("You can start.") if ready else text("Join, then start.")))
    following = starting(visit.game) if ready else button(text("Join"), JOIN, visit.id, style=Style.success)
    await reply(interaction, words, view([following, back(visit.id)] if level else []))


@in_game(UNFILL)
async def on_unfill(interaction: Interaction, visit: Visit) -> None:
    await fill(interaction, visit.id, "")


async def _require_host(interaction: Interaction, visit: Visit) -> None:
    if not await may_master(interaction, visit):
        raise Refusal("{host} decides who fills the seats, or another game master of this server.",
                      host=member(visit.game.owner))


@in_game("resign")
async def on_resign(interaction: Interaction, visit: Visit) -> None:
    await interaction.client.services.seats.resign(visit.id, visit.user)
    await reply(interaction, text("You resigned from {title:.}", title=verbatim(titled(visit.game))))


@in_game(REMATCH)
async def on_rematch(interaction: Interaction, visit: Visit) -> None:
    """The same game once more: the first who wants it opens it, and all others find it."""
    lobby, user, old = interaction.client.services.lobby, interaction.user, visit.game
    await require_member(interaction)
    async with interaction.client.opening(old.id):
        place = None
        if await lobby.rematch_opened(old.id, user.id) is None:
            place = await post_beside(interaction, old, await lobby.title(old.title, user.id, old.guild, old.channel))
        row, new = await lobby.rematch(old.id, user.id, name=known_as(user), place=place)
    words = text("The rematch is game {game} in {channel}.", game=row.id, channel=where_played(row))
    if new:
        words = text("{words} It has the same options, you're its host, and everybody else is pinged."
                     if {holder.user for holder in visit.holders} - {None, user.id} else
                     "{words} It has the same options, and you're its host.", words=words)
    await reply(interaction, words, view(ways(await again(interaction, row.id), user.id)))
