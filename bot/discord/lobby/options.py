"""The options of a game: what differs from its preset, what each means, and how its game master changes them by taps."""
from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from discord import SelectOption
from discord.utils import utcnow

from bot.core.visit import Visit
from bot.discord import components as ui
from bot.discord.context import Interaction
from bot.discord.game.provenance import on_provenance
from bot.discord.game_master.commands import may_master, require_gm
from bot.discord.language_choice import choosing
from bot.discord.lengths import CUSTOM_ID, NAME, clip
from bot.discord.lobby.buttons import OPTIONS, back
from bot.discord.lobby.clock import on_clock
from bot.discord.responses import reply, titled
from bot.discord.visits import again
from bot.domain.datetime_options import offering, read, sentence
from bot.domain.waking_hours import Hours
from bot.store import GameRow
from engine import options as opt
from engine.kernel import GameSpec
from engine.kernel.option_words import Choice, Subject
from engine.refusals import Faulty, Refusal
from engine.text import Fact, Text, count, lines, say, sentences, text, verbatim
from engine.text.languages import LANGUAGES

NOWHERE = "-"               # in a custom id: no subject, no option, or the value that the preset has
BESIDES = "+"               # in a custom id: between options that change together
COLON = ";"                 # in a custom id: a colon of a value
MOMENT = 20                 # characters of a moment that is typed
FEW = 8                     # changed options that are spelt out in the panel; the others are counted
BRIEF = 90                  # characters of those that are spelt out in the message of an open game: two lines on a phone
TWO = 2                     # values between which a tap on the option changes
REMEDIES = 3                # further changes that are offered to a change which contradicts others


# --- in words ------------------------------------------------------------------------------------------------

def edition_name(spec: GameSpec, key: str) -> Text:
    return next((text(edition.name) for edition in spec.editions if edition.key == key), verbatim(key))


def preset_changes(spec: GameSpec, key: str) -> list[Text]:
    """Return what an edition changes in the options of the one whose rules it takes, in words; none for one with rules of its
    own."""
    return [sentence(choice, value) for choice, value in opt.said_once(spec, _changed_by(spec, key), opt.chosen(spec, key, {}))]


def _changed_by(spec: GameSpec, key: str) -> list[Choice]:
    rules = next((edition.rules for edition in spec.editions if edition.key == key), "") or key
    own, plain = opt.chosen(spec, key, {}), opt.chosen(spec, rules, {})
    return [choice for choice in opt.every(spec) if own[choice.key] != plain[choice.key]]


def departures(spec: GameSpec, game: GameRow) -> list[Text]:
    """Return what differs from the preset of its edition, and what that edition changes in another one's rules."""
    own, leaves = opt.chosen(spec, game.edition, game.options), _leaves(spec, game)
    preset = edition_name(spec, game.edition)
    changes = [text("- {sentence}", sentence=sentence(choice, value))
               for choice, value in opt.said_once(spec, _changed_by(spec, game.edition), own) if (choice, value) not in leaves]
    out = [text("Standard rules: {preset}.", preset=preset)] if not leaves else [
        text("Different from *{preset}*:", preset=preset),
        *(text("- {name}: {sentence}", name=choice.name, sentence=sentence(choice, value)) for choice, value in leaves[:FEW])]
    if len(leaves) > FEW:
        out.append(text("- and {more}", more=_more(len(leaves) - FEW)))
    return [*out, *([text("*{preset}* itself:", preset=preset)] if leaves and changes else []), *changes]


def changes(spec: GameSpec, game: GameRow) -> list[Text]:
    """Return what differs from its edition as one line for the message of an open game: none, or as much as has room."""
    leaves = sorted(_leaves(spec, game), key=lambda leaf: leaf[0].moment is None)      # a moment first
    if not leaves:
        return []
    told = list[str]()
    for choice, value in leaves:
        told.append(say(sentence(choice, value)))
        if len(" ".join(told)) > BRIEF:
            break
    if len(told) > 1 and len(" ".join(told)) > BRIEF:
        told.pop()
    rest = len(leaves) - len(told)
    facts: dict[str, Fact] = {"told": verbatim(" ".join(told))}
    return [text("Changed: {told} And {more}.", **facts, more=_more(rest)) if rest else text("Changed: {told}", **facts)]


