"""A land battle close up, to be read in the channel without a tap: both sides, and each round with its dice, hits and losses.

The attacker stands at the left, as in every picture of a battle.
"""
from __future__ import annotations

from functools import lru_cache

from PIL import Image

from engine.games.attack.pictures.scenes import Battle, Fighter, Half, Round
from engine.games.attack.view import Units
from engine.text import count, say, template, text
from renderer.brushes import Brush, fit, page, person
from renderer.games.attack.base import WINDOWS, coloured, cut, regions
from renderer.games.attack.common import GAME, NEUTRAL, NEUTRAL_SIGN, UNITS, WIDE, fill, settled
from renderer.games.attack.pieces import army, battle_die, disc, fitting, losses
from renderer.games.attack.places import LABELS
from renderer.layout.boxes import Box
from renderer.maps.plates import plate
from renderer.pieces import Piece, icon, line, name, over, words
from renderer.themes import THEMES, Theme, letter_on

HIGHEST = 1200          # px; a battle of few rounds is lower
TITLE = 116
EDGE = 28
HEADS = 296             # both sides and the map between them
MAP = Box(438, TITLE + 10, 324, HEADS - 20)
COLUMN = 384            # the room of a side beside the map
OUTCOME = 104
ROW, LEAST_ROW = 240, 108       # px of a round
DIE, ABREAST = 112, 9           # px of a die at most; more dice stand in two lines
EARLIER = 62            # what the rounds before those shown take
HALF = WIDE // 2 - EDGE - 46    # the room of a side in a round
ABOVE, BROUGHT = 2, 30  # types of units brought that stand above each other, and their size


def paint(scene: Battle, theme_name: str) -> Image.Image:
    """The battle as a palette image, 1200 px wide and as high as its rounds are."""
    theme = THEMES[theme_name]
    earlier, rounds, high = division(scene.rounds)
    image = Image.new("RGB", (WIDE, TITLE + HEADS + EARLIER * bool(earlier) + high * len(rounds) + OUTCOME), theme.card)
    brush = page(image, theme)
    _title(brush, scene)
    people = dict(scene.people)
    defend = say(text("defend") if scene.defender.power == NEUTRAL else text("defends"))
    _head(brush, scene.attacker, say(text("attacks")), people.get(scene.attacker.power, ""), EDGE)
    _head(brush, scene.defender, defend, people.get(scene.defender.power, ""), WIDE - EDGE - COLUMN)
    y = TITLE + HEADS
    if earlier:
        _earlier(brush, earlier, y)
        y += EARLIER
    for n, one in enumerate(rounds):
        _round(brush, one, y + high * n, high, striped=bool(n % 2))
    _outcome(brush, scene)
    whole = settled(image, theme)
    left = WIDE - MAP.left - MAP.wide if brush.mirrored else MAP.left
    whole.paste(_map(theme_name, scene.territory, tuple((land.territory, land.owner) for land in scene.land)), (left, MAP.top))
    return whole


