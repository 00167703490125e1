"""Chapter 12: turning ministries up, and which abilities a side can use by choice. What each does is in `rules.abilities`.

No question here looks at a card that lies face down, but those of its owner about turning it up [IS-12.4, 17.14].
"""
from __future__ import annotations

from operator import itemgetter

from engine.games.imperial_struggle.components import Points, Side, effects as fx
from engine.games.imperial_struggle.components.cards import Ability
from engine.games.imperial_struggle.events.board import HuguenotsFlipped
from engine.games.imperial_struggle.events.cards import AbilityUsed, MinistryGone, MinistryRevealed
from engine.games.imperial_struggle.rules.cards import can_draw
from engine.games.imperial_struggle.rules.conditions import holds
from engine.games.imperial_struggle.rules.filters import fitting
from engine.games.imperial_struggle.rules.ministry_effects import raise_actions
from engine.games.imperial_struggle.rules.points import actions_of
from engine.games.imperial_struggle.state import JACOBITES, State
from engine.kernel import Game
from engine.refusals import Illegal

MP_AS_DP, UPRISING = "M-4.1", "M-4.2"
UPRISING_PRICE = 3                                                      # MP [M-4]


# --- turning up ---------------------------------------------------------------------------------------------------

def face_down(s: State, side: Side) -> list[str]:
    """The ministries that a side can turn up now [IS-12.3]."""
    if s.round is None or s.round.side != side or s.round.stage == "over":
        return []
    return [minister.card for minister in s.own[side].ministries if not minister.up]


def reveal(g: Game[State], side: Side, card: str) -> None:
    """Turn up a ministry, with what that brings at once (M-20, M-24, M-26) [IS-12.3]."""
    s = g.state
    g.emit(MinistryRevealed(side=side, card=card))
    for ability in s.parts.ministry[card].abilities:
        match ability.op:
            case "jacobite_defeat" if not s.jacobite_defeat:
                g.emit(MinistryGone(side="france", card=JACOBITES))
            case "refresh_huguenots":
                for space in [space for space, face in s.huguenots.items() if face == "flipped"]:
                    g.emit(HuguenotsFlipped(space=space, fresh=True))
    raise_actions(g)


# --- abilities by choice ------------------------------------------------------------------------------------------

def chosen_abilities(s: State, side: Side) -> list[Ability]:
    """The abilities by choice on the face-up ministries of a side, exhausted ones too."""
    found = [numbered for minister in s.own[side].ministries if minister.up
             for numbered in s.parts.chosen_abilities[minister.card]]
    return [ability for _, ability in sorted(found, key=itemgetter(0))] if found else []


def require_ability(s: State, side: Side, id: str) -> None:
    """Raise Illegal unless a side can use this ability now [IS-12.5, 5.2]."""
    now, card = s.round, id.rpartition(".")[0]
    if now is None or now.side != side or now.stage == "over":
        raise Illegal("You can use a ministry's ability only in your own action round.", rule="IS-12.3")
    ability = next((ability for ability in chosen_abilities(s, side) if ability.id == id), None)
    if ability is None:
        raise Illegal("You have no face-up ministry with this ability.", rule="IS-12.4")
    if _used_up(s, side, ability):
        raise Illegal("This ability of {card} is used up.", rule="IS-12.5", card=card)
    match _untimely(s, ability):
        case "before":
            raise Illegal("{card} is used before you take a tile.", rule="IS-5.2", card=card)
        case "tile":
            raise Illegal("{card} is used right after taking a tile with a diplomatic action.", rule="IS-12.6", card=card)
        case "major":
            raise Illegal("{card} is used when the major diplomatic action of your tile begins.", rule="IS-R-19", card=card)
        case "EP" | "DP" | "MP" as kind:
            raise Illegal("{card} needs an unfinished action that spends {kind}.", rule="IS-5.6.5", card=card, kind=kind)
    match ability.op:
        case "tile_bonus_ap":
            if not raised_by(s, side, ability):
                raise Illegal("You hold none of the spaces that {card} counts.", rule="IS-12.6", card=card)
        case "spend_mp_as_dp":
            if UPRISING in now.abilities:
                raise Illegal("You use the two abilities of {card} in different rounds.", rule="IS-12.5", card=card)
        case "draw_then_discard_event":
            if not can_draw(s):
                raise Illegal("The pile of events is empty.", rule="IS-R-39")
        case "place_huguenots":
            if not s.huguenots_left or not fitting(s, side, ability.places):
                raise Illegal("There is no Huguenots marker left, or no territory for one.", rule="IS-R-30")
        case "discard_event_for_trp":
            _require_squadron(s, side, ability)
            if not s.own[side].hand:
                raise Illegal("You have no event to give up.", rule="IS-12.6")


