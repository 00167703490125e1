"""Where things stand on the plates of Imperial Struggle, in px of the board, placed by hand near where they lie in the world;
whoever moves one looks at all of them. Close-ups show the same places, further apart."""
from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

SIZES: Mapping[str, tuple[int, int]] = {"europe": (1168, 560), "north_america": (1168, 630), "caribbean": (1168, 620),
                                        "india": (792, 630)}
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
        Country("Ireland", 109, 72, (("ireland_alliance", "ireland_prestige"),)),
        Country("Scotland", 315, 64, (("scotland_alliance", "scotland_prestige"),)),
        Country("Denmark-Norway", 541, 65, (("denmark_norway",),)),
        Country("Sweden", 726, 64, (("sweden",),)),
        Country("Russia", 1095, 66, (("russia",),)),
        Country("Prussia", 890, 125, (("prussia_alliance", "prussia_prestige"),
                                      ("prussia_empire_alliance", "prussia_empire_prestige"))),
        Country("Dutch Republic", 440, 190, (("dutch_alliance", "dutch_prestige"),)),
        Country("German States", 712, 258, (("german_states_alliance_2", "german_states_alliance_3"),)),
        Country("Bavaria", 660, 379, (("bavaria",),)),
        Country("Austria", 980, 463, (("austria_alliance_2", "austria_prestige_silesia"),
                                      ("austria_alliance_3", "austria_prestige_vienna"))),
        Country("Savoy", 507, 355, (("savoy",),)),
        Country("Sardinia", 645, 500, (("sardinia",),)),
        Country("Spain", 228, 451, (("spain_alliance_north", "spain_prestige_2"), ("spain_alliance_south", "spain_prestige_3")))),
    "north_america": (Country("United States", 1077, 437, (("usa_prestige_2", "usa_prestige_3"),)),),
    "caribbean": (), "india": ()}
"""Those spaces that stand together under the name of their country."""

