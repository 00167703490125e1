"""Close-ups: complete, readable, in bounds with everything that an attack can hold, and different for every fact."""
from __future__ import annotations

from functools import cache
from io import BytesIO
from typing import Any

import pytest
from PIL import Image

from engine.games.struggle_of_empires.pictures.scenes import Battle, Closeup, Fight, Side
from engine.games.struggle_of_empires.view import Captive, Neutral
from renderer import pieces, render
from renderer.brushes import Brush
from renderer.games.struggle_of_empires.closeup import compared, free, pages, paint
from renderer.games.struggle_of_empires.common import POWERS
from renderer.themes import THEMES
from tests.drawn import changed
from tools.samples import deluxe
from tools.samples.closeups import HELPED, LAND, NEUTRAL, RAID, SIMPLE, WORST, closeup, closeups, helper, loss, strength, taken

LIMIT = 320_000         # bytes
SIX = tuple([helper(power, 14, 7) for power in list(POWERS)[:6]])
ONE_SIDED = WORST.model_copy(update={"attacker": WORST.attacker.model_copy(update={"helpers": SIX}),
                                     "defender": WORST.defender.model_copy(update={"helpers": ()})})
BLOODY = WORST.model_copy(update={"losses": tuple([loss(power, "army") for power in list(POWERS)[:6]] * 2)[:8]})
DELUXE = {f"deluxe-{name}": scene for name, scene in deluxe.closeups().items()}
SAMPLES = {**closeups(), **DELUXE, "one-sided": closeup("german_states", ONE_SIDED), "bloody": closeup("baltic", BLOODY, more=2)}


def boxes(scene: Closeup, theme: str, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, tuple[int, int, int, int]]]:
    """Every text of a close-up with its place on the page: left, top, right, bottom."""
    found = []
    written = Brush.text

    def text(self: Brush, x: int, y: int, words: str, face: Any, size: int, ink: Any, **options: Any) -> int:
        wide = written(self, x, y, words, face, size, ink, **options)
        left = x - {"l": 0, "m": wide // 2, "r": wide}[options.get("align", "l")]
        capitals = size // 3
        found.append((words, (left, y - capitals, left + wide, y + capitals)))
        return wide

    monkeypatch.setattr(Brush, "text", text)
    paint(scene, theme)
    return found


# --- the page -------------------------------------------------------------------------------------------

@pytest.mark.parametrize("name, theme", [*[(name, "dark") for name in SAMPLES], ("worst", "light"), ("empty", "light")])
def test_a_close_up_is_a_small_square_palette_png(name, theme):
    data = render(SAMPLES[name], theme)
    image = Image.open(BytesIO(data))
    assert (image.format, image.mode, image.size) == ("PNG", "P", (1200, 1200))
    assert len(data) < LIMIT


@pytest.mark.parametrize("name", SAMPLES)
def test_every_text_is_on_the_page_and_none_lies_on_another(name, monkeypatch):
    found = boxes(SAMPLES[name], "dark", monkeypatch)
    assert found
    for words, (left, top, right, bottom) in found:
        assert min(left, top) >= 0 and max(right, bottom) <= 1200, words
    for n, (words, a) in enumerate(found):
        for other, b in found[n + 1:]:
            assert not (a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]), f"{words!r} and {other!r}"


@pytest.mark.parametrize("name", SAMPLES)
def test_a_page_can_hold_everything(name):
    assert any(free(measure, blocks) >= 0 for measure, blocks in pages(SAMPLES[name], THEMES["dark"]))


@pytest.mark.parametrize("theme", THEMES)
def test_powers_stand_in_their_exact_colours(theme):
    colours = {colour for _, colour in paint(SAMPLES["captives"], theme).convert("RGB").getcolors(1 << 16) or []}
    assert set(POWERS.values()) <= colours


# --- dice -----------------------------------------------------------------------------------------------

