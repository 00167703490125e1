"""The pictures of Attack!: complete, readable, small, alike for alike scenes, and silent about what their reader may not know."""
from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from itertools import combinations, product
from typing import Any, get_args

import pytest
from PIL import Image, ImageChops

from engine.games.attack.pictures.scenes import Board, Deed, Film, Way
from engine.games.attack.view import BattleView, CrossingView, FleetView, SideView, Units, View
from renderer import can_draw, image_cache, render, suffix
from renderer.brushes import SMALLEST, Brush, signed, width
from renderer.games.attack import base, board, closeup, edges, labels, legend, naval, pieces
from renderer.games.attack.common import FILLS, POWERS, SIGNS, beyond, colours, fill, lands, owned
from renderer.games.attack.pieces import fleet
from renderer.themes import THEMES, contrast, letter_on
from tests.drawn import overlap, picture
from tests.games.attack.drawn import BOARDS, DATA, EVERY, OWN, VIEW, boxes, land, power, standing
from tests.renderer.test_colours import APART, SHAPE, SIGHTS, TEXT, ciede2000, lab
from tools.samples import attack as samples

LIMIT = 350_000         # bytes


# --- files and caches -------------------------------------------------------------------------------

@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", EVERY)
def test_a_picture_is_a_small_palette_png_of_phone_width(name, theme):
    data = render(EVERY[name], theme)
    image = Image.open(BytesIO(data))
    assert (image.format, image.mode, image.width) == ("PNG", "P", 1200) and len(data) <= LIMIT
    assert image.height <= 2560 if name in BOARDS else image.height <= 1600
    theme_of = THEMES[theme]
    assert image.getpalette()[:768] == (colours(theme_of).getpalette() or [])[:768]


@pytest.mark.parametrize("name", ["own", "marked", "ukraine", "naval"])
def test_a_picture_does_not_depend_on_what_was_drawn_before(name):
    first = picture(EVERY[name])
    for other in (samples.sample(3, seed=9), samples.full()):
        render(Board(now=other))
    assert picture(EVERY[name]).tobytes() == first.tobytes()
    image_cache.forget()
    assert picture(EVERY[name]).tobytes() == first.tobytes()


def test_a_recap_is_a_film_of_boards():
    first, then = samples.sample(4), samples.sample(4, seed=2)
    scene = Film(frames=(Board(now=first), Board(now=then, before=first)))
    assert can_draw(scene) and suffix(scene) == ".gif"
    film: Any = Image.open(BytesIO(render(scene)))
    assert film.n_frames == 2 and film.convert("RGB").tobytes() == picture(scene.frames[0]).tobytes()
    film.seek(1)
    assert film.convert("RGB").tobytes() == picture(scene.frames[1]).tobytes()


# --- colours ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("theme", THEMES)
def test_the_lands_of_owners_stay_apart_from_each_other_and_from_neutral_land(theme, sight):
    """A little less than the signs of the powers, which are small."""
    seen = {owner: lab(owned(THEMES[theme], owner), SIGHTS[sight]) for owner in ("", *POWERS)}
    assert all(ciede2000(seen[one], seen[two]) >= APART * 0.7 for one, two in combinations(seen, 2))
    assert ciede2000(seen[""], lab(beyond(THEMES[theme]), SIGHTS[sight])) >= APART / 3


def test_every_colour_of_the_data_has_a_fill_a_sign_of_its_own_and_readable_letters():
    colors = next(value["value"] for value in DATA["parameters"] if value["id"] == "player_colors")
    assert set(colors) == set(POWERS) == set(SIGNS) and len(set(SIGNS.values())) == len(SIGNS)
    assert all(contrast(letter_on(ground), ground) >= TEXT for fills in (POWERS, *FILLS.values()) for ground in fills.values())


