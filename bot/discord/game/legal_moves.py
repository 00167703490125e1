"""/game legal, and "What's blocked, and why?": all that is possible now with its cost, and why the rest is not."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from discord import app_commands
from discord.app_commands import Choice

from bot.core.visit import Visit
from bot.discord.components import Persistent, button, in_game, view
from bot.discord.context import Interaction
from bot.discord.errors import helping
from bot.discord.find_game import about_a_game, visit_meant
from bot.discord.game.action_commands import legal, why_not
from bot.discord.game.action_menu import impossible
from bot.discord.game.answering import on_your_move
from bot.discord.game.buttons import CANNOT
from bot.discord.game.extras import extra
from bot.discord.game.menu_words import called, cost_of, spoken
from bot.discord.game.position import position_of, position_put_to
from bot.discord.game.reading import on_read_up
from bot.discord.lengths import clip, pieces
from bot.discord.responses import reply, seat_name, suggestions
from bot.domain.announcements import reader_of
from engine.kernel import Action, Aside, GameSpec, Presentation, Seat, Table, leaves_out
from engine.refusals import Illegal
from engine.rulebook import rules
from engine.text import Reader, printed, say, text, verbatim

ROOM = 900                  # characters of a page: about what a phone shows without scrolling
NO_VERB = "-"               # in a custom id: all verbs


def add_legal(group: app_commands.Group) -> None:
    @group.command(name="legal", description="What you can do now and what it costs, and why something isn't possible")
    @about_a_game(verb="Which kind of move, such as build?")
    @app_commands.autocomplete(verb=_suggest_verbs)
    async def legal_now(interaction: Interaction, verb: str | None = None, game: str | None = None) -> None:
        await show_legal(interaction, await visit_meant(interaction, game), None if verb is None else verb.strip().casefold())


async def show_legal(interaction: Interaction, visit: Visit, verb: str | None = None, page: int = 0) -> None:
    """One page of what the caller can do now. Raises Refusal: the caller is not asked, or there is no such verb."""
    position = await position_of(interaction, visit)
    seat, table = position.seat, position.table
    reader = reader_of(table)
    kinds = _kinds(table, seat, verb, reader)
    lines = [line for kind in kinds for line in listed(table, seat, kind, reader)]
    pages = pieces("\n".join(lines), ROOM)
    page = min(max(page, 0), len(pages) - 1)
    question = table.question(seat)
    head = f"**{seat_name(table, seat, reader)}**" + (f": {say(question.text(), reader)}" if question is not None else "")
    others = [button(label, on_legal, visit.id, verb or NO_VERB, to)
              for label, to in ((text("Previous"), page - 1), (text("More"), page + 1)) if 0 <= to < len(pages)]
    read = [button(text("Look up"), on_read_up, visit.id, seat)] if table.spec.views.cards(table.state, seat) else []
    await reply(interaction, f"{head}\n{pages[page]}",
                view([*others, button(text("Your move"), on_your_move, visit.id, seat), *read]))


def _kinds(table: Table, seat: Seat, verb: str | None, reader: Reader) -> list[type[Action]]:
    """The kinds of answer to list: those of the question that are possible and asides, or the one that is named."""
    spec, question = table.spec, table.question(seat)
    if verb is not None:
        kind = spec.verb(verb)
        if kind is None:
            raise Illegal("This game has no move called {verb}. Choose among: {verbs}.", verb=verbatim(clip(verb, 40)),
                          verbs=tuple([verbatim(kind.verb) for kind in _verbs(spec)]))
        if table.over:
            raise table.not_asked()
        if not issubclass(kind, Aside) and question is None:
            raise table.not_asked()
        if not issubclass(kind, Aside) and question is not None and kind not in question.accepts:
            raise kind.misplaced(table.state, seat) or Illegal(
                "{verb} doesn't fit here. You have something else to decide: {question}", rule=table.going_on()[1],
                verb=verbatim(called(spec.words.menus, kind, reader)), question=question.text())
        return [kind]
    asked = question.accepts if question is not None else ()
    kinds = [kind for kind in (*asked, *spec.rules.asides) if not table.over and why_not(table, seat, kind) is None]
    if not kinds:
        raise table.not_asked()
    return kinds


def listed(table: Table, seat: Seat, kind: type[Action], reader: Reader) -> Iterator[str]:
    """The legal answers of a kind, grouped in lines: what they share, the values of the last choice, the cost; or why none."""
    menus = table.spec.words.menus
    verb = f"**{called(menus, kind, reader)}**"
    if (obstacle := why_not(table, seat, kind)) is not None:
        yield f"{verb}: {reason(table.spec, obstacle, reader)}"
        return
    options = legal(table, seat, kind)
    varied = [name for name in kind.model_fields if len({getattr(option, name) for option in options}) > 1]
    groups: dict[tuple[str, str], list[Any]] = {}
    for option in options:
        chosen = {name: getattr(option, name) for name in kind.model_fields}
        chosen = {name: value for name, value in chosen.items() if value not in ("", ()) and value is not False}
        last = next((name for name in reversed(chosen) if name in varied and chosen[name] is not True), "")
        shared = ", ".join(_settled(menus[kind.verb], name, value, reader) for name, value in chosen.items() if name != last)
        values = groups.setdefault((shared, cost_of([option], table.state, seat, reader)), [])
        if last:
            values.append(chosen[last])
    for (shared, cost), values in groups.items():
        parts = [f" · {shared}" if shared else "", f": {_run(values, reader)}" if values else "", f" ({cost})" if cost else ""]
        yield verb + "".join(parts)
    if leaves_out(options):
        yield f"{verb}: {say(text('other amounts are possible too.'), reader)}"


def _settled(shown: Presentation, name: str, value: Any, reader: Reader) -> str:
    """A value that a whole line shares: a name by itself, a number or a switch with what it means."""
    return say(shown.amounts[name](value), reader) if name in shown.amounts else spoken(value, reader)


def _run(values: list[Any], reader: Reader) -> str:
    """Values in a row; whole numbers that follow each other are told by the first and the last."""
    if len(values) > 2 and all(isinstance(value, int) for value in values) and values == list(range(values[0], values[-1] + 1)):
        return say(text("{first} to {last}", first=values[0], last=values[-1]), reader)
    apart = " / " if any(isinstance(value, tuple) for value in values) else ", "
    return apart.join(spoken(value, reader) for value in values)


def reason(spec: GameSpec, obstacle: Illegal, reader: Reader) -> str:
    """Why something is impossible, with the number and the title of its rule."""
    words = say(obstacle.text, reader)
    title = next((say(printed(rule.title), reader) for rule in rules(spec.key) if rule.id == obstacle.rule), "")
    return f"{words} ({' '.join(filter(None, (obstacle.rule, title)))})" if obstacle.rule else words


def _verbs(spec: GameSpec) -> list[type[Action]]:
    return [*spec.rules.actions, *spec.rules.asides]


@helping
async def _suggest_verbs(interaction: Interaction, typed: str) -> list[Choice[str]]:
    position = await position_of(interaction, await visit_meant(interaction, getattr(interaction.namespace, "game", None)))
    seat, table = position.seat, position.table
    question = table.question(seat)
    kinds = [*(question.accepts if question is not None else ()), *table.asides]
    kinds.sort(key=lambda kind: why_not(table, seat, kind) is not None)
    named = [Choice(name=called(table.spec.words.menus, kind, reader_of(table)), value=kind.verb) for kind in kinds]
    return suggestions([choice for choice in named if typed.strip().casefold() in f"{choice.value} {choice.name}".casefold()])


# --- presses ----------------------------------------------------------------------------------------

@in_game("legal")
async def on_legal(interaction: Interaction, visit: Visit, verb: str, page: int) -> None:
    await show_legal(interaction, visit, None if verb == NO_VERB else verb, page)


@extra(85)
def blocked(visit: Visit, table: Table, seat: Seat) -> Iterator[Persistent]:
    question = table.question(seat)
    if question is not None and not table.over and impossible(table, seat, question):
        yield button(text("What's blocked, and why?"), CANNOT, visit.id, seat)


@in_game(CANNOT)
async def on_cannot(interaction: Interaction, visit: Visit, seat: str) -> None:
    """What the presser cannot answer now, and why: what has the same reason together."""
    position = await position_put_to(interaction, visit, seat)
    table, own = position.table, position.seat
    question, reader = table.question(own), reader_of(table)
    reasons = dict[str, list[str]]()
    for kind in impossible(table, own, question) if question is not None else ():
        if (obstacle := why_not(table, own, kind)) is not None:
            reasons.setdefault(reason(table.spec, obstacle, reader), []).append(called(table.spec.words.menus, kind, reader))
    told = [f"**{', '.join(kinds)}**: {why}" for why, kinds in reasons.items()]
    told = told or [say(text("Nothing is blocked right now."), reader)]
    await reply(interaction, "\n".join(told), view([button(text("Back"), on_your_move, visit.id, own)]))
