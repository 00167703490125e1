"""Several answers in one form: a line for each value of a field."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from discord import SelectOption

from bot.discord.components import FIELDS, Form, choice, field
from bot.discord.game.buttons import SHEET_SENT
from bot.discord.game.menu_path import STALE, Step, stamp
from bot.discord.game.menu_words import called, cost_of, partly, spoken
from bot.discord.lengths import CHOICES, NAME, capital, clip
from bot.domain.announcements import reader_of
from engine.kernel import Action, Seat, Table, choices, gaps
from engine.refusals import Illegal, Stale
from engine.text import Reader, say, text, verbatim

MOST_DIGITS = 9             # of a number that is typed into a form


def sheet_lines(step: Step) -> dict[Any, list[Action]]:
    """The lines of the form that comes next, each with the answers among which it is filled in; none: no form comes next."""
    sheet = step.shown.sheet if step.kind is not None else None
    if sheet is None or step.fields != (sheet.line,):
        return {}
    lines: dict[Any, dict[Any, Action]] = {}
    for option in step.options:
        lines.setdefault(getattr(option, sheet.line), {}).setdefault(getattr(option, sheet.amount), option)
    return {value: list(answers.values()) for value, answers in lines.items()} if len(lines) > 1 else {}


def sheet_parts(lines: Mapping[Any, list[Action]]) -> list[list[Any]]:
    values, number = list(lines), -(-len(lines) // FIELDS)
    size = -(-len(values) // number)
    return [values[at:at + size] for at in range(0, len(values), size)]


def sheet_name(step: Step, part: Sequence[Any], reader: Reader) -> str:
    assert step.kind is not None, "a step of one kind"
    return f"{called(step.menus, step.kind, reader)}: {', '.join(spoken(value, reader) for value in part)}"


def _typed(answers: Sequence[Action], amount: str) -> bool:
    """True if a line of a form is typed, as a number between those that are listed."""
    return gaps([getattr(answer, amount) for answer in answers]) or len(answers) > CHOICES


def sheet_form(table: Table, game: int, seat: Seat, step: Step, part: int, given: Sequence[str] = ()) -> Form:
    """A form for several answers of a kind, with a line for each value of a field, as it was filled in before. Raises Stale."""
    sheet = step.shown.sheet
    assert step.kind is not None and sheet is not None, "the step is one of a form"
    reader, lines, amount = reader_of(table), sheet_lines(step), sheet.amount
    parts = sheet_parts(lines)
    if part not in range(len(parts)):
        raise Stale(STALE)
    fields: list[Any] = []
    for value, before in zip_longest(parts[part], given[:len(parts[part])], fillvalue=""):
        answers, label = lines[value], capital(spoken(value, reader))
        if _typed(answers, amount):
            fields.append(field(f"{label} (0 – {getattr(answers[-1], amount)})", value=before, most=MOST_DIGITS, needed=False))
            continue
        offered = [SelectOption(label=clip(capital(spoken(getattr(answer, amount), reader)), NAME), value=str(number),
                                description=clip(cost_of([answer], table.state, seat, reader), NAME) or None,
                                default=str(number) == before)
                   for number, answer in enumerate(answers)]
        fields.append(choice(label, offered, needed=False))
    told = {name: values[0] for name in step.kind.model_fields if name not in (sheet.line, amount)
            and len(values := choices(step.options, name, {})) == 1}
    heading = partly(step.shown, told, reader) or called(step.menus, step.kind, reader)
    left = step.shown.budget(table.state, seat)
    heading = heading if left is None else say(text("{heading}: {left}", heading=verbatim(heading), left=left), reader)
    return Form(capital(heading), SHEET_SENT, game, seat, stamp(table, step.path), ".".join(step.path), part, fields=fields)


def filled_in(step: Step, part: int, amounts: Sequence[str]) -> list[Action]:
    """The answers that a form means. Raises Stale, or Illegal for what is no number."""
    sheet = step.shown.sheet
    assert step.kind is not None and sheet is not None, "the step is one of a form"
    lines, amount = sheet_lines(step), sheet.amount
    parts = sheet_parts(lines)
    if part not in range(len(parts)) or len(amounts) != len(parts[part]):
        raise Stale(STALE)
    wanted: list[Action] = []
    for value, words in zip(parts[part], map(str.strip, amounts)):
        answers = lines[value]
        if words and (not words.isdecimal() or len(words) > MOST_DIGITS):
            raise Illegal("Type a whole number, such as 7.")
        if words and _typed(answers, amount):
            wanted += [step.kind.model_validate({**answers[0].model_dump(), amount: int(words)})] if int(words) else []
        elif words:
            if int(words) >= len(answers):
                raise Stale(STALE)
            wanted.append(answers[int(words)])
    return wanted
