"""Below a board that only one member sees: the ways to earlier and later steps, what led to this one, and the member's note."""
from __future__ import annotations

from collections.abc import Sequence

from bot.core.visit import Visit
from bot.discord.components import Persistent, button
from bot.discord.context import Interaction
from bot.discord.game.buttons import HOME, LOOK_BACK, NOTE, NOW
from bot.discord.lengths import clip
from bot.discord.sanitize import tame
from bot.store import GameRow
from engine.kernel.game_spec import CLOSEUP, Picture, pictures
from engine.text import Text, say, template, text, verbatim

ACROSS = 5              # buttons in a row
LED = 900               # characters of what has led to a step


async def stepping(interaction: Interaction, visit: Visit, picture: Picture, subject: str, row: int | None
                   ) -> tuple[list[Persistent], str]:
    """The buttons that lead to earlier and later steps of a board or a close-up, and what is told of the one that is shown."""
    if picture.key not in (pictures(visit.spec)[0].key, CLOSEUP):
        return [], ""
    game, stop = visit.id, await interaction.client.services.look_back.stop(visit.id, row, visit.user)
    ways = [(template("◀◀ {step}"), stop.long_before), (template("◀ {step}"), stop.before), (template("{step} ▶"), stop.after)]
    items = [button(Text(label, {"step": text("Step {row}", row=to) if to else text("Beginning")}),
                    LOOK_BACK, game, picture.key, subject, to)
             for label, to in ways if to is not None]
    if row is not None:
        items.append(button(text("Now"), LOOK_BACK, game, picture.key, subject, NOW))
    led = clip("\n".join([f"-# {say(sentence, visit.reader)}" for sentence in stop.lines]), LED) if row is not None else ""
    return ([*items, button(text("Note"), NOTE, game, stop.row)], "\n".join(filter(None, (led, _noted(stop.note)))))


def _noted(words: str | None) -> str:
    if words is None:
        return ""
    return say(text("Your note: {words}", words=verbatim(tame(words))) if words else text("You've bookmarked this step."))


def home(game: GameRow) -> Persistent:
    return button(text("Back to the game"), HOME, game.id)


def in_two(items: Sequence[Persistent], *, room: int) -> list[Sequence[Persistent]]:
    """Buttons in one row, or in two if there is room for these; if not, those that matter least, the first ones, are left out."""
    if len(items) <= ACROSS:
        return [items]
    return [items[:-2], items[-2:]] if room > 1 else [items[-ACROSS:]]
