"""Section 21.2: how long a game of Attack! waits, on the bot's clocks; who does not come is away, until he comes."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import pytest

from bot.discord.game.clock import suggested
from bot.domain.deadlines import Answered, Clock, allowance, missed_stretches, read
from bot.store import OutboxRow, Store
from engine.games.attack import GAME
from engine.games.attack.orders.decision_points import ORDERING
from engine.games.attack.rules.crossings import Permit
from engine.games.attack.rules.line_up_policies import Policy
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.naval import Fight
from engine.games.attack.rules.naval_lines import Formation
from engine.games.attack.rules.turns import Begin, Confirm, End
from engine.games.attack.state import State
from engine.games.struggle_of_empires.orders import ORDERING as EMPIRES
from engine.kernel import Action, Seat
from engine.orders import Order, OrderLine, Reply
from engine.text import say
from tests.bot.desk import ANNA, BERT, CARA, GUILD, MASTER, Clock as Watch, branched, crashed, delivered, play_on
from tests.bot.visiting import shows_up
from tests.games.attack.scene import Scene, scene

RED, BLUE, GREEN = Seat("seat_1"), Seat("seat_2"), Seat("seat_3")
NOON = datetime(2026, 4, 1, 12, tzinfo=UTC)             # when a desk's clock begins
HOUR = timedelta(hours=1)
DAY = 24 * HOUR
BORDER = {"poland": ("red", "4I 2T"), "mexico": ("red", "1I"), "ukraine": ("blue", "4I 3T"), "france": ("blue", "1I")}
COASTS = {"cuba": ("red", "4I"), "southern_us": ("red", "1I"), "mexico": ("blue", "2I")}
POOL = "12I 6T 4A 2P"


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "chancery.db")
    yield store
    store.close()


@pytest.fixture(autouse=True)
def awake_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot counts as running although the tests look in only now and then."""
    monkeypatch.setattr("bot.store.presence.OFF", timedelta(days=400))


class Desk:
    """A game that stands as a scene has it: Anna plays Red, Bert Blue, Cara the third; one clock for all of them."""

    def __init__(self, store: Store, watch: Watch, made: Scene) -> None:
        spec = GAME.changed(setup=lambda seats, options, parts: State.model_validate_json(made.start.state))
        self.services, self.watch, self.members = play_on(store, spec=spec, clock=watch), watch, (ANNA, BERT, CARA)
        self.seats = len(made.state.powers)

    async def begin(self, clock: str = "24h") -> Desk:
        """Everybody sits down, and the game begins with this clock."""
        row = await self.services.lobby.open(key="attack", edition="message", seats=self.seats, options={}, pack=None,
                                             title="Friday",
                                   guild=GUILD, channel=7, owner=MASTER, clock=read(clock))
        self.game = row.id
        for member in self.members[:self.seats]:
            await self.services.lobby.join(self.game, member)
        await self.services.lobby.start(self.game, MASTER)
        await delivered(self.services)
        return self

    async def say(self, member: int, *answers: Action) -> None:
        """Answer, once or several times; the letters that follow arrive."""
        for answer in answers:
            await self.services.answers.answer(self.game, member, answer)
        await delivered(self.services)

    async def asked(self) -> list[tuple[Seat, str]]:
        return [(question.seat, question.point) for question in (await self.services.session.table(self.game)).waiting()]

    async def left(self, seat: Seat = RED) -> timedelta | None:
        """How much time a seat has left for the question that it is asked; None: it is asked nothing, or by no clock."""
        due = {deadline.seat: deadline.due_at for deadline in await self.services.clocks.deadlines(self.game)}.get(seat)
        return None if due is None else due - self.watch.moment

    async def pass_time(self, hours: float) -> list[OutboxRow]:
        """Put the clock on, and do what is due then; everything that is sent meanwhile."""
        self.watch.put_on(hours=hours)
        for _ in range(3):
            await self.services.timers.look("time_up")
        return await delivered(self.services)

    async def away(self) -> list[Seat]:
        return [holder.seat for holder in await self.services.queries.holders(self.game) if holder.away]


