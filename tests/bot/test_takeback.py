"""Taking back one's own last answer: allowed until anybody could have learnt something by it, told to all, kept as a row."""
from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from bot.core.own_undo import own_target, why_not_alone
from bot.service import Services
from bot.store import Store
from engine import catalog, record
from engine.components import components
from engine.dice import SecretDice
from engine.kernel import Row, Seat, Stirred, Table
from engine.refusals import Refusal, Stale
from engine.selfplay import beginning, random_answer
from engine.text import Reader, say
from engine.undo import REWIND
from tests.bot.desk import ANNA, BERT, CARA, MASTER, crashed, delivered, guessed, kinds, play_on, started
from tests.bot.discord_world import World, custom_ids, labels, words
from tests.bot.visiting import undoable
from tests.engine.test_learnt import TALES, Boast, Peek, Show, Telling
from tests.often_said import NO_SEAT, PAUSED
from tests.toy import PEBBLES, Give, Guess, Take, Throw

ONE, TWO = Seat("seat_1"), Seat("seat_2")
NAMES = Reader({"seat_1": "Amber", "seat_2": "Basalt"})
MORE = " You can ask the others to agree. The game master can undo it, too."


async def refused(services: Services, game: int, user: int, sentence: str) -> None:
    before = await services.queries.newest(game)
    with pytest.raises(Refusal) as why:
        await services.undo.take_back(game, user)
    assert str(why.value) == sentence
    assert await services.queries.newest(game) == before


GAMES, LONG = 4, 1_000          # random games, and rows of each


@pytest.mark.parametrize(("key", "edition"), [(spec.key, edition.key) for spec in catalog.GAMES for edition in spec.editions])
def test_what_was_drawn_or_confided_to_anybody_else_is_never_undone_alone(key: str, edition: str) -> None:
    spec, pick = catalog.find(key), Random(f"{key} {edition}")
    parts, seen, free = components(spec, edition).parts, Counter[bool](), 0
    for _ in range(GAMES):
        start = beginning(spec, pick.choice(spec.seats), edition, parts)
        table, log = Table(spec, parts, start, dice=SecretDice(pick.randbytes(32).hex()), checkpoints=False), list[Row]()
        while not table.over and len(table.fresh) < LONG:
            before, seat, alone = len(table.fresh), pick.choice(table.waiting()).seat, len(table.asks) == 1
            answer = random_answer(table.options(seat), pick.randrange)
            table.answer(seat, answer)
            rows = table.fresh[before:]
            log += [entry.row() for entry in rows]
            if not alone or len(table.asks) > 1:
                continue                                    # sealed: nothing is undone at all
            events = [event for entry in rows for event in entry.events]
            told = any(reached != seat for entry in rows for reached, _ in entry.private)
            rolled = any(entry.by == "dice" and entry.answer.verb != Stirred.verb for entry in rows)
            try:
                own_target(spec, log, seat)
                undone = why_not_alone(table, seat, events) is None
            except Refusal:
                undone = False
            drawn = {type(event).__name__ for event in events if type(event).__name__.endswith("Drawn")} - {"CarryOverDrawn"}
            learnt = told or rolled or drawn                # what is carried over was drawn a turn before
            seen[bool(learnt)] += 1
            free += undone
            assert not (learnt and undone), (answer, events)
    assert min(seen.values()) > 20 and free > 20


# --- while nobody has learnt anything ---------------------------------------------------------------------

async def test_an_answer_is_taken_back_and_asked_again(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(3, "left"))
    await delivered(services)
    taken = await services.undo.take_back(game, ANNA)
    assert (taken.to, taken.rows, [say(line, NAMES) for line in taken.lines]) == (2, [3], ["Amber takes 3 pebbles."])
    assert (await services.session.table(game)).state.heap == 12
    letters = await delivered(services)
    assert letters[0].payload == {"text": "Amber undoes its last move: Amber takes 3 pebbles."}
    (question,) = [letter for letter in letters if letter.kind == "question"]
    assert (question.audience, question.payload["asked_at"]) == (ONE, 4)


async def test_it_is_a_row_of_the_player_which_the_game_master_can_undo_too(services: Services, store: Store) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(3, "left"))
    await services.undo.take_back(game, ANNA)
    rows = await store.read(lambda ledger: ledger.log.rows(game))
    assert [(row.seat, row.by, row.verb) for row in rows[2:]] == [(ONE, "player", "take"), (ONE, "player", REWIND)]
    history, _ = await services.queries.history(game, page=1, size=20)
    assert [(no, mark, say(line, NAMES)) for no, mark, line in history[-2:]] == [
        (3, "undone", "Amber takes 3 pebbles."), (4, "", "Amber undid the last move, back to step 2.")]
    await services.undo.redo(game, MASTER)
    assert (await services.session.table(game)).state.heap == 9


