"""Taking tiles from the stock, and using them (chapters 6.4, 11, 12)."""
from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from engine.games.struggle_of_empires import odds
from engine.games.struggle_of_empires.actions.build import FREE_BUILDS, may_build_free, require_free_build
from engine.games.struggle_of_empires.actions.move import require_natives
from engine.games.struggle_of_empires.actions.raids import raid_outlook, raid_targets, require_raid
from engine.games.struggle_of_empires.actions.shared import by_class, price_warning, require_action, require_supply, tile_price
from engine.games.struggle_of_empires.components import Tile
from engine.games.struggle_of_empires.events.words import a_unit
from engine.games.struggle_of_empires.rules import movement
from engine.games.struggle_of_empires.rules.local_alliances import free_places, places_for, require_free_place
from engine.games.struggle_of_empires.rules.special_actions import require_special, special_left
from engine.games.struggle_of_empires.state import TOKENS, State
from engine.kernel import Action, Seat
from engine.refusals import Illegal
from engine.text import Text, count, text

BUILDERS = {"mercenaries": "army", "pressgangs": "navy", "trained_natives": "army"}     # their use is named by what they build
FREE_EFFECTS = {"company_income", "free_alliance", "blockade", *FREE_BUILDS}         # of tiles used as a free action, SOE-6.4.1


class Take(Action):
    """Buy a tile from the stock. Pirates and Slave Revolt need a target."""

    verb: ClassVar[str] = "tile"
    tile: str = Field(description="Which tile?")
    area: str = Field(default="", description="In which area? (Pirates and Slave Revolt only)")
    target: str = Field(default="", description="Whose control marker? (Pirates and Slave Revolt only)")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Take]:
        if s.turn.actions < 1 or not special_left(s, "tile"):
            return
        power = s.power(seat)
        for tile, left in s.stock.items():
            if left and affordable(s, power, part := s.parts.tile[tile]):
                if part.id in TOKENS:
                    for area, target in raid_targets(s, power, tile):
                        yield cls.of(tile, area, target)
                else:
                    yield cls.of(tile)

    def check(self, s: State, seat: Seat) -> None:
        power = s.power(seat)
        require_action(s)
        require_special(s, "tile")
        require_tile(s, power, self.tile)
        if self.tile in TOKENS:
            require_raid(s, power, self.tile, self.area, self.target)
        elif self.area or self.target:
            raise Illegal("{tile:The} needs no target. Leave it out.", rule="SOE-11.1.1", tile=self.tile)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        require_action(s)
        require_special(s, "tile")
        raise Illegal("You can't buy any of the tiles left: they cost too much population, lack a "
                      "target, or are at your limit.", rule="SOE-11.1.4")

    def label(self) -> Text:
        if self.target:
            return text("Buy {tile:the} against {target:the} in {area:the}", tile=self.tile, target=self.target, area=self.area)
        return text("Buy {tile:the}", tile=self.tile)

    def cost(self, s: State, seat: Seat) -> Text | None:
        return tile_price(s, s.power(seat), self.tile)

    def consequence(self, s: State, seat: Seat) -> Text | None:
        return price_warning(s, s.power(seat), self.tile)

    def outlook(self, s: State, seat: Seat) -> Text | None:
        return raid_outlook(s, s.power(seat), self.tile, self.area, self.target) if self.tile in TOKENS else None


def affordable(s: State, power: str, tile: Tile) -> bool:
    """True if a tile may be taken now, its stock aside (SOE-11.1.4, 11.1.5, 11.2.5)."""
    return (s.population[power] >= s.cost_of(tile.id).population and tile.id not in s.turn.given_back
            and (tile.limit_per_player is None or s.owned(power, tile.id) < tile.limit_per_player)
            and not (tile.kind == "company" and companies_full(s, power)))


def companies_full(s: State, power: str) -> bool:
    """True if a power owns as many companies as it may: with two or three players, by an option (SOE-12.21.3, 12.21.4)."""
    most = s.parts.set_up(len(s.seats)).company_tiles_per_player_max if s.options.tiles.company_cap == "three" else None
    return most is not None and sum(s.owned(power, tile.id) for tile in s.parts.tiles if tile.kind == "company") >= most


