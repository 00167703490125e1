"""A naval battle: both lines ship against ship, once they are turned up, with dice, what each ship adds, and what was hit."""
from __future__ import annotations

from PIL import Image

from engine.games.attack.pictures.scenes import Naval, NavalRound, Navy, Pair, Shot, Vessel
from engine.text import count, say, template, text
from renderer.brushes import RING, Brush, block, page, person
from renderer.games.attack.common import WIDE, fill, settled
from renderer.games.attack.pieces import disc
from renderer.pieces import Piece, die, icon, line, name, struck, words
from renderer.themes import THEMES, Theme, letter_on

TITLE, HEAD, BAND, ROW, BRIEF, OUTCOME = 116, 112, 56, 92, 60, 100
EDGE = 24
COLUMN = WIDE // 2 - EDGE - 50
SHORT = {"battleship": template("Battleship"), "aircraft_carrier": template("Carrier"), "destroyer": template("Destroyer"),
         "submarine": template("Submarine")}


def paint(scene: Naval, theme_name: str) -> Image.Image:
    """The naval battle as a palette image, 1200 px wide: the last round in full, those before in short."""
    theme = THEMES[theme_name]
    *earlier, last = scene.rounds or (None,)
    rows = max(len(last.attackers_line), len(last.defenders_line)) if last else max(scene.attacker.lying, scene.defender.lying, 1)
    high = TITLE + HEAD + BRIEF * len(earlier) + BAND * (last is not None) + ROW * rows + OUTCOME
    image = Image.new("RGB", (WIDE, high), theme.card)
    brush, people = page(image, theme), dict(scene.people)
    _title(brush, scene)
    for navy, left in ((scene.attacker, True), (scene.defender, False)):
        _head(brush, navy, people.get(navy.power, ""), left=left)
    y = TITLE + HEAD
    for one in earlier:
        if one is not None:
            _brief(brush, one, scene, y)
            y += BRIEF
    if last is None:
        _face_down(brush, scene, y)
    else:
        brush.draw.rectangle((0, y, WIDE, y + BAND - 1), theme.bar)
        brush.text(WIDE // 2, y + BAND // 2, say(text("Round {n}", n=last.number)), "name", 36, theme.bar_ink, align="m")
        for n in range(rows):
            _row(brush, last, n, y + BAND + ROW * n)
    _outcome(brush, scene, high - OUTCOME)
    return settled(image, theme)


def _title(brush: Brush, scene: Naval) -> None:
    theme = brush.theme
    brush.draw.rectangle((0, 0, WIDE, TITLE - 1), theme.bar)
    brush.draw.rectangle((0, TITLE - 5, WIDE, TITLE - 2), theme.gold)
    brush.icon(EDGE + 30, TITLE // 2 - 2, "anchor", 64, theme.gold)
    name(say(text("Battle for the sea lanes")), 56, WIDE - 2 * EDGE - 84, theme.bar_ink).draw(brush, EDGE + 84, 40)
    name(f"{scene.title} · {scene.when}", 34, WIDE - 2 * EDGE, theme.bar_muted, "title").draw(brush, EDGE + 84, 90)


def _head(brush: Brush, navy: Navy, player: str, *, left: bool) -> None:
    theme, y = brush.theme, TITLE + HEAD // 2
    number = say(count(navy.fit, "{n} fit ship", "{n} fit ships"))
    player = person(player, "label")
    below = f"{number} · {player}" if player else number
    _set(brush, disc(navy.power, 76), y, left=left)
    x = EDGE + 90
    for piece, at in ((name(say(navy.name), 48, COLUMN - 90, theme.ink), y - 18),
                      (name(below, 32, COLUMN - 90, theme.muted, "label"), y + 26)):
        piece.draw(brush, x if left else WIDE - x - piece.wide, at)


def _set(brush: Brush, piece: Piece, y: int, *, left: bool) -> None:
    piece.draw(brush, EDGE if left else WIDE - EDGE - piece.wide, y)


# --- rounds -----------------------------------------------------------------------------------------

def _row(brush: Brush, one: NavalRound, n: int, top: int) -> None:
    theme, y = brush.theme, top + ROW // 2
    brush.draw.rectangle((0, top, WIDE, top + ROW - 1), theme.stripe if n % 2 else theme.card)
    pair = one.pairs[n] if n < len(one.pairs) else None
    brush.icon(WIDE // 2, y, "disc", 56, theme.bar)
    brush.text(WIDE // 2, y, str(n + 1), "number", 36, theme.bar_ink, align="m")
    for ships, left in ((one.attackers_line, True), (one.defenders_line, False)):
        if n >= len(ships):
            _set(brush, words(say(text("no opponent")), "label", 32, theme.muted), y, left=left)
            continue
        _set(brush, vessel(ships[n], theme), y, left=left)
        if pair is not None:
            piece = shot(pair.attacker if left else pair.defender, pair, theme, left=left)
            piece.draw(brush, WIDE // 2 - 40 - piece.wide if left else WIDE // 2 + 40, y)


def vessel(ship: Vessel, theme: Theme) -> Piece:
    """A ship as the round left it: struck through if it has sunk, in the colour of alarm if it is damaged."""
    ink = theme.muted if ship.sunk else theme.alarm if ship.hits else theme.ink
    drawn = icon(ship.ship, 72, ink)
    found = struck(drawn, 26, theme.alarm) if ship.sunk else drawn
    said = say(text("sunk")) if ship.sunk else say(text("damaged")) if ship.hits else ""
    lines = [(words(say(text(SHORT[ship.ship])), "label", 34, ink), -17 if said else 0)]
    if said:
        lines.append((words(said, "label", 30, theme.alarm), 19))
    wide = max(piece.wide for piece, _ in lines)

    def draw(brush: Brush, x: int, y: int) -> None:
        found.draw(brush, x, y)
        for piece, down in lines:
            piece.draw(brush, x + 84, y + down)
    return Piece(84 + wide, draw)


def shot(one: Shot, pair: Pair, theme: Theme, *, left: bool) -> Piece:
    """Two dice, what the ship adds, and the total, on gold if it is the higher one."""
    won = pair.hit == ("defender" if left else "attacker")

    def draw(brush: Brush, x: int, y: int) -> None:
        if won:
            brush.mask(x, y - 34, block(76, 68, 10), theme.gold)
        brush.text(x + 38, y, str(one.total), "number", 58, letter_on(theme.gold) if won else theme.ink, align="m")

    total = Piece(76, draw)
    pieces = [die(one.dice[0], 56), die(one.dice[1], 56)]
    if one.modifier:
        pieces.append(words(f"+{one.modifier}", "number", 40, theme.ink))
    return line([*pieces, total] if left else [total, *pieces], 10)


def _brief(brush: Brush, one: NavalRound, scene: Naval, top: int) -> None:
    theme, y = brush.theme, top + BRIEF // 2
    brush.draw.line((0, top, WIDE, top), theme.line, 2)
    middle = words(say(text("Round {n}", n=one.number)), "label", 32, theme.muted)
    middle.draw(brush, (WIDE - middle.wide) // 2, y)
    for ships, left in ((one.attackers_line, True), (one.defenders_line, False)):
        hit = [struck(icon(ship.ship, 44, theme.muted), 16, theme.alarm) if ship.sunk else icon(ship.ship, 44, theme.alarm)
               for ship in ships if ship.hits]
        _set(brush, line(hit, 14) if hit else words(say(text("no loss")), "label", 32, theme.muted), y, left=left)


def _face_down(brush: Brush, scene: Naval, top: int) -> None:
    """The backs of ships that lie in lines nobody else has seen."""
    theme = brush.theme
    for n in range(max(scene.attacker.lying, scene.defender.lying, 1)):
        brush.draw.rectangle((0, top + ROW * n, WIDE, top + ROW * (n + 1) - 1), theme.stripe if n % 2 else theme.card)
        brush.icon(WIDE // 2, top + ROW * n + ROW // 2, "disc", 56, theme.bar)
        brush.text(WIDE // 2, top + ROW * n + ROW // 2, str(n + 1), "number", 36, theme.bar_ink, align="m")
    for navy, left in ((scene.attacker, True), (scene.defender, False)):
        ground = fill(theme, navy.power)
        for n in range(navy.lying):
            x = EDGE if left else WIDE - EDGE - 220
            y = top + ROW * n + 8
            brush.mask(x, y, block(220, ROW - 16, 10), theme.ring)
            brush.mask(x + RING, y + RING, block(220 - 2 * RING, ROW - 16 - 2 * RING, 8), ground)
            brush.text(x + 110, y + ROW // 2 - 8, "?", "number", 48, letter_on(ground), align="m")


def _outcome(brush: Brush, scene: Naval, top: int) -> None:
    theme, y = brush.theme, top + OUTCOME // 2
    if not scene.winner:
        brush.draw.rectangle((0, top, WIDE, top + OUTCOME), theme.bar)
        said = say(text("The battle goes on") if scene.rounds else text("Both lay their lines face down"))
        name(said, 46, WIDE - 2 * EDGE, theme.bar_ink).draw(brush, EDGE, y)
        return
    winner, loser = (scene.attacker, scene.defender) if scene.winner == "attacker" else (scene.defender, scene.attacker)
    ink = letter_on(fill(theme, winner.power))
    brush.draw.rectangle((0, top, WIDE, top + OUTCOME), fill(theme, winner.power))
    icon("anchor", 60, ink).draw(brush, EDGE, y)
    told = text("{winner:The} controls the sea lanes: {loser:the} retreats" if scene.retreat else
                "{winner:The} controls the sea lanes", winner=winner.name, loser=loser.name)
    name(say(told), 48, WIDE - 2 * EDGE - 90, ink).draw(brush, EDGE + 84, y)
