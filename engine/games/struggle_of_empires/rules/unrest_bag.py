"""The unrest bag: markers drawn unseen, of which only their owner sees the values (SOE-1.1.13, 3.3.7 to 3.3.14).

How many markers somebody draws may be a secret, and the number of rows in the log is none, so no row is rolled for a marker.
Instead the bag is shaken at the beginning of every round: that rolls a key, which nobody sees, and the nth marker drawn
after it follows from the key, from n and from what is left in the bag. So a return to an earlier row brings the same markers.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from engine.dice import SecretDice
from engine.games.struggle_of_empires.events.words import unrest
from engine.games.struggle_of_empires.state import State
from engine.kernel import Event, Game, Script, Seat, stir
from engine.text import Text, count, text

KEY = (2 ** 32,) * 4        # the dice that a key is made of
LISTED = 6                  # markers drawn at once that are told one by one
CAUSES = {"taxation": text("Taxes"), "loss": text("You lost a unit"), "rebuild": text("You destroyed a unit to rebuild it"),
          "price": text("The price of a tile"), "reform": text("Government Reform"), "pass": text("Passing")}


class BagShaken(Event):
    """Secret: what the markers are drawn by from now on [SOE-3.3.7]."""

    key: str

    def apply(self, s: State) -> None:
        s.bag_key, s.drawn = self.key, 0


class UnrestDrawn(Event):
    """Secret: markers drawn from the bag; their values count, not their number [SOE-3.3.7, 3.3.8]."""

    power: str
    markers: dict[str, int]         # kind -> how many of it
    by: int
    total: int                      # afterwards
    cause: str

    def apply(self, s: State) -> None:
        s.unrest_bag = left_without(s, self.markers)
        s.drawn += sum(self.markers.values())
        s.unrest[self.power] = self.total

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        return {s.seat(self.power): text("{cause}: you drew {markers}, so unrest +{n}, now {total}.", n=self.by, total=self.total,
                                         cause=CAUSES[self.cause], markers=_told(s, self.markers))}


def _told(s: State, markers: Mapping[str, int]) -> Text:
    """"0, 1 and 1" or, of many, "40 × 0 and 60 × 1"."""
    kinds = [(kind.value, markers[kind.id]) for kind in s.parts.unrest_bag if markers.get(kind.id)]
    if sum(markers.values()) <= LISTED:
        return text("{values}",
                    values=tuple([text("{value:the}", value=value) for value, number in kinds for _ in range(number)]))
    return text("{values}", values=tuple([text("{n} × {value}", n=number, value=value) for value, number in kinds]))


# --- the bag ------------------------------------------------------------------------------------------------------

def in_use(s: State) -> bool:
    return s.options.unrest.model == "bag"


def in_words(s: State, markers: int) -> Text:
    """So many markers: "2 unrest", or "2 unrest markers" where nobody knows yet what they count."""
    if in_use(s):
        return count(markers, "{n} unrest marker", "{n} unrest markers")
    return unrest(markers)


def whole_set(s: State) -> dict[str, int]:
    """Return what the bag is filled with: kind to number."""
    return {kind.id: kind.count for kind in s.parts.unrest_bag}


def drawn_next(s: State, number: int) -> dict[str, int]:
    """The next markers of the bag, kind to number; an empty bag is filled again, each whole set counted at once [SOE-1.1.13]."""
    whole = whole_set(s)
    left, drawn, rest = Counter(s.unrest_bag or whole), Counter[str](), number
    if number >= left.total():
        sets, rest = divmod(number - left.total(), sum(whole.values()))
        drawn.update(left)
        drawn.update({kind: sets * copies for kind, copies in whole.items()})
        left = Counter(whole)
    dice, before = SecretDice(s.bag_key), s.drawn + number - rest
    for nth in range(before, before + rest):
        (place,) = dice(0, nth, (left.total(),))
        kind = _at(left, place)
        left[kind] -= 1
        drawn[kind] += 1
    return {kind: drawn[kind] for kind in whole if drawn[kind]}


def _at(left: Mapping[str, int], place: int) -> str:
    """The kind of the marker at a place of the bag, if all lay there in the order of their kinds; places begin at 1."""
    for kind, number in left.items():
        place -= number
        if place <= 0:
            return kind
    raise AssertionError("there is no such place in the bag")


def left_without(s: State, markers: Mapping[str, int]) -> dict[str, int]:
    """Return what is left in the bag without these markers, filled again as often as they took; nothing if it is just empty."""
    whole = whole_set(s)
    left = s.unrest_bag or whole
    missing = sum(markers.values()) - sum(left.values())
    sets = -(-max(0, missing) // sum(whole.values()))
    after = {kind: left.get(kind, 0) + sets * whole[kind] - markers.get(kind, 0) for kind in whole}
    return {kind: number for kind, number in after.items() if number}


def worth(s: State, markers: Mapping[str, int]) -> int:
    return sum(kind.value * markers.get(kind.id, 0) for kind in s.parts.unrest_bag)


# --- shaking it ---------------------------------------------------------------------------------------------------

def shake(g: Game[State]) -> Script[None]:
    if in_use(g.state):
        values = yield from stir(*KEY, why="unrest_bag")
        for event in shaken(g.state, values):
            g.emit(event)


def shaken(s: State, values: Sequence[int]) -> Iterable[Event]:
    """The key that these dice make."""
    yield BagShaken(key="".join(f"{value - 1:08x}" for value in values))


def dice_for_shaking(s: State) -> tuple[int, ...]:
    return KEY if in_use(s) else ()
