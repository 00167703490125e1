"""Days as the language that is spoken now writes them, for lists, where Discord shows no moments."""
from __future__ import annotations

from datetime import date

from babel.dates import format_date, format_skeleton

from engine.text import LANGUAGE
from engine.text.languages import ENGLISH


def short_day(day: date) -> str:
    """ "Thu 03 Sep"."""
    language = LANGUAGE.get()
    return f"{day:%a %d %b}" if language is ENGLISH else format_skeleton("MMMEd", day, locale=language.code)


def whole_day(day: date) -> str:
    """ "Thursday, 03 September 2026"."""
    language = LANGUAGE.get()
    return f"{day:%A, %d %B %Y}" if language is ENGLISH else format_date(day, "full", locale=language.code)
