"""What event cards and advantages do, step by step, and under which conditions (`event_ops` and its neighbours in the data).

A field that can have one value alone states what the rules do in any case; a card that says otherwise is refused as it is loaded.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal, TypeAlias

from pydantic import ConfigDict, Field, model_validator

from engine.games.imperial_struggle.components import Points, Side, SpaceType
from engine.games.imperial_struggle.components.board import Space
from engine.kernel.model import Record

Who: TypeAlias = Literal["self", "opponent", "britain", "france"]


class Part(Record):
    """A part of an effect, in which every field must be known."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Filter(Part):
    """Which spaces are meant; empty fields exclude none. `rules.filters` compares what changes in play (`flag`, `protected`,
    `without_marker`), `prints` all else."""

    types: tuple[SpaceType, ...] = ()
    region: str = ""
    regions: tuple[str, ...] = ()
    subregion: str = ""
    country: str = ""
    countries: tuple[str, ...] = ()
    exclude_countries: tuple[str, ...] = ()
    commodity: str = ""
    spaces: tuple[str, ...] = ()
    alliance: bool | None = None
    local_alliance: bool | None = None
    flag: Literal["", "opponent", "britain", "france"] = ""
    protected: bool | None = None
    without_marker: bool = False            # without a Huguenots marker

    def prints(self, here: Space) -> bool:
        """Whether a space is meant, by what is printed on it."""
        return ((not self.types or here.type in self.types)
                and self.region in ("", here.region)
                and (not self.regions or here.region in self.regions)
                and self.subregion in ("", here.subregion)
                and self.country in ("", here.country)
                and (not self.countries or here.country in self.countries)
                and here.country not in self.exclude_countries
                and self.commodity in ("", here.commodity)
                and (not self.spaces or here.id in self.spaces)
                and (self.alliance is None or (here.type == "political" and here.alliance == self.alliance))
                and self.local_alliance in (None, here.local_alliance))


class AdvantageFilter(Part):
    """Which advantages are meant; empty fields exclude none."""

    region: str = ""
    not_region: str = ""
    controlled_by: Literal["self"] | None = None
    any: Literal[True] | None = None


class PointsLimit(Part):
    """What points can be spent on; empty fields exclude nothing."""

    action: Literal["", "flag", "unflag", "shift"] = ""
    types: tuple[SpaceType, ...] = ()
    region: str = ""
    countries: tuple[str, ...] = ()
    adjacent_to_market_of: Literal["", "britain", "france"] = ""


# --- what is counted ----------------------------------------------------------------------------------------------

class Bounded(Part):
    times: int = 1
    per: int = Field(default=1, ge=1)       # rounded down
    min: int = 0
    max: int | None = None


class LocalAlliances(Bounded):
    count: Literal["controlled_local_alliances"]
    region: str
    without_conflict: Literal[True] = True


class ControlledSpaces(Bounded):
    count: Literal["controlled_spaces"]
    country: str
    alliance: bool = False                  # Alliance spaces alone
    without_conflict: bool = True


class DebtDifference(Bounded):
    count: Literal["current_debt_difference"]
    max: int
    side: Literal["opponent_minus_self"]


class BuiltSquadrons(Bounded):
    count: Literal["built_squadrons"]
    side: Side
    origins: tuple[Literal["map"], Literal["navy_box"]] = Field(alias="from")
    round: Literal["down"]


Count: TypeAlias = Annotated[LocalAlliances | ControlledSpaces | DebtDifference | BuiltSquadrons, Field(discriminator="count")]


# --- conditions ---------------------------------------------------------------------------------------------------

class OfSide(Part):
    """A condition for the acting side, or for the one it names."""

    side: Side | None = None
    when: Literal["after_base"] | None = None           # each step is tested when it is reached


class Keyword(Part):
    kind: Literal["keyword", "keyword_revealed"]
    keyword: str


class DebtLead(Part):
    kind: Literal["available_debt_lead"]
    at_least: int


class MoreSpaces(Part):
    kind: Literal["more_spaces"]
    of: tuple[str, ...]


class MoreFlags(OfSide):
    kind: Literal["more_flags"]
    region: str


