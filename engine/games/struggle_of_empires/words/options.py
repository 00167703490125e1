"""Every option in plain words, for those who open a game and for those who think of joining it (table of differences, A.8)."""
from __future__ import annotations

from engine.kernel.option_words import Choice, Subject
from engine.text import text

SETTING = (
    Choice("neutrals.at_setup", text("Neutral markers at the start"), {
        "ten": text("10 neutral markers are drawn at the start."),
        "by_players": text("10 neutral markers at the start; 9 with six or five players, 8 with four, 6 with three, 4 "
                           "with two."),
    }, ("SOE-2.1.2", "SOE-2.1.3")),
    Choice("neutrals.per_war", text("Neutral markers of a war"), {
        "ten": text("Wars 2 and 3 each bring 10 neutral markers."),
        "by_players": text("Wars 2 and 3 bring 10 neutral markers with seven players, 9 with five or six, 8, 6 or 4 with fewer."),
    }, ("SOE-4.2.2", "SOE-4.2.3")),
    Choice("neutrals.discard_to", text("Used neutral markers"), {
        "box": text("Used neutral markers go into the box."),
        "display": text("Used neutral markers stay face up in the display."),
    }, ("SOE-1.2.6",)),
    Choice("setup.redraw", text("Redraw"), {
        False: text("You keep the five markers you draw at the start."),
        True: text("You may once put back any of your five drawn markers and draw as many again."),
    }, ("SOE-2.1.9",)),
    Choice("npp.mode", text("Non-player powers"), {
        "off": text("Powers nobody plays aren't in the game."),
        "all_counts": text("With fewer than seven players the other powers are on the map; with two or three they also score."),
        "two_three": text("With two or three players the other powers are on the map and score; with more they aren't there."),
    }, ("SOE-19.1.1", "SOE-19.1.5", "SOE-19.3.1")),
    Choice("markers.map_limit", text("Control markers on the map"), {
        20: text("A power may have 20 control markers on the map; three are used on the tracks."),
        23: text("A power may have all its 23 control markers on the map."),
    }, ("SOE-1.1.6", "SOE-1.1.7")),
)

TURNS = (
    Choice("turn.special_limit", text("Special actions in a turn"), {
        "per_kind": text("You may buy one tile and colonise or enslave once in the same turn."),
        "shared": text("You get one special action a turn: colonise, commerce, local alliance, tile or covert token."),
    }, ("SOE-6.2.2", "SOE-6.2.3", "SOE-6.3.2")),
    Choice("turn.pass_relief", text("Passing"), {
        0: text("Passing doesn't reduce unrest."),
        1: text("If you pass and don't attack in a turn, you give back 1 unrest."),
    }, ("SOE-15.1.3", "SOE-15.1.7")),
)

MOVES = (
    Choice("move.europe_conditions", text("Armies within Europe"), {
        True: text("To enter a European area, an army needs a marker there or next to it, its home or a navy."),
        False: text("Armies may enter any European area."),
    }, ("SOE-8.2.5", "SOE-8.2.6")),
    Choice("move.failed_unit_again", text("A unit that failed to cross"), {
        False: text("A unit that failed to cross can't move again in the same move action."),
        True: text("A unit that failed to cross may try again in the same move action."),
    }, ("SOE-8.1.5",)),
    Choice("move.same_unit_next_action", text("The same unit in both moves"), {
        True: text("Your second move action in a turn may move the same units again."),
        False: text("Your second move action in a turn can't move the units of the first."),
    }, ("SOE-8.1.6",)),
    Choice("move.allied_navy_counts", text("Allied navies as bridges"), {
        False: text("An army needs one of your own navies to enter a colony or a European area."),
        True: text("An ally's navy lets your army in just as your own does."),
    }, ("SOE-8.2.7",)),
    Choice("cross.model", text("Crossings"), {
        "one_die": text("Roll one die to cross. On a 1, roll again: 1 or 2, you sink; 3 or 4, you turn back."),
        "far_lands_die": text("Roll the Far Lands die to cross: tick, you arrive; arrow, you turn back; cross, you sink."),
    }, ("SOE-8.3.4", "SOE-8.4.1")),
    Choice("cross.rescue_gold", text("Mending a crossing"), {
        False: text("A bad crossing can't be mended with gold."),
        True: text("A bad crossing can be mended: 1 gold after an arrow, 2 or 3 after a cross."),
    }, ("SOE-8.4.3", "SOE-8.4.4")),
    Choice("navigation.effect", text("Navigation"), {
        "second_die": text("Navigation adds 2 to the second die of a crossing."),
        "mending": text("With Navigation, mending a crossing costs 1 gold less."),
    }, ("SOE-12.11.1", "SOE-12.11.2")),
)