@pytest.mark.parametrize("theme", THEMES)
def test_the_land_of_every_owner_stands_out_from_the_sea_as_drawn(theme):
    """Measured in the board as it is posted: a whole Europe of one owner, and the sea beside it."""
    sea = THEMES[theme].sea
    for owner in POWERS:
        owns = VIEW.model_copy(update={"territories": tuple(
            [one.model_copy(update={"owner": owner}) for one in VIEW.territories])})
        image = picture(Board(now=owns), theme).crop(base.WINDOWS["europe"].corners)
        counts = sorted(image.getcolors(1 << 20) or [], reverse=True)
        land = next(shade for _, shade in counts if shade != sea)
        assert isinstance(land, tuple) and land == owned(THEMES[theme], owner) and counts[0][0] > 100_000
        assert contrast(owned(THEMES[theme], owner), sea) >= SHAPE, owner


@pytest.mark.parametrize("theme", THEMES)
def test_the_palette_holds_the_land_of_every_owner_exactly(theme):
    flat = colours(THEMES[theme]).getpalette() or []
    held = set(zip(flat[::3], flat[1::3], flat[2::3]))
    assert {*lands(THEMES[theme]), *FILLS[THEMES[theme]].values()} <= held


@pytest.mark.parametrize("theme", THEMES)
def test_land_and_badge_have_the_owners_colour(theme):
    for owner in POWERS:
        held = land(VIEW, "algeria", owner=owner, units=Units(infantry=2))
        image = picture(Board(now=held), theme)
        left, top = base.WINDOWS["europe"].left, base.WINDOWS["europe"].top
        around = image.crop((left + 130, top + 600, left + 330, top + 760)).getcolors(1 << 16) or []
        counts = {shade: number for number, shade in around}
        assert owned(THEMES[theme], owner) == fill(THEMES[theme], owner) and counts[fill(THEMES[theme], owner)] > 4500


# --- each fact shows --------------------------------------------------------------------------------

def facts() -> Iterator[tuple[str, View]]:
    """The board with one fact changed."""
    yield "owner", land(VIEW, "france", owner="blue")
    yield "neutral", land(VIEW, "france", owner="", units=Units())
    yield "infantry", land(VIEW, "france", units=Units(infantry=9))
    yield "planes", land(VIEW, "france", units=Units(plane=5))
    yield "capital", land(VIEW, "france", capital_of="brown")
    yield "entering", land(VIEW, "france", entering=Units(tank=1))
    yield "crossing", VIEW.model_copy(update={"crossings": (CrossingView(origin="iberia", to="france", units=Units(tank=1)),)})
    yield "round", VIEW.model_copy(update={"round": 4})
    yield "last round", VIEW.model_copy(update={"last_round": True})
    yield "active", VIEW.model_copy(update={"active": "green"})
    yield "actions", VIEW.model_copy(update={"actions_left": 1})
    yield "taken", VIEW.model_copy(update={"taken": ("blitz",)})
    yield "deck", VIEW.model_copy(update={"deck": 22})
    yield "phase", VIEW.model_copy(update={"phase": "founding"})
    over = VIEW.model_copy(update={"over": True, "ranking": tuple(POWERS), "places": (1, 2, 3, 4, 5, 6), "winners": ("red",)})
    yield "over", over
    yield "shared second place", over.model_copy(update={"places": (1, 2, 2, 4, 5, 6)})
    yield "shared victory", over.model_copy(update={"places": (1, 1, 3, 4, 5, 6), "winners": ("red", "blue")})
    yield "controller", VIEW.model_copy(update={"controller": "gray"})
    yield "nobody", VIEW.model_copy(update={"controller": ""})
    yield "fleet", power(VIEW, "tan", fleet=FleetView(destroyers=9))
    yield "damage", power(VIEW, "red", fleet=VIEW.powers[0].fleet.model_copy(update={"damaged": 1}))
    yield "territories", power(VIEW, "tan", territories=17)
    yield "land units", power(VIEW, "tan", land_units=99)
    yield "cards", power(VIEW, "tan", cards=11)
    yield "capitals", power(VIEW, "tan", capitals=3)
    yield "out", power(VIEW, "tan", out=True)


FACTS = dict(facts())


@pytest.mark.parametrize("fact", FACTS)
def test_a_fact_shows_on_the_board(fact):
    assert ImageChops.difference(*_same_size(picture(VIEW), picture(FACTS[fact]))).getbbox() is not None