def require_tile(s: State, power: str, name: str) -> None:
    tile = s.parts.tile.get(name)
    if tile is None:
        raise Illegal("There is no tile {tile}.", rule="SOE-11.1.1", tile=name)
    if not s.stock.get(name):
        raise Illegal("{tile:The} is no longer in the stock.", rule="SOE-1.3.3", tile=name)
    if name in s.turn.given_back:
        raise Illegal("You used {tile:the} this turn, so you can't buy it back before your next turn.",
                      rule=by_class(s, "SOE-11.2.5", "SOE-11.3.5"), tile=name)
    if s.population[power] < (cost := s.cost_of(name).population):
        raise Illegal("{tile:The} costs {cost} population, and you have {have}.", rule="SOE-11.1.4", tile=name,
                      cost=cost, have=s.population[power])
    if tile.limit_per_player is not None and s.owned(power, name) >= tile.limit_per_player:
        raise Illegal("You already own as many {tile} tiles as allowed.", rule="SOE-11.1.5", tile=name)
    if tile.kind == "company" and companies_full(s, power):
        raise Illegal("With {players} players nobody may own more than {companies}.", rule="SOE-12.21.4",
                      players=len(s.seats), companies=count(
                          s.parts.set_up(len(s.seats)).company_tiles_per_player_max or 0, "{n} company", "{n} companies"))


