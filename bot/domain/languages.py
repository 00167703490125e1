"""In which language each member reads, and each server: as chosen, or else as Discord is read there."""
from __future__ import annotations

from collections.abc import Iterable

from engine.text.language import Language
from engine.text.languages import LANGUAGES


def language_of(locale: str | None) -> str | None:
    """The code of the language of one of Discord's locales; None: the bot doesn't speak it."""
    code = (locale or "").partition("-")[0]
    return code if code in LANGUAGES else None


class Languages:
    """What the file knows of the languages of members and servers, at hand without a look at it."""

    def __init__(self, members: Iterable[tuple[int, str | None, str | None]], servers: Iterable[tuple[int, str]]) -> None:
        self.members = {user: (chosen, seen) for user, chosen, seen in members}
        self.servers: dict[int, str | None] = dict(servers)         # what each has chosen

    def of_member(self, user: int, otherwise: Language) -> Language:
        """What a member has chosen, or else the language of the member's Discord when last seen."""
        chosen, seen = self.members.get(user, (None, None))
        return LANGUAGES.get(chosen or seen or "", otherwise)
