"""The table: it runs the scripts of one game, numbers every answer, and rebuilds itself from the log."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import GeneratorType
from typing import Any, Protocol, TypeAlias

from pydantic import ValidationError

from engine.dice import Dice
from engine.kernel.actions import Action, Aside, Decree, Rolled, Stirred, among, given_at_once
from engine.kernel.events import Event, Game, stored_events
from engine.kernel.game_spec import OVER, GameSpec
from engine.kernel.log import Checkpoint, Entry, Heading, Row, differing
from engine.kernel.questions import Ask, Script
from engine.kernel.seats import CHANCE, WORLD, By, Seat
from engine.refusals import Drift, Illegal, NotAsked, Refusal, Stale, Unreadable
from engine.text import Text, confided, text

STIRRED = "stirring"        # what is rolled for unasked, where a game goes on with other dice
LONGEST_CHAIN = 1000              # answers by order or for absent seats, one after the other, until somebody is asked again


Slot: TypeAlias = tuple[int, Ask[Any]]
"""The place of a question among those that are put together, and the question."""


class Deputy(Protocol):
    """Who answers for seats by their orders, as the table knows it."""

    def answer(self, state: Any, question: Ask[Any], options: tuple[Action, ...]) -> tuple[Action, int] | None:
        """The answer and the number of the order that gives it; None: the person must be asked."""

    def used(self, order: int) -> None:
        """An order has answered."""


class Table:
    """One running game: replays its past, then waits for answers.

    The checkpoint gives the state from which the past rows are replayed. `asked_at` is the number of the row that led to the
    present questions; a button carries it, so that it answers this question or none. With `run_on=False` the table stays
    where the past ends, to look at that position: even dice wait. `stirred`: the dice are others from there on.
    """

    def __init__(self, spec: GameSpec, parts: Any, start: Checkpoint, past: Iterable[Row] = (), *, dice: Dice, epoch: int = 0,
                 next_no: int | None = None, returned_at: int = -1, absent: Iterable[Seat] = (), checkpoints: bool = True,
                 strict: bool = False, run_on: bool = True, deputy: Deputy | None = None, veiled: bool = False,
                 cared: Iterable[Seat] = (), stirred: bool = False) -> None:
        self.spec, self.parts, self.dice, self.epoch = spec, parts, dice, epoch
        self.absent, self.cared = set(absent), set(cared)
        self.deputy, self.veiled = deputy, veiled
        self.rolls = start.rolls
        self.fresh: list[Entry] = []                    # rows since the table was built or `take` was called
        self.checkpoint: Checkpoint | None = None       # the last phase begun since then
        try:
            state = spec.rules.state.model_validate_json(start.state)
        except ValidationError:                         # never its message, which quotes the state
            raise Unreadable(f"the state after row {start.no} is one of other rules", no=start.no) from None
        spec.rules.bind(state, parts)
        self.game: Game[Any] = Game(state)
        self.given: dict[int, Action] = {}
        self.sealed: list[int] = []                     # the rows of these, until all answers are in
        self.asks: tuple[Ask[Any], ...] = ()
        self._options: dict[int, tuple[Action, ...]] = {}
        self._foreseen: Mapping[Seat, tuple[str, ...]] | None = None
        self._legal: tuple[Seat, Action, bool] | None = None    # what was examined last, until something happens
        self._by_hand: set[Seat] = set()
        kinds: tuple[type[Action], ...] = (*spec.rules.actions, *spec.rules.asides, *spec.rules.decrees, Rolled, Stirred)
        self._verbs = {kind.verb: kind for kind in kinds}
        self._written = frozenset(spec.orders.written if spec.orders is not None else ())
        self._no, self._keep, self._replaying = start.no, checkpoints, True
        self._public_no = start.no
        self._script = self._run()
        self.asks = next(self._script, ())
        self.opening = tuple(self.game.fresh)           # news only for a table that is new
        self.game.fresh.clear()
        self.asked_at = start.no
        for old in past:
            self._replay(old, strict)
        self._replaying = False
        self._put_at = self.asked_at
        self.asked_at, self._returned_at = max(self.asked_at, returned_at), returned_at
        self._no = self._no if next_no is None else next_no - 1
        self._public_no = self._public_no if self.given else self._no
        if stirred:
            self.stir()
        if run_on:
            self.go_on()

    # -- questions

    @property
    def state(self) -> Any:
        return self.game.state

    @property
    def turn(self) -> Heading:
        """Whose turn it is, and when that is."""
        active, words = self.spec.rules.active(self.state), self.spec.words
        return "" if active is None else words.seat_name(self.state, active), words.when(self.state)

    @property
    def over(self) -> bool:
        return not self.asks

    @property
    def last_no(self) -> int:
        return self._no

    @property
    def public_no(self) -> int:
        """The number of the last row that everybody may know of: sealed answers count when all are in [P-28]."""
        return self._public_no

    @property
    def returned(self) -> bool:
        """True if an undo or a rollback led to the present questions: whoever is there answers them in person."""
        return self.asked_at == self._returned_at

    @property
    def put_at(self) -> int:
        """The row that led to the present questions, whatever has returned to them since: what answers them comes after it."""
        return self._put_at if self.returned else self.asked_at

    @property
    def asides(self) -> tuple[type[Aside], ...]:
        return self.spec.rules.asides

    def waiting(self) -> list[Ask[Any]]:
        """The questions that nobody has answered yet."""
        if not self.given:
            return list(self.asks)
        return [question for slot, question in enumerate(self.asks) if slot not in self.given]

    def asked(self, seat: Seat) -> Ask[Any] | None:
        return next((question for question in self.waiting() if question.seat == seat), None)

    def put_to(self, seat: Seat) -> Ask[Any] | None:
        """The question put to this seat, whether it has answered under seal or not: so nobody learns which."""
        return next((question for question in self.asks if question.seat == seat), None)

    def question(self, seat: Seat) -> Ask[Any] | None:
        """Return what this seat can answer now: the question put to it, or what it may do while another seat is asked."""
        place = self._open(seat)
        return None if place is None else place[1]

    def options(self, seat: Seat, *, anew: bool = False) -> tuple[Action, ...]:
        """Every legal answer of this seat now (a sample, for kinds that are open-ended); none if it can answer nothing.

        `anew`: as if it had not answered under seal.
        """
        place = self._open(seat, anew=anew)
        return () if place is None else self._listed(*place)

    @property
    def foreseen(self) -> Mapping[Seat, tuple[str, ...]]:
        """The decision points at which each seat may still be asked in the occasion under way; none if there is no occasion."""
        if self._foreseen is None:
            self._foreseen = self.spec.orders.foreseen(self.state) if self.spec.orders is not None else {}
        return self._foreseen

    def default(self, seat: Seat, *, anew: bool = False) -> Action:
        """The answer given for this seat when it stays silent; `anew`: as if it had not answered under seal. Raises NotAsked."""
        _, question = self._place(seat, anew=anew)
        if callable(question.default):
            return question.default(self.state, seat)
        return question.default or self.options(seat, anew=anew)[0]

    def examine(self, seat: Seat, action: Action, *, asked_at: int | None = None, anew: bool = False) -> None:
        """Raise the Refusal that `answer` would raise, and change nothing; `anew`: as if it had not answered under seal.

        `asked_at` is what the answer was meant for: the row of the question, or for an aside the last public row; None means
        whatever is asked now. What was found legal is not examined again as long as nothing has happened at the table.
        """
        if asked_at is not None and not self.over:
            stands = self.public_no if isinstance(action, Aside) else self.asked_at
            if asked_at != stands:
                raise Stale("That was for an earlier question. Here is the current one.", rule=self.spec.rules.refusal_rule)
        if action.unasked:
            if isinstance(action, Decree):
                raise NotAsked("That isn't a move players make.", rule=self.spec.rules.refusal_rule)
            if self.over:
                raise self.not_asked()
            if not self._known_legal(seat, action, anew):
                action.check(self.state, seat)
                self._legal = seat, action, anew
            return
        slot, question = self._place(seat, anew=anew)
        if self._known_legal(seat, action, anew):
            return
        if type(action) not in question.accepts:
            raise type(action).misplaced(self.state, seat) or question.something_else(self.going_on()[1], self.spec.words.menus)
        if action.open_ended:
            action.check(self.state, seat)
        elif not among(action, self._listed(slot, question)):
            action.check(self.state, seat)
            now, rule = self.going_on()
            raise Illegal("That isn't possible now. {now}.", rule=rule, now=now)
        self._legal = seat, action, anew

    def _known_legal(self, seat: Seat, action: Action, anew: bool) -> bool:
        """True if just this answer was examined last, and nothing has happened since."""
        known = self._legal
        return known is not None and known[1] is action and (known[0], known[2]) == (seat, anew)

    def not_asked(self) -> NotAsked:
        """The refusal of whoever is asked nothing now: it says what is going on, and by which rule."""
        now, rule = self.going_on()
        if self.over:
            return NotAsked("The game is over.", rule=rule)
        return NotAsked("Nothing to do right now. {now}.", rule=rule, now=now)

    def idle(self, seat: Seat) -> Text:
        """Return what a seat that is asked nothing reads: whom the game waits for, not who of them has answered under seal
        [P-28]."""
        others = tuple([self.spec.words.seat_name(self.state, ask.seat) for ask in self.asks if ask.seat != seat])
        if self.over:
            return text("The game is over.")
        if not others:
            return text("Nothing to do right now.")
        return text("Nothing to do right now. Waiting for {others:the}.", others=others)

    def going_on(self) -> tuple[Text, str]:
        told = self.spec.words.going_on
        return told(self.state) if told is not None else (self.spec.words.moment(self.state), self.spec.rules.refusal_rule)

    def answer(self, seat: Seat, action: Action, *, by: By = "player", asked_at: int | None = None) -> None:
        """Take one answer and run on until people must answer, or raise a Refusal and change nothing."""
        self.examine(seat, action, asked_at=asked_at)
        self._record(seat, action, by)
        self.go_on()

    def answer_by_order(self, seat: Seat) -> bool:
        """Answer the question put to this seat as it has ordered, all parts of it, and run on; False if nothing fits."""
        answered = False
        while (question := self.asked(seat)) is not None and (not answered or question.continues):
            given = self._ordered(*self._place(seat))
            if given is None:
                break
            self._record(*given)
            answered = True
        if answered:
            self.go_on()
        return answered

    def decree(self, action: Decree) -> None:
        """Take what the world outside says and run on, or raise a Refusal and change nothing."""
        self._require_decree(WORLD, action)
        self._record(WORLD, action, "world")
        self.go_on()

    def stir(self) -> None:
        """Decide anew, with the dice of now, what lies hidden; done before anything else where a game goes on with other dice."""
        stirring = self.spec.rules.stirring
        if stirring is None or self.over or any(Stirred in question.accepts for question in self.asks):
            return
        if sides := stirring.sides(self.state):
            values = self.dice(self.epoch, self.rolls, sides, STIRRED)
            self._record(CHANCE, Stirred(values=values, epoch=self.epoch, throw=self.rolls), "dice")

    def take(self) -> tuple[list[Entry], Checkpoint | None]:
        """The rows and the last checkpoint that are new since the last call, to be stored together."""
        new = self.fresh, self.checkpoint
        self.fresh, self.checkpoint = [], None
        return new

    def where(self) -> str:
        """The scripts under way, outermost first: "turn > attack > naval_stage"."""
        names: list[str] = []
        script: object = self._script
        while isinstance(script, GeneratorType) and script.gi_frame is not None:
            names.append(script.gi_code.co_name)
            script = script.gi_yieldfrom
        return " > ".join(names[1:-1])                  # without `_run` and `ask`

    # -- the works

    def _run(self) -> Script[None]:
        state = self.game.state
        while state.phase != OVER:
            if self._keep and not self._replaying:
                self.checkpoint = Checkpoint(self._no, self.rolls, state.model_dump_json())
            yield from self.spec.rules.phases[state.phase](self.game)

    def _listed(self, slot: int, question: Ask[Any]) -> tuple[Action, ...]:
        listed = self._options.get(slot)
        if listed is None:
            found, state, seat = list[Action](), self.game.state, question.seat
            for kind in question.accepts:
                found += kind.options(state, seat)
            listed = self._options[slot] = tuple(found)
        return listed

    def _open(self, seat: Seat, *, anew: bool = False) -> Slot | None:
        """Return what a seat can answer, and its place among the questions; what it may do meanwhile comes behind them."""
        for slot, question in enumerate(self.asks):
            if question.seat == seat and (anew or slot not in self.given):
                return slot, question
        meanwhile = self.asks[0].meanwhile if self.asks else None
        return (len(self.asks), meanwhile) if meanwhile is not None and meanwhile.seat == seat else None

    def _place(self, seat: Seat, *, anew: bool = False) -> Slot:
        if (place := self._open(seat, anew=anew)) is not None:
            return place
        raise self.not_asked()

    def _record(self, seat: Seat, action: Action, by: By, order: int = 0) -> Entry:
        self._no += 1
        if order and self.deputy is not None:
            self.deputy.used(order)
        place, turn = self._answered(seat, action), self.turn
        together = len(self.asks) > 1 and place is not None
        events = self._advance(seat, action, by, place)
        private = tuple([(seat, confided(told, seat)) for event in events if event.confides
                         for seat, told in event.private_lines(self.game.state).items()])
        entry = Entry(self._no, seat, by, action, events, private, order, together, turn=turn)
        self.fresh.append(entry)
        return entry

    def _answered(self, seat: Seat, action: Action) -> Slot | None:
        """The question that an act answers; None: it answers none, as a gift. Raises NotAsked."""
        asks = self.asks
        if len(asks) == 1 and (question := asks[0]).seat == seat and type(action) in question.accepts:      # as mostly
            return 0, question
        return None if self.unasked_for(action) else self._place(seat)

    def _advance(self, seat: Seat, action: Action, by: str, place: Slot | None) -> tuple[Event, ...]:
        """Give one answer to the script, for the question at this place, and collect what follows."""
        self._legal = None
        if action.rolled:
            self.rolls += 1
        if place is None:
            self._options.clear()
            self._foreseen = None
            for event in self._of_its_own(seat, action):
                self.game.emit(event)
            if self.state.phase == OVER:                # nobody is asked any more, whatever was open
                self.asks, self.given, self.sealed = (), {}, []
                self._script.close()
        else:
            slot, question = place
            if by != "rule" and question.point in self._written:    # a written turn is over once its author answers in person
                (self._by_hand.discard if by == "order" else self._by_hand.add)(question.seat)
            number = len(self.asks)
            answers = (action,) if number == 1 or slot == number else self._sealed(slot, action)
            if answers:                                             # sealed answers change nothing, so the lists hold until then
                self._options.clear()
                self._foreseen = None
                if self.given:
                    self.given, self.sealed = {}, []
                self.asks, before, self.asked_at = (), self.asked_at, self._no
                try:
                    self.asks = self._script.send(answers)
                except StopIteration:
                    pass                                # the game is over
                for question in self.asks:
                    question.by_hand = question.seat in self._by_hand
                    if question.continues:
                        self.asked_at = before
        if place is None or not self.given:
            self._public_no = self._no
        fresh = self.game.fresh
        events = tuple(fresh)
        fresh.clear()
        return events

    def _sealed(self, slot: int, action: Action) -> tuple[Action, ...]:
        """Keep one of several answers to be given together: all of them once the last is in, else none."""
        self.given[slot] = action
        self.sealed.append(self._no)
        return tuple([self.given[at] for at in range(len(self.asks))]) if len(self.given) == len(self.asks) else ()

    def unasked_for(self, action: Action) -> bool:
        """True if an act answers no question: a gift, a decree, or what is stirred because the dice are others now."""
        return action.unasked or (
            action.rolled and isinstance(action, Stirred) and self.spec.rules.stirring is not None
            and not any(Stirred in question.accepts for question in self.asks))

    def _of_its_own(self, seat: Seat, action: Action) -> Iterable[Event]:
        if isinstance(action, (Aside, Decree)):
            return action.events(self.game.state, seat)
        assert isinstance(action, Stirred) and self.spec.rules.stirring is not None, "nothing else comes unasked"
        return self.spec.rules.stirring.events(self.game.state, action.values)

    def rolled_for(self, action: Rolled) -> tuple[tuple[int, ...], str]:
        """The sides of the dice that a roll answers with, or that are rolled unasked, and what they are rolled for."""
        if self.unasked_for(action):
            assert self.spec.rules.stirring is not None, "nothing else is rolled unasked"
            return self.spec.rules.stirring.sides(self.state), STIRRED
        _, question = self._place(CHANCE)
        return question.sides, question.prompt

    def _require_decree(self, seat: Seat, action: Decree) -> None:
        """Raise Refusal unless the world can say this now, or the seat could in an earlier version."""
        if self.over:
            raise self.not_asked()
        if seat != WORLD and not action.once_by_seats:
            raise NotAsked("That isn't a move players make.", rule=self.spec.rules.refusal_rule)
        action.check(self.state, seat)

    def _replay(self, old: Row, strict: bool) -> None:
        kind = self._verbs.get(old.verb)
        try:
            if kind is None:
                raise NotAsked("No such verb.")
            action, seat = _answer(kind, old.answer), Seat(old.seat)        # type: ignore[arg-type]    # a class has a hash
            place = self._answered(seat, action)
            if place is not None and kind not in place[1].accepts:
                raise NotAsked("Another question is being asked.")
            if strict:
                self._verify(seat, action)
            self._no = old.no
            events = self._advance(seat, action, old.by, place)
        except (NotAsked, Illegal, ValidationError, ValueError) as why:
            raise Drift(f"row {old.no}: {old.verb} by {old.seat} does not fit ({type(why).__name__})", no=old.no) from why
        if (made := stored_events(events)) != old.events:
            raise Drift(f"row {old.no}: {old.verb} by {old.seat} has other effects than recorded "
                        f"({differing(old.events, made)})", no=old.no)

    def _verify(self, seat: Seat, action: Action) -> None:
        """In a file from outside nothing is believed: legality and rolls are checked again."""
        if isinstance(action, Decree):
            self._require_decree(seat, action)
            return
        if not isinstance(action, Rolled):
            if not action.was_legal(self.state, seat):
                self.examine(seat, action)
            return
        sides, purpose = self.rolled_for(action) if seat == CHANCE else ((), "")
        if not sides or action.throw != self.rolls or action.values != self.dice(action.epoch, action.throw, sides, purpose):
            raise Illegal("The dice show something else.")

    def go_on(self) -> None:
        """Let dice, single choices, orders and absent seats answer until a person must.

        A game may have no end as long as everybody has ordered to do nothing; at last one of them is asked all the same.
        """
        led = 0
        while (given := self._ready(led < LONGEST_CHAIN)) is not None:
            led += given[2] in ("order", "clock")
            self._record(*given)

    def _ready(self, led: bool) -> tuple[Seat, Action, By, int] | None:
        represented = led and (self.deputy is not None or bool(self.absent))        # whether anybody may answer for a seat
        for slot, question in enumerate(self.asks):
            if slot in self.given:
                continue
            if question.seat == CHANCE:
                values = self.dice(self.epoch, self.rolls, question.sides, question.prompt)
                return CHANCE, question.accepts[0](values=values, epoch=self.epoch, throw=self.rolls), "dice", 0
            listed = self._listed(slot, question)
            assert listed, f"{question.seat} is asked {question.point or question.prompt} and has no legal answer"
            for kind in given_at_once(question.accepts):
                for option in kind.options(self.game.state, question.seat):
                    return question.seat, option, "rule", 0
            if len(listed) == 1 and (listed[0].forced or not question.never_alone):
                return question.seat, listed[0], "rule", 0
            if not represented:
                continue
            gone, ordering = question.seat in self.absent, self.spec.orders
            if gone and question.in_absence is not None and any(other.seat not in self.absent for other in self.waiting()):
                continue                                # whoever comes back before the others have answered does so, too
            veiled = self.veiled and not (ordering is not None and ordering.quiet(question.point))
            if (gone or not (veiled or self.returned)) and (ordered := self._ordered(slot, question)) is not None:
                return ordered
            if gone:
                return question.seat, self._in_absence(question), "clock", 0
        return None

    def _in_absence(self, question: Ask[Any]) -> Action:
        """Return what is answered for a seat that is not there: as the rules say, or what its caretaker chooses, or its
        default."""
        seat = question.seat
        if question.in_absence is not None:
            return question.in_absence
        care = self.spec.rules.caretaker if seat in self.cared else None
        chosen = care(self.state, seat, self.options(seat)) if care is not None else None
        return self.default(seat) if chosen is None else chosen

    def _ordered(self, slot: int, question: Ask[Any]) -> tuple[Seat, Action, By, int] | None:
        """Return what the seat has ordered to answer; only a legal answer counts [P-25]."""
        if self.deputy is None:
            return None
        given = self.deputy.answer(self.game.state, question, self._listed(slot, question))
        if given is None:
            return None
        try:
            self.examine(question.seat, given[0])
        except Refusal:
            return None
        return question.seat, given[0], "order", given[1]


@lru_cache(maxsize=4096)
def _answer(kind: type[Action], stored: str) -> Action:
    """The answer of a stored row: rows that say the same have one object, which never changes. Raises ValidationError."""
    return kind.model_validate_json(stored)
