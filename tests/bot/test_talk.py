"""/talk: threads and who reads in them, messages from seat to seat and who reads those, promises that bind nobody."""
from __future__ import annotations

from typing import Any

import pytest

from bot.discord.lengths import MESSAGE
from bot.discord.sanitize import tame
from bot.discord.talk.commands import WORDS
from bot.store import MemberRow
from tests.bot.discord_world import World, custom_ids, labels, words

DM_CLOSED: dict[str, Any] = {"status": 403, "code": 50007, "message": "Cannot send messages to this user"}


async def said(world: World, who: Any, to: str, message: str, channel: Any = None) -> str:
    """What the bot replies to a message that somebody sends."""
    return words(await who.slash(channel or world.table, "talk say", to=to, message=message))


def thread(world: World, name: str) -> Any:
    """The one thread at the table with this name."""
    (found,) = [thread for thread in world.table.threads if thread.name == name]
    return found


def inside(world: World, thread: Any) -> set[int]:
    """Who was added to a thread, the bot aside."""
    return set(world.env.backend.channels[thread.id].thread_members) - {world.bot.user.id}


def shut(world: World, who: Any) -> None:
    """From now on nobody can write to this member directly."""
    world.env.inject_error("POST", f"/channels/{who.user.dm_channel.id}/messages", times=None, **DM_CLOSED)


def everything(world: World, *who: Any) -> str:
    """All that these members can read: the channel, its public threads, their direct messages."""
    channels = [world.table, *world.table.threads]
    seen = [message.content for channel in channels for message in channel.history()]
    return "\n".join([*seen, *(letter for one in who for letter in world.letters(one))])


# --- the thread of the table -------------------------------------------------------------------------------------

async def test_a_game_has_one_thread_for_talk(world: World) -> None:
    await world.started()
    reply = words(await world.alice.slash(world.table, "talk thread"))
    talk = thread(world, "Table talk of Pebbles")
    assert reply == f"Table talk of this game: <#{talk.id}>."
    assert world.posts(talk)[0].startswith("Talk about Pebbles here. Nothing said here binds anybody (P-32)")
    assert words(await world.bob.slash(world.table, "talk thread")) == reply and len(world.table.threads) == 1
    await world.restart()
    assert words(await world.olga.slash(world.table, "talk thread")) == reply and len(world.table.threads) == 1


async def test_the_start_of_a_game_offers_a_thread(world: World) -> None:
    await world.opened()
    for who in (world.alice, world.bob):
        await who.slash(world.table, "game join")
    begun = await world.olga.slash(world.table, "game start")
    assert words(await world.olga.click(begun.response, label="Open a thread for talk")).startswith("Table talk of this game")
    assert thread(world, "Table talk of Pebbles")


async def test_a_thread_that_was_deleted_is_opened_anew(world: World) -> None:
    await world.started()
    await world.alice.slash(world.table, "talk thread")
    world.env.backend.delete_channel(thread(world, "Table talk of Pebbles").id)
    await world.alice.slash(world.table, "talk thread")
    assert len(world.table.threads) == 1


async def test_the_talk_of_a_game_in_a_thread_is_opened_beside_it(world: World) -> None:
    await world.opened(place="a new thread", title="Friday")
    await world.olga.slash(world.table.threads[0], "talk thread")
    assert thread(world, "Table talk of Friday")


async def test_strangers_open_no_threads(world: World) -> None:
    await world.started()
    assert words(await world.carol.slash(world.table, "talk thread")) == (
        "Only its players and its game master can open a thread for this game.")
    assert words(await world.carol.slash(world.table, "talk private", **{"with": "Amber"})).startswith("You have no seat")
    assert world.table.threads == []


@pytest.mark.parametrize("flag, command, given, sentence", [
    ("create_public_threads", "thread", {}, "I'm missing the permission Create Public Threads here."),
    ("create_private_threads", "private", {"with": "Basalt"},
     "I'm missing the permission Create Private Threads here. Players get no private threads. /talk say still"),
    ("send_messages_in_threads", "thread", {}, "I'm missing the permission Send Messages in Threads here.")])
async def test_threads_that_the_bot_may_not_open(world: World, flag: str, command: str, given: dict[str, str],
                                                 sentence: str) -> None:
    await world.started()
    world.forbid(world.table, flag)
    assert words(await world.alice.slash(world.table, f"talk {command}", **given)).startswith(sentence)
    assert world.table.threads == []


