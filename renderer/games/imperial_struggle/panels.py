"""What stands over the plates of the board: the header, the track of victory points, both sides, the investment tiles; and
beside India the next war."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PIL import Image

from engine.games.imperial_struggle.view import View
from engine.text import count, say, template, text
from renderer.brushes import MARK, SMALLEST, Brush, block, clipped, fit, page, person, width
from renderer.games.imperial_struggle.common import FLAGS, MARGIN, NAMES, SIGNS, WIDE, colours, settled
from renderer.games.imperial_struggle.layout import facts
from renderer.pieces import Piece, change, line, name, plate, words, wrapped
from renderer.themes import THEMES, Theme, letter_on
from renderer.words import short_name, spoken

HEADER, TRACK, SIDES, TILES = 104, 76, 176, 92          # px: the heights
TOP_VP = 30
ROUNDS = 8


# --- the header -----------------------------------------------------------------------------------------

def turn_name(turn: str) -> str:
    """"Turn 3", or a war by its name."""
    war = next((one["name"] for one in facts()["wars"] if one["id"] == turn), "")
    return say(war or text("Turn {turn}", turn=turn.removeprefix("T")))


def moment(view: View) -> str:
    if view.over:
        return say(text("{side} wins", side=NAMES[view.winner]) if view.winner in NAMES else text("Nobody wins"))
    if view.phase in ("setup", "sides"):
        return say(text("Setup"))
    if view.round is not None:
        return say(text("{turn} · round {round} of {rounds}", turn=turn_name(view.turn), round=view.round.number, rounds=ROUNDS))
    return turn_name(view.turn)


@spoken(maxsize=64)
def header(theme_name: str, title: str, said: str, right: str, active: str) -> Image.Image:
    """Game and era, the moment; at the right whose round it is, or the war that comes."""
    theme = THEMES[theme_name]
    image = Image.new("RGB", (WIDE, HEADER), theme.bar)
    brush = page(image, theme)
    brush.draw.rectangle((0, HEADER - 4, WIDE, HEADER - 2), theme.gold)
    room = 760
    brush.write(20, 26, title, "title", 30, room, theme.bar_muted)
    brush.write(20, 70, said, "name", 48, room, theme.bar_ink)
    if active:
        brush.disc(WIDE - 54, 50, SIGNS[active], 76, FLAGS[active], ring=theme.gold)
        called = say(NAMES[active])
        brush.write(WIDE - 104, 34, called, "name", 44, WIDE - room - 140, theme.bar_ink, align="r")
        brush.text(WIDE - 104, 76, say(text("to act")), "label", SMALLEST, theme.bar_muted, align="r")
    else:
        brush.write(WIDE - 20, 60, right, "name", 40, WIDE - room - 40, theme.bar_ink, align="r")
    return settled(image, theme)


# --- victory points ---------------------------------------------------------------------------------------

@spoken(maxsize=128)
def track(theme_name: str, vp: int, gain: int) -> Image.Image:
    """The counter between Britain's end at 0 and France's at 30, and by how much it has moved."""
    theme = THEMES[theme_name]
    image = Image.new("RGB", (WIDE, TRACK), theme.paper)
    brush = page(image, theme)
    left, right, middle = 96, WIDE - 96, 46
    step = (right - left) / TOP_VP
    place = round(left + min(max(vp, 0), TOP_VP) * step)
    for side, x in (("britain", 40), ("france", WIDE - 40)):
        brush.disc(x, middle, SIGNS[side], 58, FLAGS[side])
    brush.mask(left - 14, middle - 11, block(right - left + 28, 22, 11), theme.ring)
    brush.draw.rectangle((left, middle - 8, place, middle + 7), FLAGS["france"])
    brush.draw.rectangle((place, middle - 8, right, middle + 7), FLAGS["britain"])
    for mark in range(0, TOP_VP + 1, 5):
        x = round(left + mark * step)
        brush.draw.rectangle((x - 2, middle - 8, x + 1, middle + 7), theme.ring)
        if abs(x - place) > 70:
            brush.text(x, middle - 30, str(mark), "label", SMALLEST, theme.muted, align="m")
    if gain:
        was = round(left + min(max(vp - gain, 0), TOP_VP) * step)
        brush.icon(was, middle, "diamond", 26, theme.mark)
    said = say(count(vp, "{n} VP", "{n} VP"))
    half = width(said, "number", 45) // 2 + 8
    brush.seal(min(max(place, 70 + half), WIDE - 70 - half), middle - 6, said, 58, theme.gold)
    return settled(image, theme)


# --- both sides -------------------------------------------------------------------------------------------

class SideShown(NamedTuple):
    """What a side's panel says."""

    side: str
    player: str
    active: bool
    initiative: bool
    debt: int
    limit: int
    trp: int
    hand: int
    navy_box: int
    unbuilt: int
    away: int
    ministries: tuple[str, ...]         # names; "" for one face down
    gains: tuple[int, ...]              # of debt, TRP, hand, Navy Box


