"""Learning: lessons that go by buttons, tips in a first game, and a page that says where things are."""
from __future__ import annotations

from collections.abc import Sequence

import discord
from discord import app_commands

from bot.core.incidents import unheard
from bot.core.visit import Visit
from bot.discord.admission import asker
from bot.discord.components import Persistent, Style, button, pressed, view
from bot.discord.context import Interaction
from bot.discord.game.action_menu import Screen
from bot.discord.game.buttons import MY_GAMES
from bot.discord.lengths import MESSAGE, capital, shortened
from bot.discord.lobby.buttons import OPEN_EDITION
from bot.discord.mentions import CommandMentions
from bot.discord.pictures import fenced
from bot.discord.responses import reply
from bot.domain.announcements import choice_id, public_lines, reader_of
from bot.service.odds import odds
from engine import notation
from engine.kernel import GameSpec, Seat, Table
from engine.kernel.game_spec import pictures
from engine.kernel.lesson import Choice, Lesson
from engine.lessons import LessonProgress, leading
from engine.refusals import Refusal
from engine.text import Text, count, lines, printed, say, text, verbatim

NEWS = 6                    # sentences of what has happened that a step repeats, the last ones
TIP = 300                   # characters that a tip may have
SKIP = "skip"
UNCHOSEN = 0                # number of players of a game that is to be opened


def add_learning(group: app_commands.Group, games: Sequence[GameSpec]) -> None:
    @group.command(name="teach", description="Learn a game in a few minutes: a short practice game, step by step")
    async def teach(interaction: Interaction) -> None:
        await offer(interaction, games)

    @group.command(name="help", description="Where to tap, and the few commands you need")
    async def page(interaction: Interaction) -> None:
        shown = help_page(games)
        await reply(interaction, shown.words, shown.view)


# --- lessons ------------------------------------------------------------------------------------------

async def offer(interaction: Interaction, games: Sequence[GameSpec]) -> None:
    """The one lesson that there is, where the caller stopped; or a choice of lessons. Raises Refusal: there is none."""
    known = await interaction.client.services.lessons.lessons(interaction.user.id, games)
    if not known:
        raise Refusal("There is no lesson yet for this bot's games. `/game rules` finds every rule.")
    if len(known) == 1:
        spec, lesson, _ = known[0]
        await resume(interaction, spec, lesson)
        return
    told = [text("**What do you want to learn?**"), *(
        text("**{game}** · {lesson} · {stand}", game=printed(spec.name), lesson=lesson.title, stand=_standing(lesson, number))
        for spec, lesson, number in known)]
    await reply(interaction, lines(told), view(
        button(printed(spec.name) if len(spec.words.lessons) == 1 else text("{game}: {lesson}", game=printed(spec.name),
                                                                      lesson=lesson.title),
               on_learn, spec.key, lesson.key, style=Style.primary) for spec, lesson, _ in known))


def _standing(lesson: Lesson, number: int) -> Text:
    """How far somebody has come in a lesson, whose steps are counted from 0."""
    if not number:
        return count(len(lesson.steps), "{n} step", "{n} steps")
    if number == len(lesson.steps) - 1:
        return text("finished")
    return text("you're at step {n} of {of}", n=number + 1, of=len(lesson.steps))


async def resume(interaction: Interaction, spec: GameSpec, lesson: Lesson) -> None:
    here = await interaction.client.services.lessons.lesson(interaction.user.id, spec, lesson)
    if not here.number:
        await show_step(interaction, here)
    elif here.last:
        await show_step(interaction, here, above=text("You finished this lesson."))
    else:
        await show_step(interaction, here, above=text("Welcome back! Let's pick up where you left off."), again=True)


