"""Taking back on Discord: the own last answer at once; more than that by asking the others, who agree or refuse by a button."""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from discord import SelectOption
from discord.utils import format_dt

from bot.core.visit import Visit
from bot.discord.components import Persistent, Style, button, in_game, on_cancel, select, view
from bot.discord.context import Interaction
from bot.discord.errors import explain
from bot.discord.game.answering import came_back
from bot.discord.game.buttons import FURTHER, TAKE_BACK
from bot.discord.game.extras import extra
from bot.discord.game.position import position_of, position_put_to
from bot.discord.lengths import NAME, clip
from bot.discord.responses import reply, say_nothing
from bot.discord.visits import again
from bot.domain.announcements import member, reader_of
from bot.service import Services
from bot.service.consent import wanted
from bot.service.undo import AFRESH, Preview
from bot.service.undo_requests import RequestPreview
from bot.store import GameRow
from bot.store.undo import Request
from engine.kernel import Seat, Table
from engine.refusals import Refusal, Stale
from engine.text import Text, lines, say, text, verbatim

QUOTED = 12                 # sentences of what would be taken back that a message shows

ENDS = {"done": text("Everybody agreed, so it's done."), "refused": text("Refused. Nothing changes."),
        "late": text("Time is up, and not everybody agreed. Nothing changes."),
        "withdrawn": text("It was withdrawn."), "overtaken": text("The game has moved on, so this request has lapsed.")}
MASTERLY = {"done": text("Everybody agreed. `/gm branch` starts it.")}        # of a new game, which needs a place


# --- the own last answer ------------------------------------------------------------------------------------------

async def undo_own_move(interaction: Interaction, visit: Visit, *, newest: int | None = None) -> None:
    """Take back the caller's own last answer, and show the question that it answered; else offer to ask the others."""
    bot = interaction.client
    if await came_back(interaction, visit):
        return
    try:
        taken = await bot.services.undo.take_back(visit.id, visit.user, newest=newest)
    except Stale:
        raise
    except Refusal as why:
        offered = [button(text("Ask the others"), on_further, visit.id, visit.own_seat())] if visit.can_ask_to_undo else []
        await reply(interaction, explain(why, visit.reader), view(offered))
        return
    now = await again(interaction, visit.id)
    told = [text("Your last move is undone."), *(text("> {line}", line=line) for line in taken.lines)]
    await (await position_of(interaction, now)).show(above=say(lines(told), now.reader))
    bot.outbox.answered(visit.id)


@in_game(TAKE_BACK)
async def on_back(interaction: Interaction, visit: Visit, seat: str, newest: int) -> None:
    """The presser's own last answer is taken back, unless something has happened since."""
    position = await position_put_to(interaction, visit, seat)
    try:
        await undo_own_move(interaction, visit, newest=newest)
    except Stale as stale:
        await position.afresh(stale)


@extra(5)
def undoing(visit: Visit, table: Table, seat: Seat) -> Iterator[Persistent]:
    if _nothing_planned(visit, table) and visit.undoable is not None:
        yield button(text("Undo"), TAKE_BACK, visit.id, seat, visit.undoable)


@extra(6)
def asking_to_undo(visit: Visit, table: Table, seat: Seat) -> Iterator[Persistent]:
    if _nothing_planned(visit, table) and visit.undoable is None and visit.can_ask_to_undo:
        yield button(text("Ask to undo"), FURTHER, visit.id, seat)


def _nothing_planned(visit: Visit, table: Table) -> bool:
    """True if the newest own move counts already: else undo takes back a step of the plan."""
    return not table.over and (table is visit.table or not table.fresh)


# --- more than that: the others are asked ---------------------------------------------------------------------------

@in_game(FURTHER)
async def on_further(interaction: Interaction, visit: Visit, seat: str) -> None:
    """What it would take to go back before the presser's last answer; another one can be chosen instead."""
    position = await position_put_to(interaction, visit, seat)
    row, own = visit.game, position.seat
    (last, _), *earlier = await _known_answers(interaction, row)
    others = [button(text("An earlier move"), on_earlier, row.id, own)] if earlier else []
    await _show_plan(interaction, row, own, last, others)