@pytest.fixture
async def border(store: Store, watch: Watch) -> Desk:
    """Red's first turn, next to Blue."""
    return await Desk(store, watch, scene(land=BORDER)).begin()


def notices(letters: Sequence[OutboxRow]) -> list[str]:
    return [letter.payload["text"] for letter in letters if letter.kind in ("notice", "lapse")]


def ask(seat: Seat, *points: str) -> Order:
    """An order to be asked."""
    return Order(seat=seat, points=points, lines=(OrderLine(then=None),))


MOVE_IN = (Begin(action="movement"), Move(unit="infantry", origin="poland", to="ukraine", number=3),
           Move(unit="tank", origin="poland", to="ukraine", number=2), Confirm())
NAVAL = Begin(action="naval_battle")


# --- what a clock means ---------------------------------------------------------------------------------------

def test_ATK_21_2_1_every_decision_point_has_its_share_of_the_clock():
    shares = {point.no: (point.pace.share, point.pace.shared) for point in ORDERING.points}
    turn, outside, live = (Fraction(1), True), (Fraction(1, 3), False), (Fraction(1, 12), False)
    assert {no for no, share in shares.items() if share == turn} == {"D-04", "D-05", "D-07", "D-08", "D-19", "D-22", "D-23"}
    assert {no for no, share in shares.items() if share == live} == {"D-09", "D-10", "D-11", "D-13"}
    assert {no for no, share in shares.items() if share == outside} == {
        "D-01", "D-02", "D-03", "D-06", "D-12", "D-14", "D-15", "D-16", "D-20", "D-21", "D-24"}
    for no in ("D-15", "D-16"):                         # of whose turn it is they take the turn's time
        assert ORDERING.pace(no, own=True).shared and not ORDERING.pace(no, own=False).shared


@pytest.mark.parametrize("written, words", [
    ("24h", "24 hours for each turn, 8 for each move during setup or out of turn, 2 in a live battle"),
    ("36h", "36 hours for each turn, 12 for each move during setup or out of turn, 3 in a live battle"),
    ("1h", "1 hour for each turn, 1 for each move during setup or out of turn, 1 in a live battle"),
    ("bank 72h+24h/war", "72 hours in each player's time bank, plus 24 hours with each turn"), ("none", "no time limit")])
def test_ATK_21_2_1_a_clock_says_what_it_means_for_this_game(written: str, words: str) -> None:
    assert say(read(written).text(ORDERING)) == words


def test_no_clock_of_the_first_game_has_changed() -> None:
    assert say(read("24h").text(EMPIRES)) == say(read("24h").text()) == "24 hours for each move"
    assert read("bank 72h+24h/war").suited(EMPIRES) == read("bank 72h+24h/war")
    assert all(pace.share == 1 and not pace.shared for pace in EMPIRES.paces()) and not EMPIRES.gone_after


def test_what_is_offered_suits_the_game() -> None:
    offered, elsewhere = ({choice.value for choice in suggested("", ordering)} for ordering in (ORDERING, EMPIRES))
    assert {"24h", "bank 72h+24h/turn"} <= offered and not any("war" in written for written in offered)
    assert {"24h", "bank 72h+24h/war"} <= elsewhere and not any("turn" in written for written in elsewhere)
    (typed,) = suggested("30h", ORDERING)
    assert typed.name == "30 hours for each turn, 10 for each move during setup or out of turn, 2 in a live battle"


def answers(*took: tuple[float, str], missed: bool = False) -> list[Answered]:
    """Answers that took so many hours, each of a turn ("": of none)."""
    return [Answered(no=no, seat=RED, user=ANNA, seconds=round(hours * 3600), missed=missed, stretch=span, span=span)
            for no, (hours, span) in enumerate(took, 1)]


