"""What abilities and advantages do, in few words for menus; the full text is in the data and on `words.cards`."""
from __future__ import annotations

from collections.abc import Mapping

from engine.text import Text, text

ABILITIES: Mapping[str, Text] = {
    "M-1.1": text("more DP for Savoy, Sardinia and Prestige in Spain and Austria, at most 3"),
    "M-2.1": text("debt −1 when the turn ends, −2 with a space in Scotland"),
    "M-3.1": text("the Europe award is worth 1 VP more to you"),
    "M-4.1": text("MP shift Scottish and Irish spaces this round"),
    "M-4.2": text("3 MP buy 1 VP per Scottish and Irish space and Jacobite Victory, at most 4"),
    "M-5.1": text("draw an event, then discard one"),
    "M-6.1": text("flag Scottish and Irish spaces for 1 DP less"),
    "M-6.2": text("with a space in Ireland, minor DP may unflag in Europe"),
    "M-7.1": text("1 VP per unexhausted Fruit, Fur Trade, Rum, Silk and Textiles when scoring, at most 3"),
    "M-8.1": text("debt limit +1"),
    "M-8.2": text("play an economic event without an economic major action"),
    "M-9.1": text("put Huguenots on a territory; they make one market there 1 EP cheaper"),
    "M-10.1": text("build a squadron for 2 MP"),
    "M-10.2": text("give up an event for 1 TRP"),
    "M-11.1": text("once a turn, 1 MP more for bonus tiles and deployments"),
    "M-11.2": text("build a squadron for 2 MP, with one in North America"),
    "M-12.1": text("1 TRP more for the India award, Cotton and Spice"),
    "M-13.1": text("1 TRP for your first European advantage of a round"),
    "M-14.1": text("1 TRP per country with Prestige of yours when Europe is awarded, at most 3"),
    "M-15.1": text("once a turn, 1 DP more for spaces without Prestige"),
    "M-15.2": text("build a squadron for 2 MP"),
    "M-16.1": text("unflag in Russia, Prussia and the German States for 1 DP less this round"),
    "M-17.1": text("the first 2 debt a turn that you take as EP don't raise your debt"),
    "M-18.1": text("the Europe award is worth 1 VP more to you, 1 less to France"),
    "M-19.1": text("debt beyond your limit brings France no VP"),
    "M-19.2": text("1 TRP for the first advantage that France uses in a round"),
    "M-20.1": text("Jacobite Uprisings leave the game"),
    "M-20.2": text("once a turn, 2 DP more for Scottish and Irish spaces"),
    "M-21.1": text("minor EP may unflag one good until the turn ends"),
    "M-22.1": text("begin your tile's major action with 1 DP more per Irish space, in Europe only"),
    "M-22.2": text("shift Sons of Liberty and the United States for 1 DP less"),
    "M-23.1": text("with more available debt, the first debt of a round is worth 2"),
    "M-24.1": text("leading in Furs and Fish: 1 EP more for each economic action"),
    "M-24.2": text("flipped Huguenots can help again"),
    "M-25.1": text("play an event on a tile without the symbol"),
    "M-26.1": text("after an event with its bonus, 1 AP more for both actions of the tile")}

TOGETHER: Mapping[str, Text] = {              # of ministries whose two abilities are too long for one line
    "M-4": text("MP shift Scottish and Irish spaces; 3 MP buy up to 4 VP"),
    "M-6": text("Scotland and Ireland cost 1 DP less to flag; with an Irish space, minor DP may unflag"),
    "M-11": text("1 MP more for tiles and deployments; squadrons for 2 MP"),
    "M-24": text("leading in Furs and Fish, 1 EP more an action; flipped Huguenots help again"),
    "M-19": text("no VP for debt beyond your limit; 1 TRP when France uses an advantage"),
    "M-22": text("1 DP more per Irish space, in Europe; Sons of Liberty and the United States 1 DP less")}

ADVANTAGES: Mapping[str, Text] = {
    "baltic_trade": text("lower your debt by 2"),
    "central_europe_conflict": text("marker on a European Alliance space"),
    "german_diplomacy": text("unflag Bavaria, Russia or Sweden for 1 DP"),
    "italy_influence": text("unflag in Spain or Austria for 1 DP"),
    "mediterranean_intrigue": text("marker in Spain, Austria or Sardinia"),
    "naval_bastion": text("send an opposing squadron to the Navy Box for 1 MP"),
    "silesia_negotiations": text("unflag in Prussia or the German States for 1 DP"),
    "algonquin_raids": text("marker on a Furs market"),
    "fur_trade": text("unflag a market in North America for 1 EP"),
    "iroquois_raids": text("marker on a Furs market"),
    "patriot_agitation": text("marker on a market or political space in North America"),
    "wheat": text("unflag a market in North America for 1 EP less"),
    "fruit": text("unflag a market in the Caribbean for 1 EP less"),
    "letters_of_marque": text("marker on an unprotected Caribbean market"),
    "pirate_havens": text("marker on an unprotected Caribbean market"),
    "rum": text("unflag a market in the Caribbean for 1 EP less"),
    "slaving_contracts": text("build a squadron for 2 MP"),
    "power_struggle": text("marker on a market of the Carnatic Coast"),
    "raids_and_incursions": text("marker on a market in India"),
    "separatist_wars": text("marker on a Cotton market"),
    "silk": text("unflag a market in India for 1 EP less"),
    "textiles": text("unflag a market in India for 1 EP less")}
