"""The page of the platform's rules, from the data folder: `python -m tools.platform_rules > docs/platform-rules.md`."""
from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from engine.rulebook import PLATFORM, rules

HEAD = """# Rules of the platform

These rules hold in every game: what players and hosts meet whatever is played. On Discord `/game rules` shows them, by number
(`P-7`) or by what they are about (`undo`). The rules of a game go on from here, under numbers of their own.
"""


def page() -> Iterator[str]:
    """The lines of the page."""
    yield HEAD
    for title, some in groupby(rules(PLATFORM), lambda rule: rule.title):
        yield f"## {title}\n"
        for rule in some:
            yield f"- **{rule.id}** {rule.text}"
        yield ""
    yield "This page is made of `data/platform/rules.json` by `python -m tools.platform_rules`; a test compares the two."


if __name__ == "__main__":
    print("\n".join(page()))
