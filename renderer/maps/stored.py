"""Maps drawn ahead, as their files have them."""
from __future__ import annotations

from importlib.resources import files
from io import BytesIO

from PIL import Image
from PIL.PngImagePlugin import PngImageFile  # Image.open would load the readers of four other formats first


def stored_map(package: str, name: str) -> Image.Image:
    """A file in the folder `bases` of a package. Raises OSError with a sentence that names it if it is of no use."""
    try:
        with PngImageFile(BytesIO((files(package) / "bases" / name).read_bytes())) as image:
            image.load()
    except FileNotFoundError:
        raise
    except (OSError, SyntaxError, ValueError) as error:       # as Pillow puts it that a file is no whole picture
        raise OSError(f"The map {name} is damaged.") from error
    return image