class Use(Action):
    """Use one of your tiles, without an action or in a fight."""

    verb: ClassVar[str] = "use"
    tile: str = Field(description="Which tile?")
    on: str = Field(default="", description="Where, or which alliance?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Use]:
        power = s.power(seat)
        if s.battle is not None:
            if tile := fight_tile(s, power):
                yield cls.of(tile)
            return
        for tile in s.tiles[power]:
            if s.ready(power, tile) > 0:
                part = s.parts.tile[tile]
                if company_gold(s, power, part):
                    yield cls.of(tile)
                for on in uses(s, power, part):
                    yield cls.of(tile, on)

    def check(self, s: State, seat: Seat) -> None:
        power = s.power(seat)
        part = s.parts.tile.get(self.tile)
        if part is None:
            raise Illegal("There is no tile {tile}.", rule="SOE-11.1.1", tile=self.tile)
        if s.battle is not None:
            if self.tile != fight_tile(s, power) or self.on:
                raise Illegal("You can't use {tile:the} at this point in the fight.", rule="SOE-6.4.3", tile=self.tile)
            return
        if not s.owned(power, self.tile):
            raise Illegal("You don't own {tile}.", rule="SOE-6.4.1", tile=self.tile)
        if s.ready(power, self.tile) < 1:
            raise Illegal("You have used {tile:the} already. It is ready again in the next war.",
                          rule=by_class(s, "SOE-11.2.1", "SOE-11.3.1"), tile=self.tile)
        if part.effect in FREE_BUILDS:
            require_free_build(s)
        if part.effect == "company_income":
            if self.on:
                raise Illegal("{tile:The} only brings gold. Leave out the rest.", rule="SOE-12.21.1", tile=self.tile)
            require_gold(s, power, part)
        elif part.effect in ("free_build_army", "free_build_navy"):
            unit = FREE_BUILDS[part.effect]
            require_supply(s, power, unit)
            if self.on != power:
                movement.check_way(s, power, unit, power, self.on)
        elif part.effect == "build_army_in_colony":
            require_supply(s, power, "army")
            require_natives(s, power, self.on)
        elif part.effect == "free_alliance" and s.options.alliance.mode == "local":
            require_free_place(s, power, self.on)
        elif part.effect == "free_alliance":
            require_tile(s, power, self.on)
            if s.parts.tile[self.on].kind != "alliance":
                raise Illegal("{tile:The} gets you an alliance, and {on:the} isn't one.", rule="SOE-12.12.1", tile=self.tile,
                              on=self.on)
        elif part.effect == "blockade":
            if self.on not in s.parts.colonies or not s.navies(power, self.on):
                raise Illegal("You need a navy in a colony to blockade it, and you have none in {on:the}.",
                              rule="SOE-12.20.1", on=self.on)
        elif part.effect == "free_attack":
            raise Illegal("War Office is part of an attack: choose Attack, then War Office.", rule="SOE-12.4.1")
        else:
            raise Illegal("{tile:The} isn't a free action.", rule="SOE-6.4.3", tile=self.tile)

    def label(self) -> Text:
        if not self.on:
            return text("Use {tile:the}", tile=self.tile)
        if unit := BUILDERS.get(self.tile):
            return text("Build {unit} in {place:the} with {tile:the}", unit=a_unit(unit), place=self.on, tile=self.tile)
        if self.tile == "blockade":
            return text("Use {tile:the} in {area:the}", tile=self.tile, area=self.on)
        return text("Use {tile:the} for {alliance:the}", tile=self.tile, alliance=self.on)

    @classmethod
    def concerns(cls, s: State, seat: Seat) -> bool:
        return any(s.parts.tile[tile].effect in FREE_EFFECTS for tile in s.tiles[s.power(seat)])

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        power = s.power(seat)
        own = [tile for tile in s.tiles[power] if s.parts.tile[tile].effect in FREE_EFFECTS]
        if not own:
            raise Illegal("You have no tile that works as a free action.", rule="SOE-6.4.1")
        ready = [tile for tile in own if s.ready(power, tile) > 0]
        if not ready:
            raise Illegal("You have used {tiles:the} already. It is ready again in the next war." if len(own) == 1 else
                          "You have used {tiles:the} already. They are ready again in the next war.",
                          rule=by_class(s, "SOE-11.2.1", "SOE-11.3.1"), tiles=tuple(own))
        require_use(s, power, s.parts.tile[ready[0]])

    def cost(self, s: State, seat: Seat) -> Text | None:
        free = s.battle is not None or s.parts.tile[self.tile].effect != "free_alliance"
        return None if free else tile_price(s, s.power(seat), self.on)

    def hazard(self, s: State, seat: Seat) -> Text | None:
        built = s.battle is None and s.parts.tile[self.tile].effect in ("free_build_army", "free_build_navy")
        return odds.crossing(s, s.power(seat), s.power(seat), self.on) if built else None

    def consequence(self, s: State, seat: Seat) -> Text | None:
        if s.battle is None and s.parts.tile[self.tile].effect == "free_alliance":
            return price_warning(s, s.power(seat), self.on)
        return None


def require_use(s: State, power: str, part: Tile) -> None:
    """Raise Illegal with the reason why a ready tile has no use as a free action now (SOE-6.4.6)."""
    if part.effect in FREE_BUILDS:
        require_free_build(s)
        require_supply(s, power, FREE_BUILDS[part.effect])
    match part.effect:
        case "company_income":
            require_gold(s, power, part)
        case "build_army_in_colony":
            raise Illegal("{tile:The} builds an army in a colony where you have a control marker or a unit, and you have neither "
                          "in any.",
                          rule="SOE-12.7.3", tile=part.id)
        case "free_alliance" if s.options.alliance.mode == "local":
            if free := free_places(s):
                require_free_place(s, power, free[0])
            raise Illegal("{tile:The} gets you a local alliance, and none is free.", rule="SOE-12.12.2", tile=part.id)
        case "free_alliance":
            raise Illegal("{tile:The} gets you an alliance, and the stock has none you could buy now.", rule="SOE-12.12.1",
                          tile=part.id)
        case "blockade":
            raise Illegal("You need a navy in a colony to blockade it, and you have none in any.", rule="SOE-12.20.1")


def require_gold(s: State, power: str, company: Tile) -> None:
    if not company_gold(s, power, company):
        raise Illegal("{tile:The} would bring no gold, since you have no control marker in {areas:the}.", rule="SOE-6.4.6",
                      tile=company.id, areas=company.areas)


def company_gold(s: State, power: str, tile: Tile) -> int:
    """Gold that a company would bring now (SOE-12.21.1, 12.21.2, 12.21.5)."""
    if tile.effect != "company_income":
        return 0
    markers = sum(s.markers[power].get(area, 0) for area in tile.areas)
    return min(tile.params.max_gold, markers * tile.params.gold_per_control_marker)


def uses(s: State, power: str, tile: Tile) -> list[str]:
    """On what a tile can be used as a free action now (SOE-6.4.6, 12.5 to 12.7, 12.12, 12.20.1)."""
    if tile.effect in FREE_BUILDS and not may_build_free(s):
        return []
    match tile.effect:
        case "free_build_army" | "free_build_navy":
            unit = FREE_BUILDS[tile.effect]
            return [power, *movement.destinations(s, power, unit, power)] if s.supply(power, unit) > 0 else []
        case "build_army_in_colony":
            return movement.natives_colonies(s, power) if s.supply(power, "army") > 0 else []
        case "free_alliance" if s.options.alliance.mode == "local":
            return places_for(s, power)
        case "free_alliance":
            return [other.id for other in s.parts.alliances if s.stock.get(other.id) and affordable(s, power, other)]
        case "blockade":
            return [area for area in s.parts.colonies if s.navies(power, area)]
    return []


def fight_tile(s: State, power: str) -> str:
    """The tile that this power may use at this moment of the fight, or "" (SOE-12.3, 12.18, 12.20.8)."""
    battle = s.battle
    assert battle is not None, "no battle is fought"
    if not battle.dice:
        tile = s.parts.by_effect.get("blockade", "")
        return tile if battle.support == power and not battle.blockading and s.ready(power, tile) > 0 else ""
    tile = s.parts.by_effect.get("no_defender_losses" if battle.decided else "reroll_both", "")
    if battle.decided and power != battle.defender:
        return ""
    return tile if s.ready(power, tile) > 0 else ""