async def show_step(interaction: Interaction, here: LessonProgress, *, above: Text | None = None, again: bool = False) -> None:
    """One step for the caller alone: what happened, what it means, a picture where it helps, and what can be pressed."""
    with unheard():
        words = say(lines(await step_text(here, above)), reader_of(here.table))
    files: list[discord.File] = []
    picture = next((picture for picture in pictures(here.table.spec) if picture.key == here.step.picture), None)
    if picture is not None:
        theme = await interaction.client.services.settings.theme(interaction.guild_id, interaction.user.id)
        key = here.table.spec.key, here.lesson.key, here.noted
        drawn = await interaction.client.gallery.picture_of(here.story(), picture, theme, key=key, by=asker(interaction))
        if drawn is not None:
            files = drawn.files()
        if drawn is not None and not drawn.image:
            room = MESSAGE - len(words) - len(fenced("")) - 1
            board = shortened(drawn.words.strip("`").strip(), room, text("too long for this message"))
            words = f"{words}\n{fenced(board)}"
    await reply(interaction, words, view(_ways_on(here, again or here.last)), files)


async def step_text(here: LessonProgress, above: Text | None) -> list[Text]:
    table, learner, step = here.table, here.lesson.learner, here.step
    out = [text("**{lesson}** · step {n} of {of}", lesson=here.lesson.title, n=here.number + 1, of=len(here.lesson.steps))]
    if not step.brief:
        happened = [line for entry in here.news() for line in public_lines(entry.events)]
        out += [text("-# {line}", line=line) for line in happened[-NEWS:]]
    if above is not None:
        out.append(text("**{above}**", above=above))
    out.append(text("{say} ({rule})", say=here.say(), rule=verbatim(step.rule)) if step.rule else here.say())
    private = table.spec.views.private(table.state, learner) if step.private else None
    if private is not None:
        out.append(text("-# Only you see this: {private}", private=private))
    outlooks = await odds(table, learner, [choice.answer for choice in step.choices])
    return [*out, *(line for choice, outlook in zip(step.choices, outlooks) for line in _weighed(here, choice, outlook))]


def _weighed(here: LessonProgress, choice: Choice, outlook: Text | None) -> list[Text]:
    """Return what a choice costs and meets, and how it may turn out; as in a game, before it is made."""
    state, learner, label = here.table.state, here.lesson.learner, choice.answer.label()
    cost, meets = choice.answer.cost(state, learner), choice.answer.meets(state, learner) if outlook is None else None
    note = text("{cost} · {meets}", cost=cost, meets=meets) if cost is not None and meets is not None else cost or meets
    out = [text("-# {choice} · {note}", choice=label, note=note)] if note is not None else []
    if outlook is not None:
        out.append(text("-# {choice}: {outlook}", choice=label, outlook=outlook))
    return out


def _ways_on(here: LessonProgress, again: bool) -> list[Persistent]:
    """The choices of a step, and the ways past it and out."""
    facts = here.table.spec.key, here.lesson.key
    reader = reader_of(here.table)
    items = [button(capital(say(choice.answer.label(), reader)), on_teach, *facts, here.number, choice_id(choice.answer),
                    style=Style.primary) for choice in here.step.choices]
    if not here.last:
        if items:
            items.append(button(text("Skip this step"), on_teach, *facts, here.number, SKIP))
        else:
            items.append(button(text("Go on"), on_teach, *facts, here.number, SKIP, style=Style.primary))
        items.append(button(text("Stop here"), on_stop, *facts))
    else:
        items.append(button(text("Open a game"), OPEN_EDITION, here.table.spec.key, UNCHOSEN, here.lesson.edition,
                            style=Style.primary))
    if again:
        items.append(button(text("Start over"), on_again, *facts))
    return items


def _lesson(interaction: Interaction, game: str, key: str) -> tuple[GameSpec, Lesson]:
    """The lesson that a button names. Raises Refusal."""
    spec = interaction.client.services.session.spec(game)
    for lesson in spec.words.lessons:
        if lesson.key == key:
            return spec, lesson
    raise Refusal("This lesson no longer exists. `/game teach` shows what there is.")


@pressed("learn")
async def on_learn(interaction: Interaction, game: str, lesson: str) -> None:
    await resume(interaction, *_lesson(interaction, game, lesson))