def _same_size(one: Image.Image, other: Image.Image) -> tuple[Image.Image, Image.Image]:
    assert one.size == other.size
    return one, other


def test_a_changed_territory_is_marked_and_no_other():
    before = land(VIEW, "france", units=Units(infantry=1, plane=1))
    plain, marked = picture(VIEW), picture(Board(now=VIEW, before=before))
    changed = ImageChops.difference(plain, marked).getbbox()
    left, top, right, bottom = boxes(VIEW)["france"]
    assert changed is not None and left <= changed[0] and top <= changed[1] and changed[2] <= right and changed[3] <= bottom


def test_a_new_controller_of_the_sea_is_marked():
    plain, marked = picture(VIEW), picture(Board(now=VIEW, before=VIEW.model_copy(update={"controller": "gray"})))
    changed = ImageChops.difference(plain, marked).getbbox()
    left, top, right, _ = base.SEAS.corners
    assert changed == (left, top, right, top + board.SEA_HEAD)


def test_a_battle_under_way_shows_its_attackers_in_the_territory():
    fought = samples.ukraine(rounds=1)
    view = land(samples.fighting(VIEW), "ukraine", entering=Units())
    sides = [SideView(power=side.power, commander="", reserve=side.reserve, fighting=side.fighting, lost=side.lost)
             for side in (fought.attacker, fought.defender)]
    battle = BattleView(territory="ukraine", name="Ukraine", card="", round=1, half="defender", attacker=sides[0],
                        defender=sides[1], dice=(), hits=0)
    battle_view = view.model_copy(update={"battle": battle})
    label = labels.label(next(one for one in view.territories if one.territory == "ukraine"), None, battle_view)
    assert label.badges[-1] == labels.Badge(view.active, (0, 0, 2, 1), "attack")


def test_neutral_defenders_stand_in_the_territory_that_they_defend():
    side = SideView(power="neutral", commander="", reserve=Units(tank=1), fighting=Units(infantry=2), lost=Units())
    battle = BattleView(territory="chile", name="Chile", card="oil_1", round=1, half="", dice=(), hits=0, defender=side,
                        attacker=side.model_copy(update={"power": "blue", "fighting": Units(plane=3)}))
    view = land(VIEW, "chile", owner="", units=Units()).model_copy(update={"battle": battle})
    shown = labels.labels(Board(now=view))["chile"]
    assert shown.badges == (labels.Badge("neutral", (2, 1, 0, 0)), labels.Badge("blue", (0, 1, 0, 3), "attack"))
    assert shown.badges[0].letter == "N" and "N" not in SIGNS.values()


@pytest.mark.parametrize("ships, damaged, gains", [
    ((1, 0, 2, 2), 0, (0, 0, 0, 0)), ((2, 1, 3, 4), 1, (-1, 1, -1, 1)), ((12, 9, 14, 11), 9, (1, -2, 3, -1)),
    ((19, 19, 19, 19), 19, (-9, 9, -9, 9))])
def test_a_fleet_fits_into_its_line_with_all_that_has_changed(ships, damaged, gains, texts):
    room, theme = base.SEAS.wide - 92, THEMES["dark"]
    ground = Image.new("RGB", (room, 70), theme.card)
    drawn = fleet(ships, damaged, gains, room, theme)
    drawn.draw(Brush(ground, theme), 0, 35)
    assert drawn.wide <= room
    written = [words for words, _, _ in texts]
    assert [words for words in written if words.isdigit()] == [str(number) for number in ships]
    assert [words for words in written if words[0] in "+−"] == [signed(gain) for gain in gains if gain]
    assert (f"({damaged})" in written) == (damaged > 0)
    for (_, one, _), (_, other, _) in combinations(texts, 2):
        assert not overlap(one, other)


# --- the own hand -----------------------------------------------------------------------------------

