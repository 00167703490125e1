"""Hints for Imperial Struggle: what an answer changes on the board and what it costs, in words, by the judgement of the automatic
player."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce

from engine.games.imperial_struggle.actions.advantages import SendHome, UseAdvantage
from engine.games.imperial_struggle.actions.buying import Buying
from engine.games.imperial_struggle.actions.cards import PlayEvent
from engine.games.imperial_struggle.actions.choices import Choose
from engine.games.imperial_struggle.actions.military import BuildSquadron, BuyTile, ClearConflict, Deploy, Fortify
from engine.games.imperial_struggle.actions.ministries import RaiseUprising, Reveal, UseAbility
from engine.games.imperial_struggle.actions.rounds import EndRound, Pass, TakeTile
from engine.games.imperial_struggle.actions.shifts import DrawEvent, ShiftMarket, ShiftPolitical
from engine.games.imperial_struggle.actions.tiles import TakeTreatyPoint, Upgrade
from engine.games.imperial_struggle.actions.turns import Appoint, Bid, Discard, NameFirst, Yield
from engine.games.imperial_struggle.actions.wars import Conquer, Refuse, TakeOff, refusal_price
from engine.games.imperial_struggle.components import REGIONS, foe
from engine.games.imperial_struggle.components.effects import Keyword
from engine.games.imperial_struggle.judgement import GOODS, cleared, deployed, flagged, fortified, marked
from engine.games.imperial_struggle.player import BUILT, ENOUGH, EVENT, NEVER, TILE, Mind, considered
from engine.games.imperial_struggle.rules.ministries import uprising_vp
from engine.games.imperial_struggle.rules.ministry_effects import free_debt
from engine.games.imperial_struggle.state import JACOBITES, State
from engine.games.imperial_struggle.words.short import ABILITIES
from engine.games.imperial_struggle.worth_of_cards import ability_worth
from engine.kernel import Action, Coach, Position, Rng
from engine.text import Text, count, text
from engine.text.amounts import LITTLE, points

CLOSE = 1.5             # of the player's measure by which an answer may look worse than the best and still be told
TOLD = 3                # changes of the board that are told of one answer
STRONGER = 0.4          # strength in a theater from which a change is told
IDLE = (EndRound, Pass)
WARES = {TILE: text("a bonus tile"), EVENT: text("an event"), BUILT: text("a squadron")}


def thought_of(position: Position[State], rng: Rng) -> Mapping[Action, float]:
    """What each answer is worth, as the player thinks; to end the round if nothing is better."""
    found = considered(position, rng) if position.state.own else {}
    idle: dict[Action, float] = {option: worth for option, worth in found.items() if isinstance(option, IDLE)}
    least = max(idle.values(), default=NEVER)
    return ({option: worth for option, worth in found.items() if worth > least}
            or {option: worth for option, worth in idle.items() if worth == least} or found)


def reasons(position: Position[State], option: Action) -> Sequence[Text]:
    s = position.state
    if not s.own:
        return [*_setting_up(s, option)]
    mind = Mind(s, s.power(position.seat), position.options)
    after = _after(mind, option)
    changes = [*_changes(mind, after)][:TOLD] if after is not None else []
    if after is not None and not changes:
        changes = [text("It decides nothing yet, but counts in the scorings to come.")]
    if isinstance(option, EndRound) and not any(isinstance(one, Buying) and (mind.worth(one) or 0) > ENOUGH / 4
                                                for one in position.options):
        return [text("Nothing your remaining points could buy is worth it now.")]
    return [*changes, *_besides(mind, option), *_costs(mind, option)]


def _setting_up(s: State, option: Action) -> Iterator[Text]:
    match option:
        case Bid():
            yield text("You'd play {side}, and the other player would start with {trp} TRP.", side=option.side, trp=option.trp)
        case Yield():
            yield text("You start with {trp} TRP.", trp=s.bid)


def _after(mind: Mind, option: Action) -> State | None:
    """The board as it would be; None if an answer changes something else."""
    s, side = mind.s, mind.side
    match option:
        case ShiftMarket() | ShiftPolitical():
            return flagged(s, option.space, "" if s.flags.get(option.space) else side)
        case BuyTile():
            return mind.with_tile(s, mind.best_theater())
        case Deploy():
            return deployed(s, side, option.origin, option.to)
        case Fortify():
            return fortified(s, side, option.space)
        case ClearConflict():
            return cleared(s, option.space)
        case SendHome():
            return flagged(s, option.space, "")
        case Conquer():
            return flagged(s, option.space, side)
        case TakeOff():
            return flagged(s, option.space, "")
        case Choose():
            return mind.choosing(option.target)
        case UseAdvantage():
            return marked(s, option.target) if option.target else None
    return None


def _changes(mind: Mind, after: State) -> Iterator[Text]:
    """Yield what another position changes for a side: awards, demand, prestige, advantages, the next war."""
    s, better, worse = mind.s, list[Text](), list[Text]()
    before, now = mind.leads(s)[0], mind.leads(after)[0]

    def tell(place: int, ahead: Text) -> None:
        if now[place] > before[place]:
            better.append(ahead)
        elif now[place] < before[place]:
            worse.append(text("But you'd be no more than {lead} in {where}.", lead=_lead(now[place]), where=ahead.facts["where"]))

    for place, region in enumerate(REGIONS):
        if mind.this_turn and region in s.awards:
            tell(place, text("You'd be {lead} in {where:the}, whose award is {award}.", where=region, lead=_lead(now[place]),
                             award=s.awards[region]))
        else:
            tell(place, text("You'd be {lead} in {where}.", where=region, lead=_lead(now[place])))
    for place, good in enumerate(s.parts.global_demand, GOODS):
        if mind.this_turn and good.commodity in s.demand:
            tell(place, text("You'd be {lead} in {where}, which is in demand.", where=good.commodity, lead=_lead(now[place])))
    tell(mind.prestige, text("You'd be {lead} in {where}.", where=text("Prestige"), lead=_lead(now[mind.prestige])))
    yield from better
    for advantage in s.parts.advantage:
        had, has = s.holders.get(advantage), after.holders.get(advantage)
        if has == mind.side != had:
            yield text("You'd gain {advantage:the}.", advantage=advantage)
        elif had == foe(mind.side) != has:
            yield text("{foe} would lose {advantage}.", foe=foe(mind.side), advantage=advantage)
    yield from _theaters(mind, after)
    yield from worse


def _theaters(mind: Mind, after: State) -> Iterator[Text]:
    """Where another position makes a side stronger in the next war."""
    before, now = mind.ahead(mind.s), mind.ahead(after)
    for theater in now:
        if now[theater] - before[theater] >= STRONGER:
            yield text("You'd be stronger in {theater:the}.", theater=theater)


def _lead(ahead: int) -> Text:
    """By how much a side is ahead: "2 ahead", "level", "1 behind"."""
    if not ahead:
        return text("level")
    return text("{n} ahead", n=ahead) if ahead > 0 else text("{n} behind", n=-ahead)


def _besides(mind: Mind, option: Action) -> Iterator[Text]:
    """Yield what an answer brings that the board does not show."""
    s = mind.s
    match option:
        case TakeTile():
            yield from _tile(mind, option.tile)
        case PlayEvent():
            if (brought := option.meets(s, s.seat(mind.side))) is not None:
                yield text("It brings this: {brought}.", brought=brought)
            yield text("An event costs no points, and can't be played after a purchase.")
        case UseAbility():
            if s.parts.ability[option.ability].limit == "once_per_turn":
                yield text("It costs no points, and works once in a turn.")
        case UseAdvantage() if not option.target:
            yield text("It lowers your debt by {n}.", n=min(2, mind.own.debt))
        case UseAdvantage() if s.flags.get(option.target) == foe(mind.side):
            yield text("With the marker the flag there is cheaper to take off.")
        case DrawEvent():
            yield text("You can play the event for free with a later tile that fits.")
        case BuildSquadron():
            yield text("A squadron can be deployed later where a theater or an advantage needs it.")
        case RaiseUprising():
            yield text("It brings {vp} VP at once.", vp=uprising_vp(s))
        case Upgrade():
            yield text("You draw a tile, and keep it or the one that is there.")
        case TakeTreatyPoint():
            yield text("A treaty point pays for an action point later, without debt.")
        case Choose() if (tile := s.parts.war_tile.get(option.target)) is not None:
            yield text("Its strength is {n}, and it has an icon.", n=tile.strength) if tile.icon else text(
                "Its strength is {n}, and it has no icon.", n=tile.strength)
        case Refuse():
            yield text("You keep the territory, and lose {vp} VP.", vp=refusal_price(s, mind.side))
        case Pass():
            yield text("It lowers your debt by {n}.", n=min(2, mind.own.debt))
        case _:
            yield from _of_cards(mind, option)


def _of_cards(mind: Mind, option: Action) -> Iterator[Text]:
    """Yield what ministries and events bring that are laid, kept or turned up, and what it means to go first."""
    match option:
        case Appoint():
            for card in (*option.cards, *([JACOBITES] if option.third else [])):
                yield from _ministry(mind, card)
        case Discard():
            yield text("You keep {cards}.", cards=tuple(card for card in mind.own.hand if card not in option.cards))
            for minister in mind.own.ministries:
                for bonus in _bonuses(mind, minister.card, [card for card in mind.own.hand if card not in option.cards]):
                    yield text("{card} brings {bonus}.", card=minister.card, bonus=bonus)
        case NameFirst():
            yield text("You take the first of the nine tiles, and the other side has the last round of the turn.") if (
                option.side == mind.side) else text("You have the last round of the turn, and the other side the first tile.")
        case Reveal():
            yield from _ministry(mind, option.card)
            yield text("Face up, it works for you until the era ends, but your opponent sees it.")


def _ministry(mind: Mind, card: str) -> Iterator[Text]:
    """Yield what a ministry does for a side: its best ability, bonuses of events in hand, theaters of the next war."""
    s, ministry = mind.s, mind.s.parts.ministry[card]
    best = max(ministry.abilities, key=lambda ability: ability_worth(s, mind.side, ability), default=None)
    does = [ABILITIES[best.id]] if best is not None and best.id in ABILITIES else []
    does += _bonuses(mind, card, mind.own.hand)
    stronger = tuple(theater.id for theater in (mind.war.theaters if mind.war is not None else ()) if any(
        listed.kind == "keyword" and listed.keyword in ministry.keywords for listed in theater.bonus_strength))
    if stronger:
        does.append(text("stronger in {theaters:the}", theaters=stronger))
    if does:
        first, *others = does
        yield text("{card}: {what}.", card=card, what=reduce(lambda told, more: text("{told}; {more}", told=told, more=more),
                                                             others, first))


def _bonuses(mind: Mind, card: str, hand: Iterable[str]) -> list[Text]:
    """Return which of these events a ministry brings the bonus of."""
    keywords = mind.s.parts.ministry[card].keywords
    events = [event for event in hand if isinstance(wanted := mind.s.parts.event[event].bonus_condition, Keyword)
              and wanted.keyword in keywords]
    return [text("the bonus of {events}", events=tuple(events))] if events else []


def _tile(mind: Mind, id: str) -> Iterator[Text]:
    tile = mind.s.parts.investment[id]
    for part, minor in ((tile.major, False), (tile.minor, True)):
        bought, worth = mind.filling(part.ap, part.points, minor=minor)
        if bought:
            yield text("Its {n} {kind} can buy {bought:the}, worth {worth} to you.", n=part.points, kind=part.ap,
                       bought=tuple([WARES.get(ware, ware) for ware in bought]), worth=points(worth))
    if tile.event and (event := mind.best_event(tile.major.kind)) is not None:
        yield text("It lets you play {event}.", event=event)
    if tile.military_upgrade:
        yield text("It also upgrades a war tile.")


def _costs(mind: Mind, option: Action) -> Iterator[Text]:
    """Yield what a purchase brings net of its price, and what it takes beside the points of the tile."""
    if not isinstance(option, Buying):
        return
    if (net := mind.net(option)) >= LITTLE:
        yield text("All in all it's worth {points} more than it costs.", points=points(net))
    if debt := max(0, option.debt - free_debt(mind.s, mind.side, option.points)):
        yield text("It adds {debt}; you can still take {left} more.", debt=count(debt, "{n} debt", "{n} debt"),
                   left=max(0, mind.own.available - debt))
    if option.trp:
        yield count(option.trp, "It spends {n} treaty point.", "It spends {n} treaty points.")
    if isinstance(option, (ShiftMarket, ShiftPolitical)) and option.advantage:
        yield text("It uses up an advantage for this turn.")


COACH = Coach[State](considered=thought_of, reasons=reasons, close=CLOSE)
