"""From a palette image to PNG bytes. Pillow's own writer deflates with zlib, which takes most of the time of a picture."""
from __future__ import annotations

import struct
from zlib import crc32

from isal import isal_zlib
from PIL import Image


def encoded(image: Image.Image) -> bytes:
    """A palette image as PNG bytes, the same for the same image in the same installation: one chunk of rows without filters,
    since neighbours in a palette have nothing in common."""
    wide, high = image.size
    rows = image.crop((-1, 0, wide, high)).tobytes()       # each begins with its filter: 0, none
    parts = {b"IHDR": struct.pack(">IIBBBBB", wide, high, 8, 3, 0, 0, 0), b"PLTE": bytes(image.getpalette() or ()),
             b"IDAT": isal_zlib.compress(rows, 2), b"IEND": b""}
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, held) for kind, held in parts.items())


def _chunk(kind: bytes, held: bytes) -> bytes:
    return struct.pack(">I", len(held)) + kind + held + struct.pack(">I", crc32(held, crc32(kind)))
