"""Players who are away: their questions get their defaults at once, and they come back by themselves or when they act."""
from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.discord.own.away import ending
from bot.domain.waking_hours import Hours
from bot.service import Services
from bot.store import OrderRow, Store
from engine.kernel import Seat
from engine.orders import Order, OrderLine, Reply
from engine.refusals import Refusal
from tests.bot.desk import ANNA, BERT, CARA, MASTER, Clock, crashed, delivered, guessed, kinds, play_on, started
from tests.bot.discord_world import World, labels, leaves, words
from tests.bot.menu_taps import SELECT, controls, used
from tests.often_said import NO_SEAT, WELCOME_BACK
from tests.toy import Give, Guess, Take

ONE, TWO, THREE = Seat("seat_1"), Seat("seat_2"), Seat("seat_3")
NOON = datetime(2026, 4, 1, 12, tzinfo=UTC)


async def told(services: Services) -> list[str]:
    """The public sentences that were to be posted, one letter each."""
    letters = await delivered(services)
    return [letter.payload["text"] if letter.kind == "notice" else " ".join(letter.payload["lines"])
            for letter in letters if letter.kind in ("notice", "log")]


async def taken(services: Services, game: int) -> dict[str, int]:
    return dict((await services.session.table(game)).state.taken)


# --- away ------------------------------------------------------------------------------------------------------------

async def test_who_is_away_gets_the_default_at_once_and_at_every_later_question(services: Services, store: Store) -> None:
    game = await guessed(services)
    await services.seats.away(game, ANNA)
    assert await told(services) == ["<@101> is away. Meanwhile default moves are played for Amber.",
                                "Amber takes 1 pebble."]
    assert [(wait.seat, wait.user) for wait in await services.queries.waiting(game)] == [(TWO, BERT)]
    await services.answers.answer(game, BERT, Take.of(3, "left"))
    assert await taken(services, game) == {"seat_1": 2, "seat_2": 3}
    again = play_on(store)
    await again.answers.answer(game, BERT, Take.of(3, "left"))
    assert await taken(again, game) == {"seat_1": 3, "seat_2": 6}
    assert [row.by for row in await store.read(lambda ledger: ledger.log.rows(game)) if row.seat == ONE] == [
        "player", "clock", "clock", "clock"]


async def test_an_absence_notifies_nobody_and_is_a_line_of_the_audit(services: Services) -> None:
    game = await guessed(services)
    await services.seats.away(game, BERT, NOON + timedelta(days=2))
    letters = await services.outbox.pending()
    assert [letter.payload for letter in letters if letter.kind == "notice"] == [
        {"text": f"<@102> is away until <t:{int((NOON + timedelta(days=2)).timestamp())}:f>. Meanwhile default moves are "
                 "played for Basalt."}]
    assert [kind for kind, _ in kinds(letters) if kind not in ("notice", "status")] == []
    assert (await services.queries.audit(game, page=1))[0][-1] == "<t:1775044800:f> <@102> declared an absence for Basalt."


async def test_an_absence_that_is_declared_twice_by_one_button_is_told_once(services: Services) -> None:
    game = await guessed(services)
    await services.seats.away(game, BERT)
    assert len(await told(services)) == 1
    await services.seats.away(game, BERT)
    assert await told(services) == []
    await services.seats.away(game, BERT, NOON + timedelta(days=2))
    assert len(await told(services)) == 1, "until when is news"


@pytest.mark.parametrize("first", [True, False])
async def test_away_with_an_open_sealed_question(services: Services, first: bool) -> None:
    game = await started(services, (ANNA, BERT, CARA))
    if not first:
        await services.answers.answer(game, ANNA, Guess.of(4))
    await delivered(services)
    await services.seats.away(game, BERT)
    state = (await services.session.table(game)).state
    assert state.phase == "guessing" and state.guess == {}, "a sealed answer stays sealed"
    assert await told(services) == ["<@102> is away. Meanwhile default moves are played for Basalt."]
    assert await services.queries.awaited(game) == [ONE, TWO, THREE]
    for member in (ANNA, CARA) if first else (CARA,):
        await services.answers.answer(game, member, Guess.of(4))
    assert (await services.session.table(game)).state.guess == {"seat_1": 4, "seat_2": 0, "seat_3": 4}


