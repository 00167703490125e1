"""From a story to what each picture shows. Public scenes are made from public views, whoever looks; only the board holds what its
reader alone may see."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from engine.games.imperial_struggle.components import SIDES, Side
from engine.games.imperial_struggle.components.parts import Parts
from engine.games.imperial_struggle.components.wars import Spoils, Theater as TheaterData, War as WarData
from engine.games.imperial_struggle.events.money import treaty_points, victory_points
from engine.games.imperial_struggle.events.turns import GameEnded, RoundOver, StepBegun
from engine.games.imperial_struggle.events.wars import TheaterSettled
from engine.games.imperial_struggle.pictures import scenes as sc
from engine.games.imperial_struggle.rules.control import flag_count, goods_count, prestige_count
from engine.games.imperial_struggle.rules.ministry_effects import award_change
from engine.games.imperial_struggle.rules.theaters import bonus_strength
from engine.games.imperial_struggle.rules.victory import PRESTIGE_VP
from engine.games.imperial_struggle.state import State, TheaterResult
from engine.games.imperial_struggle.view import View, view
from engine.games.imperial_struggle.words.menus import MENUS
from engine.games.imperial_struggle.words.nouns import names
from engine.kernel import Action, Seat
from engine.kernel.game_spec import CLOSEUP, Picture, Replay, numbered
from engine.refusals import Refusal
from engine.text import Text, count, printed, say, template, text, verbatim
from engine.text.aloud import row


def _people(story: Replay, s: State) -> sc.People:
    if s.phase in ("setup", "sides"):
        return ()
    named = [(s.power(Seat(seat)), story.people.get(Seat(seat), "")) for seat in s.seats]
    return tuple((side, name) for side, name in named if name)


def _views(story: Replay, s: State, seat: Seat | None) -> tuple[View, View | None]:
    known = story.known()
    now, before = view(s, seat), view(known, seat) if known is not None else None
    return now, before if before != now else None


def _when(s: State) -> str:
    """"Turn 3", or the war under way by its name."""
    return say(turns(s.parts)[s.turn])


# --- the board ------------------------------------------------------------------------------------------------

def board(story: Replay) -> sc.Board:
    """The board for the story's reader, with what is new since the last look, and where a seat may act now."""
    s: State = story.end()
    now, before = _views(story, s, story.seat)
    ways = spaces_of(story.options, s) if story.seat is not None else ()
    return sc.Board(now=now, before=before, ways=ways, strength=strengths(s), people=_people(story, s))


def spaces_of(options: Iterable[Action], s: State) -> tuple[str, ...]:
    """The spaces that these answers name, in the order of the data."""
    named = {str(value) for option in options for _, value in option}
    return tuple(space.id for space in s.parts.spaces if space.id in named)


def strengths(s: State) -> tuple[tuple[int, int], ...]:
    """Return what is known to everybody of the strength of both sides in each theater of the next war [IS-14.5]."""
    war = s.next_war
    return tuple((theater.britain, theater.france) for theater in theaters(s, war, None)) if war is not None else ()


# --- a region -------------------------------------------------------------------------------------------------

def regions(parts: Parts) -> Mapping[str, Text]:
    return {region.id: printed(region.name) for region in parts.regions}


def _changed(now: View, before: View | None) -> list[str]:
    if before is None:
        return []
    known = {space.space: space for space in before.spaces}
    return list(dict.fromkeys(space.region for space in now.spaces if space != known[space.space]))


def region(story: Replay) -> sc.Region:
    """A region close up: the subject, or the first one where something is new, or Europe."""
    s: State = story.end()
    now, before = _views(story, s, None)
    about = story.subject if story.subject in regions(s.parts) else next(iter(_changed(now, before)), s.parts.regions[0].id)
    known = numbered(MENUS, numbers(s.parts), story.options) if story.seat is not None else {}
    there = tuple((space, number) for space, number in known.items() if s.space(space).region == about)
    return sc.Region(region=about, now=now, before=before, numbers=there, people=_people(story, s))


