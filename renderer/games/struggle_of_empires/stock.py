"""All tiles on one sheet: how many are left, what they cost, who has them and whose are used up; the same of local alliances;
and what lies in the open display."""
from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple, TypeAlias

from PIL import Image

from engine.games.struggle_of_empires.pictures.scenes import Item, LocalPlace, Owner, Power, Stock
from engine.games.struggle_of_empires.view import LocalAlliance, TokenView
from engine.text import say, template, text
from renderer.brushes import SMALLEST, Brush, clipped, width
from renderer.games.struggle_of_empires import sheets as sh
from renderer.games.struggle_of_empires.base import HEADER
from renderer.games.struggle_of_empires.common import CLOSED, GAP, MARGIN, POWERS, WIDE, letter, put_shield, settled
from renderer.layout.boxes import Box
from renderer.themes import THEMES
from renderer.words import short_name, spoken

COLUMN = (sh.INSIDE - GAP) // 2
LINE, PAD = 42, 6           # a line of a row, and the room around its lines
DISC, STEP = 38, 44
EFFECT = 32                 # a line of what a tile does
HIGHEST = 2400              # px: a sheet that would be higher cuts what tiles do to one line, or leaves it out
LEGEND = 54                 # a line of what the discs mean
KINDS = {"improvement": template("Improvements"), "company": template("Companies"), "alliance": template("Alliances"),
         "free_action": template("Free actions"), "military_tactics": template("Military tactics"),
         "immediate": template("Immediate"), "local": template("Local alliances")}
Entry: TypeAlias = Item | LocalPlace


class Pile(NamedTuple):
    """Equal tiles of one owner."""

    power: str
    number: int
    used: bool


def piles(owners: tuple[Owner, ...]) -> Iterator[Pile]:
    """The tiles of each owner, those used up for this war apart."""
    for owner in owners:
        for number, used in ((owner.number - owner.used, False), (owner.used, True)):
            if number:
                yield Pile(owner.power, number, used)


def _times(pile: Pile) -> str:
    return f"×{pile.number}" if pile.number > 1 else ""


def _wide(pile: Pile) -> int:
    return STEP + (width(_times(pile), "label", SMALLEST) + 10 if pile.number > 1 else 0)


def pile_lines(item: Item) -> list[list[Pile]]:
    """The owners of a kind of tile in lines as wide as a row has room."""
    lines: list[list[Pile]] = []
    room = left = COLUMN - 24
    for pile in piles(item.owners):
        if not lines or _wide(pile) > left:
            lines.append([])
            left = room
        lines[-1].append(pile)
        left -= _wide(pile)
    return lines


@spoken(maxsize=512)
def effect_lines(effect: str) -> list[str]:
    """Return what a tile does, in lines as wide as a row has room."""
    lines: list[str] = []
    for word in effect.split():
        if lines and width(f"{lines[-1]} {word}", "label", SMALLEST) <= COLUMN - 32:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def told(item: Item) -> list[str]:
    """Return the line of a tile that can be bought; what nobody can buy is told on its owner's board."""
    return effect_lines(say(item.effect)) if item.left else []


def shared(item: Item) -> bool:
    """True if the owners stand on the last line of what a tile does, and take none of their own."""
    lines, owners = told(item), pile_lines(item)
    return bool(lines) and len(owners) == 1 and (
        max(width(said, "label", SMALLEST) for said in lines[-2:]) + 16 + sum(map(_wide, owners[0])) + 12 + 16 <= COLUMN)


def kind_of(entry: Entry) -> str:
    return entry.kind if isinstance(entry, Item) else "local"


def row_height(entry: Entry) -> int:
    """How high the row of a kind of tile, or of a local alliance, is."""
    if isinstance(entry, Item):
        return LINE * (1 + len(pile_lines(entry)) - shared(entry)) + EFFECT * len(told(entry)) + 2 * PAD
    return LINE * (2 - on_one_line(entry)) + 2 * PAD


INDENT = 26 + DISC          # where the words about a local alliance begin
SIGNS = 2 * 38              # what the signs of the fights in which it helps take at most, and its price
PRICE = 84


def areas_of(place: LocalPlace) -> str:
    return " · ".join(map(say, place.areas))


def on_one_line(place: LocalPlace) -> bool:
    words = width(say(place.here.name), "name", 32) + width(areas_of(place), "label", SMALLEST)
    return INDENT + words + 14 + SIGNS + PRICE <= COLUMN


def column_height(items: tuple[Entry, ...]) -> int:
    kinds = len({kind_of(item) for item in items})
    return sum(map(row_height, items)) + sh.PANEL_HEAD * kinds + GAP * max(0, kinds - 1)


def columns(items: tuple[Entry, ...]) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
    """The tiles in two columns, as even as can be."""
    cut = min(range(len(items) + 1), key=lambda n: max(column_height(items[:n]), column_height(items[n:])))
    return items[:cut], items[cut:]


