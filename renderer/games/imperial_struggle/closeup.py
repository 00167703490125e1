"""One region of Imperial Struggle close up."""
from __future__ import annotations

from PIL import Image

from engine.games.imperial_struggle.pictures.scenes import Region
from engine.text import say, text
from renderer.games.imperial_struggle.common import MARGIN, WIDE, colours
from renderer.games.imperial_struggle.layout import CLOSE, size
from renderer.games.imperial_struggle.legend import legend, shut
from renderer.games.imperial_struggle.panels import HEADER, header, moment
from renderer.games.imperial_struggle.plates import BAR, bar, bar_of, paint_plate
from renderer.themes import THEMES


def paint(scene: Region, theme_name: str) -> Image.Image:
    view, (wide, tall) = scene.now, size(scene.region, CLOSE)
    signs = legend(theme_name, board=False, shut=shut(view, scene.region), fresh=False, own=bool(scene.numbers))
    frame = Image.new("P", (WIDE, HEADER + BAR + tall + signs.height))
    frame.putpalette(colours(THEMES[theme_name]).getpalette() or [])
    active = view.round.side if view.round is not None and not view.over else ""
    title = say(text("{title} · {era}", title=view.title, era=view.era.capitalize()))
    frame.paste(header(theme_name, title, moment(view), "", active), (0, 0))
    frame.paste(bar(theme_name, wide, bar_of(view, scene.before, scene.region)), (MARGIN, HEADER))
    paint_plate(frame, view, scene.before, scene.region, CLOSE, theme_name, (MARGIN, HEADER + BAR), dict(scene.numbers))
    frame.paste(signs, (0, HEADER + BAR + tall))
    return frame