@pytest.mark.parametrize("deed", get_args(Deed))
def test_what_a_seat_may_do_is_marked_on_the_map_and_explained(deed):
    plain = Board(now=OWN)
    marked = plain.model_copy(update={"ways": (Way(territory="libya", deeds=(deed,)),)})
    assert standing(marked)["libya"][0].deeds == (deed,)
    box = legend.legend_box((deed,))
    assert box.high > legend.legend_box(()).high
    changed = ImageChops.difference(picture(plain), picture(marked)).convert("L").point([0] + [255] * 255)
    assert changed.crop(box.corners).getbbox() and changed.crop(standing(marked)["libya"][1].corners).getbbox()
    others = [one for one in get_args(Deed) if one != deed]
    assert legend.DEEDS[deed] not in {legend.DEEDS[one] for one in others}
    assert labels.ICONS[deed] not in {labels.ICONS[one] for one in others}


def test_the_own_hand_shows_to_its_owner_alone():
    plain, own = picture(VIEW), picture(OWN)
    assert own.height == plain.height + board.HAND
    assert own.crop((0, 0, *plain.size)).crop((0, 0, 1200, base.FOOT)).tobytes() == plain.crop((0, 0, 1200, base.FOOT)).tobytes()
    for fields in ({"own_points": 39}, {"own_cards": ("oil_1",)}, {"own_cards": ()}):
        assert ImageChops.difference(own, picture(OWN.model_copy(update=fields))).getbbox() is not None


def test_cards_of_a_set_are_gold_and_heavier_ones_fill_it():
    theme = THEMES["dark"]
    drawn = list(pieces.cards(("oil_1", "oil_4", "minerals_2", "factories_3", "railroads_1", "population_4"), 48, theme))
    assert len(drawn) == 6
    gilded = []
    for piece in drawn:
        ground = Image.new("RGB", (piece.wide, 60), theme.bar)
        piece.draw(Brush(ground, theme), 0, 30)
        gilded.append(ground.getpixel((6, 30)) == theme.gold)
    assert gilded == [True, False, True, True, True, False]     # oil 4, oil 1, minerals, factories, railroads, population


def test_a_large_hand_takes_more_lines():
    types = ("oil", "minerals", "factories", "railroads", "population")
    kinds = tuple(f"{kind}_{weight}" for kind in types for weight in (1, 2, 3, 4))
    assert picture(OWN.model_copy(update={"own_cards": kinds})).height == picture(OWN).height + board.HAND


# --- battles ----------------------------------------------------------------------------------------

