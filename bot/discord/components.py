"""Buttons, selects and forms that outlive a restart: the custom id says what is meant, and nothing in it is trusted.

A custom id is a name and its facts, `do:12:seat_1:57:3f9c0a1b2d`. The name leads to the function that was registered for it,
which says what kinds of facts it takes and looks everything up anew. Whatever is of another kind is answered as an old button is.
The name is written once, as a `Route`. Buttons, selects and forms are made with that, and the type checker compares their facts.
"""
from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, Literal, TypeAlias, TypeVar, TypeVarTuple, cast, get_args, get_origin, get_type_hints, overload

import discord
from discord import SelectOption, ui

from bot.core.visit import Visit
from bot.discord.context import Interaction
from bot.discord.errors import complain
from bot.discord.find_game import visit_meant
from bot.discord.interaction_delivery import surely
from bot.discord.lengths import CHOICES, CUSTOM_ID, LABEL, NAME, clip
from bot.discord.responses import acknowledge, for_presser, reply
from bot.discord.visits import enter, visit_of
from engine.refusals import Refusal
from engine.text import LANGUAGE, Text, count, say, text

BUTTONS = 25                # buttons of a message: five rows of five
FORGET = 900                # seconds for which the library keeps a form that was opened; ours works without it
HEADING = 45                # characters of the heading of a form, and of what a field is called
FIELDS = 5                  # of a form
ROWS = 5                    # of buttons and selects below a message

LONGEST_INPUT = 1000        # characters of an option or a field: more than ours need, fewer than Discord allows

DIGITS = re.compile(r"-?[0-9]{1,19}")           # of a number
LARGEST = 2 ** 63 - 1       # that the file can hold

Facts = TypeVarTuple("Facts")
Chosen = TypeVar("Chosen", bound=str | int)
Word = TypeVar("Word", bound=str)
Handler = Callable[..., Awaitable[Any]]
Kind: TypeAlias = Callable[[str], Any]      # reads a fact of a custom id; raises ValueError if it is none of this kind


@dataclass(frozen=True)
class Registered:
    """What a press leads to, and which facts its custom id has."""

    handler: Handler
    kinds: Sequence[Kind]       # of its facts
    opens: bool = False         # the press opens a form, and the handler returns it
    game: int | None = None     # which of the facts is the number of a game; the handler gets a visit in its place
    nowhere: bool = False       # 0 is no game, and the handler gets None
    more: bool = False          # any number of words follows the facts: the fields of a form

    def read(self, words: Sequence[str]) -> list[Any] | None:
        """The facts of a custom id, and what was chosen or typed behind them; None: it is not of this version."""
        known = len(self.kinds)
        if len(words) != known and not (self.more and known < len(words) <= known + FIELDS):
            return None
        try:
            return [*(kind(word) for kind, word in zip(self.kinds, words)), *words[known:]]
        except ValueError:
            return None


_registered: dict[str, Registered] = {}


