"""/table ranking: who plays best on a server, as far as the finished games tell, as a picture or in words."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from discord import SelectOption

from bot.discord.admission import asker
from bot.discord.components import button, in_rows, pressed, select, view
from bot.discord.context import Interaction
from bot.discord.find_game import server_of
from bot.discord.lengths import NAME, clip
from bot.discord.pictures import ALT_TEXT
from bot.discord.responses import reply
from bot.discord.results import routes
from bot.discord.sanitize import tame, writes
from bot.domain.announcements import member
from bot.domain.pages import paged
from bot.domain.results import Tally, listed, members
from bot.service.ratings import Rating
from engine.outside import plain
from engine.text import Text, lines, printed, say, text, verbatim

PAGE = 10               # members of a page
HOW = text("-# Beating strong players raises your rating most, and your first games always raise it. A game is rated if "
           "every seat kept its player from first move to last.")


async def show_ranking(interaction: Interaction, key: str = routes.ALL, shown: routes.Shown = "picture", page: int = 1) -> None:
    guild, services = server_of(interaction), interaction.client.services
    results = listed(await services.results.results(guild))
    known = routes.titles(interaction, results)
    key = key if key in known else routes.ALL
    of = [result for result in results if key in (routes.ALL, result.key)]
    ranked, totals = await services.results.ranked(of), members([result for result in of if result.complete])
    rows, pages = paged([(place, one) for place, one in enumerate(ranked, 1)], page, PAGE)
    page = min(max(page, 1), max(pages, 1))
    names = await services.results.names(guild, [one.user for _, one in rows])
    heading = _heading(interaction, key, page, pages)
    games = [SelectOption(label=say(text("All games")), value=routes.ALL, default=key == routes.ALL),
             *(SelectOption(label=clip(name, NAME), value=one, default=key == one) for one, name in known.items())]
    ways = [button(label, routes.RANKING, key, shown, to)
            for label, to in ((text("Previous"), page - 1), (text("Next"), page + 1)) if 1 <= to <= pages]
    other = [button(text("In words"), routes.RANKING, key, "words", page) if shown == "picture" else
             button(text("As a picture"), routes.RANKING, key, "picture", page)] if rows else []
    buttons = [*ways, *other, button(text("Tables"), routes.FIGURES, routes.EVERYBODY, "title", 1),
               button(text("My results"), routes.FIGURES, interaction.user.id, "title", 1)]
    items = view(in_rows([[select(games, on_ranking_of, hint=text("Which game?"))] if len(known) > 1 else [], buttons]))
    if not rows:
        await reply(interaction, lines([heading, routes.NOTHING, HOW]), items)
    elif shown == "words":
        await reply(interaction, lines([heading, *(_line(place, one, totals[one.user]) for place, one in rows), HOW]), items)
    else:
        drawn = await interaction.client.gallery.sheet(
            "ranking", _scene(interaction, heading, ranked, rows, totals, names),
            say(lines([heading, *(_ranking_line(place, one, totals[one.user], names.get(one.user))
                                  for place, one in rows)]))[:ALT_TEXT],
            await services.settings.theme(guild, interaction.user.id), by=asker(interaction))
        await reply(interaction, lines([*([verbatim(drawn.text())] if drawn.text() else [heading]), HOW]), items,
                    files=drawn.files())


def _heading(interaction: Interaction, key: str, page: int, pages: int) -> Text:
    what = text("all games") if key == routes.ALL else printed(routes.title_of_game(interaction, key))
    if pages > 1:
        return text("**Ranking**, {what}, page {page} of {pages}", what=what, page=page, pages=pages)
    return text("**Ranking**, {what}", what=what)


def _line(place: int, one: Rating, tally: Tally) -> Text:
    return text("`{place}` **{points}** {member} · {won}", place=place, points=float(one.points),
                member=member(one.user), won=routes.won(tally))


def _ranking_line(place: int, one: Rating, tally: Tally, name: str | None) -> Text:
    """Return this line for whoever can't see the picture, where nobody can be mentioned."""
    return text("{place}. {member}: {points}, {won}", place=place, points=float(one.points),
                member=_called(place, tame(name) if name and writes(name) else None), won=routes.won(tally))


def _called(place: int, name: str | None) -> Text:
    """What stands for a member in a picture and in its words: the name, or without one that can be drawn, the place."""
    return verbatim(name) if name else text("Member {place}", place=place)


def _scene(interaction: Interaction, heading: Text, ranked: Sequence[Rating], rows: Sequence[tuple[int, Rating]],
           totals: Mapping[int, Tally], names: Mapping[int, str]) -> object:
    from renderer import Ranked, Ranking  # Pillow waits until a picture is wanted

    def name(place: int, one: Rating) -> str:
        known = names.get(one.user)
        return say(_called(place, plain(known) if known and writes(known) else None))

    best = rows[0][1]
    first = text("{member} is first with {points}", member=verbatim(name(*rows[0])), points=float(best.points))
    below = text("Places {first} to {last} of {all}", first=rows[0][0], last=rows[-1][0], all=len(ranked))
    server = plain(interaction.guild.name) if interaction.guild is not None else ""
    return Ranking(
        title=" · ".join(filter(None, (server, say(heading).replace("**", "")))),
        heading=say(first if rows[0][0] == 1 else below),
        low=min(one.points for one in ranked), high=max(2 * one.likely - one.points for one in ranked),
        rows=tuple([Ranked(place=place, name=name(place, one), points=one.points, likely=one.likely, games=one.games,
                           wins=say(totals[one.user].wins), fair=say(totals[one.user].fair),
                           reader=one.user == interaction.user.id) for place, one in rows]))


def place_of(ranked: Sequence[Rating], user: int) -> tuple[Rating, int, int] | None:
    return next(((one, place, len(ranked)) for place, one in enumerate(ranked, 1) if one.user == user), None)


@pressed(routes.RANKING)
async def on_ranking(interaction: Interaction, key: str, shown: routes.Shown, page: int) -> None:
    await show_ranking(interaction, key, shown, page)


@pressed("rankingof")
async def on_ranking_of(interaction: Interaction, key: str) -> None:
    await show_ranking(interaction, key)