def brief(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """The tiles with what they do in one line, as far as it goes."""
    return tuple([item.model_copy(update={"effect": clipped(say(item.effect), "label", SMALLEST, COLUMN - 32)})
                  for item in items])


def without_effects(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """The tiles without what they do: the menu says it."""
    return tuple([item.model_copy(update={"effect": ""}) for item in items])


def power_lines(scene: Stock) -> list[tuple[Power, ...]]:
    """The powers in one line, or in two if their names have no room in one."""
    wide = sum(DISC + 8 + width(short_name(power.name), "label", SMALLEST) + 20 for power in scene.powers) - 20
    half = -(-len(scene.powers) // 2)
    return [scene.powers] if wide <= sh.INSIDE - 8 else [scene.powers[:half], scene.powers[half:]]


def paint(scene: Stock, theme_name: str) -> Image.Image:
    top = HEADER + (1 + len(power_lines(scene))) * LEGEND + 6
    for tiles in (scene.items, brief(scene.items), without_effects(scene.items)):
        both = columns((*tiles, *scene.local))
        end = top + max(map(column_height, both))
        if end + GAP + display_height(scene) + MARGIN <= HIGHEST:
            break
    shown = Box(MARGIN, end + GAP, sh.INSIDE, display_height(scene))
    high = (shown.corners[3] if shown.high else end) + MARGIN
    brush = sh.sheet(theme_name, high, f"{scene.title} · {sh.moment_words(scene.moment)}",
                     say(text("The stock of tiles")))
    _legend(brush, scene)
    for n, items in enumerate(both):
        y = top
        for kind, same in groupby(items, key=kind_of):
            y = _kind(brush, kind, tuple(same), MARGIN + n * (COLUMN + GAP), y) + GAP
    if shown.high:
        _display(brush, scene, shown)
    return settled(brush.image, THEMES[theme_name])


def _legend(brush: Brush, scene: Stock) -> None:
    """What the discs mean, and whose letters they bear."""
    theme, y, x = brush.theme, HEADER + LEGEND // 2 + 2, MARGIN + 8
    sample = scene.powers[0].power if scene.powers else next(iter(POWERS))
    for used, words in ((False, say(text("owned"))), (True, say(text("used up for this war")))):
        _disc(brush, x + DISC // 2, y, Pile(sample, 1, used), under=theme.paper)
        x += DISC + 10
        x += brush.text(x, y, words, "label", SMALLEST, theme.muted) + 30
    for line, powers in enumerate(power_lines(scene), 1):
        x, lower = MARGIN + 8, y + line * (LEGEND - 6)
        for power in powers:
            sh.power_disc(brush, x + DISC // 2, lower, power.power, DISC, npp=power.npp)
            x += DISC + 8
            x += brush.write(x, lower, short_name(power.name), "label", SMALLEST, WIDE - MARGIN - x, theme.ink) + 20


def _kind(brush: Brush, kind: str, items: tuple[Entry, ...], left: int, top: int) -> int:
    """The panel of one kind; returns where it ends."""
    box = Box(left, top, COLUMN, column_height(items))
    sh.panel(brush, box, say(text(KINDS[kind]) if kind in KINDS else kind.title()))
    y = top + sh.PANEL_HEAD
    for n, item in enumerate(items):
        row = Box(left, y, COLUMN, row_height(item))
        sh.stripe(brush, row, n)
        if isinstance(item, Item):
            _item(brush, item, row, brush.theme.stripe if n % 2 else brush.theme.card)
        else:
            _local(brush, item, row)
        y += row.high
    return y


def _item(brush: Brush, item: Item, row: Box, ground: tuple[int, int, int]) -> None:
    theme, y = brush.theme, row.top + PAD + LINE // 2
    price = _price(brush, item, row.left + COLUMN - 16, y)
    words, x = say(text("{left} of {of} left", left=item.left, of=item.of) if item.left else text("None left")), row.left + 16
    room = COLUMN - 16 - 16 - price - 12 - width(words, "label", SMALLEST) - 14
    x += 14 + brush.write(x, y, say(item.name), "name", 32, room, theme.ink if item.left else theme.muted)
    brush.text(x, y, words, "label", SMALLEST, theme.muted)
    y += LINE // 2
    for said in told(item):
        brush.text(row.left + 16, y + EFFECT // 2, said, "label", SMALLEST, theme.ink)
        y += EFFECT
    y += -EFFECT // 2 if shared(item) else LINE // 2
    for line in pile_lines(item):
        x = row.left + COLUMN - 12 - sum(map(_wide, line))
        for pile in line:
            _disc(brush, x + DISC // 2, y, pile, under=ground)
            brush.text(x + DISC + 5, y, _times(pile), "label", SMALLEST, theme.ink)
            x += _wide(pile)
        y += LINE


def _local(brush: Brush, place: LocalPlace, row: Box) -> None:
    """A local alliance: its holder or its price, then where it helps."""
    theme, here, y, right = brush.theme, place.here, row.top + PAD + LINE // 2, row.left + COLUMN - 16
    put_shield(brush, row.left + 16 + DISC // 2, y, here.holder or (CLOSED if here.closed else ""), DISC)
    price = max(PRICE, 28 + _price(brush, here, right, y)) if not here.holder and not here.closed else PRICE
    x = row.left + INDENT
    x += brush.write(x, y, say(here.name), "name", 32, COLUMN - INDENT - price, theme.ink) + 14
    right = row.left + COLUMN - price
    if not on_one_line(place):
        x, y, right = row.left + INDENT, y + LINE, row.left + COLUMN - 16
    for kind, helps in (("navy", here.sea), ("army", here.land)):
        if helps:
            brush.icon(right - 14, y, kind, 30, theme.muted)
            right -= 38
    brush.write(x, y, areas_of(place), "label", SMALLEST, right - x - 4, theme.muted)


# --- the open display -------------------------------------------------------------------------------

def gone_lines(scene: Stock) -> list[str]:
    """The neutral markers out of the game, in lines as wide as the panel."""
    if not scene.display:
        return []
    (name, number), *others = scene.display
    lines = [say(text("Neutral markers out of the game: {area} {n}", area=name, n=number))]
    for area in [f"{say(name)} {number}" for name, number in others]:
        if width(f"{lines[-1]}, {area},", "label", 30) <= sh.INSIDE - 32:
            lines[-1] += f", {area}"
        else:
            lines[-1] += ","
            lines.append(area)
    return lines


def display_height(scene: Stock) -> int:
    """How high the panel of the open display is; 0 if the game has none."""
    lines = len(scene.tokens) + len(gone_lines(scene))
    return sh.PANEL_HEAD + LINE * lines + 2 * PAD if lines else 0


def _display(brush: Brush, scene: Stock, box: Box) -> None:
    sh.panel(brush, box, say(text("Display")))
    y = box.top + sh.PANEL_HEAD + PAD + LINE // 2
    for token in scene.tokens:
        _token(brush, token, box.left + 16, y)
        y += LINE
    for words in gone_lines(scene):
        brush.text(box.left + 16, y, words, "label", 30, brush.theme.muted)
        y += LINE


def _token(brush: Brush, token: TokenView, x: int, y: int) -> None:
    """A covert token: strength, name, where it is, and who may not use it again in this round."""
    theme = brush.theme
    brush.octagon(x + DISC // 2, y, str(token.strength), DISC)
    x += DISC + 10
    x += brush.text(x, y, say(token.name), "name", 32, theme.ink) + 16
    where = say(text("with a captive in {area:the}", area=token.area) if token.area else text("can be used"))
    x += brush.text(x, y, where, "label", SMALLEST, theme.muted) + 40
    if token.failed:
        x += brush.text(x, y, say(text("not again in this round")), "label", SMALLEST, theme.muted) + 12
    for power in token.failed:
        sh.power_disc(brush, x + DISC // 2, y, power, DISC)
        x += STEP


def _price(brush: Brush, item: Item | LocalAlliance, right: int, y: int) -> int:
    """Return what a tile costs, ending at `right`; returns how wide that is."""
    theme, x = brush.theme, right
    if not (item.gold or item.population or item.unrest):
        return brush.text(right, y, say(text("Free")), "label", SMALLEST, theme.muted, align="r")
    for kind, amount in (("unrest", item.unrest), ("person", item.population), ("coin", item.gold)):
        if amount:
            wide = width(str(amount), "number", 34) + 35
            if kind == "coin":
                sh.gold(brush, x - wide, y, amount)
            else:
                if kind == "unrest":
                    sh.put_sign(brush, x - wide + 14, y, "unrest", 30, theme.alarm)
                else:
                    brush.icon(x - wide + 14, y, kind, 28, theme.ink)
                brush.text(x, y, str(amount), "number", 34, theme.ink, align="r")
            x -= wide + 14
    return right - x - 14


def _disc(brush: Brush, x: int, y: int, pile: Pile, *, under: tuple[int, int, int]) -> None:
    """A tile's owner; a tile that is used up is a hollow disc with a stroke through it."""
    if not pile.used:
        sh.power_disc(brush, x, y, pile.power, DISC)
        return
    theme = brush.theme
    brush.icon(x, y, "disc", DISC, theme.ring)
    brush.icon(x, y, "disc", DISC - 4, POWERS[pile.power])
    brush.icon(x, y, "disc", DISC - 12, under)
    sh.put_sign(brush, x, y, "strike", DISC + 6, theme.alarm)
    brush.text(x, y, letter(pile.power), "number", SMALLEST, theme.muted, align="m", halo=under)
