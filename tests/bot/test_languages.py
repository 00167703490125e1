"""Who reads what in which language: members their own, everybody that of the game, whoever pressed."""
from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from gettext import NullTranslations
from types import SimpleNamespace
from typing import Any

import pytest
from discord import SelectOption
from simcord import interactions

from bot.discord.components import select
from bot.discord.dates import whole_day
from bot.discord.game.legal_moves import reason
from bot.discord.language_choice import CHOSEN
from bot.domain.letters import Farewell
from engine.catalog import find
from engine.refusals import Illegal
from engine.text import Reader, say, text
from engine.text.hebrew import LRM, PDF, RLE, RLM
from engine.text.language import Language
from engine.text.languages import LANGUAGES, PREPARED, speaking
from tests.bot.discord_world import World, labels, words
from tests.bot.test_settings import HOUR, choose, slow, wait  # noqa: F401

GERMAN: Mapping[str, str] = {
    "{seat:Begin} takes {pebbles}.": "{seat:Begin} nimmt {pebbles}.",
    "{n} pebble": "{n} Kiesel", "{n} pebbles": "{n} Kiesel",
    "Take {pebbles}, {hand}": "{pebbles} nehmen, {hand}",
    "The heap has {heap} pebbles; you can take at most {most}.": "Da sind {heap} Kiesel; du kannst höchstens {most} nehmen.",
    "Your guess: {n}.": "Dein Tipp: {n}.",
    "Your move:\n{duties}": "Du bist am Zug:\n{duties}",
    "Your move: {title}": "Dein Zug: {title}",
    "{member}, it's your move:\n{duties}": "{member}, du bist am Zug:\n{duties}",
    "Game master {master} has paused the game.": "Spielleitung {master} hat pausiert.",
    "no time limit": "ohne Zeitlimit",
    "Your language: {language}.": "Deine Sprache: {language}.",
}


class Catalog(NullTranslations):
    """A dictionary in the place of a catalog."""

    def __init__(self, words: Mapping[str, str]) -> None:
        super().__init__()
        self.words = words

    def gettext(self, message: str) -> str:
        return self.words.get(message, message)

    def ngettext(self, one: str, many: str, n: int) -> str:
        return self.gettext(one if n == 1 else many)


def spoken(code: str, words: Mapping[str, str]) -> Language:
    """A language into which only these words are translated."""
    return replace(PREPARED[code], catalog=Catalog(words))


@pytest.fixture(autouse=True)
def german(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LANGUAGES, "de", spoken("de", GERMAN))


async def reads(world: World, who: Any, language: str) -> str:
    """Somebody chooses a language in the settings; what is said of it."""
    panel = (await who.slash(world.table, "settings")).response
    return words(await choose(who, (await who.click(panel, label="Language")).response, "setlanguage", language))


async def written_in(world: World, language: str) -> None:
    """The host chooses the language of an open game's messages."""
    panel = (await world.olga.click(world.table.last_message, label="Options")).response
    await choose(world.olga, panel, "setlanguage", language)


def abroad(monkeypatch: pytest.MonkeyPatch, who: Any, locale: str) -> None:
    """Somebody's Discord is in another language from now on."""
    payload = interactions.base_payload

    def sent(*given: Any, **named: Any) -> Any:
        record, said = payload(*given, **named)
        return record, said | ({"locale": locale} if named["user_id"] == who.id else {})

    monkeypatch.setattr(interactions, "base_payload", sent)


async def test_each_member_reads_the_own_language_and_everybody_that_of_the_game(world: World) -> None:
    assert await reads(world, world.alice, "de") == "Deine Sprache: Deutsch."
    await world.guessed()
    assert "Dein Tipp: 3." in "".join(world.letters(world.alice))
    assert "Your guess: 8." in "".join(world.letters(world.bob))
    said = words(await world.alice.slash(world.table, "pebbles take", pebbles=2))
    assert "Amber nimmt 2 Kiesel." in said
    assert "Amber takes 2 pebbles." in world.told(), "the table reads the game's language, whoever has pressed"


async def test_a_game_in_german_is_told_in_german_though_an_english_speaker_moves(world: World) -> None:
    await world.opened(2)
    await written_in(world, "de")
    for player in (world.alice, world.bob):
        await player.slash(world.table, "game join")
    await world.olga.slash(world.table, "game start")
    await world.alice.slash(world.table, "pebbles guess", pebbles=3)
    await world.bob.slash(world.table, "pebbles guess", pebbles=8)
    said = words(await world.alice.slash(world.table, "pebbles take", pebbles=2))
    assert "Amber takes 2 pebbles." in said
    assert "Amber nimmt 2 Kiesel." in world.told()
    assert "Your guess: 3." in "".join(world.letters(world.alice))
    await world.olga.slash(world.table, "gm pause")
    assert f"Spielleitung <@{world.olga.id}> hat pausiert." in world.told()


