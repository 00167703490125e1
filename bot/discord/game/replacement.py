"""/table replace: the players vote to replace one of them who is gone, in one message that is kept true."""
from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from discord.utils import format_dt, utcnow

from bot.core.requirements import PLAYED, held_by, require
from bot.core.visit import Visit
from bot.discord.components import Persistent, Style, button, in_game, view
from bot.discord.context import Context, Interaction
from bot.discord.game.absence import standing_in
from bot.discord.game.answering import on_your_move
from bot.discord.game.buttons import SILENT
from bot.discord.game.clock import direct, latest_of
from bot.discord.lengths import LABEL, clip
from bot.discord.responses import reply, say_nothing, titled
from bot.domain import letters
from bot.domain.absence import HEARING
from bot.domain.announcements import member
from bot.service.gone_players import Poll, Silence
from bot.store import GameRow, OutboxRow
from bot.store.gone_players import Replacement
from engine.kernel import Seat
from engine.text import Fact, Reader, Text, lines, say, text, verbatim

SHORT = LABEL - 20          # characters of a seat's name on a button
SHOWN = 5                   # seats with a button

Ballot = Literal["yes", "no"]


async def show_silent_players(interaction: Interaction, visit: Visit) -> None:
    """Who keeps the others waiting for how long, with a button for each player about whom a vote can begin."""
    game, title = visit.game, verbatim(titled(visit.game))
    require(game, PLAYED)
    own, rules = held_by(visit.holders, visit.user), game.replacement
    silences = [one for one in await interaction.client.services.gone_players.silences(game.id, visit.user) if one.seat != own]
    ready = [one for one in silences if one.enough][:SHOWN]
    told = [rules.sentence(game.seats)] if not rules.days else [
        text("Nobody in {title} has kept you waiting long enough for a vote.", title=title) if not ready else
        text("These players of {title} may be gone. Write to them first; then you can begin a vote.", title=title),
        *map(_line, silences), text("-# {rules} {alone}The game master can give a seat to somebody else with `/gm hand`.",
                                    rules=rules.sentence(game.seats), alone="" if game.seats == 2 else text(
                                        "If only one other player is left to decide, it takes twice as long. "))]
    await reply(interaction, lines(told), view(_voting(game, ready, visit.reader)))


@in_game(SILENT)
async def on_silent(interaction: Interaction, visit: Visit) -> None:
    """Who keeps the presser waiting."""
    await show_silent_players(interaction, visit)


def _voting(game: GameRow, silent: Sequence[Silence], reader: Reader) -> list[Persistent]:
    return [button(text("Vote about {seat}", seat=verbatim(clip(say(one.seat, reader), SHORT))), on_begin, game.id, one.seat,
                   style=Style.danger) for one in silent]


def _line(one: Silence) -> Text:
    facts: dict[str, Fact] = {"seat": one.seat, "member": member(one.user),
                              "since": verbatim(format_dt(utcnow() - one.silent, "R"))}
    if one.enough:
        return text("- {seat} ({member}): asked {since}, no move yet.", **facts)
    return text("- {seat} ({member}): asked {since}, no move yet. A vote can begin {moment}.",
                moment=verbatim(format_dt(utcnow() + one.needed - one.silent, "R")), **facts)


@in_game("replace")
async def on_begin(interaction: Interaction, visit: Visit, about: str) -> None:
    row = visit.game
    vote = await interaction.client.services.gone_players.begin_vote(row.id, Seat(about), interaction.user.id)
    await reply(interaction, text("You've started a vote about {seat}, and voted for it. I've told "
                                  "{member}, who has a day to answer.", seat=vote.seat, member=member(vote.user)))
    interaction.client.outbox.answered(row.id)


# --- the message of a vote --------------------------------------------------------------------------------------

def polling(visit: Visit, poll: Poll) -> tuple[Text, list[Persistent]]:
    """Return what the one message of a vote says now, and its buttons as long as it is under way."""
    vote, missing = poll.vote, still_to_vote(visit, poll)
    facts: dict[str, Fact] = {"member": member(vote.user), "seat": vote.seat}
    if vote.ended is not None:
        told = {"done": text("The players have voted to replace {member}, who no longer plays {seat}.", **facts),
                "here": text("The vote about {member} is over: {member} is here and plays {seat}.", **facts),
                "moved": text("The vote about {member} is over: {seat} has moved.", **facts),
                "kept": text("Not enough players want to replace {member}, who keeps {seat}.", **facts),
                "late": text("Not enough votes in time: {member} keeps {seat}.", **facts),
                "over": text("The vote about {member} is over.", **facts)}
        return told[vote.ended], []
    sides = [(text("Agreed: {members}.", members=_named(poll, agrees=True)), True in poll.votes.values()),
             (text("Refused: {members}.", members=_named(poll, agrees=False)), False in poll.votes.values()),
             (text("Still to vote: {members}.", members=tuple(map(member, missing))), bool(missing))]
    return lines([
        text("**Vote**, asked for by {asker}: replace {member}, who plays {seat} and hasn't moved for a long time?",
             asker=member(vote.asker), **facts),
        text("{votes} of {needed} votes are in.", votes=sum(poll.votes.values()), needed=vote.needed),
        *(words for words, said in sides if said),
        text("-# {member}: make your move or press *I'm here* to stop this vote. {hearing}, the seat is "
             "free as soon as enough players agree. Voting ends {moment}.",
             moment=_moment(vote.due_at), hearing=_hearing(vote), **facts)]), [
        button(text("Agree"), on_ballot, vote.game, vote.id, "yes", style=Style.success),
        button(text("Refuse"), on_ballot, vote.game, vote.id, "no", style=Style.danger), being_here(vote)]


