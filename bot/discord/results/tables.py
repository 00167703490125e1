"""/table results: what members, titles, editions, sides and seats have come to on a server."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bot.discord.components import Style, button, in_rows, pressed, view
from bot.discord.context import Interaction
from bot.discord.find_game import server_of
from bot.discord.responses import reply
from bot.discord.results import routes
from bot.discord.results.ranking import place_of
from bot.domain.announcements import member
from bot.domain.pages import paged
from bot.domain.results import GameResult, Meeting, SeatResult, Tally, listed, meetings, tally
from bot.service.ratings import Rating
from engine.refusals import Faulty
from engine.text import Text, count, lines, say, text, verbatim

PAGE = 15               # lines of a page
WORDS: Mapping[routes.By, Text] = {"title": text("By game"), "edition": text("By edition"), "side": text("By side"),
                                   "seat": text("By seat"), "met": text("Against whom")}
HOW = text("-# A game counts if at least two people played their seats from the first move to the last. *Fair* is what you'd "
           "have won if every seat won equally often.")
Names = Mapping[int, Mapping[str, str | Text]]         # of each game that has a result: ids of sides to their names


async def show_tables(interaction: Interaction, user: int = routes.EVERYBODY, by: routes.By = "title", page: int = 1) -> None:
    """What everybody's games on this server have come to, or one member's, in groups."""
    guild, services, own = server_of(interaction), interaction.client.services, user == interaction.user.id
    results = await services.results.results(guild)
    counted = listed(results, user or None)
    if user == routes.EVERYBODY and by == "met":
        by = "title"
    told = await _lines(interaction, counted, user, by)
    shown, pages = paged(told, page, PAGE)
    page = min(max(page, 1), max(pages, 1))
    head = [text("**Results of this server**")] if user == routes.EVERYBODY else _of_member(
        await services.results.ranked(results), counted, user)
    more = [text("-# Page {page} of {pages}", page=page, pages=pages)] if pages > 1 else []
    out = own and await services.results.unlisted(user)
    if out:
        head, shown = [text("You're left out of every table and ranking, here and elsewhere. Nobody is told.")], []
    ways = [button(words, routes.FIGURES, user, one, 1, style=Style.primary if one == by else Style.secondary)
            for one, words in WORDS.items() if user != routes.EVERYBODY or one != "met"] if counted else []
    turns = [button(label, routes.FIGURES, user, by, to) for label, to in ((text("Previous"), page - 1), (text("Next"), page + 1))
             if 1 <= to <= pages]
    listing = [button(text("Show me again"), routes.LISTED, 1) if out else
               button(text("Leave me out"), routes.LISTED, 0)] if own else []
    mine = [] if own else [button(text("My results"), routes.FIGURES, interaction.user.id, "title", 1)]
    body = [text("**{what}**", what=WORDS[by]), *shown, *more] if shown else [] if out else [routes.NOTHING]
    await reply(interaction, lines([*head, *body, HOW]), view(in_rows([ways, [*turns, routes.to_ranking(), *mine, *listing]])))


def _of_member(ranked: Sequence[Rating], counted: Sequence[GameResult], user: int) -> list[Text]:
    """Return what is told of a member above the tables: nothing but the name, if no game counts."""
    if not counted:
        return [text("**Results** of {member}", member=member(user))]
    (total,) = tally(counted, lambda *_: "", user=user).values()
    found = place_of(ranked, user)
    rated = [] if found is None else [text(
        "Rating {points}, place {place} of {all}, from {games}", points=float(found[0].points), place=found[1],
        all=found[2], games=count(found[0].games, "{n} game", "{n} games"))]
    return [text("**Results** of {member}", member=member(user)),
            text("{won}. A typical move takes {pace}, not counting time asleep or away.", won=routes.won(total),
                 pace=routes.pace(total.pace)),
            *rated]


async def _lines(interaction: Interaction, counted: Sequence[GameResult], user: int, by: routes.By) -> list[Text]:
    """A line for each group, those with the most games first."""
    if by == "met":
        return [_meeting(one) for one in meetings(counted, user)]
    names = await interaction.client.services.results.side_names(counted) if by == "side" else {}
    group_of = _group(interaction, by, names)
    grouped = tally(counted, group_of, user=user or None)
    if user == routes.EVERYBODY and by in ("title", "edition"):
        return [_games(_called(group), [one for one in counted if group_of(one, one.seats[0]) == group], total)
                for group, total in grouped.items()]
    return [text("- {group} · {won}", group=_called(group), won=routes.won(one)) for group, one in sorted(
        grouped.items(), key=lambda item: (item[0][0], -item[1].games, -item[1].wins))]


def _group(interaction: Interaction, by: routes.By, names: Names) -> Callable[[GameResult, SeatResult], tuple[str, ...]]:
    def edition(result: GameResult) -> str:
        try:
            known = interaction.client.services.session.spec(result.key).editions
        except Faulty:
            return result.edition
        return next((one.name for one in known if one.key == result.edition), result.edition)

    def group(result: GameResult, seat: SeatResult) -> tuple[str, ...]:
        title = routes.title_of_game(interaction, result.key)
        match by:
            case "edition":
                return title, edition(result)
            case "side":
                return title, say(names.get(result.game, {}).get(seat.side, seat.side))
            case "seat":
                return title, seat.seat.rpartition("_")[2], str(len(result.seats))
        return (title,)

    return group


def _called(group: Sequence[str]) -> Text:
    title, *more = map(verbatim, group)
    if not more:
        return title
    if len(more) == 1:
        return text("{title}, {what}", title=title, what=more[0])
    return text("{title}, seat {seat} of {seats}", title=title, seat=more[0], seats=more[1])


def _games(group: Text, games: Sequence[GameResult], total: Tally) -> Text:
    people = {seat.user for result in games for seat in result.seats} - {None}
    return text("- {group} · {games}, {people}, half of the moves within {pace}", group=group,
                games=count(len(games), "{n} game", "{n} games"), people=count(len(people), "{n} player", "{n} players"),
                pace=routes.pace(total.pace))


def _meeting(one: Meeting) -> Text:
    return text("- {member} · {games}, {ahead} ahead, {behind} behind", member=member(one.user),
                games=count(one.games, "{n} game", "{n} games"), ahead=one.ahead, behind=one.behind)


@pressed(routes.FIGURES)
async def on_tables(interaction: Interaction, user: int, by: routes.By, page: int) -> None:
    await show_tables(interaction, user, by, page)


@pressed(routes.LISTED)
async def on_listed(interaction: Interaction, wanted: int) -> None:
    services, user = interaction.client.services, interaction.user.id
    await (services.results.list_again(user) if wanted else services.results.unlist(user))
    await show_tables(interaction, user)
