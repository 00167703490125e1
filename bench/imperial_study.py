"""How games of Imperial Struggle are judged: who wins and how, where points come from, wars, cards; and values to be moved."""
from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, get_args

from bench.policy import solid
from bench.study import Figures, Move, Section, Study
from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.events.cards import EventPlayed, MinistriesChosen, MinistryRevealed
from engine.games.imperial_struggle.events.money import Scored
from engine.games.imperial_struggle.events.points import DebtTaken, PurchaseMade, TreatyPointsSpent
from engine.games.imperial_struggle.events.turns import (
    AwardWon,
    Compared,
    GameEnded,
    RoundBegun,
    RoundPassed,
    StepBegun,
    TileTaken,
)
from engine.games.imperial_struggle.events.wars import TheaterSettled
from engine.games.imperial_struggle.state import State
from engine.kernel import CHANCE, Event, Table

SIDES: tuple[Side, ...] = "britain", "france"
OF_SIDES = (*SIDES, "nobody")
WAYS: tuple[str, ...] = get_args(GameEnded.model_fields["by"].annotation)       # in which a game can end

SECTIONS = (
    Section("Sides", ("wins", "points", "debt taken", "treaty points spent", "rounds passed"), by_name=True),
    Section("Seats at the table", ("wins at",), by_name=True),
    Section("How games end", ("ended by",), by_name=True),
    Section("Where the points counter stands after each step", ("counter after",)),
    Section("Where points come from", ("points of britain by", "points of france by"), by_name=True),
    Section("Awards and demand", ("won by britain", "won by france", "won by nobody")),
    Section("Theaters", ("theater to britain", "theater to france", "theater to nobody", "margin in"), by_name=True),
    Section("Events", ("played", "with its bonus"), by_name=True),
    Section("Ministries", ("chosen", "turned up", "wins with"), by_name=True),
    Section("Investment tiles", ("taken", "taken first"), by_name=True),
    Section("What is bought by a side", ("bought", "points paid for one"), by_name=True),
    Section("The game", ("game",)),
)


def figures(table: Table) -> Figures:
    """All figures of a finished game."""
    s: State = table.state
    facts = [*table.opening, *(event for entry in table.fresh for event in entry.events)]
    return {**of_winners(s, facts), **of_points(s, facts), **of_scoring(facts), **of_theaters(facts), **of_cards(s, facts),
            **of_tiles(s, facts), **of_purchases(facts), "game: rounds": sum(isinstance(fact, RoundBegun) for fact in facts),
            "game: steps of the turn track": len({fact.step for fact in facts if isinstance(fact, StepBegun)}) + 1,
            "game: rows": len(table.fresh), "game: decisions": sum(entry.seat != CHANCE for entry in table.fresh)}


def of_winners(s: State, facts: Sequence[Event]) -> Figures:
    """Who won, and in which way."""
    found = {f"wins: {side}": float(side == s.winner) for side in SIDES}
    found |= {f"wins at: {seat.replace('_', ' ')}": float(side == s.winner) for seat, side in zip(s.seats, s.sides)}
    ended = {fact.by for fact in facts if isinstance(fact, GameEnded)}
    return found | {f"ended by: {way.replace('_', ' ')}": float(way in ended) for way in WAYS}


def of_points(s: State, facts: Sequence[Event]) -> Figures:
    """Points by where they come from, and where the counter stood at the end of each step of the turn track."""
    counter, step = s.parts.start.vp_start, s.parts.turn_track[0].id
    points: dict[str, Counter[str]] = {side: Counter() for side in SIDES}
    debts, spent, passed = Counter[str](), Counter[str](), Counter[str]()
    found: dict[str, float] = {}
    for fact in facts:
        match fact:
            case Scored():
                points[fact.side][fact.source] += fact.vp
                counter += s.toward(fact.side, fact.vp)
            case DebtTaken():
                debts[fact.side] += fact.amount
            case TreatyPointsSpent():
                spent[fact.side] += fact.amount
            case RoundPassed():
                passed[fact.side] += 1
            case StepBegun():
                found[f"counter after: {step}"] = counter
                step = s.parts.turn_track[fact.step].id
    found[f"counter after: {step}"] = counter
    for side in SIDES:
        found |= {f"points: {side}": points[side].total(), f"debt taken: {side}": debts[side],
                  f"treaty points spent: {side}": spent[side], f"rounds passed: {side}": passed[side]}
        found |= {f"points of {side} by: {source}": vp for source, vp in points[side].items()}
    return found


