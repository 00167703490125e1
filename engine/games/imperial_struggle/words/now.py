"""What a card or advantage would do now, at this board, for the side that reads it; nothing here tells of cards it cannot see."""
from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.games.imperial_struggle.actions.advantages import free_targets
from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.components.cards import BY_CHOICE, Ability
from engine.games.imperial_struggle.rules.advantages import blocking, require_usable
from engine.games.imperial_struggle.rules.ministries import UPRISING, raised_by, require_ability, require_uprising, uprising_vp
from engine.games.imperial_struggle.rules.playing import bonus_comes, helpers, plays, require_play
from engine.games.imperial_struggle.state import State
from engine.games.imperial_struggle.words.cards import phrase
from engine.games.imperial_struggle.words.short import ABILITIES
from engine.refusals import Illegal
from engine.text import Text, text

NOT_NOW = text("It isn't your action round.")


def now(s: State, side: Side, id: str) -> tuple[Text, ...]:
    """Return what this card or advantage would do for a side now, line by line, or why it does nothing."""
    if id in s.parts.event:
        return tuple(_event(s, side, id))
    return tuple(_ministry(s, side, id)) if id in s.parts.ministry else tuple(_advantage(s, side, id))


def _obstacle(rule: Callable[..., None], *facts: object) -> Text | None:
    """Why a rule forbids something; None if it does not."""
    try:
        rule(*facts)
    except Illegal as why:
        return why.text
    return None


def _event(s: State, side: Side, id: str) -> Iterator[Text]:
    card = s.parts.event[id]
    if id in s.played:
        yield text("It has been played and is out of the game.")
        return
    if id in s.discards:
        yield text("It has been discarded.")
        return
    if s.active != side or id not in s.own[side].hand:
        yield NOT_NOW if id in s.own[side].hand else text("It isn't in your hand.")
        return
    ways = [way for way in plays(s, side) if way[0] == id]
    if not ways:
        why = _obstacle(require_play, s, side, id, "", "")
        yield why if why is not None else NOT_NOW
        return
    half = card.half(side)
    yield text("You can play it: {effect}.", effect=phrase(half.base))
    if half.bonus is None:
        return
    if bonus_comes(s, side, card):
        yield text("Its bonus comes too: {bonus}.", bonus=phrase(half.bonus))
    elif able := [helper for helper in helpers(s, side, card) if bonus_comes(s, side, card, helper)]:
        yield text("Its bonus comes too if you turn up {card}: {bonus}.", card=able[0], bonus=phrase(half.bonus))
    else:
        yield text("Its bonus wouldn't come now.")


def _ministry(s: State, side: Side, id: str) -> Iterator[Text]:
    minister = next((minister for minister in s.own[side].ministries if minister.card == id), None)
    if minister is None:
        yield text("It isn't in front of you.")
        return
    if not minister.up:
        yield text("It lies face down and does nothing yet; you can turn it up in your own action round.")
        return
    for ability in s.parts.ministry[id].abilities:
        said = ABILITIES[ability.id]
        if ability.id in s.own[side].exhausted:
            yield text("Used up this turn: {what}.", what=said)
        elif ability.id == UPRISING or (ability.op in BY_CHOICE and ability.limit != "passive"):
            why = NOT_NOW if s.active != side else _obstacle(require_uprising, s, side) if ability.id == UPRISING else _obstacle(
                require_ability, s, side, ability.id)
            yield _can(s, side, ability, said) if why is None else text("{what}: not now. {why}", what=said, why=why)
        else:
            yield text("In force: {what}.", what=said)


def _can(s: State, side: Side, ability: Ability, said: Text) -> Text:
    if ability.id == UPRISING:
        return text("You can use: {what}. Now {n} VP.", what=said, n=uprising_vp(s))
    if ability.op == "tile_bonus_ap":
        return text("You can use: {what}. Now {n} DP.", what=said, n=raised_by(s, side, ability))
    return text("You can use: {what}.", what=said)


def _advantage(s: State, side: Side, id: str) -> Iterator[Text]:
    holder = s.holders.get(id)
    if holder is None:
        yield text("Nobody holds it.")
        return
    if holder != side:
        yield text("{side} holds it.", side=holder)
        return
    if id in s.exhausted:
        yield text("It is exhausted until the next turn.")
    elif space := blocking(s, id):
        yield text("The conflict marker on {space:the} blocks it.", space=space)
    elif s.active != side:
        yield NOT_NOW
    elif (why := _obstacle(require_usable, s, side, id)) is not None:
        yield why
    elif any(reached := free_targets(s, side, id)):
        yield text("You can use it now on {spaces:the}.", spaces=tuple(reached))
    elif reached:
        yield text("You can use it now.")
    else:
        yield text("You use it with the purchase that it helps.")
