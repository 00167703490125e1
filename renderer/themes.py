"""The two themes: every colour that may appear on a board, and the fixed palette they make."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageColor

from renderer.pace import give_way

Colour = tuple[int, int, int]


def mix(a: Colour, b: Colour, part: float) -> Colour:
    """The colour on the way from a to b; part 0 is a, 1 is b."""
    red, green, blue = (round(x + (y - x) * part) for x, y in zip(a, b))
    return red, green, blue


def colour(code: str) -> Colour:
    """The three numbers of a code like "#9C0A10"."""
    red, green, blue, *_ = ImageColor.getrgb(code)
    return red, green, blue


def luminance(a: Colour) -> float:
    """Relative luminance, 0 to 1, as WCAG 2 defines it."""
    linear = [v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4 for v in (c / 255 for c in a)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: Colour, b: Colour) -> float:
    """The contrast of two colours, 1 to 21, as WCAG 2 defines it."""
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


BLACK, WHITE = colour("#14100C"), colour("#FFFFFF")


@lru_cache(maxsize=512)
def letter_on(fill: Colour) -> Colour:
    """Black or white, whichever reads better on this colour."""
    return max((BLACK, WHITE), key=lambda ink: contrast(ink, fill))


@dataclass(frozen=True, eq=False)
class Theme:
    """Colours only: no drawing code asks which theme it is."""

    paper: Colour
    card: Colour
    stripe: Colour              # every second row
    ink: Colour
    muted: Colour               # labels and zeros; still 4.5:1 on card and stripe
    line: Colour                # hairlines on cards
    edge: Colour                # around cards
    bar: Colour                 # title bars
    bar_ink: Colour
    bar_muted: Colour
    sea: Colour
    water: tuple[Colour, ...]   # water lines, from the open sea to the coast
    land: Colour                # not in play
    coast: Colour
    river: Colour
    frame: Colour
    leader: Colour              # from a card to its area
    halo: Colour                # around names on the map
    ring: Colour                # around discs and bars
    gold: Colour
    gold_edge: Colour
    seals: tuple[Colour, ...]   # first, second and third place
    seal_ink: Colour
    stone: Colour               # neutral markers
    alarm: Colour
    mark: Colour                # around a changed card, and of what was gained; what was lost is in the colour of alarm
    tints: Mapping[str, Colour]     # land of an area

    def home(self, fill: Colour) -> Colour:
        """The land of a home whose power has this colour."""
        return mix(self.land, fill, 0.38)


def _tints(*codes: str) -> Mapping[str, Colour]:
    """Land colours of the areas from five codes: colonies share those of Europe, which are never on the same plate."""
    baltic, german, central, ottoman, mediterranean = map(colour, codes)
    return {"baltic": baltic, "german_states": german, "central_europe": central, "ottoman_empire": ottoman,
            "mediterranean": mediterranean, "north_america": baltic, "caribbean": german, "south_america": central,
            "africa": german, "india": central, "east_indies": mediterranean}


DARK = Theme(
    paper=colour("#12202C"), card=colour("#1B2C3A"), stripe=colour("#22384A"), ink=colour("#F3EBDA"), muted=colour("#BCB49E"),
    line=colour("#4A6072"), edge=colour("#0C161F"), bar=colour("#0C161F"), bar_ink=colour("#F6E9C8"), bar_muted=colour("#BCB49E"),
    sea=colour("#16303F"), water=tuple(map(colour, ("#193746", "#1D3F50", "#22485A", "#285366"))), land=colour("#3A4A4C"),
    coast=colour("#D8D2C0"), river=colour("#2F5566"), frame=colour("#D9A441"), leader=colour("#D9A441"), halo=colour("#12202C"),
    ring=colour("#F3EBDA"), gold=colour("#D9A441"), gold_edge=colour("#6B4A12"),
    seals=tuple(map(colour, ("#D9A441", "#E1B767", "#E9CB8D"))), seal_ink=colour("#1A1206"), stone=colour("#A79C8A"),
    alarm=colour("#FF8A70"), mark=colour("#7FD6FF"), tints=_tints("#5A6A55", "#6F6548", "#6E5650", "#5C5470", "#66653F"))

LIGHT = Theme(
    paper=colour("#F8F1E3"), card=colour("#FCF8EC"), stripe=colour("#F0E6CC"), ink=colour("#2E2117"), muted=colour("#67584A"),
    line=colour("#C9B892"), edge=colour("#382A1E"), bar=colour("#382A1E"), bar_ink=colour("#F8EFD9"), bar_muted=colour("#C7BDAA"),
    sea=colour("#CBDFE2"), water=tuple(map(colour, ("#C3D9DD", "#B8D1D6", "#ABC7CD", "#9CBCC3"))), land=colour("#EDE3CC"),
    coast=colour("#4A3A2A"), river=colour("#A0BFC4"), frame=colour("#2E2117"), leader=colour("#2E2117"), halo=colour("#FCF8EC"),
    ring=colour("#2E2117"), gold=colour("#C98F1F"), gold_edge=colour("#5E400B"),
    seals=tuple(map(colour, ("#C98F1F", "#D5A852", "#E0C087"))), seal_ink=colour("#1F1409"), stone=colour("#A79C8A"),
    alarm=colour("#A3271A"), mark=colour("#0A5488"), tints=_tints("#D7DDB4", "#F1D8A2", "#E7C7B4", "#D8CBDD", "#E4D49A"))

THEMES: Mapping[str, Theme] = {"dark": DARK, "light": LIGHT}


# --- the palette ----------------------------------------------------------------------------------

PALETTE_SIZE = 256
BAND = 200          # rows mapped to the palette at once: Pillow lets nothing else run meanwhile
NEAREST = 6         # a blend closer than this to a colour already there, in its most different channel, adds nothing


def surfaces(theme: Theme, fills: tuple[Colour, ...], lands: tuple[Colour, ...] = ()) -> Iterator[Colour]:
    """The colours of surfaces; the palette holds each of them exactly."""
    yield from (theme.paper, theme.card, theme.stripe, theme.ink, theme.muted, theme.line, theme.edge, theme.bar, theme.bar_ink,
                theme.bar_muted, theme.sea, *theme.water, theme.land, theme.coast, theme.river, theme.frame, theme.leader,
                theme.halo, theme.ring, theme.gold, theme.gold_edge, *theme.seals, theme.seal_ink, theme.stone, theme.alarm,
                theme.mark)
    yield from theme.tints.values()
    for fill in fills:
        yield from (fill, letter_on(fill), theme.home(fill))
    yield from lands


def _blends(theme: Theme, fills: tuple[Colour, ...], lands: tuple[Colour, ...]) -> Iterator[Colour]:
    """Steps between colours that meet at a smooth edge, the most visible first."""
    def steps(a: Colour, b: Colour, count: int) -> Iterator[Colour]:
        return (mix(a, b, (n + 1) / (count + 1)) for n in range(count))

    for land in lands:
        yield from steps(land, theme.ring, 2)
    for under in (theme.card, theme.stripe):
        yield from steps(under, theme.ink, 6)
        yield from steps(under, theme.muted, 3)
        yield from steps(under, theme.mark, 2)
    yield from steps(theme.bar, theme.bar_ink, 6)
    yield from steps(theme.halo, theme.ink, 4)
    for fill in fills:
        yield from steps(fill, letter_on(fill), 4)
        yield from steps(fill, theme.ring, 3)
    for seal in (*theme.seals, theme.stone):
        yield from steps(seal, theme.seal_ink, 3)
        yield from steps(seal, theme.bar, 2)
        yield from steps(seal, theme.card, 2)
    yield from steps(theme.gold, theme.gold_edge, 3)
    for under in (theme.card, theme.stripe, theme.bar, theme.sea):
        yield from steps(under, theme.gold, 2)
        yield from steps(under, theme.ring, 2)
        yield from steps(under, theme.alarm, 2)
    grounds = dict.fromkeys((*theme.tints.values(), theme.land, *map(theme.home, fills)))
    for land in grounds:
        yield from steps(land, theme.coast, 2)
    for land in (*grounds, theme.sea):
        yield from steps(land, theme.leader, 1)
        yield from steps(land, theme.river, 1)
        yield from steps(land, theme.halo, 1)
    yield from steps(theme.sea, theme.coast, 4)


@lru_cache(maxsize=8)
def palette(theme: Theme, fills: tuple[Colour, ...], lands: tuple[Colour, ...] = ()) -> Image.Image:
    """A palette image with every flat colour exactly and, as far as room allows, the steps between those that meet; `lands` are
    colours of land that a game has beside those of the theme."""
    colours = list(dict.fromkeys(surfaces(theme, fills, lands)))
    for blend in _blends(theme, fills, lands):
        if len(colours) == PALETTE_SIZE:
            break
        red, green, blue = blend
        for x, y, z in colours:             # the many thousand comparisons are half of the first picture's colours
            if -NEAREST < red - x < NEAREST and -NEAREST < green - y < NEAREST and -NEAREST < blue - z < NEAREST:
                break
        else:
            colours.append(blend)
    held = Image.new("P", (1, 1))
    held.putpalette([channel for one in colours for channel in one])
    return held


def in_palette(image: Image.Image, held: Image.Image) -> Image.Image:
    give_way()
    if image.height <= BAND:
        return image.quantize(palette=held, dither=Image.Dither.NONE)
    out = Image.new("P", image.size)
    out.putpalette(held.getpalette() or [])
    for top in range(0, image.height, BAND):
        give_way()
        band = image.crop((0, top, image.width, min(top + BAND, image.height)))
        out.paste(band.quantize(palette=held, dither=Image.Dither.NONE), (0, top))
    return out