def numbers(parts: Parts) -> Mapping[str, int]:
    """The spaces with their numbers in close-ups, region by region in the order of the data. Territories, which only wars move,
    come last: a third figure finds no room on a sign."""
    ordered = sorted(areas(parts), key=lambda space: parts.space[space].type == "territory")
    return {space: number for number, space in enumerate(ordered, 1)}


def areas(parts: Parts) -> Mapping[str, str]:
    return {space: region.id for region in parts.regions for space in parts.by_region[region.id]}


# --- the war --------------------------------------------------------------------------------------------------

def theaters(s: State, war: WarData, seat: Seat | None) -> tuple[sc.Theater, ...]:
    """Each theater of a war: the settled ones as they ended, the others by what the board lends and this reader sees."""
    settled = {result.theater: result for result in s.war.results} if s.war is not None and s.war.war == war.id else {}
    return tuple(_theater(s, theater, settled.get(theater.number), s.power(seat) if seat else None) for theater in war.theaters)


def _theater(s: State, theater: TheaterData, result: TheaterResult | None, reader: Side | None) -> sc.Theater:
    called = names(s.parts)
    lines = {side: result.lines.get(side, []) if result is not None else bonus_strength(s, theater, side) for side in SIDES}
    found = {line.source: None for side in SIDES for line in lines[side]}
    amounts = {side: {line.source: line.amount for line in lines[side]} for side in SIDES}
    lying = {side: s.own[side].tiles[theater.number - 1] if result is None and theater.number <= len(s.own[side].tiles) else []
             for side in SIDES}
    shown = {side: [tile for line in lines[side] if line.source == "tiles" for tile in line.of] if result is not None
             else lying[side] if side == reader else [] for side in SIDES}
    if reader is not None and lying[reader]:
        found[OWN_TILES] = None
        amounts[reader][OWN_TILES] = sum(s.parts.war_tile[tile].strength for tile in lying[reader])
    total = {side: sum(amounts[side].values()) for side in SIDES}
    basic = {side: sum(s.parts.war_tile[tile].basic for tile in lying[side]) for side in SIDES}
    margin = abs(total["britain"] - total["france"])
    ahead: Side | None = None if not margin else "britain" if total["britain"] > total["france"] else "france"
    return sc.Theater(
        number=theater.number, name=theater.name, britain=total["britain"], france=total["france"],
        tiles=tuple((basic[side], len(lying[side]) - basic[side]) for side in SIDES),
        shown=tuple(tuple(say(called[tile]) for tile in shown[side]) for side in SIDES),
        lines=tuple(sc.Line(name=LINES.get(source) or _capital(say(called.get(source, source))),
                            britain=amounts["britain"].get(source, 0), france=amounts["france"].get(source, 0))
                            for source in found),
        spoils=tuple((_margin(row), say(_gain(row, s)), say(treaty_points(row.loser.trp)) if row.loser.trp else "–",
                      ahead is not None and row == theater.row(ahead, margin)) for row in theater.spoils),
        territories=tuple(s.space(space).name for space in theater.eligible_territories
                          if any(row.winner.cp for row in theater.spoils)),
        winner=result.winner if result is not None else ahead or "", settled=result is not None, margin=margin)


OWN_TILES = "own_tiles"         # those of the reader that lie face down
LINES = {"tiles": template("War tiles"), OWN_TILES: template("Your tiles"), "squadrons": template("Squadrons"),
         "forts": template("Forts"), "conflict_markers": template("Conflict markers"), "byng": "Byng",
         "atlantic_dominance": "Atlantic Dominance"}


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _margin(row: Spoils) -> str:
    """"1–2", "5+", with the winner's letter where the row is for one side alone."""
    side = f"{row.winner_side[0].upper()} " if row.winner_side else ""
    if row.margin_max is None:
        return f"{side}{row.margin_min}+"
    return f"{side}{row.margin_min}" if row.margin_max == row.margin_min else f"{side}{row.margin_min}–{row.margin_max}"