async def test_after_an_undo_who_is_away_is_not_asked_again(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(2, "left"))
    await services.seats.away(game, BERT)
    assert await taken(services, game) == {"seat_1": 2, "seat_2": 1}
    await services.undo.undo(game, MASTER)                       # Bert's default is no decision, so Anna's answer goes with it
    assert await taken(services, game) == {}
    await services.answers.answer(game, ANNA, Take.of(3, "left"))
    assert await taken(services, game) == {"seat_1": 3, "seat_2": 1}
    await services.seats.back(game, BERT)
    await services.undo.undo(game, MASTER)                       # now Bert is there, and is asked for what the clock had answered
    assert [wait.user for wait in await services.queries.waiting(game)] == [BERT]


async def test_an_absence_and_its_answers_are_stored_together(services: Services, store: Store, tmp_path: Path) -> None:
    game = await guessed(services)
    await services.seats.away(game, ANNA)
    copy = Store(crashed(store.path, tmp_path / "killed"))
    left = play_on(copy)
    assert await taken(left, game) == {"seat_1": 1}
    assert [holder.away for holder in await left.queries.holders(game)] == [True, False]
    assert [kind for kind, _ in kinds(await left.outbox.pending()) if kind in ("notice", "log")] == ["notice", "log"]
    copy.close()


# --- back --------------------------------------------------------------------------------------------------------------

async def test_who_is_back_is_asked_again(services: Services) -> None:
    game = await guessed(services)
    await services.seats.away(game, BERT)
    await delivered(services)
    assert await services.seats.back(game, BERT) == TWO
    assert await told(services) == ["<@102> is back and plays Basalt again."]
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert [wait.user for wait in await services.queries.waiting(game)] == [BERT]


@pytest.mark.parametrize("user, why", [(ANNA, "You aren't away."), (CARA, f"{NO_SEAT}.")])
async def test_who_is_not_away_cannot_come_back(services: Services, user: int, why: str) -> None:
    game = await guessed(services)
    with pytest.raises(Refusal) as refusal:
        await services.seats.back(game, user)
    assert str(refusal.value) == why


async def test_an_absence_ends_by_itself_when_its_moment_has_come(services: Services, store: Store, clock: Clock) -> None:
    game = await guessed(services)
    assert await services.timers.following("back") is None
    await services.seats.away(game, BERT, NOON + timedelta(days=2))
    assert await services.timers.following("back") == NOON + timedelta(days=2)
    again = play_on(store, clock=clock)
    clock.put_on(days=1, hours=23)
    await again.timers.look("back")
    assert [holder.away for holder in await again.queries.holders(game)] == [False, True]
    clock.put_on(hours=2)
    await delivered(again)
    await again.timers.look("back")
    await again.timers.look("back")
    assert await told(again) == ["<@102> is back and plays Basalt again."]
    assert await again.timers.following("back") is None
    assert [holder.away for holder in await again.queries.holders(game)] == [False, False]


async def test_the_end_of_an_absence_takes_the_seat_back_from_its_stand_in(services: Services, clock: Clock) -> None:
    game = await guessed(services)
    await services.seats.away(game, BERT, NOON + timedelta(days=2))
    await services.consent.stand_in(game, TWO, CARA, MASTER)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    assert [wait.user
            for wait in await services.queries.waiting(game)] == [CARA], "the stand-in is there, so nobody is answered for"
    clock.put_on(days=3)
    await services.timers.look("back")
    assert [wait.user for wait in await services.queries.waiting(game)] == [BERT]


async def test_a_stand_in_who_leaves_early_leaves_the_seat_to_the_absence(services: Services) -> None:
    game = await guessed(services)
    await services.seats.away(game, BERT)
    await services.consent.stand_in(game, TWO, CARA, MASTER)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.seats.resign(game, CARA)
    assert await taken(services, game) == {"seat_1": 1, "seat_2": 1}


async def test_a_stand_in_cannot_be_away(services: Services) -> None:
    game = await guessed(services)
    await services.consent.stand_in(game, TWO, CARA, MASTER)
    for act in (services.seats.away(game, CARA), services.seats.back(game, CARA)):
        with pytest.raises(Refusal, match=r"You stand in for <@102>. `/game resign` gives the seat back."):
            await act
    with pytest.raises(Refusal, match=r"<@103> stands in for you. `/my back` takes your seat back."):
        await services.seats.away(game, BERT)


