"""Reading up: what matters to a seat now, and what each thing does, at the position to which the seat's plan leads."""
from __future__ import annotations

from discord import SelectOption

from bot.discord.components import Persistent, button, pressed, select, view
from bot.discord.context import Interaction
from bot.discord.game.action_menu import capital
from bot.discord.game.answering import own_seat, press_your_move
from bot.discord.game.buttons import READ_ONE, READ_UP
from bot.discord.responses import CHOICES, MESSAGE, NAME, clip, reader_of, reply
from engine.kernel import Seat, Table
from engine.refusals import Refusal
from engine.text import Reader, say, text

LISTS = 4                   # of cards, below a message


@pressed(READ_UP)
async def press_read_up(interaction: Interaction, game: int, seat: str) -> None:
    """What the presser can read about."""
    _, table, own = await own_seat(interaction, game, seat)
    await reply(interaction, text("What do you want to read about?"), view(_choices(table, game, own)))


@pressed(READ_ONE)
async def press_read_one(interaction: Interaction, game: int, seat: str, part: int, id: str) -> None:
    """All about one of them, and the others to choose from."""
    _, table, own = await own_seat(interaction, game, seat)
    if id not in table.spec.views.cards(table.state, own):
        raise Refusal("You can't read about that now. Press **Look up** again.")
    reader = reader_of(table)
    first, *others = (say(line, reader) for line in table.spec.views.card(table.state, own, id))
    await reply(interaction, clip("\n".join([f"**{first}**", *others]), MESSAGE), view(_choices(table, game, own)))


def _choices(table: Table, game: int, seat: Seat) -> list[Persistent]:
    """Lists of the cards, and the way back to the move."""
    reader = reader_of(table)
    found = [_choice(table, id, reader) for id in table.spec.views.cards(table.state, seat)]
    lists = [found[at:at + CHOICES] for at in range(0, len(found), CHOICES)][:LISTS]
    hints = [text("Look up …") if len(lists) == 1 else f"{part[0].label} – {part[-1].label}" for part in lists]
    return [*(select(part, READ_ONE, game, seat, number, hint=hint) for number, (part, hint) in enumerate(zip(lists, hints))),
            button(text("Back to your move"), press_your_move, game, seat)]


def _choice(table: Table, id: str, reader: Reader) -> SelectOption:
    """A card, with what it does in few words."""
    summary = table.spec.words.summary(table.state, id)
    return SelectOption(label=clip(capital(reader.name(id)), NAME), value=id,
                        description=clip(say(summary, reader), NAME) if summary is not None else None)
