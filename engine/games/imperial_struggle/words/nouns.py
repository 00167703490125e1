"""The names behind ids, as sentences speak them."""
from __future__ import annotations

from engine.components import once
from engine.games.imperial_struggle.components.parts import Parts
from engine.games.imperial_struggle.components.turns import InvestmentTile
from engine.games.imperial_struggle.components.wars import WarTile
from engine.games.imperial_struggle.state import State
from engine.text import Text, text

ICONS = {"debt": "debt", "fort_or_squadron": "fort or squadron", "unflag": "unflag"}
OTHERS = {
    "britain": "Britain", "france": "France", "spain": "Spain", "usa": "United States",
    "navy_box": "the Navy Box", "unbuilt": "the supply", "away": "the turn track",
    "major": "the major action", "minor": "the minor action", "upgrade": "the military upgrade",
    "event_EP": "the economic action of the event", "event_DP": "the diplomatic action of the event",
    "event_MP": "the military action of the event", "prestige": "Prestige",
    "hooghly_river": "Hooghly River", "carnatic_coast": "Carnatic Coast", "canada": "Canada",
    "denmark_norway": "Denmark-Norway", "pool": "the pool", "gone": "scrapped", "conflict_markers": "conflict markers",
    "governance": "Governance", "finance": "Finance", "mercantilism": "Mercantilism", "scholarship": "Scholarship",
    "style": "Style", "damage_fort": "damage a fort", "shift": "shift a space", "take_control": "take a space",
    "place_conflict": "conflict markers", "take_debt": "1 debt", "spend_trp": "1 TRP",
    "succession": "Succession", "empire": "Empire", "revolution": "Revolution"}


def tile_face(tile: InvestmentTile) -> str:
    """"3 DP / 2 MP, event, upgrade"."""
    symbols = [name for name, there in (("event", tile.event), ("upgrade", tile.military_upgrade)) if there]
    return ", ".join([f"{tile.major.points} {tile.major.ap} / {tile.minor.points} {tile.minor.ap}", *symbols])


def tile_name(tile: InvestmentTile) -> str:
    """"3 DP / 2 MP (event, upgrade)", so that several can be listed."""
    face, _, symbols = tile_face(tile).partition(", ")
    return f"{face} ({symbols})" if symbols else face


def war_tile(tile: WarTile) -> str:
    """"Berwick +2", "+1", "0 (debt)"."""
    strength = f"{tile.strength:+d}".replace("-", "−") if tile.strength else "0"
    return " ".join(filter(None, [tile.name, strength])) + (f" ({ICONS[tile.icon]})" if tile.icon else "")


@once
def printed(parts: Parts) -> dict[str, str]:
    known = OTHERS | ICONS
    known |= {good.commodity: good.commodity.capitalize() for good in parts.global_demand}
    known |= {country.id: country.id.replace("_", " ").title() for country in parts.countries if country.id not in known}
    known |= {ability.id: card.name for card in parts.ministries for ability in card.abilities}
    for named in (*parts.regions, *parts.spaces, *parts.wars, *parts.events, *parts.ministries, *parts.advantages):
        known.setdefault(named.id, named.name)
    known |= {keyword: keyword.capitalize() for keyword in parts.keywords}
    countries = {country.id for country in parts.countries}
    for war in parts.wars:
        for theater in war.theaters:
            known[theater.id] = f"Theater of {theater.name}" if theater.name.casefold() in countries else theater.name
            known[f"{war.id.lower()}:{theater.number}"] = known[theater.id]
    known |= {tile.id: tile_name(tile) for tile in parts.investment_tiles}
    known |= {tile.id: war_tile(tile) for tile in (*parts.basic_tiles, *parts.bonus_tiles, *parts.special_tiles)}
    for award in parts.award_tiles:
        worth = " + ".join([f"{award.vp} VP"] * bool(award.vp) + [f"{award.trp} TRP"] * bool(award.trp)) or "0 VP"
        margin = f" (lead of {award.margin_needed})" if award.margin_needed > 1 else ""
        known[award.id] = f"{worth}{margin}"
    return known


def names(parts: Parts, state: State | None = None) -> dict[str, str | Text]:
    """The names behind ids: spaces, cards, tiles, wars, sides, pools of points, and the words of choices."""
    known, pools = printed(parts), () if state is None or state.round is None else state.round.pools
    return {**known, **{pool.id: text("{n} {kind} ({source})", n=pool.points, kind=pool.kind,
                                      source=known.get(pool.id) or known.get(source_of(pool.id)) or text("bought"))
                        for pool in pools if pool.source != "tile"}}


def source_of(pool: str) -> str:
    """The card from which the points of a pool come: "ev_11" of "ev_11.3"; an ability stands for its ministry."""
    source = pool.rpartition(".")[0]
    return source.partition(".")[0] if source.startswith("M-") else source