class Route(Generic[*Facts]):
    """What a custom id leads to: a name, and the kinds of the facts behind it; called, it does what its handler does.

    `pressed` and `opening` make one of a handler. Where a panel comes before its handler, so that it cannot import that, it
    declares the route, `MENU = Route[int, str]("menu")`, and the handler is registered for it: `@pressed(MENU)`.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def custom_id(self, *facts: *Facts) -> str:
        """The custom id that says so. Facts hold no colon, and all in all it has at most 100 characters."""
        words = self._words(facts)
        assert len(words) <= CUSTOM_ID, f"a custom id of {len(words)} characters"
        return words

    def fits(self, *facts: *Facts) -> bool:
        """True if that is short enough; ask where facts are what somebody has typed."""
        return len(self._words(facts)) <= CUSTOM_ID

    def _words(self, facts: Iterable[object]) -> str:
        return ":".join([self.name, *map(str, facts)])

    async def __call__(self, interaction: Interaction, *facts: *Facts) -> Any:
        """Do what is registered, as if the press had come; in a game that has been admitted."""
        known = _registered[self.name]
        return await known.handler(interaction, *_visiting(interaction, known, facts))


AnyRoute: TypeAlias = Route[*tuple[Any, ...]]


@overload
def pressed(route: str) -> Callable[[Callable[[Interaction, *Facts], Awaitable[Any]]], Route[*Facts]]: ...


@overload
def pressed(route: Route[*Facts]) -> Callable[[Callable[[Interaction, *Facts], Awaitable[Any]]], Route[*Facts]]: ...


def pressed(route: str | AnyRoute) -> Callable[[Handler], AnyRoute]:
    """Register what happens when an item with this name is used: `handler(interaction, *facts)`.

    Its annotations say what each fact is: a `str`, an `int`, or one of the words of a `Literal`. A select's chosen value follows
    the facts of its custom id.
    """
    return _registration(route, opens=False)


@overload
def opening(route: str) -> Callable[[Callable[[Interaction, *Facts], Awaitable[Form | None]]], Route[*Facts]]: ...


@overload
def opening(route: Route[*Facts]) -> Callable[[Callable[[Interaction, *Facts], Awaitable[Form | None]]], Route[*Facts]]: ...


def opening(route: str | AnyRoute) -> Callable[[Handler], AnyRoute]:
    """Register which form a button with this name opens: `handler(interaction, *facts)` returns a `Form`, or raises a Refusal.

    A form is the first and only answer to its press, so nothing slow comes before it. A handler that opens none has answered
    the press itself, and returns None.
    """
    return _registration(route, opens=True)


@overload
def in_game(route: str) -> Callable[[Callable[[Interaction, Visit, *Facts], Awaitable[Any]]], Route[int, *Facts]]: ...


@overload
def in_game(route: Route[int, *Facts]) -> Callable[[Callable[[Interaction, Visit, *Facts], Awaitable[Any]]],
                                                   Route[int, *Facts]]: ...


@overload
def in_game(route: Route[Word, int, *Facts]) -> Callable[[Callable[[Interaction, Word, Visit, *Facts], Awaitable[Any]]],
                                                         Route[Word, int, *Facts]]: ...


def in_game(route: str | AnyRoute) -> Callable[[Handler], AnyRoute]:
    """Register what happens when an item of a game is used, whose number is a fact of its custom id, the first or the second:
    `handler(interaction, visit, *facts)`, with the presser's visit to that game. Where the handler takes `Visit | None`, 0 is no
    game."""
    return _registration(route, opens=False)


@overload
def opening_in_game(route: str) -> Callable[[Callable[[Interaction, Visit, *Facts], Awaitable[Form | None]]],
                                            Route[int, *Facts]]: ...


@overload
def opening_in_game(route: Route[int, *Facts]) -> Callable[[Callable[[Interaction, Visit, *Facts], Awaitable[Form | None]]],
                                                           Route[int, *Facts]]: ...


def opening_in_game(route: str | AnyRoute) -> Callable[[Handler], AnyRoute]:
    """The same for an item that opens a form, as `opening` says."""
    return _registration(route, opens=True)


def _registration(route: str | AnyRoute, *, opens: bool) -> Callable[[Handler], AnyRoute]:
    declared: AnyRoute = Route(route) if isinstance(route, str) else route

    def register(handler: Handler) -> AnyRoute:
        known = _read(handler, opens=opens)
        assert declared.name not in _registered, f"{declared.name} has a handler already"
        _registered[declared.name] = known
        return declared
    return register


def _read(handler: Handler, *, opens: bool) -> Registered:
    parameters, hints = list(inspect.signature(handler).parameters.values())[1:], get_type_hints(handler)
    facts = [parameter.name for parameter in parameters if parameter.kind is not inspect.Parameter.VAR_POSITIONAL]
    game = next((place for place, fact in enumerate(facts) if hints[fact] in (Visit, Visit | None)), None)
    kinds = [_number if place == game else _kind(hints[fact]) for place, fact in enumerate(facts)]
    return Registered(handler, kinds, opens, game, nowhere=game is not None and hints[facts[game]] != Visit,
                      more=len(facts) < len(parameters))


def _kind(annotated: Any) -> Kind:
    if annotated is int:
        return _number
    if get_origin(annotated) is Literal:
        return partial(_one_of, get_args(annotated))
    assert annotated is str, f"{annotated} is no kind of fact"
    return str


def _number(word: str) -> int:
    if DIGITS.fullmatch(word) is None or abs(int(word)) > LARGEST:
        raise ValueError(word)
    return int(word)


def _one_of(known: Sequence[str], word: str) -> str:
    if word not in known:
        raise ValueError(word)
    return word


async def _admit(interaction: discord.Interaction[Any], known: Registered, facts: Sequence[Any]) -> Sequence[Any]:
    """The facts for the handler. Raises Refusal unless the presser sees the game that is meant: a custom id is nobody's word."""
    if known.game is not None and (facts[known.game] or not known.nowhere):
        await enter(interaction, facts[known.game])
    return _visiting(interaction, known, facts)


def _visiting(interaction: Interaction, known: Registered, facts: Sequence[Any]) -> Sequence[Any]:
    """Facts with the visit in the place of the number of its game."""
    if known.game is None:
        return facts
    number, visit = facts[known.game], None
    if number or not known.nowhere:
        visit = visit_of(interaction)
        assert visit is not None and visit.id == number, "the game has been admitted"
    return [*facts[:known.game], visit, *facts[known.game + 1:]]


