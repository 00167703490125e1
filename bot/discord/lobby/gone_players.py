"""What a game does about players who are gone, as its game master chooses."""
from __future__ import annotations

from discord import SelectOption

from bot.core.requirements import PLAYED, require
from bot.core.visit import Visit
from bot.discord.components import button, in_game, in_rows, select, view
from bot.discord.context import Interaction
from bot.discord.game_master.commands import require_gm
from bot.discord.lobby.buttons import GUESTS
from bot.discord.responses import reply, titled
from bot.discord.visits import again
from bot.domain.absence import CHOICES, NoShow, ReplacementRules, no_show_sentence
from engine.refusals import Refusal
from engine.text import Text, count, lines, say, text, verbatim


async def _show(interaction: Interaction, visit: Visit, note: Text | None = None) -> None:
    game = visit.game
    require(game, ("open", *PLAYED))
    rules, what = game.replacement, game.no_show
    votes = [SelectOption(label=say(_label(one)), value=_value(one), default=one == rules)
             for one in dict.fromkeys((*CHOICES, rules))]
    first = [SelectOption(label=say(words), value=value, default=value == what) for value, words in NO_SHOWS.items()]
    await reply(interaction, lines([
        *([note] if note is not None else []),
        text("**Players who are gone**, in {title}", title=verbatim(titled(game))), rules.sentence(game.seats),
        no_show_sentence(what, timed=bool(visit.snapshot.clock.clock.hours))]),
        view(in_rows([[select(votes, on_rules, game.id, hint=text("When can the players vote?"))],
                      [select(first, on_no_show, game.id, hint=text("What if somebody makes no first move?"))]
                      if game.status == "open" else [], [button(text("Back"), GUESTS, game.id)]])))


NO_SHOWS: dict[NoShow, Text] = {
    "wait": text("No first move: wait"), "replace": text("No first move: the seat is free"),
    "drop": text("No first move: open the game again without them")}


def _label(rules: ReplacementRules) -> Text:
    if not rules.days:
        return text("No vote")
    days = count(rules.days, "{n} day", "{n} days")
    return text("Vote after {days}: more than half must agree", days=days) if rules.agreement == "half" else \
        text("Vote after {days}: all others must agree", days=days)


def _value(rules: ReplacementRules) -> str:
    return f"{rules.days} {rules.agreement}"


@in_game("gone")
async def on_gone(interaction: Interaction, visit: Visit) -> None:
    await require_gm(interaction, visit)
    await _show(interaction, visit)


@in_game("gonevote")
async def on_rules(interaction: Interaction, visit: Visit, rules: str) -> None:
    """When the players can vote."""
    await require_gm(interaction, visit)
    chosen = next((one for one in CHOICES if _value(one) == rules), None)
    if chosen is None:
        raise Refusal("Choose from the list.")
    await interaction.client.services.gone_players.set_replacement_rules(visit.id, chosen, visit.user)
    await _show(interaction, await again(interaction, visit.id), text("Changed."))


@in_game("goneshow")
async def on_no_show(interaction: Interaction, visit: Visit, what: NoShow) -> None:
    await require_gm(interaction, visit)
    await interaction.client.services.gone_players.set_no_show(visit.id, what, visit.user)
    await _show(interaction, await again(interaction, visit.id), text("Changed."))
