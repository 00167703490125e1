"""Chapter 3: the first state, the deal, who begins, the first territories, the first units, the capitals."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from pydantic import Field

from engine.counters import MOST, add, spread
from engine.games.attack.components import BY_VALUE, UNITS, Parts, Unit
from engine.games.attack.options import Options
from engine.games.attack.rules.cards import draw, kinds
from engine.games.attack.rules.rolls import highest
from engine.games.attack.state import RULES_VERSION, State, size
from engine.games.attack.words.nouns import cards, units
from engine.kernel import Action, Aside, Event, Game, Script, Seat, ask, roll
from engine.refusals import Faulty, Illegal
from engine.text import Text, count, text

RANDOM = "random"
LISTED = 2_000              # placements that a question lists; where there are more, it leaves out numbers of units
FIRST_UNITS: tuple[Unit, ...] = ("plane", "tank", "artillery", "tank", "plane")         # the default of D-02


# --- events -----------------------------------------------------------------------------------------------

class CardsDealt(Event):
    power: str
    cards: tuple[str, ...]

    def apply(self, s: State) -> None:
        for card in self.cards:
            s.deck.remove(card)
            s.hands[self.power].append(card)

    def line(self) -> Text:
        return text("{power} is dealt {cards}.", power=self.power, cards=self._number())

    def _number(self) -> Text:
        return count(len(self.cards), "{n} economic card", "{n} economic cards")

    def commentary(self, following: Sequence[Event]) -> tuple[Sequence[Text], int]:
        """All who are dealt as many cards in a row, in one sentence."""
        powers = [self.power]
        for event in following:
            if not isinstance(event, CardsDealt) or len(event.cards) != len(self.cards):
                break
            powers.append(event.power)
        if len(powers) == 1:
            return super().commentary(following)
        return (text("{powers} are dealt {cards} each.", powers=tuple(powers), cards=self._number()),), len(powers) - 1

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        return {s.seat(self.power): text("You were dealt {cards}.", cards=cards(kinds(s.parts, self.cards)))}


class StartFound(Event):
    power: str
    index: int

    def apply(self, s: State) -> None:
        s.first = s.place = self.index
        s.phase = "claiming"

    def line(self) -> Text:
        return text("{power} begins.", power=self.power)


class ColourChanged(Event):
    """A seat takes another colour before the first territory is claimed [ATK-3.1.4]."""

    seat: str
    old: str
    new: str

    def apply(self, s: State) -> None:
        s.powers[s.seats.index(self.seat)] = self.new
        s.hands[self.new] = s.hands.pop(self.old)
        s.pools[self.new] = s.pools.pop(self.old)
        s.fleets[self.new] = s.fleets.pop(self.old)

    def line(self) -> Text:
        return text("{old} changes colour to {new}.", old=self.old, new=self.new)


class TerritoryClaimed(Event):
    power: str
    territory: str

    def apply(self, s: State) -> None:
        s.owner[self.territory] = self.power
        s.units[self.territory] = {"infantry": 1}
        add(s.pools[self.power], "infantry", -1)

    def line(self) -> Text:
        return text("{power} claims {territory:the}.", power=self.power, territory=self.territory)


class UnitDeployed(Event):
    power: str
    unit: str
    territory: str

    def apply(self, s: State) -> None:
        add(s.pools[self.power], self.unit, -1)
        add(s.units[self.territory], self.unit, 1)

    def line(self) -> Text:
        return text("{power} places {unit} in {territory:the}.", power=self.power, unit=units(1, self.unit),
                    territory=self.territory)


class CapitalFounded(Event):
    power: str
    territory: str

    def apply(self, s: State) -> None:
        s.capitals[self.territory] = self.power

    def line(self) -> Text:
        return text("{power:possessive} capital is {territory:the}.", power=self.power, territory=self.territory)


class PhaseBegun(Event):
    """The next part of the setup, or the first turn."""

    phase: str

    def apply(self, s: State) -> None:
        s.phase = self.phase
        if self.phase == "turn":
            s.pools = {}


# --- answers ----------------------------------------------------------------------------------------------

class Colour(Aside):
    """Change your colour, before anybody claims the first territory."""

    verb: ClassVar[str] = "colour"
    colour: str = Field(description="Which colour?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Colour]:
        if _may_change(s, s.power(seat)):
            for colour in s.parts.numbers.player_colors:
                if colour not in s.powers:
                    yield cls.of(colour)

    def check(self, s: State, seat: Seat) -> None:
        if not _may_change(s, s.power(seat)):
            raise Illegal("It's too late to change colours: the first territory has been claimed.", rule="ATK-3.1.4")
        if self.colour not in s.parts.numbers.player_colors:
            raise Illegal("There is no colour {colour} in this game. Choose among {colours}.",
                          rule="ATK-1.1.2", colour=self.colour,
                          colours=s.parts.numbers.player_colors)
        if self.colour in s.powers:
            raise Illegal("{colour} is taken. Choose another colour.", rule="ATK-3.1.4", colour=self.colour)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        if not _may_change(s, s.power(seat)):
            raise Illegal("It's too late to change colours: the first territory has been claimed.", rule="ATK-3.1.4")
        raise Illegal("All colours are taken.", rule="ATK-3.1.4")

    def events(self, s: State, seat: Seat) -> Iterable[Event]:
        yield ColourChanged(seat=seat, old=s.power(seat), new=self.colour)

    def label(self) -> Text:
        return text("{colour}", colour=self.colour)


def _may_change(s: State, power: str) -> bool:
    """Colours are settled for all once the first territory has an owner [ATK-3.1.4]."""
    return s.phase in ("setup", "claiming") and not s.owner


def claimable(s: State, power: str) -> Iterator[str]:
    """The territories that a player may take in the setup [ATK-3.3.1 to 3.3.3]."""
    own = {s.parts.territory[land].continent for land in s.territories(power)} if s.options.continent_spread else set()
    return (land for land in s.neutral() if s.parts.territory[land].continent not in own)


class Claim(Action):
    """Claim a neutral territory with one infantry."""

    verb: ClassVar[str] = "claim"
    territory: str = Field(description="Which neutral territory? (or random)")

    @classmethod
    def options(cls, s: State, seat: Seat) -> list[Claim]:
        return [cls.of(land) for land in (*claimable(s, s.power(seat)), RANDOM)]

    def check(self, s: State, seat: Seat) -> None:
        if self.territory == RANDOM:
            return
        require_territory(s, self.territory)
        if owner := s.owner.get(self.territory):
            raise Illegal("{territory:The} belongs to {owner}. Choose a neutral territory.", rule="ATK-3.3.1",
                          territory=self.territory, owner=owner)
        if self.territory not in claimable(s, s.power(seat)):
            raise Illegal("In this game your first four territories lie on four continents, and you already have one in "
                          "{continent:the}.",
                          rule="ATK-3.3.2", continent=s.parts.territory[self.territory].continent)

    def label(self) -> Text:
        return text("{territory}", territory=self.territory)


def require_territory(s: State, territory: str) -> None:
    """Raise Illegal unless there is such a territory."""
    if territory not in s.parts.territory:
        raise Illegal("There is no territory {territory} on the board.", rule="ATK-2.1.1", territory=territory)


def require_own(s: State, power: str, territory: str, rule: str) -> None:
    """Raise Illegal unless the territory is one's own."""
    require_territory(s, territory)
    if s.owner.get(territory) != power:
        raise Illegal("{territory:The} isn't yours. Choose one of your territories.", rule=rule, territory=territory)


