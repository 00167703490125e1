"""Chapters 5.2, 8 and 9: the battles of an action one after the other, the command of neutrals, capture and spoils."""
from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field

from engine.games.attack.rules.battle import land_battle
from engine.games.attack.rules.cards import draw
from engine.games.attack.rules.ending import fallen
from engine.games.attack.rules.replies import Answer
from engine.games.attack.rules.rolls import highest
from engine.games.attack.state import NEUTRAL, Battle, Side, State
from engine.games.attack.words.nouns import force
from engine.kernel import OVER, Action, Event, Game, Script, Seat, ask, ask_each, roll
from engine.refusals import Illegal
from engine.text import Text, text

# --- events -----------------------------------------------------------------------------------------------

class BattleBegun(Event):
    """All units of both sides leave the map; neutral defenders come from a card [ATK-7.1.2, 8.2.1]."""

    territory: str
    attacker: str
    defender: str           # the owner, or "neutral"
    defenders: dict[str, int]
    card: str = ""

    def apply(self, s: State) -> None:
        s.battles += 1
        owned = self.defender != NEUTRAL
        s.battle = Battle(
            territory=self.territory, card=self.card,
            attacker=Side(power=self.attacker, commander=self.attacker, reserve=s.turn.entering.pop(self.territory)),
            defender=Side(power=self.defender, commander=self.defender if owned else "", reserve=dict(self.defenders)))
        s.units.pop(self.territory, None)
        if self.card:
            s.deck.remove(self.card)

    def line(self) -> Text:
        if self.card:
            return text("{attacker} attacks {territory:the}. The card {card} sends {defenders} to defend it.",
                        attacker=self.attacker,
                        territory=self.territory, card=self.card, defenders=force(self.defenders))
        return text("{attacker} attacks {defender} in {territory:the}, held by {defenders}.", attacker=self.attacker,
                    territory=self.territory, defender=self.defender, defenders=force(self.defenders))


class CommandTaken(Event):
    """Who commands the neutral defenders; "" is the engine [ATK-8.3]."""

    power: str

    def apply(self, s: State) -> None:
        assert s.battle is not None, "no battle is fought"
        s.battle.defender.commander = self.power

    def line(self) -> Text | None:
        return text("{power} commands the defenders.", power=self.power) if self.power else None


class TerritoryCaptured(Event):
    """The attacker has won: the territory and, from neutrals, the card are its own [ATK-7.7.3, 8.4.1, 9.1.7]."""

    territory: str
    winner: str
    loser: str
    units: dict[str, int]
    card: str = ""

    def apply(self, s: State) -> None:
        s.battle = None
        s.owner[self.territory] = self.winner
        s.units[self.territory] = dict(self.units)
        if self.card:
            s.hands[self.winner].append(self.card)

    def line(self) -> Text:
        if self.card:
            return text("{winner} captures {territory:the} with {units} left and takes the card {card}.", winner=self.winner,
                        territory=self.territory, units=force(self.units), card=self.card)
        return text("{winner} captures {territory:the} with {units} left.", winner=self.winner, territory=self.territory,
                    units=force(self.units))


class AttackFailed(Event):
    """The defender has won; neutral survivors leave, and their card goes back into the deck [ATK-7.7.3, 8.4.2, 9.1.4]."""

    territory: str
    attacker: str
    defender: str
    units: dict[str, int]

    def apply(self, s: State) -> None:
        assert s.battle is not None, "no battle is fought"
        if self.defender != NEUTRAL:
            s.units[self.territory] = dict(self.units)
        elif s.battle.card:
            s.deck.append(s.battle.card)
        s.battle = None

    def line(self) -> Text:
        if self.defender == NEUTRAL:
            return text("{attacker:possessive} attack on {territory:the} fails. It stays neutral.", attacker=self.attacker,
                        territory=self.territory)
        return text("{attacker:possessive} attack on {territory:the} fails. {defender} holds it with {units}.",
                    attacker=self.attacker,
                    territory=self.territory, defender=self.defender, units=force(self.units))


