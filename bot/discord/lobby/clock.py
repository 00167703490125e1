"""The clock of a game that has not begun, chosen by a tap: what each choice means is said beside it."""
from __future__ import annotations

from collections.abc import Mapping

from discord import SelectOption

from bot.core.visit import Visit
from bot.discord.components import Persistent, button, in_game, select, view
from bot.discord.context import Interaction
from bot.discord.game_master.commands import may_master, require_gm
from bot.discord.lengths import NAME, clip
from bot.discord.lobby.buttons import OPTIONS
from bot.discord.responses import reply, titled
from bot.discord.visits import again
from bot.domain.deadlines import Clock, read
from bot.store import GameRow
from engine.kernel import GameSpec
from engine.text import Text, lines, say, text, verbatim

PRESETS: Mapping[str, Text] = {
    "none": text("No clock"), "12h": text("Half a day"), "24h": text("A day"), "48h": text("Two days"),
    "72h": text("Three days"), "168h": text("A week"), "bank 72h+6h": text("A time bank of 3 days"),
    "bank 168h+12h": text("A time bank of a week")}


async def _show(interaction: Interaction, visit: Visit, note: Text | None = None) -> None:
    """The clock of a game and what it means; its game master can choose another one by a tap until the start."""
    game, spec, clock = visit.game, visit.spec, visit.snapshot.clock.clock
    free = game.status == "open" and await may_master(interaction, visit)
    words = [*([note] if note is not None else []), text("**Clock of {title}**: {clock}.", title=verbatim(titled(game)),
                                                         clock=clock.text(spec.orders)),
             text("When your time runs out, your standing order or the default move is played. The clock stops at night, "
                  "on vacation and in a pause: `/settings`, `/clock vacation`."),
             *([] if free else [text("-# The game master can change it: before the start here, later with `/gm clock`.")])]
    choices = [_choices(spec, game, clock)] if free else []
    await reply(interaction, lines(words), view([*choices, button(text("Back"), OPTIONS, game.id)]))


def _choices(spec: GameSpec, game: GameRow, now: Clock) -> Persistent:
    known = {written: read(written).suited(spec.orders) for written in PRESETS}
    shown = [(PRESETS[written], written, clock) for written, clock in known.items()]
    if now not in known.values():
        shown.insert(0, (text("As it is"), now.written(), now))
    return select([SelectOption(label=_said(name), value=written, description=_said(_meaning(clock, spec)), default=clock == now)
                   for name, written, clock in shown], on_preset_clock, game.id, hint=text("Which clock?"))


def _meaning(clock: Clock, spec: GameSpec) -> Text:
    if not clock.hours:
        return text("No deadline: the game waits for everybody")
    return clock.text(spec.orders)


def _said(words: Text) -> str:
    return clip(say(words), NAME)


@in_game("lobbyclock")
async def on_clock(interaction: Interaction, visit: Visit) -> None:
    await _show(interaction, visit)


@in_game("clockset")
async def on_preset_clock(interaction: Interaction, visit: Visit, clock: str) -> None:
    await require_gm(interaction, visit)
    if visit.game.status != "open":
        await _show(interaction, visit)
        return
    await interaction.client.services.clocks.set_clock(visit.id, visit.user, clock=read(clock))
    await _show(interaction, await again(interaction, visit.id), text("Changed."))
