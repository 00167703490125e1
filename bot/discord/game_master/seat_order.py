"""/gm seats: who holds each seat, which of them are automatic, and in which order those who have joined will sit."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from discord import SelectOption

from bot.core.requirements import PLAYED
from bot.core.visit import Visit
from bot.discord.components import Persistent, Style, button, in_game, in_rows, on_cancel, select, view
from bot.discord.context import Interaction
from bot.discord.find_game import about_a_game
from bot.discord.game.absence import automatic, whereabouts
from bot.discord.game_master.commands import Moderator, gm_game, require_gm
from bot.discord.lengths import NAME, clip
from bot.discord.lobby.open_game import following
from bot.discord.responses import reply, titled
from bot.discord.visits import again
from bot.domain.announcements import member
from bot.service import Services
from bot.store import GameRow, Holder
from engine.kernel import GameSpec, Level, Seat
from engine.players import LEVELS, NAMES, level_of, playable
from engine.text import Reader, Text, lines, say, text, verbatim

Who: TypeAlias = Literal["nobody", "caretaker", "beginners", "solid", "strong",
                         "default", "forbeginners", "forsolid", "forstrong"]
# who is to play a seat from now on; in the second row: until its player is back
STANDING: Mapping[Who, Level] = {"forbeginners": "beginners", "forsolid": "solid", "forstrong": "strong"}
UNNAMED = ""                # in place of a seat: none is chosen yet


def add_seating(group: Moderator) -> None:
    @group.command(name="seats", description="All seats: who plays each, automatic players in or out, and who sits first")
    @about_a_game()
    async def seats(interaction: Interaction, game: str | None = None) -> None:
        await show(interaction, await gm_game(interaction, game))


async def show(interaction: Interaction, visit: Visit, seat: str = UNNAMED, note: Text | None = None) -> None:
    """All seats, with what can be changed; `seat` is the one that is chosen."""
    game, spec, reader = visit.game, visit.spec, visit.reader
    holders, level = {holder.seat: holder for holder in visit.holders}, game.successor
    cared, open = spec.rules.caretaker is not None, game.status == "open"
    filling = (open and playable(spec)) or (game.status in PLAYED and (playable(spec) or cared))
    head = text("The seats of {title}:", title=verbatim(titled(game))) if holders else text("Nobody has joined yet.")
    words = [*([note] if note is not None else []), head, *_listed(game, holders, empty=filling)]
    people = {holder.user: holder for holder in holders.values() if holder.user is not None}
    rows: list[Sequence[Persistent]] = [[_first(game, people)]] if open and len(people) > 1 else []
    if filling:
        words += following(level)
        known = [Seat(f"seat_{place}") for place in range(1, game.seats + 1)] if open else [*holders]
        shown = [one for one in known if not open or (found := holders.get(one)) is None or found.user is None]
        rows += [[select([SelectOption(label=clip(_name(game, one, reader), NAME), value=one, default=one == seat,
                                       description=clip(_whose(holders.get(one)), NAME)) for one in shown],
                         on_seat, game.id, hint=text("Who plays which seat?"))]] if shown else []
        if seat in shown:
            choices = [SelectOption(label=clip(say(said, reader), NAME), value=value)
                       for value, said in _choices(spec, holders.get(Seat(seat)), open=open).items()]
            hint = text("Who plays {seat}?", seat=verbatim(_name(game, seat, reader)))
            rows.append([select(choices, on_put, game.id, seat, hint=hint)])
        if playable(spec):
            rows.append([select([SelectOption(label=say(_following(one)), value=one or "none", default=one == level)
                                 for one in ("", *LEVELS)], on_follow, game.id)])
    elif not open and holders:
        words.append(text("They stay like this: the game has started."))
    if cared and not open and filling:
        label = text("Default moves for seats given up later") if game.caring else text("A caretaker for seats given up later")
        rows.append([button(label, on_care_later, game.id, int(not game.caring))])
    rows.append([button(text("Random order"), on_lot, game.id)] if open and len(people) > 1 else [])
    await reply(interaction, lines(words), view(in_rows(rows)))


def _listed(game: GameRow, holders: Mapping[Seat, Holder], *, empty: bool) -> list[Text]:
    """Every seat with whoever plays it; before the start in the order in which they will sit."""
    if game.status != "open":
        return [text("{seat}: {who}", seat=seat, who=whereabouts(holder)) for seat, holder in holders.items()]
    taken = [automatic(holder) if holder.user is None else member(holder.user) for holder in holders.values()]
    free = [text("empty")] * (game.seats - len(taken)) if empty and taken else []
    return [text("{place}. {member}", place=place, member=who) for place, who in enumerate([*taken, *free], 1)]


def _name(game: GameRow, seat: str, reader: Reader) -> str:
    return seat.replace("_", " ").capitalize() if game.status == "open" else reader.name(seat)


def _whose(holder: Holder | None) -> str:
    """Who plays a seat, for the menu of seats, where nobody can be mentioned."""
    if holder is None or (holder.user is None and not holder.level and not holder.caretaker):
        said = text("empty") if holder is None else text("nobody: default moves")
    elif holder.user is None:
        said = whereabouts(holder)
    elif holder.level:
        said = text("{name} (away; automatic player, {level})", name=verbatim(holder.name), level=NAMES[level_of(holder.level)])
    else:
        said = verbatim(holder.name or str(holder.user))
    return say(said)


def _choices(spec: GameSpec, holder: Holder | None, *, open: bool) -> dict[str, Text]:
    """Who else could play a seat: by the word that the menu carries."""
    now, levels = "" if holder is None else holder.level, LEVELS if playable(spec) else ()
    if open:
        return {**{level: _automatic(level) for level in levels if level != now},
                **({"nobody": text("Empty")} if holder is not None else {})}
    if holder is not None and holder.user is not None:
        owner = verbatim(holder.name if holder.owner is None else holder.owner.name)
        return {**{f"for{level}": text("Automatic ({level}) until {owner} is back", level=NAMES[level], owner=owner)
                   for level in levels if level != now},
                **({"default": text("Default moves until {owner} is back", owner=owner)} if now else {}),
                **{level: text("Automatic ({level}) from now on", level=NAMES[level]) for level in levels},
                **({"caretaker": text("A caretaker from now on")} if spec.rules.caretaker is not None else {})}
    care = holder is not None and holder.caretaker
    return {**{level: _automatic(level) for level in levels if level != now},
            **({"caretaker": text("A caretaker")} if spec.rules.caretaker is not None and not care else {}),
            **({"nobody": text("Nobody: default moves")} if now or care else {})}


def _automatic(level: Level) -> Text:
    return text("Automatic ({level})", level=NAMES[level])


def _following(level: str) -> Text:
    """Who plays for whoever resigns or is away, as one of the menu's choices."""
    if not level:
        return text("When away: default moves")
    return text("When away: automatic ({level})", level=NAMES[level_of(level)])