# The middle of a space's sign, and the lines of its name, which stand below it.
SPACES: Mapping[str, tuple[int, int, tuple[str, ...]]] = {
    "gibraltar": (65, 425, ("Gibraltar",)), "minorca": (526, 484, ("Minorca",)), "biscay": (138, 233, ("Biscay",)),
    "balearic": (403, 474, ("Balearic",)),

    "algonquin": (67, 47, ("Algonquin",)), "york_factory": (380, 47, ("York Factory",)), "hudson_bay": (545, 45, ("Hudson Bay",)),
    "quebec_montreal": (674, 92, ("Quebec &", "Montreal")), "gulf_of_st_lawrence": (879, 44, ("Gulf of", "St. Lawrence")),
    "cabot_strait": (1070, 87, ("Cabot Strait",)), "louisbourg": (819, 181, ("Louisbourg",)), "acadia": (964, 187, ("Acadia",)),
    "northeast_channel": (983, 287, ("Northeast", "Channel")), "halifax": (775, 281, ("Halifax",)),
    "georges_bank": (918, 428, ("Georges", "Bank")), "atlantic_passage": (1032, 538, ("Atlantic", "Passage")),
    "gulf_of_maine": (769, 388, ("Gulf of", "Maine")), "massachusetts_bay": (647, 457, ("Massachusetts", "Bay")),
    "northern_colonies": (458, 555, ("Northern Colonies",)), "chesapeake": (266, 582, ("Chesapeake",)),
    "hudson_valley": (423, 455, ("Hudson Valley",)), "albany": (500, 354, ("Albany",)),
    "cumberland": (114, 522, ("Cumberland",)), "ohio_forks": (77, 408, ("Ohio Forks",)), "allegheny": (230, 401, ("Allegheny",)),
    "niagara": (156, 281, ("Niagara",)), "oswego": (356, 335, ("Oswego",)),
    "champlain_valley": (653, 264, ("Champlain", "Valley")),
    "ile_aux_noix": (516, 238, ("Ile-aux-Noix",)), "cataraqui": (355, 170, ("Cataraqui",)),
    "iroquois": (85, 149, ("Iroquois",)), "sons_of_liberty": (725, 539, ("Sons of", "Liberty")),

    "louisiana": (110, 110, ("Louisiana",)), "panzacola": (256, 58, ("Panzacola",)), "georgia": (426, 43, ("Georgia",)),
    "carolinas": (548, 66, ("Carolinas",)), "san_agustin": (411, 143, ("San Agustin",)),
    "st_james": (201, 211, ("St. James",)), "bahamas_run_west": (567, 166, ("Bahamas", "Run West")),
    "bahamas_run_north": (762, 65, ("Bahamas", "Run North")), "bahamas_run": (906, 164, ("Bahamas", "Run")),
    "caicos": (710, 206, ("Caicos",)), "cuba_passage_east": (344, 260, ("Cuba Pas-", "sage East")),
    "cuba_passage": (76, 296, ("Cuba", "Passage")), "havana": (526, 441, ("Havana",)),
    "cayman_passage": (106, 431, ("Cayman", "Passage")), "gulf_of_cazones": (382, 490, ("Gulf of", "Cazones")),
    "puerto_principe": (514, 312, ("Puerto", "Principe")), "santiago": (358, 390, ("Santiago",)),
    "jamaica": (230, 446, ("Jamaica",)), "st_domingue": (680, 313, ("St. Domingue",)),
    "port_de_paix": (672, 419, ("Port de", "Paix")),
    "puerto_rico": (821, 400, ("Puerto Rico",)), "antigua": (960, 317, ("Antigua",)), "martinique": (1049, 437, ("Martinique",)),
    "st_lucia": (960, 554, ("St. Lucia",)), "antilles_channel": (833, 501, ("Antilles", "Channel")),
    "guadeloupe": (1093, 321, ("Guadeloupe",)), "barbados": (1095, 538, ("Barbados",)),
    "asiento": (57, 555, ("Asiento",)), "privateers": (1074, 78, ("Privateers",)), "buccaneers": (505, 554, ("Buccaneers",)),

    "maratha": (77, 44, ("Maratha",)), "plassey": (536, 52, ("Plassey",)), "chandernagore": (698, 45, ("Chandernagore",)),
    "west_bengal": (392, 73, ("West", "Bengal")), "hooghly_river": (562, 153, ("Hooghly", "River")),
    "malacca_route": (673, 155, ("Malacca", "Route")), "midnapore": (451, 219, ("Midnapore",)),
    "calcutta": (571, 282, ("Calcutta",)),
    "mangalore": (85, 229, ("Mangalore",)), "kurpa": (332, 299, ("Kurpa",)), "nizam": (196, 233, ("Nizam",)),
    "arcot": (460, 340, ("Arcot",)), "madras": (550, 384, ("Madras",)), "vellore": (339, 405, ("Vellore",)),
    "kanchipuram": (451, 444, ("Kanchipuram",)), "vandavasi": (639, 445, ("Vandavasi",)),
    "pondicherry": (699, 345, ("Pondicherry",)), "karaikal": (701, 565, ("Karaikal",)),
    "tiruchirappalli": (379, 565, ("Tiruchirappalli",)), "calicut": (182, 385, ("Calicut",)),
    "malabar_coast": (71, 352, ("Malabar", "Coast")), "mysore": (89, 546, ("Mysore",))}

# The middle of an advantage's tile, and the lines of its name.
ADVANTAGES: Mapping[str, tuple[int, int, tuple[str, ...]]] = {
    "baltic_trade": (686, 150, ("Baltic Trade",)), "central_europe_conflict": (793, 372, ("Central", "Europe", "Conflict")),
    "german_diplomacy": (1051, 230, ("German", "Diplomacy")), "italy_influence": (798, 511, ("Italy", "Influence")),
    "mediterranean_intrigue": (377, 347, ("Medit.", "Intrigue")), "naval_bastion": (76, 347, ("Naval", "Bastion")),
    "silesia_negotiations": (1049, 333, ("Silesia", "Negotiations")),

    "algonquin_raids": (220, 43, ("Algonquin", "Raids")), "fur_trade": (680, 28, ("Fur Trade",)),
    "iroquois_raids": (210, 133, ("Iroquois", "Raids")), "patriot_agitation": (857, 570, ("Patriot", "Agitation")),
    "wheat": (99, 606, ("Wheat",)),

    "fruit": (308, 145, ("Fruit",)), "letters_of_marque": (1080, 176, ("Letters of", "Marque")),
    "pirate_havens": (624, 547, ("Pirate", "Havens")), "rum": (839, 335, ("Rum",)),
    "slaving_contracts": (194, 569, ("Slaving", "Contracts")),

    "power_struggle": (202, 545, ("Power", "Struggle")), "raids_and_incursions": (206, 49, ("Raids and", "Incursions")),
    "separatist_wars": (100, 143, ("Separatist", "Wars")), "silk": (309, 161, ("Silk",)), "textiles": (530, 599, ("Textiles",))}
