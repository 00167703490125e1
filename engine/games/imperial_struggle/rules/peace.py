"""Chapters 4.1 to 4.8: a peace turn before its action rounds."""
from __future__ import annotations

from engine.games.imperial_struggle.actions.turns import (
    HAND,
    Appoint,
    Discard,
    NameFirst,
    staying,
    usual_discard,
    usual_first,
    usual_ministries,
)
from engine.games.imperial_struggle.components import REGIONS, SIDES, Side, foe
from engine.games.imperial_struggle.events.cards import DiscardsShuffled, EventDiscarded, EventsDrawn, MinistriesChosen
from engine.games.imperial_struggle.events.turns import (
    AwardsTurned,
    DeckChanged,
    DemandChanged,
    FirstNamed,
    InitiativeMoved,
    PhaseBegun,
    TilesTurned,
    TurnReset,
)
from engine.games.imperial_struggle.rules.choices import drawn
from engine.games.imperial_struggle.rules.money import move_limit
from engine.games.imperial_struggle.state import JACOBITES, Minister, State
from engine.kernel import Game, Script, ask, ask_each

DEALT = 3               # events for each side [IS-4.6.2]
SUCCESSION_ENDS = "T5"  # when its events leave the game [IS-4.1.2]


def peace(g: Game[State]) -> Script[None]:
    """From the deck phase to the initiative phase [IS-4.1 to 4.8]."""
    s = g.state
    change_deck(g)
    for raise_ in s.parts.debt_limit_raise:
        if raise_.on == s.turn:
            for side in SIDES:
                move_limit(g, side, raise_.amount, "IS-4.2")
    yield from turn_up_awards(g)
    yield from draw_demand(g)
    g.emit(TurnReset())
    yield from turn_up_tiles(g)
    yield from deal(g)
    yield from discard(g)
    yield from choose_ministries(g)
    yield from settle_initiative(g)
    g.emit(PhaseBegun(phase="round"))


def change_deck(g: Game[State]) -> None:
    """The events of a new era [IS-4.1]; those of the first turn are there from the start [IS-3.4]."""
    s = g.state
    for deck in s.parts.deck_by_era:
        if deck.added_on == s.turn and s.step:
            old = [] if s.turn != SUCCESSION_ENDS else [card.id for card in s.parts.events if card.era == "succession"]
            g.emit(DeckChanged(
                added=tuple(s.parts.event_by_number[number].id for number in deck.events), era=deck.era,
                out_of_deck=tuple(card for card in s.deck if card in old),
                out_of_hands=tuple(card for side in SIDES for card in s.own[side].hand if card in old)))


def turn_up_awards(g: Game[State]) -> Script[None]:
    """One award tile for each region; in the second turn of an era from the other four [IS-4.3]."""
    s = g.state
    fresh = s.first_of_era
    pool = [tile.id for tile in s.parts.award_tiles] if fresh else s.award_pool
    tiles = yield from drawn(pool, len(REGIONS), why="awards", turn=s.turn)
    g.emit(AwardsTurned(awards=tuple(zip(REGIONS, tiles)), fresh=fresh))


def draw_demand(g: Game[State]) -> Script[None]:
    """Three of the six goods [IS-4.4]."""
    s = g.state
    goods = [good.commodity for good in s.parts.global_demand]
    chosen = yield from drawn(goods, s.parts.tiles_per_turn.goods_in_demand, why="demand", turn=s.turn)
    g.emit(DemandChanged(goods=tuple(good for good in goods if good in chosen)))


def turn_up_tiles(g: Game[State]) -> Script[None]:
    """Nine investment tiles; if the stack runs out, the used ones are a new stack [IS-4.6.1]."""
    s = g.state
    wanted = s.parts.tiles_per_turn.revealed
    first = yield from drawn(s.stack, wanted, why="tiles", turn=s.turn)
    if first:
        g.emit(TilesTurned(tiles=tuple(first)))
    if len(first) < wanted:
        more = yield from drawn(s.used_tiles, wanted - len(first), why="tiles_again", turn=s.turn)
        g.emit(TilesTurned(tiles=tuple(more), reshuffled=True))


def deal(g: Game[State]) -> Script[None]:
    """Three events for each side, singly in turn, holder of the initiative first [IS-4.6.2, 4.6.5, R-39]."""
    s = g.state
    order: list[Side] = [s.initiative, foe(s.initiative)] * DEALT
    while order:
        if not s.deck:
            if not shuffle_discards(g):
                return
            continue
        cards = yield from drawn(s.deck, len(order), why="deal", turn=s.turn, left=len(order))
        for side in (s.initiative, foe(s.initiative)):
            got = tuple(card for card, to in zip(cards, order) if to == side)
            if got:
                g.emit(EventsDrawn(side=side, cards=got))
        order = order[len(cards):]


def shuffle_discards(g: Game[State]) -> bool:
    """Make the discards the new pile, without the Succession events from T5 on; whether it holds any [IS-4.1.2, 4.6.2]."""
    s = g.state
    old = [card for card in s.discards if s.era == "revolution" and s.parts.event[card].era == "succession"]
    cards = tuple(card for card in s.discards if card not in old)
    if cards or old:
        g.emit(DiscardsShuffled(cards=cards, removed=tuple(old)))
    return bool(cards)


def discard(g: Game[State]) -> Script[None]:
    """Each side goes down to three events, at the same time and in secret [IS-4.6.3]."""
    s = g.state
    over = [side for side in SIDES if len(s.own[side].hand) > HAND]
    answers = yield from ask_each(map(s.seat, over), Discard, point="IS-18.1", default=usual_discard,
                                  prompt="Which events do you discard? You keep three.")
    for seat, answer in answers.items():
        for card in answer.cards:
            g.emit(EventDiscarded(side=s.power(seat), card=card))


def choose_ministries(g: Game[State]) -> Script[None]:
    """Each side lays its ministries, at the same time and in secret [IS-4.7]."""
    s = g.state
    answers = yield from ask_each(map(s.seat, SIDES), Appoint, point="IS-18.2", default=usual_ministries,
                                  prompt="Choose your ministries. They stay face down until you turn them up.")
    laid = {s.power(seat): answer for seat, answer in answers.items()}
    for side, answer in laid.items():
        before = [] if s.first_of_era else s.own[side].ministries
        stays = staying(s, side)
        ministers = [minister for minister in before if minister.card in stays]
        ministers += [Minister(card=card) for card in answer.cards]
        if answer.third:
            ministers.append(Minister(card=JACOBITES, up=not s.first_of_era and JACOBITES in s.own[side].up, third=True))
        here = {minister.card for minister in ministers}
        g.emit(MinistriesChosen(side=side, ministers=tuple(ministers),
                                exchanged=sum(not minister.up and minister.card not in here for minister in before)))


def settle_initiative(g: Game[State]) -> Script[None]:
    """Who has the initiative, and whom its holder names to go first [IS-4.8]."""
    s = g.state
    middle = s.parts.start.vp_start
    if s.step and s.vp != middle:
        side: Side = "france" if s.vp < middle else "britain"
        if side != s.initiative:
            g.emit(InitiativeMoved(side=side))
    answer = yield from ask(s.seat(s.initiative), NameFirst, point="IS-18.3", default=usual_first,
                            prompt="Who takes the first action round?")
    g.emit(FirstNamed(side=answer.side))
