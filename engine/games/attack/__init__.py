"""Attack!: the game as the catalogue knows it.

A file for each chapter holds its facts, its answers and its scripts: `setup` (3), `turns` and `course` (4), `moves` (5, 6, 10,
11), `combat` (5.2, 8, 9), `battle` (7), `naval` (12, 13), `diplomacy` (14), `cards` (15, 16), `trade` (17), `production` (18),
`ending` (19), `view` (20). `events` and `actions` list them all. What pictures show is in `scenes` and `shown`.
"""
from __future__ import annotations

from dataclasses import replace

from engine.components import once
from engine.datetimes import named
from engine.games.attack import actions, events, player
from engine.games.attack.caretaker import caretaker
from engine.games.attack.chronicle import COURSE
from engine.games.attack.coach import COACH
from engine.games.attack.components import Parts, parts
from engine.games.attack.lesson import FIRST_CAMPAIGN
from engine.games.attack.options import BASE, CHOICES, MESSAGE, options
from engine.games.attack.orders.decision_points import ORDERING
from engine.games.attack.pictures.alt_text import board, describe
from engine.games.attack.pictures.build_scenes import PICTURES, numbers
from engine.games.attack.rules import combat, crossings, ending, movement, setup, trade, turns
from engine.games.attack.rules.cards import hand_told
from engine.games.attack.rules.production import cost
from engine.games.attack.rules.trade import open_deal
from engine.games.attack.rules.turn_flow import turn
from engine.games.attack.state import ACTIONS, NEUTRAL, PRODUCTION, RULES_VERSION, State
from engine.games.attack.strong import strong
from engine.games.attack.tips import TIPS
from engine.games.attack.view import view
from engine.games.attack.words import lookup
from engine.games.attack.words.menus import MENUS
from engine.games.attack.words.nouns import many_cards, points, units
from engine.games.attack.words.options import SUBJECTS
from engine.games.attack.words.provenance import ORIGINS
from engine.games.attack.words.signs import signs
from engine.games.attack.words.summaries import summary
from engine.kernel import Action, Edition, GameSpec, Seat
from engine.kernel.game_spec import Outside, Rules, Views, Words
from engine.text import Text, count, text

WORDS = {"land": "by land", "water": "by sea", "ask": "ask me", "on": "fly on", "back": "go back",
         "blank": "blank", "rest": "the rest", crossings.EVERY: "every crossing",
         crossings.ON_MINE: "what ends on your territories (the rest may cross)", NEUTRAL: "the neutral force",
         setup.RANDOM: "a random territory", ending.Propose.verb: "propose the end", turns.Begin.verb: "take an action",
         turns.End.verb: "end the turn", trade.Offer.verb: "offer cards"}


def bind(state: State, components: Parts) -> None:
    state.parts = components


@once
def printed(components: Parts) -> dict[str, str]:
    known = {land.id: land.name for land in components.territories}
    known |= {zone.id: zone.label for zone in components.sea_zones}
    known |= {continent.id: continent.name for continent in components.continents}
    known |= {color: color.capitalize() for color in components.numbers.player_colors}
    known |= {unit.id: unit.name.lower() for unit in components.units}
    known |= {ship.id: ship.name.lower() for ship in components.ships}
    known |= {card.kind: f"{card.type.capitalize()} {card.weight}" for card in components.cards}
    known |= {card.id: f"{card.type.capitalize()} {card.weight}" for card in components.cards}
    known |= {f"seat_{n}": f"Seat {n}" for n in range(1, 7)}
    return known | {action: action.replace("_", " ").capitalize() for action in ACTIONS} | WORDS


def names(components: Parts, state: State | None = None) -> dict[str, str | Text]:
    """The names behind ids: territories, colours, units, ships, kinds of cards, crossings, and the words of choices."""
    known, under_way = printed(components), () if state is None else state.turn.crossings
    return {**known, **{crossing.id: text("{origin} to {to}", origin=known[crossing.origin], to=known[crossing.to])
                        for crossing in under_way}}