def _gain(row: Spoils, s: State) -> Text:
    """Return what the winner gets: "2 VP, 1 CP"."""
    gain = row.winner
    said = [victory_points(gain.vp)] * bool(gain.vp) + [text("{n} CP", n=gain.cp)] * bool(gain.cp)
    if gain.unflag is not None:
        said.append(text("unflag {n}", n=gain.unflag.count))
    said += [*[printed("Atlantic Dominance")] * gain.atlantic_dominance, *[printed("United States")] * gain.usa,
             *[printed("Canada")] * gain.canada]
    if lost := gain.loser_squadrons_to_unbuilt:
        said.append(count(lost, "−{n} squadron", "−{n} squadrons"))
    return listed(said)


def listed(said: Sequence[Text]) -> Text:
    return row(said) if said else text("nothing")


def wars(parts: Parts) -> Mapping[str, Text]:
    return {war.id: printed(war.name) for war in parts.wars}


def war(story: Replay) -> sc.War:
    """The war under way or the next one, or the one that is asked for, theater by theater; a seat sees its own tiles."""
    s: State = story.end()
    about = s.parts.war.get(story.subject) or s.next_war
    if about is None:
        raise Refusal("All wars have been fought.", rule="IS-1.6")
    if about != s.next_war:
        raise Refusal("I only show the next war or the one under way: {war}.", rule="IS-1.6",
                      war=s.next_war.id if s.next_war is not None else "none")
    return sc.War(title=s.parts.title, when=_when(s), name=about.name, under_way=s.war is not None,
                  theaters=theaters(s, about, story.seat), people=_people(story, s))


def fresh_wars(story: Replay) -> list[str]:
    """The war, if a theater of it has been settled since the reader's last look."""
    s: State = story.end()
    fresh = any(isinstance(event, TheaterSettled) and no > story.since for no, event, _ in story.events())
    return [s.war.war] if fresh and s.war is not None else []


# --- forecast -------------------------------------------------------------------------------------------------

def forecast(story: Replay) -> sc.Forecast:
    """Return what the scoring of this turn and the next war would bring if nothing changed any more; a reader's own tiles
    count."""
    s: State = story.end()
    rows = [*_awards(s), _prestige(s), *_goods(s)] if s.awards else []
    moved = sum(s.toward(side, vp) for side, vp in ((row.winner, points) for row, points in rows) if side in SIDES)
    about = s.next_war
    reader = s.power(story.seat) if story.seat is not None and s.phase not in ("setup", "sides") else None
    if about is not None:
        rows += [(_theater_row(s, data, theater, reader), 0)
                 for data, theater in zip(about.theaters, theaters(s, about, None), strict=True) if not theater.settled]
    war = "" if about is None else say(about.name if reader is None else text("{war}, with your tiles", war=about.name))
    return sc.Forecast(title=s.parts.title, when=_when(s), vp=s.vp, end=s.vp + moved, war=war,
                       rows=tuple(row for row, _ in rows), people=_people(story, s))


def _awards(s: State) -> Iterator[tuple[sc.Row, int]]:
    for region in s.parts.regions:
        tile = s.parts.award[s.awards[region.id]]
        britain, france = flag_count(s, "britain", region.id), flag_count(s, "france", region.id)
        row = _row("region", region.id, region.name, britain, france, tile.margin_needed)
        yield _paid(s, row, region.id, tile.vp, tile.trp, 0)


def _goods(s: State) -> Iterator[tuple[sc.Row, int]]:
    for good in s.parts.global_demand:
        if good.commodity in s.demand:
            reward = good.rewards[s.era]
            britain, france = goods_count(s, "britain", good.commodity), goods_count(s, "france", good.commodity)
            row = _row("good", good.commodity, good.commodity.capitalize(), britain, france, 1)
            yield _paid(s, row, good.commodity, reward.vp, reward.trp, reward.debt)


