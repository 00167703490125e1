"""Colours stay apart for every eye: powers for all three kinds of colour blindness, marks from what is under them."""
from __future__ import annotations

from itertools import combinations
from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt
from typing import TypeAlias

import pytest
from PIL import Image

from renderer.brushes import Brush
from renderer.games.attack import common as attack
from renderer.games.imperial_struggle import common as imperial
from renderer.games.struggle_of_empires import common
from renderer.themes import THEMES, WHITE, Colour, contrast, letter_on

APART = 18          # CIEDE2000: what the closest two powers must keep
TEXT, SHAPE = 4.5, 3.0      # WCAG 2: contrast of text, and of signs

Triple: TypeAlias = tuple[float, float, float]

# What an eye without one kind of cone sees, in linear RGB (Machado, Oliveira and Fernandes 2009, severity 1.0).
SIGHTS: dict[str, tuple[Triple, ...]] = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900))}

# Pairs of L*a*b* colours with their difference, from Sharma, Wu and Dalal 2005, table 1.
REFERENCE = [
    ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425), ((50, 3.1571, -77.2803), (50, 0, -82.7485), 2.8615),
    ((50, -1.3802, -84.2814), (50, 0, -82.7485), 1.0), ((50, 0, 0), (50, -1, 2), 2.3669),
    ((50, 2.49, -0.001), (50, -2.49, 0.0009), 7.1792), ((50, 2.49, -0.001), (50, -2.49, 0.0011), 7.2195),
    ((50, 2.5, 0), (73, 25, -18), 27.1492), ((50, 2.5, 0), (61, -5, 29), 22.8977), ((50, 2.5, 0), (56, -27, -3), 31.9030),
    ((50, 2.5, 0), (58, 24, 15), 19.4535), ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((6.7747, -0.2908, -2.4247), (5.8714, -0.0985, -2.2286), 0.6377),
    ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082)]


def lab(colour: Colour, sight: tuple[Triple, ...]) -> Triple:
    """An sRGB colour as an eye sees it, in L*a*b* under D65."""
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (channel / 255 for channel in colour)]
    red, green, blue = (min(1, max(0, sum(part * v for part, v in zip(row, linear)))) for row in sight)
    white = (0.95047, 1.0, 1.08883)
    xyz = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue, 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue,
           0.0193339 * red + 0.1191920 * green + 0.9503041 * blue)
    x, y, z = ((t ** (1 / 3) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29) for t in
               (value / full for value, full in zip(xyz, white)))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(one: Triple, two: Triple) -> float:
    """The difference of two L*a*b* colours; names as in Sharma, Wu and Dalal 2005."""
    (l1, a1, b1), (l2, a2, b2) = one, two
    mean_c7 = ((hypot(a1, b1) + hypot(a2, b2)) / 2) ** 7
    g = 0.5 * (1 - sqrt(mean_c7 / (mean_c7 + 25 ** 7)))
    a1, a2 = (1 + g) * a1, (1 + g) * a2
    c1, c2 = hypot(a1, b1), hypot(a2, b2)
    h1, h2 = (degrees(atan2(b, a)) % 360 if a or b else 0.0 for a, b in ((a1, b1), (a2, b2)))
    turn, mean_h = h2 - h1, (h1 + h2) / 2
    if c1 * c2 == 0:
        turn, mean_h = 0, h1 + h2
    elif abs(turn) > 180:
        turn -= 360 if turn > 0 else -360
        mean_h += 180 if h1 + h2 < 360 else -180
    d_l, d_c, d_h = l2 - l1, c2 - c1, 2 * sqrt(c1 * c2) * sin(radians(turn / 2))
    mean_l, mean_c = (l1 + l2) / 2, (c1 + c2) / 2
    t = (1 - 0.17 * cos(radians(mean_h - 30)) + 0.24 * cos(radians(2 * mean_h)) + 0.32 * cos(radians(3 * mean_h + 6))
         - 0.20 * cos(radians(4 * mean_h - 63)))
    s_l = 1 + 0.015 * (mean_l - 50) ** 2 / sqrt(20 + (mean_l - 50) ** 2)
    s_c, s_h = 1 + 0.045 * mean_c, 1 + 0.015 * mean_c * t
    r_t = (-2 * sqrt(mean_c ** 7 / (mean_c ** 7 + 25 ** 7))
           * sin(radians(60 * exp(-(((mean_h - 275) / 25) ** 2)))))
    return sqrt((d_l / s_l) ** 2 + (d_c / s_c) ** 2 + (d_h / s_h) ** 2 + r_t * (d_c / s_c) * (d_h / s_h))


@pytest.mark.parametrize("one, two, difference", REFERENCE)
def test_the_difference_of_colours_is_that_of_the_reference(one, two, difference):
    assert ciede2000(one, two) == pytest.approx(difference, abs=5e-5)
    assert ciede2000(two, one) == pytest.approx(difference, abs=5e-5)


@pytest.mark.parametrize("sight", SIGHTS)
def test_white_stays_white_for_every_eye(sight):
    assert lab(WHITE, SIGHTS[sight]) == pytest.approx((100, 0, 0), abs=0.1)