def of_scoring(facts: Sequence[Event]) -> Figures:
    """Who wins the award of each region, Prestige and each good, as shares of the times it was scored."""
    winners = defaultdict[str, list[str]](list)
    for fact in facts:
        match fact:
            case AwardWon():
                winners[fact.region].append(fact.winner or "nobody")
            case Compared():
                winners[fact.what].append(fact.winner or "nobody")
    return {f"won by {side}: {what}": each.count(side) / len(each) for what, each in winners.items() for side in OF_SIDES}


def of_theaters(facts: Sequence[Event]) -> Figures:
    """Who wins each theater that was fought, and by how much."""
    found: dict[str, float] = {}
    for fact in facts:
        if isinstance(fact, TheaterSettled):
            found |= {f"theater to {side}: {fact.theater}": float(side == (fact.winner or "nobody")) for side in OF_SIDES}
            if fact.winner:
                found[f"margin in: {fact.theater}"] = fact.margin
    return found


def of_cards(s: State, facts: Sequence[Event]) -> Figures:
    """Events played, and ministries chosen, turned up, and held by the winner."""
    events, ministries = ({card.id: card.name for card in cards} for cards in (s.parts.events, s.parts.ministries))
    found: dict[str, float] = {f"{what}: {name}": 0.0 for name in events.values() for what in ("played", "with its bonus")}
    found |= {f"{what}: {name}": 0.0 for name in ministries.values() for what in ("chosen", "turned up")}
    for fact in facts:
        match fact:
            case EventPlayed():
                found |= {f"played: {events[fact.card]}": 1.0, f"with its bonus: {events[fact.card]}": float(fact.bonus)}
            case MinistriesChosen():
                names = [ministries[minister.card] for minister in fact.ministers]
                found |= {f"chosen: {name}": 1.0 for name in names}
                found |= {f"wins with: {name}": float(fact.side == s.winner) for name in names}
            case MinistryRevealed():
                found[f"turned up: {ministries[fact.card]}"] = 1.0
    return found


def of_tiles(s: State, facts: Sequence[Event]) -> Figures:
    """How often an investment tile of a kind is taken in a game, and how often before the other eight."""
    taken, first = Counter[str](), Counter[str]()
    begun = True
    for fact in facts:
        match fact:
            case StepBegun():
                begun = True
            case TileTaken():
                tile = s.parts.investment[fact.tile]
                name = f"{tile.major.ap} {tile.major.points}, {tile.minor.ap} {tile.minor.points}" + (
                    ", event" if tile.event else "") + (", upgrade" if tile.military_upgrade else "")
                taken[name] += 1
                first[name] += begun
                begun = False
    return {f"{what}: {tile}": each[tile] for tile in taken for what, each in (("taken", taken), ("taken first", first))}


def of_purchases(facts: Sequence[Event]) -> Figures:
    """What a side buys in a game, and what it pays."""
    prices = defaultdict[str, list[int]](list)
    for fact in facts:
        if isinstance(fact, PurchaseMade):
            prices[fact.what].append(fact.price.total)
    found = {f"bought: {what}": len(paid) / len(SIDES) for what, paid in prices.items()}
    return found | {f"points paid for one: {what}": fmean(paid) for what, paid in prices.items()}


# --- what is moved ----------------------------------------------------------------------------------------

def moves(edition: str) -> Sequence[Move]:
    """No value of this game is ours; these are what a group could move that finds one side too strong."""
    def start(**values: Any) -> Move:
        name = ", ".join(f"{field.replace('_', ' ')} {value}" for field, value in values.items())
        return Move(name, lambda raw: {"start": values})

    return (start(vp_start=13), start(vp_start=17), start(initiative_start="britain"),
            Move("every award is worth one point more", _awards))


def _awards(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"award_tiles": [{"id": tile["id"], "vp": tile["vp"] + 1} for tile in raw["award_tiles"]]}


STUDY = Study(solid(GAME), figures, SECTIONS, moves)
