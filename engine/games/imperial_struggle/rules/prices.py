"""What a price is made of: every part with its reason and the number of its rule (chapters 5.8, 6.3, 7.2, 8)."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from engine.games.imperial_struggle.components import Points, Side
from engine.games.imperial_struggle.state import Modifier, State
from engine.text import Text, text, verbatim

CONQUEST = 1            # CP for a space [IS-14.8.3]
REASONS: dict[str, Text] = {
    "printed": text("base {amount}"), "conflict": text("base {amount} by the conflict marker"),
    "isolated": text("base {amount}, isolated since the round began"), "fixed": text("base {amount}"),
    "source_alone": text("base {amount} by {source:the}"),
    "source": text("{sign} {amount} for {source:the}"), "protected": text("plus {amount}, protected by {source:the}"),
    "damaged": text("{sign} {amount} for the damage"), "floor": text("not below {floor}"),
    "total": text("1 in all by {source:the}"), "region": text("plus {amount} for another region"),
    "marker": text("plus {amount} for the +1 marker"), "unprotected": text("minus {amount}, protected"),
    "driving_out": text("base {amount}, a squadron is driven out"),
    "from_the_map": text("base {amount}, a squadron at sea drives one out")}

SHORT: dict[str, Text] = {          # the same beside a choice; what follows another part says so
    "printed": text("base {amount}"), "conflict": text("marker {amount}"), "isolated": text("isolated {amount}"),
    "fixed": text("base {amount}"), "source_alone": text("{source} {amount}"), "source": text("{sign} {source} {amount}"),
    "protected": text("+ protection {amount}"), "damaged": text("{sign} damage {amount}"), "floor": text("but at least {floor}"),
    "total": text("1 in all by {source:the}"), "region": text("+ region {amount}"), "marker": text("+ its surcharge {amount}"),
    "unprotected": text("− protection {amount}"), "driving_out": text("driving out a squadron {amount}"),
    "from_the_map": text("driving out a squadron by one at sea {amount}")}


@dataclass(frozen=True, slots=True)
class PricePart:
    """One ingredient; the amounts of all parts add up to the price."""

    amount: int
    why: str                                # a key of REASONS
    rule: str                               # "IS-6.3.1"
    source: str = ""                        # the id of the card, tile or space that causes it

    def text(self) -> Text:
        return Text(REASONS[self.why].template, {
            "amount": abs(self.amount), "sign": text("plus") if self.amount > 0 else text("minus"), "source": self.source,
            "floor": 1})

    def short(self) -> Text:
        """The price in few words: "+ region 1"."""
        return Text(SHORT[self.why].template, {
            "amount": abs(self.amount), "sign": text("+") if self.amount > 0 else text("−"), "source": self.source, "floor": 1})


@dataclass(frozen=True)
class Price:
    """A price in points of one kind."""

    kind: Points
    parts: tuple[PricePart, ...]

    @cached_property
    def _hash(self) -> int:
        return hash((self.kind, self.parts))

    def __hash__(self) -> int:              # a price is part of a fact, and facts are looked up
        return self._hash

    @cached_property
    def total(self) -> int:
        return sum([part.amount for part in self.parts])

    @cached_property
    def _with_more(self) -> dict[tuple[int, str, str, str], Price]:
        return {}

    def plus(self, amount: int, why: str, rule: str, source: str = "") -> Price:
        """The price with one more part; 0 adds none. The same one is made once, since menus price every target anew."""
        if not amount:
            return self
        part = amount, why, rule, source
        if (more := self._with_more.get(part)) is None:
            more = self._with_more[part] = Price(kind=self.kind, parts=(*self.parts, PricePart(*part)))
        return more

    def at_least(self, floor: int, rule: str) -> Price:
        """The price raised to its floor, if it is lower [IS-0.7]."""
        return self if self.total >= floor else self.plus(floor - self.total, "floor", rule)

    @property
    def plain(self) -> bool:
        """True if there is nothing to explain."""
        return [part.why for part in self.parts] in (["printed"], ["fixed"])

    def text(self, credit: tuple[Text, ...] = (), what: Text | None = None) -> Text:
        """"2 EP: base 3 and minus 1 for Wheat (IS-6.3.1, 6.3.4)"; "2 EP (1 from debt) for an event: base 3 …"; "2 EP"."""
        amount = text("{total} {kind}", total=self.total, kind=self.kind)
        if credit:
            amount = text("{amount} ({credit})", amount=amount, credit=credit)
        if what is not None:
            amount = text("{amount} for {what}", amount=amount, what=what)
        if self.plain:
            return amount
        return text("{amount}: {parts} ({rules})", amount=amount, parts=tuple(part.text() for part in self.parts),
                    rules=self._cited())

    def short(self, deed: Text | None = None) -> Text:
        """For a menu, with what is done for it: "2 EP to unflag: marker 1 + region 1 (IS-6.3.2, 5.8.1)"; "2 EP to flag
        (IS-6.3.1)"."""
        amount = text("{total} {kind}", total=self.total, kind=self.kind)
        if deed is not None:
            amount = text("{amount} to {deed}", amount=amount, deed=deed)
        if self.plain:
            return text("{amount} ({rules})", amount=amount, rules=self._cited())
        made = self.parts[0].short()
        for part in self.parts[1:]:
            made = text("{made} {part}", made=made, part=part.short())
        return text("{amount}: {made} ({rules})", amount=amount, made=made, rules=self._cited())

    def _cited(self) -> Text:
        """"IS-6.3.1, 6.3.4"."""
        first, *others = self.rules
        return verbatim(", ".join([first, *(rule.removeprefix("IS-") for rule in others)]))

    @property
    def rules(self) -> tuple[str, ...]:
        """The numbers of the rules that make it, each once."""
        return tuple(dict.fromkeys(part.rule for part in self.parts))