@pytest.mark.parametrize("number", range(1, 7))
@pytest.mark.parametrize("size", [38, 58, 84])
def test_a_die_has_as_many_pips_as_it_shows(number, size):
    theme = THEMES["light"]
    image = Image.new("RGB", (100, 100), theme.card)
    pieces.die(number, size).draw(Brush(image, theme), 8, 50)
    rim = max(5, size // 8)
    inside = image.crop((8 + rim, 50 - size // 2 + rim, 8 + size - rim, 50 + size // 2 - rim))
    colours: Any = inside.get_flattened_data()
    dark = {(n % inside.width, n // inside.width) for n, colour in enumerate(colours) if sum(colour) < 200}
    spots = 0
    while dark:
        spots += 1
        waiting = [dark.pop()]
        while waiting:
            x, y = waiting.pop()
            near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & dark
            dark -= near
            waiting += near
    assert spots == number


# --- what is said ---------------------------------------------------------------------------------------

def test_a_fight_is_told_as_a_sum_of_named_parts(monkeypatch):
    said = [words for words, _ in boxes(closeup("india", SIMPLE), "dark", monkeypatch)]
    assert [words for words in said if words in ("units", "training", "support", "dice", "alliance", "strength")] == [
        "units", "training", "dice", "units", "support", "dice"]
    assert {"8", "4", "wins", "On land", "Surprise Attack", "War Office", "goes home", "takes a marker"} <= set(said)
    assert "At sea" not in said and "The attack is not over." not in said


def test_an_attack_under_way_is_undecided(monkeypatch):
    said = [words for words, _ in boxes(SAMPLES["undecided"], "dark", monkeypatch)]
    assert {"undecided", "The attack is not over."} <= set(said)
    assert "No marker changes hands." not in said


def test_raiders_and_neutral_markers_fight_under_their_own_names(monkeypatch):
    said = [words for words, _ in boxes(SAMPLES["raid"], "dark", monkeypatch)]
    assert {"Pirates", "sent by Spain", "captures a marker", "strength"} <= set(said)
    said = [words for words, _ in boxes(SAMPLES["neutral"], "dark", monkeypatch)]
    assert {"Neutral marker", "Neutral marker 3", "beats it", "+3", "+1"} <= set(said)


def test_a_marker_won_back_names_one_power(monkeypatch):
    freed = changed(SIMPLE, exchanges=[{**taken("spain", "spain").model_dump(), "kind": "freed"}])
    said = [words for words, _ in boxes(closeup("india", freed), "dark", monkeypatch)]
    assert "wins its marker back" in said


def test_what_changed_has_its_sign(monkeypatch):
    said = [words for words, _ in boxes(SAMPLES["quiet"], "dark", monkeypatch)]
    assert {"+1", "−2"} <= set(said)
    same = SAMPLES["quiet"].model_copy(update={"before": None})
    monkeypatch.undo()
    assert not [words for words, _ in boxes(same, "dark", monkeypatch) if words[0] in "+−"]


def test_a_power_that_left_keeps_its_row_as_long_as_that_is_news():
    area = SAMPLES["captives"].area
    gone = area.model_copy(update={"garrisons": area.garrisons[1:]})
    left = {held.power: (held.armies, was.armies) for held, was in compared(gone, area)}
    assert left["france"] == (0, 14)
    assert "france" not in dict.fromkeys(held.power for held, _ in compared(gone, None))


# --- every fact shows -----------------------------------------------------------------------------------

@pytest.mark.parametrize("field, value", [
    ("attacker", HELPED.attacker.model_copy(update={"helpers": HELPED.attacker.helpers[:1]})),
    ("attacker", HELPED.attacker.model_copy(update={"power": "austria", "name": "Austria"})),
    ("attacker", HELPED.attacker.model_copy(update={"helpers": (helper("spain", 3), helper("prussia", 1))})),
    ("attacker", HELPED.attacker.model_copy(update={"helpers": (helper("spain", 2, 1), helper("prussia", 1))})),
    ("defender", Side(kind="neutral", power="", name="Neutral marker", strength=2, helpers=HELPED.defender.helpers)),
    ("surprise", True), ("war_office", True), ("declined", "France"), ("support", ""), ("fights", HELPED.fights[1:]),
    ("exchanges", ()), ("exchanges", (taken("spain", "britain"),)), ("exchanges", (taken("france", "britain", gold=2),)),
    ("exchanges", (taken("france", "britain", points=1),)), ("losses", HELPED.losses[:1]), ("losses", ()),
    ("losses", (loss("spain", "army"), HELPED.losses[1])), ("losses", (loss("russia", "navy"), HELPED.losses[1])),
    ("losses", (HELPED.losses[0], loss("britain", "army", "home"))),
    ("losses", (HELPED.losses[0], loss("britain", "army", "kept"))),
    ("over", False)])
def test_a_change_of_an_attack_shows(field, value):
    assert shown(HELPED.model_copy(update={field: value})) != shown(HELPED)


@cache
def page(scene: Closeup) -> bytes:
    return paint(scene, "dark").tobytes()


def shown(battle: Battle) -> bytes:
    return page(closeup("german_states", battle))


def test_who_sent_raiders_and_how_strong_they_are_shows():
    assert shown(RAID.model_copy(update={"sender": "France"})) != shown(RAID)
    assert shown(RAID.model_copy(update={"attacker": changed(RAID.attacker, strength=3)})) != shown(RAID)
    assert shown(NEUTRAL.model_copy(update={"defender": changed(NEUTRAL.defender, strength=4)})) != shown(NEUTRAL)


@pytest.mark.parametrize("side", ["attacker", "defender"])
@pytest.mark.parametrize("field, value", [("units", 6), ("training", 2), ("alliances", 2), ("support", 3), ("dice", (1, 5)),
                                          ("difference", 2), ("total", 17)])
def test_each_part_of_a_strength_shows(side, field, value):
    throw = LAND.rolls[0]
    other = throw.model_copy(update={side: getattr(throw, side).model_copy(update={field: value})})
    assert shown(of(LAND.model_copy(update={"rolls": (other,)}))) != shown(of(LAND))


def of(fight: Fight) -> Battle:
    return SIMPLE.model_copy(update={"fights": (fight,)})


def test_the_stage_the_winner_and_throws_made_again_show():
    again = LAND.rolls[0].model_copy(update={"again": "spain"})
    fights = [LAND, *[LAND.model_copy(update={"winner": winner}) for winner in ("defender", "tie", "")],
              LAND.model_copy(update={"stage": "sea"}), LAND.model_copy(update={"rolls": ()}),
              LAND.model_copy(update={"rolls": (again, *LAND.rolls)}),
              LAND.model_copy(update={"rolls": (again.model_copy(update={"again": "britain"}), *LAND.rolls)}),
              LAND.model_copy(update={"rolls": (again.model_copy(update={"attacker": strength(3, 2)}), *LAND.rolls)})]
    assert len({shown(of(fight)) for fight in fights}) == len(fights)


@pytest.mark.parametrize("field, value", [
    ("name", "Antilles"), ("values", (6, 3)), ("neutrals", ()), ("captives", ()), ("blockades", ("britain",)), ("garrisons", ()),
    ("neutrals", (Neutral(kind="pop", strength=0, gold=0, points=0, number=1),)),
    ("captives", (Captive(power="spain", held_by="slave_revolt"),))])
def test_a_change_of_the_area_shows(field, value):
    scene = SAMPLES["captives"]
    other = scene.model_copy(update={"area": scene.area.model_copy(update={field: value})})
    assert page(other) != page(scene)


@pytest.mark.parametrize("field, value", [("markers", 4), ("armies", 3), ("navies", 3), ("forts", 3)])
def test_a_change_of_a_garrison_shows(field, value):
    scene = SAMPLES["captives"]
    garrisons = (scene.area.garrisons[0].model_copy(update={field: value}), *scene.area.garrisons[1:])
    other = scene.model_copy(update={"area": scene.area.model_copy(update={"garrisons": garrisons})})
    assert page(other) != page(scene)


@pytest.mark.parametrize("field, value", [("title", "Struggle"), ("before", None), ("people", (("france", "Ada"),)),
                                          ("moment", {"war": 3, "round": 0, "rounds": 5, "phase": "war_end"})])
def test_a_change_of_the_scene_shows(field, value):
    scene = SAMPLES["captives"]
    assert page(changed(scene, **{field: value})) != page(scene)


def test_further_attacks_show():
    assert page(closeup("india", SIMPLE, more=2)) != page(closeup("india", SIMPLE))


def test_names_of_any_length_and_script_stay_on_the_page(monkeypatch):
    names = (("spain", "\u202eשלום 🎲 " * 12), ("britain", "Ж" * 90))
    for scene in (closeup("india", SIMPLE, people=names), SAMPLES["captives"].model_copy(update={"people": names})):
        for words, (left, _, right, _) in boxes(scene, "dark", monkeypatch):
            assert left >= 0 and right <= 1200, words