def test_ATK_21_2_1_answers_of_one_turn_share_its_time_and_leave_an_hour() -> None:
    turn = ORDERING.pace("D-04", own=True)

    def left(*took: tuple[float, str]) -> timedelta | None:
        return allowance(read("24h"), answers(*took), "2", turn, "2")

    assert left() == left((5, "1"), (7, "")) == DAY
    assert left((5, "2"), (3, "2"), (7, "")) == 16 * HOUR
    assert left((5, "2"), (18.5, "2")) == HOUR
    assert allowance(Clock(), answers((5, "2")), "2", turn, "2") is None


def test_ATK_21_2_3_turns_are_missed_in_a_row_without_an_answer_of_ones_own() -> None:
    def own(span: str) -> list[Answered]:
        return answers((1, span))

    def late(*spans: str) -> list[Answered]:
        return answers(*((24, span) for span in spans), missed=True)

    assert missed_stretches(late("1", "2")) == 2
    assert missed_stretches(late("1", "1", "2")) == 2, "two questions of one turn"
    assert missed_stretches(late("1", "", "")) == 1, "what is missed out of turn is no turn"
    assert missed_stretches([*late("1"), *own("2"), *late("2", "3")]) == 1, "a turn in which something was answered is none"
    assert missed_stretches([*late("1"), *own(""), *late("2")]) == 1
    assert missed_stretches([]) == 0


# --- the clock of a turn --------------------------------------------------------------------------------------

async def test_ATK_21_2_1_a_turn_has_a_day_for_all_its_answers(border: Desk) -> None:
    assert await border.left() == DAY
    await border.pass_time(5)
    await border.say(ANNA, Begin(action="movement"))
    assert await border.left() == 19 * HOUR
    await border.pass_time(3)
    await border.say(ANNA, Confirm())
    assert await border.asked() == [(RED, "D-04")] and await border.left() == 16 * HOUR
    await border.say(ANNA, End())
    assert await border.left(BLUE) == DAY


async def test_ATK_21_2_1_a_late_question_of_the_turn_has_an_hour_and_then_the_fallback_ends_it(border: Desk) -> None:
    await border.pass_time(23.5)
    await border.say(ANNA, Begin(action="movement"))
    assert await border.left() == HOUR
    letters = await border.pass_time(1)
    assert notices(letters) == ["Red ran out of time, so I played the default move."]
    assert await border.asked() == [(BLUE, "D-04")]


async def test_ATK_21_2_1_another_turn_of_the_same_seat_has_its_own_day(border: Desk) -> None:
    await border.pass_time(20)
    await border.say(ANNA, End())
    await border.say(BERT, End())
    assert await border.asked() == [(RED, "D-04")] and await border.left() == DAY


async def test_ATK_21_2_1_one_reminder_comes_at_half_time(border: Desk) -> None:
    """There is another one before the end, as in all games."""
    await border.pass_time(11.9)
    await border.services.timers.look("reminder")
    assert [letter.kind for letter in await delivered(border.services)] == []
    await border.pass_time(0.1)
    await border.services.timers.look("reminder")
    (letter,) = await delivered(border.services)
    assert (letter.kind, letter.payload["user"]) == ("reminder", ANNA)


async def test_ATK_21_2_1_and_21_2_4_a_question_out_of_turn_has_eight_hours_while_the_turn_stands_still(
        store: Store, watch: Watch) -> None:
    desk = await Desk(store, watch, scene(land=COASTS, controller="blue")).begin()
    await desk.pass_time(4)
    await desk.say(ANNA, Begin(action="movement"), Move(unit="infantry", origin="cuba", to="mexico", way="water"), Confirm())
    assert await desk.asked() == [(BLUE, "D-06")]
    assert (await desk.left(BLUE), await desk.left()) == (8 * HOUR, None)
    await desk.pass_time(7)
    await desk.say(BERT, Permit.of(False))
    assert (await desk.asked())[0][0] == RED and await desk.left() == 20 * HOUR