async def test_an_absence_is_over_in_time_even_where_the_game_is(services: Services, clock: Clock) -> None:
    game, other = await guessed(services), await guessed(services)
    for number in (game, other):
        await services.seats.away(number, BERT, NOON + timedelta(days=1))
    await services.seats.close(game, MASTER, "")
    clock.put_on(days=2)
    await services.timers.look("back")
    assert await services.timers.following("back") is None
    assert [holder.away for holder in await services.queries.holders(other)] == [False, False]


async def test_a_past_moment_is_no_end_of_an_absence(services: Services) -> None:
    game = await guessed(services)
    with pytest.raises(Refusal, match=r"That time is past. Choose a later one."):
        await services.seats.away(game, ANNA, NOON)
    assert await taken(services, game) == {}


# --- nobody is there ------------------------------------------------------------------------------------------------

async def test_when_everybody_is_away_the_game_pauses_and_goes_on_when_somebody_is_back(services: Services, store: Store) -> None:
    game = await guessed(services)
    await services.seats.away(game, ANNA)
    await delivered(services)
    newest = await services.queries.newest(game)
    await services.seats.away(game, BERT)
    assert (await services.queries.game(game)).status == "paused" and await services.queries.newest(game) == newest
    assert await told(services) == ["<@102> is away. There is nobody left to move, so the game is paused."]
    with pytest.raises(Refusal, match=r"Everybody is away. The game resumes when the first player is back."):
        await services.seats.go_on(game, MASTER)
    again = play_on(store)
    await again.seats.back(game, BERT)
    assert await told(again) == ["<@102> is back and plays Basalt again. The game goes on."]
    assert [wait.user for wait in await again.queries.waiting(game)] == [BERT]
    assert (await again.queries.game(game)).status == "running"


async def test_a_pause_by_the_game_master_outlives_a_return(services: Services) -> None:
    game = await guessed(services)
    await services.seats.away(game, BERT)
    await services.seats.pause(game, MASTER)
    await services.seats.back(game, BERT)
    assert (await services.queries.game(game)).status == "paused"
    await services.seats.go_on(game, MASTER)
    assert [wait.user for wait in await services.queries.waiting(game)] == [ANNA]


async def test_who_gives_up_the_last_seat_that_is_not_away_pauses_the_game(services: Services) -> None:
    game = await guessed(services)
    await services.seats.away(game, BERT)
    newest = await services.queries.newest(game)
    await services.seats.resign(game, ANNA)
    assert (await services.queries.game(game)).status == "paused" and await services.queries.newest(game) == newest
    await services.seats.back(game, BERT)
    assert await taken(services, game) == {"seat_1": 1}, "the free seat got its default once Bert was back"


# --- acting ends it -------------------------------------------------------------------------------------------------

async def test_who_acts_is_back(services: Services) -> None:
    game = await guessed(services)
    assert not await services.seats.acts_again(game, ANNA)
    await services.seats.away(game, ANNA)
    assert await services.seats.acts_again(game, ANNA)
    assert not await services.seats.acts_again(game, ANNA)
    await services.answers.answer(game, ANNA, Give.of("seat_2", 1))
    assert [holder.away for holder in await services.queries.holders(game)] == [False, False]


# --- until when -----------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("said, meant", [
    ("3", NOON + timedelta(days=3)), ("3 days", NOON + timedelta(days=3)), ("1 Day", NOON + timedelta(days=1)),
    ("2 weeks", NOON + timedelta(days=14)), ("2w", NOON + timedelta(days=14)), ("tomorrow", NOON + timedelta(days=1)),
    ("2026-04-05", datetime(2026, 4, 5, tzinfo=UTC)), ("", None), ("  ", None)])
def test_until_when_as_people_say_it(said: str, meant: datetime | None) -> None:
    assert ending(said, NOON, Hours()) == meant


def test_a_day_begins_where_the_player_lives() -> None:
    assert ending("2026-04-05", NOON, Hours(zone="Europe/Berlin")) == datetime(2026, 4, 4, 22, tzinfo=UTC)