async def test_in_a_forum_post_only_what_works_there_is_offered(world: World) -> None:
    post = world.forum_post()
    assert labels((await world.olga.slash(post, "game open")).response) == ["Open it here", "In its own post"]
    await world.olga.slash(post, "game open", game="pebbles", seats=2)
    for who in (world.alice, world.bob):
        await who.slash(post, "game join")
    begun = await world.olga.slash(post, "game start")
    assert words(begun) == "Pebbles has started." and labels(begun.response) == []
    assert words(await world.alice.slash(post, "talk thread")) == (
        f"A forum post can't have another thread, so talk right here: <#{post.id}>.")
    assert words(await world.alice.slash(post, "talk private", **{"with": "Basalt"})) == (
        "Forums have no private threads. `/talk say` carries private messages instead. Members who can manage this server choose "
        "a text channel for them in `/settings`.")
    assert words(await world.olga.slash(post, "gm branch", row=0)) == (
        "Threads can only be opened in a server's text channels. Choose this channel instead.")


async def test_where_the_bot_may_open_no_thread_none_is_offered(world: World) -> None:
    world.forbid(world.table, "create_public_threads")
    assert "In its own thread" not in labels((await world.olga.slash(world.table, "game open")).response)
    await world.opened()
    for who in (world.alice, world.bob):
        await who.slash(world.table, "game join")
    assert labels((await world.olga.slash(world.table, "game start")).response) == []


async def test_an_announcement_channel_has_no_private_threads(world: World) -> None:
    channel = world.guild.create_news_channel("news")
    await world.olga.slash(channel, "game open", game="pebbles", seats=2)
    for who in (world.alice, world.bob):
        await who.slash(channel, "game join")
    await world.olga.slash(channel, "game start")
    assert words(await world.alice.slash(channel, "talk private", **{"with": "Basalt"})) == (
        "Announcement channels have no private threads. `/talk say` carries private messages instead. Members who can manage "
        "this server choose a text channel for them in `/settings`.")


# --- private threads ---------------------------------------------------------------------------------------------------

async def test_players_get_a_private_thread_that_warns_them_first(world: World) -> None:
    await world.started(world.alice, world.bob, world.carol)
    reply = words(await world.alice.slash(world.table, "talk private", **{"with": "Basalt"}))
    private = thread(world, "Private: Amber and Basalt")
    assert reply == (f"Your private thread with Basalt: <#{private.id}>. "
                     "Members who can manage threads on this server can read it too.")
    assert inside(world, private) == {world.alice.id, world.bob.id}
    assert world.posts(private)[0] == (
        "Only Amber and Basalt are in this thread. Members who can manage threads on this server can read it too. "
        "Use `/talk say` for what they must not see.")
    with pytest.raises(Exception, match="cannot read"):
        world.posts(private, viewer=world.carol)


async def test_the_same_players_find_the_same_thread_whoever_asks_and_others_another(world: World) -> None:
    await world.started(world.alice, world.bob, world.carol)
    first = words(await world.alice.slash(world.table, "talk private", **{"with": "Basalt"}))
    await world.restart()
    again = words(await world.bob.slash(world.table, "talk private", **{"with": "seat_1"}))
    assert first.split("<#")[1] == again.split("<#")[1] and len(world.table.threads) == 1
    await world.carol.slash(world.table, "talk private", second="Basalt", **{"with": "Amber"})
    assert len(world.table.threads) == 2
    (three,) = [found for found in world.table.threads if len(inside(world, found)) == 3]
    assert three.name == "Private: Amber, Basalt and Chalk"


async def test_a_private_thread_needs_somebody_else_who_is_there(world: World) -> None:
    await world.started()
    assert words(await world.alice.slash(world.table, "talk private", **{"with": "Amber"})) == (
        "With whom? Choose one or more of the other players.")
    assert "no such seat" in words(await world.alice.slash(world.table, "talk private", **{"with": "Spain"}))
    shown = await world.bob.slash(world.table, "game resign")
    await world.bob.click(shown.response, label="Resign")
    assert words(await world.alice.slash(world.table, "talk private", **{"with": "Basalt"})) == (
        "Nobody plays Basalt right now.")
    assert world.table.threads == []


async def test_a_seat_handed_over_reads_along_and_who_had_it_does_not(world: World) -> None:
    await world.started()
    await world.alice.slash(world.table, "talk private", **{"with": "Basalt"})
    private = thread(world, "Private: Amber and Basalt")
    await world.olga.slash(world.table, "gm hand", seat="Basalt", member=world.carol)
    assert inside(world, private) == {world.alice.id, world.carol.id}