async def test_ATK_21_2_1_after_eight_hours_out_of_turn_the_fallback_counts(store: Store, watch: Watch) -> None:
    desk = await Desk(store, watch, scene(land=COASTS, controller="blue")).begin()
    await desk.say(ANNA, Begin(action="movement"), Move(unit="infantry", origin="cuba", to="mexico", way="water"), Confirm())
    assert notices(await desk.pass_time(8)) == ["Blue ran out of time, so I played the default move."]
    assert (await desk.asked())[0][0] == RED and await desk.left() == DAY
    table = await desk.services.session.table(desk.game)
    assert table.state.owner["mexico"] == "blue", "what ends on the controller's territory is refused"


async def test_ATK_6_2_12_several_crossings_share_the_eight_hours_of_one_question(store: Store, watch: Watch) -> None:
    desk = await Desk(store, watch, scene(land=COASTS, controller="blue")).begin()
    await desk.say(ANNA, Begin(action="movement"), Move(unit="infantry", origin="cuba", to="mexico", way="water"),
                   Move(unit="infantry", origin="cuba", to="panama", way="water"), Confirm())
    await desk.pass_time(5)
    await desk.say(BERT, Permit(allow=False, crossing="cuba_to_mexico"))
    assert await desk.asked() == [(BLUE, "D-06")] and await desk.left(BLUE) == 3 * HOUR
    assert notices(await desk.pass_time(3)) == ["Blue ran out of time, so I played the default move."]
    assert (await desk.asked())[0][0] == RED
    took = await store.read(lambda ledger: [(old.seconds, old.missed) for old in ledger.clocks.answered(desk.game, BLUE)])
    assert took == [(8 * 3600, True)], "one answer, with the time of all its parts"


async def test_ATK_21_2_4_each_step_of_the_setup_has_the_time_of_a_question_out_of_turn(store: Store, watch: Watch) -> None:
    desk = await Desk(store, watch, scene(phase="claiming", pools={"red": POOL, "blue": POOL})).begin()
    steps = set[str]()
    for _ in range(60):
        ((seat, point),) = await desk.asked()
        if point == "D-04":
            break
        steps.add(point)
        assert await desk.left(seat) == 8 * HOUR
        await desk.pass_time(8)
    assert steps == {"D-01", "D-02", "D-03"}
    assert await desk.asked() == [(RED, "D-04")] and await desk.left() == DAY and await desk.away() == []


# --- live battles ---------------------------------------------------------------------------------------------

async def test_ATK_21_2_2_a_live_battle_gives_two_hours_and_costs_no_time_of_the_turn(border: Desk) -> None:
    await border.services.orders.give_orders(border.game, BERT, [ask(BLUE, "D-10", "D-11")])
    await border.services.orders.give_orders(border.game, ANNA, [ask(RED, "D-09")])
    await border.pass_time(4)
    await border.say(ANNA, *MOVE_IN)
    assert await border.asked() == [(RED, "D-09")] and await border.left() == 2 * HOUR
    await border.pass_time(1)
    await border.say(ANNA, Policy.of("rest", "rest", "rest"))
    assert await border.asked() == [(BLUE, "D-10")] and await border.left(BLUE) == 2 * HOUR
    assert notices(await border.pass_time(2)) == ["Blue ran out of time, so I played the default move."]
    for _ in range(20):
        if (RED, "D-04") in await border.asked():
            break
        assert await border.asked() == [(BLUE, "D-11")] and await border.left(BLUE) == 2 * HOUR
        await border.say(BERT, (await border.services.session.table(border.game)).default(BLUE))
    assert await border.left() == 20 * HOUR


async def test_ATK_21_2_2_without_orders_to_ask_a_battle_takes_no_time(border: Desk) -> None:
    await border.say(ANNA, *MOVE_IN)
    assert await border.asked() == [(RED, "D-04")] and await border.left() == DAY


