"""Sheets beside the board: readable at phone size, complete, and changed by every fact that they show."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from PIL import Image

from engine.games.struggle_of_empires.pictures.scenes import Owner
from engine.text.languages import PREPARED, speaking
from renderer.brushes import SMALLEST, Brush, width
from renderer.games.struggle_of_empires import PAINTERS, auction, plot, reveal, sheets, stock
from renderer.games.struggle_of_empires.common import FILLS, POWERS
from renderer.layout.lines import spread
from renderer.themes import THEMES, palette
from renderer.words import short_name
from tests.drawn import overlap
from tools.samples import deluxe, sheets as samples

pytestmark = pytest.mark.edge

LIMIT = 320_000         # bytes
SHEETS: dict[str, Any] = dict(samples.sheets()) | {f"deluxe-{name}": scene for name, scene in deluxe.sheets().items()}


def picture(scene: Any, theme: str = "dark") -> Image.Image:
    return PAINTERS[type(scene)](scene, theme)


class Text(NamedTuple):
    words: str
    size: int
    box: tuple[int, int, int, int]


@pytest.fixture
def texts(monkeypatch) -> list[Text]:
    """What is written from now on, with the box of its capitals."""
    found: list[Text] = []
    write = Brush.text

    def record(brush, x, y, words, face, size, ink, *, align="l", halo=None):
        wide = width(words, face, size)
        left = x - {"l": 0, "m": wide // 2, "r": wide}[align]
        half = round(size * 0.38)
        found.append(Text(words, size, (left, y - half, left + wide, y + half)))
        return write(brush, x, y, words, face, size, ink, align=align, halo=halo)

    monkeypatch.setattr(Brush, "text", record)
    return found


def check_texts(texts: list[Text], image: Image.Image) -> None:
    written = [text for text in texts if text.words]
    for n, text in enumerate(written):
        left, top, right, bottom = text.box
        assert left >= 0 and top >= 0 and right <= image.width and bottom <= image.height, text
        assert text.size >= SMALLEST
        for other in written[:n]:
            assert not overlap(text.box, other.box), (text, other)


# --- every sheet ----------------------------------------------------------------------------------

@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_is_a_small_palette_picture_of_phone_width(name, theme):
    image, out = picture(SHEETS[name], theme), BytesIO()
    image.save(out, "PNG", compress_level=3)
    assert (image.mode, image.width) == ("P", 1200)
    assert 480 <= image.height <= 2400
    assert len(out.getvalue()) <= LIMIT
    assert image.getpalette() == palette(THEMES[theme], FILLS).getpalette()


@pytest.mark.parametrize("name", SHEETS)
def test_texts_are_large_enough_inside_and_apart(name, texts):
    check_texts(texts, picture(SHEETS[name]))


LONG = ("Maximiliane-Wilhelmine " * 8, "🎲🎲🎲", "W" * 32, "\u202eשמואל בן־ציון הארוך" + " מאוד" * 12)


@pytest.mark.parametrize("name", [name for name, scene in SHEETS.items() if "people" in type(scene).model_fields])
@pytest.mark.parametrize("player", LONG, ids=["long", "emoji", "wide", "hebrew"])
def test_whatever_players_are_called_they_stay_in_their_room(name, player, texts):
    scene = SHEETS[name]
    check_texts(texts, picture(scene.model_copy(update={"people": tuple([(power, player) for power in POWERS])})))


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_does_not_depend_on_what_was_drawn_before(name):
    first = picture(SHEETS[name]).tobytes()
    for cached in (sheets.sign, auction.dashed):
        cached.cache_clear()
    assert picture(SHEETS[name]).tobytes() == first


# --- every fact -----------------------------------------------------------------------------------

SMALL: dict[str, tuple[Any, frozenset[str]]] = {}       # a scene with the fields that are no facts of it: ids beside names
_progress = samples.progress(3, stops=4)
_short = _progress.model_copy(update={"stops": (*_progress.stops[:3], _progress.stops[3].model_copy(update={"round": 0}))})
SMALL["progress"] = _short, frozenset()
_forecast = samples.forecast(3)
SMALL["forecast"] = (_forecast.model_copy(update={"areas": _forecast.areas[:3]}), frozenset({"area", "phase", "power"}))
SMALL["auction"] = samples.auction_sheet(5, bids=3), frozenset()
_stock = samples.stock(3)
_full = {"owners": (Owner(power="france", number=2, used=1),), "gold": 1, "population": 1, "unrest": 1}
_items = tuple([item.model_copy(update=_full) for item in _stock.items[:2]])
SMALL["stock"] = _stock.model_copy(update={"items": _items}), frozenset({"tile", "phase"})
SMALL["reveal"] = samples.reveal(4), frozenset()
_tiles = deluxe.tiles()
_price = {"population": 1, "unrest": 1}
_places = tuple([place.model_copy(update={"here": place.here.model_copy(update=_price | {"gold": 1, "holder": ""})})
                 for place in (_tiles.local[0], _tiles.local[6])])
SMALL["stock of Deluxe"] = _tiles.model_copy(update={
    "items": (), "local": _places, "display": _tiles.display[:4]}), frozenset({"phase", "place", "token", "holder", "closed"})
_auction = deluxe.proposed()
SMALL["auction of Deluxe"] = _auction.model_copy(update={"bids": _auction.bids[-2:], "npps": _auction.npps[:3]}), frozenset()
SMALL["forecast of Deluxe"] = (deluxe.outlook().model_copy(update={"areas": deluxe.outlook().areas[:2]}),
                               frozenset({"area", "phase", "power"}))
SMALL["reveal of Deluxe"] = deluxe.finished(), frozenset()

OTHER = {"to bid": "in", "in": "passed", "passed": "in", "ranking": "points"}


def altered(value: Any, key: str) -> Any:
    """Another value of the same kind."""
    if value is None:
        return 5
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if value in POWERS:
        return "prussia"
    return OTHER[value] if key in ("state", "step") else f"Sir {value}"


def alterations(data: Any, skipped: frozenset[str], key: str = "") -> Iterator[tuple[str, Any]]:
    """The data with one value altered, for each of its values, and where that is."""
    if isinstance(data, dict):
        for field, value in data.items():
            if field not in skipped:
                for where, other in alterations(value, skipped, field):
                    yield f"{field}.{where}", {**data, field: other}
    elif isinstance(data, (list, tuple)):
        for n, value in enumerate(data):
            for where, other in alterations(value, skipped, key):
                yield f"{n}.{where}", [*data[:n], other, *data[n + 1:]]
    else:
        yield "", altered(data, key)


UNSEEN = {
    "progress": {"stops.0.round.", "stops.2.last."},        # the start has no round
    "reveal": {"rows.3.penalty."},                          # a collapsed power says so instead
    "reveal of Deluxe": {"most."},                          # less than what makes a power collapse
}


@pytest.mark.parametrize("name", SMALL)
def test_each_fact_changes_the_picture(name):
    scene, skipped = SMALL[name]
    before = picture(scene).tobytes()
    count = 0
    for where, data in alterations(scene.model_dump(), skipped):
        if where not in UNSEEN.get(name, set()):
            assert picture(type(scene).model_validate(data)).tobytes() != before, where
            count += 1
    assert count > 25


def test_another_power_changes_the_forecast():
    scene = SMALL["forecast"][0]
    data = scene.model_dump_json()
    for power in ("france", "britain", "spain"):
        other = type(scene).model_validate_json(data.replace(f'"{power}"', '"prussia"'))
        assert picture(other).tobytes() != picture(scene).tobytes()


# --- victory points -------------------------------------------------------------------------------

@pytest.mark.parametrize("theme", THEMES)
def test_a_line_has_its_powers_colour_and_a_ring_that_keeps_it_visible(theme):
    scene = samples.level([[0, 10 * n] for n in range(7)])
    image = picture(scene, theme).convert("RGB")
    for line, path in zip(scene.lines, plot.paths(scene, plot.scale(scene.lines))):
        (x, y), (end_x, end_y) = path
        middle = ((x + 3 * end_x) // 4, (y + 3 * end_y) // 4)
        above = [image.getpixel((middle[0], middle[1] - n)) for n in range(12)]
        assert above[0] == POWERS[line.power]
        assert THEMES[theme].ring in above


def test_equal_points_run_abreast_and_others_stand_where_the_axis_says():
    scene = samples.level([[0, 4, 7], [0, 4, -2], [0, 4, 0]])
    axis = plot.scale(scene.lines)
    paths = plot.paths(scene, axis)
    assert [path[1][1] - axis.within(plot.PLOT, 4) for path in paths] == [-plot.ABREAST, 0, plot.ABREAST]
    assert [path[2][1] for path in paths] == [axis.within(plot.PLOT, 7), axis.within(plot.PLOT, -2), axis.within(plot.PLOT, 0)]


@pytest.mark.parametrize("points, low, high, step", [
    ([0], 0, 5, 1), ([0, 8], 0, 8, 1), ([0, 9], 0, 10, 2), ([-7, 30], -10, 30, 5), ([0, 79], 0, 80, 10),
    ([0, 900], 0, 1000, 200)])
def test_the_axis_has_few_round_numbers(points, low, high, step):
    assert plot.scale(samples.level([points]).lines) == (low, high, step)


@pytest.mark.parametrize("wanted", [[0, 0, 0], [5, 6, 90], [100, 100, 100], [40, 41, 42], [10]])
def test_labels_are_pushed_apart_but_stay_in_order_and_inside(wanted):
    places = spread(wanted, 30, 0, 100)
    assert all(after - before >= 30 for before, after in pairwise(places))
    assert min(places) >= 0 and max(places) <= 100


def test_each_line_bears_its_letter_in_each_war_and_no_letter_hides_another():
    scene = samples.level([[0, 2 * n, 5 * n] for n in range(1, 6)])
    found = list(plot.letters(scene, plot.paths(scene, plot.scale(scene.lines))))
    assert {power for power, *_ in found} == {line.power for line in scene.lines}
    for n, (_, x, y) in enumerate(found):
        assert all(abs(x - other_x) > plot.DISC or abs(y - other_y) > plot.DISC for _, other_x, other_y in found[:n])


# --- the other sheets -----------------------------------------------------------------------------

def test_equal_points_share_a_place_in_the_forecast(texts):
    scene = samples.forecast(3)
    totals = tuple([total.model_copy(update={"then": then}) for total, then in zip(scene.totals, (41, 41, 12))])
    picture(scene.model_copy(update={"totals": totals, "areas": ()}))
    words = [text.words for text in texts]
    assert (words.count("1"), words.count("2"), words.count("3")) == (2, 0, 1)
    assert words.count("41") == 2


def test_the_auction_shows_the_last_bids_and_how_many_came_before(texts):
    picture(samples.auction_sheet(5, bids=11))
    assert "3 earlier" in [text.words for text in texts]
    texts.clear()
    picture(samples.auction_sheet(5, bids=8))
    assert not [text.words for text in texts if "earlier" in text.words]


def test_an_auction_without_a_bid_says_so(texts):
    picture(samples.auction_sheet(5, bids=0))
    assert {"No bid yet", "None", "To bid", "In", "Passed"} <= {text.words for text in texts}


def test_tiles_keep_their_order_in_two_columns_of_similar_height():
    items = samples.stock().items
    left, right = stock.columns(items)
    assert left + right == items
    apart = abs(stock.column_height(left) - stock.column_height(right))
    assert apart <= 2 * max(map(stock.row_height, items)) + sheets.PANEL_HEAD


def test_used_tiles_of_an_owner_stand_apart():
    owners = (Owner(power="france", number=3, used=1), Owner(power="spain", number=1, used=0))
    assert list(stock.piles(owners)) == [("france", 2, False), ("france", 1, True), ("spain", 1, False)]
    assert list(stock.piles((Owner(power="russia", number=2, used=2),))) == [("russia", 2, True)]


def test_owners_without_room_take_another_line(texts):
    scene = samples.stock()
    crowd = scene.items[0].model_copy(update={"owners": tuple([Owner(power=power, number=5, used=2) for power in POWERS])})
    assert stock.row_height(crowd) > stock.row_height(scene.items[0])
    check_texts(texts, picture(scene.model_copy(update={"items": (crowd,)})))


@pytest.mark.parametrize("code, lines", [("en", 1), ("de", 2), ("ru", 2)])
def test_names_of_powers_take_a_second_line_where_one_has_no_room(texts, code, lines):
    scene = samples.stock(7).model_copy(update={"items": samples.stock(7).items[:1]})
    with speaking(PREPARED[code]):
        check_texts(texts, picture(scene))
        names = [short_name(power.name) for power in scene.powers]
        assert len(stock.power_lines(scene)) == lines and set(names) <= {text.words for text in texts}


def test_a_tile_that_can_be_bought_says_what_it_does(texts):
    item = next(item for item in samples.stock().items if item.left and len(stock.effect_lines(item.effect)) > 1)
    scene = samples.stock().model_copy(update={"items": (item,)})
    check_texts(texts, picture(scene))
    assert " ".join(text.words for text in texts).count(" ".join(stock.effect_lines(item.effect))) == 1
    gone = item.model_copy(update={"left": 0})
    assert stock.row_height(gone) < stock.row_height(item) and not stock.told(gone)


@pytest.mark.parametrize("winners, words", [
    ((), "Nobody wins"), ((0,), "France wins"), ((0, 1), "France and Britain win"), ((0, 1, 2), "France, Britain and Spain win")])
def test_the_reveal_says_who_wins(winners, words):
    scene = samples.reveal(3)
    rows = tuple([row.model_copy(update={"winner": n in winners}) for n, row in enumerate(scene.rows)])
    assert reveal.outcome(scene.model_copy(update={"rows": rows})) == words


@pytest.mark.parametrize("step, words", [
    ("points", "Points before the reckoning"), ("unrest", "Unrest is revealed"), ("collapse", "Spain collapses"),
    ("penalties", "Unrest costs points"), ("ranking", "France wins")])
def test_a_step_of_the_reckoning_says_what_happens_and_nothing_that_comes_later(texts, step, words):
    picture(samples.reckoned(3, step))
    written = Counter(text.words for text in texts)
    assert written[words] == 1
    assert written["?"] == {"points": 3, "unrest": 1}.get(step, 0)
    assert written["Collapsed"] == (step in ("collapse", "penalties", "ranking"))
    assert written["−7"] == (step in ("penalties", "ranking"))
    assert written["Final ranking"] == (step == "ranking")


def test_the_reckoning_has_room_on_the_time_axis_for_the_letters_of_fallen_powers():
    scene = samples.progress(7)
    fallen = scene.model_copy(update={"lines": tuple(
        [line.model_copy(update={"points": (*line.points[:-1], 0 if n else 79)}) for n, line in enumerate(scene.lines)])})
    xs = plot.across(fallen.stops)
    steps = [later - earlier for earlier, later in pairwise(xs)]
    assert min(steps[:-1]) > 20 and steps[-1] > 2 * plot.DISC
    falling = [x for _, x, _ in plot.letters(fallen, plot.paths(fallen, plot.scale(fallen.lines))) if xs[-2] < x < xs[-1]]
    assert len(falling) >= 4