async def test_a_handover_before_a_crash_closes_the_thread_after_it(world: World) -> None:
    await world.started()
    await world.alice.slash(world.table, "talk private", **{"with": "Basalt"})
    private = thread(world, "Private: Amber and Basalt")
    world.mute()
    await world.olga.slash(world.table, "gm hand", seat="Basalt", member=world.carol)
    assert world.bob.id in inside(world, private)
    await world.restart()
    assert inside(world, private) == {world.alice.id, world.carol.id}


async def test_where_nobody_can_be_removed_the_others_are_warned_and_get_another_thread(world: World) -> None:
    await world.started()
    await world.alice.slash(world.table, "talk private", **{"with": "Basalt"})
    old = thread(world, "Private: Amber and Basalt")
    world.forbid(world.table, "manage_threads")
    await world.olga.slash(world.table, "gm hand", seat="Basalt", member=world.carol)
    assert world.posts(old)[-1].startswith(f"{world.bob.mention} can still read this thread")
    assert world.carol.id not in inside(world, old)
    await world.alice.slash(world.table, "talk private", **{"with": "Basalt"})
    (new,) = [found for found in world.table.threads if found.id != old.id]
    assert inside(world, new) == {world.alice.id, world.carol.id}


# --- messages from seat to seat ------------------------------------------------------------------------------------------

async def test_a_message_to_all_stands_in_the_channel_in_the_name_of_the_seat(world: World) -> None:
    await world.started()
    assert await said(world, world.alice, "all", "Peace on earth") == "Your message to everybody is on its way."
    assert world.posts()[-1] == "**Amber** to all: Peace on earth"


async def test_a_message_to_one_seat_reaches_its_holder_and_nobody_else(world: World) -> None:
    await world.started(world.alice, world.bob, world.carol)
    assert await said(world, world.alice, "Basalt", "Attack at dawn") == "Your message to Basalt is on its way."
    assert world.letters(world.bob)[-1] == "**Amber** to you (Basalt) only, in Pebbles (game 1): Attack at dawn"
    assert "dawn" not in everything(world, world.alice, world.carol, world.olga, world.max)
    assert "Attack at dawn" in words(await world.bob.slash(world.table, "talk read"))
    assert "you to Basalt: Attack at dawn" in words(await world.alice.slash(world.table, "talk read"))
    assert words(await world.carol.slash(world.table, "talk read")).startswith("No messages in this game yet")
    assert words(await world.olga.slash(world.table, "talk read")).startswith("You have no seat")
    for command in ("game history", "gm audit", "game status"):
        assert "dawn" not in words(await world.olga.slash(world.table, command))


async def test_it_is_answered_by_a_tap(world: World) -> None:
    await world.started()
    await said(world, world.alice, "Basalt", "Attack at dawn")
    (letter,) = [message for message in world.bob.user.dm_channel.history() if "dawn" in message.content]
    shown = await world.bob.user.click(letter, label="Answer")
    (field,) = [item["custom_id"] for row in shown.modal["components"] for item in row["components"]]
    reply = await world.bob.user.submit_modal(shown, {field: "At noon"})
    assert words(reply) == "Your message to Amber is on its way."
    assert any("**Basalt** to you (Amber) only" in letter and "At noon" in letter for letter in world.letters(world.alice))


async def test_who_cannot_be_written_to_is_told_in_the_channel_that_something_waits(world: World) -> None:
    await world.started()
    shut(world, world.bob)
    await said(world, world.alice, "Basalt", "Attack at dawn")
    waiting = world.question("There is a message for")
    assert waiting.content == f"{world.bob.mention} There is a message for **Basalt**. Nobody else can read it."
    (body,) = [request.json for request in world.env.http_requests if "There is a message for" in str(request.json)]
    assert body["allowed_mentions"]["users"] == [world.bob.id]
    assert "dawn" not in everything(world, world.alice, world.olga)
    assert "Attack at dawn" in words(await world.bob.click(waiting, label="Read it"))
    for who in (world.alice, world.carol, world.olga):
        assert "dawn" not in words(await who.click(waiting, label="Read it"))
    assert await world.services.outbox.pending(10) == []


