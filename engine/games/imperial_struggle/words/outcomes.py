"""What becomes of a space, a tile or a good if it is chosen: a few words beside a choice, for whoever chooses."""
from __future__ import annotations

from engine.games.imperial_struggle.components import Side, effects as fx, foe
from engine.games.imperial_struggle.components.wars import EXPELLED
from engine.games.imperial_struggle.state import Choice, State
from engine.games.imperial_struggle.words.cards import phrase
from engine.text import Text, template, text

SQUADRON_GOES = {"squadron_to_navy_box": text("goes to the Navy Box"), "squadron_remove_from_game": text("leaves the game"),
                 "squadron_to_turn_track": text("is away until the next peace turn")}


WITHOUT = {"icon": text("the rest is lost"), "usa": text("no more of these flags"),
           "usa_fort": text("the other forts keep their flags"), "shift": text("you shift nothing"),
           "conflict": text("no more markers"), "advantage": text("no more advantages"), "points": text("you take no points")}


CHOSEN = {"effect": template("You choose this effect: {target}"), "points": template("You take {target} instead"),
          "conflict": template("The conflict marker goes to {target:the}"), "unflag": template("The flag comes off {target}"),
          "shift": template("You shift {target:the}"), "take": template("You take {target}"),
          "fort": template("You choose the fort {target}"), "squadron": template("You choose the squadron at {target}"),
          "advantage": template("You choose {target:the}"), "good": template("You choose {target:the}"),
          "theater": template("The tile goes to {target:the}"), "tile_to": template("The other tile goes to {target}"),
          "discard": template("You discard {target}"), "huguenots": template("The Huguenots settle in {target}")}


def chosen(s: State, target: str) -> Text | None:
    """Return what the side does that chooses this one of the open choice; None if the rest of it is told by the name alone."""
    choice = s.choice
    if choice is None:
        return None
    if target == "none":
        return text("You choose none")
    if choice.what == "tile":
        kept = set(s.own[choice.side].drawn) & set(choice.targets)
        return text("You keep {target}", target=target) if kept else text("{target} moves on", target=target)
    if (choice.what == "theater" and choice.source) or (choice.what == "squadron" and target == "navy_box"):
        return text("You choose {target:the}", target=target)
    if choice.what == "tile_to" and target == "out":
        return text("The other tile leaves the game")
    return Text(CHOSEN[choice.what], {"target": target}) if choice.what in CHOSEN else None


def outcome(s: State, target: str) -> Text | None:
    """Return what choosing this one of the open choice leads to, "none" too; None if its name says it all."""
    choice = s.choice
    if choice is None:
        return None
    if target == "none":
        return WITHOUT.get(choice.what)
    match choice.what:
        case "shift":
            return shifted(s, target, "IS-13.17" if choice.source in s.parts.event else "IS-19.1")
        case "unflag" | "usa_fort":
            return loses_flag(s, choice.side, target)
        case "take":
            return _taken(s, choice.side, target)
        case "usa":
            owner = s.flags.get(target)
            return text("the flag of the United States takes {owner:possessive} place", owner=owner) if owner else text(
                "empty now; gets the flag of the United States")
        case "conflict":
            return marked(s, choice.side, target)
        case "fort" | "icon" | "squadron" | "loss":
            return _hit(s, choice, target)
        case "huguenots":
            return text("one market in {region} can become 1 EP cheaper once", region=s.space(target).region)
        case "good":
            return _counted(s, choice.side, target)
        case "theater":
            return _in_theater(s, choice, target)
        case "tile":
            return _upgraded(s, choice, target)
        case "tile_to":
            return text("it can be drawn again") if target == "pool" else text("nobody draws it again")
        case "effect":
            return next((phrase((step,)) for step in _steps(s, choice) if fx.option_name(step) == target), None)
    return None


def _upgraded(s: State, choice: Choice, tile: str) -> Text | None:
    """Which of the two tiles of an upgrade this is: both can have the same face."""
    drawn = s.own[choice.side].drawn
    if not set(drawn) & set(choice.targets):
        return None
    return text("just drawn") if tile in drawn else text("already there")


# --- spaces -------------------------------------------------------------------------------------------------------

def shifted(s: State, space: str, rule: str) -> Text:
    """Return what a shift without a price makes of a space: it loses its flag, or gets one [IS-2.4.4]."""
    owner = s.flags.get(space)
    if owner:
        return text("{owner:possessive} flag comes off, free ({rule})", owner=owner, rule=rule)
    return text("empty now; your flag goes up, free ({rule})", rule=rule)


