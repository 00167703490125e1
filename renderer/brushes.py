"""What every board is drawn with: fonts, text, icons, discs, bars, seals; shapes are cached as smooth masks."""
from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from itertools import groupby
from typing import Literal, TypeAlias

from PIL import Image, ImageChops, ImageDraw, ImageFont

from engine.text import LANGUAGE
from engine.text.hebrew import LRM, PDF, RLE, RLM
from renderer.pace import give_way
from renderer.themes import Colour, Theme, letter_on
from renderer.words import spoken

Face: TypeAlias = Literal["title", "name", "label", "number"]
Align: TypeAlias = Literal["l", "m", "r"]

SMALLEST = 28       # px: 9 points on a phone, when a board of 1200 px fills its width
MARK = 38           # px: the least height of what says that something has changed, 12 px where a board is 390 px wide
MARK_SIZE = 54      # of its digits, which are so high then
SMOOTH = 8          # masks are drawn so much larger and reduced
COUNTER, COUNTER_DIGITS = 34, 32     # px: the height of the number of a place, and the size of its digits
RING = 3            # px
HALO = 3            # px

FACES: dict[Face, tuple[str, ...]] = {      # of several files the first that has the character draws it
    "title": ("alegreya-latin-500", "alegreya-latin-ext-500", "alegreya-cyrillic-500", "heebo-hebrew-500"),
    "name": ("alegreya-latin-700", "alegreya-latin-ext-700", "alegreya-cyrillic-700", "heebo-hebrew-700"),
    "label": ("barlow-semi-condensed-latin-600", "barlow-semi-condensed-latin-ext-600", "alegreya-cyrillic-500",
              "heebo-hebrew-500"),
    "number": ("barlow-semi-condensed-latin-700", "barlow-semi-condensed-latin-ext-700", "alegreya-cyrillic-700",
               "heebo-hebrew-700"),
}
OTHER_SIDE: Mapping[Align, Align] = {"l": "r", "m": "m", "r": "l"}
POINTING = ("pointer", "back", "move")      # icons that point where one reads on
NO_CHARACTER = "\uffff"
ELLIPSIS = "…"
UNWRITTEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Mn", "Me"))     # no ink of their own: control, direction, joiners, accents
HEBREW = re.compile(r"[\u0590-\u05ff](?:[\u0590-\u05ff '\"-]*[\u0590-\u05ff])?")
LEFT_TO_RIGHT = re.compile(r"[^\W\d_\u0590-\u05ff](?:[^\u0590-\u05ff()\[\]]*[^\W_\u0590-\u05ff])?!?|"   # other letters
                           r"[+−-]?\d+(?:[.,:/−-]\d+)*%?|.", re.DOTALL)                                          # numbers
LETTER = re.compile(r"[^\W\d_]")
NO_MARKS = str.maketrans("", "", LRM + RLM + RLE + PDF)
MIRRORED = str.maketrans("()[]<>«»", ")(][><»«")


# --- text -----------------------------------------------------------------------------------------

@lru_cache(maxsize=32)
def _file(name: str) -> bytes:
    return (files("renderer") / "fonts" / f"{name}-normal.woff2").read_bytes()


