"""Pictures: a view in, PNG bytes out. Of the project it imports the views of games, nothing else."""
from renderer.picture import NoPainter, can_draw, render, suffix

__all__ = ["NoPainter", "can_draw", "render", "suffix"]
