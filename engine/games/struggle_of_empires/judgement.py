"""What one power thinks of a position, in victory points: the judgement of the automatic player."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache

from engine.games.struggle_of_empires import actions as act, odds
from engine.games.struggle_of_empires.components import Tile
from engine.games.struggle_of_empires.events import RaidBegun
from engine.games.struggle_of_empires.marker_worth import Rivals, marker_gained, marker_lost, rival_lost
from engine.games.struggle_of_empires.rules.crossings import chances
from engine.games.struggle_of_empires.rules.non_player_powers import automatic_help
from engine.games.struggle_of_empires.state import TOKENS, WARS, State
from engine.games.struggle_of_empires.weights import SOLID, Weights
from engine.kernel import Action, Rng

RUIN = 50.0             # points: what is out of the question
NOISE = 0.15            # points by which two answers that seem the same differ


class Mind:
    """What one power thinks of a position, in victory points."""

    def __init__(self, s: State, power: str, weights: Weights = SOLID) -> None:
        self.s, self.power, self.weights = s, power, weights
        self.seven = s.parts.numbers.extra_loss_on_dice_sum
        self.others = [other for other in (*s.powers, *s.npps) if other and other != power]
        self.foes = s.enemies(power) or self.others
        self.wars_left = WARS - s.war
        self.horizon = 1 + self.weights.later * self.wars_left      # scorings of a marker won now
        self.tempo = self.weights.tempo
        self._prizes: dict[tuple[str, str], float] = {}
        self._prey: dict[str, list[tuple[float, int]]] = {}
        self._land: dict[tuple[str, int], float] = {}
        self._sea: dict[tuple[str, int], float] = {}
        self._prices: dict[int, float] = {}
        self._attacks: dict[tuple[str, str], tuple[float, float, bool]] = {}

    # -- gold and unrest

    @cached_property
    def spare(self) -> int:
        """Gold that the next upkeep leaves, below 0 if taxation must pay for some of it."""
        s, numbers = self.s, self.s.parts.numbers
        units = sum(sum(places.values()) for places in s.units[self.power].values())
        population = s.population[self.power] * numbers.income_per_population if s.options.income.population else 0
        income = population + sum(s.markers[self.power].values()) * numbers.income_per_control_marker
        return s.gold[self.power] + min(0, income - units * numbers.upkeep_per_unit)

    @cached_property
    def unrest(self) -> float:
        """The own unrest, with what the next upkeep will add to it."""
        return self.s.unrest[self.power] + max(0, -self.spare) / self.s.tax(self.power)

    def toll(self, markers: float) -> float:
        """Return what so much more unrest costs; below 0, what so much less of it is worth."""
        after = self.unrest + markers
        ruin = RUIN if after > self.weights.nearer and markers > 0 else 0
        return self.discontent(after) - self.discontent(self.unrest) + ruin

    def discontent(self, unrest: float) -> float:
        weights = self.weights
        return weights.unrest * min(unrest, weights.near) + weights.dear * max(0.0, unrest - weights.near)

    def price(self, gold: int) -> float:
        """Return what so much gold is worth: what is not there is taxed for, now or at the next upkeep."""
        found = self._prices.get(gold)
        if found is None:
            own = min(gold, max(0, self.spare))
            taxed = (gold - own) / self.s.tax(self.power)
            found = self._prices[gold] = self.coin * own + (self.toll(taxed) if taxed else 0)
        return found

    @cached_property
    def dead(self) -> float:
        return self.weights.unit + self.toll(self.s.parts.numbers.unrest_per_lost_unit)

    @cached_property
    def attacking(self) -> float:
        return self.price(self.s.parts.numbers.attack_cost_gold)

    @property
    def coin(self) -> float:
        """Return what a spare gold piece is worth now: after the last war, nothing."""
        return self.weights.gold if self.wars_left else self.weights.gold / 4

    @cached_property
    def man(self) -> float:
        """Return what a point of population is worth: little if there is no room for more to grow, or if there is no war to
        come."""
        numbers = self.s.parts.numbers
        full = self.s.population[self.power] + numbers.population_growth > numbers.population_min_max[1]
        return self.weights.population if self.wars_left and not full else self.weights.population / 4

    @property
    def turns_left(self) -> int:
        """Own turns to come in the game, this one not counted."""
        return self.s.rounds - self.s.round + self.wars_left * self.s.rounds

    # -- control markers

    def prize(self, area: str, loser: str = "") -> float:
        """Return what another control marker there is worth; with a loser, one that takes the place of its own."""
        found = self._prizes.get((area, loser))
        if found is None:
            mine, rivals = self._counts[area]
            gain, harm = marker_gained(self.s.parts.area[area].vp, mine, rivals, self._index.get(loser, -1))
            gold = self.weights.gold * self.wars_left
            found = self._prizes[area, loser] = self.horizon * (gain + self.weights.harm * harm) + gold
        return found

    def loss(self, area: str) -> float:
        mine, rivals = self._counts[area]
        return self.horizon * marker_lost(self.s.parts.area[area].vp, mine, rivals) + self.weights.gold * self.wars_left

    @cached_property
    def _index(self) -> dict[str, int]:
        """The other powers that have control markers, by their places in `_counts`."""
        ranked = [other for other in self.others if other in self.s.powers or other in self.s.ranked_npps]
        return {other: index for index, other in enumerate(ranked)}

    @cached_property
    def _counts(self) -> dict[str, tuple[int, Rivals]]:
        s = self.s
        return {area: (s.markers[self.power].get(area, 0),
                       tuple((s.markers[other].get(area, 0), other in s.npps) for other in self._index))
                for area in s.parts.area}

    # -- fights

    def chance(self, lead: int) -> float:
        """The chance to win a fight with this lead before the dice."""
        return quick(lead, self.seven)[0]

    def stake(self, lead: int, prize: float) -> float:
        win, hurt = quick(lead, self.seven)
        return win * prize - hurt * self.dead - self.attacking

    def drill(self, foe: str) -> int:
        """Return what Army Training adds against a power on land, as far as this player thinks of it; "" stands for neutral
        markers."""
        return 0

    def edge(self, power: str, area: str) -> int:
        return self._edges.get((power, area), 0)

    @cached_property
    def _edges(self) -> dict[tuple[str, str], int]:
        edges: dict[tuple[str, str], int] = {}
        for power in filter(None, self.s.powers):
            for held in self.s.alliances_of(power):
                for area in held.areas if held.helps_on_land else ():
                    edges[power, area] = edges.get((power, area), 0) + held.bonus
        return edges

    def walls(self, power: str, area: str, armies: int | None = None) -> int:
        """The strength with which a power defends an area on land, before support: with so many armies, or with those it has."""
        if power in self.s.npps:
            return self.s.marker_defence
        forts = self.s.count(power, "fort", area) * self.s.parts.numbers.fort_defence
        return (self.s.count(power, "army", area) if armies is None else armies) + forts + self.edge(power, area)

    def prey(self, area: str) -> list[tuple[float, int]]:
        """(prize, strength in its way) of all that could be won in an area."""
        found = self._prey.get(area)
        if found is None:
            found = self._prey[area] = [*self._prey_in(area)]
        return found

    def _prey_in(self, area: str) -> Iterator[tuple[float, int]]:
        s, sea, edge = self.s, self.s.sea_of(area), self.edge(self.power, area)
        mine = s.navies(self.power, sea)
        for foe in self.foes:
            if area in s.markers[foe]:
                theirs = s.navies(foe, sea) if foe in s.powers else 0
                support = int(theirs > 0 and theirs >= mine) - int(mine > theirs)
                yield self.prize(area, foe), self.walls(foe, area) - edge - self.drill(foe) + (support if foe in s.powers else 0)
        for marker in s.neutrals[area]:
            neutral = s.parts.neutral[marker]
            if neutral.strength:
                walls = neutral.strength - edge - self.drill("") - (mine > 0)
                yield self.prize(area) + neutral.vp + self.coin * neutral.gold, walls

    def land(self, area: str, armies: int) -> float:
        """Return what it is worth to have so many armies in an area: attacks that may follow, and markers that are guarded."""
        found = self._land.get((area, armies))
        if found is None:
            step, tempo = self.weights.step, self.tempo
            prospects = [max(step ** more * self.stake(armies + more - walls, prize) for more in range(not armies, 4))
                         for prize, walls in self.prey(area) if prize > 1]
            best = sorted(prospects, reverse=True)[:2]
            found = tempo * sum(max(0.0, worth) / place for place, worth in enumerate(best, 1)) + self.guarded(area, armies)
            self._land[area, armies] = found
        return found

    def guarded(self, area: str, armies: int) -> float:
        """Return what guards are worth for the own markers there: less with each one more."""
        s = self.s
        if area not in s.markers[self.power]:
            return 0.0
        threat, strongest = self.threat(area)
        return -threat * self.loss(area) * self.chance(strongest - self.walls(self.power, area, armies))

    def threat(self, area: str) -> tuple[float, int]:
        """(how probable it is that somebody attacks there, the strength of the strongest who can)."""
        s = self.s
        strongest = max([s.count(foe, "army", area) + self.edge(foe, area) for foe in self.foes if foe in s.powers], default=0)
        return self.weights.besieged if strongest else self.weights.besieged / 3, max(1, strongest)

    def sea(self, area: str, navies: int) -> float:
        """Return what it is worth to have so many navies in a sea area: the way for armies, support, trade."""
        found = self._sea.get((area, navies))
        if found is None:
            found = self._sea[area, navies] = self._at_sea(area, navies) if navies else 0.0
        return found

    def _at_sea(self, area: str, navies: int) -> float:
        s = self.s
        place, most = s.parts.area[area], max([s.navies(foe, area) for foe in self.foes], default=0)
        worth = 0.05 * min(navies, 3)
        for served in s.parts.areas:
            if s.sea_of(served.id) == area:
                engaged = s.count(self.power, "army", served.id) + s.markers[self.power].get(served.id, 0)
                worth += min(engaged, 3) * (0.25 if navies > most else 0.1 if navies == most else 0)
        if place.colony:
            armies = s.count(self.power, "army", area)
            worth += self.weights.step * (self.land(area, armies + 1) - self.land(area, armies)) + 0.2
        if area == s.parts.numbers.slaves_need_ship_in:
            worth += self.weights.step * max([self.prize(other) for other in self._with_face("slaves")], default=0.0)
        return worth

    def _with_face(self, kind: str) -> Iterator[str]:
        return (area for area, markers in self.s.neutrals.items()
                if any(self.s.parts.neutral[marker].kind == kind for marker in markers))

    # -- units

    def stands(self, unit: str, place: str, more: int) -> float:
        """Return what one unit more (1) or less (-1) at a place changes."""
        if place == self.power:
            return 0.0
        if unit == "fort":
            return self.guarded(place, self.s.count(self.power, "army", place) + 2 * more) - self.guarded(
                place, self.s.count(self.power, "army", place))
        here = self.s.count(self.power, unit, place)
        value = self.sea if unit == "navy" else self.land
        return value(place, here + more) - value(place, here)

    def goes(self, unit: str, origin: str, to: str) -> float:
        arrives = self.stands(unit, to, 1)
        if to == self.power or self.s.parts.zone[origin] == self.s.parts.zone[to]:
            return arrives
        sinks, back = self.crossing
        return (1 - sinks - back) * arrives - sinks * self.dead

    @cached_property
    def crossing(self) -> tuple[float, float]:
        found = chances(self.s, self.power)
        return float(found["lost"]), float(found["back"])

    def built(self, unit: str, to: str) -> float:
        return self.goes(unit, self.power, to) - self.price(self.s.parts.numbers.upkeep_per_unit)

    # -- the own turn

    def own_turn(self, option: Action) -> float:
        """Return what an answer to a question of the own turn is worth; to do nothing is worth nothing."""
        s = self.s
        match option:
            case act.Place():
                return self.stands(option.unit, option.area, 1)
            case act.Build():
                return self.built(option.unit, option.to) - self.man
            case act.Send():
                return 0.0 if option.to == s.turn.sending_from else self.goes(s.turn.sending or "army", self.power, option.to)
            case act.Move():
                lost = self.stands(option.unit, option.origin, -1)
                return self.goes(option.unit, option.origin, option.to) + lost - (0.0 if s.turn.moves else 0.2) - NOISE
            case act.Attack():
                return self.attack(option)
            case act.Colonise():
                return self.prize(option.area) - self.man
            case act.Enslave():
                return self.prize(option.area)
            case act.Take():
                return self.tile(option.tile, option.area, option.target)
            case act.Covert():
                return self.raid(option.token, option.area, option.target)
            case act.Ally():
                return self.alliance(option.place) - self.price(s.cost_of(option.place).gold)
            case act.Use():
                return self.use(option)
            case act.Mend():
                saved = self.dead if s.parts.far_lands_die and self._sinking else 0.0
                return saved + (self.weights.unit if option.to == "ok" else 0.0) - self.price(option.gold)
            case act.Pass() | act.End():
                relief = s.options.turn.pass_relief * s.parts.numbers.pass_unrest_relief
                return self.weights.unrest * relief * (s.turn.actions / 2) if s.unrest[self.power] else 0.0
            case act.Decline():
                return NOISE
        return -self.weights.unit                           # destroying one's own units is for the desperate

    @property
    def _sinking(self) -> bool:
        face = next((face for face in self.s.parts.far_lands_die if face.id == self.s.turn.failed), None)
        return face is not None and face.result == "lost"

    def attack(self, order: act.Attack) -> float:
        s = self.s
        win, hurt, helpers = self.expected_odds(order)
        marker = s.face(order.area, order.target)
        if marker is not None:
            prize = self.prize(order.area) + marker.vp + self.coin * marker.gold
        elif order.target in TOKENS:
            prize = self.prize(order.area)
        else:
            prize = self.prize(order.area, order.target) if order.area in s.markers[order.target] else self.weights.unit / 2
            prize += self.weights.unit / 2 if order.target in s.powers else 0.0
        cost = 0.0 if order.war_office else self.attacking
        surprised = (0.3 if helpers else -0.3) if order.surprise else 0.0
        return win * prize - hurt * self.dead - cost + surprised

    def expected_odds(self, order: act.Attack) -> tuple[float, float, bool]:
        """(chance to win, chance to lose a unit, whether somebody could help the defender)."""
        found = self._attacks.get((order.area, order.target))
        if found is None:
            declared = self.s.model_copy(update={"turn": self.s.turn.model_copy()})
            order.declared(self.s, self.power).apply(declared)
            for sent in automatic_help(declared):
                sent.apply(declared)
            result = odds.expected(declared)
            helpers = order.target in self.s.powers and bool(declared.able_helpers(order.target))
            found = self._attacks[order.area, order.target] = float(result.win), float(result.hurt), helpers
        return found

    def raid(self, token: str, area: str, target: str) -> float:
        """Return what Pirates or a Slave Revolt are worth: a rival's marker gone."""
        mine, rivals = self._counts[area]
        own, harm = rival_lost(self.s.parts.area[area].vp, mine, rivals, self._index[target])
        gain = own + self.weights.harm * harm
        if gain <= NOISE:
            return 0.0
        begun = self.s.model_copy(update={"turn": self.s.turn.model_copy()})
        RaidBegun(sender=self.power, token=token, target=target, area=area,
                  strength=self.s.token_strength(token)).apply(begun)
        return float(odds.fight(begun, odds.battle_of(begun).stage).win) * gain

    def alliance(self, id: str) -> float:
        held = self.s.alliance(id)
        worth = 0.0
        for area in held.areas:
            armies = self.s.count(self.power, "army", area)
            if held.helps_on_land and (armies or area in self.s.markers[self.power]):
                worth += self.weights.step * (self.land(area, armies + held.bonus) - self.land(area, armies))
        return worth - NOISE

    # -- tiles

    def tile(self, id: str, area: str = "", target: str = "") -> float:
        tile, cost = self.s.parts.tile[id], self.s.cost_of(id)
        worth = self.raid(id, area, target) if id in TOKENS else self.use_of(tile)
        return worth - self.price(cost.gold) - self.man * cost.population - (self.toll(cost.unrest) if cost.unrest else 0.0)

    def use_of(self, tile: Tile) -> float:
        s, turns, wars = self.s, self.turns_left, 1 + self.wars_left
        owned = s.owned(self.power, tile.id)
        if tile.kind == "alliance":
            return self.alliance(tile.id)
        most = max((s.owned(foe, tile.id) for foe in self.foes if foe in s.powers), default=0)
        leads = owned <= most < owned + 1
        worth = {
            "training_land": 0.3 * turns if leads else 0.05 * turns,
            "training_sea": 0.05 * turns if leads else 0.02 * turns,
            "reroll_both": 0.6 * wars, "free_attack": 1.1 * wars, "free_build_army": 0.9 * wars, "free_build_navy": 0.5 * wars,
            "build_army_in_colony": 0.7 * wars if s.markers[self.power].keys() & {*s.parts.colonies} else 0.0,
            "extra_build": 0.12 * turns, "extra_move": 0.06 * turns, "tax_three": 0.1 * turns, "sea_check_plus_two": 0.03 * turns,
            "free_alliance": 0.4 * wars, "population_plus_one": 0.7 * self.wars_left,
            "lose_two_unrest": -self.toll(-min(2.0, s.unrest[self.power])),
            "gain_three_vp": 3.0, "no_defender_losses": 0.4, "no_defender_helpers": 0.35,
            "blockade": 0.3 if s.units[self.power]["navy"] else 0.0,
            "company_income": self._income(tile),
        }.get(tile.effect, 0.0)
        again = tile.effect in ("training_land", "training_sea", "tax_three", "sea_check_plus_two")
        return worth * (0.3 if again and owned and not leads else 0.7 ** owned)

    def _income(self, tile: Tile) -> float:
        """Return what a company will bring in all wars, as things stand."""
        return act.company_gold(self.s, self.power, tile) * (self.coin + self.weights.income * self.wars_left)

    def use(self, option: act.Use) -> float:
        """Return what a free tile is worth now: what costs nothing is done."""
        s = self.s
        tile = s.parts.tile[option.tile]
        match tile.effect:
            case "company_income":
                return RUIN + act.company_gold(s, self.power, tile)
            case "free_alliance":
                return self.alliance(option.on) - self.price(s.cost_of(option.on).gold) + NOISE
            case "free_build_army" | "build_army_in_colony":
                return self.built("army", option.on)
            case "free_build_navy":
                return self.built("navy", option.on)
            case "blockade":
                return NOISE * s.count(self.power, "navy", option.on)
        return 0.0

    # -- the auction, and help

    def auction(self, least: int) -> Callable[[Action], float]:
        """A bid is worth what its proposal is better than the standing one, and what it costs."""
        standing = self.s.standing
        now = self.proposal(standing.a, standing.b) if standing else 0.0

        def worth(option: Action) -> float:
            if not isinstance(option, act.Bid):
                return 2 * NOISE
            if option.gold > max(least, 0) or (standing and option.gold > self.weights.most_bid):
                return -RUIN
            return self.proposal(option.a, option.b) - now - self.price(option.gold)
        return worth

    def proposal(self, a: str, b: str) -> float:
        """How good it is for this power that these two come into the rows."""
        if self.power in (*self.s.row_a, a):
            return self.liked.get(b, 0.0) - self.liked.get(a, 0.0)
        if self.power in (*self.s.row_b, b):
            return self.liked.get(a, 0.0) - self.liked.get(b, 0.0)
        return 0.0

    @cached_property
    def liked(self) -> dict[str, float]:
        """Each other power as an enemy: what can be taken from it, less what it can take."""
        s, found = self.s, dict[str, float]()
        for other in self.others:
            can_take = [max(0.0, self.stake(s.count(self.power, "army", area) - self.walls(other, area), self.prize(area, other)))
                        for area in s.markers[other] if s.count(self.power, "army", area)]
            can_lose = [self.loss(area) * self.chance(s.count(other, "army", area) - self.walls(self.power, area))
                        for area in s.markers[self.power] if s.count(other, "army", area) and other in s.powers]
            found[other] = sum(can_take) - self.weights.besieged * sum(can_lose)
        return found

    def help(self, rng: Rng) -> Callable[[Action], float]:
        """All armies and navies, now and then, if they make a difference; else nothing."""
        s, battle = self.s, odds.battle_of(self.s)
        attacking = battle.attacker in s.allies(self.power)
        stage = "sea" if battle.naval_only else "land"
        lead = s.strength(battle.attacker, stage) - s.strength(battle.defender, stage)
        lead = lead if attacking else -lead
        kind = rng.random() < self.weights.kindness

        def worth(option: Action) -> float:
            if not isinstance(option, act.Commit):
                return 0.0
            sent = option.navies if battle.naval_only else option.armies
            better = self.chance(lead + sent) - self.chance(lead)
            useful = kind and better >= self.weights.helpful and self.toll(1) < RUIN
            return better + 0.01 * option.navies if useful else -float(option.armies + option.navies)
        return worth


@lru_cache(maxsize=1024)
def quick(lead: int, seven: int) -> tuple[float, float]:
    """(chance to win, chance to lose a unit) of a fight with this lead."""
    found = odds.by_lead(lead, seven)
    return float(found.win), float(found.hurt)
