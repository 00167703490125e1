"""The way through a menu to one answer, tap by tap, as somebody would find it who reads the labels."""
from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple

from bot.discord.game.menu_path import NO_MORE, WHOLE, token
from bot.discord.game.menu_words import spoken
from bot.discord.lengths import capital
from bot.domain.announcements import choice_id
from engine.catalog import GAMES
from engine.components import components
from engine.kernel import Action, Menus, Presentation, place_of
from engine.kernel.game_spec import no_areas
from engine.text import Reader
from tests.bot.discord_world import parts, said, unnumbered

BUTTON, SELECT = 2, 3       # Discord's numbers of components
ONWARD = ("Your move", "More")


class Control(NamedTuple):
    """Something below a message that can be used."""

    kind: int
    label: str
    custom_id: str
    value: str              # of an option of a select
    disabled: bool = False


def controls(message: Any) -> list[Control]:
    """All buttons of a message, and all options of its selects, their labels without the numbers of places."""
    found: list[Control] = []
    for item in parts(message):
        if item["type"] == BUTTON:
            found.append(Control(BUTTON, unnumbered(item["label"]), item["custom_id"], "", bool(item.get("disabled"))))
        elif item["type"] == SELECT:
            found += [Control(SELECT, unnumbered(option["label"]), item["custom_id"], option["value"])
                      for option in item["options"]]
    return found


@cache
def parts_of_maps() -> Mapping[str, str]:
    """Of the games that have many places: each place with the part of the map for which a menu asks first."""
    return {place: part for spec in GAMES if spec.views.areas is not no_areas
            for place, part in spec.views.areas(components(spec, spec.editions[0].key).parts).items()}


def menus_of(action: Action) -> Menus:
    """The presentations of the game to which an answer belongs."""
    return next((spec.words.menus for spec in GAMES if type(action) in (*spec.rules.actions, *spec.rules.asides)),
                {action.verb: Presentation()})


def way_to(message: Any, action: Action) -> Control | None:
    """What leads on to an answer, the shortest way first; None: nothing here does."""
    found, menus = controls(message), menus_of(action)
    shown = menus[action.verb]
    fields = [group for group in (*shown.steps, *((name,) for name in type(action).model_fields))]
    values = [WHOLE + choice_id(action), action.verb, *(token(attrgetter(*group)(action)) for group in fields),
              *((token(item) for item in (*getattr(action, shown.piecewise), NO_MORE)) if shown.piecewise else ()),
              token(parts_of_maps().get(place_of(menus, action)))]
    whole = (one for one in found if one.kind == BUTTON and one.custom_id.startswith(("do:", "yes:"))
             and one.custom_id.endswith(f":{choice_id(action)}"))
    inside = (one for value in values for one in found if one.kind == SELECT and one.value == value
              and (value != action.verb or one.custom_id.startswith("pick:")))
    forms = (one for one in found if one.custom_id.startswith("sheet:") and shown.sheet is not None
             and f":{action.verb}" in one.custom_id)
    onward = (one for one in found if one.label in ONWARD 
              or (one.label.endswith(": more") and f":{action.verb}:" in one.custom_id))
    return next(whole, None) or next(inside, None) or next(forms, None) or next(onward, None)


async def used(person: Any, message: Any, control: Control) -> Any:
    """Press a button, or choose an option: what comes of it."""
    if control.kind == BUTTON:
        return await person.click(message, custom_id=control.custom_id)
    return await person.select(message, [control.value], custom_id=control.custom_id)


def line_of(form: Any, action: Action, reader: Reader) -> Mapping[str, Any] | None:
    """What is filled into a form for one answer, by custom id; None if the form has no line for it."""
    sheet = menus_of(action)[action.verb].sheet
    assert sheet is not None, "no form takes such answers"
    name, wanted = (capital(spoken(getattr(action, part), reader)) for part in (sheet.line, sheet.amount))
    for line in form.modal["components"]:
        control = line.get("component") or line["components"][0]
        label = line.get("label") or control["label"]
        if label != name and not label.startswith(f"{name} ("):
            continue
        if "options" not in control:
            return {control["custom_id"]: wanted}
        return {control["custom_id"]: [next(option["value"] for option in control["options"] if option["label"] == wanted)]}
    return None


async def tapped_to(person: Any, message: Any, action: Action, reader: Reader) -> Any:
    """One tap on the way to an answer, with the form that it may open filled in: the message that follows."""
    control = way_to(message, action)
    assert control is not None, f"no way to {action!r} from {message.content}: {[one.label for one in controls(message)]}"
    result = await used(person, message, control)
    if getattr(result, "modal", None):
        forms = [control, *(one for one in controls(message) if one.custom_id.startswith("sheet:") and one != control)]
        while (line := line_of(result, action, reader)) is None:
            forms.pop(0)
            result = await used(person, message, forms[0])
        result = await person.submit_modal(result, line)
    return result.followups[-1] if result.followups else result.response          # the last part of a long one has the buttons


async def clicked(person: Any, message: Any, label: str) -> Any:
    """What is shown after a press on the button with this label."""
    return said(await person.click(message, label=label))
