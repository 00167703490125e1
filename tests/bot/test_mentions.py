"""Commands in answers can be tapped where Discord knows them; elsewhere, and where that is too long, they are plain words."""
from __future__ import annotations

import pytest
from discord.app_commands import CommandTree

from bot.discord.mentions import CommandMentions
from tests.bot.discord_world import World, words
from tests.bot.payloads import problems


@pytest.fixture
async def tapped(world: World) -> World:
    """The club, after Discord has told the bot the numbers of its commands."""
    world.bot.mentions.learn(await CommandTree.sync(world.bot.tree))
    return world


async def test_help_refusals_and_the_answer_to_a_letter_name_commands_that_can_be_tapped(tapped: World) -> None:
    (known,) = [command for command in await tapped.bot.tree.fetch_commands() if command.name == "my"]
    page = words(await tapped.alice.slash(tapped.table, "game help"))
    assert f"\n</my games:{known.id}>: all your games, those waiting for you first\n" in page and "`/" not in page
    refused = words(await tapped.alice.slash(tapped.table, "game map", game="7"))
    assert refused.startswith("There is no game 7 here. </game list:") and refused.endswith("> shows the games there are.")
    await tapped.alice.user.send_dm("Hello?")
    assert tapped.letters(tapped.alice)[-1] == page
    assert problems(tapped.env.http_requests) == []


async def test_before_discord_has_told_them_commands_are_plain_words(world: World) -> None:
    assert "\n`/my games`: all your games" in words(await world.alice.slash(world.table, "game help"))


async def test_what_everybody_reads_stays_plain(tapped: World) -> None:
    await tapped.guessed()
    await tapped.alice.slash(tapped.table, "game map", share=True)
    assert not [post for post in tapped.posts() if "</" in post]


@pytest.mark.parametrize("said, told", [
    ("Type /gm undo again.", "Type </gm undo:5> again."), ("`/gm undo`, `/settings`", "</gm undo:5>, </settings:6>"),
    ("(/gm undo)", "(</gm undo:5>)"), ("/settings", "</settings:6>"), ("/gm undo the last one", "</gm undo:5> the last one"),
    *((plain, plain) for plain in (
        "`/gm undo game:7`", "/gm undo game:7", "`/gm`", "/gm", "```\n/gm undo\n```", "a `/b` and `/gm undo …`",
        "https://a.b/settings", "\\/settings", "</gm undo:5>", "and/settings", "/gm undoing", "row A/B"))])
def test_a_command_is_named_as_a_whole_and_without_options(said: str, told: str) -> None:
    assert known().clickable(said) == told


def test_what_would_not_fit_into_a_message_stays_plain() -> None:
    said = f"{'/settings ' * 160}/settings"
    assert len(said) < 2000 and known().clickable(said) == said
    assert known().clickable(said[:1000]).count("</settings:6>") == 100


def known() -> CommandMentions:
    mentions = CommandMentions()
    mentions._known.update({"gm undo": "</gm undo:5>", "settings": "</settings:6>"})
    return mentions