def seat_name(state: State, seat: Seat) -> str:
    return state.power(seat)


def when(state: State) -> Text:
    match state.phase:
        case "setup" | "claiming":
            return text("Setup: first territories")
        case "deploying":
            return text("Setup: first units")
        case "founding":
            return text("Setup: capitals")
        case "over":
            return text("The game is over")
    if state.options.end_mode == "round_limit":
        return text("Round {round} of {rounds}", round=state.round, rounds=state.options.rounds)
    if ending.last_round(state):
        return text("Round {round}, the last", round=state.round)
    return text("Round {round}", round=state.round)


def moment(state: State) -> Text:
    if not state.active:
        return when(state)
    turn = text("{when}: {power:possessive} turn", when=when(state), power=state.active)
    if state.options.end_mode == "round_limit" or not state.options.end_time or ending.last_round(state):
        return turn
    return text("{turn} (played until {moment})", turn=turn, moment=named(state.options.end_time))


def going_on(state: State) -> tuple[Text, str]:
    if state.battle is not None:
        return text("Battle for {territory}", territory=state.battle.territory), "ATK-7.2.1"
    if state.naval is not None:
        return text("Battle for the sea lanes"), "ATK-13.1.3"
    rules = {"setup": "ATK-3.2.1", "claiming": "ATK-3.3.1", "deploying": "ATK-3.4.1", "founding": "ATK-3.5.1",
             "over": "ATK-19.4.1"}
    return moment(state), rules.get(state.phase, "ATK-3.2.2")


def active(state: State) -> Seat | None:
    return state.seat(state.active) if state.active else None


def round_of(state: State) -> str:
    """The round in which everybody has one turn, or the part of the set-up."""
    return f"{state.round}" if state.phase == "turn" else state.phase


def follows(state: State) -> Seat | None:
    """Whose turn comes after this one, in this round [ATK-3.2.2, 19.3.4]."""
    if not state.active:
        return None
    order = [power for power in state.in_turn_order() if power not in state.out]
    after = order[order.index(state.active) + 1:]
    return state.seat(after[0]) if after else None if ending.last_round(state) else state.seat(order[0])


def private(state: State, seat: Seat) -> Text | None:
    """Return what a seat's private message says: its hand, and the offer that it has made or is to answer [ATK-20.4, 20.14]."""
    power = state.power(seat)
    hand, deal = hand_told(state, power), open_deal(state, power)
    if deal is not None:
        return text("Your cards as {power}: {cards}. {deal}", power=power, cards=hand, deal=deal)
    return text("Your cards as {power}: {cards}.", power=power, cards=hand)


def purse(state: State, seat: Seat) -> Text | None:
    """Return what a seat has in hand and can spend, or the offer that it looks at: for that seat alone [ATK-17.3.4, 20.9,
    20.14]."""
    power = state.power(seat)
    if (deal := open_deal(state, power)) is not None:
        return deal
    held = many_cards(len(state.hands[power]))
    if power == state.active and state.turn.action == PRODUCTION and not state.turn.confirmed:
        return text("{cards} · {points} left", cards=held, points=points(state.turn.points))
    return held


def ordered(state: State, seat: Seat) -> list[tuple[Text, Action]]:
    """The moves or purchases of the action under way, which the seat has not confirmed, each with what drops it [ATK-4.1.12]."""
    turn, power = state.turn, state.power(seat)
    if power != state.active or turn.confirmed:
        return []
    told = ([text("{what} ({points})", what=units(number, kind), points=points(number * cost(state.parts, kind)))
             for kind, number in turn.basket.items()] if turn.action == PRODUCTION else
            [movement.Move(**order.model_dump()).label() for order in turn.orders])
    return [(line, movement.Drop.of(number)) for number, line in enumerate(told, 1)]


