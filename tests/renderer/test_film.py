"""Films: every frame decodes to the board that was painted, they play for ever, and a war fits into a message."""
from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from random import Random

import pytest
from PIL import Image, ImageSequence

from engine.games.struggle_of_empires.pictures.scenes import Board, Film
from renderer import film, render, suffix
from renderer.picture import painter
from tools.samples import boards, sheets

LIMIT = 8 * 2 ** 20     # bytes that Discord takes


def war(frames: int, players: int = 7) -> list[Board]:
    """Boards of a war, on each of which three areas and a power differ from the one before."""
    chance, view = Random(3), boards.sample(players)
    made = [Board(now=view)]
    for n in range(1, frames):
        other = boards.sample(players, seed=100 + n)
        changed = chance.sample(range(len(view.areas)), 3)
        areas = tuple([(other if at in changed else view).areas[at] for at in range(len(view.areas))])
        lucky = chance.randrange(players)
        powers = tuple([power.model_copy(update={"gold": power.gold + (at == lucky)}) for at, power in enumerate(view.powers)])
        before, view = view, view.model_copy(update={"areas": areas, "powers": powers, "active": view.order[n % players]})
        made.append(Board(now=view, before=before))
    return made


def decoded(data: bytes) -> Iterator[Image.Image]:
    return (frame.convert("RGB") for frame in ImageSequence.Iterator(Image.open(BytesIO(data))))


def tiny(rows: list[list[int]], colours: int = 4) -> Image.Image:
    """A palette image of these colours' numbers; colour n is (n, 2n, 3n) cut to a byte."""
    image = Image.new("P", (len(rows[0]), len(rows)))
    image.putpalette([n * times % 256 for n in range(colours) for times in (1, 2, 3)])
    image.putdata([number for row in rows for number in row])
    return image


def test_a_whole_war_of_seven_powers_is_small_and_shows_every_board_as_it_was_painted():
    boards = war(18)
    data = render(Film(frames=tuple(boards)))
    assert len(data) < LIMIT / 2, "a war has at most twice as many"
    played = decoded(data)
    high = Image.open(BytesIO(data)).height
    for board in boards:
        painted = painter(board)(board, "dark")
        shown = next(played)
        assert shown.size == (1200, high)
        assert shown.crop((0, 0, *painted.size)).tobytes() == painted.convert("RGB").tobytes()
    assert next(played, None) is None


def test_a_film_is_told_apart_from_a_picture():
    boards = war(2, players=2)
    assert suffix(Film(frames=tuple(boards))) == ".gif" and suffix(boards[0]) == ".png"
    assert Image.open(BytesIO(render(Film(frames=tuple(boards)), "light"))).format == "GIF"


def test_the_final_reckoning_plays_once_and_rests_on_its_last_step():
    scene = sheets.reckoning(7)
    data = render(scene, "light")
    assert suffix(scene) == ".gif" and len(data) < LIMIT
    assert "loop" not in Image.open(BytesIO(data)).info
    painted = [painter(step)(step, "light").convert("RGB") for step in scene.frames]
    assert [step.tobytes() for step in decoded(data)] == [step.tobytes() for step in painted]


def test_it_loops_and_holds_its_last_frame():
    frames = [tiny([[n, 1], [2, 3]]) for n in range(3)]
    shown = Image.open(BytesIO(film.film(frames, film.stays(3))))
    assert shown.info["loop"] == 0
    assert [frame.info["duration"] for frame in ImageSequence.Iterator(shown)] == [1400, 1400, 3000]


def test_frames_of_different_heights_stand_on_paper():
    low, high = tiny([[1, 2]]), tiny([[2, 2], [3, 3]])
    for frames in ([low, high], [high, low], [low, high, low]):
        shown = list(decoded(film.film(frames, film.stays(len(frames)))))
        assert len(shown) == len(frames)
        for frame, painted in zip(shown, frames):
            assert frame.size == (2, 2)
            assert frame.crop((0, 0, *painted.size)).tobytes() == painted.convert("RGB").tobytes()
            if painted is low:
                assert [frame.getpixel((x, 1)) for x in range(2)] == [(0, 0, 0)] * 2


def test_equal_frames_are_all_shown():
    frame = tiny([[1, 2], [3, 0]])
    shown = list(decoded(film.film([frame] * 3, film.stays(3))))
    assert [one.tobytes() for one in shown] == [frame.convert("RGB").tobytes()] * 3


def test_a_change_that_uses_every_colour_leaves_none_for_what_is_alike():
    first = tiny([[n] for n in range(256)] + [[0]], 256)
    second = tiny([[(n + 1) % 256] for n in range(256)] + [[0]], 256)
    shown = list(decoded(film.film([first, second], film.stays(2))))
    assert [one.tobytes() for one in shown] == [frame.convert("RGB").tobytes() for frame in (first, second)]


def test_frames_are_made_one_at_a_time():
    """So that a long film takes no more memory than a short one."""
    made: list[Image.Image] = []

    def frames() -> Iterator[Image.Image]:
        for n in range(3):
            made.append(tiny([[n, 1]]))
            yield made[-1]

    def delays() -> Iterator[int]:
        for n in range(1, 4):
            assert len(made) == n
            yield 100

    film.film(frames(), delays())


@pytest.mark.parametrize("frames, words", [
    ([], r"A film has at least one frame\."),
    ([tiny([[1, 2]]), tiny([[1, 2, 3]])], "one width and one palette"),
    ([tiny([[1, 2]]), tiny([[1, 2]], 5)], "one width and one palette"),
    ([Image.new("RGB", (2, 2))], r"are palette images\.")])
def test_what_is_no_film_is_refused(frames, words):
    with pytest.raises(ValueError, match=words):
        film.film(frames, [100] * len(frames))