@lru_cache(maxsize=256)
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    give_way()
    return ImageFont.truetype(BytesIO(_file(name)), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def _drawable(name: str, character: str) -> bool:
    """True if a font has a character: its picture differs from that of a character that no font has."""
    font = _font(name, SMALLEST)
    if character.isspace():
        return font.getlength(character) > 0
    mask, missing = font.getmask(character), font.getmask(NO_CHARACTER)
    return mask.size != missing.size or bytes(mask) != bytes(missing)


@lru_cache(maxsize=4096)
def _drawer(face: Face, character: str) -> str | None:
    """The font of a face that draws a character. Fonts take long to open: most faces need but the first of theirs, which draws
    the whole of ASCII."""
    if character.isascii() and character.isprintable():
        return FACES[face][0]
    return next((name for name in FACES[face] if _drawable(name, character)), None)


def missing(words: str, face: Face) -> str:
    """The characters of a text that no font of this face can draw."""
    return "".join([character for character in dict.fromkeys(words.translate(NO_MARKS)) if _drawer(face, character) is None])


def _placed(words: str) -> str:
    """The text in the order in which it stands: what begins in Hebrew, or is said in it, from right to left, but for its numbers
    and names in other letters; in any other each run of Hebrew."""
    words = words.translate(NO_MARKS)
    first = (HEBREW if LANGUAGE.get().right_to_left else LETTER).search(words)
    if first is None or not HEBREW.match(first[0]):
        return HEBREW.sub(lambda found: found[0][::-1], words)
    parts = LEFT_TO_RIGHT.findall(words)
    return "".join([part.translate(MIRRORED) if len(part) == 1 else part for part in reversed(parts)])


def _runs(words: str, face: Face, size: int) -> Iterator[tuple[str, str]]:
    """The text in the order in which it stands on the picture, cut where the font changes: each part with the font's name. Raises
    ValueError for a size that no phone can show."""
    if size < SMALLEST:
        raise ValueError(f"Text of {size} px cannot be read on a phone; the smallest is {SMALLEST} px.")
    words = _placed(words)
    for name, run in groupby(words, lambda character: _drawer(face, character) or FACES[face][0]):
        yield "".join(run), name


@lru_cache(maxsize=4096)
def _advance(name: str, size: int, character: str) -> int:
    """How far the pen goes on after a character, in px: whole ones, whatever stands beside it, since no font here has pairs."""
    return round(_font(name, size).getlength(character))


@lru_cache(maxsize=4096)
def width(words: str, face: Face, size: int) -> int:
    return sum(_advance(name, size, character) for run, name in _runs(words, face, size) for character in run)


@lru_cache(maxsize=2048)
def _glyph(name: str, size: int, character: str, stroke: int) -> tuple[Image.Image, int, int]:
    """A character as a mask, with its place from the pen, on the line. A font takes long to draw one."""
    give_way()
    drawn, (left, top) = _font(name, size).getmask2(character, "L", stroke_width=stroke, stroke_filled=True, anchor="ls")
    return Image.frombytes("L", drawn.size, bytes(drawn)), left, top


@spoken(maxsize=2048)
def _lettering(words: str, face: Face, size: int, stroke: int) -> tuple[tuple[Image.Image, int, int, int], ...]:
    """A text as masks, run by run: each with its place from the pen, on the line, and the px by which the pen goes on. The same
    as the font draws for the whole run, from glyphs that most texts share."""
    masks = []
    for run, name in _runs(words, face, size):
        pen, glyphs = 0, []
        for character in run:
            mask, left, top = _glyph(name, size, character, stroke)
            glyphs.append((mask, pen + left, top))
            pen += _advance(name, size, character)
        west, north = min(left for _, left, _ in glyphs), min(top for _, _, top in glyphs)
        east, south = max(left + mask.width for mask, left, _ in glyphs), max(top + mask.height for mask, _, top in glyphs)
        whole = Image.new("L", (east - west, south - north))
        for mask, left, top in glyphs:
            whole.paste(255, (left - west, top - north), mask)
        masks.append((whole, west, north, pen))
    return tuple(masks)


@lru_cache(maxsize=64)
def _rise(face: Face, size: int) -> int:
    """From the middle of a capital to its foot, in px: texts stand by their capitals, whatever tails they have."""
    _, top, _, _ = _font(FACES[face][0], size).getbbox("H", anchor="ls")
    return round(-top / 2)


def drawable(words: str, face: Face) -> str:
    """Return what of a text from outside, such as a player's name, can be drawn in one line. Letters dressed up as symbols become
    plain ones; emoji, direction marks, joiners, lone accents and all that no font of this face has are left out."""
    plain = unicodedata.normalize("NFKC", "".join(" " if character.isspace() else character for character in words))
    written = "".join(character for character in plain if unicodedata.category(character) not in UNWRITTEN)
    lost = missing(written, face)
    return " ".join("".join(character for character in written if character not in lost).split())


def person(words: str, face: Face) -> str:
    """Return what can be drawn of somebody's name; "" if that lacks one of its letters, since the rest is nobody's name."""
    plain = unicodedata.normalize("NFKC", words)
    whole = not any(unicodedata.category(character)[0] in "LN" for character in missing(plain, face))
    return drawable(words, face) if whole else ""


def clipped(words: str, face: Face, size: int, room: int) -> str:
    """The text, or as much of its beginning as fits into so many px with an ellipsis, where a reader expects it."""
    def beginning(length: int) -> str:
        kept = words[:length].rstrip()
        return f"{kept}{ELLIPSIS}"

    if width(words, face, size) <= room:
        return words
    lengths = range(1, len(words))
    return beginning(bisect_right(lengths, room, key=lambda length: width(beginning(length), face, size)))


def counter_width(number: int) -> int:
    """How wide the number of a place is drawn, in px: round, or longer for more digits."""
    return max(COUNTER, width(str(number), "number", COUNTER_DIGITS) + 14)


def signed(number: int) -> str:
    """A difference as it is written: "+2", "−1", "0"."""
    return f"−{-number}" if number < 0 else f"+{number}" if number else "0"


def fit(words: str, face: Face, size: int, room: int) -> int:
    """The size, from this one down to the smallest, in which a text fits into so many px; the smallest if none does."""
    while size > SMALLEST and width(words, face, size) > room:
        size -= 1
    return size


# --- shapes ---------------------------------------------------------------------------------------

# An icon is drawn on a square of 100 by 100: each part is a kind, its numbers, and whether it adds (1) or cuts out (0).
Part: TypeAlias = tuple[Literal["polygon", "ellipse", "box", "line"], tuple[float, ...], int]

ICONS: dict[str, tuple[Part, ...]] = {
    "army": (("polygon", (6, 32, 40, 4, 74, 32), 1), ("ellipse", (25, 28, 55, 60), 1), ("box", (2, 28, 78, 36), 1),
             ("polygon", (6, 96, 14, 66, 30, 58, 50, 58, 66, 66, 74, 96), 1), ("box", (84, 6, 92, 96), 1)),
    "navy": (("polygon", (4, 66, 96, 66, 80, 92, 20, 92), 1), ("polygon", (44, 6, 44, 58, 10, 58), 1),
             ("polygon", (54, 14, 54, 58, 88, 58), 1)),
    "fort": (("box", (10, 34, 90, 94), 1), ("box", (4, 8, 24, 44), 1), ("box", (40, 8, 60, 44), 1), ("box", (76, 8, 96, 44), 1),
             ("ellipse", (36, 54, 64, 82), 0), ("box", (36, 68, 64, 95), 0)),
    "person": (("ellipse", (30, 4, 70, 46), 1), ("polygon", (10, 96, 14, 66, 32, 52, 68, 52, 86, 66, 90, 96), 1)),
    "shackles": (("ellipse", (0, 0, 46, 46), 1), ("ellipse", (11, 11, 35, 35), 0), ("line", (36, 36, 60, 60, 10), 1),
                 ("ellipse", (38, 38, 98, 98), 1)),
    "star": (("polygon", (50, 2, 64, 36, 100, 39, 72, 62, 81, 97, 50, 78, 19, 97, 28, 62, 0, 39, 36, 36), 1),),
    "marker": (("box", (4, 24, 96, 78), 1),),
    "tile": (("box", (12, 4, 88, 96), 1), ("box", (22, 14, 78, 86), 0), ("box", (32, 26, 68, 36), 1),
             ("box", (32, 46, 68, 56), 1), ("box", (32, 66, 68, 76), 1)),
    "lock": (("ellipse", (22, 4, 78, 64), 1), ("ellipse", (36, 18, 64, 56), 0), ("box", (36, 36, 64, 50), 0),
             ("box", (12, 44, 88, 96), 1), ("ellipse", (42, 58, 58, 74), 0), ("box", (46, 66, 54, 84), 0)),
    "blockade": (("ellipse", (2, 2, 98, 98), 1), ("ellipse", (17, 17, 83, 83), 0), ("line", (22, 22, 78, 78, 15), 1)),
    "pointer": (("polygon", (10, 6, 90, 50, 10, 94), 1),),
    "up": (("polygon", (0, 90, 50, 10, 100, 90), 1),),
    "down": (("polygon", (0, 10, 50, 90, 100, 10), 1),),
    "back": (("polygon", (90, 6, 10, 50, 90, 94), 1),),
    "talk": (("ellipse", (2, 4, 76, 62), 1), ("polygon", (14, 48, 12, 84, 40, 56), 1), ("ellipse", (36, 40, 98, 86), 1),
             ("polygon", (66, 76, 90, 98, 90, 70), 1), ("ellipse", (16, 26, 28, 38), 0), ("ellipse", (33, 26, 45, 38), 0),
             ("ellipse", (50, 26, 62, 38), 0)),
    "crown": (("polygon", (4, 78, 0, 22, 28, 48, 50, 6, 72, 48, 100, 22, 96, 78), 1), ("box", (4, 84, 96, 96), 1)),
    "disc": (("ellipse", (0, 0, 100, 100), 1),),
    "diamond": (("polygon", (50, 0, 100, 50, 50, 100, 0, 50), 1),),
    "attack": (("line", (12, 8, 84, 80, 13), 1), ("line", (88, 8, 16, 80, 13), 1), ("line", (56, 92, 92, 56, 10), 1),
               ("line", (44, 92, 8, 56, 10), 1), ("ellipse", (80, 80, 100, 100), 1), ("ellipse", (0, 80, 20, 100), 1)),
    "move": (("box", (2, 38, 56, 62), 1), ("polygon", (50, 10, 98, 50, 50, 90), 1)),
    "colonise": (("box", (14, 2, 26, 98), 1), ("polygon", (26, 6, 94, 28, 26, 54), 1)),
    "build": (("line", (14, 92, 66, 40, 17), 1), ("polygon", (34, 22, 54, 4, 98, 44, 80, 64), 1)),
    "place": (("ellipse", (4, 4, 96, 96), 1), ("ellipse", (18, 18, 82, 82), 0), ("ellipse", (32, 32, 68, 68), 1)),
    "other": (("ellipse", (2, 38, 26, 62), 1), ("ellipse", (38, 38, 62, 62), 1), ("ellipse", (74, 38, 98, 62), 1)),
    "shield": (("polygon", (4, 2, 96, 2, 96, 48, 86, 72, 50, 99, 14, 72, 4, 48), 1),),
    "ally": (("polygon", (4, 2, 96, 2, 96, 48, 86, 72, 50, 99, 14, 72, 4, 48), 1), ("box", (43, 18, 57, 74), 0),
             ("box", (22, 36, 78, 50), 0)),
    "raid": (("polygon", (29, 0, 71, 0, 100, 29, 100, 71, 71, 100, 29, 100, 0, 71, 0, 29), 1), ("box", (43, 16, 57, 60), 0),
             ("ellipse", (41, 68, 59, 86), 0)),
    "trade": (("box", (0, 24, 66, 38), 1), ("polygon", (62, 6, 100, 31, 62, 56), 1), ("box", (34, 62, 100, 76), 1),
              ("polygon", (38, 44, 0, 69, 38, 94), 1)),
    "infantry": (("ellipse", (30, 2, 58, 30), 1), ("box", (22, 18, 66, 24), 1), ("polygon", (24, 34, 64, 34, 68, 66, 20, 66), 1),
                 ("polygon", (24, 66, 42, 66, 38, 98, 22, 98), 1), ("polygon", (46, 66, 64, 66, 66, 98, 50, 98), 1),
                 ("line", (78, 4, 78, 82, 9), 1)),
    "tank": (("box", (30, 26, 64, 48), 1), ("box", (60, 32, 100, 40), 1),
             ("polygon", (6, 48, 88, 48, 98, 60, 98, 70, 2, 70, 2, 58), 1), ("polygon", (6, 72, 94, 72, 84, 90, 16, 90), 1)),
    "artillery": (("line", (22, 62, 98, 14, 15), 1), ("ellipse", (16, 46, 62, 92), 1), ("ellipse", (30, 60, 48, 78), 0),
                  ("line", (36, 74, 0, 92, 11), 1)),
    "plane": (("polygon", (44, 4, 56, 4, 58, 34, 100, 58, 100, 68, 58, 60, 56, 82, 70, 92, 70, 98, 30, 98, 30, 92, 44, 82, 42, 60,
                           0, 68, 0, 58, 42, 34), 1),),
    "destroyer": (("polygon", (0, 60, 100, 56, 84, 84, 12, 84), 1), ("box", (40, 38, 62, 60), 1), ("box", (48, 14, 54, 40), 1),
                  ("box", (66, 48, 86, 53), 1)),
    "submarine": (("ellipse", (0, 50, 100, 84), 1), ("box", (40, 32, 64, 60), 1), ("line", (50, 34, 50, 12, 6), 1),
                  ("line", (48, 14, 62, 14, 6), 1)),
    "battleship": (("polygon", (0, 56, 100, 50, 88, 90, 10, 90), 1), ("box", (36, 30, 64, 58), 1), ("box", (44, 4, 54, 32), 1),
                   ("box", (6, 44, 26, 58), 1), ("line", (22, 46, 0, 36, 6), 1), ("box", (72, 42, 90, 56), 1),
                   ("line", (84, 44, 100, 32, 6), 1)),
    "aircraft_carrier": (("polygon", (0, 48, 100, 48, 86, 86, 12, 86), 1), ("box", (56, 18, 76, 50), 1),
                         ("box", (62, 4, 67, 20), 1), ("polygon", (10, 42, 42, 34, 46, 42), 1)),
    "anchor": (("ellipse", (37, 2, 63, 28), 1), ("ellipse", (45, 10, 55, 20), 0), ("box", (45, 26, 55, 96), 1),
               ("box", (28, 34, 72, 43), 1), ("polygon", (4, 58, 22, 62, 28, 78, 50, 88, 72, 78, 78, 62, 96, 58, 88, 84, 50, 100,
                                                       12, 84), 1)),
    "card": (("box", (16, 4, 84, 96), 1), ("box", (26, 14, 74, 86), 0), ("ellipse", (34, 34, 66, 66), 1)),
    "dash": (("box", (18, 44, 82, 56), 1),),
    "hexagon": (("polygon", (24, 4, 76, 4, 100, 50, 76, 96, 24, 96, 0, 50), 1),),
    "bastion": (("polygon", (2, 4, 26, 4, 26, 16, 38, 16, 38, 4, 62, 4, 62, 16, 74, 16, 74, 4, 98, 4, 98, 98, 2, 98), 1),),
    "crack": (("polygon", (44, 0, 64, 0, 52, 34, 74, 38, 44, 100, 48, 58, 26, 54), 1),),
    "fish": (("ellipse", (0, 24, 76, 76), 1), ("polygon", (62, 50, 100, 18, 90, 50, 100, 82), 1),
             ("ellipse", (14, 38, 26, 50), 0)),
    "leaf": (("polygon", (50, 0, 82, 28, 86, 54, 62, 84, 56, 84, 56, 100, 44, 100, 44, 84, 38, 84, 14, 54, 18, 28), 1),
             ("line", (50, 20, 50, 84, 6), 0), ("line", (50, 48, 70, 34, 6), 0), ("line", (50, 48, 30, 34, 6), 0),
             ("line", (50, 68, 72, 54, 6), 0), ("line", (50, 68, 28, 54, 6), 0)),
    "pelt": (("polygon", (40, 0, 60, 0, 64, 18, 98, 12, 92, 34, 76, 40, 78, 66, 98, 80, 86, 96, 64, 82, 56, 84, 54, 100, 46, 100,
                          44, 84, 36, 82, 14, 96, 2, 80, 22, 66, 24, 40, 8, 34, 2, 12, 36, 18), 1),),
    "loaf": (("polygon", (42, 2, 58, 2, 82, 84, 18, 84), 1), ("box", (8, 88, 92, 98), 1), ("line", (28, 50, 72, 50, 6), 0)),
    "boll": (("ellipse", (24, 2, 76, 46), 1), ("ellipse", (2, 22, 50, 68), 1), ("ellipse", (50, 22, 98, 68), 1),
             ("ellipse", (24, 34, 76, 78), 1), ("line", (50, 60, 50, 100, 9), 1), ("line", (50, 96, 26, 76, 8), 1),
             ("line", (50, 96, 74, 76, 8), 1)),
    "pod": (("ellipse", (4, 40, 46, 82), 1), ("ellipse", (54, 46, 96, 88), 1), ("ellipse", (34, 8, 74, 48), 1),
            ("line", (54, 10, 84, 0, 8), 1)),
    "pips": (("ellipse", (0, 0, 30, 30), 1), ("ellipse", (70, 0, 100, 30), 1), ("ellipse", (35, 35, 65, 65), 1),
             ("ellipse", (0, 70, 30, 100), 1), ("ellipse", (70, 70, 100, 100), 1)),
    "drop": (("polygon", (50, 0, 78, 42, 22, 42), 1), ("ellipse", (16, 32, 84, 100), 1), ("ellipse", (28, 56, 46, 84), 0)),
    "ore": (("polygon", (24, 10, 76, 10, 100, 40, 50, 96, 0, 40), 1), ("line", (6, 40, 94, 40, 6), 0),
            ("line", (32, 40, 50, 88, 6), 0), ("line", (68, 40, 50, 88, 6), 0)),
    "works": (("polygon", (2, 96, 2, 50, 30, 32, 30, 50, 60, 32, 60, 50, 68, 50, 72, 4, 88, 4, 94, 50, 98, 50, 98, 96), 1),
              ("box", (14, 64, 28, 78), 0), ("box", (40, 64, 54, 78), 0), ("box", (66, 64, 80, 78), 0)),
    "rails": (("line", (34, 0, 14, 100, 10), 1), ("line", (66, 0, 86, 100, 10), 1), ("box", (28, 14, 72, 23), 1),
              ("box", (20, 44, 80, 54), 1), ("box", (8, 76, 92, 87), 1)),
    "octagon": (("polygon", (29, 0, 71, 0, 100, 29, 100, 71, 71, 100, 29, 100, 0, 71, 0, 29), 1),),
}


def _reduced(image: Image.Image) -> Image.Image:
    give_way()
    return image.reduce(SMOOTH)


@lru_cache(maxsize=512)
def icon(name: str, size: int) -> Image.Image:
    """The mask of an icon in a square of so many px."""
    image = Image.new("L", (size * SMOOTH, size * SMOOTH))
    draw, scale = ImageDraw.Draw(image), size * SMOOTH / 100
    for kind, numbers, filled in ICONS[name]:
        at, fill = [number * scale for number in numbers], 255 * filled
        if kind == "polygon":
            draw.polygon(at, fill=fill)
        elif kind == "ellipse":
            draw.ellipse(at, fill=fill)
        elif kind == "box":
            draw.rectangle(at, fill=fill)
        else:
            *ends, thickness = at
            draw.line(ends, fill=fill, width=round(thickness))
    return _reduced(image)


@lru_cache(maxsize=512)
def block(wide: int, high: int, radius: int) -> Image.Image:
    """The mask of a rectangle with round corners; sizes in px."""
    across, down = min(wide, 2 * radius + 2), min(high, 2 * radius + 2)
    small = Image.new("L", (across * SMOOTH, down * SMOOTH))
    box = (0, 0, across * SMOOTH - 1, down * SMOOTH - 1)
    ImageDraw.Draw(small).rounded_rectangle(box, radius * SMOOTH, fill=255)
    small = _reduced(small)
    if (across, down) == (wide, high):
        return small
    image = Image.new("L", (wide, high), 255)       # only the corners are round
    x, y = across // 2, down // 2
    for left, start in ((0, 0), (x, wide - across + x)):
        for top, begin in ((0, 0), (y, high - down + y)):
            image.paste(small.crop((left, top, across if left else x, down if top else y)), (start, begin))
    return image


@lru_cache(maxsize=64)
def capped(wide: int, high: int, radius: int) -> Image.Image:
    """The mask of a block whose upper corners are round and whose lower ones are not: a title bar."""
    square = Image.new("L", (wide, high))
    square.paste(255, (0, radius, wide, high))
    return ImageChops.lighter(block(wide, high, radius), square)


def page(image: Image.Image, theme: Theme) -> Brush:
    """What draws a table: from the right to the left if the language spoken now is read so."""
    return Brush(image, theme, mirrored=LANGUAGE.get().right_to_left)


class MirroredDraw:
    """Draws rectangles and lines as in a mirror."""

    def __init__(self, image: Image.Image) -> None:
        self.draw, self.right = ImageDraw.Draw(image), image.width - 1

    def rectangle(self, box: Sequence[float], fill: Colour | None = None, outline: Colour | None = None, width: int = 1) -> None:
        left, top, right, bottom = box
        self.draw.rectangle((self.right - right, top, self.right - left, bottom), fill, outline, width)

    def line(self, points: Sequence[float], fill: Colour | None = None, width: int = 0) -> None:
        self.draw.line([self.right - place if n % 2 == 0 else place for n, place in enumerate(points)], fill, width)


class Brush:
    """Draws on one picture in one theme. Places are px from its upper left corner; y is the middle of what is drawn.

    `mirrored`: places are from the upper right corner, and go to the left; words and signs stay as they are."""

    def __init__(self, image: Image.Image, theme: Theme, *, mirrored: bool = False) -> None:
        self.image, self.theme, self.mirrored = image, theme, mirrored
        self.draw = MirroredDraw(image) if mirrored else ImageDraw.Draw(image)

    def text(self, x: int, y: int, words: str, face: Face, size: int, ink: Colour, *, align: Align = "l",
             halo: Colour | None = None) -> int:
        """Write a line; its capitals are centred on y. Returns its width in px."""
        wide = width(words, face, size)
        foot = y + _rise(face, size)
        if self.mirrored:
            x, align = self.image.width - x, OTHER_SIDE[align]
        for stroke, colour in ((HALO, halo), (0, ink)):
            if colour is not None:
                pen: float = x - {"l": 0, "m": wide / 2, "r": wide}[align]
                for mask, left, top, advance in _lettering(words, face, size, stroke):
                    self._put(round(pen) + left, foot + top, mask, colour)
                    pen += advance
        return wide

    def write(self, x: int, y: int, words: str, face: Face, size: int, room: int, ink: Colour, *, align: Align = "l") -> int:
        """Write a line as large as fits up to this size, cut off if even the smallest does not. Returns its width in px."""
        words = drawable(words, face)
        size = fit(words, face, size, room)
        return self.text(x, y, clipped(words, face, size, room), face, size, ink, align=align)

    def mask(self, left: int, top: int, mask: Image.Image, ink: Colour) -> None:
        self._put(self.image.width - left - mask.width if self.mirrored else left, top, mask, ink)

    def _put(self, left: int, top: int, mask: Image.Image, ink: Colour) -> None:
        give_way()
        self.image.paste(ink, (left, top), mask)

    def icon(self, x: int, y: int, name: str, size: int, ink: Colour) -> None:
        drawn = icon(name, size)
        if self.mirrored and name in POINTING:
            drawn = drawn.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        self.mask(x - size // 2, y - size // 2, drawn, ink)

    def disc(self, x: int, y: int, letter: str, size: int, fill: Colour, *, ring: Colour | None = None) -> None:
        """A power's disc with its letter, centred on x, y."""
        self.icon(x, y, "disc", size, ring or self.theme.ring)
        self.icon(x, y, "disc", size - 2 * RING, fill)
        self.text(x, y, letter, "number", max(SMALLEST, round(size * 0.6)), letter_on(fill), align="m")

    def square(self, x: int, y: int, letter: str, size: int, fill: Colour, *, ring: Colour | None = None) -> None:
        """The sign of a power that nobody plays, centred on x, y."""
        left, top, inner = x - size // 2, y - size // 2, size - 2 * RING
        self.mask(left, top, block(size, size, 4), ring or self.theme.ring)
        self.mask(left + RING, top + RING, block(inner, inner, 2), fill)
        self.text(x, y, letter, "number", max(SMALLEST, round(size * 0.6)), letter_on(fill), align="m")

    def shield(self, x: int, y: int, letter: str, size: int, fill: Colour, *, ring: Colour | None = None) -> None:
        """A local alliance marker, centred on x, y."""
        self.icon(x, y, "shield", size, ring or self.theme.ring)
        self.icon(x, y, "shield", size - 2 * RING, fill)
        if letter:
            self.text(x, y - size // 16, letter, "number", max(SMALLEST, round(size * 0.6)), letter_on(fill), align="m")

    def hollow(self, x: int, y: int, size: int, under: Colour) -> None:
        """A ring where a disc can go."""
        self.icon(x, y, "disc", size, self.theme.muted)
        self.icon(x, y, "disc", size - 2 * RING, under)

    def change(self, x: int, y: int, number: int, *, align: Align = "l", size: int = MARK_SIZE) -> int:
        """A plus or minus figure: by how much a number has changed. Returns its width in px."""
        ink = self.theme.mark if number > 0 else self.theme.alarm
        return self.text(x, y, signed(number), "number", size, ink, align=align)

    def bar(self, left: int, y: int, high: int, letter: str, number: int, fill: Colour, *, unit: int, half: int = 0) -> int:
        """A power's control markers: its letter, how many, and a length that grows by `unit` px with each. Returns its length.

        `half`: only so many px from the left are in the power's colour, which is the sign of a power that nobody plays."""
        wide = 52 + unit * (number - 1) + (14 if number > 9 else 0) + (8 if half else 0)
        top, ink = y - high // 2, letter_on(fill)
        self.mask(left, top, block(wide, high, 4 if half else 6), self.theme.ring)
        if half:
            self.mask(left + RING, top + RING, block(wide - 2 * RING, high - 2 * RING, 2), self.theme.card)
            self.mask(left + RING, top + RING, block(half - RING, high - 2 * RING, 2), fill)
        else:
            self.mask(left + RING, top + RING, block(wide - 2 * RING, high - 2 * RING, 4), fill)
        self.text(left + 10, y, letter, "label", SMALLEST, ink)
        self.text(left + wide - 9, y, str(number), "number", 32, self.theme.ink if half else ink, align="r")
        return wide

    def seal(self, x: int, y: int, words: str, size: int, fill: Colour, *, wide: int = 0) -> None:
        """A seal with a number, victory points: round, or `wide` px at least; it grows when the number does."""
        text_size = max(SMALLEST, round(size * 0.78))
        wide = max(size, wide, width(words, "number", text_size) + 14)
        left, top, edge = x - wide // 2, y - size // 2, 2
        self.mask(left, top, block(wide, size, size // 2), self.theme.gold_edge)
        self.mask(left + edge, top + edge, block(wide - 2 * edge, size - 2 * edge, size // 2 - edge), fill)
        self.text(x, y, words, "number", text_size, self.theme.seal_ink, align="m")

    def counter(self, x: int, y: int, number: int) -> int:
        """The number of a place, from x on: by it a menu calls the place. Returns its width in px."""
        wide, edge = counter_width(number), 2
        self.mask(x, y - COUNTER // 2, block(wide, COUNTER, COUNTER // 2), self.theme.seal_ink)
        inside = block(wide - 2 * edge, COUNTER - 2 * edge, COUNTER // 2 - edge)
        self.mask(x + edge, y - COUNTER // 2 + edge, inside, self.theme.bar_ink)
        self.text(x + wide // 2, y, str(number), "number", COUNTER_DIGITS, self.theme.seal_ink, align="m")
        return wide

    def coin(self, x: int, y: int, size: int) -> None:
        self.icon(x, y, "disc", size, self.theme.gold_edge)
        self.icon(x, y, "disc", size - 4, self.theme.gold)
        self.icon(x, y, "disc", size - 12, self.theme.gold_edge)
        self.icon(x, y, "disc", size - 16, self.theme.gold)

    def star(self, x: int, y: int, size: int) -> None:
        """A gold star: victory points beside something else."""
        self.icon(x, y, "star", size, self.theme.gold_edge)
        self.icon(x, y, "star", size - 8, self.theme.gold)

    def octagon(self, x: int, y: int, words: str, size: int) -> None:
        """A neutral marker with its defence number."""
        self.icon(x, y, "octagon", size, self.theme.edge)
        self.icon(x, y, "octagon", size - 4, self.theme.stone)
        self.text(x, y, words, "number", SMALLEST, self.theme.seal_ink, align="m")