async def test_the_picture_is_shown_anew_if_one_showed_what_was_taken_back(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(3, "left"))                      # a turn ends with a picture
    await delivered(services)
    await services.undo.take_back(game, ANNA)
    assert ("picture", "public") in kinds(await delivered(services))


async def test_it_outlives_a_crash_and_a_restart(services: Services, store: Store, tmp_path: Path) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(3, "left"))
    await services.undo.take_back(game, ANNA)
    other = Store(crashed(tmp_path / "chancery.db", tmp_path / "copy"))
    try:
        again = play_on(other)
        assert (await again.session.table(game)).state.heap == 12
        assert [wait.seat for wait in await again.queries.waiting(game)] == [ONE]
        await again.answers.answer(game, ANNA, Take.of(2, "left"))
        await again.undo.take_back(game, ANNA)
        assert (await again.session.table(game)).state.heap == 12
    finally:
        other.close()


async def test_one_may_take_back_again_after_a_restart(services: Services, store: Store) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(3, "left"))
    fresh = play_on(store)
    assert await undoable(fresh, game, ONE) == 3 and await undoable(fresh, game, TWO) is None
    await fresh.undo.take_back(game, ANNA, newest=3)
    assert (await fresh.session.table(game)).state.heap == 12


# --- once somebody may have learnt something --------------------------------------------------------------

async def test_dice_stay(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Throw())
    await refused(services, game, ANNA,
                  "Dice have been rolled or something was drawn since, so you can't undo this alone." + MORE)
    assert await undoable(services, game, ONE) is None