def _more(number: int) -> Text:
    return count(number, "{n} more option", "{n} more options")


def _leaves(spec: GameSpec, game: GameRow) -> list[tuple[Choice, object]]:
    own = opt.chosen(spec, game.edition, game.options)
    return opt.said_once(spec, [choice for choice, _ in opt.differing(spec, game.edition, game.options)], own)


# --- the panel -----------------------------------------------------------------------------------------------

async def show_options(interaction: Interaction, visit: Visit, *, subject: str = "", key: str = "", note: Text | None = None,
                       more: Sequence[ui.Persistent] = ()) -> None:
    """The options of a game; its game master can change them until it starts."""
    game, spec, free = visit.game, _offering(visit), await _may_change(interaction, visit)
    here = next((one for one in opt.subjects(spec) if one.key == subject or key in [choice.key for choice in one.choices]), None)
    choice = opt.choice_of(spec, key) if key else None
    own = opt.chosen(spec, game.edition, game.options)
    words = [*([note] if note is not None else []), text("**Options of {title}**", title=verbatim(titled(game)))]
    if choice is not None:
        words += _explained(spec, choice, own)
    elif here is not None:
        changed = sum(one in here.choices for one, _ in opt.differing(spec, game.edition, game.options))
        words.append(text("**{subject}** ({n} changed)", subject=here.name, n=changed) if changed else
                     text("**{subject}**", subject=here.name))
    else:
        words += departures(spec, game)
    typing = [_typing(game, choice, NOWHERE)] if free and choice is not None and choice.moment is not None else []
    rows = [_presets(spec, game) if free and choice is None and here is None else [], _subjects(spec, game, here),
            _choices(spec, game, here, own, toggled=free) if here is not None else [],
            _values(spec, game, choice, own) if free and choice is not None else [],
            [choosing("game", game.id, game.spoken.code)] if free and choice is None and here is None and len(LANGUAGES) > 1 else
            [],
            [*more, *typing], _ways(spec, game, here, key, own, free=free, hints=not {
                holder.user for holder in visit.holders} - {None, visit.user})]
    await reply(interaction, lines(words), ui.view(ui.in_rows(rows)))


def _offering(visit: Visit) -> GameSpec:
    """Return what a game is, with moments among its options as they suit the caller's time zone."""
    return offering(visit.spec, utcnow(), _zone(visit), opt.chosen(visit.spec, visit.game.edition, visit.game.options))


def _zone(visit: Visit) -> str:
    return (visit.facts.chosen.hours or Hours()).zone


async def _may_change(interaction: Interaction, visit: Visit) -> bool:
    return visit.game.status == "open" and await may_master(interaction, visit)


def _explained(spec: GameSpec, choice: Choice, own: Mapping[str, object]) -> list[Text]:
    """One option: what each of its values means, which is the present one, and where the rules say it."""
    said = [text("**{sentence}** (now)" if value == own[choice.key] else "{sentence}", sentence=sentence(choice, value))
            for value in opt.offered(spec)[choice.key]]
    rules = [text("-# {rules}; option `{key}`", rules=tuple(map(verbatim, choice.rules)), key=verbatim(choice.key))] \
        if choice.rules else []
    return [text("**{name}**", name=choice.name), *(text("- {value}", value=value) for value in said), *rules]


def _presets(spec: GameSpec, game: GameRow) -> list[ui.Persistent]:
    known = [edition for edition in spec.editions if edition.available]
    return [ui.select([SelectOption(label=_spoken(text(edition.name)), value=edition.key, default=edition.key == game.edition)
                       for edition in known], on_preset, game.id, hint=text("Preset"))] if len(known) > 1 else []


def _subjects(spec: GameSpec, game: GameRow, here: Subject | None) -> list[ui.Persistent]:
    return [ui.select([SelectOption(label=_spoken(one.name), value=one.key, default=one is here) for one in opt.subjects(spec)],
                      on_subject, game.id, hint=text("Which options?"))]