async def test_old_messages_keep_their_language_when_they_go_on(world: World) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    panel = (await world.olga.slash(world.table, "settings")).response
    page = (await world.olga.click(panel, label="This game")).response
    await choose(world.olga, (await world.olga.click(page, label="Language")).response, "setlanguage", "de")
    await world.bob.slash(world.table, "pebbles take", pebbles=1)
    await world.olga.slash(world.table, "gm rollback", row=2)
    await world.services.undo.rollback(1, 2, world.olga.id)
    await world.env.settle()
    assert {"~~Amber takes 2 pebbles.~~", "~~Basalt nimmt 1 Kiesel.~~"} <= {*world.told()}


async def test_a_reminder_comes_in_its_readers_language_also_after_a_restart(world: World) -> None:
    await reads(world, world.alice, "de")
    await world.guessed()
    await world.olga.slash(world.table, "gm clock", limit="24h")
    await world.restart()
    await wait(world, 12.1)
    letter = next(m for m in world.alice.user.dm_channel.history() if m.content.startswith("Du bist am Zug:"))
    assert "Dein Zug: Pebbles" in labels(letter)


async def test_a_reminder_in_the_channel_comes_in_the_games_language(world: World) -> None:
    await reads(world, world.alice, "de")
    await world.guessed()
    panel = (await world.alice.slash(world.table, "settings")).response
    await world.alice.click(panel, label="Reminders by DM: on")
    await world.olga.slash(world.table, "gm clock", limit="24h")
    await wait(world, 12.1)
    call = next(m for m in world.table.history() if f"<@{world.alice.id}>, it's your move:" in m.content)
    assert "Your move: Pebbles" in labels(call)


async def test_discords_own_language_counts_until_another_is_chosen(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LANGUAGES, "he", PREPARED["he"])
    abroad(monkeypatch, world.alice, "de")
    await world.guessed()
    assert "Dein Tipp: 3." in "".join(world.letters(world.alice)), "remembered, since nobody had pressed when it was sent"
    assert "Amber nimmt 2 Kiesel." in words(await world.alice.slash(world.table, "pebbles take", pebbles=2))
    await reads(world, world.alice, "en")
    abroad(monkeypatch, world.bob, "he")
    assert "Basalt takes 1 pebble." in words(await world.bob.slash(world.table, "pebbles take", pebbles=1))
    assert (await world.store.read(lambda ledger: ledger.settings.languages())).members == {
        world.olga.id: (None, "en"), world.alice.id: ("en", "de"), world.bob.id: (None, "he")}