async def test_ATK_21_2_1_at_sea_the_controller_has_eight_hours_and_the_active_player_what_is_left_of_the_turn(
        store: Store, watch: Watch) -> None:
    """Lines are sealed, and asked of both at once: the time of each is known from what is public."""
    desk = await Desk(store, watch, scene(land=BORDER, controller="blue", fleets={"red": "2D 1S", "blue": "2D 1S"})).begin()
    await desk.services.orders.give_orders(desk.game, ANNA, [ask(RED, "D-15")])
    await desk.services.orders.give_orders(desk.game, BERT, [ask(BLUE, "D-15")])
    await desk.pass_time(6)
    await desk.say(ANNA, NAVAL)
    assert await desk.asked() == [(BLUE, "D-14")] and await desk.left(BLUE) == 8 * HOUR
    await desk.pass_time(2)
    await desk.say(BERT, Fight.of(True))
    assert await desk.asked() == [(RED, "D-15"), (BLUE, "D-15")]
    assert (await desk.left(), await desk.left(BLUE)) == (18 * HOUR, 8 * HOUR)
    await desk.pass_time(3)
    await desk.say(ANNA, Formation.of("rest", "rest", "rest"))
    assert (await desk.left(), await desk.left(BLUE)) == (15 * HOUR, 5 * HOUR), "who has answered cannot be read from the clock"


# --- undo, extensions, other players --------------------------------------------------------------------------

async def test_an_undo_gives_back_what_the_turn_lost(border: Desk) -> None:
    await border.pass_time(5)
    await border.say(ANNA, Begin(action="movement"))
    await border.pass_time(10)
    await border.say(ANNA, Confirm())
    assert await border.left() == 9 * HOUR
    await border.services.undo.undo(border.game, MASTER)
    assert await border.asked() == [(RED, "D-05")] and await border.left() == 19 * HOUR
    await border.pass_time(2)
    await border.say(ANNA, Confirm())
    assert await border.left() == 17 * HOUR, "the ten hours that were taken back count no more"
    for _ in range(2):
        await border.services.undo.undo(border.game, MASTER)
    assert await border.left() == DAY
    await border.services.undo.redo(border.game, MASTER)
    assert await border.left() == 19 * HOUR


async def test_more_time_is_half_of_the_turns_and_stays_with_the_turn(border: Desk) -> None:
    await border.pass_time(20)
    await border.say(ANNA, Begin(action="movement"))
    assert await border.services.clocks.extend(border.game, ANNA) == 12 * HOUR
    assert await border.left() == 16 * HOUR
    await border.pass_time(3)
    await border.say(ANNA, Confirm())
    assert await border.left() == 13 * HOUR


async def test_who_takes_over_in_a_turn_has_the_whole_of_it(border: Desk) -> None:
    await border.pass_time(20)
    await border.say(ANNA, Begin(action="movement"))
    await border.services.consent.hand_over(border.game, RED, CARA, MASTER)
    assert await border.left() == DAY


async def test_other_clocks_count_the_turn_too(border: Desk) -> None:
    await border.pass_time(5)
    await border.say(ANNA, Begin(action="movement"))
    await border.services.clocks.set_clock(border.game, MASTER, clock=read("48h"))
    assert await border.left() == 43 * HOUR
    assert notices(await delivered(border.services)) == [
        "Game master <@900> has set the clock: 48 hours for each turn, 16 for each move during setup or out of turn, "
        "4 in a live battle."]


async def test_hours_come_back_to_a_bank_with_each_turn(store: Store, watch: Watch) -> None:
    desk = await Desk(store, watch, scene(land=BORDER)).begin("bank 30h+6h/war")
    assert (await desk.services.clocks.clock(desk.game)).clock == read("bank 30h+6h/turn")
    await desk.pass_time(4)
    await desk.say(ANNA, End())
    await desk.say(BERT, End())
    assert await desk.left() == 30 * HOUR, "what came back makes good for the first turn, whose last answer took its time"
    await desk.pass_time(10)
    await desk.say(ANNA, Begin(action="movement"))
    await desk.pass_time(4)
    assert await desk.left() == 16 * HOUR, "answers out of one bank"
    await desk.say(ANNA, Confirm(), End())
    await desk.say(BERT, End())
    assert await desk.left() == (30 - 14 + 6) * HOUR


# --- who does not come ------------------------------------------------------------------------------------------