class SpoilsTaken(Event):
    """A card at random from the loser's hand [ATK-9.1.1, 9.1.6]; both sides know which [ATK-20.7]."""

    winner: str
    loser: str
    card: str

    def apply(self, s: State) -> None:
        s.hands[self.loser].remove(self.card)
        s.hands[self.winner].append(self.card)

    def line(self) -> Text:
        return text("{winner} takes a card from {loser}.", winner=self.winner, loser=self.loser)

    def private_lines(self, s: State) -> Mapping[Seat, Text]:
        kind = s.parts.card[self.card].kind
        return {s.seat(self.winner): text("You took {card} from {loser}.", card=kind, loser=self.loser),
                s.seat(self.loser): text("{winner} took {card} from you.", card=kind, winner=self.winner)}


# --- answers ----------------------------------------------------------------------------------------------

class Attack(Action):
    """Choose which battle is fought next."""

    verb: ClassVar[str] = "attack"
    territory: str = Field(description="Which battle?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> list[Attack]:
        return [cls.of(land) for land in due(s)]

    def check(self, s: State, seat: Seat) -> None:
        if self.territory not in due(s):
            raise Illegal("There is no battle to fight in {territory:the}. Choose among {due:the}.",
                          rule="ATK-5.2.3", territory=self.territory,
                          due=tuple(due(s)))

    def label(self) -> Text:
        return text("{territory}", territory=self.territory)


def due(s: State) -> list[str]:
    """The territories where a battle is still due, in the order of declaration [ATK-5.2.3, 6.2.10]."""
    return [land for land, attackers in s.turn.entering.items() if attackers]


# --- the scripts --------------------------------------------------------------------------------------------

def battles(g: Game[State], power: str) -> Script[None]:
    """All battles of an action, each to its end, with its spoils, before the next [ATK-5.2.2, 5.2.3, 8.2.3]."""
    s = g.state
    while s.phase != OVER and (places := due(s)):
        answer = yield from ask(s.seat(power), Attack, point="D-08", default=Attack.of(places[0]), prompt="Which battle is next?")
        yield from conquest(g, power, answer.territory)


def conquest(g: Game[State], power: str, territory: str) -> Script[None]:
    """One battle, from the card of the neutrals to the spoils [ATK-8.3.6, 9.1.7]."""
    s = g.state
    owner = s.owner.get(territory, NEUTRAL)
    if owner == NEUTRAL:
        yield from raise_neutrals(g, power, territory)
    else:
        g.emit(BattleBegun(territory=territory, attacker=power, defender=owner, defenders=s.units[territory]))
    won = yield from land_battle(g)
    assert s.battle is not None, "the battle has been fought"
    if not won:
        g.emit(AttackFailed(territory=territory, attacker=power, defender=owner, units=s.battle.defender.left))
        return
    g.emit(TerritoryCaptured(territory=territory, winner=power, loser=owner, units=s.battle.attacker.left, card=s.battle.card))
    if owner == NEUTRAL:
        return
    hand = s.hands[owner]
    if hand:
        (value,) = yield from roll(len(hand), why="spoils", winner=power, loser=owner, territory=territory)
        g.emit(SpoilsTaken(winner=power, loser=owner, card=hand[value - 1]))
    fallen(g, owner)


def raise_neutrals(g: Game[State], power: str, territory: str) -> Script[None]:
    """The card is drawn and shown, then the command is settled [ATK-8.2.1, 8.2.2, 8.3.1 to 8.3.7, 8.4.3, 8.4.4]."""
    s = g.state
    drawn = yield from draw(g, 1, why="defenders", power=power, territory=territory)
    card = drawn[0] if drawn else ""
    defenders = s.parts.card[card].neutral_defenders.units if card else s.parts.numbers.empty_deck_defenders.units
    g.emit(BattleBegun(territory=territory, attacker=power, defender=NEUTRAL, defenders=defenders, card=card))
    others = s.others(power)
    if len(others) == 1:
        g.emit(CommandTaken(power=others[0]))           # RUL-29
        return
    answers = yield from ask_each(
        [s.seat(other) for other in others], Answer, point="D-12", default=Answer.of(False), power=power, territory=territory,
        defenders=force(defenders),
        prompt="{power} attacks {territory:the}. Do you offer to command its defenders ({defenders})?")
    offering = [other for other in others if answers[s.seat(other)].accept]
    if len(offering) > 1:
        offering = [(yield from highest(g, offering, "command", territory))]
    g.emit(CommandTaken(power=offering[0] if offering else ""))
