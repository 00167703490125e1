"""The board of Imperial Struggle.

From top to bottom: header, the track of victory points, both sides, the investment tiles, then the four plates with their bars,
and the next war beside India. The plates are drawn ahead (`base`); everything else is a tile: a function of exactly the values it
shows, so its cache needs no other key. What is new to the reader has a frame in the colour of marks, or a plus or minus figure.
"""
from __future__ import annotations

from PIL import Image

from engine.games.imperial_struggle.pictures.scenes import Board
from engine.games.imperial_struggle.view import View
from engine.text import LANGUAGE, say, text
from renderer.games.imperial_struggle import panels
from renderer.games.imperial_struggle.common import GAP, MARGIN, WIDE, colours
from renderer.games.imperial_struggle.layout import BOARD
from renderer.games.imperial_struggle.legend import legend, shut
from renderer.games.imperial_struggle.places import SIZES
from renderer.games.imperial_struggle.plates import BAR, bar, bar_of, paint_plate
from renderer.themes import THEMES

PLATES = panels.HEADER + panels.TRACK + panels.SIDES + GAP + panels.TILES           # where the first bar begins


def paint(scene: Board, theme_name: str) -> Image.Image:
    view, before = scene.now, scene.before
    high = PLATES + sum(BAR + size[1] + GAP for size in SIZES.values()) + MARGIN - GAP
    own = panels.own_cards(theme_name, lines) if (lines := panels.own_lines(view)) else None
    signs = legend(theme_name, board=True, shut=shut(view), fresh=before is not None, own=bool(scene.ways))
    frame = Image.new("P", (WIDE, high + signs.height + (own.height + GAP if own is not None else 0)))     # 0 is the paper
    frame.putpalette(colours(THEMES[theme_name]).getpalette() or [])
    active = view.round.side if view.round is not None and not view.over else ""
    title = say(text("{title} · {era}", title=view.title, era=view.era.capitalize()))
    frame.paste(panels.header(theme_name, title, panels.moment(view), "", active), (0, 0))
    frame.paste(panels.track(theme_name, view.vp, view.vp - before.vp if before else 0), (0, panels.HEADER))
    people, half = dict(scene.people), (WIDE - 2 * MARGIN - GAP) // 2
    for n, side in enumerate(("france", "britain") if LANGUAGE.get().right_to_left else ("britain", "france")):
        panel = panels.side_panel(theme_name, half, panels.side_shown(view, before, side, people.get(side, "")))
        frame.paste(panel, (MARGIN + n * (half + GAP), panels.HEADER + panels.TRACK))
    frame.paste(panels.tile_row(theme_name, panels.tiles_shown(view, before)),
                (MARGIN, panels.HEADER + panels.TRACK + panels.SIDES + GAP))
    top = PLATES
    for region, (wide, tall) in SIZES.items():
        frame.paste(bar(theme_name, wide, bar_of(view, before, region)), (MARGIN, top))
        paint_plate(frame, view, before, region, BOARD, theme_name, (MARGIN, top + BAR), ways=scene.ways)
        left = MARGIN + wide + GAP
        if left < WIDE - MARGIN:
            panel = panels.war_panel(theme_name, WIDE - MARGIN - left, BAR + tall, panels.war_shown(view, before, scene.strength))
            frame.paste(panel, (left, top))
        top += BAR + tall + GAP
    frame.paste(signs, (0, top))
    if own is not None:
        frame.paste(own, (MARGIN, top + signs.height))
    return frame


def paint_view(view: View, theme_name: str) -> Image.Image:
    return paint(Board(now=view), theme_name)