@pytest.fixture
def texts(monkeypatch) -> list[tuple[str, tuple[int, int, int, int], Image.Image]]:
    """What is written from now on, with the box of its capitals and the image it is written on."""
    found: list[tuple[str, tuple[int, int, int, int], Image.Image]] = []
    write = Brush.text

    def record(brush, x, y, words, face, size, ink, *, align="l", halo=None):
        assert size >= SMALLEST
        wide = width(words, face, size)
        left, half = x - {"l": 0, "m": wide // 2, "r": wide}[align], round(size * 0.36)
        if words:
            found.append((words, (left, y - half, left + wide, y + half), brush.image))
        return write(brush, x, y, words, face, size, ink, align=align, halo=halo)

    monkeypatch.setattr(Brush, "text", record)
    return found


LONG = ("Maximiliane-Wilhelmine " * 8, "🎲🎲🎲", "W" * 32, "\u202eשמואל בן־ציון הארוך" + " מאוד" * 12)


@pytest.mark.parametrize("name, player", [*[(name, "Ada") for name in EVERY],
                                          *product(("own", "ukraine", "naval"), LONG)])
def test_texts_are_large_enough_inside_and_apart(name, player, texts):
    scene = EVERY[name].model_copy(update={"people": tuple([(one, player) for one in POWERS])})
    for tiles in (labels.tag, board.table_row, board.table_head, board.header, board.sea_panel, board.hand, legend.legend,
                  edges.edge):
        tiles.cache_clear()
    render(scene)
    by_image: dict[int, list[tuple[str, tuple[int, int, int, int], Image.Image]]] = {}
    for one in texts:
        by_image.setdefault(id(one[2]), []).append(one)
    for written in by_image.values():
        for n, (words, box, image) in enumerate(written):
            assert box[0] >= 0 and box[1] >= 0 and box[2] <= image.width and box[3] <= image.height, words
            for other, there, _ in written[:n]:
                assert not overlap(box, there), (words, other)


@pytest.mark.parametrize("theme", THEMES)
def test_dice_stay_large_enough_beside_units_that_are_brought(theme, monkeypatch):
    """The icon on each of up to six dice is an icon of 30 px or more, whatever comes into battle with them."""
    sizes: list[int] = []
    draw = pieces.battle_die

    def noted(face: str, size: int, *, scored: bool) -> Any:
        sizes.append(size)
        return draw(face, size, scored=scored)

    monkeypatch.setattr(closeup, "battle_die", noted)
    closeup.paint(samples.ukraine(rounds=13, repeated=3), theme)
    assert min(sizes[2:]) * 0.68 >= 30 and len(sizes) > 20


@pytest.mark.parametrize("number", range(1, 31))
def test_a_page_has_room_for_any_number_of_rounds(number):
    rounds = samples.ukraine(rounds=number, repeated=6).rounds
    earlier, shown, high = closeup.division(rounds)
    assert (*earlier, *shown) == rounds and shown and high >= closeup.LEAST_ROW
    room = closeup.HIGHEST - closeup.TITLE - closeup.HEADS - closeup.OUTCOME
    assert len(shown) * high + (closeup.EARLIER if earlier else 0) <= room


@pytest.mark.parametrize("fields", [
    {"winner": "defender"}, {"winner": ""}, {"spoils": False}, {"more": 3}, {"when": "Round 9"}, {"territory": "turkey"},
    {"name": "Turkey"}, {"rounds": samples.ukraine(rounds=4).rounds}], ids=lambda fields: next(iter(fields)))
def test_a_change_of_a_battle_shows(fields):
    battle = samples.ukraine()
    assert picture(battle).tobytes() != picture(battle.model_copy(update=fields)).tobytes()


@pytest.mark.parametrize("fields", [
    {"dice": ("tank",) * 5}, {"scored": (True,) * 5}, {"hits": 2}, {"losses": Units(tank=2)}, {"brought": Units(plane=1)}],
    ids=lambda fields: next(iter(fields)))
def test_a_change_of_a_half_shows(fields):
    battle = samples.ukraine()
    first, *others = battle.rounds
    changed = first.model_copy(update={"halves": (first.halves[0].model_copy(update=fields), first.halves[1])})
    assert picture(battle).tobytes() != picture(battle.model_copy(update={"rounds": (changed, *others)})).tobytes()


@pytest.mark.parametrize("fields", [{"winner": "defender"}, {"winner": ""}, {"retreat": False}, {"when": "Round 9"}],
                         ids=lambda fields: str(fields))
def test_a_change_of_a_naval_battle_shows(fields):
    battle = samples.naval_end()
    assert picture(battle).tobytes() != picture(battle.model_copy(update=fields)).tobytes()


def test_a_line_face_down_shows_how_many_ships_lie_and_nothing_else(texts):
    naval.paint(samples.naval_sealed(), "dark")
    written = [words for words, _, _ in texts]
    assert written.count("?") == 8
    assert not [words for words in written if words in naval.SHORT.values()]


@pytest.mark.parametrize("part", ["power", "rounds"])
@pytest.mark.parametrize("side", ["attacker", "defender"])
def test_the_attacker_of_a_land_battle_is_at_the_left_in_the_heads_and_in_every_round(side, part):
    fought = samples.ukraine()
    if part == "power":
        other = getattr(fought, side).model_copy(update={"name": "Somebody"})
        changed = fought.model_copy(update={side: other})
    else:
        rounds = tuple([one.model_copy(update={"halves": tuple([half for half in one.halves if half.side != side])})
                        for one in fought.rounds])
        changed = fought.model_copy(update={"rounds": rounds})
    drawn = [closeup.paint(scene, "dark").convert("RGB") for scene in (fought, changed)]
    high = drawn[0].height - closeup.OUTCOME        # the outcome names its winner in the middle
    left, _, right, _ = ImageChops.difference(*[one.crop((0, closeup.TITLE, one.width, high)) for one in drawn]).getbbox()
    assert right <= drawn[0].width // 2 if side == "attacker" else left >= drawn[0].width // 2
