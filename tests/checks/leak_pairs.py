"""Whether anybody can learn a secret: pairs of games that differ in one seat's secrets, and all that others are shown of them.

Two tables play the same random game, and at the beginning of a stretch of it (a phase: a turn, an auction) one seat gets
other secrets at the second table: what the game itself keeps secret, and standing orders. From then on both are given the
same answers, and after each of them everything that every other seat and the public can look at must be the same. A sealed
answer is a secret until all are in: it differs between the tables, and is the same again just before that.

What a seat does can be a secret, too: an offer to one or to another. Such a stretch begins with it, and what follows must look
the same until it is done.

Besides the secrets of a seat, what lies hidden from everybody may differ: what a bag holds, and what it will give.

Nothing that may differ is left out by name. The seat with the secret is no onlooker, nor is one that draws something else from
the bag; orders never answer, since what they would answer is public; and a stretch ends with the game, when secrets are
revealed. Whom a message notifies is compared in
`clubs`, where it is sent.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from random import Random
from typing import Any

from bot.core.row_sentences import sentences
from bot.discord.errors import explain
from bot.discord.game.action_commands import offered, understood
from bot.discord.game.action_menu import screen, weighed_here
from bot.discord.game.legal_moves import listed
from bot.discord.game.menu_path import Step, walk
from bot.discord.pictures import draw
from bot.domain.announcements import Announced, after, reader
from bot.service.orders import in_advance
from bot.store import Theme
from engine import components
from engine.dice import SecretDice
from engine.kernel import Action, Aside, Checkpoint, Decree, Event, GameSpec, Row, Seat, Table
from engine.kernel.game_spec import Replay, pictures
from engine.orders import ALWAYS, Order, OrderLine, Orders, Reply, Test
from engine.refusals import Illegal, Refusal
from engine.selfplay import beginning, random_answer, rung
from engine.text import Reader, Text, say
from tests.checks.findings import PAINTED, Ear, Found, Output
from tests.checks.leak_rehearsals import rehearsed
from tests.checks.secrets import Secrets

GAME = 1                    # the number of the game in menus
FEWEST = 3                  # seats: with two, nobody but the public looks on when the other has a secret
MOST = 12                   # by how much a secret changes
COMPARED = 0.3              # of the answers are looked at from all sides; of the sealed ones, all
REHEARSED, ANSWERS = 0.05, 3           # of the seats that are asked rehearse, with so many answers
WHOLE = 0.1                 # of the pictures that tell the whole game, and take as long, are looked at
BRUSH = 0.3                 # of the pairs have a picture painted
NEAR = 0.5                  # of the stretches in which a seat has other secrets differ by a threshold that lies between them
THRESHOLDS = (1, 2, 3, 5, 8, 10, 12, 15, 20, 25)                # what a rule or a careless line may ask for
ASIDE = 3                   # how far from a threshold both are at most
ACTIVE = 0.6                # of the secrets are those of the seat whose turn it is: it does most
HIDDEN_FROM_ALL = 0.4       # of the stretches differ in what nobody knows, if there is such a thing
APART = 0.3                 # of the stretches differ in what a seat does, if there is such a thing
LISTED, PRICED = 3, 6       # of the kinds of answers to an open question, and of its answers, are read besides in a game of two
REMEMBERED = 300            # answers of the past that are tried again where they are illegal
NEVER = 10 ** 5             # more than anything in a game is counted


# --- one of the two games -------------------------------------------------------------------------------------

class Twin:
    """A table as the bot keeps it, with its past and what has been told of it."""

    def __init__(self, spec: GameSpec, parts: Any, start: Checkpoint, dice: SecretDice, live: Sequence[Order] = ()) -> None:
        self.spec, self.parts, self.dice = spec, parts, dice
        self.first, self.past = start, list[Row]()              # the beginning, and all rows since
        self.from_the_beginning = True                          # whether these rows lead from there to what is true here
        self.told = Announced()
        self.live = live
        self.begin(start)

    def begin(self, start: Checkpoint, orders: Sequence[Order] = ()) -> None:
        """Stand where a stretch begins, as after a restart."""
        self.start, self.rows, self.happened = start, list[Row](), list[Event]()
        self.table = Table(self.spec, self.parts, start, dice=self.dice, deputy=Orders(self.spec, [*self.live, *orders]))
        self.letters: list[Output] = []
        self.next: Checkpoint | None = None                     # where the next stretch begins
        self._follow(None)

    def fork(self) -> Twin:
        """Another one that stands where this one does, at the beginning of a stretch."""
        twin = Twin(self.spec, self.parts, self.start, self.dice, self.live)
        twin.first, twin.past, twin.told = self.first, list(self.past), self.told
        return twin

    def answer(self, seat: Seat, action: Action) -> None:
        self.table.answer(seat, action)
        self._follow(seat)

    def tell(self, decree: Decree) -> None:
        """Say what the world outside says."""
        self.table.decree(decree)
        self._follow(None)

    @property
    def reader(self) -> Reader:
        return reader(self.spec, self.parts, self.table.state, [Seat(seat) for seat in self.table.state.seats])

    def _follow(self, actor: Seat | None) -> None:
        """Keep the new rows, and write the letters of them."""
        table, who = self.table, self.reader
        entries, checkpoint = table.take()
        self.happened += [event for entry in entries for event in entry.events]
        news = after(table, entries, (), self.told, who, listeners=dict.fromkeys(table.state.seats, who), actor=actor)
        self.told = news.told
        self.letters = [(f"letter: {letter.kind} to {letter.audience}", letter.payload) for letter in news.letters]
        rows = [entry.row() for entry in entries]
        self.rows += rows
        self.past += rows
        self.letters += [("history", (row.no, say(line, who))) for row in rows for line in sentences(self.spec, row)]
        self.letters.append(("undo", ([row.no for row in self.rows], [say(line, who) for line in quoted(self.spec, self.rows)])))
        if checkpoint is not None and all(row.no <= checkpoint.no for row in rows):
            self.next = checkpoint


def quoted(spec: GameSpec, rows: Sequence[Row]) -> list[Text]:
    """What an undo of these rows tells that it takes back."""
    return [sentence for row in rows for sentence in sentences(spec, row)]


PRIVATE = ("private",)              # letters that only their receiver gets


def public(letters: Sequence[Output], hidden: set[Seat]) -> list[Output]:
    """The letters as they arrive at everybody but some seats."""
    receivers = {f"letter: {kind} to {seat}" for kind in PRIVATE for seat in hidden}
    return [(name, payload) for name, payload in letters if name not in receivers]


# --- all that can be looked at --------------------------------------------------------------------------------

def shown(game: Twin, seat: Seat | None, tried: Sequence[Action], rng: Random) -> Iterator[Output]:
    """All that a seat, or the public, can look at in this position without pictures."""
    spec, table, who = game.spec, game.table, game.reader
    state = table.state
    view = spec.views.view(state, seat)
    yield "view", view.model_dump_json()
    yield "board in words", spec.views.board(view)
    yield "alt text", spec.views.describe(view, 1024)
    yield "moment", say(spec.words.moment(state), who)
    yield "names", [who.name(seat) for seat in state.seats]
    yield "turn", (spec.rules.active(state), spec.rules.follows(state), table.over, table.where())
    yield "questions", [(asked.seat, *((asked.point, say(asked.text(), who)) if asked.openly is None or asked.seat == seat else
                                       ("", say(asked.told(), who)))) for asked in table.asks]
    if spec.orders is not None:
        yield "invited", {name: list(points) for name, points in spec.orders.foreseen(state).items()}
    if seat is not None:
        yield from _own(game, seat, tried, rng, who)


def _own(game: Twin, seat: Seat, tried: Sequence[Action], rng: Random, who: Reader) -> Iterator[Output]:
    """What a seat sees of its own affairs, and of its attempts at what it may not do."""
    spec, table = game.spec, game.table
    state, question = table.state, table.question(seat)
    private, purse = spec.views.private(state, seat), spec.views.purse(state, seat)
    yield "private count", private and say(private, who)
    yield "purse", purse and say(purse, who)
    yield from _screens(table, seat, rng)
    kind = rng.choice((*spec.rules.actions, *spec.rules.asides))
    yield f"what is legal: {kind.verb}", list(listed(table, seat, kind, who))
    filled: dict[str, Any] = {}
    for name in rng.sample([*kind.model_fields], len(kind.model_fields)):
        choices = offered(table, seat, kind, name, filled, rng.choice("aei") if rng.random() < 0.3 else "")
        yield f"autocomplete of {kind.verb} {name} beside {filled}", [(choice.name, choice.value) for choice in choices]
        if choices:
            filled = {**filled, name: rng.choice(choices).value}
    for action in rng.sample(tried, min(3, len(tried))):
        typed = {name: str(value) for name, value in action.model_dump().items() if not isinstance(value, bool)}
        yield f"attempt of {action!r}", refusal(partial(table.examine, seat, action), who)
        yield f"{action.verb} {typed} is typed", refusal(partial(understood, table, seat, type(action), typed), who)
    if spec.orders is not None:
        yield "in advance", in_advance(table, seat)
        yield "spans", dict(spec.orders.spans(state, seat))
        for point in spec.orders.points:
            yield f"blanks of {point.no}", [list(slot.values(state, seat)) for offer in point.offers for slot in offer.slots]
    if table.put_to(seat) is not None and rng.random() < REHEARSED:
        yield from rehearsed(spec, game.parts, game.start, game.rows, table.sealed, seat, Random(rng.random()), ANSWERS)
    if question is None:
        return
    options = table.options(seat)
    option = rng.choice(options)
    yield "default", repr(table.default(seat))
    yield "caretaker", repr(spec.rules.caretaker(state, seat, options)) if spec.rules.caretaker is not None else None
    for told in (option.consequence, option.cost, option.outlook, option.hazard):
        words = told(state, seat)
        yield f"{told.__name__} of {option!r}", words and say(words, who)
    if spec.orders is not None:
        yield "facts for orders", dict(spec.orders.facts(state, seat, question))
    if len(state.seats) > 2:                                # with two, one alone looks on, so that seat looks at more
        return
    for kind in rng.sample(question.accepts, min(LISTED, len(question.accepts))):
        yield f"what is legal: {kind.verb}", list(listed(table, seat, kind, who))
    for option in rng.sample(options, min(PRICED, len(options))):
        yield f"{option!r} in words", [words and say(words, who) for words in (
            option.label(), option.cost(state, seat), option.consequence(state, seat))]
    for action in {action.verb: action for action in rng.sample(tried, len(tried))}.values():
        yield f"attempt of {action!r}", refusal(partial(table.examine, seat, action), who)


def _screens(table: Table, seat: Seat, rng: Random) -> Iterator[Output]:
    """The panel of a seat, and a way through its menus: words, and all that can be pressed."""
    asides = [(kind.verb,) for kind in table.spec.rules.asides if any(True for _ in kind.options(table.state, seat))]
    path: tuple[str, ...] = ()
    for _ in range(4):
        weighed = {} if path else {answer: answer.outlook(table.state, seat) for answer in weighed_here(table, seat)}
        now = screen(table, GAME, seat, path, outlooks={answer: told for answer, told in weighed.items() if told is not None})
        yield f"screen {path}", (now.words, now.view.to_components() if now.view is not None else None)
        if not path and asides and rng.random() < 0.3:
            path = rng.choice(asides)
            continue
        kind = table.spec.verb(path[0]) if path else None
        aside = kind is not None and issubclass(kind, Aside)
        options = list(kind.options(table.state, seat)) if kind is not None and aside else list(table.options(seat))
        step = walk(table.spec.words.menus, options, path, table.spec.views.areas(table.parts)) if options else None
        if not isinstance(step, Step):
            return
        path = (*step.path, rng.choice(list(step.values)))


def refusal(attempt: Callable[[], object], who: Reader) -> str:
    """What is said to somebody who tries this."""
    try:
        attempt()
    except Refusal as why:
        return explain(why, who)
    return "taken"


def pictured(game: Twin, seat: Seat | None, rng: Random, *, paint: bool) -> Iterator[Output]:
    """One of the pictures, as it is drawn for a seat or for the public, and in words; or why there is no such picture."""
    picture = rng.choice([picture for picture in pictures(game.spec) if not picture.whole or rng.random() < WHOLE])
    start, rows = (game.first, game.past) if picture.whole and game.from_the_beginning else (game.start, game.rows)
    subjects = list(picture.subjects(game.parts))
    subject = rng.choice(subjects) if subjects and rng.random() < 0.5 else ""
    since = rng.randint(start.no, game.table.last_no)
    story = Replay(spec=game.spec, parts=game.parts, start=start, rows=rows, since=since, seat=seat, subject=subject,
                  options=game.table.options(seat) if seat is not None else ())
    theme: Theme = "dark" if rng.random() < 0.5 else "light"
    name = f"picture {picture.key} of {subject or 'all'} since row {since}"
    try:
        scene = picture.scene(story)
    except Refusal as why:
        yield name, explain(why, game.reader)
        return
    if scene is not None:
        yield name, (scene.model_dump_json(), game.spec.views.describe(scene, 1024), game.spec.views.board(scene))
        if paint:
            yield f"{name}, {PAINTED}", draw(game.spec, scene, theme)


# --- pairs ------------------------------------------------------------------------------------------------------

class Pairs:
    """One random game played at two tables that differ in one seat's secrets, or in what nobody knows."""

    def __init__(self, spec: GameSpec, seats: int, seed: int, secrets: Secrets, *, edition: str = "",
                 paint: bool = True) -> None:
        self.spec, self.secrets, self.paint, self.seed = spec, secrets, paint, seed
        edition = edition or next(edition.key for edition in spec.editions if edition.available)
        mixture = secrets.mixtures[seed // len(spec.seats) % len(secrets.mixtures)]
        parts = components.components(spec, edition).parts
        self.rng, self.found = Random(f"leaks {seed}"), Found()
        self.one = Twin(spec, parts, beginning(spec, seats, edition, parts, mixture),
                        SecretDice(f"{seed:064x}", by_decision=True), asking(spec, seats) if seed % 2 else ())
        self.other = self.one.fork()
        self.hidden: set[Seat] = set()
        self.parted = False                     # what differs has been laid open
        self.known_by: tuple[type[Event], ...] = ()     # what makes it known to all
        self.leads_here = not secrets.exchanged                 # the whole past leads to what is secret at both tables
        self.tried: list[Action] = []

    def run(self, ear: Ear, pairs: int, *, any_will_do: bool = False) -> Found:
        """Compare so many pairs, or as many as the game has, or only until something differs, if any difference will do."""
        while not self.one.table.over and self.found.pairs < pairs and not (any_will_do and self.found.differences):
            if self.one.next is not None:
                start = self.one.next
                if not (self.rng.random() < APART and self._part(ear, start)):
                    self._differ(start)
            self._step(ear)
        return self.found

    def _part(self, ear: Ear, start: Checkpoint) -> bool:
        """Begin a stretch with what a seat does in two ways; False if it cannot."""
        state = self.spec.rules.state.model_validate_json(start.state)
        self.spec.rules.bind(state, self.one.parts)
        apart = self.secrets.apart(state, self.rng)
        if apart is None:
            return False
        self.parted, self.known_by, self.hidden = False, apart.known_by, set(apart.knowing)
        start = replace(start, state=state.model_dump_json())
        self.one.begin(start, apart.orders)
        self.other = self.one.fork()
        self.one.from_the_beginning = self.other.from_the_beginning = False
        self.other.begin(start, apart.orders)
        for twin, action in zip((self.one, self.other), apart.answers, strict=True):
            twin.answer(apart.seat, action)
        self._compare(ear, self.hidden)
        return True

    def _differ(self, start: Checkpoint) -> None:
        """Begin a stretch in which a seat has other secrets at the second table, or in which others lie hidden there."""
        self.one.begin(start)
        self.parted, self.known_by = False, ()
        twin, rng = self.one.fork(), self.rng
        active = self.spec.rules.active(self.one.table.state)
        seats = [Seat(seat) for seat in self.one.table.state.seats]
        seat = active if active is not None and rng.random() < ACTIVE else rng.choice(seats)
        if len(seats) == 2 and seat == active:              # the one who looks on is asked nothing, and is shown little
            seat = rng.choice(seats)
        state = self.spec.rules.state.model_validate_json(start.state)
        self.spec.rules.bind(state, self.one.parts)
        if self.secrets.of_all(state, rng.randint(1, MOST)) and rng.random() < HIDDEN_FROM_ALL:
            self.hidden, orders = set(), list[Order]()
        else:
            state = self.spec.rules.state.model_validate_json(start.state)
            self.spec.rules.bind(state, self.one.parts)
            changed = rng.random() < 0.8 and (self._near_a_threshold(start, state, seat)
                                              or self.secrets.of_seat(state, seat, rng.randint(1, MOST)))
            orders = [] if changed and rng.random() < 0.5 else list(idle(self.spec, self.one.table.state, seat, rng))
            self.hidden = self.secrets.sharing(state, seat) if changed else {seat}
        self.one.from_the_beginning = twin.from_the_beginning = self.leads_here
        twin.begin(replace(start, state=state.model_dump_json()), orders)
        self.other = twin

    def _near_a_threshold(self, start: Checkpoint, other: Any, seat: Seat) -> bool:
        """Put a seat's secret a little below some number at the first table, and a little above it at the second."""
        rng, level = self.rng, self.secrets.level
        if level is None or rng.random() >= NEAR:
            return False
        number, state = rng.choice(THRESHOLDS), self.spec.rules.state.model_validate_json(start.state)
        self.spec.rules.bind(state, self.one.parts)
        below = max(0, number - rng.randint(1, ASIDE))
        if not (level(state, seat, below) and level(other, seat, number + rng.randrange(ASIDE))):
            return False
        self.one.begin(replace(start, state=state.model_dump_json()))
        self.leads_here = False
        return True

    def _step(self, ear: Ear) -> None:
        """One answer at both tables; sealed ones differ until the last is in, and show nothing at all."""
        one, other, rng = self.one.table, (self.one if self.parted else self.other).table, self.rng
        if not one.given and (decree := rung(one, rng.randrange)) is not None:
            for twin in (self.one, *(() if self.parted else (self.other,))):
                twin.tell(decree)
            return
        waiting = one.waiting()
        asked = rng.choice(waiting)
        known = set(other.options(asked.seat)) if asked.seat in self.hidden | self._shown_apart() else None
        options = [option for option in one.options(asked.seat) if known is None or option in known]   # what may differ is secret
        if not options:                                         # what differs comes to light by any answer
            self.parted, options = True, list(one.options(asked.seat))
        action = random_answer(options, rng.randrange)
        self.tried = [*self.tried, action][-REMEMBERED:]
        sealed = len(waiting) > 1
        onlooker = rng.choice([None, *(seat for seat in one.state.seats if seat != asked.seat)])
        before = self._seen(self.one, onlooker, "before") if sealed else []
        self.one.answer(asked.seat, action)
        if not self.parted:
            try:
                self.other.answer(asked.seat, rng.choice(options) if sealed else action)
            except Illegal as why:                              # what is open to somebody tells of another's secret
                self.found.differences.append(f"game {self.seed}, row {one.last_no}: {action!r} is taken from {asked.seat} at "
                                              f"one table only; the other says: {why}")
                self.parted = True
                return
            self.parted = any(self.secrets.laid_open(twin.happened) or any(isinstance(event, self.known_by)
                                                                           for event in twin.happened)
                              for twin in (self.one, self.other))
        if self.parted:
            return
        if sealed:
            self.found.compare(f"game {self.seed}, row {one.last_no}, before and after the sealed answer of {asked.seat}, "
                               f"seen by {onlooker or 'everybody'}", before, self._seen(self.one, onlooker, "before"))
        hidden = self.hidden | self._shown_apart() | ({asked.seat} if sealed else set())
        if (sealed or rng.random() < COMPARED) and not one.over:
            self._compare(ear, hidden)
        elif not one.over:
            self._compare_letters(hidden)
        if len(one.waiting()) == 1 and len(one.asks) > 1:       # the next answer makes all of them public
            other.given.update(one.given)
            for no in one.sealed:
                place = next(at for at, row in enumerate(self.one.rows) if row.no == no)
                row = self.one.rows[place]
                self.other.rows[place].verb, self.other.rows[place].answer = row.verb, row.answer

    def _seen(self, game: Twin, seat: Seat | None, seed: str) -> list[Output]:
        return list(shown(game, seat, self.tried, Random(seed)))

    def _shown_apart(self) -> set[Seat]:
        """The seats to whom chance has shown something else at the second table."""
        one, other = [self.secrets.shown(game.table.state, game.happened) for game in (self.one, self.other)]
        return {seat for seat in {*one, *other} if one.get(seat) != other.get(seat)}

    def _compare_letters(self, hidden: set[Seat]) -> None:
        """What the last answer has sent: a line is told once, so none is left out."""
        where = f"game {self.seed}, row {self.one.table.last_no}, secrets of {', '.join(sorted(hidden))}"
        self.found.compare(f"{where}, letters", public(self.one.letters, hidden), public(self.other.letters, hidden))

    def _compare(self, ear: Ear, hidden: set[Seat]) -> None:
        found, seed = self.found, self.rng.random()
        paint = self.paint and self.rng.random() < BRUSH
        viewer = self.rng.choice([None, *self.one.table.state.seats])
        where = f"game {self.seed}, row {self.one.table.last_no}, secrets of {', '.join(sorted(hidden))}"
        found.pairs += 1
        self._compare_letters(hidden)
        for seat in (None, *(Seat(seat) for seat in self.one.table.state.seats)):
            looks: list[list[Output]] = []
            for game in (self.one, self.other):
                looked = self._seen(game, seat, f"{seed} {seat}")
                if seat == viewer:
                    looked += pictured(game, seat, Random(seed), paint=paint)
                heard = ear.taken()
                looks.append([*(looked if seat not in hidden else ()), *heard])        # the log is read by the operator
            found.compare(f"{where}, seen by {seat or 'everybody'}", *looks)


def asking(spec: GameSpec, seats: int) -> list[Order]:
    """Orders of all seats to be asked what would else be answered as usual: sealed answers come of it."""
    points = [point.no for point in spec.orders.points if point.quiet] if spec.orders is not None else []
    return [Order(id=100 * seat + number, seat=Seat(f"seat_{seat}"), points=(no,), lines=(OrderLine(),), lasts=ALWAYS)
            for seat in range(1, seats + 1) for number, no in enumerate(points)]


def idle(spec: GameSpec, state: Any, seat: Seat, rng: Random) -> Iterator[Order]:
    """Orders for some of a seat's questions that never answer: they ask, or wait for what never comes true.

    None for quiet questions: that one is put to somebody shows everybody that he wants it so.
    """
    if spec.orders is None:
        return
    never = Test(fact=next(fact.key for fact in spec.orders.conditions if fact.kind == "number"), op="at_least", value=NEVER)
    for number, point in enumerate(spec.orders.points, 1):
        spans = {ALWAYS: "", **spec.orders.spans(state, seat)}
        lasts = [span for span in point.lasts if span in spans]
        if lasts and not point.quiet and rng.random() < 0.5:
            reply = Reply(verb=point.offers[0].verb)
            line = OrderLine() if rng.random() < 0.5 else OrderLine(when=(never,), then=reply, most=0)
            yield Order(id=number, seat=seat, points=(point.no,), lines=(line,), lasts=lasts[0], span=spans[lasts[0]])


async def search(spec: GameSpec, secrets: Secrets, pairs: int, seed: int, ear: Ear, *, edition: str = "",
                 paint: bool = True, any_will_do: bool = False) -> Found:
    """So many pairs of random games at all numbers of players, or only until something differs, if any difference will do.

    A coroutine only because menus want a running loop.
    """
    found, seats = Found(), [number for number in spec.seats if number >= FEWEST] or [*spec.seats]
    for game in count(seed * 1000):
        if found.pairs >= pairs or (any_will_do and found.differences):
            break
        found.add(Pairs(spec, seats[game % len(seats)], game, secrets, edition=edition, paint=paint).run(
            ear, pairs - found.pairs, any_will_do=any_will_do))
    return found