def _prestige(s: State) -> tuple[sc.Row, int]:
    """Prestige, with its VP [IS-4.12.2]."""
    row = _row("prestige", "prestige", "Prestige", prestige_count(s, "britain"), prestige_count(s, "france"), 1)
    return row.model_copy(update={"reward": say(victory_points(PRESTIGE_VP))}), PRESTIGE_VP


def _paid(s: State, row: sc.Row, what: str, vp: int, trp: int, debt: int) -> tuple[sc.Row, int]:
    for side in SIDES:
        if row.winner == side:
            more, treaty = award_change(s, what, side)
            vp, trp = max(0, vp + more), trp + treaty
    said = [victory_points(vp)] * bool(vp) + [treaty_points(trp)] * bool(trp)
    said += [text("{change} debt", change=verbatim(f"{debt:+d}".replace("-", "−")))] * bool(debt)
    return row.model_copy(update={"reward": say(listed(said))}), vp


def _row(kind: str, id: str, name: str, britain: int, france: int, need: int) -> sc.Row:
    """A row by its two counts: who has the lead that is needed, and what would change that."""
    lead = britain - france
    winner = "" if abs(lead) < need else "britain" if lead > 0 else "france"
    return sc.Row(kind=kind, id=id, name=name, britain=britain, france=france, winner=winner, reward="",
                  tip=say(_tip(lead, need)))


LETTERS: Mapping[Side, Text] = {"britain": verbatim("B"), "france": verbatim("F")}


def _tip(lead: int, need: int) -> Text:
    """Return what would change a result: how many more the side that trails, or either side, needs."""
    if abs(lead) < need:
        return text("B +{britain} or F +{france} wins it", britain=need - lead, france=need + lead)
    return text("{side} +{level} stops it, +{more} wins it", side=LETTERS["france" if lead > 0 else "britain"],
                level=abs(lead) - need + 1, more=abs(lead) + need)


def _theater_row(s: State, data: TheaterData, theater: sc.Theater, reader: Side | None) -> sc.Row:
    """A theater that is still to be settled, by what the board lends and by the reader's own tiles; what would tip it."""
    known = {"britain": theater.britain, "france": theater.france}
    hidden = {side: sum(tiles) for side, tiles in zip(SIDES, theater.tiles)}
    if reader is not None and hidden[reader]:
        known[reader] += sum(s.parts.war_tile[tile].strength for tile in s.own[reader].tiles[theater.number - 1])
        hidden[reader] = 0
    lead = known["britain"] - known["france"]
    ahead: Side | None = None if not lead else "britain" if lead > 0 else "france"
    rows = {side: data.row(side, max(1, abs(lead))) for side in SIDES if ahead in (None, side)}
    gains = {side: _gain(row, s) for side, row in rows.items()}
    losses = {row.loser.trp for row in rows.values()}
    reward, *others = gains.values()
    if others and others != [reward]:
        reward = text("B: {britain} or F: {france}", **gains)
    if len(losses) == 1 and (trp := losses.pop()):
        reward = text("{gain}; {loser}: {n} TRP", gain=reward, n=trp,
                      loser=LETTERS["france" if ahead == "britain" else "britain"] if ahead else text("loser"))
    tips = [_theater_tip(data, ahead, abs(lead)),
            *([count(sum(hidden.values()), "{n} face down", "{n} face down")] if any(hidden.values()) else [])]
    return sc.Row(kind="theater", id=str(theater.number), name=theater.name, britain=known["britain"], france=known["france"],
                  winner=ahead or "", reward=say(reward), tip=say(row(tips, "; ")))


def _theater_tip(data: TheaterData, ahead: Side | None, margin: int) -> Text:
    """By how much each side would have to be stronger to win, or to win more."""
    if ahead is None:
        return text("B +{britain} or F +{france} wins it", britain=1, france=1)
    leader, other = LETTERS[ahead], LETTERS["france" if ahead == "britain" else "britain"]
    now, most = data.row(ahead, margin), max(row.margin_min for row in data.spoils)
    better = next((more for more in range(1, most + 1) if data.row(ahead, margin + more) != now), 0)
    return (text("{other} +{n} wins it, {leader} +{better} wins more", other=other, n=margin + 1, leader=leader, better=better)
            if better else text("{other} +{n} wins it", other=other, n=margin + 1))