def _used_up(s: State, side: Side, ability: Ability) -> bool:
    return ability.id in s.own[side].exhausted or ability.id in s.current.abilities


def _untimely(s: State, ability: Ability) -> str:
    """Why this is not the moment of an ability, as a key of `require_ability`, or the kind of action that is missing; "" if it is
    the moment [IS-5.2, 5.6.5]."""
    now = s.current
    match ability.timing:
        case "start_of_own_action_round" if now.stage != "before":
            return "before"
        case "after_tile_selection" if now.stage != "tile" or not _diplomatic(s):
            return "tile"
        case "start_of_major_diplomatic_action":
            if now.stage == "before" or _diplomatic(s) != "major" or now.open == "major" or "major" in now.closed:
                return "major"
    kind = _kind_needed(ability)
    return kind if kind and not actions_of(s, kind) else ""


def _kind_needed(ability: Ability) -> Points | None:
    match ability.op:
        case "spend_mp_as_dp":
            return "MP"
        case "attached_ap":
            kind: Points = ability.effect["kind"]
            return kind
    return None


def _diplomatic(s: State) -> str:
    """Which action of the tile is the diplomatic one: "major", "minor", or ""."""
    if not s.current.tile:
        return ""
    tile = s.parts.investment[s.current.tile]
    return "major" if tile.major.ap == "DP" else "minor" if tile.minor.ap == "DP" else ""


def raised_by(s: State, side: Side, ability: Ability) -> int:
    """The points that an ability adds to the diplomatic action, counted now (M-1, M-22) [IS-12.6, 12.7]."""
    return int(min(ability.effect["max"], s.working(side, ability.effect["per_controlled"])))


def usable(s: State, side: Side) -> list[str]:
    """The abilities by choice that a side can use now."""
    return [ability.id for ability in chosen_abilities(s, side)
            if not _used_up(s, side, ability) and not _untimely(s, ability) and _passes(s, side, ability.id)]


def _passes(s: State, side: Side, id: str) -> bool:
    try:
        require_ability(s, side, id)
    except Illegal:
        return False
    return True


def squadron_prices(s: State, side: Side) -> list[str]:
    """The abilities that a side may use now to build a squadron for a fixed price (M-10.1, M-11.2, M-15.2) [IS-8.5]."""
    return [ability.id for _, ability in s.in_force(side, "squadron_price") if s.fresh(side, ability.id)
            and (ability.condition is None or holds(s, side, ability.condition))]


def require_squadron_price(s: State, side: Side, id: str) -> None:
    """Raise Illegal unless a side can use this ability now to build a squadron for a fixed price [IS-8.5]."""
    _require_fresh(s, side, id)
    _require_squadron(s, side, s.parts.ability[id])


def _require_fresh(s: State, side: Side, id: str) -> None:
    """Raise Illegal unless an ability is on a face-up ministry of a side, and not used up [IS-12.4, 12.5]."""
    card = id.rpartition(".")[0]
    if not s.has_up(side, card):
        raise Illegal("You have no face-up ministry with this ability.", rule="IS-12.4")
    if not s.fresh(side, id):
        raise Illegal("This ability of {card} is used up.", rule="IS-12.5", card=card)


def _require_squadron(s: State, side: Side, ability: Ability) -> None:
    """Raise Illegal if an ability needs a squadron in a region, and the side has none there [IS-12.6]."""
    wanted = ability.condition
    if isinstance(wanted, fx.SquadronInRegion) and not holds(s, side, wanted):
        raise Illegal("{card} needs a squadron of yours in {region}.", rule="IS-12.6", card=ability.id.rpartition(".")[0],
                      region=wanted.region)


def use(g: Game[State], side: Side, ability: str) -> None:
    """Mark the use of an ability [IS-12.5]; called by purchases, too."""
    g.emit(AbilityUsed(side=side, ability=ability, exhausts=g.state.parts.ability[ability].limit == "once_per_turn"))


# --- the uprising of M-4 ------------------------------------------------------------------------------------------

def uprising_vp(s: State) -> int:
    """Return what the second ability of M-4 scores now, at most 4 [M-4]."""
    here = [space for country in ("scotland", "ireland") for space in s.parts.country[country].spaces]
    most: int = s.parts.ability[UPRISING].effect["max_vp"]
    return min(most, s.working("france", here) + s.jacobite_victories)


def require_uprising(s: State, side: Side) -> None:
    """Raise Illegal unless a side can buy VP by M-4 now."""
    _require_fresh(s, side, UPRISING)
    if MP_AS_DP in s.current.abilities:
        raise Illegal("You use the two abilities of {card} in different rounds.", rule="IS-12.5", card=JACOBITES)
    if not uprising_vp(s):
        raise Illegal("This would score nothing now: you hold no space in Scotland or Ireland.", rule="IS-12.6")
