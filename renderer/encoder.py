"""From a palette image to PNG bytes: by Pillow, or faster by an own writer when isal is installed (the extra `fast`)."""
from __future__ import annotations

import struct
from io import BytesIO
from zlib import crc32

from PIL import Image

try:
    from isal import isal_zlib
except ImportError:
    isal_zlib = None        # type: ignore[assignment]

FAST = isal_zlib is not None
"""Whether the own writer can be used."""


def plain(image: Image.Image) -> bytes:
    """A palette image as Pillow writes it; higher levels cost much more time than they save bytes."""
    out = BytesIO()
    image.save(out, "PNG", compress_level=3)
    return out.getvalue()


def fast(image: Image.Image) -> bytes:
    """The same pixels: one chunk of rows without filters, since neighbours in a palette have nothing in common."""
    wide, high = image.size
    rows = image.crop((-1, 0, wide, high)).tobytes()       # each begins with its filter: 0, none
    parts = {b"IHDR": struct.pack(">IIBBBBB", wide, high, 8, 3, 0, 0, 0), b"PLTE": bytes(image.getpalette() or ()),
             b"IDAT": isal_zlib.compress(rows, 2), b"IEND": b""}
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, held) for kind, held in parts.items())


def _chunk(kind: bytes, held: bytes) -> bytes:
    return struct.pack(">I", len(held)) + kind + held + struct.pack(">I", crc32(held, crc32(kind)))


def encoded(image: Image.Image) -> bytes:
    """A palette image as PNG bytes: the same for the same image in the same installation."""
    return fast(image) if FAST else plain(image)