# --- what a seat holds ------------------------------------------------------------------------------------------

def hand(story: Replay) -> sc.Hand:
    """The reader's own events, ministries and war tiles, each with what it does."""
    s: State = story.end()
    if story.seat is None or s.phase in ("setup", "sides"):
        raise Refusal("You hold no cards in this game.", rule="IS-17.1")
    side = s.power(story.seat)
    own, cards, called = s.own[side], list[sc.Card](), names(s.parts)
    for id in own.hand:
        half = s.parts.event[id].half(side)
        told = [printed(half.base_text)]
        if half.bonus_text:
            told.append(text("Bonus: {what}", what=printed(half.bonus_text)))
        cards.append(sc.Card(kind="event", name=s.parts.event[id].name, state="", texts=tuple(map(say, told))))
    for minister in own.ministries:
        abilities = s.parts.ministry[minister.card].abilities
        told = [text("(used up) {what}", what=printed(ability.text)) if ability.id in own.exhausted else printed(ability.text)
                for ability in abilities]
        cards.append(sc.Card(kind="ministry", name=s.parts.ministry[minister.card].name,
                             state="" if minister.up else template("face down"), texts=tuple(map(say, told))))
    if s.next_war is not None:
        for theater, tiles in zip(s.next_war.theaters, own.tiles):
            cards.append(sc.Card(kind="theater", name=theater.name, state="", texts=tuple(say(called[tile]) for tile in tiles)
                                 or ("–",)))
    if own.drawn:
        cards.append(sc.Card(kind="theater", name=template("Just drawn"), state="",
                             texts=tuple(say(called[tile]) for tile in own.drawn)))
    return sc.Hand(title=s.parts.title, when=_when(s), side=side, cards=tuple(cards))


# --- recap ------------------------------------------------------------------------------------------------------

def turns(parts: Parts) -> Mapping[str, Text]:
    """Turns and wars as subjects of a recap."""
    return {step.id: printed(parts.war[step.id].name) if step.kind == "war" else
            text("Turn {turn}", turn=int(step.id.removeprefix("T"))) for step in parts.turn_track}


def recap(story: Replay) -> sc.Film:
    """A turn or war, the board after each action round or theater; without a subject the last one of which there is anything."""
    frames, last = list[tuple[str, View, tuple[tuple[int, int], ...]]](), ""
    for _, event, state in story.events():
        s: State = state
        if isinstance(event, RoundOver | TheaterSettled | StepBegun | GameEnded):
            frames.append((last or s.turn, view(s, None), strengths(s)))
        last = s.turn
    end: State = story.end()
    wanted = story.subject if story.subject in turns(end.parts) else frames[-1][0] if frames else ""
    chosen = [n for n, (turn, _, _) in enumerate(frames) if turn == wanted]
    if not chosen:
        raise Refusal("There is nothing to recap yet. A recap shows the board after each action round of a turn.")
    people = _people(story, end)
    return sc.Film(frames=tuple(sc.Board(now=frames[n][1], before=frames[n - 1][1] if n else None, strength=frames[n][2],
                                         people=people)
                                for n in chosen))


PICTURES = (
    Picture(key="board", title="Board", scene=board, posted=True, private=True),
    Picture(key=CLOSEUP, title="Region", scene=region, subjects=regions, private=True),
    Picture(key="war", title="War", scene=war, subjects=wars, posted=True, news=fresh_wars, private=True,
            there=lambda s: s.next_war is not None),
    Picture(key="forecast", title="Forecast", scene=forecast, private=True),
    Picture(key="hand", title="Your cards", scene=hand, private=True),
    Picture(key="recap", title="Recap", scene=recap, subjects=turns, whole=True,
            after=(RoundOver, TheaterSettled, StepBegun, GameEnded)))
