"""Time zones of members: as they are typed, suggested, called and stored."""
from __future__ import annotations

from discord.app_commands import Choice

from bot.discord.lengths import NAME, clip
from bot.discord.responses import suggestions
from bot.discord.sanitize import tame
from bot.domain.waking_hours import Hours, checked, city, find_zones, plain
from engine.refusals import Refusal
from engine.text import verbatim


def suggest_zones(typed: str) -> list[Choice[str]]:
    """The time zones that fit what was typed, by their cities."""
    return suggestions([Choice(name=clip(region(zone), NAME), value=zone) for zone in find_zones(typed)])


def typed_zone(words: str) -> str:
    """The zone that was typed: by its name, or by a city that only it has. Raises Refusal."""
    found = find_zones(words)
    exact = [zone for zone in found if plain(words) in (zone.casefold(), city(zone).casefold())]
    if len(exact or found) != 1:
        raise Refusal("I can't find one time zone for \"{words}\". Choose it by a city, such as Europe/Berlin.",
                      words=verbatim(clip(tame(words), NAME)))
    return (exact or found)[0]


def region(zone: str) -> str:
    return f"{city(zone)} ({zone.split('/', 1)[0]})"


def in_zone(hours: Hours | None, zone: str) -> Hours:
    """The same waking hours elsewhere. Raises Refusal: there is no such zone."""
    hours = hours or Hours()
    return checked(zone, hours.wake, hours.sleep)
