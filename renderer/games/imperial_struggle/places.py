"""Where things stand on the plates of Imperial Struggle, in px of the board, placed by hand near where they lie in the world;
whoever moves one looks at all of them. Close-ups show the same places, further apart."""
from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

SIZES: Mapping[str, tuple[int, int]] = {"europe": (1168, 520), "north_america": (1168, 590), "caribbean": (1168, 580),
                                        "india": (792, 580)}
"""Width and height of each plate on the board."""

NEAR: Mapping[str, tuple[int, int]] = {"europe": (1168, 836), "north_america": (1168, 900), "caribbean": (1168, 900),
                                       "india": (1168, 930)}
"""The same in a close-up."""


class Country(NamedTuple):
    """A country of Europe, or the United States: its name over its spaces."""

    name: str
    x: int                  # the middle of all
    y: int
    rows: tuple[tuple[str, ...], ...]


COUNTRIES: Mapping[str, tuple[Country, ...]] = {
    "europe": (
        Country("Ireland", 109, 67, (("ireland_alliance", "ireland_prestige"),)),
        Country("Scotland", 312, 68, (("scotland_alliance", "scotland_prestige"),)),
        Country("Denmark-Norway", 541, 63, (("denmark_norway",),)),
        Country("Sweden", 728, 63, (("sweden",),)),
        Country("Russia", 1084, 68, (("russia",),)),
        Country("Prussia", 891, 119, (("prussia_alliance", "prussia_prestige"),
                                      ("prussia_empire_alliance", "prussia_empire_prestige"))),
        Country("Dutch Republic", 444, 192, (("dutch_alliance", "dutch_prestige"),)),
        Country("German States", 712, 230, (("german_states_alliance_2", "german_states_alliance_3"),)),
        Country("Bavaria", 627, 346, (("bavaria",),)),
        Country("Austria", 983, 425, (("austria_alliance_2", "austria_prestige_silesia"),
                                      ("austria_alliance_3", "austria_prestige_vienna"))),
        Country("Savoy", 506, 318, (("savoy",),)),
        Country("Sardinia", 655, 459, (("sardinia",),)),
        Country("Spain", 227, 418, (("spain_alliance_north", "spain_prestige_2"), ("spain_alliance_south", "spain_prestige_3")))),
    "north_america": (Country("United States", 1070, 402, (("usa_prestige_2", "usa_prestige_3"),)),),
    "caribbean": (), "india": ()}
"""Those spaces that stand together under the name of their country."""

# The middle of a space's sign; its name stands below it.
SPACES: Mapping[str, tuple[int, int]] = {
    "gibraltar": (64, 399), "minorca": (526, 449), "biscay": (134, 210), "balearic": (404, 419),

    "algonquin": (86, 45), "york_factory": (381, 49), "hudson_bay": (545, 41),
    "quebec_montreal": (674, 86), "gulf_of_st_lawrence": (854, 41),
    "cabot_strait": (1059, 66), "louisbourg": (994, 161), "acadia": (807, 165),
    "northeast_channel": (1048, 256), "halifax": (775, 261), "georges_bank": (897, 386), "atlantic_passage": (1017, 498),
    "gulf_of_maine": (744, 353), "massachusetts_bay": (620, 455), "northern_colonies": (445, 512), "chesapeake": (244, 528),
    "hudson_valley": (415, 420), "albany": (502, 329),
    "cumberland": (97, 472), "ohio_forks": (76, 370), "allegheny": (238, 368), "niagara": (194, 230), "oswego": (362, 305),
    "champlain_valley": (654, 252), "ile_aux_noix": (519, 226), "cataraqui": (367, 146),
    "iroquois": (66, 151), "sons_of_liberty": (733, 497),

    "louisiana": (96, 114), "panzacola": (251, 46), "georgia": (393, 39), "carolinas": (526, 59), "san_agustin": (411, 134),
    "st_james": (210, 192), "bahamas_run_west": (567, 155), "bahamas_run_north": (730, 68), "bahamas_run": (876, 156),
    "caicos": (710, 193), "cuba_passage_east": (363, 242), "cuba_passage": (75, 270), "havana": (350, 369),
    "cayman_passage": (98, 395), "gulf_of_cazones": (364, 475), "puerto_principe": (506, 299), "santiago": (505, 425),
    "jamaica": (230, 398), "st_domingue": (685, 288), "port_de_paix": (655, 396),
    "puerto_rico": (809, 380), "antigua": (938, 297), "martinique": (1062, 377),
    "st_lucia": (961, 517), "antilles_channel": (820, 487), "guadeloupe": (1085, 272), "barbados": (1099, 470),
    "asiento": (64, 515), "privateers": (1052, 94), "buccaneers": (500, 519),

    "maratha": (54, 39), "plassey": (546, 45), "chandernagore": (698, 41),
    "west_bengal": (400, 52), "hooghly_river": (563, 140), "malacca_route": (667, 147), "midnapore": (458, 197),
    "calcutta": (560, 265), "mangalore": (75, 228), "kurpa": (343, 268), "nizam": (207, 214),
    "arcot": (451, 318), "madras": (549, 371), "vellore": (347, 373), "kanchipuram": (450, 415), "vandavasi": (653, 419),
    "pondicherry": (715, 323), "karaikal": (714, 517), "tiruchirappalli": (379, 515), "calicut": (193, 337),
    "malabar_coast": (90, 328), "mysore": (85, 495)}

# The middle of an advantage's tile.
ADVANTAGES: Mapping[str, tuple[int, int]] = {
    "baltic_trade": (679, 145), "central_europe_conflict": (759, 344),
    "german_diplomacy": (1047, 218), "italy_influence": (801, 475),
    "mediterranean_intrigue": (377, 322), "naval_bastion": (76, 322), "silesia_negotiations": (1024, 300),

    "algonquin_raids": (223, 42), "fur_trade": (684, 26), "iroquois_raids": (190, 145), "patriot_agitation": (865, 526),
    "wheat": (98, 564),

    "fruit": (309, 134), "letters_of_marque": (1053, 190), "pirate_havens": (648, 529), "rum": (822, 311),
    "slaving_contracts": (207, 523),

    "power_struggle": (191, 480), "raids_and_incursions": (186, 51),
    "separatist_wars": (100, 131), "silk": (316, 146), "textiles": (530, 552)}
