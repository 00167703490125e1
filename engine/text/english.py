"""English: articles and possessives."""
from __future__ import annotations

from dataclasses import dataclass

from engine.text.language import Language

VOWELS, CONSONANTS = tuple("aeiou"), ("uni", "use", "eu", "one")        # how words begin that are spoken with a vowel, or are not


@dataclass(frozen=True, eq=False)
class English(Language):
    """Forms: `the`, `a`, `possessive` ("the United Provinces'")."""

    def listing(self, items: list[str], *, either: bool = False) -> str:
        return f"{', '.join(items[:-1])} {'or' if either else 'and'} {items[-1]}" if len(items) > 1 else super().listing(items)

    def decimal(self, value: float) -> str:
        return f"{value:,.1f}".removesuffix(".0")

    def named(self, name: str, form: str) -> str:
        if form == "possessive":
            return self.formed(self.named(name, "the"), form)
        return super().named(name, form)

    def formed(self, said: str, form: str) -> str:
        match form:
            case "a":
                start = said.casefold()
                return f"an {said}" if start.startswith(VOWELS) and not start.startswith(CONSONANTS) else f"a {said}"
            case "possessive":
                return f"{said}'" if said.endswith("s") else f"{said}'s"
        return super().formed(said, form)