BUILDING = (
    Choice("build.rebuild_when", text("When to rebuild"), {
        "any_time": text("You may destroy a unit to rebuild it elsewhere at any time."),
        "exhausted": text("You may rebuild a unit only if the supply has none of its type."),
    }, ("SOE-7.3.2", "SOE-7.3.3")),
    Choice("build.rebuild_population", text("Price of a rebuild"), {
        True: text("A rebuild costs 1 population and 1 unrest."),
        False: text("A rebuild costs 1 unrest and no population."),
    }, ("SOE-7.3.4",)),
    Choice("build.home_fort_may_move", text("A fort at home"), {
        True: text("A fort left at home may go to an area later."),
        False: text("A fort left at home by choice stays there."),
    }, ("SOE-7.2.3", "SOE-7.2.4")),
    Choice("militia.types", text("Militia"), {
        "any": text("Militia's extra unit can be of any type."),
        "army": text("Militia's extra unit is an army."),
    }, ("SOE-12.8.4",)),
    Choice("tiles.free_builds_use_action", text("Mercenaries and Pressgangs"), {
        False: text("Mercenaries, Pressgangs and Trained Natives build as a free action."),
        True: text("Mercenaries, Pressgangs and Trained Natives use a build action, but no population."),
    }, ("SOE-12.5.1", "SOE-12.6.1", "SOE-12.7.1")),
)

ATTACKS = (
    Choice("help.auto_call", text("Calling allies"), {
        True: text("All allies are asked for help; nobody chooses whom to call."),
        False: text("The attacker and the defender choose which allies to ask for help."),
    }, ("SOE-9.4.1", "SOE-9.4.2")),
    Choice("attack.naval_only_with_army", text("Attacks at sea only"), {
        False: text("If you have an army there, you must also attack on land."),
        True: text("You may attack with navies only, even if you have an army there."),
    }, ("SOE-9.1.3", "SOE-9.1.4")),
    Choice("attack.naval_only_declinable", text("Refusing a fight at sea"), {
        True: text("The defender may refuse a fight at sea only; the attack then ends."),
        False: text("The defender must fight when attacked with navies only."),
    }, ("SOE-9.5.12",)),
    Choice("naval.own_navy_needed", text("Your own navies at sea"), {
        True: text("You fight at sea only if you have a navy of your own there."),
        False: text("You can fight at sea with your helpers' navies only."),
    }, ("SOE-9.5.5", "SOE-9.5.6")),
    Choice("naval.ottoman_uses_mediterranean", text("Sea fights for the Ottoman Empire"), {
        True: text("An attack in the Ottoman Empire has a naval stage in the Mediterranean."),
        False: text("An attack in the Ottoman Empire has no naval stage."),
    }, ("SOE-9.5.2", "SOE-9.5.3")),
    Choice("naval.tie_support", text("A tie at sea"), {
        "none": text("After a tie at sea nobody has naval support."),
        "defender": text("After a tie at sea the defender has naval support."),
    }, ("SOE-9.8.2",)),
    Choice("training.land_unit", text("Army Training"), {
        "army_or_fort": text("Army Training needs an army of yours in the fight; when defending, a fort will do."),
        "army": text("Army Training needs an army of yours in the fight."),
    }, ("SOE-12.1.3", "SOE-12.1.4")),
    Choice("reserves.order", text("Reserves"), {
        "attacker_first": text("After each roll the attacker decides first about Reserves."),
    }, ("SOE-12.3.4",)),
    Choice("reactions.parallel", text("Order of decisions in an attack"), {
        False: text("In an attack players decide one after the other."),
        True: text("In an attack all involved decide at once, in secret; their decisions are then applied in order."),
    }, ("SOE-20.1.8",)),
)

