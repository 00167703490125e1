"""Nothing ends silently at a limit of Discord's: it goes on in another message or on another page, or says what is left out."""
from __future__ import annotations

import re

import pytest
from discord import SelectOption
from discord.app_commands import Choice

from bot.discord.components import AnyRoute, select
from bot.discord.game_master.commands import _quoted
from bot.discord.lengths import CHOICES, MESSAGE, NAME, pieces, shortened
from bot.discord.responses import suggestions
from bot.domain.letters import Reminder
from bot.service.undo import Preview
from engine.text import say, text, verbatim
from tests.bot.discord_world import World, labels, words


async def many_games(world: World, number: int) -> None:
    """So many games at the table, each with a title of its own."""
    for title in range(1, number + 1):
        await world.services.lobby.open(key="pebbles", edition="plain", seats=2, options={}, pack=None,
                                        title=f"Evening number {title}",
                              guild=world.guild.id, channel=world.table.id, owner=world.olga.id)


async def test_the_list_of_games_has_pages(world: World) -> None:
    await many_games(world, 60)
    shown = await world.carol.slash(world.table, "game list")
    seen = [words(shown)]
    assert seen[0].startswith("60 games, page 1 of 4\n60 · Evening number 60 ·") and labels(shown.response) == ["Older"]
    while "Older" in labels(shown.response):
        shown = await world.carol.click(shown.response, label="Older")
        seen.append(words(shown))
    assert re.findall(r"^(\d+) · ", "\n".join(seen), re.MULTILINE) == [str(number) for number in range(60, 0, -1)]


async def test_suggestions_say_how_many_more_there_are(world: World) -> None:
    await many_games(world, 60)
    shown = await world.carol.autocomplete(world.table, "game status", "game", "")
    assert len(shown) == CHOICES and shown[-1] == {
        "name": "36: Evening number 36 … and 35 more: keep typing to find them", "value": "36"}
    assert [one["value"] for one in await world.carol.autocomplete(world.table, "game status", "game", "number 7")] == ["7"]


def test_suggestions_stay_within_the_length_of_a_choice() -> None:
    shown = suggestions([Choice(name="n" * NAME, value=str(number)) for number in range(1000)])
    assert len(shown) == CHOICES and all(len(choice.name) <= NAME for choice in shown)
    assert shown[-1].name.endswith("… … and 975 more: keep typing to find them") and shown[-1].value == "24"
    few = [Choice(name="n", value=str(number)) for number in range(CHOICES)]
    assert suggestions(few) == few


def test_a_select_says_how_many_options_do_not_fit() -> None:
    options = [SelectOption(label=str(number), value=str(number)) for number in range(40)]
    assert select(options, AnyRoute("x"), hint=text("Which one?")).item.placeholder == "Which one? (15 more don't fit here)"
    assert select(options[:CHOICES], AnyRoute("x"), hint=text("Which one?")).item.placeholder == "Which one?"


@pytest.mark.parametrize("line", ["France pays 2 gold.", "x" * 3000])
def test_what_must_be_one_message_says_how_many_lines_are_left_out_and_where_they_are(line: str) -> None:
    whole = "\n".join([line] * 300)
    short = shortened(whole, MESSAGE, text("`/game status`"))
    *kept, last = short.split("\n")
    assert len(short) <= MESSAGE and len(short) > MESSAGE - 100
    left = 300 - len(kept)
    assert last == (f"-# … and {left} more lines: `/game status`" if line in kept else "-# … and the rest: `/game status`")
    assert shortened(whole[:MESSAGE], MESSAGE, text("`/game status`")) == whole[:MESSAGE]


async def test_a_long_reply_comes_in_as_many_messages_as_it_takes(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.guessed()
    told = [f"Line {number} of what stands here for everybody to read." for number in range(200)]

    monkeypatch.setattr("bot.discord.lobby.commands.standing", lambda *_: verbatim("\n".join(told)))
    shown = await world.carol.slash(world.table, "game status")
    said = [words(shown), *(message.content for message in shown.followups)]
    assert "\n".join(said) == "\n".join(told) and len(said) > 2
    assert all(message.ephemeral for message in shown.followups)


async def test_a_reminder_names_all_games_with_as_many_buttons_as_fit(world: World) -> None:
    await many_games(world, 30)
    for game in range(1, 31):
        for who in (world.alice, world.bob):
            await world.services.lobby.join(game, who.id)
        await world.services.lobby.start(game, world.olga.id)
    duties = [[game, "seat_1", 0] for game in range(1, 31)]
    letter = Reminder(audience="seat_1", user=world.alice.id, duties=duties)
    await world.store.write(
        lambda ledger: ledger.outbox.add_letters(1, ledger.log.newest(1), [letter], "2026-01-04T00:00:00+00:00"))
    world.bot.outbox.wake([1])
    await world.env.settle()
    sent = [message for message in world.alice.user.dm_channel.history() if "number" in message.content]
    said = "\n".join(message.content for message in sent)
    assert all(f"Evening number {game}**" in said for game in range(1, 31)) and len(sent) > 1
    assert sent[-1].content.endswith("-# The first 24 have a button below. *My games* has them all.")
    assert len(labels(sent[-1])) == 25 and labels(sent[-1])[-1] == "My games"


def test_what_a_rollback_takes_back_is_quoted_or_counted() -> None:
    told = _quoted(Preview(rows=[], to=0, fresh=False, lines=[verbatim(f"Line {number}.") for number in range(500)]))
    said = [say(line) for line in told]
    assert said[0] == "> … and 485 lines before: `/game history`" and said[-1] == "> Line 499." and len(said) == 16


def test_a_text_in_pieces_is_whole() -> None:
    whole = "\n".join(f"Line {number}" * (number % 40) for number in range(300))
    assert "\n".join(pieces(whole)) == whole and all(len(piece) <= MESSAGE for piece in pieces(whole))
