"""One area close up, to be read in the channel without a tap: the last attack there part by part, or who holds what.

The page is a pile of blocks. They are as large as the page allows, and the map takes what they leave.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple

from PIL import Image

from engine.games.struggle_of_empires.pictures import scenes as sc
from engine.games.struggle_of_empires.view import AreaView, Captive, Garrison, LocalAlliance, Neutral
from engine.text import count, say, template, text
from renderer import pieces as pc
from renderer.brushes import Brush, fit, page, person
from renderer.games.struggle_of_empires.base import NEAR, area_map
from renderer.games.struggle_of_empires.cards import face_icon
from renderer.games.struggle_of_empires.common import CLOSED, POWERS, WIDE, settled
from renderer.games.struggle_of_empires.pieces import bar, disc, shield, square, units
from renderer.pieces import die, line
from renderer.themes import THEMES, Theme

HIGH = 1200
TITLE = 116             # px: the bar at the top
EDGE = 28               # from the picture's edge to what stands on it
MIDDLE = WIDE // 2
COLUMN = MIDDLE - EDGE - 12             # the room of one side of a battle
CENTRE = 216            # between the two sides' rolls
LEAST_MAP = 150         # a lower map says nothing
TOKENS = {"pirates": "Pirates", "slave_revolt": "Slave Revolt"}


@dataclass(frozen=True)
class Measure:
    """How large the parts of a page are."""

    head: int               # a side's name with what is below it
    helper: int             # a line of helpers
    die: int
    sum: int                # a number of a sum
    again: int              # a roll that was made again
    line: int               # every other line
    gap: int                # between blocks, at least
    standing: bool          # whether there is room for who holds what beside a battle
    row: int                # a power's row when there was no attack


MEASURES = (Measure(head=132, helper=62, die=84, sum=56, again=60, line=66, gap=14, standing=True, row=96),
            Measure(head=116, helper=54, die=76, sum=50, again=52, line=58, gap=10, standing=True, row=84),
            Measure(head=104, helper=48, die=66, sum=44, again=46, line=52, gap=8, standing=False, row=76),
            Measure(head=96, helper=42, die=58, sum=40, again=40, line=46, gap=4, standing=False, row=68))


class Block(NamedTuple):
    """A part of the page, as wide as the page; `draw` takes its top."""

    high: int
    draw: Callable[[Brush, int], None]


# --- the page -------------------------------------------------------------------------------------------

def paint(scene: sc.Closeup, theme_name: str) -> Image.Image:
    """The close-up as a palette image of 1200 x 1200 px."""
    theme = THEMES[theme_name]
    found = list(pages(scene, theme))
    measure, blocks = next((page for page in found if free(*page) >= 0), found[-1])
    left = free(measure, blocks)
    chart = min(left, NEAR)
    gap = measure.gap
    if chart < LEAST_MAP:
        chart = 0
    spread = max(0, left - chart) // (len(blocks) + 1)

    image = Image.new("RGB", (WIDE, HIGH), theme.card)
    brush = page(image, theme)
    _title(brush, scene.area, scene.title, scene.moment)
    y = TITLE + chart
    for block in blocks:
        y += gap + spread
        block.draw(brush, y)
        y += block.high
    whole = settled(image, theme)
    if chart:
        powers = tuple(sorted(power.power for power in scene.powers))
        whole.paste(area_map(theme_name, scene.area.area, chart, powers), (0, TITLE))
    return whole


def pages(scene: sc.Closeup, theme: Theme) -> Iterator[tuple[Measure, list[Block]]]:
    for measure in MEASURES:
        told = Page(theme, measure, dict(scene.people), frozenset(power.power for power in scene.powers if power.npp))
        if scene.battle is None:
            yield measure, list(told.quiet(scene.area, scene.before, {power.power: power.name for power in scene.powers}))
        else:
            yield measure, list(told.attack(scene.battle, scene.more, scene.area, scene.before))


def free(measure: Measure, blocks: Sequence[Block]) -> int:
    """The px of the page that these blocks leave; below 0 they do not fit."""
    return HIGH - TITLE - measure.gap * (len(blocks) + 1) - sum(block.high for block in blocks)


def when(moment: sc.Moment) -> str:
    return say(text("War {war} · Round {round} of {rounds}" if moment.round else "War {war}", war=moment.war, round=moment.round,
                    rounds=moment.rounds))


def _title(brush: Brush, area: AreaView, title: str, moment: sc.Moment) -> None:
    theme, seal = brush.theme, 72
    brush.draw.rectangle((0, 0, WIDE, TITLE - 1), theme.bar)
    brush.draw.rectangle((0, TITLE - 5, WIDE, TITLE - 2), theme.gold)
    left = WIDE - EDGE - (seal + 10) * len(area.values)
    for n, value in enumerate(area.values):
        brush.seal(left + 10 + seal // 2 + (seal + 10) * n, TITLE // 2 - 2, str(value), seal, theme.seals[min(n, 2)])
    brush.text(EDGE, 40, say(area.name), "name", fit(say(area.name), "name", 60, left - 2 * EDGE), theme.bar_ink)
    pc.name(f"{title} · {when(moment)}", 34, left - 2 * EDGE, theme.bar_muted, "title").draw(brush, EDGE, 88)


# --- blocks ---------------------------------------------------------------------------------------------

class Page:
    """Makes the blocks of one page, in one theme and one measure."""

    def __init__(self, theme: Theme, measure: Measure, people: Mapping[str, str], npps: Set[str]) -> None:
        self.theme, self.measure, self.people, self.npps = theme, measure, people, npps

    def sign(self, power: str, size: int) -> pc.Piece:
        """The disc of a power, or the square of one that nobody plays."""
        return square(power, size) if power in self.npps else disc(power, size)

    def bar(self, power: str, markers: int, high: int) -> pc.Piece:
        return bar(power, markers, high, npp=power in self.npps)

    # an attack

    def attack(self, battle: sc.Battle, more: int, area: AreaView, before: AreaView | None) -> Iterator[Block]:
        yield self.sides(battle)
        left, right = self.helpers(battle.attacker), self.helpers(battle.defender)
        for n in range(max(len(left), len(right))):
            yield self.opposed(left[n:n + 1], right[n:n + 1], self.measure.helper)
        labels = [*tags(battle), *([say(count(more, "{n} more attack here", "{n} more attacks here"))] if more else [])]
        yield from self.lines([pc.plate(pc.words(label, "label", 34, self.theme.ink), 44, self.theme.stripe) for label in labels])
        for fight in battle.fights:
            yield self.fight(fight, battle)
        yield from self.outcome(battle)
        if self.measure.standing:
            yield self.rule()
            yield from self.lines(list(self.standing(area, before)))

    def sides(self, battle: sc.Battle) -> Block:
        """The attacker at the left, the defender at the right, an arrow between them."""
        high, theme = self.measure.head, self.theme

        def draw(brush: Brush, top: int) -> None:
            brush.draw.rectangle((0, top, WIDE, top + high), theme.stripe)
            for side, left in ((battle.attacker, True), (battle.defender, False)):
                fill = POWERS[side.power] if side.power else theme.stone
                edge = 0 if left else MIDDLE + 40
                brush.draw.rectangle((edge, top, edge + MIDDLE - 40, top + 9), fill)
                sign, title = self.emblem(side, high - 30), self.title(side, battle)
                pieces = [sign, title] if left else [title, sign]
                self.set(brush, line(pieces, 18), top + 10 + (high - 10) // 2, left=left)
            brush.icon(MIDDLE, top + high // 2 + 5, "pointer", 56, theme.alarm)
        return Block(high, draw)

    def emblem(self, side: sc.Side, size: int) -> pc.Piece:
        """A power's disc, or the strength of whoever else fights."""
        return self.sign(side.power, size) if side.power else pc.octagon(side.strength, size)

    def title(self, side: sc.Side, battle: sc.Battle) -> pc.Piece:
        """A side's name over what it does and whose it is."""
        room = COLUMN - self.measure.head - 40
        doing = say(text("non-player") if side.kind == "npp" else text("attacks") if side is battle.attacker else text("defends"))
        player = person(self.people.get(side.power, ""), "label")
        if side.kind in TOKENS and battle.sender:
            doing = say(text("sent by {sender:the}", sender=battle.sender))
        upper = pc.name(say(text("{side:Begin}", side=side.name)), round(self.measure.head * 0.42), room, self.theme.ink)
        lower = pc.name(f"{doing} · {player}" if player else doing, 34, room, self.theme.muted, "label")
        return flush(upper, lower, self.measure.head * 2 // 5, left=side is battle.attacker)

    def helpers(self, side: sc.Side) -> list[pc.Piece]:
        if len(side.helpers) <= 3:
            return [self.helper(helper, named=True) for helper in side.helpers]
        return pc.wrapped([self.helper(helper, named=False) for helper in side.helpers], 24, COLUMN)

    def helper(self, helper: sc.Helper, *, named: bool) -> pc.Piece:
        size, theme = self.measure.helper - 4, self.theme
        sent = Garrison(power=helper.power, markers=0, armies=helper.armies, navies=helper.navies, forts=0)
        pieces = units(sent, size - 6, theme.ink) or [pc.words(say(text("no unit")), "label", 32, theme.muted)]
        if named:
            room = COLUMN - size - 28 - line(pieces, 14).wide
            pieces = [pc.name(say(helper.name), size - 4, room, theme.ink), *pieces]
        return line([self.sign(helper.power, size), *pieces], 14)

    def fight(self, fight: sc.Fight, battle: sc.Battle) -> Block:
        """One fight: dice and totals on either side, then the sums, then rolls that were made again."""
        measure, theme = self.measure, self.theme
        first, second, again = measure.die + 14, measure.sum + 36, measure.again + 4
        earlier = fight.rolls[:-1] if not fight.rolls or not fight.rolls[-1].again else fight.rolls
        high = first + (second if fight.rolls else 0) + again * len(earlier) + 8

        def draw(brush: Brush, top: int) -> None:
            brush.draw.rectangle((EDGE, top, WIDE - EDGE, top + 2), theme.line)
            y = top + 8 + first // 2
            kind, label = ("navy", say(text("At sea"))) if fight.stage == "sea" else ("army", say(text("On land")))
            said = say({"tie": text("a tie"), "": text("undecided")}.get(fight.winner, text("")))
            place = line([pc.icon(kind, 44, theme.ink), pc.name(label, 36, CENTRE - 52, theme.ink, "label")], 8)
            head = pc.over(place, pc.words(said, "name", 36, theme.alarm), 46) if said else place
            head.draw(brush, MIDDLE - head.wide // 2, y)
            if not fight.rolls:
                return
            last = fight.rolls[-1]
            for side, strength, left in ((battle.attacker, last.attacker, True), (battle.defender, last.defender, False)):
                won = fight.winner == ("attacker" if left else "defender")
                self.set(brush, self.rolled(strength, won=won, left=left), y, left=left)
                self.set(brush, self.sum(strength, side), top + 8 + first + second // 2 - 2, left=left)
            y = top + 8 + first + second + again // 2
            for throw in earlier:
                for strength, left in ((throw.attacker, True), (throw.defender, False)):
                    self.set(brush, self.former(strength, left=left), y, left=left)
                sign = line([disc(throw.again, 40), pc.words(say("Reserves"), "label", 32, theme.ink)], 8)
                sign.draw(brush, MIDDLE - sign.wide // 2, y)
                y += again
        return Block(high, draw)

    def rolled(self, strength: sc.Strength, *, won: bool, left: bool) -> pc.Piece:
        """Two dice at the outer edge; the total, and a crown if it won, beside the centre."""
        theme, size = self.theme, self.measure.die
        dice = line([die(pips, size) for pips in strength.dice], 12)
        total = pc.words(str(strength.total), "number", round(size * 1.05), theme.ink)
        crown = [pc.icon("crown", 52, theme.gold), pc.words(say(text("wins")), "name", 40, theme.ink)] if won else []
        inner = line([*crown, total] if left else [total, *crown], 16)
        gap = (WIDE - CENTRE) // 2 - EDGE - dice.wide - inner.wide
        return line([dice, inner] if left else [inner, dice], gap)

    def sum(self, strength: sc.Strength, side: sc.Side) -> pc.Piece:
        """The parts of a strength, each number over its name."""
        parts = [(template("units") if side.kind == "power" else template("strength"), strength.units),
                 (template("training"), strength.training), (template("alliance"), strength.alliances),
                 (template("support"), strength.support), (template("dice"), strength.difference)]
        pieces: list[pc.Piece] = []
        for label, number in parts:
            if number or label in ("units", "dice"):
                if pieces:
                    pieces.append(pc.words("+", "number", 36, self.theme.muted))
                figure = pc.words(str(number), "number", self.measure.sum, self.theme.ink)
                named = pc.words(say(text(label)), "label", 30, self.theme.muted)
                pieces.append(pc.over(figure, named, self.measure.sum * 3 // 4 + 4))
        return line(pieces, 9)

    def former(self, strength: sc.Strength, *, left: bool) -> pc.Piece:
        """A roll that counts no more."""
        size, theme = self.measure.again - 4, self.theme
        pieces = [die(pips, size) for pips in strength.dice]
        total = pc.words(str(strength.total), "number", size, theme.muted)
        return pc.struck(line([*pieces, total] if left else [total, *pieces], 8), size // 3, theme.alarm)

    def outcome(self, battle: sc.Battle) -> Iterator[Block]:
        """Markers that changed hands, and units lost."""
        theme, size = self.theme, self.measure.line
        if not battle.over:
            yield from self.lines([pc.words(say(text("The attack is not over.")), "name", 40, theme.alarm)])
        yield self.rule()
        if battle.exchanges:
            named = len(battle.exchanges) < 3
            found = [self.exchange(exchange, named=named) for exchange in battle.exchanges]
            yield from self.lines(found)
        elif battle.over:
            yield from self.lines([pc.words(say(text("No marker changes hands.")), "name", 40, theme.ink)])
        if battle.losses:
            label = pc.words(say(text("Losses")), "label", 40, theme.muted)
            yield from self.lines([label, *[self.loss(loss, size - 6) for loss in battle.losses]])
        elif battle.over:
            yield from self.lines([pc.words(say(text("No unit is lost.")), "label", 40, theme.muted)])

    def exchange(self, exchange: sc.Exchange, *, named: bool) -> pc.Piece:
        """From whom a marker went to whom, and the bonus."""
        theme, size = self.theme, self.measure.line - 8

        def holder(power: str, called: str, *, won: bool) -> list[pc.Piece]:
            sign = [self.bar(power, 1, size)] if won and power in POWERS else [self.sign(power, size)] if power in POWERS else []
            plain = [] if sign and not named else [pc.name(say(called), 44 if named else 32, 330 if named else 200, theme.ink)]
            return [*sign, *plain]

        regained = exchange.winner == exchange.loser
        pieces = holder(exchange.winner, exchange.winner_name, won=True)
        if not regained:
            pieces = [*holder(exchange.loser, exchange.loser_name, won=False), pc.icon("pointer", 36, theme.gold), *pieces]
        if named or regained:
            fate = say(text("wins its marker back") if regained else text(FATES[exchange.kind]))
            pieces.append(pc.words(fate, "label", 34, theme.muted))
        if exchange.gold:
            pieces.append(line([pc.coin(44), pc.words(f"+{exchange.gold}", "number", 48, theme.ink)], 6))
        if exchange.points:
            pieces.append(line([pc.icon("star", 44, theme.gold), pc.words(f"+{exchange.points}", "number", 48, theme.ink)], 6))
        return line(pieces, 16)

    def loss(self, loss: sc.Loss, size: int) -> pc.Piece:
        """A unit that is gone, struck through; one that withdrew, with where it is now."""
        unit = pc.icon(loss.unit, size, self.theme.ink)
        if loss.fate == "lost":
            return line([disc(loss.power, size), pc.struck(unit, size // 3, self.theme.alarm)], 8)
        said = say(text("goes home") if loss.fate == "home" else text("is kept"))
        return line([disc(loss.power, size), unit, pc.words(said, "label", 32, self.theme.ink)], 8)

    def standing(self, area: AreaView, before: AreaView | None) -> Iterator[pc.Piece]:
        for held, was in compared(area, before):
            yield line([self.bar(held.power, held.markers, 48), *pc.change(held.markers - was.markers, 34, self.theme),
                        *units(held, 40, self.theme.ink)], 8)
        yield from self.foot(area, before, 48)
        yield from self.local(area, before, 44)

    # no attack

    def quiet(self, area: AreaView, before: AreaView | None, names: Mapping[str, str]) -> Iterator[Block]:
        """Power by power, then neutral markers and captives."""
        rows = compared(area, before)
        bars = [line([self.bar(held.power, held.markers, self.measure.row - 22),
                      *pc.change(held.markers - was.markers, 40, self.theme)], 8) for held, was in rows]
        room = max([240, *[piece.wide + 24 for piece in bars]])
        for n, (held, was) in enumerate(rows):
            yield self.row(held, was, bars[n], room, say(names.get(held.power, held.power)), striped=bool(n % 2),
                           blockaded=held.power in area.blockades)
        if not rows:
            yield from self.lines([pc.words(say(text("No markers and no units")), "name", 48, self.theme.muted)])
        for foot in (list(self.foot(area, before, 60)), list(self.local(area, before, 60))):
            if foot:
                yield self.rule()
                yield from self.lines(foot)

    def row(self, held: Garrison, was: Garrison, marker: pc.Piece, room: int, called: str, *, striped: bool,
            blockaded: bool) -> Block:
        """One power: markers, name, units in columns."""
        theme, high = self.theme, self.measure.row
        figures = (("army", held.armies, was.armies), ("navy", held.navies, was.navies), ("fort", held.forts, was.forts))
        step = 172
        end = WIDE - EDGE - 56 - step * len(figures)
        player = person(self.people.get(held.power, ""), "label")
        space = end - EDGE - room - 26
        called_piece = pc.name(called, 50, space, theme.ink)
        if player:
            called_piece = flush(called_piece, pc.name(player, 32, space, theme.muted, "label"), high * 2 // 5, left=True)

        def draw(brush: Brush, top: int) -> None:
            if striped:
                brush.draw.rectangle((0, top, WIDE, top + high - 1), theme.stripe)
            y = top + high // 2
            marker.draw(brush, EDGE, y)
            called_piece.draw(brush, EDGE + room, y)
            for n, (kind, number, earlier) in enumerate(figures):
                if number or earlier:
                    line([pc.icon(kind, 54, theme.ink), pc.words(str(number), "number", 56, theme.ink),
                          *pc.change(number - earlier, 36, theme)], 6).draw(brush, end + step * n, y)
            if blockaded:
                brush.icon(WIDE - EDGE - 24, y, "blockade", 52, theme.alarm)
        return Block(high, draw)

    def foot(self, area: AreaView, before: AreaView | None, size: int) -> Iterator[pc.Piece]:
        """Neutral markers, then captives, each with what is new."""
        theme = self.theme
        neutrals, captives = counted(area.neutrals), set(area.captives)
        known, held = (neutrals, captives) if before is None else (counted(before.neutrals), set(before.captives))
        for face in sorted({*neutrals, *known}, key=lambda face: (face.strength, face.gold, face.points, face.kind)):
            number = neutrals.get(face, 0)
            sign = pc.octagon(face.strength, size) if face.kind == "strength" else pc.icon(face_icon(face), size, theme.ink)
            pieces = [sign, *([] if number == 1 else [pc.words(f"×{number}", "number", size * 3 // 4, theme.ink)])]
            if face.gold:
                pieces.append(line([pc.coin(size * 3 // 4), pc.words(str(face.gold), "number", size * 4 // 5, theme.ink)], 5))
            if face.points:
                star = pc.icon("star", size * 3 // 4, theme.gold)
                pieces.append(line([star, pc.words(str(face.points), "number", size * 4 // 5, theme.ink)], 5))
            yield line([*pieces, *pc.change(number - known.get(face, 0), 36, theme)], 8)
        for captive in sorted({*captives, *held}, key=lambda captive: (captive.held_by, captive.power)):
            pieces = [pc.words(token_name(captive), "label", 38, theme.ink), self.sign(captive.power, size)]
            yield line([*pieces, *pc.change((captive in captives) - (captive in held), 36, theme)], 8)

    def local(self, area: AreaView, before: AreaView | None, size: int) -> Iterator[pc.Piece]:
        """The places for local alliances: whose markers they hold or what they cost, and in which fights they help."""
        theme = self.theme
        for place, was in zip(area.local, (before or area).local):
            pieces = [shield(place.holder or (CLOSED if place.closed else ""), size),
                      pc.words(say(place.name), "name", size * 2 // 3, theme.ink if place.holder else theme.muted)]
            helps = (("army", place.land), ("navy", place.sea))
            pieces += [pc.icon(kind, max(30, size * 2 // 3), theme.muted) for kind, there in helps if there]
            if not place.holder and not place.closed:
                pieces += self.price(place, size * 2 // 3)
            gain = bool(place.holder) - bool(was.holder) or int(place.holder != was.holder)
            yield line([*pieces, *pc.change(gain, 36, theme)], 10)

    def price(self, place: LocalAlliance, size: int) -> Iterator[pc.Piece]:
        ink = self.theme.ink
        for number, sign in ((place.gold, pc.coin(size)), (place.population, pc.icon("person", size, ink))):
            if number:
                yield line([sign, pc.words(str(number), "number", max(34, size), ink)], 5)
        if place.unrest:
            yield pc.words(say(count(place.unrest, "{n} unrest", "{n} unrest")), "label", 34, ink)

    # lines

    def set(self, brush: Brush, piece: pc.Piece, y: int, *, left: bool) -> None:
        """Draw at the left edge of the page, or flush with the right one."""
        piece.draw(brush, EDGE if left else WIDE - EDGE - piece.wide, y)

    def opposed(self, left: Sequence[pc.Piece], right: Sequence[pc.Piece], high: int) -> Block:
        """A line with something of either side, or of one."""
        def draw(brush: Brush, top: int) -> None:
            for pieces, flush_left in ((left, True), (right, False)):
                for piece in pieces:
                    self.set(brush, piece, top + high // 2, left=flush_left)
        return Block(high, draw)

    def lines(self, pieces: Sequence[pc.Piece]) -> Iterator[Block]:
        for piece in pc.wrapped(pieces, 36, WIDE - 2 * EDGE):
            yield self.opposed([piece], [], self.measure.line)

    def rule(self) -> Block:
        theme = self.theme
        return Block(4, lambda brush, top: brush.draw.rectangle((EDGE, top, WIDE - EDGE, top + 3), theme.gold))


FATES = {"taken": template("takes a marker"), "neutral": template("beats it"), "captured": template("captures a marker"),
         "freed": template("takes its place")}


def flush(upper: pc.Piece, lower: pc.Piece, apart: int, *, left: bool) -> pc.Piece:
    """Two lines, one over the other, flush left or right."""
    wide = max(upper.wide, lower.wide)

    def draw(brush: Brush, x: int, y: int) -> None:
        for piece, middle in ((upper, y - apart // 2), (lower, y + apart - apart // 2)):
            piece.draw(brush, x if left else x + wide - piece.wide, middle)
    return pc.Piece(wide, draw)


def token_name(captive: Captive) -> str:
    return say(captive.captor.removeprefix("the ") or TOKENS[captive.held_by])


def tags(battle: sc.Battle) -> Iterator[str]:
    if battle.surprise:
        yield say("Surprise Attack")
    if battle.war_office:
        yield say("War Office")
    if battle.declined:
        yield say(text("{side} declines at sea", side=battle.declined))
    if battle.support:
        yield say(text("Naval support: {side}", side=battle.support))


def compared(area: AreaView, before: AreaView | None) -> list[tuple[Garrison, Garrison]]:
    """Return what each power has in an area beside what it had; also powers that have left it."""
    now = {held.power: held for held in area.garrisons}
    was = now if before is None else {held.power: held for held in before.garrisons}
    return [(now.get(power, nothing(power)), was.get(power, nothing(power))) for power in dict.fromkeys((*now, *was))]


def nothing(power: str) -> Garrison:
    return Garrison(power=power, markers=0, armies=0, navies=0, forts=0)


def counted(neutrals: Sequence[Neutral]) -> dict[Neutral, int]:
    """How many there are of each face; the faces themselves are counted as one."""
    return {neutral.model_copy(update={"number": 1}): neutral.number for neutral in neutrals}