LOSSES = (
    Choice("loss.fort_tie_seven", text("Forts in a tie"), {
        False: text("A fort is never lost in a tie."),
        True: text("In a tie a fort can be lost to a rolled 7."),
    }, ("SOE-9.10.9", "SOE-9.10.10")),
    Choice("loss.army_first", text("Army or fort"), {
        False: text("If you can lose an army or a fort, you choose which."),
        True: text("An army is lost before a fort; nobody is asked."),
    }, ("SOE-9.10.8",)),
    Choice("withdrawal.units_go", text("Fighting Withdrawal"), {
        "home": text("With Fighting Withdrawal, units that would be lost go home; a fort stays."),
        "stay": text("With Fighting Withdrawal, units that would be lost stay where they are."),
    }, ("SOE-12.18.5",)),
)

ALLIANCES = (
    Choice("alliance.mode", text("Alliances"), {
        "tiles": text("Alliances are tiles; several can help in the same area."),
        "local": text("Alliances are local alliance markers, placed by a special action."),
    }, ("SOE-13.1.1", "SOE-13.2.1")),
    Choice("alliance.cost", text("Price of an alliance"), {
        "printed": text("An alliance costs what its tile says."),
        "places": text("A local alliance is free, but costs 1 gold at the Ottoman Empire, Portugal, Gaucho and Denmark."),
    }, ("SOE-13.1.2", "SOE-13.2.3")),
    Choice("alliance.one_per", text("Room for local alliances"), {
        "place": text("Each place holds one local alliance; an area can have several places."),
        "area": text("Each area holds one local alliance."),
    }, ("SOE-13.2.2",)),
)

COVERT = (
    Choice("covert.mode", text("How they come into play"), {
        "tiles": text("Pirates and Slave Revolt are tiles, played when they are bought."),
        "tokens": text("Pirates and the revolt are two covert tokens, used by a special action."),
    }, ("SOE-14.1.1", "SOE-14.1.2")),
    Choice("covert.pirates_beaten_by", text("Beating Pirates"), {
        "land": text("Pirates are beaten by an attack on land, like a neutral marker."),
        "sea": text("Pirates are beaten by an attack at sea."),
    }, ("SOE-14.4.3", "SOE-14.4.4")),
    Choice("covert.revolt_counts_naval_support", text("Naval support against a revolt"), {
        True: text("A navy in the colony supports its owner against a revolt."),
        False: text("Navies don't count against a revolt."),
    }, ("SOE-14.3.3", "SOE-14.3.4")),
    Choice("covert.retry_after_failure", text("After a failure"), {
        "tile_limit": text("After a failure the tile goes back to the stock. You can't buy it again this turn."),
        "next_round": text("If you fail with Pirates or a revolt, you can't use it again that round."),
    }, ("SOE-14.2.10",)),
)

TILES = (
    Choice("tiles.classes", text("Kinds of tiles"), {
        "marks": text("A tile's mark says how often you can use it: triangle once a war, square once, no mark always."),
        "classes": text("Tiles have classes: free actions once a war, improvements always, tactics once, immediate at once."),
    }, ("SOE-11.2.1", "SOE-11.2.2", "SOE-11.2.3", "SOE-11.3.1", "SOE-11.3.2", "SOE-11.3.3", "SOE-11.3.4")),
    Choice("tiles.company_cap", text("Companies"), {
        "none": text("You may own any number of companies."),
        "three": text("With two or three players you may own 3 companies at most."),
    }, ("SOE-12.21.3", "SOE-12.21.4")),
)