def of_conquest(cp: int, space: str = "") -> Text:
    """A price in CP, and for which space: "2 CP for Spain: base 1 and plus 1 for the Huguenots (IS-14.8.3)"."""
    amount = text("{cp} CP for {space:the}", cp=cp, space=space) if space else text("{cp} CP", cp=cp)
    if cp == CONQUEST and space:
        return amount
    parts = text("base {base} and plus {more} for the Huguenots", base=CONQUEST, more=cp - CONQUEST)
    return text("{amount}: {parts} (IS-14.8.3)", amount=amount,
                parts=parts if cp > CONQUEST else text("base {base}", base=CONQUEST))


@lru_cache(maxsize=1024)
def price_of(kind: Points, amount: int, why: str, rule: str, source: str = "") -> Price:
    """A price with its first part; the same one is made once."""
    return Price(kind=kind, parts=(PricePart(amount, why, rule, source),))


def modifiers(s: State, side: Side, kind: Points) -> list[Modifier]:
    """The modifiers of face-up ministries and of cards in force in this round, for prices in points of this kind."""
    passive = [Modifier(source=ministry.id, action=ability.effect["action"], amount=ability.effect["amount"], kind=kind,
                        countries=ability.effect.get("countries", []), spaces=ability.effect.get("spaces", []))
               for ministry, ability in s.in_force(side, "cost_modifier")
               if ability.limit == "passive" and ability.effect["kind"] == kind]
    return [*passive, *[modifier for modifier in s.current.modifiers if modifier.kind == kind]]


def modified(s: State, price: Price, among: Iterable[Modifier], what: str, space: str, rule: str) -> Price:
    """The price with those of the `modifiers` that apply to this shift [IS-6.3.4, 7.2.2]."""
    for modifier in among:
        if (modifier.action in ("shift", what)
                and (not modifier.countries or s.space(space).country in modifier.countries)
                and (not modifier.spaces or space in modifier.spaces)
                and (not modifier.flag or s.flags.get(space) == modifier.flag)):
            price = price.plus(modifier.amount, "source", rule, modifier.source)
    return price