# --- who plays ------------------------------------------------------------------------------------------------

@in_game("seatsof")
async def on_seat(interaction: Interaction, visit: Visit, seat: str) -> None:
    await require_gm(interaction, visit)
    await show(interaction, visit, seat)


@in_game("seatput")
async def on_put(interaction: Interaction, visit: Visit, seat: str, who: Who) -> None:
    """Have somebody else play a seat; what takes it from a member for good is confirmed first."""
    await require_gm(interaction, visit)
    held = next((holder.whose for holder in visit.holders if holder.seat == seat), None)
    if who == "caretaker" and held is not None:
        care = visit.spec.words.care
        await reply(interaction, text("Take {seat} from {member} and give it to a caretaker ({care})?", seat=Seat(seat),
                                      member=member(held), care=care), view([
            button(text("Take the seat"), on_care, visit.id, seat, held, style=Style.danger),
            button(text("Cancel"), on_cancel)]))
        return
    if who in LEVELS and visit.game.status != "open" and held is not None:
        await reply(interaction, text("Take {seat} from {member} for good and give it to an automatic player ({level})?",
                                      seat=Seat(seat), member=member(held), level=NAMES[level_of(who)]), view([
            button(text("Take the seat"), on_take, visit.id, seat, who, held, style=Style.danger),
            button(text("Cancel"), on_cancel)]))
        return
    await _put(interaction.client.services, visit, Seat(seat), who)
    await _changed(interaction, visit, seat)


async def _put(services: Services, visit: Visit, seat: Seat, who: Who) -> None:
    game, by, held = visit.id, visit.user, visit.held(seat)
    level = who if who in LEVELS else ""
    if visit.game.status == "open":
        await services.lobby.put_automatic(game, seat, level, by)
    elif who == "default" or who in STANDING:
        await services.automatic_seats.cover(game, seat, STANDING.get(who, ""), by)
    elif who == "caretaker":
        await services.seats.care(game, seat, by)
    elif not level and held is not None and held.caretaker:
        await services.seats.care(game, seat, by, wanted=False)
    else:
        await services.automatic_seats.automate(game, seat, level, by)


@in_game("seattake")
async def on_take(interaction: Interaction, visit: Visit, seat: str, level: str, held: int) -> None:
    await require_gm(interaction, visit)
    await interaction.client.services.automatic_seats.automate(visit.id, Seat(seat), level, visit.user, held=held)
    await _changed(interaction, visit, seat)


@in_game("care")
async def on_care(interaction: Interaction, visit: Visit, seat: str, held: int) -> None:
    await require_gm(interaction, visit)
    await interaction.client.services.seats.care(visit.id, Seat(seat), visit.user, held=held)
    await _changed(interaction, visit, seat)


@in_game("seatcare")
async def on_care_later(interaction: Interaction, visit: Visit, wanted: int) -> None:
    await require_gm(interaction, visit)
    await interaction.client.services.seats.care_for_free_seats(visit.id, visit.user, wanted=bool(wanted))
    await show(interaction, await again(interaction, visit.id), note=text("Changed."))


@in_game("seatfollow")
async def on_follow(interaction: Interaction, visit: Visit, who: Literal["none", "beginners", "solid", "strong"]) -> None:
    await require_gm(interaction, visit)
    await interaction.client.services.automatic_seats.follow(visit.id, "" if who == "none" else who, visit.user)
    await show(interaction, await again(interaction, visit.id), note=text("Changed."))


async def _changed(interaction: Interaction, visit: Visit, seat: str) -> None:
    await show(interaction, await again(interaction, visit.id), seat, text("Changed."))
    interaction.client.outbox.answered(visit.id)


# --- in which order -------------------------------------------------------------------------------------------

def _first(game: GameRow, people: Mapping[int, Holder]) -> Persistent:
    """Whoever is moved to the front in turn: so any order comes about."""
    behind = [*people.items()][1:]
    return select([SelectOption(label=clip(holder.name or str(user), NAME), value=str(user)) for user, holder in behind],
                  on_first, game.id, hint=text("Who sits first?"))


@in_game("seatfirst")
async def on_first(interaction: Interaction, visit: Visit, user: int) -> None:
    await _ordered(interaction, visit, user)


@in_game("seatlot")
async def on_lot(interaction: Interaction, visit: Visit) -> None:
    await _ordered(interaction, visit, None)


async def _ordered(interaction: Interaction, visit: Visit, first: int | None) -> None:
    await require_gm(interaction, visit)
    await interaction.client.services.lobby.order(visit.id, visit.user, first)
    await show(interaction, await again(interaction, visit.id))