class Persistent(ui.DynamicItem[Any], template=r"[a-z]+(:[^:]*)*"):
    """A button or a select that finds its way from its custom id alone."""

    label: str | Text = ""              # of a button

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any],
                             match: re.Match[str], /) -> Persistent:
        return cls(item)

    async def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """True if this press counts: Discord may send the same twice, and somebody may press too often."""
        admitted: bool = await interaction.client.admits(interaction)
        return admitted

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Acknowledge, do what is registered, and turn what goes wrong into a sentence."""
        name, *words = self.custom_id.split(":")
        known = _registered.get(name)
        try:
            lists = (ui.Select, ui.ChannelSelect, ui.RoleSelect, ui.UserSelect)
            chosen = self.item.values if isinstance(self.item, lists) else []
            values = [value if isinstance(value, str) else str(value.id) for value in chosen]
            facts = known.read([*words, *values]) if known is not None else None
            if known is not None and facts is not None and known.opens:
                form = await known.handler(interaction, *await _admit(interaction, known, facts))
                if form is not None:
                    await for_presser(interaction)
                    await surely(interaction, lambda: interaction.response.send_modal(form))
                    if chosen and interaction.message is not None:
                        await interaction.client.renewals.renew(interaction.message.id)
                    return
                await interaction.client.attended(interaction)
                return
            await acknowledge(interaction)
            if known is None or facts is None:
                raise Refusal("This button is from an earlier version of the bot. Type /game status to go on.")
            await known.handler(interaction, *await _admit(interaction, known, facts))
        except Exception as error:
            await complain(interaction, error)
        await interaction.client.attended(interaction)


Field: TypeAlias = ui.TextInput[Any] | ui.Label[Any]


class Form(ui.Modal):
    """A small window to fill in. What is typed or chosen goes to the handler of the route, behind the facts: a string for each
    field, "" where nothing is. Of a list of fields the handler takes as many as come."""

    @overload
    def __init__(self, heading: str | Text, route: Route[*Facts, str], *facts: *Facts, fields: tuple[Field]) -> None: ...

    @overload
    def __init__(self, heading: str | Text, route: Route[*Facts, str, str], *facts: *Facts,
                 fields: tuple[Field, Field]) -> None: ...

    @overload
    def __init__(self, heading: str | Text, route: AnyRoute, *facts: int | str, fields: list[Field]) -> None: ...

    def __init__(self, heading: str | Text, route: AnyRoute, *facts: object, fields: Sequence[Field]) -> None:
        super().__init__(title=clip(_said(heading), HEADING), custom_id=_so_far(route, facts), timeout=FORGET)
        for number, field in enumerate(fields):
            named: Any = field.component if isinstance(field, ui.Label) else field
            named.custom_id = str(number)           # else it would be made up anew whenever the form is opened
            self.add_item(field)


def field(label: str | Text, *, value: str = "", most: int = 100, long: bool = False, needed: bool = True) -> Field:
    """A field of a form, with at most so many characters."""
    return ui.TextInput(label=clip(_said(label), HEADING), default=value or None, max_length=most, required=needed,
                        style=discord.TextStyle.paragraph if long else discord.TextStyle.short)


def choice(label: str | Text, options: Sequence[SelectOption], *, more: str | Text = "", needed: bool = True) -> ui.Label[Any]:
    """A field of a form in which one of these is chosen, with a word more below what it is called."""
    menu: ui.Select[Any] = ui.Select(options=_shown(options), required=needed)
    return ui.Label(text=clip(_said(label), HEADING), description=clip(_said(more), NAME) or None, component=menu)


def radio(label: str | Text, options: Sequence[SelectOption]) -> ui.Label[Any]:
    """A field of a form whose few choices are all in view."""
    group: ui.RadioGroup[Any] = ui.RadioGroup(options=[
        discord.RadioGroupOption(label=one.label, value=one.value, description=one.description, default=one.default)
        for one in options])
    return ui.Label(text=clip(_said(label), HEADING), component=group)


async def submitted(interaction: discord.Interaction[Any]) -> None:
    """A form was sent: do what is registered for it, though the bot may have restarted since it was opened."""
    if not await interaction.client.admits(interaction):
        return
    data: Any = interaction.data
    name, *words = str(data["custom_id"]).split(":")
    known = _registered.get(name)
    try:
        await acknowledge(interaction)
        facts = known.read([*words, *typed(data)]) if known is not None and not known.opens else None
        if known is None or facts is None:
            raise Refusal("This form is from an earlier version of the bot. Type /game status to go on.")
        if any(len(words) > LONGEST_INPUT for words in typed(data)):
            raise Refusal("That's too long. Type {most} characters at most.", most=LONGEST_INPUT)
        await known.handler(interaction, *await _admit(interaction, known, facts))
    except Exception as error:
        await complain(interaction, error)
    await interaction.client.attended(interaction)


def typed(data: Any) -> list[str]:
    """Return what was typed into a form, or chosen in it, as Discord sends it."""
    fields = [field for part in data["components"]
              for field in ([part["component"]] if "component" in part else part.get("components", ()))]
    return [str(next(iter(field.get("values") or ()), "") or field.get("value") or "") for field in fields]


async def press(interaction: discord.Interaction[Any], custom_id: str, values: Sequence[str]) -> None:
    """Do what is registered for a custom id, once more; nothing of it is answered. Raises whatever it raises."""
    name, *words = custom_id.split(":")
    known = _registered.get(name)
    facts = known.read([*words, *values]) if known is not None else None
    if known is not None and facts is not None:
        await known.handler(interaction, *await _admit(interaction, known, facts))


Style = discord.ButtonStyle


def button(label: str | Text, route: Route[*Facts], *facts: *Facts, style: Style = Style.secondary,
           disabled: bool = False) -> Persistent:
    made = Persistent(
        ui.Button(label=clip(_said(label), LABEL), custom_id=route.custom_id(*facts), style=style, disabled=disabled))
    made.label = label
    return made


def select(options: Sequence[SelectOption], route: Route[*Facts, Chosen], *facts: *Facts, hint: str | Text = "") -> Persistent:
    """A select with one value to choose, which becomes the last argument of what is registered for the route.

    If there are more options than Discord shows, the hint says how many are left out.
    """
    more = max(0, len(options) - CHOICES)
    left_out = count(more, "({n} more doesn't fit here)", "({n} more don't fit here)")
    shown = f"{_said(hint)} {say(left_out)}".strip() if more else _said(hint)
    return Persistent(ui.Select(options=_shown(options), custom_id=_so_far(route, facts),
                                placeholder=clip(shown, NAME)))


def role_select(route: Route[*Facts, int], *facts: *Facts, hint: str | Text = "") -> Persistent:
    """A select of one role of the server, whose number becomes the last argument."""
    return Persistent(ui.RoleSelect(custom_id=_so_far(route, facts), placeholder=clip(_said(hint), NAME)))


def channel_select(route: Route[*Facts, int], *facts: *Facts, kinds: Sequence[discord.ChannelType],
                   hint: str | Text = "") -> Persistent:
    """A select of one channel of these kinds, whose number becomes the last argument."""
    return Persistent(ui.ChannelSelect(custom_id=_so_far(route, facts), channel_types=list(kinds),
                                       placeholder=clip(_said(hint), NAME)))


def user_select(route: Route[*Facts, int], *facts: *Facts, hint: str | Text) -> Persistent:
    """A select of one member of the server, whose number becomes the last argument."""
    return Persistent(ui.UserSelect(custom_id=_so_far(route, facts), placeholder=clip(_said(hint), NAME)))


def member_select(route: Route[*Facts, int], *facts: *Facts, chosen: int) -> Persistent:
    """A select of one member of the server, whose number becomes the last argument; it shows who is chosen now."""
    now = discord.SelectDefaultValue(id=chosen, type=discord.SelectDefaultValueType.user)
    return Persistent(ui.UserSelect(custom_id=_so_far(route, facts), default_values=[now]))


def _so_far(route: object, facts: Iterable[object]) -> str:
    """The custom id of a select or a form: the facts that are known before something is chosen or typed."""
    return cast(AnyRoute, route).custom_id(*facts)


def view(items: Iterable[discord.ui.Item[Any]]) -> ui.View | None:
    """Items as they go with a message, buttons in the language that is spoken now; none if there are none."""
    out = ui.View(timeout=None)
    for item in items:
        if isinstance(item, Persistent) and isinstance(item.item, ui.Button) and isinstance(item.label, Text):
            item.item.label = clip(say(item.label), LABEL)
        out.add_item(item)
    return out if out.children else None


def in_rows(rows: Iterable[Sequence[Persistent]]) -> list[Persistent]:
    """Items with the rows that they stand in; empty rows are left out."""
    items: list[Persistent] = []
    for number, row in enumerate(row for row in rows if row):
        for item in row:
            item.row = number
            items.append(item)
    return items


def _said(label: str | Text) -> str:
    return say(label) if isinstance(label, Text) else LANGUAGE.get().written(label)


def _shown(options: Sequence[SelectOption]) -> list[SelectOption]:
    """As many options as Discord shows, as the language spoken now writes them."""
    for option in options[:CHOICES]:
        option.label = clip(_said(option.label), NAME)
        option.description = clip(_said(option.description), NAME) if option.description else None
    return list(options[:CHOICES])


@pressed("cancel")
async def on_cancel(interaction: Interaction) -> None:
    with suppress(Refusal):                 # which game it was, the button does not say
        await visit_meant(interaction, None)
    await reply(interaction, text("Nothing has changed."))
