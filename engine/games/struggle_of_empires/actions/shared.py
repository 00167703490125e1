"""What the answers of several chapters have in common: prices, warnings, and what any action needs."""
from __future__ import annotations

from engine.games.struggle_of_empires.events import gold, units
from engine.games.struggle_of_empires.events.words import costs
from engine.games.struggle_of_empires.rules.unrest_bag import in_words
from engine.games.struggle_of_empires.state import State
from engine.refusals import Illegal
from engine.text import Text, count, text


def debt_warning(s: State, power: str, debt: int) -> Text | None:
    """Return what a cost would force: taxation, privately and beforehand (SOE-3.2.10)."""
    times = s.taxations(power, debt)
    if not times:
        return None
    return text("You have {purse} for a cost of {debt}, so you'll be taxed {times}: {unrest} more.",
                debt=gold(debt), purse=gold(s.gold[power]),
                times=count(times, "once", "{n} times"), unrest=in_words(s, times))


def price(s: State, power: str, *, gold_pieces: int = 0, population: int = 0, unrest: int = 0) -> Text | None:
    """A price in a few words, with the unrest that it would bring by itself and by taxation (SOE-3.2.3, 3.2.10)."""
    parts = [*costs(gold_pieces, population),
             *([text("+{unrest}", unrest=in_words(s, unrest))] if unrest else []),
             *filter(None, [tax_for(s, power, gold_pieces)])]
    return text("{parts}", parts=tuple(parts)) if parts else None


def tax_for(s: State, power: str, gold_pieces: int) -> Text | None:
    """The unrest that a price would bring by taxation: what is told of one that the answer names itself."""
    taxed = s.taxations(power, gold_pieces)
    return text("+{unrest} from taxes", unrest=in_words(s, taxed)) if taxed else None


def tile_price(s: State, power: str, tile: str) -> Text | None:
    cost = s.cost_of(tile)
    return price(s, power, gold_pieces=cost.gold, population=cost.population, unrest=cost.unrest)


def require_action(s: State) -> None:
    if s.turn.actions < 1:
        raise Illegal("You have no action left this turn. Use a tile that takes no action, or end your turn.",
                      rule="SOE-6.2.1" if s.options.turn.special_limit == "per_kind" else "SOE-6.3.2")


def require_supply(s: State, power: str, unit: str) -> None:
    if s.supply(power, unit) < 1:
        raise Illegal("All your {units} are already on the map.", rule="SOE-1.1.8", units=units(s.parts.limit[unit], unit))


def ready_effect(s: State, power: str, effect: str) -> bool:
    tile = s.parts.by_effect.get(effect)
    return tile is not None and s.ready(power, tile) > 0


def price_warning(s: State, power: str, tile: str) -> Text | None:
    """Return what a tile's price would cost in unrest (SOE-3.2.10, 3.3.3)."""
    cost = s.cost_of(tile)
    warning = debt_warning(s, power, cost.gold)
    if not cost.unrest:
        return warning
    price = text("It costs {unrest}.", unrest=in_words(s, cost.unrest))
    return text("{first} {second}", first=warning, second=price) if warning else price


def by_class(s: State, marks: str, classes: str) -> str:
    """The rule of a tile by its mark, or by its class (SOE-11.2, 11.3)."""
    return marks if s.options.tiles.classes == "marks" else classes
