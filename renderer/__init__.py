"""Pictures: a scene in, the bytes of a PNG or GIF out. Of the project it imports what games show, nothing else."""
from renderer.image_cache import caches
from renderer.picture import NoMaterial, NoPainter, can_draw, colours, emblems, render, suffix
from renderer.scenes import Band, Line, Points, Ranked, Ranking
