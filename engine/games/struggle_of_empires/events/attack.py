"""What happens in attacks and raids until the dice decide them (chapters 9, 14)."""
from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import ClassVar

from engine.counters import add
from engine.games.struggle_of_empires.battle_state import Battle, Sent
from engine.games.struggle_of_empires.components import NEUTRAL, PIRATES
from engine.games.struggle_of_empires.events.money import GoldPaid
from engine.games.struggle_of_empires.events.tiles import TileReturned, TileUsed
from engine.games.struggle_of_empires.events.words import gold, units
from engine.games.struggle_of_empires.state import TOKENS, State
from engine.games.struggle_of_empires.words.names import the
from engine.kernel import Event
from engine.text import Text, template, text


class AttackDeclared(Event):
    attacker: str
    defender: str
    area: str
    sea: str = ""
    strength: int = 0
    naval_only: bool = False
    surprise: bool = False
    war_office: bool = False

    def apply(self, s: State) -> None:
        s.battles += 1
        s.turn.attacked = True
        s.battle = Battle(area=self.area, attacker=self.attacker, defender=self.defender, mover=self.attacker, sea=self.sea,
                          strength=self.strength, naval_only=self.naval_only, surprise=self.surprise)

    def line(self) -> Text:
        return text("{attacker:The} attacks {defender:the} in {area:the}.", attacker=self.attacker, defender=the(self.defender),
                    area=self.area)

    def commentary(self, following: Sequence[Event]) -> tuple[Sequence[Text], int]:
        """"Prussia attacks Spain in India with Surprise Attack (2 gold)."."""
        paying = list(takewhile(lambda event: event.line() is None or isinstance(event, TileUsed | TileReturned | GoldPaid),
                                following))
        tiles = tuple(event.tile for event in paying if isinstance(event, TileUsed | TileReturned))
        paid = sum(event.gold for event in paying if isinstance(event, GoldPaid))
        attack = text("{attacker:The} attacks {defender:the} in {area:the}", attacker=self.attacker, defender=the(self.defender),
                      area=self.area)
        if tiles:
            attack = text("{attack} with {tiles:the}", attack=attack, tiles=tiles)
        told = text("{attack} ({gold}).", attack=attack, gold=gold(paid)) if paid else text("{attack}.", attack=attack)
        return (told,), len(paying)


class RaidBegun(Event):
    """Pirates or a Slave Revolt fight for a control marker [SOE-14.2.2, 14.2.4, 14.3.2]."""

    sender: str
    token: str
    target: str
    area: str
    strength: int

    def apply(self, s: State) -> None:
        s.battles += 1
        s.turn.attacked = True
        s.battle = Battle(area=self.area, attacker=self.token, defender=self.target, mover=self.sender, raid=True,
                          sea=self.area, strength=self.strength, stage="sea" if self.token == PIRATES else "land")

    def line(self) -> Text:
        return text("{sender:The} sends {token} against {target:the} in {area:the}.", sender=self.sender, token=the(self.token),
                    target=self.target, area=self.area)


class HelpSent(Event):
    ally: str
    principal: str
    armies: int
    navies: int

    def apply(self, s: State) -> None:
        assert s.battle is not None, "no battle is fought"
        if self.ally not in s.npps:         # they are not asked
            s.battle.heard.append(self.ally)
        if self.armies or self.navies:
            s.battle.sent[self.ally] = Sent(principal=self.principal, army=self.armies, navy=self.navies)

    def line(self) -> Text:
        sent = tuple(units(n, kind) for n, kind in ((self.armies, "army"), (self.navies, "navy")) if n)
        if not sent:
            return text("{ally:The} sends {principal:the} no help.", ally=self.ally, principal=self.principal)
        return text("{ally:The} sends {principal:the} {sent}.", ally=self.ally, principal=self.principal, sent=sent)


class CallClosed(Event):
    """A principal has called for help and heard all answers; it calls no more in this attack [SOE-9.4.16]."""

    side: str

    def apply(self, s: State) -> None:
        assert s.battle is not None, "no battle is fought"
        s.battle.closed.append(self.side)


class SeaDeclined(Event):
    side: str

    def line(self) -> Text:
        return text("{side:The} won't fight at sea.", side=self.side)


class SupportGained(Event):
    side: str

    def apply(self, s: State) -> None:
        assert s.battle is not None, "no battle is fought"
        s.battle.support = self.side

    def line(self) -> Text:
        return text("{side:The} has naval support.", side=self.side)


class SupportDoubled(Event):
    side: str

    def apply(self, s: State) -> None:
        assert s.battle is not None, "no battle is fought"
        s.battle.blockading = True

    def line(self) -> Text:
        return text("{side:Possessive} naval support counts double: 2.", side=self.side)


