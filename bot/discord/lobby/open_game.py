"""A game that has not begun: in a few lines for everybody, who can join and see in private, and what can be pressed."""
from __future__ import annotations

from collections.abc import Sequence

from bot.core.visit import Visit
from bot.discord.components import Persistent, button
from bot.discord.lobby.buttons import GUESTS, OPTIONS, seating
from bot.discord.lobby.options import changes
from bot.domain.absence import no_show_sentence
from bot.domain.announcements import member
from bot.domain.datetime_options import sentence
from bot.service.seat_sentences import joined
from bot.store import GameRow, Holder, Newcomers
from engine import options as opt
from engine.kernel import GameSpec
from engine.players import NAMES, level_of
from engine.text import Fact, Text, sentences, text, verbatim

EVERYBODY, INVITED = text("Everybody who sees the game can join."), text("Only invited members can join.")
LATER: dict[Newcomers, Text] = {
    "free": text("A seat given up goes to whoever wants it."),
    "asked": text("The game master decides who takes over."),
    "none": text("Only the game master fills a seat again.")}


def seats_and_clock(visit: Visit) -> list[Text]:
    """Who has joined, the host, the clock in brief, whether others can join, and what differs from the edition."""
    game = visit.game
    facts: dict[str, Fact] = {"owner": member(game.owner), "clock": visit.snapshot.clock.clock.brief()}
    return [taken_seats(game, visit.holders), text("By invitation of {owner}. {clock}", **facts) if game.invite_only else
            text("Host: {owner}. {clock}", **facts), *changes(visit.spec, game)]


def taken_seats(game: GameRow, holders: Sequence[Holder]) -> Text:
    facts: dict[str, Fact] = {"taken": len(holders), "seats": game.seats}
    return (text("{taken} of {seats} seats taken: {joined}.", joined=tuple(joined(holders)), **facts) if holders else
            text("{taken} of {seats} seats taken.", **facts))


def in_brief(visit: Visit) -> list[Text]:
    """Who can see what, and what becomes of seats: three lines of a phone for whoever has joined, if nothing is unusual."""
    unusual = [told for told, usual in _seen(visit.spec, visit.game) if not usual]
    return [*(unusual or [text("Nobody else sees your secrets.")]),
            text("Your seat is yours unless all others agree.") if _master_plays(visit) else
            text("The game master can give a seat to others."), LATER[visit.game.newcomers]]


def _master_plays(visit: Visit) -> bool:
    return any(holder.user == visit.game.owner for holder in visit.holders)


def _seen(spec: GameSpec, game: GameRow) -> list[tuple[Text, bool]]:
    """Each sentence of the options about who sees what, and whether it is as usual."""
    own, known = opt.chosen(spec, game.edition, game.options), opt.offered(spec)
    return [(sentence(choice, own[choice.key]), own[choice.key] == known[choice.key][0])
            for choice in opt.every(spec) if choice.told]


def rights(visit: Visit) -> list[Text]:
    """Who can join and see, what becomes of seats, and what is done about players who are gone, in full."""
    game, timed = visit.game, bool(visit.snapshot.clock.clock.hours)
    seen = sentences([told for told, _ in _seen(visit.spec, game)])
    return [INVITED if game.invite_only else EVERYBODY, *([verbatim(seen)] if seen else []),
            text("Nobody sees the secrets of two seats unless the players agree."),
            text("The game master plays too, so a seat changes hands only if its player or everybody agrees.")
            if _master_plays(visit) else
            text("The game master doesn't play, and can give a seat to a newcomer."),
            LATER[game.newcomers],
            text("Every move made in somebody else's name is announced here."),
            game.replacement.sentence(game.seats),
            *([no_show_sentence(game.no_show, timed=timed)] if game.no_show != "wait" else []),
            *following(game.successor)]


def following(level: str) -> list[Text]:
    """Who plays for players who are not there, if automatic players do."""
    return [text("An automatic player ({level}) plays for whoever resigns or is away.", level=NAMES[level_of(level)])
            ] if level else []


def lobby_ways(visit: Visit, reader: int | None = None) -> list[Persistent]:
    """The buttons below an open game. `reader`: the member who reads it alone."""
    inside = None if reader is None else reader in [holder.user for holder in visit.holders]
    return [*seating(visit.game, visit.spec, visit.holders, inside=inside), about(visit.id),
            button(text("Who can join and see"), GUESTS, visit.id)]


def about(game: int) -> Persistent:
    return button(text("Options"), OPTIONS, game)