class MoreOf(Part):
    kind: Literal["more_of"]
    what: tuple[Literal["squadrons", "forts", "local_alliances"], ...]
    region: str


class MoreBonusTiles(Part):
    kind: Literal["more_bonus_tiles_in_next_war"]


class HoldsAdvantage(Part):
    kind: Literal["holds_advantage"]
    advantage: str


class Controls(OfSide):
    kind: Literal["controls"]
    space: str


class ControlsAll(OfSide):
    kind: Literal["controls_all"]
    spaces: tuple[str, ...]


class ControlsAny(OfSide):
    kind: Literal["controls_any"]
    country: str


class NoFlags(OfSide):
    kind: Literal["no_flags"]
    countries: tuple[str, ...]


class NoSquadrons(OfSide):
    kind: Literal["no_squadrons"]
    region: str


class SquadronInRegion(Part):
    kind: Literal["squadron_in_region"]
    region: str


class WasAtDebtLimit(Part):
    kind: Literal["was_at_debt_limit"]
    side: Who


class PreviousStepDone(Part):
    kind: Literal["previous_step_done"]


Condition: TypeAlias = Annotated[
    Keyword | DebtLead | MoreSpaces | MoreFlags | MoreOf | MoreBonusTiles | HoldsAdvantage | Controls | ControlsAll | ControlsAny
    | NoFlags | NoSquadrons | SquadronInRegion | WasAtDebtLimit | PreviousStepDone, Field(discriminator="kind")]


# --- steps --------------------------------------------------------------------------------------------------------

class Step(Part):
    condition: Condition | None = None


class Counting(Step):
    """A step with a number, or with what is counted for it."""

    count: int | None = None
    points: int | None = None
    count_of: Count | None = None
    points_of: Count | None = None

    @model_validator(mode="after")
    def _one_number(self) -> Counting:
        if [self.count, self.points, self.count_of, self.points_of].count(None) != 3:
            raise ValueError("one of count, points, count_of and points_of says how many")
        return self

    @property
    def number(self) -> int | Count:
        return next(each for each in (self.count, self.points, self.count_of, self.points_of) if each is not None)


class GrantPoints(Counting):
    op: Literal["grant_ap"]
    kind: Points
    only_for: PointsLimit | None = None


class More(Part):
    points: int
    condition: Condition


class ScorePoints(Counting):
    op: Literal["score_vp"]
    plus: More | None = None


class PlaceConflict(Counting):
    op: Literal["place_conflict"]
    filter: Filter
    optional: bool = False
    removal_surcharge: int = 0


class Unflag(Step):
    op: Literal["unflag"]
    count: int
    filter: Filter
    constraint: Literal["isolates_no_other_market"] | None = None


class RemoveFlag(Step):
    op: Literal["remove_flag"]
    owner: Literal["self", "opponent"]
    count: Literal[1, "all"]
    filter: Filter


class ShiftOrTake(Step):
    op: Literal["shift", "take_control"]
    count: Literal[1]
    filter: Filter


class FortFilter(Part):
    region: str
    flag: Literal["opponent"]


class DamageFort(Step):
    op: Literal["damage_fort"]
    count: Literal[1]
    filter: FortFilter


class OfOneSide(Step):
    who: Who
    amount: int


class ChangeDebt(OfOneSide):
    op: Literal["change_debt"]


class ChangeDebtLimit(OfOneSide):
    op: Literal["change_debt_limit"]


class ChangeTreatyPoints(OfOneSide):
    op: Literal["change_trp"]
    requires: Literal["a treaty point"] | None = None


class RepayOrPoints(Step):
    op: Literal["reduce_debt_or_ap"]
    amount: int
    ap_kind: Points


class ModifyCost(Step):
    op: Literal["cost_modifier"]
    action: Literal["flag", "unflag", "shift", "construct_squadron"]
    amount: int
    filter: Filter = Filter()
    uses: int = 0                           # purchases; 0: no limit
    duration: Literal["action_round"]
    minimum: Literal[0] = 0


class ActivateAdvantage(Step):
    op: Literal["activate_advantage"]
    filter: AdvantageFilter
    ignore_exhaustion: Literal[True]
    ignore_gained_this_round: bool


