"""Answering by order: which line fits, and the legal answer that it wishes for."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from engine.kernel import Action, Ask, GameSpec, Seat
from engine.kernel.decision_points import Ordering
from engine.kernel.order import ALWAYS, DEFAULT, RANK, Order, OrderLine, Value
from engine.refusals import Illegal
from engine.text import Text, text


class Orders:
    """The orders of all seats of one game, with how often each has answered in the rows in force.

    Of two orders of one kind the one that comes first is looked at first.
    """

    def __init__(self, spec: GameSpec, orders: Iterable[Order], used: Mapping[int, int] = {}) -> None:
        self.spec = spec
        self._used = dict(used)
        self._of: dict[Seat, list[Order]] = {}
        for order in sorted(orders, key=lambda order: RANK[order.kind]):
            self._of.setdefault(order.seat, []).append(order)

    def of(self, seat: Seat) -> list[Order]:
        return list(self._of.get(seat, ()))

    def left(self, order: Order) -> int | None:
        """How often an order can still answer; None: without end."""
        times = len(steps(order)) if order.kind == "written" else order.times
        return None if times is None else max(0, times - self._used.get(order.id, 0))

    def holds(self, order: Order, state: Any) -> bool:
        if self.left(order) == 0 and order.kind != "written":
            return False
        return order.lasts == ALWAYS or self._ordering.spans(state, order.seat).get(order.lasts) == order.span

    def used(self, order: int) -> None:
        self._used[order] = self._used.get(order, 0) + 1

    def answer(self, state: Any, question: Ask[Any], options: tuple[Action, ...]) -> tuple[Action, int] | None:
        """The answer that the seat has ordered for this question, with the number of the order; None: ask.

        A quiet question gets what is usual, by no order, where no line fits. Of a question in parts, the first that is ordered
        is answered.
        """
        for part, possible in self._ordering.parts(state, question, options):
            if (given := self._answer(state, part, possible)) is not None:
                return given
        return None

    def _answer(self, state: Any, question: Ask[Any], options: tuple[Action, ...]) -> tuple[Action, int] | None:
        own = [order for order in self._of.get(question.seat, ()) if question.point in order.points]
        usual = (_default(state, question, options), 0) if self._ordering.quiet(question.point) else None
        if not own:
            return usual
        facts = self._ordering.facts(state, question.seat, question)
        for order in own:
            if not self.holds(order, state):
                continue
            if order.kind == "written":
                if self._used.get(order.id) and question.by_hand:
                    continue                # its author has taken over
                given = self._written(order, state, question, options, facts)
                if given is not None or self.left(order):
                    return given            # a written turn of which no line fits stops, and its author is asked
                continue
            for line in self._unused(order, state, question):
                if all(test.holds(facts) for test in line.when):
                    if line.then is None:
                        return None
                    if (action := self._legal(line, state, question, options)) is not None:
                        return action, order.id
        return usual

    def halted(self, state: Any, question: Ask[Any], options: tuple[Action, ...]) -> tuple[OrderLine, Text] | None:
        """The line before which a written turn of the seat has stopped at this question, and why; None: none has."""
        facts = self._ordering.facts(state, question.seat, question)
        for order in self._of.get(question.seat, ()):
            if order.kind != "written" or question.point not in order.points or not self.holds(order, state):
                continue
            place = self._used.get(order.id, 0)
            if not self.left(order) or (place and question.by_hand):
                continue
            if self._written(order, state, question, options, facts) is not None:
                return None
            line = steps(order)[place][0]
            return line, self._why_not(line, state, question, options, facts)
        return None

    def _why_not(self, line: OrderLine, state: Any, question: Ask[Any], options: tuple[Action, ...],
                 facts: Mapping[str, Value]) -> Text:
        if not all(test.holds(facts) for test in line.when):
            return text("Its condition isn't met.")
        if line.then is None:
            return text("You wanted to be asked.")
        meant = line.then.widened(self._ordering.alike(state)).among(options)
        if meant is not None and (more := meant.consequence(state, question.seat)) is not None:
            return text("You haven't ordered it at that cost: {more}", more=more)
        kind = self.spec.verb(line.then.verb)
        obstacle = None if kind is None else kind.obstacle(state, question.seat)
        return text("It isn't possible now.") if obstacle is None else obstacle.text

    @property
    def _ordering(self) -> Ordering:
        return self.spec.orders or Ordering(points=())

    def _unused(self, order: Order, state: Any, question: Ask[Any]) -> Iterator[OrderLine]:
        """The lines of an order; of a list, without one line for each answer that the order has given already."""
        point = self._ordering.point(question.point)
        given = list(point.given(state, question.seat)) if point and point.given else []
        times = self._used.get(order.id, 0)
        for line in order.lines:
            done = line.then.among(given) if times and line.then is not None else None
            if done is None:
                yield line
            else:
                given.remove(done)
                times -= 1

    def _written(self, order: Order, state: Any, question: Ask[Any], options: tuple[Action, ...],
                 facts: Mapping[str, Value]) -> tuple[Action, int] | None:
        """The next step of a written turn. What it does not speak of, between two of its steps, gets its default."""
        place, all_steps = self._used.get(order.id, 0), steps(order)
        step = all_steps[place] if place < len(all_steps) else ()
        for line in step:
            if all(test.holds(facts) for test in line.when):
                if line.then is None:
                    return None
                if (action := self._legal(line, state, question, options)) is not None:
                    return action, order.id
        accepted = {kind.verb for kind in question.accepts}
        meant = any(line.then is not None and line.then.verb in accepted for line in step)
        if place and not meant and question.point in self._ordering.between and question.default is not None:
            return _default(state, question, options), 0
        return None

    def _legal(self, line: OrderLine, state: Any, question: Ask[Any], options: tuple[Action, ...]) -> Action | None:
        """The answer that a line means, if it is legal and the line allows what it costs [P-25, P-26]."""
        assert line.then is not None, "a line without an answer asks"
        point, seat = self._ordering.point(question.point), question.seat
        if line.then.offer and point and not point.offer(line.then.offer):
            return None                     # it answers another question of a packet
        grows = point.grows if point else ""

        def allowed(option: Action) -> bool:
            if line.most is not None and getattr(option, grows, 0) > line.most:
                return False
            if line.costly or option.consequence(state, seat) is None:
                return True
            return line.toll is not None and self._ordering.toll(state, seat, option) <= line.toll

        if line.then.verb == DEFAULT:
            usual = _default(state, question, options)
            return usual if allowed(usual) else None
        chosen = line.then.widened(self._ordering.alike(state)).among(options, allowed)
        if chosen is not None and chosen.open_ended and chosen not in options:
            try:
                chosen.check(state, seat)
            except Illegal:
                return None
        return chosen


def _default(state: Any, question: Ask[Any], options: tuple[Action, ...]) -> Action:
    return question.default(state, question.seat) if callable(question.default) else question.default or options[0]


def steps(order: Order) -> list[tuple[OrderLine, ...]]:
    """The steps of a written turn: a line with its ways out."""
    found: list[list[OrderLine]] = []
    for line in order.lines:
        if line.instead and found:
            found[-1].append(line)
        else:
            found.append([line])
    return [tuple(step) for step in found]
