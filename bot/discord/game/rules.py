"""/game rules: every rule of a game by its number, or in people's own words."""
from __future__ import annotations

import asyncio
from collections.abc import Sequence

from discord import app_commands
from discord.app_commands import Choice

from bot.discord.components import Style, button, pressed, view
from bot.discord.context import Interaction
from bot.discord.errors import helping
from bot.discord.find_game import SeveralGames, about_a_game, visit_meant
from bot.discord.languages import as_typed
from bot.discord.lengths import CHOICES, CUSTOM_ID, NAME, clip
from bot.discord.responses import reply
from bot.service import Services
from bot.store import GameRow
from engine import rulebook
from engine.kernel import GameSpec
from engine.options import rulebooks
from engine.refusals import Refusal
from engine.rule_search import keywords
from engine.text import Text, lines, printed, text, verbatim

PAGE = 5                    # rules shown at once
PAGES = 4                   # digits of a page's number, at most


def add_rulebook(group: app_commands.Group, games: Sequence[GameSpec]) -> None:
    @helping
    async def suggest(interaction: Interaction, typed: str) -> list[Choice[str]]:
        game = getattr(interaction.namespace, "game", None)
        try:
            key, books = await meant(interaction, games, game)
        except Refusal:
            if game is not None:
                raise
            key, books = rulebook.PLATFORM, ""
        return await asyncio.to_thread(suggested, key, books, typed)

    @group.command(name="rules", description="Look up a rule by its number, or ask in your own words")
    @about_a_game(wanted="A number such as 9.4.4, or words such as who goes first")
    @app_commands.autocomplete(wanted=suggest)
    async def look_up(interaction: Interaction, wanted: str, game: str | None = None) -> None:
        try:
            key, books = await meant(interaction, games, game)
        except Refusal:
            if game is not None or not rulebook.of_platform(wanted):
                raise
            key, books = rulebook.PLATFORM, ""
        await show_rules(interaction, key, books, wanted)


async def meant(interaction: Interaction, games: Sequence[GameSpec], game: str | None) -> tuple[str, str]:
    """The key of the game whose rules are wanted, the one named or played here, else the only one; and whose rules it goes by."""
    def rules_of(row: GameRow) -> tuple[str, str]:
        spec = interaction.client.services.session.spec(row.key)
        return row.key, rulebook.BOOKS.join(rulebooks(spec, row.edition, row.options))

    try:
        return rules_of((await visit_meant(interaction, game)).game)
    except SeveralGames as several:
        if len({rules_of(row) for row in several.games}) == 1:
            return rules_of(several.games[0])
        raise
    except Refusal:
        if game is not None or len(games) > 1:
            raise
        first = next(edition.key for edition in games[0].editions if edition.available)
        return games[0].key, rulebook.BOOKS.join(rulebooks(games[0], first, {}))


async def show_rules(interaction: Interaction, key: str, books: str, wanted: str, page: int = 0) -> None:
    """A page of the rules that are meant, with a button to the next one. Raises Refusal: nothing fits."""
    found = await asyncio.to_thread(rulebook.find_rules, key, wanted, books)
    if not found:
        await ask_back(interaction, key, books, wanted)
        return
    shown = found[page * PAGE:(page + 1) * PAGE] or found[:PAGE]
    told = [text("**{id}** {title}{only}: {rule}", id=verbatim(rule.id), title=printed(rule.title), rule=printed(rule.text),
                 only=_only(interaction.client.services, key, books, rule)) for rule in shown]
    pages = -(-len(found) // PAGE)
    if pages > 1:
        told.append(text("-# Page {page} of {pages}, best matches first.", page=page + 1, pages=pages))
    asked = short(key, books, wanted)
    await reply(interaction, lines(told), view(
        button(label, on_rules, key, books, to, asked)
        for label, to in ((text("Previous"), page - 1), (text("More"), page + 1)) if 0 <= to < pages))


def _only(services: Services, key: str, books: str, rule: rulebook.Rule) -> Text:
    """Of a game that mixes editions: the only one of them that has this rule; an option decides whether it holds."""
    if rulebook.BOOKS not in books or len(rule.editions) != 1:
        return text("")
    name = next(edition.name for edition in services.session.spec(key).editions
                if (edition.rules or edition.key) == rule.editions[0])
    return text(" ({edition})", edition=text(name))


async def ask_back(interaction: Interaction, key: str, books: str, wanted: str) -> None:
    """Say that nothing fits, and offer known words that look like what was asked."""
    alike = await asyncio.to_thread(rulebook.known_words, key, wanted, books)
    said = text("No rule has this number or these words. Try fewer words, or a number such as 2.1.")
    if alike:
        said = text("{said} Did you mean one of these?", said=said)
    await reply(interaction, said, view(
        button(verbatim(word), on_rules, key, books, 0, word, style=Style.primary) for word in alike))


def short(key: str, books: str, wanted: str) -> str:
    """Return what a button carries of a question: its telling words, as many as there is room for."""
    room = CUSTOM_ID - len(on_rules.custom_id(key, books, 0, "")) + 1 - PAGES
    words = rulebook.number_in(wanted) or keywords(wanted)
    return words if len(words) <= room else words[:room + 1].rpartition(" ")[0] or words[:room]


def suggested(key: str, books: str, typed: str) -> list[Choice[str]]:
    """While somebody types: sections whose title has these words, then the rules that fit best."""
    wanted = as_typed(typed)
    sections: dict[str, Choice[str]] = {}
    for rule in rulebook.rules(key) if key != rulebook.PLATFORM else ():
        number, chapter = rulebook.number_of(rule).rpartition(".")[0], rulebook.chapter_of(key, rule)
        named = text_of(number, rulebook.read(chapter), rulebook.read(rule.title))
        fits = any(wanted in as_typed(one) for one in (named, text_of(number, chapter, rule.title)))
        if fits and set(books.split(rulebook.BOOKS)) & set(rule.editions) and number not in sections:
            sections[number] = Choice(name=clip(named, NAME), value=number)
    for title in dict.fromkeys(rule.title for rule in rulebook.rules(rulebook.PLATFORM)):
        if any(wanted in as_typed(one) for one in (title, rulebook.read(title))):
            sections[title] = Choice(name=rulebook.read(title), value=title)
    best = [Choice(name=clip(f"{rulebook.number_of(rule)} {rulebook.read(rule.text)}", NAME), value=rule.id)
            for rule in rulebook.find_rules(key, typed, books, CHOICES)]
    return [*sections.values(), *best][:CHOICES]


def text_of(number: str, chapter: str, title: str) -> str:
    """A section as a choice shows it: "9.4 Attack: Help"."""
    return f"{number} {chapter}: {title}" if chapter and chapter != title else f"{number} {title}"


@pressed("rules")
async def on_rules(interaction: Interaction, key: str, books: str, page: int, wanted: str) -> None:
    if key != rulebook.PLATFORM:
        interaction.client.services.session.spec(key)
    await show_rules(interaction, key, books, wanted, page)
