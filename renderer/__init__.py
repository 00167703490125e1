"""Pictures: a scene in, the bytes of a PNG or GIF out. Of the project it imports what games show, nothing else."""
from renderer.image_cache import caches
from renderer.picture import NoMaterial, NoPainter, can_draw, render, suffix

__all__ = ["NoMaterial", "NoPainter", "caches", "can_draw", "render", "suffix"]