class TurnAdvantages(Step):
    """Advantages become usable again, or are exhausted without being used."""

    op: Literal["refresh_advantage", "exhaust_advantage"]
    count: int
    up_to: Literal[True]
    filter: AdvantageFilter


class ScoreGood(Step):
    op: Literal["score_commodity"]
    commodity: str
    optional: Literal[True]


class AddDemand(Step):
    op: Literal["add_global_demand"]
    options: tuple[str, ...]
    optional: Literal[True]


class ReplaceDemand(Step):
    op: Literal["replace_global_demand"]
    draw: int


class SendSquadron(Step):
    op: Literal["squadron_to_navy_box", "squadron_to_turn_track", "squadron_remove_from_game"]
    owner: Who
    origins: tuple[Literal["map", "navy_box"], ...] = Field(alias="from")
    where: Literal["anywhere"] = "anywhere"
    returns: Literal["navy_box_in_next_peace_reset_phase"] | None = None


class ConstructSquadron(Step):
    op: Literal["construct_squadron"]
    owner: Who
    price: Literal[0]


class DrawBonusTiles(Counting):
    op: Literal["draw_bonus_tiles"]
    theater_name: str | None
    next_war_only: Literal[True]


class ReturnBonusTile(Step):
    op: Literal["remove_bonus_tile"]
    side: Who
    chosen_by: Side
    blind: Literal[True]
    to: Literal["pool"]


class PlaceByng(Step):
    op: Literal["place_byng"]
    theaters: Literal["next_war_counting_squadrons"]


class OpponentLoses(Step):
    op: Literal["opponent_loses_one_of"]
    times: Literal[1]
    options: tuple[Literal["damage_own_fort", "own_squadron_map_to_navy_box", "own_bonus_tile_next_war_to_pool"], ...]


class ChooseOne(Step):
    op: Literal["choose_one"]
    options: tuple[Effect, ...]


class If(Part):
    op: Literal["if"]
    condition: Condition
    then: tuple[Effect, ...]
    others: tuple[Effect, ...] = Field(default=(), alias="else")


Effect: TypeAlias = Annotated[
    GrantPoints | ScorePoints | PlaceConflict | Unflag | RemoveFlag | ShiftOrTake | DamageFort | ChangeDebt
    | ChangeDebtLimit | ChangeTreatyPoints | RepayOrPoints | ModifyCost | ActivateAdvantage | TurnAdvantages
    | ScoreGood | AddDemand | ReplaceDemand | SendSquadron | ConstructSquadron | DrawBonusTiles | ReturnBonusTile | PlaceByng
    | OpponentLoses | ChooseOne | If, Field(discriminator="op")]


# --- advantages alone ---------------------------------------------------------------------------------------------

class Discount(Part):
    op: Literal["market_discount", "political_discount"]
    mode: Literal["minus_1", "total_1"]
    filter: Filter
    action: Literal["unflag"]


class SquadronPrice(Part):
    op: Literal["squadron_price"]
    price: int


OfAdvantage: TypeAlias = Annotated[PlaceConflict | ChangeDebt | SendSquadron | Discount | SquadronPrice,
                                   Field(discriminator="op")]


def steps_in(steps: tuple[Effect, ...]) -> Iterator[Effect]:
    """All steps, each before those that it offers as options or does under a condition."""
    for step in steps:
        yield step
        match step:
            case ChooseOne(options=inside):
                yield from steps_in(inside)
            case If(then=then, others=others):
                yield from steps_in((*then, *others))


def option_name(option: Effect) -> str:
    """Return what an option of a card is called in a menu: "EP", "take_debt", "damage_fort"."""
    match option:
        case GrantPoints(kind=kind):
            return kind
        case ChangeDebt():
            return "take_debt"
        case ChangeTreatyPoints():
            return "spend_trp"
    return option.op


def words_of(value: object, field: str = "") -> Iterator[tuple[str, str]]:
    """Each word that stands in a value, however deep, with the name of its field: ("region", "india")."""
    match value:
        case Record():
            for name in type(value).model_fields:
                yield from words_of(getattr(value, name), name)
        case tuple():
            for one in value:
                yield from words_of(one, field)
        case str() if value:
            yield field, value