def division(rounds: tuple[Round, ...]) -> tuple[tuple[Round, ...], tuple[Round, ...], int]:
    """The rounds that are told in a line, those that are shown, and how high each of these is."""
    room = HIGHEST - TITLE - HEADS - OUTCOME
    if len(rounds) * LEAST_ROW <= room:
        return (), rounds, min(ROW, room // max(1, len(rounds)))
    shown = (room - EARLIER) // LEAST_ROW
    return rounds[:-shown], rounds[-shown:], (room - EARLIER) // shown


def _title(brush: Brush, scene: Battle) -> None:
    theme = brush.theme
    brush.draw.rectangle((0, 0, WIDE, TITLE - 1), theme.bar)
    brush.draw.rectangle((0, TITLE - 5, WIDE, TITLE - 2), theme.gold)
    heading = say(text("The battle for {territory:the}", territory=scene.name))
    brush.text(EDGE, 40, heading, "name", fit(heading, "name", 60, WIDE - 2 * EDGE), theme.bar_ink)
    more = f" · {say(text('{n} more since you looked', n=scene.more))}" if scene.more else ""
    signs = _signs(theme)
    signs.draw(brush, WIDE - EDGE - signs.wide, 88)
    room = WIDE - 2 * EDGE - signs.wide - 24
    name(f"{scene.title} · {scene.when}{more}", 34, room, theme.bar_muted, "title").draw(brush, EDGE, 90)


def _signs(theme: Theme) -> Piece:
    """Return what the dice mean: gold ones are hits."""
    return line([battle_die("infantry", 42, scored=True), words(say(text("hit")), "label", 30, theme.bar_muted),
                 battle_die("infantry", 42, scored=False), words(say(text("miss")), "label", 30, theme.bar_muted)], 12)


def _head(brush: Brush, side: Fighter, role: str, player: str, left: int) -> None:
    """A side: who it is, and where its units are."""
    theme, y = brush.theme, TITLE + 46
    if side.power == NEUTRAL:
        brush.icon(left + 34, y, "octagon", 68, theme.ring)
        brush.icon(left + 34, y, "octagon", 62, theme.stone)
        brush.text(left + 34, y, NEUTRAL_SIGN, "number", 40, theme.seal_ink, align="m")
    else:
        disc(side.power, 68).draw(brush, left, y)
    leader = say(text("led by {commander:the}", commander=side.commander)) if side.commander else person(player, "label")
    below = f"{role} · {leader}" if leader else role
    name(say(side.name), 46, COLUMN - 80, theme.ink).draw(brush, left + 80, y - 16)
    name(below, 30, COLUMN - 80, theme.muted, "label").draw(brush, left + 80, y + 24)
    for n, (label, units) in enumerate(((template("Began"), side.force), (template("In battle"), side.fighting),
                                        (template("Reserve"), side.reserve), (template("Lost"), side.lost))):
        y = TITLE + 112 + 48 * n
        ink = theme.alarm if label == "Lost" else theme.ink
        name(say(text(label)), 30, 104, theme.muted, "label").draw(brush, left, y)
        fitting(units, 36, COLUMN - 108, ink, theme).draw(brush, left + 108, y)


@lru_cache(maxsize=8)
def _map(theme_name: str, territory: str, owners: tuple[tuple[str, str], ...]) -> Image.Image:
    theme, holders = THEMES[theme_name], dict(owners)
    where, *_ = LABELS[territory]
    window, (x, y) = WINDOWS[where], plate(GAME, where).anchors[territory]
    left = round(min(max(x - MAP.wide / 2, 6), window.wide - MAP.wide - 6))
    top = round(min(max(y - MAP.high / 2, 6), window.high - MAP.high - 6))
    box = Box(window.left + left, window.top + top, MAP.wide, MAP.high)
    ground = tuple((n, holders.get(region, "")) for n, region in enumerate(regions()))
    part = coloured(cut(box), theme_name, ground).convert("RGB")
    brush, spot = Brush(part, theme), (round(x) - left, round(y) - top)
    brush.icon(*spot, "disc", 76, theme.halo)
    brush.icon(*spot, "disc", 70, theme.alarm)
    brush.icon(*spot, "attack", 46, theme.halo)
    brush.draw.rectangle((0, 0, MAP.wide - 1, MAP.high - 1), outline=theme.frame, width=3)
    return settled(part, theme)


# --- the rounds -------------------------------------------------------------------------------------

def _round(brush: Brush, one: Round, top: int, high: int, *, striped: bool) -> None:
    """One round: the attacker's half at the left, though the defender rolls first."""
    theme = brush.theme
    brush.draw.rectangle((0, top, WIDE, top + high - 1), theme.stripe if striped else theme.card)
    brush.draw.line((0, top, WIDE, top), theme.line, 2)
    middle = top + high // 2
    brush.icon(WIDE // 2, middle, "disc", 64, theme.bar)
    brush.text(WIDE // 2, middle, str(one.number), "number", 40, theme.bar_ink, align="m")
    for half in one.halves:
        left = EDGE if half.side == "attacker" else WIDE - EDGE - HALF
        _half(brush, half, left, top, high)


def _half(brush: Brush, half: Half, left: int, top: int, high: int) -> None:
    """The dice of a side above, what it brought and what it hit below."""
    theme, upper, lower = brush.theme, top + high * 3 // 10 + 2, top + high * 3 // 4
    room = HALF
    if half.brought != Units():
        brought = line([words("+", "number", 36, theme.muted), _stacked(half.brought, theme)], 6)
        brought.draw(brush, left, upper)
        left, room = left + brought.wide + 16, HALF - brought.wide - 16
    dice = list(zip(half.dice, half.scored))
    if not dice:
        words(say(text("has not rolled yet")), "label", 34, theme.muted).draw(brush, left, upper)
    abreast = len(dice) if len(dice) <= ABREAST else (len(dice) + 1) // 2
    lines = [dice[n:n + abreast] for n in range(0, len(dice), abreast or 1)]
    for n, faces in enumerate(lines):
        size = min(DIE, (high // 2 - 4) // len(lines) - 4 * (len(lines) - 1), (room + 6) // abreast - 6)
        y = upper + (size + 4) * (2 * n + 1 - len(lines)) // 2
        line([battle_die(face, size, scored=hit) for face, hit in faces], 6).draw(brush, left, y)
    left += room - HALF
    pieces: list[Piece] = []
    if half.dice:
        said = say(count(half.hits, "{n} hit", "{n} hits") if half.hits else text("no hit"))
        pieces.append(words(said, "name", 38, theme.ink if half.hits else theme.muted))
        if half.losses != Units():
            pieces.append(line([icon("pointer", 24, theme.alarm), losses(half.losses, 38, theme)], 10))
    line(pieces, 22).draw(brush, left, lower)


def _stacked(units: Units, theme: Theme) -> Piece:
    """Units that are brought, two types above two others, so that the dice beside them stay large."""
    there = {unit: number for unit in UNITS if (number := getattr(units, unit))}
    if len(there) <= ABOVE:
        return army(units, BROUGHT, theme.ink, theme)
    pairs = [Units(**dict(part)) for part in (list(there.items())[:ABOVE], list(there.items())[ABOVE:])]
    first, second = [army(part, BROUGHT, theme.ink, theme) for part in pairs]
    return over(first, second, BROUGHT)


def _earlier(brush: Brush, rounds: tuple[Round, ...], top: int) -> None:
    theme, y = brush.theme, top + EARLIER // 2
    said = say(text("Rounds 1 to {n}" if len(rounds) > 1 else "Round {n}", n=rounds[-1].number if len(rounds) > 1 else 1))
    brush.draw.rectangle((0, top, WIDE, top + EARLIER - 1), theme.stripe)
    middle = words(said, "label", 30, theme.muted)
    middle.draw(brush, (WIDE - middle.wide) // 2, y)
    for side, left in (("defender", EDGE), ("attacker", WIDE - EDGE - COLUMN)):       # who rolled; the other one lost
        lost = [half.losses for one in rounds for half in one.halves if half.side == side]
        total = Units(**{unit: sum(getattr(one, unit) for one in lost) for unit in UNITS})
        losses(total, 36, theme).draw(brush, left, y)


def _outcome(brush: Brush, scene: Battle) -> None:
    theme, high = brush.theme, brush.image.height
    top = high - OUTCOME
    y = top + OUTCOME // 2
    if not scene.winner:
        brush.draw.rectangle((0, top, WIDE, high), theme.bar)
        words(say(text("The battle goes on")), "name", 48, theme.bar_ink).draw(brush, EDGE, y)
        return
    side = scene.attacker if scene.winner == "attacker" else scene.defender
    ground = fill(theme, side.power)
    ink = letter_on(ground)
    brush.draw.rectangle((0, top, WIDE, high), ground)
    told = template("{side:The} captures {territory:the}" if scene.winner == "attacker" else "{side:The} holds {territory:the}")
    if side.power == NEUTRAL:
        told = template("{territory:The} stays neutral")
    said = say(text(told, side=side.name, territory=scene.name))
    left = Units(**{unit: getattr(side.fighting, unit) + getattr(side.reserve, unit) for unit in UNITS})
    rest: list[Piece] = [army(left, 44, ink, theme)] if side.power != NEUTRAL else []
    if scene.spoils or (scene.card and scene.winner == "attacker"):
        rest.append(line([words("+", "number", 44, ink), icon("card", 44, ink)], 4))
    piece = line(rest, 24)
    piece.draw(brush, WIDE - EDGE - piece.wide, y)
    name(said, 50, WIDE - 2 * EDGE - piece.wide - 30, ink).draw(brush, EDGE, y)