async def test_who_wants_no_pings_is_named_and_not_notified(world: World) -> None:
    await world.started()
    shut(world, world.bob)
    await world.services.settings.set_member(world.bob.id, MemberRow(pings="none"))
    await said(world, world.alice, "Basalt", "Attack at dawn")
    (body,) = [request.json for request in world.env.http_requests if "There is a message for" in str(request.json)]
    assert not body["allowed_mentions"].get("users")


async def test_who_wants_no_direct_messages_gets_none(world: World) -> None:
    await world.started()
    await world.services.seats.set_private(1, world.bob.id, False)
    await world.env.settle()
    before = world.letters(world.bob)
    await said(world, world.alice, "Basalt", "Attack at dawn")
    assert world.letters(world.bob) == before and world.question("There is a message for")


async def test_a_new_holder_reads_what_the_seat_was_told_and_the_old_one_does_not(world: World) -> None:
    await world.started()
    shut(world, world.bob)
    await said(world, world.alice, "Basalt", "Attack at dawn")
    await world.olga.slash(world.table, "gm hand", seat="Basalt", member=world.carol)
    assert "Attack at dawn" in words(await world.carol.slash(world.table, "talk read"))
    assert "dawn" not in words(await world.bob.slash(world.table, "talk read"))
    assert "dawn" not in words(await world.bob.click(world.question("There is a message for"), label="Read it"))


async def test_a_crash_before_sending_sends_late_and_once(world: World) -> None:
    await world.started()
    world.mute()
    await said(world, world.alice, "Basalt", "Attack at dawn")
    await said(world, world.alice, "all", "Peace on earth")
    assert "dawn" not in "".join(world.letters(world.bob))
    await world.restart()
    await world.restart()
    assert sum("dawn" in letter for letter in world.letters(world.bob)) == 1
    assert world.told().count("**Amber** to all: Peace on earth") == 1


async def test_no_message_leaves_words_in_the_log(world: World, caplog: pytest.LogCaptureFixture) -> None:
    await world.started()
    world.env.inject_error("POST", f"/channels/{world.bob.user.dm_channel.id}/messages", status=400, code=50035, times=8)
    await said(world, world.alice, "Basalt", "Attack at dawn")
    await world.env.advance_time(7200)
    assert "dawn" not in caplog.text
    assert "dawn" not in words(await world.olga.slash(world.table, "gm audit"))


@pytest.mark.parametrize("to, message, sentence", [
    ("Amber", "Hello", "That's your own seat. Choose another one, or everybody."),
    ("Spain", "Hello", "There is no such seat in this game. Choose among: Amber, Basalt and All."),
    ("all", "  ", "Your message is empty. Type something to say."),
    ("all", "\u200b\u202e", "Your message is empty. Type something to say.")])
async def test_messages_that_say_nothing_or_reach_nobody(world: World, to: str, message: str, sentence: str) -> None:
    await world.started()
    posts = world.posts()
    assert await said(world, world.alice, to, message) == sentence
    assert world.posts() == posts


async def test_seats_are_offered_by_name(world: World) -> None:
    await world.started()
    assert await world.alice.autocomplete(world.table, "talk say", "to", "") == [
        {"name": "All", "value": "all"}, {"name": "Basalt", "value": "seat_2"}]
    assert await world.alice.autocomplete(world.table, "talk promise", "to", "") == [{"name": "Basalt", "value": "seat_2"}]
    assert await world.alice.autocomplete(world.table, "talk private", "with", "bas") == [{"name": "Basalt", "value": "seat_2"}]
    assert await world.carol.autocomplete(world.table, "talk private", "with", "") == []


async def test_twenty_messages_an_hour_are_enough(world: World) -> None:
    await world.started()
    for number in range(20):
        await said(world, world.alice, "all", f"Number {number}")
    late = await said(world, world.alice, "all", "One more")
    assert late.startswith("You've sent 20 messages within an hour. You can send the next one <t:")
    assert await said(world, world.bob, "all", "My first") == "Your message to everybody is on its way."
    await world.env.advance_time(3601)
    assert await said(world, world.alice, "all", "One more") == "Your message to everybody is on its way."


@pytest.mark.parametrize("allowed, to_all, to_one", [("all", True, True), ("public", True, False), ("none", False, False)])
async def test_the_game_master_says_what_may_be_sent(world: World, allowed: str, to_all: bool, to_one: bool) -> None:
    await world.started()
    panel = (await world.olga.click((await world.olga.slash(world.table, "settings")).response, label="This game")).response
    await world.olga.select(panel, [allowed], custom_id="setpress:1")
    await said(world, world.alice, "all", "Peace on earth")
    await said(world, world.alice, "Basalt", "Attack at dawn")
    refused = words(await world.alice.slash(world.table, "talk promise", to="Basalt", words="My help"))
    assert ("**Amber** to all: Peace on earth" in world.told()) == to_all
    assert any("dawn" in letter for letter in world.letters(world.bob)) == to_one
    assert refused.startswith("I've noted your promise to Basalt") == to_one