@pressed("teach")
async def on_teach(interaction: Interaction, game: str, lesson: str, step: int, what: str) -> None:
    """A choice of a step: it leads on, or it is explained why it is not the one to make."""
    spec, known = _lesson(interaction, game, lesson)
    services, user = interaction.client.services, interaction.user.id
    here = await services.lessons.lesson(user, spec, known)
    chosen = next((choice for choice in here.step.choices if choice_id(choice.answer) == what), None)
    if here.number != step or (chosen is None and what != SKIP):
        await show_step(interaction, here, above=text("That was an earlier step. Here is the current one."))
        return
    if chosen is not None and chosen.why is not None:
        await show_step(interaction, here, above=chosen.why)
        return
    answer = leading(here.step)[0] if chosen is None else notation.write(chosen.answer)
    await show_step(interaction, await services.lessons.learn(user, spec, known, here.number, answer))


@pressed("unteach")
async def on_stop(interaction: Interaction, game: str, lesson: str) -> None:
    spec, known = _lesson(interaction, game, lesson)
    here = await interaction.client.services.lessons.lesson(interaction.user.id, spec, known)
    await reply(interaction, text("Stopped at step {n} of {of}. `/game teach` picks up there whenever you like.",
                                  n=here.number + 1, of=len(known.steps)),
                view([button(text("Go on"), on_learn, game, lesson, style=Style.primary)]))


@pressed("reteach")
async def on_again(interaction: Interaction, game: str, lesson: str) -> None:
    spec, known = _lesson(interaction, game, lesson)
    await show_step(interaction, await interaction.client.services.lessons.begin_anew(interaction.user.id, spec, known))


# --- tips -----------------------------------------------------------------------------------------------

async def advised(interaction: Interaction, visit: Visit, table: Table, seat: Seat, shown: Screen) -> Screen:
    """The screen of a question, with a tip below it for who has not finished a game yet; each only once."""
    question, had = table.asked(seat), visit.facts.tips
    if question is None or had is None or question.point in had or len(shown.words) > MESSAGE - TIP:
        return shown
    advice = table.spec.words.tips.get(question.point)
    if advice is None or not await interaction.client.services.lessons.tip(visit.user, visit.game.key, question.point):
        return shown
    told = say(text("-# Tip: {advice}", advice=advice), reader_of(table))
    return Screen(f"{shown.words}\n{told}", shown.view)


@pressed("untip")
async def on_no_tips(interaction: Interaction) -> None:
    """A button of earlier versions."""
    await interaction.client.services.lessons.no_tips(interaction.user.id)
    await reply(interaction, text("No more tips, then. `/game help` and `/game rules` are there whenever you want them."))


# --- help -----------------------------------------------------------------------------------------------

def help_page(games: Sequence[GameSpec]) -> Screen:
    """Where to tap, and the few commands that one needs."""
    own = button(text("My games"), MY_GAMES, 1, style=Style.success)
    learning = [button(text("Learn {game}", game=printed(spec.name)), on_learn, spec.key, lesson.key, style=Style.primary)
                for spec in games for lesson in spec.words.lessons[:1]]
    page = [
        text("**How to play here.** When it's your move, press **Your move** below the message. Only you see what opens, and you "
             "never have to type."),
        text("`/my games`: all your games, those waiting for you first"),
        text("`/my move`: your move as buttons, wherever you are"),
        text("`/game status`: where a game stands, and who is to move"),
        text("`/game map`: the board, with your secrets"),
        text("`/game rules`: look up any rule, by number or in your own words"),
        text("`/game join` and `/game open`: join a game, or start one"),
    ]
    if learning:
        page.append(text("New here? `/game teach` is a short practice game, step by step."))
    return Screen(say(lines(page)), view([own, *learning]))


async def answer_letter(message: discord.Message, games: Sequence[GameSpec], mentions: CommandMentions) -> None:
    """Answer somebody who writes to the bot directly with that page: whatever it says, games are played by buttons."""
    if message.guild is not None or message.author.bot:
        return
    shown = help_page(games)
    await message.channel.send(mentions.clickable(shown.words), view=shown.view or discord.utils.MISSING)
