"""The declaration of an attack, and whom it can be against (chapter 9.1, 9.2)."""
from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from engine.games.struggle_of_empires import odds
from engine.games.struggle_of_empires.actions.shared import debt_warning, price, ready_effect, require_action
from engine.games.struggle_of_empires.events import AttackDeclared
from engine.games.struggle_of_empires.rules.non_player_powers import automatic_help
from engine.games.struggle_of_empires.state import TOKENS, State
from engine.games.struggle_of_empires.words.names import the
from engine.kernel import Action, Seat
from engine.kernel.model import later
from engine.refusals import Illegal
from engine.text import Text, text


class Attack(Action):
    """Attack a power, a neutral marker or a captive in one area."""

    verb: ClassVar[str] = "attack"
    area: str = Field(description="Which area?")
    target: str = Field(description="Whom do you attack?")
    surprise: bool = Field(default=False, description="Use Surprise Attack, so that nobody may help the defender?")
    war_office: bool = Field(default=False, description="Use War Office? The attack then costs no action and no gold.")
    naval_only: bool = later(default=False, description="Fight at sea only, although you have an army there?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Attack]:
        power = s.power(seat)
        ways_to_pay = [False] if s.turn.actions > 0 else []
        if ready_effect(s, power, "free_attack"):
            ways_to_pay.append(True)
        if not ways_to_pay:
            return
        surprise = (False, True) if s.with_effect(power, "no_defender_helpers") else (False,)
        armies, navies = s.units[power]["army"], s.units[power]["navy"]
        for area in s.parts.area:
            for target in targets(s, power, area) if area in armies or area in navies else ():
                for use in (surprise if target in s.powers else (False,)):
                    for free in ways_to_pay:
                        yield cls.of(area, target, use, free)
                        if may_leave_out_land(s, power, area, target):
                            yield cls.of(area, target, use, free, True)

    def check(self, s: State, seat: Seat) -> None:
        power = s.power(seat)
        if self.war_office:
            if not ready_effect(s, power, "free_attack"):
                raise Illegal("You have no War Office ready. It works once a war.", rule="SOE-12.4.1")
        else:
            require_action(s)
        if self.area not in s.parts.area:
            raise Illegal("You can't attack in {area:the}: attacks happen in the eleven areas only.",
                          rule="SOE-9.1.1", area=self.area)
        if self.target in s.parts.powers and self.target not in s.powers and self.target not in s.npps:
            raise Illegal("{target:The} isn't in this game.", rule="SOE-1.1.15", target=self.target)
        if self.surprise and self.target in s.npps:
            raise Illegal("Surprise Attack is no use here: nobody helps a non-player power's control marker.",
                          rule="SOE-19.2.6")
        if self.surprise and self.target not in s.powers:
            raise Illegal("Surprise Attack only works against a power: nobody could help {target}.", rule="SOE-14.4.14",
                          target=the(self.target))
        if self.surprise and not s.with_effect(power, "no_defender_helpers"):
            raise Illegal("You don't have Surprise Attack.", rule="SOE-12.19.1")
        if self.target in targets(s, power, self.area):
            if self.naval_only:
                require_sea_alone(s, power, self.area, self.target)
            return
        if self.target == power or self.target in s.allies(power):
            raise Illegal("{target:The} isn't your enemy in this war.", rule="SOE-9.2.2", target=self.target)
        armies, navies = s.count(power, "army", self.area), s.navies(power, self.area)
        if not armies and not navies:
            raise Illegal("You have no army in {area:the}. A land attack needs one.", rule="SOE-9.1.2", area=self.area)
        if self.target in s.powers:
            if not armies:
                raise Illegal("You have only navies in {area:the}, and {target:the} has no navy there for them to attack.",
                              rule="SOE-9.2.6",
                              area=self.area, target=self.target)
            raise Illegal("{target:The} has no control marker and no unit to attack in {area:the}.", rule="SOE-9.2.5",
                          target=self.target, area=self.area)
        if self.target in s.npps:
            require_npp_marker(s, self.target, self.area)
        if self.target in TOKENS:
            require_captive(s, self.target, self.area)
        if self.target in ("pop", "slaves"):
            raise Illegal("You can't attack a neutral marker without a defence number.", rule="SOE-9.2.4")
        if not armies:
            raise Illegal("You have only navies in {area:the}. To attack {target} you need an army there.", rule="SOE-9.2.6",
                          area=self.area, target=the(self.target))
        raise Illegal("There is no {target} in {area:the}.", rule="SOE-9.2.1", target=self.target, area=self.area)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        power = s.power(seat)
        if not ready_effect(s, power, "free_attack"):
            require_action(s)
        own = s.units[power]
        here = [area for area in s.parts.area if own["army"].get(area) or own["navy"].get(area)]
        if not here:
            raise Illegal("You have no army or navy in any area. An attack needs one on the spot.", rule="SOE-9.1.2")
        armed = [area for area in here if own["army"].get(area)]
        if not armed:
            raise Illegal("You have only navies in {here:the}, and no enemy navy is there for them to attack.", rule="SOE-9.2.6",
                          here=tuple(here))
        if armed != here:
            raise Illegal("Your armies have nobody to attack in {armed:the}, and your navies no enemy navy in {others:the}.",
                          rule="SOE-9.2.1", armed=tuple(armed), others=tuple([area for area in here if area not in armed]))
        raise Illegal("Your armies have nobody to attack. There is no enemy, no neutral marker with a defence number and no "
                      "captive in {here:the}.", rule="SOE-9.2.1", here=tuple(here))

    def label(self) -> Text:
        tiles = [name for used, name in ((self.surprise, text("Surprise Attack")), (self.war_office, text("War Office"))) if used]
        attack = text("Attack {target:the} in {area:the} at sea only" if self.naval_only else "Attack {target:the} in {area:the}",
                      target=the(self.target), area=self.area)
        return text("{attack} with {tiles:the}", attack=attack, tiles=tuple(tiles)) if tiles else attack

    def cost(self, s: State, seat: Seat) -> Text | None:
        return None if self.war_office else price(s, s.power(seat), gold_pieces=s.parts.numbers.attack_cost_gold)

    def consequence(self, s: State, seat: Seat) -> Text | None:
        return None if self.war_office else debt_warning(s, s.power(seat), s.parts.numbers.attack_cost_gold)

    def hazard(self, s: State, seat: Seat) -> Text | None:
        return text("win {chance}", chance=odds.percent(odds.to_win(self.begun(s, seat))))

    def outlook(self, s: State, seat: Seat) -> Text | None:
        return odds.outlook(self.begun(s, seat))

    def begun(self, s: State, seat: Seat) -> State:
        """The position once this attack is declared, with the help that comes by itself."""
        declared = s.model_copy(update={"turn": s.turn.model_copy()})
        self.declared(s, s.power(seat)).apply(declared)
        for help_ in automatic_help(declared):
            help_.apply(declared)
        return declared

    def declared(self, s: State, attacker: str) -> AttackDeclared:
        marker = s.face(self.area, self.target)
        strength = 0 if marker is None else marker.strength or 0
        if self.target in TOKENS:
            strength = s.token_strength(self.target)
        if self.target in s.npps:
            strength = s.marker_defence
        at_sea_alone = self.naval_only or not s.count(attacker, "army", self.area) or s.beaten_at_sea(self.target)
        return AttackDeclared(attacker=attacker, defender=self.target, area=self.area, sea=s.sea_of(self.area), strength=strength,
                              naval_only=at_sea_alone, surprise=self.surprise, war_office=self.war_office)


def require_captive(s: State, token: str, area: str) -> None:
    """Raise Illegal, with the reason, if Pirates or a revolt hold no captive there, or one that is not freed on land."""
    if token not in s.token_in(area):
        raise Illegal("There is no captive of {token} in {area:the}.", rule="SOE-9.2.1", token=the(token), area=area)
    if s.beaten_at_sea(token):
        raise Illegal("You have no navy in {area:the}. You need one to free a captive from {token}.", rule="SOE-14.4.13",
                      area=area,
                      token=the(token))


def require_npp_marker(s: State, target: str, area: str) -> None:
    """Of a non-player power only a control marker is attacked (SOE-19.2.3, 19.2.4)."""
    if area not in s.markers[target]:
        raise Illegal("{target:The} has no control marker in {area:the}. Of a non-player power you can attack nothing else.",
                      rule="SOE-19.2.3", target=target, area=area)


def targets(s: State, power: str, area: str) -> list[str]:
    """Whom this power may attack in an area now (SOE-9.1, 9.2, 14.4)."""
    navies = s.navies(power, area)
    at_sea = [token for token in s.token_in(area) if s.beaten_at_sea(token)] if navies else []
    if not s.count(power, "army", area):
        return [*(enemy for enemy in s.enemies(power) if navies and s.is_power(enemy) and s.navies(enemy, area)), *at_sea]
    sea = s.sea_of(area)
    out = [enemy for enemy in s.enemies(power)
           if area in s.markers[enemy] or (s.is_power(enemy) and (
               s.count(enemy, "army", area) or s.count(enemy, "fort", area) or (sea == area and s.count(enemy, "navy", area))))]
    faces = [s.parts.neutral[marker].face for marker in s.neutrals[area] if s.parts.neutral[marker].strength]
    return [*out, *dict.fromkeys(faces), *(token for token in s.token_in(area) if token in at_sea or not s.beaten_at_sea(token))]


def may_leave_out_land(s: State, power: str, area: str, target: str) -> bool:
    """True if somebody with an army there may fight this target at sea alone, by option (SOE-9.1.3, 9.1.4, AMB-28)."""
    return bool(s.options.attack.naval_only_with_army and s.is_power(target) and s.count(power, "army", area)
                and s.navies(power, area) and s.navies(target, area))


def require_sea_alone(s: State, power: str, area: str, target: str) -> None:
    """Raise Illegal, with the reason, unless this attack can be at sea alone by choice."""
    if may_leave_out_land(s, power, area, target):
        return
    if not s.options.attack.naval_only_with_army:
        raise Illegal("You can't choose to fight at sea only in this game. An attack stays at sea if you have no army there.",
                      rule="SOE-9.1.4")
    if not s.count(power, "army", area):
        raise Illegal("You have no army in {area:the}, so this attack stays at sea anyway.", rule="SOE-9.1.3", area=area)
    raise Illegal("To fight at sea only, both you and {target:the} need a navy in {area:the}.", rule="SOE-9.2.6",
                  area=area, target=the(target))