def side_shown(view: View, before: View | None, side: str, player: str) -> SideShown:
    now = next(one for one in view.sides if one.side == side)
    was = next((one for one in before.sides if one.side == side), now) if before else now
    called = {card["id"]: card["name"] for card in facts()["ministries"]}
    gains = tuple(x - y for x, y in zip((now.debt, now.trp, now.hand, now.navy_box), (was.debt, was.trp, was.hand, was.navy_box)))
    active = view.round is not None and view.round.side == side and not view.over
    return SideShown(side, person(player, "name"), active, view.initiative == side, now.debt, now.limit, now.trp, now.hand,
                     now.navy_box, now.unbuilt, now.away + now.gone,
                     tuple(called.get(one.card, "") for one in now.ministries), gains)


NO_CARD = "none"


class Figure(NamedTuple):
    """A number with what it counts, and by how much it has changed."""

    label: str
    value: str
    gain: int = 0


def _figures(shown: Sequence[Figure], room: int, theme: Theme) -> Piece:
    """Figures in a line; where it has not room for their labels, these share what there is."""
    values = [[words(one.value, "number", 40, theme.ink), *change(one.gain, MARK, theme)] for one in shown]
    taken = sum(sum(piece.wide + 8 for piece in value) for value in values) + 20 * (len(shown) - 1)
    said = [say(one.label) for one in shown]
    wide = [width(label, "label", SMALLEST) for label in said]
    if sum(wide) > room - taken:
        wide = [min(own, (room - taken) // len(shown)) for own in wide]
    labels = [words(clipped(label, "label", SMALLEST, own), "label", SMALLEST, theme.muted) for label, own in zip(said, wide)]
    return line([line([label, *value], 8) for label, value in zip(labels, values)], 20)


@spoken(maxsize=256)
def side_panel(theme_name: str, wide: int, what: SideShown) -> Image.Image:
    """A side: debt, treaty points, hand, squadrons, ministries."""
    theme = THEMES[theme_name]
    image = Image.new("RGB", (wide, SIDES), theme.card)
    brush = page(image, theme)
    fill = FLAGS[what.side]
    ink = letter_on(fill)
    brush.draw.rectangle((0, 0, wide, 45), fill)
    said = say(NAMES[what.side])
    x = 16 + brush.text(16, 23, said, "name", 36, ink) + 14
    mark = say(text("initiative")) if what.initiative else ""
    end = wide - 14 - (width(mark, "label", SMALLEST) if mark else 0)
    brush.text(x, 23, clipped(what.player, "name", 30, end - x - 10), "name", 30, ink)
    if mark:
        brush.text(wide - 12, 23, mark, "label", SMALLEST, ink, align="r")
    debt, trp, hand, navy = what.gains
    first = (Figure(template("Debt"), f"{what.debt}/{what.limit}", debt), Figure(template("TRP"), str(what.trp), trp),
             Figure(template("Events"), str(what.hand), hand))
    _figures(first, wide - 28, theme).draw(brush, 14, 68)
    brush.icon(34, 109, "navy", 36, theme.ink)
    fleet = (Figure(template("Navy Box"), str(what.navy_box), navy), Figure(template("unbuilt"), str(what.unbuilt)),
             *([Figure(template("away"), str(what.away))] if what.away else []))
    _figures(fleet, wide - 76, theme).draw(brush, 62, 109)
    cards = what.ministries or (NO_CARD,)
    x, room = 14, (wide - 28 - 10 * (len(cards) - 1)) // max(2, len(cards))
    for card in cards:
        label = say(text("none")) if card == NO_CARD else short_name(card) if card else say(text("face down"))
        size = fit(label, "label", 30, room - 20)
        shown = clipped(label, "label", size, room - 20)
        cell = min(room, width(shown, "label", size) + 20)
        if card != NO_CARD:
            brush.mask(x, 132, block(cell, 38, 6), theme.line)
            brush.mask(x + 2, 134, block(cell - 4, 34, 5), theme.stripe if card else theme.bar)
        tone = theme.muted if card == NO_CARD else theme.ink if card else theme.bar_muted
        brush.text(x + cell // 2, 151, shown, "label", size, tone, align="m")
        x += cell + 10
    outline = theme.gold if what.active else theme.edge
    brush.draw.rectangle((0, 0, wide - 1, SIDES - 1), outline=outline, width=4 if what.active else 2)
    return settled(image, theme)


# --- investment tiles -------------------------------------------------------------------------------------

class TileShown(NamedTuple):
    """An investment tile."""

    major: str
    minor: str
    event: bool
    upgrade: bool
    taker: str              # the side that has it; "" while it can be taken
    fresh: bool


AP = {"economic": "EP", "diplomatic": "DP", "military": "MP"}


def tiles_shown(view: View, before: View | None) -> tuple[TileShown, ...]:
    """The tiles of the turn: those that can be taken, then those taken."""
    known = {one["id"]: one for one in facts()["investment_tiles"]}
    was = dict(before.taken) if before else dict(view.taken)

    def one(tile: str, taker: str) -> TileShown:
        held = known[tile]
        major, minor = held["major"], held["minor"]
        return TileShown(f"{major['points']} {AP[major['kind']]}", f"{minor['points']} {AP[minor['kind']]}", held["event"],
                         held["military_upgrade"], taker, bool(taker) and was.get(tile) != taker)
    return (*[one(tile, "") for tile in view.available], *[one(tile, side) for tile, side in view.taken])


def tile_row(theme_name: str, shown: tuple[TileShown, ...]) -> Image.Image:
    gap, number = 8, max(9, len(shown))
    wide = (WIDE - 2 * MARGIN - gap * (number - 1)) // number
    image = no_tiles(theme_name)
    if shown:
        image = Image.new("P", (WIDE - 2 * MARGIN, TILES))                  # 0 is the paper
        image.putpalette(colours(THEMES[theme_name]).getpalette() or [])
    for n, tile in enumerate(shown):
        image.paste(tile_card(theme_name, wide, tile), (n * (wide + gap), 0))
    return image


@spoken(maxsize=4)
def no_tiles(theme_name: str) -> Image.Image:
    theme = THEMES[theme_name]
    image = Image.new("RGB", (WIDE - 2 * MARGIN, TILES), theme.paper)
    Brush(image, theme).text(8, TILES // 2, say(text("No investment tiles are turned up")), "label", 30, theme.muted)
    return settled(image, theme)


@spoken(maxsize=512)
def tile_card(theme_name: str, wide: int, tile: TileShown) -> Image.Image:
    theme = THEMES[theme_name]
    image = Image.new("RGB", (wide, TILES), theme.paper)
    brush = Brush(image, theme)
    fill = theme.stripe if tile.taker else theme.card
    ink = theme.muted if tile.taker else theme.ink
    edge, tall = 5 if tile.fresh else 2, TILES - 8
    ring = theme.mark if tile.fresh else theme.line if tile.taker else theme.ring
    brush.mask(0, 0, block(wide, tall, 10), ring)
    brush.mask(edge, edge, block(wide - 2 * edge, tall - 2 * edge, 8), fill)
    brush.text(11, 27, tile.major, "number", 38, ink)
    brush.text(11, 63, tile.minor, "number", 30, ink)
    x = wide - 23
    if tile.taker:
        brush.disc(x, 60, SIGNS[tile.taker], 36, FLAGS[tile.taker])
    elif tile.event:
        brush.icon(x, 63, "card", 32, ink)
    if tile.upgrade:
        brush.icon(x, 26, "up", 28, ink)
    return settled(image, theme)


# --- the next war -------------------------------------------------------------------------------------------

class TheaterShown(NamedTuple):
    """A theater of a war."""

    name: str
    strength: tuple[int, int] | None    # of Britain and France, as far as everybody knows it
    tiles: tuple[int, int]              # that lie face down
    gains: tuple[int, int]              # tiles more than the reader knows
    winner: str | None                  # "" if nobody has won it; None before it is settled
    margin: int


class WarShown(NamedTuple):
    """The next war, or the one under way."""

    head: str
    name: str
    theaters: tuple[TheaterShown, ...]


def war_shown(view: View, before: View | None, strength: tuple[tuple[int, int], ...]) -> WarShown:
    """The panel of the next war, or of the one under way."""
    war = next((one for one in facts()["wars"] if one["id"] == view.next_war), None)
    if war is None:
        return WarShown(say(text("No more wars")), "", ())
    results = {result.theater: result for result in view.war.results} if view.war is not None else {}
    was = before if before is not None and before.next_war == view.next_war else view
    found = []
    for n, theater in enumerate(war["theaters"]):
        now, old = _lying(view, n), _lying(was, n)
        result = results.get(theater["number"])
        found.append(TheaterShown(short_name(theater["name"]), strength[n] if n < len(strength) else None, now,
                                  (max(0, now[0] - old[0]), max(0, now[1] - old[1])),
                                  result.winner if result else None, result.margin if result else 0))
    return WarShown(say(text("Next war") if view.war is None else text("War under way")), war["name"], tuple(found))


def _lying(view: View, n: int) -> tuple[int, int]:
    """How many tiles Britain and France have in a theater."""
    sides = {side.side: side.theaters for side in view.sides}
    there = [sides[side][n].basic + sides[side][n].bonus if n < len(sides[side]) else 0 for side in ("britain", "france")]
    return there[0], there[1]


WAR_HEAD, THEATER = 92, 130         # px


@spoken(maxsize=128)
def war_panel(theme_name: str, wide: int, high: int, what: WarShown) -> Image.Image:
    """A war, with what is known of both sides' strength and how many tiles lie face down."""
    theme = THEMES[theme_name]
    image = Image.new("RGB", (wide, high), theme.card)
    brush = page(image, theme)
    brush.draw.rectangle((0, 0, wide, WAR_HEAD - 1), theme.bar)
    brush.icon(34, 28, "attack", 36, theme.gold)
    brush.text(64, 28, what.head, "label", 30, theme.bar_muted)
    said = short_name(what.name)
    brush.write(14, 66, said, "name", 36, wide - 28, theme.bar_ink)
    for n, theater in enumerate(what.theaters):
        top = WAR_HEAD + n * THEATER
        if n % 2:
            brush.draw.rectangle((0, top, wide, top + THEATER - 1), theme.stripe)
        brush.write(14, top + 42, theater.name, "label", 32, wide - 28, theme.ink)
        y = top + 88
        if theater.winner == "":
            brush.text(14, y, say(text("nobody wins")), "label", 30, theme.muted)
            continue
        if theater.winner is not None:
            brush.disc(34, y, SIGNS[theater.winner], 40, FLAGS[theater.winner])
            brush.text(62, y, say(text("wins by {n}", n=theater.margin)), "label", 30, theme.ink)
            continue
        both = zip(("britain", "france"), theater.strength or (None, None), theater.tiles, theater.gains)
        for m, (side, known, tiles, gain) in enumerate(both):
            x, fill = 14 + m * (wide // 2 - 6), FLAGS[side]
            if known is not None:
                brush.mask(x, y - 20, block(52, 40, 6), theme.ring)
                brush.mask(x + 3, y - 17, block(46, 34, 4), fill)
                brush.text(x + 26, y, str(known), "number", 32, letter_on(fill), align="m")
            else:
                brush.disc(x + 26, y, SIGNS[side], 40, fill)
            brush.icon(x + 76, y, "tile", 32, theme.mark if gain else theme.muted)
            brush.text(x + 96, y, str(tiles), "number", 34, theme.mark if gain else theme.ink)
    brush.draw.rectangle((0, 0, wide - 1, high - 1), outline=theme.edge, width=2)
    return settled(image, theme)


# --- the own cards --------------------------------------------------------------------------------------------

LINE = 56               # px


@spoken(maxsize=64)
def own_cards(theme_name: str, lines: tuple[tuple[str, tuple[str, ...]], ...]) -> Image.Image:
    """The reader's own events, ministries and war tiles, which nobody else sees: headings, each with the names under it."""
    theme, wide = THEMES[theme_name], WIDE - 2 * MARGIN
    room, groups = wide - 90, list[Piece]()
    for heading, names in lines:
        plates = [plate(name(one, 30, room - 40, theme.ink, "label"), 46, theme.stripe) for one in names]
        parts = [words(heading, "label", 30, theme.bar_muted), *plates]
        group = line(parts, 12)
        groups += [group] if group.wide <= room else wrapped(parts, 12, room)
    rows = wrapped(groups, 30, room)
    image = Image.new("RGB", (wide, LINE * max(1, len(rows)) + 8), theme.bar)
    brush = page(image, theme)
    brush.icon(34, LINE // 2 + 2, "lock", 36, theme.gold)
    for n, row in enumerate(rows):
        row.draw(brush, 66, LINE * n + LINE // 2 + 4)
    return settled(image, theme)


def own_lines(view: View) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return what a seat's own view holds that others do not see; nothing for the public."""
    if view.seat is None:
        return ()
    called = {one["id"]: one["name"] for one in (*facts()["events"], *facts()["ministries"])}
    up = {ministry.card for side in view.sides if side.seat == view.seat for ministry in side.ministries}
    found = [(say(text("Events")), tuple(say(called[card]) for card in view.own_hand))]
    ministries = [say(called[card] if card in up else text("{ministry} (face down)", ministry=called[card]))
                  for card in view.own_ministries]
    found.append((say(text("Ministries")), tuple(ministries)))
    mine = next((side for side in view.sides if side.seat == view.seat), None)
    if mine is not None:
        lying = [(n, theater.tiles) for n, theater in enumerate(mine.theaters, 1) if theater.tiles]
        found += [(str(n) if place else say(text("Theater {n}", n=n)), tuple(map(war_tile, tiles)))
                  for place, (n, tiles) in enumerate(lying)]
    if view.own_drawn:
        found.append((say(text("Just drawn")), tuple(map(war_tile, view.own_drawn))))
    return tuple((heading, names) for heading, names in found if names)


ICON_WORDS = {"debt": template("(debt)"), "fort_or_squadron": template("(fort or squadron)"), "unflag": template("(unflag)")}


def war_tile(tile: str) -> str:
    """A war tile in few words: "Berwick +2", "0 (debt)"."""
    known = {one["id"]: one for one in (*facts()["basic_tiles"], *facts()["bonus_tiles"], *facts()["special_tiles"])}
    held = known[tile]
    strength = f"{held['strength']:+d}".replace("-", "−") if held["strength"] else "0"
    return " ".join(filter(None, [held.get("name") and say(held["name"]), strength,
                                  say(text(ICON_WORDS.get(held["icon"] or "", "")))]))