@in_game("earlier")
async def on_earlier(interaction: Interaction, visit: Visit, seat: str) -> None:
    position = await position_put_to(interaction, visit, seat)
    row, table, own = visit.game, position.table, position.seat
    answers, reader = await _known_answers(interaction, row), reader_of(table)
    choices = [SelectOption(label=clip(say(_named(no, told), reader), NAME), value=str(no)) for no, told in answers]
    await reply(interaction, text("Undo which of your moves, and all that came after it? You'll see first what that "
                                  "is, and who must agree."), view([
        select(choices, on_before, row.id, own, hint=say(text("Your moves, newest first"), reader)),
        button(text("Back"), FURTHER, row.id, own)]))


@in_game("before")
async def on_before(interaction: Interaction, visit: Visit, seat: str, no: int) -> None:
    position = await position_put_to(interaction, visit, seat)
    row, own = visit.game, position.seat
    await _show_plan(interaction, row, own, no, [button(text("Another move"), on_earlier, row.id, own)])


async def _show_plan(interaction: Interaction, row: GameRow, own: Seat, no: int, others: Sequence[Persistent]) -> None:
    """What going back before row `no` would undo, and who must agree; `others` lead to other moves."""
    plan = await interaction.client.services.undo_requests.plan(row.id, interaction.user.id, no)
    await reply(interaction, lines([
        _if_told(plan.preview, text("{seats} must agree to undo this:", seats=tuple(plan.asked)),
                 text("{seats} must agree to undo your last move.", seats=tuple(plan.asked))),
        *_quoted(plan.preview.lines), *([AFRESH] if plan.preview.fresh else [])]), view([
            button(text("Ask them"), on_ask, row.id, own, plan.newest, no, style=Style.primary), *others,
            button(text("Cancel"), on_cancel)]))


@in_game("ask")
async def on_ask(interaction: Interaction, visit: Visit, seat: str, newest: int, no: int) -> None:
    """The others are asked, unless something has happened since this was shown."""
    await position_put_to(interaction, visit, seat)
    if await came_back(interaction, visit):
        return
    request = await interaction.client.services.undo_requests.ask(visit.id, interaction.user.id, no, newest=newest)
    await reply(interaction, text("You asked {seats}. Your request ends {moment}, or once the game moves on. Silence counts as "
                                  "no.", seats=tuple(request.agreed), moment=_moment(request.due_at)))


@in_game("agree")
async def on_agree(interaction: Interaction, visit: Visit, request: int) -> None:
    found = await _request_of(interaction, visit.game, request)
    await interaction.client.services.undo_requests.agree(found.id, interaction.user.id)
    await say_nothing(interaction)                      # the message itself says what has come of it
    interaction.client.outbox.answered(visit.id)


@in_game("disagree")
async def on_disagree(interaction: Interaction, visit: Visit, request: int) -> None:
    found = await _request_of(interaction, visit.game, request)
    await interaction.client.services.undo_requests.refuse(found.id, interaction.user.id)
    await say_nothing(interaction)


@in_game("withdraw")
async def on_withdraw(interaction: Interaction, visit: Visit, request: int) -> None:
    found = await _request_of(interaction, visit.game, request)
    await interaction.client.services.undo_requests.withdraw(found.id, interaction.user.id)
    await say_nothing(interaction)


async def _request_of(interaction: Interaction, game: GameRow, request: int) -> Request:
    """A request of this game, and of no other. Raises Refusal."""
    found = (await interaction.client.services.undo_requests.asked(request)).request
    if found.game != game.id:
        raise Refusal("There is no such request.")
    return found


async def _own_answers(services: Services, game: GameRow, user: int) -> Sequence[tuple[int, Sequence[Text]]]:
    """The presser's own answers, newest first; none if the game is not one in which something can be taken back."""
    try:
        return await services.undo_requests.own_answers(game.id, user)
    except Refusal:
        return []


async def _known_answers(interaction: Interaction, game: GameRow) -> Sequence[tuple[int, Sequence[Text]]]:
    """Return the same, if there are any. Raises Refusal."""
    answers = await _own_answers(interaction.client.services, game, interaction.user.id)
    if not answers:
        raise Refusal("You haven't made a move yet that you could undo.")
    return answers


def _named(no: int, told: Sequence[Text]) -> Text:
    """An answer in a list: its row, and what everybody read of it."""
    return text("Step {row}: {told}", row=no, told=told[0])


# --- the message of a request ---------------------------------------------------------------------------------------