def _choices(spec: GameSpec, game: GameRow, here: Subject, own: Mapping[str, object], *, toggled: bool) -> list[ui.Persistent]:
    """The options of a subject, each with what is so now; one of two values takes the other one at a tap."""
    listed = [SelectOption(label=_spoken(one.name), value=one.key, description=_spoken(sentence(one, own[one.key])))
              for one in here.choices]
    hint = text("Tap what should be different") if toggled else text("Which option?")
    return [ui.select(listed, on_choice, game.id, hint=hint)]


def _values(spec: GameSpec, game: GameRow, choice: Choice, own: Mapping[str, object]) -> list[ui.Persistent]:
    values = [SelectOption(label=_spoken(choice.sentence(value)), value=str(value) or NOWHERE, default=value == own[choice.key])
              for value in opt.offered(spec)[choice.key]]
    return [ui.select(values, on_value, game.id, choice.key, hint=text("What should it be?"))] if len(values) > TWO else []


def _ways(spec: GameSpec, game: GameRow, here: Subject | None, key: str, own: Mapping[str, object], *,
          free: bool, hints: bool) -> list[ui.Persistent]:
    """What else can be pressed: hints at once while nobody else has joined, clock, values that are ours; and the way back."""
    if here is not None:
        return [ui.button(text("Back"), on_subject, game.id, here.key) if key else ui.button(
            text("Back"), OPTIONS, game.id)]
    out = [ui.button(text("Reset all"), on_clear, game.id)] if free and opt.differing(
        spec, game.edition, game.options) else []
    if free and hints and opt.HINTS in own:
        on = own[opt.HINTS] == opt.ON
        out += _buttons(text("Turn hints off") if on else text("Turn hints on"), game, {opt.HINTS: opt.OFF if on else opt.ON})
    house = [ui.button(text("House values"), on_provenance, game.id)] if spec.words.origins else []
    return [*out, ui.button(text("Clock"), on_clock, game.id), *house, back(game.id)]


def _spoken(words: Text) -> str:
    return clip(say(words), NAME)


# --- changing ------------------------------------------------------------------------------------------------

async def change(interaction: Interaction, visit: Visit, wanted: Mapping[str, str]) -> None:
    """Give options other values, or the preset's. What contradicts that is told, with further changes that resolve it."""
    await require_gm(interaction, visit)
    game, spec, shown = visit.game, _offering(visit), next(iter(wanted))
    changes = {key: None if value == NOWHERE else opt.value_of(spec, key, value) for key, value in wanted.items()}
    try:
        row = await interaction.client.services.lobby.set_options(game.id, visit.user, changes=changes)
    except Faulty as why:
        found = await asyncio.to_thread(opt.remedies, spec, game.edition, opt.changed(game.options, changes), shown, REMEDIES)
        also = [{**wanted, **{key: str(value) for key, value in more.items()}} for more in found]
        typing = [_typing(game, choice, _joined(wanted)) for choice in opt.every(spec)
                  if choice.moment is not None and choice.key != shown and any(choice.key in way for way in also)]
        await show_options(interaction, visit, key=shown, note=why.text, more=[*_several(spec, game, shown, also), *typing])
        return
    before = {key: str(game.options[key]) if key in game.options else NOWHERE for key in wanted}
    undo = _buttons(text("Undo"), row, before) if before != wanted else []
    here, now = opt.choice_of(spec, shown), opt.chosen(spec, row.edition, row.options)[shown]
    toggled = next(one.key for one in opt.subjects(spec) if here in one.choices) if len(opt.offered(spec)[shown]) == TWO else ""
    await show_options(interaction, await again(interaction, row.id), subject=toggled, key="" if toggled else shown, more=undo,
                       note=text("Changed: {sentence}", sentence=sentence(here, now)))


def _several(spec: GameSpec, game: GameRow, shown: str, ways: Sequence[Mapping[str, str]]) -> list[ui.Persistent]:
    """Buttons each of which changes something else, too, so that nothing contradicts any more."""
    out: list[ui.Persistent] = []
    for way in ways:
        others = [opt.choice_of(spec, key).sentence(opt.value_of(spec, key, value)) for key, value in way.items() if key != shown]
        out += _buttons(text("Also: {others}", others=verbatim(sentences(others))), game, way)
    return out