def _named(poll: Poll, *, agrees: bool) -> tuple[Text, ...]:
    return tuple([member(user) for user, choice in poll.votes.items() if choice == agrees])


def _hearing(vote: Replacement) -> Text:
    """From when on the vote counts: it stands in the message for its whole life, so it names the moment."""
    ends = datetime.fromisoformat(vote.at) + HEARING
    return text("From {moment} on", moment=verbatim(format_dt(ends, "f")))


def _moment(stamp: str) -> Text:
    return verbatim(format_dt(datetime.fromisoformat(stamp), "R"))


def being_here(vote: Replacement) -> Persistent:
    """The button with which whoever a vote is about ends it."""
    return button(text("I'm here"), on_here, vote.game, vote.id, style=Style.success)


async def tell_waiting(bot: Context, visit: Visit, letter: letters.LongWait) -> tuple[Text, list[Persistent], list[int]] | None:
    """That a game waits for long, with a button for each player about whom the others can vote by now, and whom that calls; None
    once it goes on. Where several decide at the same time, all of them are named: who has decided is nobody's business."""
    game, holders = visit.game, visit.holders
    asked = [question.seat for question in visit.table.asks if question.seat in letter.seats]
    awaited = {holder.seat: holder.user for holder in holders if holder.seat in asked and holder.user is not None}
    others = [holder.user for holder in holders if holder.user is not None and holder.seat not in awaited and not holder.absent]
    if game.status != "running" or not awaited or not (others or len(awaited) > 1):
        return None
    readers = others or list(awaited.values())
    silences = [one for one in await bot.services.gone_players.silences(game.id, readers[0]) if one.seat in awaited]
    named = tuple([text("{seat} ({member})", seat=seat, member=member(user)) for seat, user in awaited.items()])
    waited = text("for {seats}", seats=named) if len(named) == 1 else text("for some of {seats}", seats=named)
    head = text("{readers}: this game has waited three days or more {waited}. Try writing to them; game "
                "master {master} knows too.", readers=tuple(map(member, readers)), waited=waited, master=member(game.owner))
    ready, due = [one for one in silences if one.enough][:SHOWN], latest_of(visit.snapshot.deadlines)
    ways = _voting(game, ready, visit.reader) or ([button(text("Who keeps us waiting?"), SILENT, game.id)] if silences else [])
    return lines([head, *([due] if due is not None else []), *map(_line, silences)]), ways, readers


def still_to_vote(visit: Visit, poll: Poll) -> Sequence[int]:
    """Those who are there and have not voted."""
    return [holder.user for holder in visit.holders if holder.user is not None and not holder.absent
            and holder.user not in (poll.vote.user, *poll.votes)]


@in_game("ballot")
async def on_ballot(interaction: Interaction, visit: Visit, vote: int, choice: Ballot) -> None:
    await interaction.client.services.gone_players.cast_ballot(visit.id, vote, interaction.user.id, agrees=choice == "yes")
    await say_nothing(interaction)                      # the message itself says what has come of it
    interaction.client.outbox.answered(visit.id)


@in_game("imhere")
async def on_here(interaction: Interaction, visit: Visit, vote: int) -> None:
    row, seat = visit.game, visit.seat
    await interaction.client.services.gone_players.here(row.id, vote, visit.user)
    await reply(interaction, text("Good to see you. The vote is over, and your seat in {title} stays yours.",
                                  title=verbatim(titled(row))),
                view([] if seat is None else [button(text("Your move"), on_your_move, row.id, seat, style=Style.primary)]))


async def tell_replaced(bot: Context, visit: Visit, row: OutboxRow, letter: letters.ReplacementNotice) -> int | None:
    """Tell whoever a vote is about, directly: the message in the channel calls the member too."""
    game, poll = visit.game, await bot.services.gone_players.poll(visit.id, letter.replacement)
    seat = next((holder.seat for holder in visit.holders if holder.played_by(letter.user)), None)
    if poll is None or poll.vote.ended is not None or seat is None:
        return None
    words = text("The other players of **{title}** in {channel} are waiting for your move and voting on replacing you. "
                 "Move, or press *I'm here*, and the vote ends. If you don't, you can lose your seat from {moment} on.",
                 title=verbatim(titled(game)),
                 channel=verbatim(f"<#{game.channel}>"),
                 moment=verbatim(format_dt(datetime.fromisoformat(poll.vote.at) + HEARING, "f")))
    return await direct(bot, letter.user, words, [
        button(text("Your move"), on_your_move, game.id, seat, style=Style.primary), being_here(poll.vote),
        *standing_in(game)], row=row)