class Deploy(Action):
    """Place units on your territories."""

    verb: ClassVar[str] = "deploy"
    open_ended: ClassVar[bool] = True
    bounded: ClassVar[bool] = True
    unit: Unit = Field(description="Which unit?")
    territory: str = Field(description="Which of your territories?")
    number: int = Field(default=1, ge=1, description="How many?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Deploy]:
        power = s.power(seat)
        own = s.territories(power)
        for unit, number in _to_place(s, power).items():
            for land in own:
                for n in spread(1, 1 if s.phase == "deploying" else number, min(MOST, LISTED // (len(UNITS) * len(own)))):
                    yield cls.of(unit, land, n)

    def check(self, s: State, seat: Seat) -> None:
        power = s.power(seat)
        in_setup = s.phase == "deploying"
        rule = "ATK-3.4.1" if in_setup else "ATK-18.3.1"
        left = _to_place(s, power).get(self.unit, 0)
        if not left:
            raise Illegal("You have no {unit} left to place.", rule=rule, unit=self.unit)
        if in_setup and self.number > 1:
            raise Illegal("During setup you place one unit at a time.", rule=rule)
        if self.number > left:
            raise Illegal("You have only {units} left to place.", rule=rule, units=units(left, self.unit))
        require_own(s, power, self.territory, rule)

    def label(self) -> Text:
        return text("{units} in {territory:the}", units=units(self.number, self.unit), territory=self.territory)


def require_together(s: State, seat: Seat, placements: Sequence[Deploy]) -> None:
    """Raise Illegal unless a seat has the units for all of these placements [ATK-3.4.1]."""
    left = _to_place(s, s.power(seat))
    for unit, number in Counter(placement.unit for placement in placements).items():
        if number > left.get(unit, 0):
            raise Illegal("You have only {units} left to place.", rule="ATK-3.4.1", units=units(left.get(unit, 0), unit))


def _to_place(s: State, power: str) -> Mapping[str, int]:
    return s.pools[power] if s.phase == "deploying" else s.turn.to_place


def capital_sites(s: State, power: str) -> list[str]:
    """Where a capital may stand: on any own territory. A pack can rule some out, unless a player has no other [ATK-3.5.1]."""
    own = s.territories(power)
    return [land for land in own if s.parts.territory[land].capital_allowed] or own


class Capital(Action):
    """Choose where your capital goes."""

    verb: ClassVar[str] = "capital"
    territory: str = Field(description="Which of your territories?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> list[Capital]:
        return [cls.of(land) for land in capital_sites(s, s.power(seat))]

    def check(self, s: State, seat: Seat) -> None:
        power = s.power(seat)
        require_own(s, power, self.territory, "ATK-3.5.1")
        if self.territory not in capital_sites(s, power):
            raise Illegal("{territory:The} can't hold a capital.", rule="ATK-3.5.1", territory=self.territory)

    def label(self) -> Text:
        return text("{territory}", territory=self.territory)


# --- the scripts --------------------------------------------------------------------------------------------

def first_state(seats: tuple[Seat, ...], options: Options, parts: Parts) -> State:
    """The table before the deal; colours go by seats until somebody changes theirs [ATK-3.1.1, 3.1.2, 3.1.4]."""
    if len(seats) > options.max_players:
        raise Faulty("This game is for up to {most} players.", most=options.max_players)
    if options.continent_spread and parts.numbers.setup_infantry_claims > len(parts.continents):
        raise Faulty("If first territories lie on separate continents, up to {most} can play.",
                     most=len(parts.continents))
    powers = list(parts.numbers.player_colors[:len(seats)])
    state = State(options=options, seats=list(seats), powers=powers, hands={power: [] for power in powers},
                  deck=[card.id for card in parts.cards],
                  pools={power: {kind.id: kind.starting_pool for kind in parts.units if kind.starting_pool} for power in powers},
                  fleets={power: {ship.id: ship.starting_fleet for ship in parts.ships if ship.starting_fleet}
                          for power in powers}, rules_version=RULES_VERSION)
    state.parts = parts
    return state


def setup(g: Game[State]) -> Script[None]:
    """The deal, and the roll for the first turn [ATK-3.1.3, 3.2.1]."""
    s = g.state
    each = s.parts.numbers.starting_economic_cards
    drawn = yield from draw(g, each * len(s.powers), why="hands")
    for index, power in enumerate(s.powers):
        g.emit(CardsDealt(power=power, cards=drawn[index * each:(index + 1) * each]))
    first = yield from highest(g, s.powers, "start")
    g.emit(StartFound(power=first, index=s.powers.index(first)))


def claiming(g: Game[State]) -> Script[None]:
    """Four times around the table, one infantry on a neutral territory [ATK-3.3.1]."""
    s = g.state
    number = s.parts.numbers.setup_infantry_claims
    for turn in range(1, number + 1):
        for seat in [s.seat(power) for power in s.in_turn_order()]:         # a colour may still change
            answer = yield from ask(seat, Claim, point="D-01", default=Claim.of(RANDOM), n=turn, of=number,
                                    prompt="Claim territory {n} of {of}: which one?")
            power, land = s.power(seat), answer.territory
            if land == RANDOM:
                free = list(claimable(s, power))
                (value,) = yield from roll(len(free), why="territory", power=power, turn=turn)
                land = free[value - 1]
            g.emit(TerritoryClaimed(power=power, territory=land))
    g.emit(PhaseBegun(phase="deploying"))


def deploying(g: Game[State]) -> Script[None]:
    """One unit of the pool at a time on an own territory, five times or until the pools are empty [ATK-3.4.1, 3.4.3]."""
    s = g.state
    number = first_units(s)
    for turn in range(1, number + 1):
        for power in s.in_turn_order():
            answer = yield from ask(s.seat(power), Deploy, point="D-02", default=usual_place, n=turn, of=number,
                                    prompt="Place unit {n} of {of}: which one, and where?")
            g.emit(UnitDeployed(power=power, unit=answer.unit, territory=answer.territory))
    g.emit(PhaseBegun(phase="founding"))


def first_units(s: State) -> int:
    """How many units each player places after the first territories: five, or the whole pool by option [ATK-3.4.1, 3.4.3]."""
    first = s.powers[0]
    claimed = s.parts.numbers.setup_infantry_claims
    pool = size(s.pools[first]) + max(0, sum(size(s.units[land]) for land in s.territories(first)) - claimed)
    return pool if s.options.full_deployment else min(pool, s.parts.numbers.setup_extra_units)


def deployed(s: State, seat: Seat) -> list[Deploy]:
    """The first units that a seat has placed; a list of placements is used up line by line (D-02)."""
    return [Deploy.of(unit, land, 1) for land in s.territories(s.power(seat)) for unit, number in s.units[land].items()
            for _ in range(number - (unit == "infantry"))]              # one infantry has claimed it


def usual_place(s: State, seat: Seat) -> Deploy:
    """The default of D-02: plane, tank, artillery, tank, plane, then what is most; where fewest units stand."""
    power = s.power(seat)
    own, pool = s.territories(power), s.pools[power]
    placed = sum(size(s.units[land]) for land in own) - len(own)
    unit = FIRST_UNITS[placed] if placed < len(FIRST_UNITS) else ""
    if not pool.get(unit):
        unit = max(BY_VALUE, key=lambda kind: pool.get(kind, 0))
    return Deploy.of(unit, min(own, key=lambda land: size(s.units[land])), 1)


def founding(g: Game[State]) -> Script[None]:
    """Each player's capital; then the first turn [ATK-3.5.1, 3.5.2]."""
    s = g.state
    for power in s.in_turn_order():
        answer = yield from ask(s.seat(power), Capital, point="D-03", default=usual_capital,
                                prompt="Where do you put your capital?")
        g.emit(CapitalFounded(power=power, territory=answer.territory))
    g.emit(PhaseBegun(phase="turn"))


def usual_capital(s: State, seat: Seat) -> Capital:
    """The default of D-03: where most units stand; among equals where fewest neighbours are foreign."""
    options = [option.territory for option in Capital.options(s, seat)]
    return Capital.of(min(options, key=lambda land: (-size(s.units[land]), s.foreign_neighbours(land))))