LAPSE = ("<@101> ran out of time 2 turns in a row and is now marked away. Meanwhile default moves are played for Red. To "
         "come back, use any command or button of this game.")


async def missed_two(desk: Desk) -> list[str]:
    """Red lets two turns run out, and Blue ends each of his at once; what is told of the second."""
    await desk.pass_time(24)
    await desk.say(BERT, End())
    assert await desk.away() == [] and await desk.asked() == [(RED, "D-04")]
    return notices(await desk.pass_time(24))


async def test_ATK_21_2_3_after_two_turns_that_the_clock_ended_a_player_is_away(border: Desk) -> None:
    assert await missed_two(border) == ["Red ran out of time, so I played the default move.", LAPSE]
    assert await border.away() == [RED]
    for _ in range(2):
        assert await border.asked() == [(BLUE, "D-04")]
        await border.say(BERT, End())                   # Red's turns end at once
    assert (await border.services.session.table(border.game)).state.round == 4
    assert (await border.services.queries.audit(border.game, page=9))[0][-1].endswith(
        "The bot counts <@101> as away after running out of time 2 turns in a row.")


async def test_ATK_21_2_3_what_is_left_of_the_turn_gets_its_fallbacks_at_once(border: Desk) -> None:
    """The time runs out over the purchases of a production that an order began: they are placed, and the turn ends."""
    await border.pass_time(24)
    production = OrderLine(then=Reply(verb="begin", fields={"action": "production"}))
    await border.services.orders.give_orders(border.game, ANNA, [Order(seat=RED, points=("D-04",), lines=(production,))])
    await border.say(BERT, End())
    assert await border.asked() == [(RED, "D-22")]
    assert notices(await border.pass_time(24))[-1] == LAPSE
    assert await border.asked() == [(BLUE, "D-04")]


async def test_ATK_21_2_3_who_has_answered_anything_in_a_turn_was_there(border: Desk) -> None:
    await border.say(ANNA, Begin(action="movement"))
    for _ in range(2):
        await border.pass_time(24)
        assert await border.away() == []
        await border.say(BERT, End())
    await border.pass_time(24)
    assert await border.away() == [RED], "the second and the third turn were missed"


async def test_ATK_21_2_3_out_of_turn_who_is_away_gets_the_fallbacks(store: Store, watch: Watch) -> None:
    desk = await Desk(store, watch, scene(land=COASTS, controller="red")).begin()
    await missed_two(desk)
    await desk.say(BERT, Begin(action="movement"), Move(unit="infantry", origin="mexico", to="cuba", way="water"), Confirm())
    assert (await desk.asked())[0][0] == BLUE and (await desk.services.session.table(desk.game)).state.owner["cuba"] == "red"


async def test_ATK_21_2_3_a_turn_that_was_taken_back_was_not_missed(border: Desk) -> None:
    await border.pass_time(24)
    await border.services.undo.undo(border.game, MASTER)
    await border.say(ANNA, End())
    await border.say(BERT, End())
    await border.pass_time(24)
    assert await border.away() == []


async def test_ATK_21_2_3_the_absence_and_the_answer_are_stored_together(border: Desk, store: Store, tmp_path: Path) -> None:
    await border.pass_time(24)
    await border.say(BERT, End())
    border.watch.put_on(hours=24)
    (late,) = await border.services.timers.due("time_up")
    game = late.game
    await border.services.timers.look("time_up")
    copy = Store(crashed(store.path, tmp_path / "killed"))
    again = play_on(copy, spec=next(iter(border.services.session.specs.values())), clock=border.watch)
    assert [holder.lapsed for holder in await again.queries.holders(game)] == [True, False]
    assert notices(await again.outbox.pending(100))[-1] == LAPSE
    await again.answers.answer(game, BERT, End())
    assert [question.seat for question in (await again.session.table(game)).waiting()] == [BLUE]
    copy.close()