async def test_whoever_reads_a_language_that_is_offered_no_more_reads_that_of_the_server(
        world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await reads(world, world.alice, "de")
    monkeypatch.delitem(LANGUAGES, "de")
    await world.guessed()
    assert "Amber takes 2 pebbles." in words(await world.alice.slash(world.table, "pebbles take", pebbles=2))


async def test_a_letter_to_whoever_reads_a_language_that_is_offered_no_more_is_in_that_of_its_game(
        world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await reads(world, world.alice, "ru")
    await world.guessed()
    await world.services.settings.set_game_language(1, world.olga.id, "de")
    monkeypatch.delitem(LANGUAGES, "ru")
    note = Farewell(audience="seat_1", user=world.alice.id, sentence=text("no time limit"))
    await world.store.write(lambda ledger: ledger.outbox.add_letters(1, 1, [note], "2026-09-03T12:00:00+00:00"))
    stored = await world.store.read(lambda ledger: ledger.conn.execute("SELECT payload FROM outbox ORDER BY id DESC").fetchone())
    assert "ohne Zeitlimit" in stored[0]


async def test_nothing_is_noted_of_a_members_discord_as_long_as_there_is_one_language(
        world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for code in {*LANGUAGES} - {"en"}:
        monkeypatch.delitem(LANGUAGES, code)
    await world.guessed()
    assert (await world.store.read(lambda ledger: ledger.settings.languages())).members == {}


async def test_refusals_and_suggestions_come_in_the_language_of_whoever_types(world: World) -> None:
    await reads(world, world.alice, "de")
    await world.guessed()
    refused = words(await world.alice.slash(world.table, "pebbles take", pebbles=9))
    assert refused.startswith("Da sind 12 Kiesel; du kannst höchstens 3 nehmen.")
    assert "No time limit" in [one["name"] for one in await world.olga.autocomplete(world.table, "gm clock", "limit", "")]
    await reads(world, world.olga, "de")
    assert "Ohne Zeitlimit" in [one["name"] for one in await world.olga.autocomplete(world.table, "gm clock", "limit", "")]


@pytest.mark.parametrize("code, days, whole", [
    ("en", "1, 2 and 3", "Thursday, 03 September 2026"), ("de", "1, 2 und 3", "Donnerstag, 3. September 2026"),
    ("ru", "1, 2 и 3", "четверг, 3 сентября 2026\u202fг."), ("he", f"{RLE}{RLM}1, 2 ו-3{PDF}", "יום חמישי, 3 בספטמבר 2026")])
def test_lists_and_days_are_written_as_in_the_language(code: str, days: str, whole: str) -> None:
    with speaking(PREPARED[code]):
        assert say((1, 2, 3)) == days and whole_day(date(2026, 9, 3)) == whole


async def test_new_games_are_written_in_the_language_of_their_server(world: World) -> None:
    page = await world.server_page(world.max, "Language")
    assert words(await choose(world.max, page.response, "setlanguage", "de")) == "Language of this server: Deutsch."
    await world.guessed()
    await world.restart()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    assert "Amber nimmt 2 Kiesel." in world.told()
    record = await world.services.records.export(1)
    assert "Amber takes 2 pebbles." in record, "a record is in English"


MARK = "é"                              # stands for each first e of a message that is translated


class Marked(NullTranslations):
    """A language that can be told from English by each sentence that has an e, and says the same."""

    def gettext(self, message: str) -> str:
        """The e of the message itself, outside facts and commands."""
        return "".join(part if number % 2 else part.replace("e", MARK) for number, part in enumerate(FACT.split(message)))

    def ngettext(self, one: str, many: str, n: int) -> str:
        return self.gettext(one if n == 1 else many)


FACT = re.compile(r"(\{[^}]*\}|`[^`]*`|<[^>]*>)")


async def test_nothing_that_others_read_shows_the_language_of_whoever_acts(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody reads another language than the table; what only one reads is in it, and what others read never is."""
    monkeypatch.setitem(LANGUAGES, "de", replace(PREPARED["de"], catalog=Marked()))
    for member in (world.olga, world.alice, world.bob, world.max):
        abroad(monkeypatch, member, "de")
    await world.services.noticeboards.hang_noticeboard(world.guild.id, world.elsewhere.id, world.max.id)
    world.bot.outbox.boards.retry(world.guild.id)
    await world.guessed()
    told = list[tuple[str, str]]()
    for who, command, given in (
            (world.alice, "pebbles take", {"pebbles": 2}), (world.alice, "talk say", {"to": "all", "message": "Hm."}),
            (world.alice, "game map", {"share": True}), (world.bob, "my undo", {}), (world.bob, "clock vote", {"what": "pause"}),
            (world.alice, "talk thread", {}), (world.alice, "my away", {"until": "3"}), (world.alice, "my back", {}),
            (world.olga, "gm clock", {"limit": "24h"}), (world.olga, "gm extend", {"seat": "seat_2", "hours": 5}),
            (world.olga, "gm rollback", {"row": 1}), (world.olga, "gm pause", {}), (world.olga, "gm resume", {}),
            (world.olga, "gm answer", {"seat": "seat_2"}), (world.bob, "game resign", {}), (world.olga, "gm close", {})):
        told.append((command, words(await who.slash(world.table, command, **given))))
    assert [command for command, said in told if MARK not in said] == []
    posts = [post for channel in world.env.backend.channels.values() if channel.guild_id is not None
             for post in world.posts(SimpleNamespace(id=channel.id))]
    assert len(posts) > 8 and [post for post in posts if MARK in post] == []
    assert any(MARK in letter for letter in world.letters(world.alice))


@pytest.mark.parametrize("code", ["de", "ru", "he"])
async def test_a_private_message_is_found_again_in_any_language(world: World, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """The secrets of who has left are taken out of it, also where the file doesn't know it any more."""
    monkeypatch.setitem(LANGUAGES, "de", PREPARED["de"])
    await reads(world, world.alice, code)
    await world.guessed()
    before = len(world.letters(world.alice))
    await world.store.write(lambda ledger: ledger.conn.execute("DELETE FROM messages WHERE key = 'private:seat_1'"))
    await world.restart()
    await world.services.settings.set_language(world.alice.id, "en")
    assert await world.bot.outbox.open_private(1, "seat_1")
    assert len(world.letters(world.alice)) == before
    assert [letter.partition("\n")[0] for letter in world.letters(world.alice)] == ["**Pebbles** (game 1): Amber (private)"]


@pytest.mark.parametrize(("code", "title"), [("de", "Bieten"), ("ru", "Торги"), ("he", "הצעות")])
def test_a_rule_is_named_by_its_title_in_the_language_that_is_read(code: str, title: str) -> None:
    spec = find("struggle_of_empires")
    said = reason(spec, Illegal("Not now.", rule="SOE-5.2.1"), Reader(language=PREPARED[code]))
    assert title in said


def test_labels_in_brackets_are_marked_in_hebrew_also_where_they_are_put_together() -> None:
    with speaking(PREPARED["he"]):
        item: Any = select([SelectOption(label="לתקוף (2)", description="רווח (+1)", value="1")], CHOSEN, "me", None).item
        (option,) = item.options
        assert (option.label, option.description) == (f"{RLE}לתקוף (2){PDF}", f"{RLE}רווח ({LRM}+1){PDF}")