def _buttons(label: Text, game: GameRow, wanted: Mapping[str, str]) -> list[ui.Persistent]:
    """A button that gives options these values; none, if they are more than it can carry."""
    said = _joined(wanted)
    fits = len(on_both.custom_id(game.id, "")) + len(said) <= CUSTOM_ID
    return [ui.button(label, on_both, game.id, said)] if fits else []


def _joined(wanted: Mapping[str, str]) -> str:
    """Options and their values in a custom id, which has its own colons."""
    return BESIDES.join(f"{key}={value}" for key, value in wanted.items()).replace(":", COLON)


def _parted(said: str) -> dict[str, str]:
    pairs = (one.partition("=") for one in said.replace(COLON, ":").split(BESIDES) if one != NOWHERE)
    return {key: value for key, _, value in pairs}


def _typing(game: GameRow, choice: Choice, also: str) -> ui.Persistent:
    """A button to type a moment that is not on the list; `also` changes with it."""
    return ui.button(text("Another time"), on_moment, game.id, choice.key, also)


@ui.opening_in_game("formmoment")
async def on_moment(interaction: Interaction, visit: Visit, key: str, also: str) -> ui.Form:
    return ui.Form(opt.choice_of(visit.spec, key).name, on_typed, visit.id, key, also, fields=(
        ui.field(text("Day and time in {zone}", zone=verbatim(_zone(visit))), most=MOMENT),))


@ui.in_game("optmoment")
async def on_typed(interaction: Interaction, visit: Visit, key: str, also: str, words: str) -> None:
    try:
        await change(interaction, visit, {key: read(words, _zone(visit)), **_parted(also)})
    except Refusal as why:
        shown = next(iter(_parted(also)), key)
        retry = [_typing(visit.game, opt.choice_of(visit.spec, key), also)] if shown != key else []
        await show_options(interaction, visit, key=shown, note=why.text, more=retry)


@ui.in_game(OPTIONS)
async def on_options(interaction: Interaction, visit: Visit) -> None:
    await show_options(interaction, visit)


@ui.in_game("optsubject")
async def on_subject(interaction: Interaction, visit: Visit, subject: str) -> None:
    await show_options(interaction, visit, subject=subject)


@ui.in_game("optchoice")
async def on_choice(interaction: Interaction, visit: Visit, key: str) -> None:
    """An option: changed at once if it has two values and the presser may, else what each of its values means."""
    spec = _offering(visit)
    values, own = opt.offered(spec).get(key, ()), opt.chosen(spec, visit.game.edition, visit.game.options)
    if len(values) == TWO and await _may_change(interaction, visit):
        await change(interaction, visit, {key: str(next(value for value in values if value != own[key]))})
    else:
        await show_options(interaction, visit, key=key)


@ui.in_game("optvalue")
async def on_value(interaction: Interaction, visit: Visit, key: str, value: str) -> None:
    await change(interaction, visit, {key: value})


@ui.in_game("optboth")
async def on_both(interaction: Interaction, visit: Visit, wanted: str) -> None:
    """Give options these values at once."""
    await change(interaction, visit, _parted(wanted))


@ui.in_game("optpreset")
async def on_preset(interaction: Interaction, visit: Visit, edition: str) -> None:
    """Go by the preset of an edition; what was changed stays changed."""
    await require_gm(interaction, visit)
    before = visit.game.edition
    try:
        now = await interaction.client.services.lobby.set_options(visit.id, visit.user, edition=edition)
    except Faulty as why:
        await show_options(interaction, visit, note=why.text, more=[
            ui.button(text("As it was"), on_fresh, visit.id, edition, style=ui.Style.primary)])
        return
    undo = [ui.button(text("Undo"), on_preset, visit.id, before)] if before != now.edition else []
    await show_options(interaction, await again(interaction, visit.id), note=text("Changed."), more=undo)


@ui.in_game("optfresh")
async def on_fresh(interaction: Interaction, visit: Visit, edition: str) -> None:
    await require_gm(interaction, visit)
    await interaction.client.services.lobby.set_options(visit.id, visit.user, edition=edition,
                                                        changes=dict.fromkeys(visit.game.options))
    await show_options(interaction, await again(interaction, visit.id), note=text("Changed."))


@ui.in_game("optclear")
async def on_clear(interaction: Interaction, visit: Visit) -> None:
    await on_fresh(interaction, visit.id, visit.game.edition)