async def test_a_long_correspondence_has_pages_with_every_word(world: World) -> None:
    await world.started()
    for number in range(8):
        await said(world, world.alice, "Basalt", f"{number}: " + "word " * 100)
    shown = await world.bob.slash(world.table, "talk read")
    pages = [words(shown)]
    while "Older" in labels(shown.response):
        shown = await world.bob.click(shown.response, label="Older")
        pages.append(words(shown))
    assert len(pages) > 1 and all(len(page) <= MESSAGE for page in pages)
    assert "\n".join(pages).count("word") == 800


# --- words of others -------------------------------------------------------------------------------------------------------

HOSTILE = ("@everyone <@&123456789012345678> **loud** [click](https://evil.example) \u202egnirts <:smile:1> ||hidden||\n"
           "# Title\n**Basalt** to all: I yield")


async def test_hostile_words_neither_ping_nor_format_nor_speak_for_others(world: World) -> None:
    await world.started()
    await said(world, world.alice, "all", HOSTILE)
    (body,) = [request.json for request in world.env.http_requests if "to all:" in str(request.json)]
    post = body["content"]
    assert body["allowed_mentions"] == {"parse": []} and "@everyone" not in post and "<@&1234" not in post
    assert post.count("**") == 2 and "\n" not in post and "\u202e" not in post and "||" not in post
    assert r"\[click](" in post or r"\[click\](" in post
    assert body["flags"] & 4, "links show no preview"


@pytest.mark.parametrize("typed, shown", [
    ("a\u202eb\u2066c\u200fd", "abcd"), ("one\n\ttwo\u2028three", "one two three"), ("\U000e0041\ufeffhi\x00", "hi"),
    ("e" + "\u0301" * 40, "e" + "\u0301" * 3), ("naïve café שלום Привет 👩\u200d🚀", "naïve café שלום Привет 👩\u200d🚀"),
    ("<t:1:R> `code` _x_", r"\<t:1:R> \`code\` \_x\_")])
def test_what_is_not_seen_is_left_out_and_what_formats_is_escaped(typed: str, shown: str) -> None:
    assert tame(typed) == shown


@pytest.mark.parametrize("letter", ["*", "<", "_", "@everyone", "[a](b)", "\\", "`", "W", "é"])
async def test_the_longest_message_fits_whatever_it_is_made_of(world: World, letter: str) -> None:
    await world.started()
    message = (letter * WORDS)[:WORDS]
    await said(world, world.alice, "Basalt", message)
    (letter_sent,) = [body for body in (request.json for request in world.env.http_requests)
                      if "to you (Basalt)" in str(body)]
    assert letter_sent["content"].endswith(tame(message)) and len(letter_sent["content"]) <= MESSAGE
    assert words(await world.bob.slash(world.table, "talk read")).endswith(tame(message))


# --- promises ----------------------------------------------------------------------------------------------------------------

async def promises(world: World, person: Any) -> Any:
    """What somebody is shown of the promises made and received."""
    return await person.click((await person.slash(world.table, "talk read")).response, label="Promises")


async def test_a_promise_is_written_down_for_two_and_judged_by_its_receiver(world: World) -> None:
    await world.started(world.alice, world.bob, world.carol)
    reply = words(await world.alice.slash(world.table, "talk promise", to="Basalt", words="Two armies in the next war"))
    assert reply == "I've noted your promise to Basalt for the two of you. It isn't binding (P-32)."
    assert "**Amber** promises you (Basalt), in Pebbles (game 1): Two armies" in world.letters(world.bob)[-1]
    assert "Two armies" not in everything(world, world.alice, world.carol, world.olga)
    own = await promises(world, world.alice)
    assert "you to Basalt, a promise (not judged yet): Two armies" in words(own) and "1 kept" not in labels(own.response)
    shown = await promises(world, world.bob)
    assert labels(shown.response) == ["1 kept", "1 broken"]
    judged = await world.bob.click(shown.response, label="1 broken")
    assert "Amber to you, a promise (broken): Two armies" in words(judged) and labels(judged.response) == ["1 kept"]
    assert "(broken)" in words(await promises(world, world.alice))
    assert "Promises" not in labels((await world.carol.slash(world.table, "talk read")).response)


