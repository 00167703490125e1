"""Struggle of Empires: the game as the catalogue knows it."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.games.struggle_of_empires import actions, events, player
from engine.games.struggle_of_empires.caretaker import caretaker
from engine.games.struggle_of_empires.chronicle import COURSE
from engine.games.struggle_of_empires.coach import COACH
from engine.games.struggle_of_empires.components import Parts, parts
from engine.games.struggle_of_empires.events.words import gold, population, unrest
from engine.games.struggle_of_empires.lesson import FIRST_WAR, TIPS
from engine.games.struggle_of_empires.options import CHOICES, options
from engine.games.struggle_of_empires.orders import NEUTRAL, ORDERING
from engine.games.struggle_of_empires.orders.spans import occasion
from engine.games.struggle_of_empires.pictures.alt_text import board, describe
from engine.games.struggle_of_empires.pictures.build_scenes import PICTURES, numbers
from engine.games.struggle_of_empires.rules.alliances import auction
from engine.games.struggle_of_empires.rules.setup import first_state, neutrals, placing, powers, setup
from engine.games.struggle_of_empires.rules.turns import turn
from engine.games.struggle_of_empires.rules.war_end import reckoning, war_end
from engine.games.struggle_of_empires.secrecy import STIRRING, afresh, disguise, reveals, secrets
from engine.games.struggle_of_empires.state import RULES_VERSION, State
from engine.games.struggle_of_empires.strong_player import strong
from engine.games.struggle_of_empires.view import view
from engine.games.struggle_of_empires.words import lookup
from engine.games.struggle_of_empires.words.menus import MENUS
from engine.games.struggle_of_empires.words.names import names as words_of_components
from engine.games.struggle_of_empires.words.options import SUBJECTS
from engine.games.struggle_of_empires.words.provenance import ORIGINS
from engine.games.struggle_of_empires.words.signs import signs
from engine.games.struggle_of_empires.words.summaries import summary
from engine.kernel import Edition, Event, GameSpec, Seat
from engine.kernel.game_spec import Rules, Views, Words
from engine.text import Text, count, text


def bind(state: State, components: Parts) -> None:
    state.parts = components


def names(components: Parts, state: State | None = None) -> dict[str, str]:
    """The names behind ids, and the words of choices."""
    return words_of_components(components, state) | {actions.RANDOM: "a random power", NEUTRAL: "a neutral marker"}


def seat_name(state: State, seat: Seat) -> str:
    return state.power(seat) or seat


def when(state: State) -> Text:
    match state.phase:
        case "setup" | "powers":
            return text("Setup: choosing powers")
        case "placing":
            return text("Setup: starting units")
        case "auction":
            return text("War {war}: auction for alliances", war=state.war)
        case "turn":
            return text("War {war}, round {round} of {rounds}", war=state.war, round=state.round, rounds=state.rounds)
        case "over":
            return text("The game is over")
    return text("War {war}", war=state.war)


def moment(state: State) -> Text:
    return text("{when}: {power:possessive} turn", when=when(state), power=state.active) if state.active else when(state)


def going_on(state: State) -> tuple[Text, str]:
    """Return what is going on, and the rule that says who is asked now [SOE-20.1.5]."""
    if state.battle is not None:
        return occasion(state), "SOE-14.1.5" if state.battle.raid else "SOE-9.4.2"
    rules = {"setup": "SOE-2.1.14", "powers": "SOE-2.1.13", "placing": "SOE-2.2.2", "auction": "SOE-5.2.2", "turn": "SOE-6.1.2",
             "over": "SOE-18.3.1"}
    return moment(state), rules.get(state.phase, "SOE-4.1.2")


def active(state: State) -> Seat | None:
    return state.seat(state.active) if state.active else None


def boards(state: State, told: Sequence[Event]) -> bool:
    """True if everybody wants to see the board: before the starting units are placed, before the first auction, after it all."""
    return any(isinstance(event, (events.PlacingBegun, events.OrderFixed))
               or (isinstance(event, events.AuctionBegun) and not (state.row_a or state.row_b)) for event in told)


def round_of(state: State) -> str:
    """The war, and in it the round in which everybody has one turn."""
    return f"{state.war}.{state.round}" if state.phase == "turn" else f"{state.war}"


def follows(state: State) -> Seat | None:
    """Whose turn comes after this one, in this war [SOE-6.1.1, 6.1.2]."""
    if not state.active or (state.place + 1 == len(state.order) and state.round == state.rounds):
        return None
    return state.seat(state.order[(state.place + 1) % len(state.order)])


def private(state: State, seat: Seat) -> Text | None:
    """Return what a seat's private message says: its unrest [SOE-21.1.2]."""
    power = state.power(seat)
    return text("Your unrest: {n}.", n=state.unrest[power]) if power else None


def purse(state: State, seat: Seat) -> Text | None:
    """Return what a seat can spend, and the unrest that spending more would add to: for that seat alone [SOE-21.1.2]."""
    power = state.power(seat)
    if not power or power not in state.gold:
        return None
    return text("{gold} · {population} · {unrest}", gold=gold(state.gold[power]),
                population=population(state.population[power]),
                unrest=unrest(state.unrest[power]))


