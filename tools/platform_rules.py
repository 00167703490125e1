"""The page of the platform's rules, from the data folder: `python -m tools.platform_rules > docs/platform-rules.md`."""
from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from engine.rulebook import PLATFORM, rules

HEAD = """# Rules of the platform

These rules hold in every game. On Discord `/game rules` shows them, by number (`P-7`) or by what they are about (`undo`). Each
game adds rules of its own, under its own numbers.
"""


def page() -> Iterator[str]:
    """The lines of the page."""
    yield HEAD
    for title, some in groupby(rules(PLATFORM), lambda rule: rule.title):
        yield f"## {title}\n"
        for rule in some:
            yield f"- **{rule.id}** {rule.text}"
        yield ""
    yield "`python -m tools.platform_rules` makes this page from `data/platform/rules.json`; a test compares the two."


if __name__ == "__main__":
    print("\n".join(page()))
