"""One region of Imperial Struggle close up."""
from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw

from engine.games.imperial_struggle.pictures.scenes import Region
from renderer.brushes import SMALLEST, Brush
from renderer.games.imperial_struggle.common import MARGIN, WIDE, colours, settled
from renderer.games.imperial_struggle.layout import CLOSE, size
from renderer.games.imperial_struggle.panels import HEADER, header, moment
from renderer.games.imperial_struggle.plates import BAR, bar, bar_of, paint_plate
from renderer.games.imperial_struggle.signs import badge
from renderer.themes import THEMES

FOOT = 52               # px: the line that says what the marks mean


@lru_cache(maxsize=4)
def _legend(theme_name: str) -> Image.Image:
    theme = THEMES[theme_name]
    image = Image.new("RGB", (WIDE, FOOT), theme.paper)
    brush, x, y = Brush(image, theme), MARGIN + 18, FOOT // 2
    for icon, said in (("attack", "Conflict"), ("crack", "Damaged"), ("ally", "Protected"), ("blockade", "Isolated")):
        fill = {"attack": theme.alarm, "crack": theme.stone}.get(icon, theme.card)
        badge(brush, x, y, 30, icon, fill)
        x += 24 + brush.text(x + 24, y, said, "label", SMALLEST, theme.ink) + 44
    for part in range(3):
        ImageDraw.Draw(image).line((x + part * 24, y, x + part * 24 + 14, y), theme.alarm, 4)
    brush.text(x + 80, y, "Conquest line", "label", SMALLEST, theme.ink)
    return settled(image, theme)


def paint(scene: Region, theme_name: str) -> Image.Image:
    view, (wide, tall) = scene.now, size(scene.region, CLOSE)
    frame = Image.new("P", (WIDE, HEADER + BAR + tall + FOOT))
    frame.putpalette(colours(THEMES[theme_name]).getpalette() or [])
    active = view.round.side if view.round is not None and not view.over else ""
    frame.paste(header(theme_name, f"{view.title} · {view.era.capitalize()}", moment(view), "", active), (0, 0))
    frame.paste(bar(theme_name, wide, bar_of(view, scene.before, scene.region)), (MARGIN, HEADER))
    paint_plate(frame, view, scene.before, scene.region, CLOSE, theme_name, (MARGIN, HEADER + BAR), dict(scene.numbers))
    frame.paste(_legend(theme_name), (0, HEADER + BAR + tall))
    return frame