def standings(state: State) -> list[tuple[Seat, int, int]]:
    """(seat, place, points), best first; equals share a place [SOE-18.3.6]."""
    places = state.places() if state.rules_version else {
        power: 1 if power in state.winners else place for place, power in enumerate(state.ranking, 1)}
    return [(state.seat(power), places[power], state.points[power]) for power in state.ranking]


def result(state: State) -> Text:
    """The final sentence, with the unrest that everybody has revealed."""
    has = {power: text("{power:the} with {points} ({unrest})", power=power,
                       points=count(state.points[power], "{n} point", "{n} points"),
                       unrest=unrest(state.unrest[power])) for power in state.ranking}
    if not state.winners:
        return text("Every power has collapsed, so nobody wins: {places}.", places=tuple(has.values()))
    if len(state.winners) > 1:
        return text("{winners:The} share the victory: {places}.", winners=tuple(state.winners), places=tuple(has.values()))
    (winner,) = state.winners
    others = tuple(told for power, told in has.items() if power != winner)
    return text("{winner:The} wins with {points} ({unrest}), ahead of {others}.", winner=winner, others=others,
                points=has[winner].facts["points"], unrest=has[winner].facts["unrest"])


def recorded(state: State) -> Text:
    places = tuple(text("{power} {points} ({unrest})", power=power, points=count(state.points[power], "{n} point", "{n} points"),
                        unrest=unrest(state.unrest[power])) for power in state.ranking)
    if not state.winners:
        return text("Every power has collapsed: nobody wins. {places}.", places=places)
    if len(state.winners) > 1:
        return text("{winners:The} share the victory. {places}.", winners=tuple(state.winners), places=places)
    return text("{winner:The} wins. {places}.", winner=state.winners[0], places=places)


# the components of earlier versions: tiles were described in other words; Government Reform was free, and companies brought less;
# tiles had other prices, and neutral markers were stronger; tiles had other prices again
DELUXE_BEFORE = ("96733e8626d2b831f87b53455d9e023584011a44a619bd60ed75e951eff037d6",
                 "2eabf28e9eef34c72374ea0eb7706e92b2460bf52830031dda9bb2e0045c4386",
                 "11cddeb3dad94ee0de86a452de66f52316fc1b50c92448a58322962e3759e406",
                 "e9d9529c9c139086796dad3c8d2c09608b5d102552b367f6adfe58319f228860")

GAME = GameSpec(
    key="struggle_of_empires", command="struggle", name="Struggle of Empires",
    editions=(Edition(key="first", name="First edition (2004)", data="first_edition", besides=("deluxe",),
                      earlier=("25469d15a89efd64dcaa9181769f861f34fb20f52f371d394792e3997a084e9f",
                               "26b7da7ea36b4f2dda5faa402d33f19960f57109a68161a38a4188da82b96cad",
                               "f814d1e8a6df224502d0fae37bf22b59e38e4518b1e798108ceae065cbfad6f1",
                               "ac91acfdd39b638dd24de21c192d12f8ea3a234f16c2e33188cdca6250eb56b0",
                               "0578cec479530657b6c8ca5a4e3366be6d57c491784980d82e47a56a5cde936e")),
              Edition(key="deluxe", name="Deluxe edition (2020)", data="deluxe", besides=("first_edition",),
                      earlier=DELUXE_BEFORE),
              Edition(key="deluxe_without_npp", name="Deluxe without non-player powers", data="deluxe",
                      besides=("first_edition",), rules="deluxe", earlier=DELUXE_BEFORE)),
    seats=range(2, 8),
    rules=Rules[State](
        version=RULES_VERSION, refusal_rule="SOE-20.1.5",
        state=State, actions=actions.ALL, asides=(actions.Give,), events=events.ALL,
        phases={"setup": setup, "powers": powers, "placing": placing, "auction": auction, "turn": turn, "war_end": war_end,
            "neutrals": neutrals, "reckoning": reckoning},
        parts=parts, options=options, setup=first_state, bind=bind, active=active, follows=follows, choices=CHOICES,
        stirring=STIRRING, reveals=reveals, afresh=afresh, standings=standings, caretaker=caretaker,
        breaks=(events.TurnEnded, events.WarEnded, events.GameEnded),
        boards=boards, round=round_of),
    words=Words[State](
        menus=MENUS, names=names, seat_name=seat_name, when=when, moment=moment, going_on=going_on, origins=ORIGINS,
        result=result, recorded=recorded, lessons=(FIRST_WAR,), tips=TIPS, subjects=SUBJECTS, signs=signs,
        summary=lambda state, seat, id: summary(state, id),
        care=text("it attacks nobody, takes nobody's side and guards what it has")),
    views=Views[State](
        view=view, private=private, disguise=disguise, purse=purse, secrets=secrets, board=board, describe=describe,
        pictures=PICTURES, numbers=numbers, printed=lookup.printed),
    orders=ORDERING, automatic=replace(player.PLAYERS, coach=COACH, strong=strong), course=COURSE)