@pytest.mark.parametrize("said, why", [
    ("0", "An absence lasts 1 to 90 days. Leave it blank to be away until you come back."),
    ("2026-04-01", "An absence lasts 1 to 90 days. Leave it blank to be away until you come back."),
    ("400", "An absence lasts 1 to 90 days. Leave it blank to be away until you come back."),
    ("Easter", "I can't read \"Easter\" as a date. Say for how many days, such as 3, or until which day, such as 2026-04-04."),
    ("2026-02-30", "I can't read \"2026-02-30\" as a date. Say for how many days, such as 3, or until which day, such as "
                   "2026-04-04.")])
def test_a_day_that_cannot_be(said: str, why: str) -> None:
    with pytest.raises(Refusal) as refusal:
        ending(said, NOON, Hours())
    assert str(refusal.value) == why


# --- on Discord -----------------------------------------------------------------------------------------------------

async def test_away_and_back_on_discord(world: World) -> None:
    await world.guessed()
    said = words(await leaves(world.bob, world.table, until="3"))
    assert said.startswith("You're away from Pebbles until <t:")
    assert f"Basalt: {world.bob.mention} (away until <t:" in words(await world.alice.slash(world.table, "game status"))
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    assert (await world.services.session.table(1)).state.taken == {"seat_1": 1, "seat_2": 1}
    await world.restart()
    shown = await world.bob.slash(world.table, "my move")
    assert "You're away: default moves are played for you." in words(shown)
    assert words(await world.bob.click(shown.response, label="I'm back")).startswith("Welcome back. You play Basalt again.")
    assert words(await world.bob.slash(world.table, "my back")) == "You aren't away."
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    assert [wait.user for wait in await world.services.queries.waiting(1)] == [world.bob.id]


async def test_whose_move_it_is_hears_that_it_would_be_played_at_once(world: World) -> None:
    await world.guessed()
    asked = await world.alice.slash(world.table, "my away", until="3")
    assert words(asked).startswith("**Away** from Pebbles until <t:")
    assert words(asked).endswith("It's your move in Pebbles: it would be played at once.")
    before = await world.newest()
    await world.alice.click(asked.response, label="Cancel")
    assert await world.newest() == before and not any(holder.away for holder in await world.services.queries.holders(1))
    everywhere = await world.alice.slash(world.table, "my away", everywhere=True)
    gone = await world.alice.click(everywhere.response, label="Confirm")
    assert words(gone).startswith("You're away from Pebbles until you come back") and await world.newest() > before


async def test_the_next_two_weeks_are_offered(world: World) -> None:
    await world.guessed()
    offered = await world.bob.autocomplete(world.table, "my away", "until", "")
    assert [choice["value"] for choice in offered] == [str(number) for number in range(1, 15)]
    assert offered[0]["name"].startswith("1 day: until ") and offered[1]["name"].startswith("2 days: until ")


async def test_a_command_or_an_old_button_ends_an_absence(world: World) -> None:
    await world.guessed()
    menu = await world.alice.slash(world.table, "my move")
    await leaves(world.alice, world.table)
    await world.bob.slash(world.table, "pebbles take", pebbles=1)
    said = words(await world.alice.click(menu.response, label=labels(menu.response)[0]))
    assert said.startswith(WELCOME_BACK)
    assert f"{world.alice.mention} is back and plays Amber again." in world.told()
    await leaves(world.bob, world.table)
    said = words(await world.bob.slash(world.table, "pebbles throw"))
    assert said.startswith(WELCOME_BACK)
    await leaves(world.bob, world.table)
    said = words(await world.bob.slash(world.table, "my undo"))
    assert said.startswith(WELCOME_BACK), "an undo is an act like a move"
    assert not any(holder.away for holder in await world.services.queries.holders(1))


async def test_looking_does_not_end_an_absence(world: World) -> None:
    await world.guessed()
    await leaves(world.alice, world.table)
    for command in ("my move", "my move", "game status", "game map", "my since"):
        await world.alice.slash(world.table, command)
    assert (await world.services.queries.holders(1))[0].away