async def test_ATK_21_2_3_when_nobody_is_left_the_game_pauses_until_somebody_is_back(border: Desk) -> None:
    await border.pass_time(24)
    await border.pass_time(24)
    await border.pass_time(24)
    said = notices(await border.pass_time(24))
    assert said[-1].startswith("<@102> ran out of time 2 turns in a row and is now marked away. There is nobody left")
    assert (await border.services.queries.game(border.game)).status == "paused" and await border.away() == [RED, BLUE]
    rows = await border.services.queries.newest(border.game)
    await border.pass_time(240)
    assert await border.services.queries.newest(border.game) == rows
    assert await shows_up(border.services, border.game, BERT)
    assert (await border.services.queries.game(border.game)).status == "running"
    assert await border.asked() == [(BLUE, "D-04")] and await border.left(BLUE) == DAY


async def test_ATK_21_2_3_a_sealed_line_that_the_clock_gave_is_told_by_no_absence(store: Store, watch: Watch) -> None:
    """Red's second turn begins a battle at sea by order, and Red lets the sealed line run out while Blue's is not in yet."""
    desk = await Desk(store, watch, scene(land=BORDER, controller="blue", fleets={"red": "2D 1S", "blue": "2D 1S"})).begin()
    await desk.pass_time(24)
    naval = OrderLine(then=Reply(verb="begin", fields={"action": "naval_battle"}))
    await desk.services.orders.give_orders(desk.game, ANNA, [ask(RED, "D-15"), Order(seat=RED, points=("D-04",), lines=(naval,))])
    await desk.services.orders.give_orders(desk.game, BERT, [ask(BLUE, "D-15")])
    await desk.say(BERT, End())
    await desk.say(BERT, Fight.of(True))
    assert await desk.asked() == [(RED, "D-15"), (BLUE, "D-15")]
    await desk.services.clocks.extend_for(desk.game, BLUE, 48, MASTER)
    await delivered(desk.services)
    told = await desk.pass_time(24)
    assert [(letter.kind, letter.payload["user"]) for letter in told] == [("proxy", ANNA)], "nobody but Red hears of it"
    assert await desk.away() == []
    assert await desk.asked() == [(BLUE, "D-15")]
    await desk.say(BERT, Formation.of("rest", "rest", "rest"))
    while (await desk.asked())[0][1] != "D-04":
        await desk.say(BERT, (await desk.services.session.table(desk.game)).default(BLUE))
    assert await desk.asked() == [(RED, "D-04")] and await desk.away() == []
    assert notices(await desk.pass_time(1))[-1] == LAPSE and await desk.away() == [RED]


async def test_ATK_21_2_3_a_stand_in_who_is_late_leaves_that_to_the_game_master(border: Desk) -> None:
    await border.services.consent.stand_in(border.game, RED, CARA, MASTER)
    await delivered(border.services)
    await missed_two(border)
    assert await border.away() == []


async def test_ATK_21_2_5_whoever_does_anything_is_back_and_begins_to_count_anew(border: Desk) -> None:
    await missed_two(border)
    assert not await shows_up(border.services, border.game, BERT) and not await shows_up(border.services, border.game, CARA)
    assert await shows_up(border.services, border.game, ANNA)
    assert notices(await delivered(border.services)) == ["<@101> is back and plays Red again."]
    assert not await shows_up(border.services, border.game, ANNA)
    await border.say(BERT, End())
    assert await border.asked() == [(RED, "D-04")] and await border.left() == DAY
    await missed_two(border)                            # one is not enough, although there were two before
    assert await border.away() == [RED]


async def test_ATK_21_2_5_an_absence_that_was_declared_ends_only_by_an_answer(border: Desk) -> None:
    await border.services.seats.away(border.game, ANNA)
    assert not await shows_up(border.services, border.game, ANNA) and await border.away() == [RED]
    assert await border.services.seats.acts_again(border.game, ANNA)


async def test_ATK_21_2_5_a_branch_keeps_who_is_away(border: Desk, store: Store) -> None:
    await missed_two(border)
    branch = await branched(border.services, border.game, await border.services.queries.newest(border.game), channel=9)
    assert [holder.lapsed for holder in await border.services.queries.holders(branch.id)] == [True, False]
