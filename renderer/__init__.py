"""Pictures and text boards: a view in, PNG bytes or words out. Of the project it imports the views of games, nothing else."""
from renderer.picture import NoPainter, can_draw, describe, render, text_board

__all__ = ["NoPainter", "can_draw", "describe", "render", "text_board"]