def test_red_and_green_are_alike_for_those_who_see_no_red_or_no_green():
    red, green = (200, 80, 40), (110, 120, 20)
    seen = {sight: ciede2000(lab(red, matrix), lab(green, matrix)) for sight, matrix in SIGHTS.items()}
    assert max(seen["protanopia"], seen["deuteranopia"]) < seen["normal"] / 2


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("fills", [common.POWERS, attack.POWERS, imperial.FLAGS], ids=["empires", "attack", "imperial"])
def test_powers_stay_apart(fills, sight):
    seen = {power: lab(fill, SIGHTS[sight]) for power, fill in fills.items()}
    for one, two in combinations(seen, 2):
        assert ciede2000(seen[one], seen[two]) >= APART, (one, two)


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_gains_and_losses_stay_apart(theme, sight):
    assert ciede2000(lab(theme.mark, SIGHTS[sight]), lab(theme.alarm, SIGHTS[sight])) >= APART


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_marks_stand_out(theme):
    for under in (theme.card, theme.stripe):
        assert contrast(theme.mark, under) >= TEXT and contrast(theme.alarm, under) >= TEXT
    for around in (theme.sea, theme.land, *theme.tints.values()):
        assert contrast(theme.mark, around) >= SHAPE, around
    assert contrast(theme.seal_ink, theme.gold) >= TEXT


@pytest.mark.parametrize("fill", [*common.POWERS.values(), *attack.POWERS.values()])
def test_the_letter_of_a_power_can_be_read_on_its_colour(fill):
    assert contrast(letter_on(fill), fill) >= TEXT


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_the_disc_of_a_power_stands_out_by_its_colour_or_by_its_ring(theme):
    for fill in (*common.POWERS.values(), *attack.FILLS[theme].values()):
        for under in (theme.card, theme.stripe):
            assert max(contrast(fill, under), contrast(theme.ring, under)) >= SHAPE, (fill, under)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_land_stands_out_from_the_sea_by_its_colour_or_by_its_shore(theme):
    lands = {owner: (attack.owned(theme, owner), attack.shore(theme)) for owner in ("", *attack.POWERS)}
    lands |= {area: (tint, theme.coast) for area, tint in theme.tints.items()}
    lands |= {power: (theme.home(fill), theme.coast) for power, fill in common.POWERS.items()}
    for owner, (land, shore) in {**lands, "not in play": (theme.land, theme.coast)}.items():
        assert all(contrast(shore, water) >= SHAPE for water in (theme.sea, *theme.water))
        assert contrast(land, theme.sea) >= SHAPE or contrast(shore, land) >= SHAPE, owner


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_what_lies_on_the_map_stands_out_from_it_or_from_its_halo(theme):
    for under in (theme.sea, *theme.tints.values(), *map(theme.home, common.POWERS.values())):
        line = contrast(theme.leader, under)
        assert line >= SHAPE or contrast(theme.leader, theme.halo) >= SHAPE, "a line to a card, which has a halo"
        assert contrast(theme.bar_ink, under) >= SHAPE or contrast(theme.seal_ink, under) >= SHAPE, "the number of a place"
    assert contrast(theme.ink, theme.halo) >= TEXT, "names"
    assert contrast(theme.bar_ink, theme.seal_ink) >= TEXT and contrast(theme.seal_ink, theme.gold) >= TEXT


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_rings_and_signs_stand_out_from_what_is_under_them(theme):
    for ring in (theme.ring, theme.mark, theme.alarm, theme.ink):
        assert contrast(ring, theme.halo) >= SHAPE
    for under in (theme.card, theme.stripe):
        assert contrast(theme.ink, under) >= TEXT and contrast(theme.muted, under) >= TEXT
        assert contrast(theme.frame, under) >= SHAPE, "whose turn it is"
    assert contrast(theme.bar_ink, theme.bar) >= TEXT and contrast(theme.bar_muted, theme.bar) >= TEXT
    assert contrast(theme.muted, theme.sea) >= TEXT and contrast(theme.leader, theme.sea) >= SHAPE


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_gold_and_neutral_markers_stand_out_by_their_fill_or_by_their_edge(theme):
    grounds = (theme.card, theme.stripe, theme.bar, theme.sea, theme.land, *theme.tints.values())
    for fill, edge in ((theme.gold, theme.gold_edge), *((seal, theme.gold_edge) for seal in theme.seals),
                       (theme.gold, theme.edge), (theme.stone, theme.edge)):
        for under in grounds[:3]:
            assert max(contrast(fill, under), contrast(edge, under)) >= SHAPE, (fill, under)
        assert contrast(theme.seal_ink, fill) >= TEXT, "its number or deed"
    for under in grounds:
        assert max(contrast(theme.gold, under), contrast(theme.edge, under)) >= SHAPE, "the tab of what may be done there"


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("sign", [lambda brush: brush.seal(30, 30, "6", 34, brush.theme.seals[2]),
                                  lambda brush: brush.coin(30, 30, 28), lambda brush: brush.star(30, 30, 30)],
                         ids=["seal", "coin", "star"])
def test_gold_on_a_card_has_an_edge(theme, sign):
    drawn = Image.new("RGB", (60, 60), theme.card)
    sign(Brush(drawn, theme))
    assert theme.gold_edge in {colour for _, colour in drawn.getcolors(3600) or ()}
