"""Sheets of Imperial Struggle: a war theater by theater, the forecast, and what a seat holds."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from PIL import Image

from engine.games.imperial_struggle.pictures.scenes import Card, Forecast, Hand, Row, Theater, War
from engine.text import say, template, text, verbatim
from renderer.brushes import SMALLEST, Brush, block, clipped, fit, page, width
from renderer.games.imperial_struggle.common import FLAGS, GOODS, MARGIN, NAMES, SIGNS, WIDE, settled
from renderer.games.imperial_struggle.panels import HEADER, header
from renderer.themes import THEMES, Theme, letter_on
from renderer.words import short_name

INNER = WIDE - 2 * MARGIN
LINE, HEAD, GAP = 42, 62, 12            # px: a line of a table, the head of a block, between blocks
SIDES = ("britain", "france")


def said_in(told: str, face_size: int, room: int) -> list[str]:
    """A text in as many lines as it needs."""
    lines: list[str] = []
    for word in told.split():
        if lines and width(f"{lines[-1]} {word}", "label", face_size) <= room:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(word)
    return lines


Block: TypeAlias = tuple[int, Callable[[Brush, int], None]]
"""The height of a part of a sheet, and what draws it from an upper edge down."""


def _sheet(theme_name: str, title: str, said: str, right: str, blocks: Sequence[Block]) -> Image.Image:
    theme = THEMES[theme_name]
    image = Image.new("RGB", (WIDE, HEADER + GAP + sum(high + GAP for high, _ in blocks)), theme.paper)
    image.paste(header(theme_name, title, said, right, "").convert("RGB"), (0, 0))
    brush, top = page(image, theme), HEADER + GAP
    for high, draw in blocks:
        draw(brush, top)
        top += high + GAP
    return settled(image, theme)


def _box(brush: Brush, top: int, high: int, fill: tuple[int, int, int]) -> None:
    brush.mask(MARGIN, top, block(INNER, high, 10), brush.theme.edge)
    brush.mask(MARGIN + 2, top + 2, block(INNER - 4, high - 4, 8), fill)


# --- a war ------------------------------------------------------------------------------------------------

LEFT = 560              # px: the strength; the spoils stand beside it
COLUMNS = (400, 500)    # px from the left edge: Britain's and France's figures


def paint_war(scene: War, theme_name: str) -> Image.Image:
    right = say(text("under way") if scene.under_way else text("next war"))
    return _sheet(theme_name, f"{scene.title} · {scene.when}", say(scene.name), right,
                  [_theater(theater, THEMES[theme_name]) for theater in scene.theaters])


def _strength_rows(theater: Theater) -> list[tuple[str, str, str]]:
    rows = [(say(line.name), say(line.britain), say(line.france)) for line in theater.lines]
    if not theater.settled:
        both = [f"{basic}+{bonus}" for basic, bonus in theater.tiles]
        rows.append((say(text("Face down, basic + bonus")), both[0], both[1]))
    return rows


def _theater(theater: Theater, theme: Theme) -> Block:
    rows = _strength_rows(theater)
    left, right = [COLUMNS[0] - 60, INNER - LEFT - 40]
    tiles = [(side, said_in(", ".join(shown), SMALLEST, INNER - 110)) for side, shown in zip(SIDES, theater.shown) if shown]
    territories = verbatim(", ".join(map(say, theater.territories)))
    named = say(text("Territories that CP can take: {territories}", territories=territories))
    taken = said_in(named, SMALLEST, INNER - 40) if theater.territories else []
    table = max(len(rows) + 1, len(theater.spoils) + 1) * LINE + 16
    high = HEAD + table + sum(len(lines) for _, lines in tiles) * 36 + len(taken) * 36 + 14

    def draw(brush: Brush, top: int) -> None:
        _box(brush, top, high, theme.card)
        brush.draw.rectangle((MARGIN + 2, top + HEAD, WIDE - MARGIN - 3, top + HEAD + 1), theme.line)
        _head(brush, theater, top, theme)
        y = top + HEAD + 10 + LINE // 2
        for n, (name, britain, france) in enumerate([*rows, (say(text("Strength")), str(theater.britain), str(theater.france))]):
            whole = n == len(rows)
            ink = theme.ink if whole else theme.muted
            if whole:
                brush.draw.rectangle((MARGIN + 16, y - LINE // 2, MARGIN + LEFT - 10, y - LINE // 2 + 1), theme.line)
            brush.text(MARGIN + 20, y, clipped(name, "label", 30, left), "label", 30, ink)
            for column, number, side in zip(COLUMNS, (britain, france), SIDES):
                if whole:
                    brush.mask(MARGIN + column - 34, y - 19, block(68, 38, 8), FLAGS[side])
                tone = letter_on(FLAGS[side]) if whole else theme.muted if number == "0" else theme.ink
                brush.text(MARGIN + column, y, number, "number", 32, tone, align="m")
            y += LINE
        _spoils(brush, theater, top + HEAD + 10 + LINE // 2, right, theme)
        y = top + HEAD + table + 18
        for side, lines in tiles:
            brush.disc(MARGIN + 38, y, SIGNS[side], 34, FLAGS[side])
            for said in lines:
                brush.text(MARGIN + 66, y, said, "label", SMALLEST, theme.ink)
                y += 36
        for said in taken:
            brush.text(MARGIN + 20, y, said, "label", SMALLEST, theme.muted)
            y += 36
    return high, draw


def _head(brush: Brush, theater: Theater, top: int, theme: Theme) -> None:
    y = top + HEAD // 2 + 1
    if theater.winner:
        said = say(text("{side} wins by {margin}" if theater.settled else "{side} leads by {margin}", side=NAMES[theater.winner],
                        margin=theater.margin))
        wide = width(said, "name", 34)
        fill = FLAGS[theater.winner]
        brush.mask(WIDE - MARGIN - wide - 44, y - 22, block(wide + 30, 44, 8), fill)
        brush.text(WIDE - MARGIN - 29, y, said, "name", 34, letter_on(fill), align="r")
    else:
        said = say(text("nobody wins") if theater.settled else text("level"))
        brush.text(WIDE - MARGIN - 20, y, said, "name", 34, theme.muted, align="r")
    x = MARGIN + 34 + brush.text(MARGIN + 20, y, str(theater.number), "name", 38, theme.ink)
    brush.write(x, y, say(theater.name), "name", 38, WIDE - MARGIN - 60 - x - width(said, "name", 34), theme.ink)


def _spoils(brush: Brush, theater: Theater, y: int, room: int, theme: Theme) -> None:
    """The table of spoils; the row that holds now stands on a plate."""
    left = MARGIN + LEFT + 10
    brush.text(left, y, clipped(say(text("Lead")), "label", SMALLEST, 96), "label", SMALLEST, theme.muted)
    brush.text(left + 100, y, say(text("Winner")), "label", SMALLEST, theme.muted)
    brush.text(WIDE - MARGIN - 24, y, say(text("Loser")), "label", SMALLEST, theme.muted, align="r")
    for margin, gain, loss, now in theater.spoils:
        y += LINE
        if now:
            brush.mask(left - 10, y - 19, block(room + 34, 38, 8), theme.gold)
        ink = theme.seal_ink if now else theme.ink
        brush.text(left, y, margin, "number", 30, ink)
        brush.write(left + 100, y, gain, "label", 30, room - 112 - width(loss, "label", 30), ink)
        brush.text(WIDE - MARGIN - 24, y, loss, "label", 30, ink, align="r")


# --- forecast ---------------------------------------------------------------------------------------------

ROW = 84


def paint_forecast(scene: Forecast, theme_name: str) -> Image.Image:
    """Return what scoring and war would bring as things stand."""
    theme = THEMES[theme_name]
    right = say(text("{vp} VP" if scene.vp == scene.end else "{vp} VP, then {end}", vp=scene.vp, end=scene.end))
    blocks = []
    for kinds, heading in ((("region", "prestige", "good"), say(text("This turn’s scoring"))), (("theater",), scene.war)):
        if rows := [row for row in scene.rows if row.kind in kinds]:
            blocks.append(_table(heading, rows, theme))
    if not blocks:
        blocks.append((80, _nothing))
    return _sheet(theme_name, f"{scene.title} · {scene.when}", say(text("As things stand")), right, blocks)


def _nothing(brush: Brush, top: int) -> None:
    brush.text(MARGIN + 20, top + 40, say(text("Nothing to score yet.")), "label", 32, brush.theme.muted)


def _table(heading: str, rows: Sequence[Row], theme: Theme) -> Block:
    high = HEAD + ROW * len(rows) + 4

    def draw(brush: Brush, top: int) -> None:
        _box(brush, top, high, theme.card)
        brush.write(MARGIN + 20, top + HEAD // 2, heading, "name", 38, INNER - 40, theme.ink)
        for n, row in enumerate(rows):
            upper = top + HEAD + n * ROW
            if not n % 2:
                brush.draw.rectangle((MARGIN + 2, upper, WIDE - MARGIN - 3, upper + ROW - 1), theme.stripe)
            _forecast_row(brush, row, upper + ROW // 2, theme)
    return high, draw


def _forecast_row(brush: Brush, row: Row, y: int, theme: Theme) -> None:
    x = MARGIN + 20
    symbol = GOODS.get(row.id, "star" if row.kind == "prestige" else "")
    if symbol:
        brush.icon(x + 20, y, symbol, 40, theme.ink)
        x += 54
    room = MARGIN + 372 - x
    called = short_name(row.name)
    size = fit(called, "name", 36, room)
    brush.text(x, y, clipped(called, "name", size, room), "name", size, theme.ink)
    for n, (side, number) in enumerate(zip(SIDES, (row.britain, row.france))):
        left = MARGIN + 384 + n * 76
        won = row.winner == side
        brush.mask(left, y - 26, block(70, 52, 8), theme.gold if won else theme.line)
        brush.mask(left + 4, y - 22, block(62, 44, 6), FLAGS[side])
        brush.text(left + 35, y, str(number), "number", 38, letter_on(FLAGS[side]), align="m")
    left = MARGIN + 552
    said = say(text("{side}: {reward}", side=NAMES[row.winner], reward=row.reward) if row.winner else
               text("nobody yet: {reward}", reward=row.reward))
    room = WIDE - MARGIN - 20 - left
    brush.write(left, y - 19, said, "number", 34, room, theme.ink if row.winner else theme.muted)
    brush.text(left, y + 20, clipped(row.tip, "label", SMALLEST, room), "label", SMALLEST, theme.muted)


# --- what a seat holds --------------------------------------------------------------------------------------

KINDS = {"event": template("Event"), "ministry": template("Ministry"), "theater": template("War tiles")}


def paint_hand(scene: Hand, theme_name: str) -> Image.Image:
    """A seat's own events, ministries and war tiles, with what they do."""
    theme = THEMES[theme_name]
    return _sheet(theme_name, f"{scene.title} · {scene.when}", say(text("{side}: your cards", side=NAMES[scene.side])),
                  say(text("only you see this")),
                  [_card(card, scene.side, theme) for card in scene.cards])


def _card(card: Card, side: str, theme: Theme) -> Block:
    lines = [line for told in card.texts for line in said_in(say(verbatim(told)), 32, INNER - 60)]
    high = 58 + 40 * len(lines) + 14

    def draw(brush: Brush, top: int) -> None:
        _box(brush, top, high, theme.card)
        brush.draw.rectangle((MARGIN + 2, top + 8, MARGIN + 11, top + high - 9), FLAGS[side])
        kind = say(text(KINDS[card.kind])) + (f", {say(card.state)}" if card.state else "")
        brush.text(WIDE - MARGIN - 20, top + 34, kind, "label", 30, theme.muted, align="r")
        room = INNER - 60 - width(kind, "label", 30)
        brush.text(MARGIN + 28, top + 34, say(card.name), "name", fit(say(card.name), "name", 40, room), theme.ink)
        for n, line in enumerate(lines):
            brush.text(MARGIN + 28, top + 78 + 40 * n, line, "label", 32, theme.ink)
    return high, draw