class AllianceUsedAtSea(Event):
    side: str
    tile: str

    def apply(self, s: State) -> None:
        assert s.battle is not None, "no battle is fought"
        s.battle.at_sea.setdefault(self.side, []).append(self.tile)

    def line(self) -> Text:
        return text("The {tile} helps {side:the} at sea.", tile=self.tile, side=self.side)


class StageBegun(Event):
    stage: str

    def apply(self, s: State) -> None:
        battle = s.battle
        assert battle is not None, "no battle is fought"
        battle.stage, battle.dice, battle.decided, battle.winner, battle.spared = self.stage, {}, False, "", {}


class DiceRolled(Event):
    """Both sides rolled; the parts of each strength are kept for the record [SOE-9.6, 9.7.1]."""

    tag: ClassVar[str] = "Thrown"
    stage: str
    attacker: str
    defender: str
    dice: tuple[int, int, int, int]
    parts: tuple[tuple[int, int, int, int, int], tuple[int, int, int, int, int]]
    # units, training, alliances, naval support, dice; of the attacker and of the defender

    def apply(self, s: State) -> None:
        assert s.battle is not None, "no battle is fought"
        one, two, three, four = self.dice
        s.battle.dice = {self.attacker: (one, two), self.defender: (three, four)}

    def line(self) -> Text:
        where = text("At sea") if self.stage == "sea" else text("On land")
        return text("{where}: {mine}; {theirs}.", where=where,
                    mine=strength(self.attacker, self.dice[:2], self.parts[0], "navy" if self.stage == "sea" else "army"),
                    theirs=strength(self.defender, self.dice[2:], self.parts[1], "navy" if self.stage == "sea" else ""))

    def commentary(self, following: Sequence[Event]) -> tuple[Sequence[Text], int]:
        """The dice with what they decide, which need not say again where."""
        if not following or not isinstance(following[0], FightDecided):
            return super().commentary(following)
        decided, more = following[0].outcome(following[1:])
        return (text("{dice} {decided}", dice=self.line(), decided=decided),), more + 1


def strength(side: str, dice: tuple[int, ...], parts: tuple[int, ...], kind: str) -> Text:
    """"Prussia: 1 army + dice 6−5 = **2**"; `kind` is what the side fights with; none: armies and forts."""
    fighters, training, alliance, support, _ = parts
    nameless = side in TOKENS or side.startswith(NEUTRAL)       # its strength is printed on it
    said = text("strength {n}" if nameless else "defence {n}", n=fighters) if nameless or not kind else units(fighters, kind)
    counted = [said] if fighters else []
    counted += [text(words, n=n) for n, words in ((training, template("training {n}")), (alliance, template("alliance {n}")),
                                                   (support, template("naval support {n}"))) if n]
    counted.append(text("dice {a}−{b}", a=max(dice), b=min(dice)))
    added = " + ".join(f"{{part_{number}}}" for number in range(len(counted)))
    return text(f"{{side}}: {added} = **{{sum}}**", side=the(side), sum=sum(parts),
                **{f"part_{number}": part for number, part in enumerate(counted)})


class ReservesUsed(Event):
    side: str
    tile: str

    def apply(self, s: State) -> None:
        add(s.used[self.side], self.tile, 1)

    def line(self) -> Text:
        return text("{side:The} uses {tile:the}: all dice are rolled again.", side=self.side, tile=self.tile)


class FightDecided(Event):
    stage: str
    winner: str             # "" in a tie

    def apply(self, s: State) -> None:
        battle = s.battle
        assert battle is not None, "no battle is fought"
        battle.decided, battle.winner = True, self.winner

    def line(self) -> Text:
        where = text("at sea") if self.stage == "sea" else text("on land")
        if not self.winner:
            return text("It's a tie {where}.", where=where)
        if self.winner in TOKENS:
            return text("Victory {where} for {winner}.", where=where, winner=the(self.winner))
        return text("{winner:The} wins {where}.", where=where, winner=self.winner)

    def outcome(self, following: Sequence[Event]) -> tuple[Text, int]:
        """"France wins and has naval support.", after the dice, and how many more events that tells."""
        if following and following[0] == SupportGained(side=self.winner):
            return text("{winner:The} wins and has naval support.", winner=self.winner), 1
        if not self.winner:
            return text("It's a tie."), 0
        if self.winner in TOKENS:
            return text("Victory for {winner}.", winner=the(self.winner)), 0
        return text("{winner:The} wins.", winner=self.winner), 0

    def commentary(self, following: Sequence[Event]) -> tuple[Sequence[Text], int]:
        """"France wins at sea and has naval support."."""
        if following and following[0] == SupportGained(side=self.winner):
            return (text("{winner} wins at sea and has naval support.", winner=self.winner),), 1
        return (self.line(),), 0