def worth(s: State, side: Side, space: str, *, taken: bool = False) -> Text | None:
    """Return what a flag or squadron there is good for besides the count of its region: its good, Prestige, strength in the
    next war.

    Also the advantage that it brings, if the side has the other spaces; `taken`: the space changes hands at once [IS-2.4.5].
    """
    here, war, good_for = s.space(space), s.next_war, list[Text]()
    if here.commodity is not None:
        wanted = here.commodity in s.demand and s.war is None       # what was in demand has been scored by then
        good_for.append(text("{good}, in demand" if wanted else "{good}", good=here.commodity))
    if here.prestige:
        good_for.append(text("Prestige"))
    fought = s.war.theater if s.war is not None else 0                                  # theaters that count nothing any more
    if war is not None and (theater := next((one.theater for one in here.strength_in if one.war == war.id), 0)) > fought:
        good_for.append(text("strength in {theater:the}", theater=war.theater(theater).id))
    brought = tuple(tile for tile in here.advantages if taken or space not in s.flags
                    if all(other == space or s.controls(side, other) for other in s.parts.advantage[tile].connected_spaces))
    if good_for and brought:
        return text("{worth}; brings {advantages:the}", worth=tuple(good_for), advantages=brought)
    if brought:
        return text("brings {advantages:the}", advantages=brought)
    return text("{worth}", worth=tuple(good_for)) if good_for else None


def loses_flag(s: State, side: Side, space: str) -> Text:
    """Whose flag comes off, and what the space is good for."""
    owner = s.flags.get(space, "")
    whose, good_for = text("yours") if owner == side else text("{owner}", owner=owner), worth(s, side, space)
    return text("{whose}: {worth}", whose=whose, worth=good_for) if good_for is not None else whose


def _taken(s: State, side: Side, space: str) -> Text:
    owner = s.flags.get(space)
    return text("taken from {owner}", owner=owner) if owner else text("becomes yours; empty now")


def marked(s: State, side: Side, space: str) -> Text:
    """Return what a conflict marker does there [IS-2.6.2, 2.6.3]."""
    owner = s.flags.get(space)
    if not owner:
        return text("empty: flagging it then costs 1")
    if owner == side:
        return text("your own flag stops counting")
    return text("{owner:possessive} flag stops counting, and taking it off costs 1", owner=owner)


def _hit(s: State, choice: Choice, target: str) -> Text:
    """Return what a loss does to a fort, a squadron, a flag or a bonus tile."""
    if target in s.parts.war_tile:
        return text("goes back to its pool")
    if target not in s.parts.space:
        return text("one from there {goes}", goes=_leaves(s, choice))
    match s.space(target).type:
        case "fort":
            return text("the fort is damaged: no protection, no strength")
        case "naval":
            return text("the squadron {goes}", goes=_leaves(s, choice))
    return loses_flag(s, choice.side, target)


def _leaves(s: State, choice: Choice) -> Text:
    """Where a squadron goes that a card, an icon or the spoils of a theater strike."""
    if choice.source in s.parts.event:
        ops = {step.op for step in _steps(s, choice) if isinstance(step, fx.SendSquadron)}
        return SQUADRON_GOES[ops.pop()] if len(ops) == 1 else SQUADRON_GOES["squadron_to_navy_box"]
    if choice.what == "icon":
        return SQUADRON_GOES["squadron_to_navy_box"]
    expelled = any(special.effect == EXPELLED for special in s.theater.special)
    return SQUADRON_GOES["squadron_remove_from_game"] if expelled else text("goes back to the supply")


# --- goods, theaters, effects -------------------------------------------------------------------------------------

def _counted(s: State, side: Side, good: str) -> Text:
    markets = s.parts.good[good].markets
    return text("markets: you {mine}, {other} {theirs}", mine=s.working(side, markets), other=foe(side),
                theirs=s.working(foe(side), markets))


def _in_theater(s: State, choice: Choice, theater: str) -> Text | None:
    """Return what stands in a theater of the next war before a tile comes or goes."""
    war = s.next_war
    number = next((here.number for here in war.theaters if here.id == theater), None) if war is not None else None
    if number is None:
        return None
    steps = {type(step) for step in _steps(s, choice)}
    if fx.PlaceByng in steps:
        return text("+2 for Britain there")
    if fx.ReturnBonusTile in steps:
        other = foe(choice.side)
        return text("{other} has {n} of 2 bonus tiles there", other=other, n=len(s.bonus_tiles(other, number)))
    return text("{n} of 2 bonus tiles", n=len(s.bonus_tiles(choice.side, number)))


def _steps(s: State, choice: Choice) -> list[fx.Effect]:
    card = s.parts.event.get(choice.source)
    if card is None:
        return []
    half = card.half(s.active or choice.side)
    return list(fx.steps_in((*half.base, *(half.bonus or ()))))
