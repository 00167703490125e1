"""How games of Attack! are judged: wins by seat, length, odds of attacks, the worth of a card; and values to be moved."""
from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Any, TypeAlias

from bench.policy import solid
from bench.study import Figures, Move, Section, Study
from engine.games.attack import GAME
from engine.games.attack.rules.battle import BattleRolled
from engine.games.attack.rules.cards import CardDrawn
from engine.games.attack.rules.combat import AttackFailed, BattleBegun, SpoilsTaken, TerritoryCaptured
from engine.games.attack.rules.diplomacy import DiplomacyTried, TerritoryWon
from engine.games.attack.rules.ending import PlayerOut
from engine.games.attack.rules.production import PointsCounted, PurchaseMade, cost
from engine.games.attack.rules.setup import StartFound
from engine.games.attack.rules.turns import ActionSpent, TurnBegun, TurnEnded
from engine.games.attack.state import NEUTRAL, State
from engine.kernel import CHANCE, Event, Table

SECTIONS = (
    Section("Seats at the table", ("territories at", "wins at"), by_name=True),
    Section("Places in the turn order", ("territories in place", "wins in place"), by_name=True),
    Section("Attacks", ("attacks on", "won against", "points lost by the attacker against", "points lost to win against"),
            by_name=True),
    Section("Cards", ("cards",)),
    Section("Production points", ("production",)),
    Section("Diplomacy", ("diplomacy",)),
    Section("Actions of a player", ("actions",), by_name=True),
    Section("The game", ("game",)),
)


def figures(table: Table) -> Figures:
    """All figures of a finished game."""
    s: State = table.state
    facts = [*table.opening, *(event for entry in table.fresh for event in entry.events)]
    return {**of_winners(s, facts), **of_attacks(s, facts), **of_cards(s, facts), **of_diplomacy(s, facts),
            **of_actions(s, facts), **of_length(s, facts), "game: rows": len(table.fresh),
            "game: decisions": sum(entry.seat != CHANCE for entry in table.fresh)}


def of_winners(s: State, facts: Sequence[Event]) -> Figures:
    """Who won: a shared victory counts in parts."""
    first = next(fact.index for fact in facts if isinstance(fact, StartFound))
    found: dict[str, float] = {}
    for index, power in enumerate(s.powers):
        won = (power in s.winners) / max(1, len(s.winners))
        land = len(s.territories(power))
        place = f"place {(index - first) % len(s.powers) + 1}"
        seat = s.seat(power).replace("_", " ")
        found |= {f"territories at: {seat}": land, f"wins at: {seat}": won,
                  f"territories in place: {place}": land, f"wins in place: {place}": won}
    return found


def of_attacks(s: State, facts: Sequence[Event]) -> Figures:
    """What attacks on neutrals, by the weight of their card, and on rivals cost in production points, and how often they win."""
    begun, won = Counter[str](), Counter[str]()
    lost, spent = defaultdict[str, list[int]](list), defaultdict[str, list[int]](list)
    foe = attacker = ""
    losses = 0
    for fact in facts:
        match fact:
            case BattleBegun():
                foe = "rivals" if fact.defender != NEUTRAL else "an empty deck"
                if fact.card:
                    foe = f"weight {s.parts.card[fact.card].weight}"
                attacker, losses = fact.attacker, 0
                begun[foe] += 1
            case BattleRolled() if fact.foe == attacker:
                losses += sum(number * cost(s.parts, unit) for unit, number in fact.losses.items())
            case TerritoryCaptured():
                won[foe] += 1
                lost[foe].append(losses)
                spent[foe].append(losses)
            case AttackFailed():
                lost[foe].append(losses)
    found: dict[str, float] = {}
    for foe, number in begun.items():
        found |= {f"attacks on: {foe}": number / len(s.powers), f"won against: {foe}": won[foe] / number}
        if lost[foe]:
            found[f"points lost by the attacker against: {foe}"] = fmean(lost[foe])
        if spent[foe]:
            found[f"points lost to win against: {foe}"] = fmean(spent[foe])
    return found