def posted(visit: Visit, asked: RequestPreview) -> tuple[str, list[Persistent], list[int]]:
    """Return what the one message of a request says now, its buttons, and the members who still have to answer."""
    request, effect, reader = asked.request, asked.preview, visit.reader
    if request.kind != "undo":
        return _posted_by_master(visit, request)
    users = {holder.seat: holder.user for holder in visit.holders}
    told = [_if_told(effect, text("**{seat:The}** asks to undo this:", seat=request.seat),
                     text("**{seat}** asks to undo the last move.", seat=request.seat)), *_quoted(effect.lines)]
    if effect.fresh:
        told.append(AFRESH)
    if request.ended is not None:
        end = text("Everybody agreed.") if request.ended == "done" else _end(request)
        return say(lines([*told, text("-# {end}", end=end)]), reader), [], []
    told += _agreeing(request, users)
    told.append(text("-# This ends {moment}, or once the game moves on. Silence counts as no.",
                     moment=_moment(request.due_at)))
    return say(lines(told), reader), _answers(request, reader.name(request.seat)), _waiting(request, users)


def _posted_by_master(visit: Visit, request: Request) -> tuple[str, list[Persistent], list[int]]:
    """Return the same of what a game master asks the players to agree to: what it is, and what it would let somebody know."""
    users, reader = {holder.seat: holder.user for holder in visit.holders}, visit.reader
    told = [text("**The game master**, {master}, asks you to agree that {what}.", master=member(request.asker or 0),
                 what=wanted(request))]
    if request.kind == "branch":
        told.append(text("When the new game ends, everybody's secrets up to this step become public. Until then nobody "
                         "sees more than now."))
    else:
        told.append(text("Whoever gets the seat sees its secrets. You're asked because the game master isn't neutral, or because "
                         "{member} has known another seat's secrets.", member=member(request.about["user"])))
    if request.ended is not None:
        end = MASTERLY.get(request.ended, _end(request)) if request.kind == "branch" else _end(request)
        return say(lines([*told, text("-# {end}", end=end)]), reader), [], []
    told += _agreeing(request, users)
    if request.about:
        told.append(text("-# If {seat} agrees, that is enough.", seat=request.about["seat"]))
    told.append(text("-# This ends {moment}. Silence counts as no. The game goes on meanwhile.",
                     moment=_moment(request.due_at)))
    return say(lines(told), reader), _answers(request, say(text("game master"), reader)), _waiting(request, users)


def _end(request: Request) -> Text:
    assert request.ended is not None, "it is over"
    return ENDS[request.ended] if request.refused is None else text("{seat} said no. Nothing changes.", seat=request.refused)


def _agreeing(request: Request, users: Mapping[Seat, int | None]) -> list[Text]:
    done = [seat for seat, agreed in request.agreed.items() if agreed]
    return [text("Still to agree: {seats}.", seats=tuple(
                [_person(seat, users.get(seat)) for seat, agreed in request.agreed.items() if not agreed])),
            *([text("Agreed: {seats}.", seats=tuple(done))] if done else [])]


def _waiting(request: Request, users: Mapping[Seat, int | None]) -> list[int]:
    return [user for seat, agreed in request.agreed.items() if not agreed and (user := users.get(seat)) is not None]


def _answers(request: Request, asker: str) -> list[Persistent]:
    """Return what those who are asked can press, and what `asker` alone can: the message is everybody's."""
    return [button(text("Agree"), on_agree, request.game, request.id, style=Style.success),
            button(text("Refuse"), on_disagree, request.game, request.id, style=Style.danger),
            button(text("Withdraw ({asker} only)", asker=verbatim(asker)), on_withdraw, request.game, request.id)]


def _person(seat: Seat, user: int | None) -> Text:
    return text("{seat}", seat=seat) if user is None else text("{seat} ({member})", seat=seat, member=member(user))


def _if_told(effect: Preview, quoting: Text, plainly: Text) -> Text:
    """Return what stands above the quoted sentences of what would be undone; `plainly` if nobody has read any of it."""
    return quoting if effect.lines else plainly


def _quoted(told: Sequence[Text]) -> list[Text]:
    """Sentences of what would be taken back, as everybody read them; the newest, if there are many."""
    left = len(told) - QUOTED
    shown = [text("> {line}", line=line) for line in told[-QUOTED:]]
    return [*([text("> … and {n} more before", n=left)] if left > 0 else []), *shown]


def _moment(due_at: str) -> Text:
    return verbatim(format_dt(datetime.fromisoformat(due_at), "R"))