MONEY = (
    Choice("income.population", text("Income from population"), {
        True: text("Population brings income, 1 gold each, as control markers do."),
        False: text("Only control markers bring income."),
    }, ("SOE-17.1.1",)),
    Choice("tax.for_gifts", text("Taxing for gifts"), {
        False: text("You can't tax to give gold."),
        True: text("You may tax to give gold."),
    }, ("SOE-16.1.4", "SOE-3.1.5")),
    Choice("gifts.when", text("When to give gold"), {
        "any": text("You may give gold at any time."),
        "own_turn": text("You may give gold only on your own turn."),
    }, ("SOE-16.1.3",)),
    Choice("talk.untradeable_list", text("What can't be traded"), {
        False: text("The rules name only money as something you can offer."),
        True: text("Control markers, forts, tile benefits and local alliances can't be traded."),
    }, ("SOE-16.1.5",)),
)

END = (
    Choice("unrest.model", text("Unrest"), {
        "count": text("Every unrest marker counts 1."),
        "bag": text("You draw unrest markers from a bag; their values count, and only you know yours."),
    }, ("SOE-3.3.6", "SOE-3.3.7", "SOE-3.3.8")),
    Choice("end.penalties", text("Penalties for unrest"), {
        "seven_four": text("The most unrest costs 7 points, the next most 4."),
        "by_players": text("The most unrest costs 7 points, the next most 4 (three players: 5; two players: nothing)."),
    }, ("SOE-18.2.2", "SOE-18.2.3", "SOE-18.2.4", "SOE-18.2.5")),
    Choice("end.zero_unrest_exempt", text("No unrest at all"), {
        False: text("No unrest counts like any other number."),
        True: text("If you have no unrest, you pay no penalty."),
    }, ("SOE-18.2.8",)),
    Choice("end.tiebreak", text("A tie for victory"), {
        "least_unrest": text("The least unrest breaks a tie for victory; after that it is shared."),
    }, ("SOE-18.3.2",)),
)

SECRETS = (
    Choice("gm.sees_secrets", text("The game master and secrets"), {
        False: text("The game master can't see anybody's unrest before the end."),
        True: text("The game master can look at everybody's unrest, in private."),
    }, ("SOE-21.1.6",), told=True),
    Choice("gold.public", text("Gold in view"), {
        True: text("Everybody sees everybody's gold."),
        False: text("Each player's gold is secret."),
    }, ("SOE-3.1.1",), told=True),
    Choice("gifts.public", text("Gifts in view"), {
        True: text("Every gift of gold is announced to all."),
        False: text("Only giver and receiver know about a gift of gold; the history leaves it out."),
    }, ("SOE-16.1.7",), told=True),
    Choice("undo.same_dice", text("Dice after an undo"), {
        True: text("After an undo, the same moves get the same dice."),
        False: text("After an undo, the dice are rolled afresh."),
    }, ("SOE-20.1.4",)),
    Choice("ui.neutral_wording", text("Wording"), {
        False: text("Actions use the edition's words, such as enslaving."),
        True: text("Harsh words in the rules are replaced by neutral ones."),
    }, ("SOE-10.1.1",)),
)

SUBJECTS = (
    Subject("setting", text("Setup and turns"), SETTING + TURNS),
    Subject("moves", text("Moving and building"), MOVES + BUILDING),
    Subject("attacks", text("Attacks, losses, pirates and revolts"), ATTACKS + LOSSES + COVERT),
    Subject("money", text("Alliances, tiles and money"), ALLIANCES + TILES + MONEY),
    Subject("end", text("Unrest, the end, and who sees what"), END + SECRETS))
