"""Pictures: a scene in, the bytes of a PNG or GIF out. Of the project it imports what games show, nothing else."""
from renderer.image_cache import caches
from renderer.picture import NoMaterial, NoPainter, can_draw, render, suffix
from renderer.scenes import Ranked, Ranking

__all__ = ["NoMaterial", "NoPainter", "Ranked", "Ranking", "caches", "can_draw", "render", "suffix"]
