"""Frames to an animated GIF, which Discord plays where it stands.

A frame after the first is written as what differs from the one before; what is alike is one transparent colour, so it costs
next to nothing. A few frames are in memory at a time, however long the film is.
"""
from __future__ import annotations

from collections.abc import Iterable
from struct import pack

from PIL import GifImagePlugin, Image, ImageChops

from renderer.pace import give_way

HOLD, LAST = 1400, 3000         # ms that a frame stays, and the last one
PAPER = 0                       # the first colour of a palette: what lower frames are filled up with
FOR_EVER = b"!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"
KEEP = 1                        # disposal: the next frame is drawn over this one


def stays(number: int) -> list[int]:
    return [*[HOLD] * (number - 1), LAST]


def film(frames: Iterable[Image.Image], delays: Iterable[int], *, loops: bool = True) -> bytes:
    """A GIF of palette images, each of which stays for so many ms. Lower ones are filled up with the first colour. One that does
    not loop plays once and rests on its last frame.

    Raises ValueError if the frames differ in width or palette, or if there are none.
    """
    opening: tuple[Image.Image, int] | None = None      # written when it is known how high the film is
    canvas, palette, later = Image.new("L", (0, 0)), b"", list[bytes]()
    for frame, delay in zip(frames, delays, strict=True):
        if opening is None:
            canvas, palette = _indices(frame, frame.height), _colours(frame)
            opening = canvas, delay
            continue
        if frame.width != canvas.width or _colours(frame) != palette:
            raise ValueError("The frames of a film have one width and one palette.")
        high = max(frame.height, canvas.height)
        canvas, before = _indices(frame, high), _indices(canvas, high)
        later.append(_difference(before, canvas, delay))
    if opening is None:
        raise ValueError("A film has at least one frame.")
    image, delay = opening
    first = _block(_indices(image, canvas.height), (0, 0), delay)
    screen = pack("<HHBBB", canvas.width, canvas.height, 0xF7, PAPER, 0)    # 0xF7: one table of 256 colours for all frames
    return b"".join([b"GIF89a", screen, palette, FOR_EVER if loops else b"", first, *later, b";"])


def _colours(frame: Image.Image) -> bytes:
    if frame.mode != "P":
        raise ValueError("The frames of a film are palette images.")
    return bytes(frame.getpalette() or []).ljust(3 * 256, b"\0")


def _indices(frame: Image.Image, high: int) -> Image.Image:
    give_way()
    grey = Image.new("L", (frame.width, high), PAPER)
    grey.paste(Image.frombytes("L", frame.size, frame.tobytes()))
    return grey


def _difference(before: Image.Image, now: Image.Image, delay: int) -> bytes:
    """The smallest rectangle that holds every change, transparent where nothing changed."""
    changed = ImageChops.difference(before, now).point([0] + [255] * 255)
    left, top, right, bottom = box = changed.getbbox() or (0, 0, 1, 1)
    give_way()
    used = now.histogram(changed)
    free = next((colour for colour, number in enumerate(used) if not number), None)
    if free is None:
        return _block(now.crop(box), (left, top), delay)
    drawn = Image.new("L", (right - left, bottom - top), free)
    drawn.paste(now.crop(box), (0, 0), changed.crop(box))
    return _block(drawn, (left, top), delay, transparency=free)


def _block(grey: Image.Image, corner: tuple[int, int], delay: int, **options: int) -> bytes:
    give_way()
    return b"".join(GifImagePlugin.getdata(grey, corner, duration=delay, disposal=KEEP, interlace=0, **options))
