"""What a player sees of the round that the player plans: the steps so far, what ends taking back, and the buttons."""
from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.discord.components import Persistent, Style, button, view
from bot.discord.game.action_menu import Screen
from bot.discord.game.buttons import PLAN_BOARD, PUBLISH, REHEARSE, START_OVER, STEP_BACK
from bot.discord.game.menu_words import heading, said
from bot.discord.lengths import capital
from bot.domain.announcements import reader_of
from bot.service.plans import Planned, PlannedStep, fell
from engine.kernel import Closing, Menus
from engine.text import Reader, Text, count, say, text

ROOM = 900                      # characters for the steps so far: with the rest they find room in one message

PRIVATE = text("-# You're planning this round in private. Nobody sees any of it until you publish it.")
ENDS: Mapping[Closing, Text] = {
    "end": text("That completes your round."),
    "draw": text("Your last step draws or rolls, so once you publish you can't undo any of this. Publish now?"),
    "reveal": text("This reveals something hidden; after that you can't undo earlier steps. Publish what you have so far?"),
    "question": text("Your last step asks somebody else, so once you publish you can't undo any of this. Publish now?")}


def so_far(planned: Planned) -> list[str]:
    """Return what stands above the next choice: that it is private, and the steps so far."""
    table = planned.table
    reader, menus = reader_of(table), table.spec.words.menus
    return [say(PRIVATE, reader), *_steps([_line(step, number, menus, reader) for number, step in enumerate(planned.steps, 1)])]


def plan_buttons(planned: Planned, game: int) -> Iterator[Persistent]:
    """Yield what can be done with a plan that has a step; with nothing planned nothing is undone."""
    if not planned.steps:
        return
    facts = game, planned.seat, planned.stamp
    if planned.closed is not None:
        label = text("Finish round") if planned.closed == "end" else text("Publish so far")
        yield button(label, PUBLISH, *facts, style=Style.success)
    yield button(text("Undo step"), STEP_BACK, *facts)
    yield button(text("Start over"), START_OVER, *facts)
    yield button(text("Show board"), PLAN_BOARD, game, planned.seat)


def closed_screen(planned: Planned, game: int, *, above: str, outlook: Text | None) -> Screen:
    """A plan to which only the press is missing that makes it public, with what to know of its last step before."""
    assert planned.closed is not None, "the plan goes on"
    reader, last = reader_of(planned.table), planned.steps[-1]
    steps = so_far(planned)
    notes = [capital(say(note, reader)) for note in (outlook, last.warning, ENDS[planned.closed]) if note is not None]
    words = [*([above] if above else []), *heading(planned.table, planned.seat, reader), *steps,
             *(note for note in notes if not any(note.casefold() in step.casefold() for step in steps))]
    rehearse = [button(text("Rehearse"), REHEARSE, game, planned.seat)] if planned.table.spec.automatic is not None else []
    return Screen("\n".join(words), view([*plan_buttons(planned, game), *rehearse]))


def fallen_steps(planned: Planned) -> str:
    """Which steps have been dropped, and why; "" if none have."""
    return say(fell(planned.fallen), reader_of(planned.table)) if planned.fallen else ""


def _line(step: PlannedStep, number: int, menus: Menus, reader: Reader) -> str:
    """A step as a numbered line, with its price and what it meets."""
    label = said(menus, step.action, reader) if step.sentence is None else capital(say(step.sentence, reader))
    return " · ".join([f"{number}. {label}", *(say(note, reader) for note in (step.cost, step.meets) if note is not None)])


def _steps(lines: list[str]) -> list[str]:
    """The newest steps, as many as find room, below how many there are before them."""
    room, kept = ROOM, len(lines)
    while kept and room >= len(lines[kept - 1]):
        kept -= 1
        room -= len(lines[kept]) + 1
    earlier = [say(text("-# … after {n}", n=count(kept, "{n} earlier step", "{n} earlier steps")))] if kept else []
    return [*earlier, *lines[kept:]]