async def test_away_and_back_in_all_games_at_once(world: World) -> None:
    await world.guessed()
    await world.olga.slash(world.elsewhere, "game open", game="pebbles", seats=2, title="Second")
    for player in (world.bob, world.carol):
        await player.slash(world.elsewhere, "game join")
    await world.olga.slash(world.elsewhere, "game start")
    said = words(await leaves(world.bob, world.table, until="2 days", everywhere=True))
    assert said.startswith("You're away from Pebbles and Second until")
    assert [holder.away for game in (1, 2) for holder in await world.services.queries.holders(game)] == [False, True, True, False]
    assert words(await world.bob.slash(world.table, "my back", everywhere=True)) == "Welcome back to Pebbles and Second."
    assert not any([holder.away for game in (1, 2) for holder in await world.services.queries.holders(game)])
    said = words(await world.bob.slash(world.table, "my back", everywhere=True))
    assert said == "You aren't in any game that this would affect."


async def test_the_panel_says_for_which_games_until_when_and_what_plays_meanwhile(world: World) -> None:
    await world.guessed()
    await world.olga.slash(world.elsewhere, "game open", game="pebbles", seats=2, title="Second")
    for player in (world.alice, world.carol):
        await player.slash(world.elsewhere, "game join")
    await world.olga.slash(world.elsewhere, "game start")
    panel = (await world.alice.slash(world.table, "my away")).response
    assert panel.content.startswith("**Away** from Pebbles until you come back.")
    for wanted in ("All your games", "3 days", "Nothing: the game waits"):
        panel = await picked(world.alice, panel, wanted)
    assert panel.content.startswith("**Away** from Pebbles and Second until <t:") and "would be played" not in panel.content
    await world.alice.click(panel, label="Confirm")
    assert not any(holder.away for holder in await world.services.queries.holders(1))
    assert [len(await world.services.clocks.vacations(game, world.alice.id)) for game in (1, 2)] == [1, 1]
    panel = await picked(world.alice, (await world.alice.slash(world.table, "my away")).response, "Nothing: the game waits")
    assert words(await world.alice.click(panel, label="Confirm")).startswith("A game waits for you only until")


async def picked(person: Any, panel: Any, wanted: str) -> Any:
    """The panel after a choice in one of its lists."""
    way = next(one for one in controls(panel) if one.kind == SELECT and one.label.startswith(wanted))
    return (await used(person, panel, way)).response


async def test_whoever_is_away_can_do_without_the_automatic_player_of_the_game(services: Services, store: Store) -> None:
    game = await guessed(services)
    await store.write(lambda ledger: ledger.seats.set_successor(game, "solid"))
    await services.seats.away(game, ANNA, automatic=False)
    assert [holder.level for holder in await services.queries.holders(game)] == ["", ""]


async def test_everybody_away_on_discord(world: World) -> None:
    await world.guessed()
    await leaves(world.alice, world.table)
    await leaves(world.bob, world.table)
    assert "Paused: there is nobody left to move." in words(await world.carol.slash(world.table, "game status"))
    said = words(await world.alice.slash(world.table, "my back"))
    assert said.startswith("Welcome back.")
    assert (await world.services.queries.game(1)).status == "running"


# --- standing orders go before defaults ----------------------------------------------------------------------------

async def test_who_is_away_answers_by_order_before_the_default_counts(services: Services, store: Store) -> None:
    game = await guessed(services)
    (question,) = (await services.session.table(game)).asks
    line = OrderLine(then=Reply(verb="take", fields={"pebbles": 3, "hand": "right"}))
    order = Order(id=1, seat=TWO, points=(question.point,), lines=(line,), times=1)
    row = OrderRow(order=order, user=BERT, paused=False, place=1)
    await store.write(lambda ledger: ledger.orders.add_order(game, row, "2026-04-01T12:00:00+00:00"))
    again = play_on(store)
    await again.seats.away(game, BERT)
    await again.answers.answer(game, ANNA, Take.of(1, "left"))
    await again.answers.answer(game, ANNA, Take.of(1, "left"))
    assert await taken(again, game) == {"seat_1": 2, "seat_2": 4}, "three by order, then one by default"
    rows = await store.read(lambda ledger: ledger.log.rows(game, since=2))
    assert [row.by for row in rows if row.seat == TWO] == ["order", "clock"]