def disguise(state: State, seat: Seat) -> None:
    """Give a seat another hand of as many cards and other points to spend, all that nobody else may know [ATK-20.4, 20.9]."""
    hand = state.hands[state.power(seat)]
    kinds = {state.parts.card[card].kind for card in hand}
    other = next((card for card in state.deck if state.parts.card[card].kind not in kinds), None)
    if hand and other is not None:
        state.deck[state.deck.index(other)], hand[0] = hand[0], other
    if state.power(seat) == state.active and state.turn.action == PRODUCTION and not state.turn.confirmed:
        state.turn.points += 1


def standings(state: State) -> list[tuple[Seat, int, int]]:
    """(seat, place, territories), best first; equals share a place [ATK-19.4.1]."""
    places = state.places() if state.rules_version else {
        power: 1 if power in state.winners else place for place, power in enumerate(state.ranking, 1)}
    return [(state.seat(power), places[power], len(state.territories(power))) for power in state.ranking]


def result(state: State) -> Text:
    """The final sentence, with what decides: territories, then land units."""
    has = {power: text("{territories} ({units})", territories=count(
        len(state.territories(power)), "{n} territory", "{n} territories"), units=count(
            state.land_units(power), "{n} land unit", "{n} land units")) for power in state.ranking}
    places = {power: text("{power} with {territories}", power=power, territories=number) for power, number in has.items()}
    if len(state.winners) > 1:
        return text("{winners} share the victory: {places}. {why}", winners=tuple(state.winners), places=tuple(places.values()),
                    why=ending.why(state))
    (winner,) = state.winners
    return text("{winner} wins with {territories}, ahead of {others}. {why}", winner=winner, territories=has[winner],
                others=tuple(told for power, told in places.items() if power != winner), why=ending.why(state))


def recorded(state: State) -> Text:
    places = tuple(text("{power} {territories}", power=power, territories=count(
        len(state.territories(power)), "{n} territory", "{n} territories")) for power in state.ranking)
    if len(state.winners) > 1:
        return text("{winners:The} share the victory. {places}.", winners=tuple(state.winners), places=places)
    return text("{winner:The} wins. {places}.", winner=state.winners[0], places=places)


GAME = GameSpec(
    key="attack", command="attack", name="Attack!",
    editions=(
        Edition(key=MESSAGE, name="Base game, fixed length", data="attack", rules=BASE),
        Edition(key=BASE, name="Base game (2003)", data="attack")),
    seats=range(2, 7),
    rules=Rules[State](
        version=RULES_VERSION, refusal_rule="ATK-4.1.11",
        state=State, actions=actions.ALL, asides=actions.ASIDES, decrees=actions.DECREES, events=events.ALL,
        phases={"setup": setup.setup, "claiming": setup.claiming, "deploying": setup.deploying, "founding": setup.founding,
            "turn": turn},
        parts=parts, options=options, setup=setup.first_state, bind=bind, active=active, follows=follows, choices=CHOICES,
        standings=standings, agreement=ending.agreement, caretaker=caretaker,
        breaks=(setup.PhaseBegun, combat.TerritoryCaptured, turns.TurnEnded, ending.GameEnded), round=round_of),
    words=Words[State](
        menus=MENUS, names=names, seat_name=seat_name, when=when, moment=moment, going_on=going_on, result=result,
        recorded=recorded, subjects=SUBJECTS, origins=ORIGINS,
        lessons=(FIRST_CAMPAIGN,), tips=TIPS, summary=lambda state, seat, id: summary(state, id), signs=signs,
        care=text("it attacks nobody, makes no deals and buys units to guard its borders")),
    views=Views[State](
        view=view, private=private, purse=purse, disguise=disguise, board=board, describe=describe, pictures=PICTURES,
        numbers=numbers, ordered=ordered, printed=lookup.printed),
    outside=Outside[State](
        alarms=ending.alarms, left_alone=ending.left_alone),
    orders=ORDERING, automatic=replace(player.PLAYERS, coach=COACH, strong=strong), course=COURSE)
