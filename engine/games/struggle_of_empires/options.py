"""The options of a game; an edition is a preset of them, so that a group may mix (table of edition differences, section A.8)."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from engine.kernel.model import OptionGroup
from engine.options import flat, settled, values_offered
from engine.refusals import Faulty
from engine.text import Text, text


class Neutrals(OptionGroup):
    per_war: Literal["ten", "by_players"] = "ten"
    at_setup: Literal["ten", "by_players"] = "ten"
    discard_to: Literal["box", "display"] = "box"


class Turn(OptionGroup):
    special_limit: Literal["per_kind", "shared"] = "per_kind"
    pass_relief: Literal[0, 1] = 0


class Move(OptionGroup):
    europe_conditions: bool = True
    failed_unit_again: bool = False
    same_unit_next_action: bool = True
    allied_navy_counts: bool = False


class Cross(OptionGroup):
    model: Literal["one_die", "far_lands_die"] = "one_die"
    rescue_gold: bool = False


class Build(OptionGroup):
    rebuild_when: Literal["any_time", "exhausted"] = "any_time"
    rebuild_population: bool = True
    home_fort_may_move: bool = True


class Naval(OptionGroup):
    ottoman_uses_mediterranean: bool = True
    own_navy_needed: bool = True
    tie_support: Literal["none", "defender"] = "none"


class Training(OptionGroup):
    land_unit: Literal["army_or_fort", "army"] = "army_or_fort"


class Loss(OptionGroup):
    fort_tie_seven: bool = False
    army_first: bool = False


class Alliance(OptionGroup):
    mode: Literal["tiles", "local"] = "tiles"
    cost: Literal["printed", "places"] = "printed"
    one_per: Literal["place", "area"] = "place"


class Covert(OptionGroup):
    mode: Literal["tiles", "tokens"] = "tiles"
    pirates_beaten_by: Literal["land", "sea"] = "land"
    revolt_counts_naval_support: bool = True
    retry_after_failure: Literal["tile_limit", "next_round"] = "tile_limit"


class Tiles(OptionGroup):
    classes: Literal["marks", "classes"] = "marks"
    company_cap: Literal["none", "three"] = "none"
    free_builds_use_action: bool = False


class Unrest(OptionGroup):
    model: Literal["count", "bag"] = "count"


class End(OptionGroup):
    penalties: Literal["seven_four", "by_players"] = "seven_four"
    tiebreak: Literal["least_unrest"] = "least_unrest"
    zero_unrest_exempt: bool = False


class NonPlayerPowers(OptionGroup):
    mode: Literal["off", "all_counts", "two_three"] = "off"


class Markers(OptionGroup):
    map_limit: Literal[20, 23] = 20


class Talk(OptionGroup):
    untradeable_list: bool = False


class SetUp(OptionGroup):
    redraw: bool = False


class Navigation(OptionGroup):
    effect: Literal["second_die", "mending"] = "second_die"


class Tax(OptionGroup):
    for_gifts: bool = False


class Attack(OptionGroup):
    naval_only_with_army: bool = False
    naval_only_declinable: bool = True


class Help(OptionGroup):
    auto_call: bool = True


class Reserves(OptionGroup):
    order: Literal["attacker_first"] = "attacker_first"


class Withdrawal(OptionGroup):
    units_go: Literal["home", "stay"] = "home"


class Militia(OptionGroup):
    types: Literal["any", "army"] = "any"


class Gifts(OptionGroup):
    when: Literal["any", "own_turn"] = "any"
    public: bool = True


class Income(OptionGroup):
    population: bool = True


class Undo(OptionGroup):
    same_dice: bool = True


class Reactions(OptionGroup):
    parallel: bool = False


class Gold(OptionGroup):
    public: bool = True


class GameMaster(OptionGroup):
    sees_secrets: bool = False


class Interface(OptionGroup):
    neutral_wording: bool = False


class Options(OptionGroup):
    """Every option; the defaults are the first edition of 2004."""

    neutrals: Neutrals = Neutrals()
    turn: Turn = Turn()
    move: Move = Move()
    cross: Cross = Cross()
    build: Build = Build()
    naval: Naval = Naval()
    training: Training = Training()
    loss: Loss = Loss()
    alliance: Alliance = Alliance()
    covert: Covert = Covert()
    tiles: Tiles = Tiles()
    unrest: Unrest = Unrest()
    end: End = End()
    npp: NonPlayerPowers = NonPlayerPowers()
    markers: Markers = Markers()
    talk: Talk = Talk()
    setup: SetUp = SetUp()
    navigation: Navigation = Navigation()
    tax: Tax = Tax()
    attack: Attack = Attack()
    help: Help = Help()
    reserves: Reserves = Reserves()
    withdrawal: Withdrawal = Withdrawal()
    militia: Militia = Militia()
    gifts: Gifts = Gifts()
    income: Income = Income()
    undo: Undo = Undo()
    reactions: Reactions = Reactions()
    gold: Gold = Gold()
    gm: GameMaster = Field(default=GameMaster())
    ui: Interface = Interface()


DELUXE: dict[str, object] = {           # where the Deluxe edition differs (table of edition differences)
    "neutrals.per_war": "by_players", "neutrals.at_setup": "by_players", "neutrals.discard_to": "display",
    "turn.special_limit": "shared", "turn.pass_relief": 1, "move.europe_conditions": False,
    "cross.model": "far_lands_die", "cross.rescue_gold": True, "build.rebuild_when": "exhausted",
    "naval.ottoman_uses_mediterranean": False, "naval.own_navy_needed": False, "training.land_unit": "army",
    "loss.fort_tie_seven": True, "alliance.mode": "local", "alliance.cost": "places",
    "covert.mode": "tokens", "covert.pirates_beaten_by": "sea", "covert.revolt_counts_naval_support": False,
    "covert.retry_after_failure": "next_round", "tiles.classes": "classes", "tiles.company_cap": "three",
    "unrest.model": "bag", "end.penalties": "by_players", "npp.mode": "all_counts", "markers.map_limit": 23,
    "talk.untradeable_list": True, "navigation.effect": "mending",
}
PRESETS: dict[str, dict[str, object]] = {                   # edition -> where it differs from the first
    "first": {}, "deluxe": DELUXE, "deluxe_without_npp": DELUXE | {"npp.mode": "off"},
}
CHOICES: dict[str, tuple[object, ...]] = {key: values_offered(Options(), key) for key in flat(Options())}


def options(edition: str, changed: Mapping[str, Any]) -> Options:
    """The options of an edition with some changed, by key: `{"help.auto_call": False}`. Raises Faulty with a sentence."""
    chosen = settled(Options, PRESETS, edition, changed)
    if (contradiction := conflicts(chosen)) is not None:
        raise Faulty("{contradiction}", contradiction=contradiction)
    return chosen


def conflicts(options: Options) -> Text | None:
    """Why these options contradict each other: what one of them says would have no meaning beside the other; None if they fit.

    All other mixtures can be played. Where an option speaks of something that a game does not have, such as the price of local
    alliances in a game with alliance tiles, the other edition's number is used, or nothing depends on it.
    """
    cross, navigation, move = options.cross, options.navigation.effect, options.move
    if navigation == "mending" and not cross.rescue_gold:
        return text("Navigation makes mending a crossing cheaper (navigation.effect: mending), but in this game crossings "
                    "can't be mended. Let crossings be mended (cross.rescue_gold), or let Navigation add to the second of two "
                    "dice (navigation.effect: second_die, cross.model: one_die).")
    if navigation == "second_die" and cross.model == "far_lands_die":
        return text("Navigation adds to the second die of a crossing (navigation.effect: second_die), but the Far Lands die "
                    "is rolled alone. Let Navigation make mending cheaper (navigation.effect: mending), or cross with one die "
                    "and perhaps a second one (cross.model: one_die).")
    if move.failed_unit_again and not move.same_unit_next_action:
        return text("A unit that failed to cross may try again in the same action (move.failed_unit_again), so it can't be "
                    "barred from the next one (move.same_unit_next_action: false).")
    if options.alliance.one_per == "area" and options.alliance.mode == "tiles":
        return text("One alliance for each area (alliance.one_per: area) is a limit for local alliance markers, but this game "
                    "has alliance tiles (alliance.mode: tiles), and several of those can count in one area.")
    if not options.gifts.public and options.gold.public:
        return text("If gifts are secret (gifts.public: false), everybody would still see them in the players' gold. Hide "
                    "gold as well (gold.public: false), or announce gifts (gifts.public).")
    return None