def of_cards(s: State, facts: Sequence[Event]) -> Figures:
    """Where cards come from and what they bring; how many more the winners hold than the others."""
    held = {power: len(s.hands[power]) for power in s.powers}
    others = [held[power] for power in s.powers if power not in s.winners]
    weights = [s.parts.card[card].weight for hand in s.hands.values() for card in hand]
    points = [fact.points for fact in facts if isinstance(fact, PointsCounted)]
    bought = Counter[str]()
    for fact in facts:
        if isinstance(fact, PurchaseMade):
            bought.update(fact.bought)
    players = len(s.powers)
    found = {
        "cards: held at the end": fmean(held.values()), "cards: weight of one": fmean(weights) if weights else 0,
        "cards: won from neutrals": sum(bool(fact.card) for fact in facts if isinstance(fact, TerritoryCaptured)) / players,
        "cards: drawn by diplomacy": sum(isinstance(fact, CardDrawn) for fact in facts) / players,
        "cards: taken from rivals": sum(isinstance(fact, SpoilsTaken) for fact in facts) / players}
    if others:
        found["cards: more in the hands of winners"] = fmean(held[power] for power in s.winners) - fmean(others)
    if points:
        found |= {"production: points at a time": fmean(points), "production: points the first time": points[0],
                  "production: points the last time": points[-1]}
    return found | {f"production: {kind} bought": number / players for kind, number in bought.items()}


def of_diplomacy(s: State, facts: Sequence[Event]) -> Figures:
    """Who gets what is negotiated for."""
    tried = mine = theirs = 0
    by = ""
    for fact in facts:
        match fact:
            case DiplomacyTried():
                tried, by = tried + 1, fact.power
            case TerritoryWon():
                mine, theirs = mine + (fact.power == by), theirs + (fact.power != by)
    if not tried:
        return {}
    return {"diplomacy: attempts of a player": tried / len(s.powers), "diplomacy: won by who tried": mine / tried,
            "diplomacy: won by a rival": theirs / tried}


def of_actions(s: State, facts: Sequence[Event]) -> Figures:
    spent = Counter(fact.action for fact in facts if isinstance(fact, ActionSpent))
    return {f"actions: {action}": number / len(s.powers) for action, number in spent.items()}


def of_length(s: State, facts: Sequence[Event]) -> Figures:
    """How long a game is, how it ends and how close it is."""
    land = sorted((len(s.territories(power)) for power in s.powers), reverse=True)
    return {"game: rounds": s.round, "game: turns": sum(isinstance(fact, TurnBegun) for fact in facts),
            "game: turns with actions left": sum(fact.unused > 0 for fact in facts if isinstance(fact, TurnEnded)),
            "game: ended by elimination": any(isinstance(fact, PlayerOut) for fact in facts),
            "game: victory shared": len(s.winners) > 1, "game: territories of the best": land[0],
            "game: lead of the best": land[0] - land[1], "game: territories still neutral": sum(1 for _ in s.neutral())}


# --- what is moved ----------------------------------------------------------------------------------------

Raw: TypeAlias = Mapping[str, Any]


def moves(edition: str) -> Sequence[Move]:
    """The house values of the deck: how strong the defenders are, and how much a card is worth."""
    return (
        Move("neutral territories have one infantry more", cards(lambda card: _defended(card, 1))),
        Move("neutral territories have one infantry less", cards(lambda card: _defended(card, -1))),
        Move("every card weighs one more", cards(lambda card: {"weight": card["weight"] + 1})),
        Move("every card weighs 2", cards(lambda card: {"weight": 2})),
    )


def cards(change: Callable[[Raw], Raw]) -> Callable[[Raw], Raw]:
    """Change every card of the deck."""
    return lambda raw: {"cards": [{"id": card["id"], **change(card)} for card in raw["cards"]]}


def _defended(card: Raw, more: int) -> Raw:
    force = card["neutral_defenders"]
    return {"neutral_defenders": {**force, "infantry": max(0 if sum(force.values()) > force["infantry"] else 1,
                                                           force["infantry"] + more)}}


STUDY = Study(solid(GAME), figures, SECTIONS, moves)