async def test_what_others_have_answered_stays(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.answers.answer(game, BERT, Take.of(1, "left"))
    await refused(services, game, ANNA, "Somebody else has moved since, so you can't undo this alone." + MORE)
    await services.undo.take_back(game, BERT)
    await services.undo.take_back(game, ANNA)                # Bert's answer is no more, so Anna's is the last again
    assert (await services.session.table(game)).state.heap == 12


@pytest.mark.parametrize("how", ["clock", "moderator"])
async def test_who_else_has_answered_and_how_makes_no_difference(services: Services, how: str) -> None:
    game = await guessed(services)
    if how == "clock":
        await services.seats.resign(game, BERT)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    if how == "moderator":
        await services.answers.answer_for(game, TWO, None, MASTER)
    await refused(services, game, ANNA, "Somebody else has moved since, so you can't undo this alone." + MORE)


async def test_what_another_answered_in_my_name_stays(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer_for(game, ONE, None, MASTER)
    await refused(services, game, ANNA, "You didn't make your last move yourself, so you can't undo it alone." + MORE)


async def test_a_gift_stays(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(3, "left"))
    await services.answers.answer(game, ANNA, Give.of(TWO, 1))
    await refused(services, game, ANNA, "Your last action took effect at once, so you can't undo it alone." + MORE)


@pytest.mark.parametrize("answer, tells", [(Show(), True), (Peek(), True), (Boast(), False)])
async def test_an_answer_that_gave_a_secret_away_stays(store: Store, answer: Telling, tells: bool) -> None:
    services = play_on(store, spec=TALES)
    game = await guessed(services, (ANNA, BERT, CARA))
    await services.answers.answer(game, ANNA, answer)
    if tells:
        await refused(services, game, ANNA, "Your last move gave away a secret, so you can't undo it alone." + MORE)
    else:
        await services.undo.take_back(game, ANNA)
        assert [wait.seat for wait in await services.queries.waiting(game)] == [ONE]


async def test_who_has_no_seat_takes_back_nothing(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await refused(services, game, CARA, f"{NO_SEAT}.")


def test_who_has_answered_nothing_has_nothing_to_take_back() -> None:
    forced = Row(1, ONE, "rule", "take", "{}")
    with pytest.raises(Refusal, match="You haven't made a move yet"):
        own_target(PEBBLES, [forced], ONE)
    with pytest.raises(Refusal, match="You haven't made a move yet"):
        own_target(PEBBLES, [forced, Row(2, ONE, "player", "take", "{}")], TWO)
    assert own_target(PEBBLES, [Row(1, ONE, "player", "take", "{}"), Row(2, TWO, "rule", "take", "{}")], ONE) == 0


async def test_nobody_changes_the_same_answer_for_ever(services: Services) -> None:
    game = await guessed(services)
    for _ in range(3):
        await services.answers.answer(game, ANNA, Take.of(1, "left"))
        assert await undoable(services, game, ONE) is not None
        await services.undo.take_back(game, ANNA)
    await services.answers.answer(game, ANNA, Take.of(2, "left"))
    await refused(services, game, ANNA, "You've already undone this move 3 times, so now it stays." + MORE)
    assert await undoable(services, game, ONE) is None
    await services.answers.answer(game, BERT, Take.of(1, "left"))
    await services.undo.take_back(game, BERT)                # another seat's, and another question, begin anew
    await services.answers.answer(game, BERT, Take.of(1, "left"))
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.undo.take_back(game, ANNA)


async def test_a_paused_game_stays_as_it_is(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.seats.pause(game, MASTER)
    await refused(services, game, ANNA, PAUSED)
    assert await undoable(services, game, ONE) is None


# --- sealed answers ---------------------------------------------------------------------------------------

SEALED = ("Several players move at once, and who has moved is secret. Nothing can be undone until all have. "
          "The game master can undo it.")


@pytest.mark.parametrize("answered", [(), (ANNA,), (BERT,), (ANNA, BERT)])
async def test_while_answers_are_sealed_nobody_learns_by_this_who_has_answered(services: Services,
                                                                               answered: tuple[int, ...]) -> None:
    game = await started(services, (ANNA, BERT, CARA))
    for member in answered:
        await services.answers.answer(game, member, Guess.of(4))
    for member in (ANNA, BERT, CARA):
        await refused(services, game, member, SEALED)
    assert [await undoable(services, game, Seat(f"seat_{n}")) for n in (1, 2, 3)] == [None, None, None]


async def test_a_sealed_answer_that_was_opened_stays(services: Services) -> None:
    game = await started(services)
    await services.answers.answer(game, BERT, Guess.of(4))
    await services.answers.answer(game, ANNA, Guess.of(5))      # the last one opens them all
    await refused(services, game, ANNA, "Your move was sealed together with others', so you can't undo it alone." + MORE)


# --- on Discord -------------------------------------------------------------------------------------------

async def test_a_button_below_the_own_answer_takes_it_back(world: World) -> None:
    await world.guessed()
    done = await world.alice.slash(world.table, "pebbles take", pebbles=2)
    back = await world.alice.click(done.response, label="Undo")
    assert words(back) == ("Your last move is undone.\n> Amber takes 2 pebbles.\n-# Turn 1\n"
                           "**Amber**: The heap has 12. What do you do?")
    assert "Undo" not in labels(back.response)
    assert "Amber undoes its last move: Amber takes 2 pebbles." in world.told()


async def test_a_command_takes_it_back(world: World) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=2)
    assert words(await world.alice.slash(world.table, "my undo")).startswith("Your last move is undone.")
    assert words(await world.bob.slash(world.table, "my undo")).startswith("Your move was sealed")
    assert words(await world.carol.slash(world.table, "my undo")).startswith(NO_SEAT)


async def test_the_menu_offers_it_again_after_a_restart_and_an_old_button_works(world: World) -> None:
    await world.guessed()
    done = await world.alice.slash(world.table, "pebbles take", pebbles=2)
    await world.restart()
    assert "Undo" in labels((await world.alice.slash(world.table, "my move")).response)
    assert "Undo" not in labels((await world.bob.slash(world.table, "my move")).response)
    back = await world.alice.click(done.response, label="Undo")
    assert words(back).startswith("Your last move is undone.")


async def test_a_button_from_before_takes_back_nothing_else(world: World) -> None:
    await world.guessed()
    done = await world.alice.slash(world.table, "pebbles take", pebbles=2)
    id = custom_ids(done.response)["Undo"]
    await world.alice.slash(world.table, "my undo")
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    before = await world.newest()
    said = words(await world.alice.click(done.response, custom_id=id))
    assert said.startswith("Something has happened since this was offered, so nothing was undone.")
    assert await world.newest() == before
    with pytest.raises(Stale):
        await world.services.undo.take_back(1, world.alice.id, newest=3)


async def test_two_presses_take_back_once(world: World) -> None:
    await world.guessed()
    done = await world.alice.slash(world.table, "pebbles take", pebbles=2)
    async with world.together():
        first = await world.alice.click(done.response, label="Undo")
        second = await world.alice.click(done.response, label="Undo")
    assert first.acknowledged and second.acknowledged
    table = await world.services.session.table(1)
    assert (table.last_no, table.state.heap) == (4, 12)


async def test_the_record_of_a_game_replays_with_what_was_taken_back(services: Services) -> None:
    game = await guessed(services)
    await services.answers.answer(game, ANNA, Take.of(1, "left"))
    await services.undo.take_back(game, ANNA)
    for turn in range(4):
        await services.answers.answer(game, (ANNA, BERT)[turn % 2], Take.of(3, "left"))
    table = record.replay(record.read(await services.records.export(game)), PEBBLES)
    assert table.over and table.state.taken == {ONE: 6, TWO: 6}