async def test_only_its_receiver_judges_a_promise(world: World) -> None:
    await world.started(world.alice, world.bob, world.carol)
    await world.alice.slash(world.table, "talk promise", to="Basalt", words="Two armies")
    shown = await promises(world, world.bob)
    assert custom_ids(shown.response)["1 kept"].startswith("judge:1:1:kept")
    for who in (world.alice.id, world.carol.id):
        with pytest.raises(Exception, match="Only the player who was promised something"):
            await world.services.talk.judge(1, who, 1, "kept")
    assert "(not judged yet)" in words(await promises(world, world.bob))


async def test_a_promise_is_made_to_one(world: World) -> None:
    await world.started()
    assert words(await world.alice.slash(world.table, "talk promise", to="all", words="Peace")).startswith(
        "You can promise something to one player only")


async def test_a_promise_binds_nobody(world: World) -> None:
    await world.guessed()
    before = (await world.services.session.table(1)).state.model_dump()
    await world.alice.slash(world.table, "talk promise", to="Basalt", words="I take one pebble")
    assert (await world.services.session.table(1)).state.model_dump() == before
    assert words(await world.alice.slash(world.table, "pebbles take", pebbles=3)).startswith("Amber takes 3 pebbles.")


async def test_many_promises_have_pages(world: World) -> None:
    await world.started()
    for number in range(7):
        await world.alice.slash(world.table, "talk promise", to="Basalt", words=f"Promise {number} " + "x" * 600)
    shown = await promises(world, world.bob)
    assert "Promise 6" in words(shown) and "Promise 4" not in words(shown) and len(words(shown)) <= MESSAGE
    assert words(shown).count("x… (the rest: `/talk read`)") == 2
    older = await world.bob.click(shown.response, label="Older")
    assert "Promise 4" in words(older) and len(labels(older.response)) == 11


# --- commands in threads -------------------------------------------------------------------------------------------------------

async def test_commands_mean_the_game_whose_players_talk_in_a_thread(world: World) -> None:
    await world.guessed()
    await world.max.slash(world.elsewhere, "game open", game="pebbles", seats=2, title="Another")
    await world.alice.slash(world.table, "talk thread")
    talk = thread(world, "Table talk of Pebbles")
    assert words(await world.alice.slash(talk, "pebbles take", pebbles=3)).startswith("Amber takes 3 pebbles.")
    await world.alice.slash(world.table, "talk private", **{"with": "Basalt"})
    private = thread(world, "Private: Amber and Basalt")
    assert "Your guess: 8." in words(await world.bob.slash(private, "my move"))
    assert world.posts(private) == world.posts(private)[:1], "what is secret is shown to one alone"


async def test_commands_in_any_thread_mean_the_game_of_its_channel(world: World) -> None:
    await world.guessed()
    other = world.env.backend.create_thread(world.table.id, "Chat", world.alice.id)
    (chat,) = [found for found in world.table.threads if found.id == other.id]
    assert words(await world.alice.slash(chat, "pebbles take", pebbles=3)).startswith("Amber takes 3 pebbles.")


async def test_a_thread_that_was_put_away_is_opened_to_change_who_reads_there(world: World) -> None:
    await world.started()
    await world.alice.slash(world.table, "talk private", **{"with": "Basalt"})
    private = thread(world, "Private: Amber and Basalt")
    world.env.backend.edit_channel(private.id, {}, thread_metadata={"archived": True})
    await world.olga.slash(world.table, "gm hand", seat="Basalt", member=world.carol)
    assert inside(world, private) == {world.alice.id, world.carol.id}
    assert not world.env.backend.channels[private.id].thread_metadata.archived


async def test_trouble_with_a_thread_holds_up_no_news_and_is_tried_again(world: World) -> None:
    await world.started()
    await world.alice.slash(world.table, "talk private", **{"with": "Basalt"})
    private = thread(world, "Private: Amber and Basalt")
    world.env.inject_error("DELETE", f"/channels/{private.id}/thread-members/{world.bob.id}", status=400, code=50035)
    await world.olga.slash(world.table, "gm hand", seat="Basalt", member=world.carol)
    assert any(f"gives it to {world.carol.mention}." in post for post in world.posts())
    await world.olga.slash(world.table, "gm pause")
    assert inside(world, private) == {world.alice.id, world.carol.id}
