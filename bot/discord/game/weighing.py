"""What is shown before an answer counts: its cost, its odds, its consequence."""
from __future__ import annotations

from bot.discord import components as ui
from bot.discord.game import buttons as bt
from bot.discord.game.action_menu import Screen, named, weighed_here
from bot.discord.game.menu_path import listed
from bot.discord.game.menu_words import cost_of
from bot.discord.lengths import capital
from bot.domain.announcements import reader_of
from bot.service.odds import odds
from engine.kernel import Action, Aside, Seat, Table
from engine.text import Text, say, text


async def to_weigh(table: Table, game: int, seat: Seat, action: Action, *, tapped: bool) -> Screen | None:
    """Return what is shown before an answer counts: its cost, its odds, its consequence; None if it counts at once."""
    warning = action.consequence(table.state, seat)
    if warning is None and not tapped:
        return None
    reader = reader_of(table)
    cost = "" if warning is not None else cost_of([action], table.state, seat, reader)
    label = capital(say(action.label(), reader))
    stands = table.public_no if isinstance(action, Aside) else table.asked_at
    style = ui.Style.primary if warning is None else ui.Style.danger
    enumerated = action in set(listed(table, seat))
    below = [ui.button(text("Confirm"), bt.CONFIRM, game, seat, stands, named(action, listed=enumerated), style=style),
             ui.button(text("Cancel"), bt.MENU, game, seat, stands, "", 0)]
    (outlook,) = await odds(table, seat, [action])      # from here on the table may be in another position
    if warning is None and outlook is None:
        return None
    return Screen("\n".join([f"**{label}** ({cost})" if cost else f"**{label}**",
                             *(say(told, reader) for told in (outlook, warning) if told is not None)]), ui.view(below))


async def outlooks_of(table: Table, seat: Seat) -> dict[Action, Text]:
    """How the answers may turn out whose odds the first screen tells; nothing if the position is another one by then."""
    position, answers = table.last_no, weighed_here(table, seat)
    told = await odds(table, seat, answers)
    return {} if table.last_no != position else {answer: words for answer, words in zip(answers, told) if words is not None}
