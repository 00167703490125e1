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

# The middle of a space's sign, and the lines of its name, which stand below it.
SPACES: Mapping[str, tuple[int, int, tuple[str, ...]]] = {
    "gibraltar": (64, 399, ("Gibraltar",)), "minorca": (526, 449, ("Minorca",)), "biscay": (134, 210, ("Biscay",)),
    "balearic": (404, 419, ("Balearic",)),

    "algonquin": (86, 45, ("Algonquin",)), "york_factory": (381, 49, ("York Factory",)), "hudson_bay": (545, 41, ("Hudson Bay",)),
    "quebec_montreal": (674, 86, ("Quebec &", "Montreal")), "gulf_of_st_lawrence": (854, 41, ("Gulf of", "St. Lawrence")),
    "cabot_strait": (1059, 66, ("Cabot Strait",)), "louisbourg": (994, 161, ("Louisbourg",)), "acadia": (807, 165, ("Acadia",)),
    "northeast_channel": (1048, 256, ("Northeast", "Channel")), "halifax": (775, 261, ("Halifax",)),
    "georges_bank": (897, 386, ("Georges", "Bank")), "atlantic_passage": (1017, 498, ("Atlantic", "Passage")),
    "gulf_of_maine": (744, 353, ("Gulf of Maine",)), "massachusetts_bay": (620, 455, ("Mass. Bay",)),
    "northern_colonies": (445, 512, ("Northern Colonies",)), "chesapeake": (244, 528, ("Chesapeake",)),
    "hudson_valley": (415, 420, ("Hudson Valley",)), "albany": (502, 329, ("Albany",)),
    "cumberland": (97, 472, ("Cumberland",)), "ohio_forks": (76, 370, ("Ohio Forks",)), "allegheny": (238, 368, ("Allegheny",)),
    "niagara": (194, 230, ("Niagara",)), "oswego": (362, 305, ("Oswego",)),
    "champlain_valley": (654, 252, ("Champlain", "Valley")),
    "ile_aux_noix": (519, 226, ("Ile-aux-Noix",)), "cataraqui": (367, 146, ("Cataraqui",)),
    "iroquois": (66, 151, ("Iroquois",)), "sons_of_liberty": (733, 497, ("Sons of", "Liberty")),

    "louisiana": (96, 114, ("Louisiana",)), "panzacola": (251, 46, ("Panzacola",)), "georgia": (393, 39, ("Georgia",)),
    "carolinas": (526, 59, ("Carolinas",)), "san_agustin": (411, 134, ("San Agustin",)),
    "st_james": (210, 192, ("St. James",)), "bahamas_run_west": (567, 155, ("Bahamas", "Run West")),
    "bahamas_run_north": (730, 68, ("Bahamas", "Run North")), "bahamas_run": (876, 156, ("Bahamas", "Run")),
    "caicos": (710, 193, ("Caicos",)), "cuba_passage_east": (363, 242, ("Cuba Pas-", "sage East")),
    "cuba_passage": (75, 270, ("Cuba", "Passage")), "havana": (350, 369, ("Havana",)),
    "cayman_passage": (98, 395, ("Cayman", "Passage")), "gulf_of_cazones": (364, 475, ("Gulf of", "Cazones")),
    "puerto_principe": (506, 299, ("Puerto", "Principe")), "santiago": (505, 425, ("Santiago",)),
    "jamaica": (230, 398, ("Jamaica",)), "st_domingue": (685, 288, ("St. Domingue",)),
    "port_de_paix": (655, 396, ("Port de", "Paix")),
    "puerto_rico": (809, 380, ("Puerto Rico",)), "antigua": (938, 297, ("Antigua",)), "martinique": (1062, 377, ("Martinique",)),
    "st_lucia": (961, 517, ("St. Lucia",)), "antilles_channel": (820, 487, ("Antilles", "Channel")),
    "guadeloupe": (1085, 272, ("Guadeloupe",)), "barbados": (1099, 470, ("Barbados",)),
    "asiento": (64, 515, ("Asiento",)), "privateers": (1052, 94, ("Privateers",)), "buccaneers": (500, 519, ("Buccaneers",)),

    "maratha": (54, 39, ("Maratha",)), "plassey": (546, 45, ("Plassey",)), "chandernagore": (698, 41, ("Chandernagore",)),
    "west_bengal": (400, 52, ("West", "Bengal")), "hooghly_river": (563, 140, ("Hooghly", "River")),
    "malacca_route": (667, 147, ("Malacca", "Route")), "midnapore": (458, 197, ("Midnapore",)),
    "calcutta": (560, 265, ("Calcutta",)),
    "mangalore": (75, 228, ("Mangalore",)), "kurpa": (343, 268, ("Kurpa",)), "nizam": (207, 214, ("Nizam",)),
    "arcot": (451, 318, ("Arcot",)), "madras": (549, 371, ("Madras",)), "vellore": (347, 373, ("Vellore",)),
    "kanchipuram": (450, 415, ("Kanchipuram",)), "vandavasi": (653, 419, ("Vandavasi",)),
    "pondicherry": (715, 323, ("Pondicherry",)), "karaikal": (714, 517, ("Karaikal",)),
    "tiruchirappalli": (379, 515, ("Tiruchirappalli",)), "calicut": (193, 337, ("Calicut",)),
    "malabar_coast": (90, 328, ("Malabar", "Coast")), "mysore": (85, 495, ("Mysore",))}

# The middle of an advantage's tile, and the lines of its name.
ADVANTAGES: Mapping[str, tuple[int, int, tuple[str, ...]]] = {
    "baltic_trade": (679, 145, ("Baltic Trade",)), "central_europe_conflict": (759, 344, ("Central", "Europe", "Conflict")),
    "german_diplomacy": (1047, 218, ("German", "Diplomacy")), "italy_influence": (801, 475, ("Italy", "Influence")),
    "mediterranean_intrigue": (377, 322, ("Medit.", "Intrigue")), "naval_bastion": (76, 322, ("Naval", "Bastion")),
    "silesia_negotiations": (1024, 300, ("Silesia", "Negotiations")),

    "algonquin_raids": (223, 42, ("Algonquin", "Raids")), "fur_trade": (684, 26, ("Fur Trade",)),
    "iroquois_raids": (190, 145, ("Iroquois", "Raids")), "patriot_agitation": (865, 526, ("Patriot", "Agitation")),
    "wheat": (98, 564, ("Wheat",)),

    "fruit": (309, 134, ("Fruit",)), "letters_of_marque": (1053, 190, ("Letters of", "Marque")),
    "pirate_havens": (648, 529, ("Pirate", "Havens")), "rum": (822, 311, ("Rum",)),
    "slaving_contracts": (207, 523, ("Slaving", "Contracts")),

    "power_struggle": (191, 480, ("Power", "Struggle")), "raids_and_incursions": (186, 51, ("Raids and", "Incursions")),
    "separatist_wars": (100, 131, ("Separatist", "Wars")), "silk": (316, 146, ("Silk",)), "textiles": (530, 552, ("Textiles",))}
