"""Whether an order can be kept: refusals of what would never fit."""
from __future__ import annotations

from typing import Any

from engine.kernel import GameSpec
from engine.kernel.decision_points import Ordering
from engine.kernel.order import ALWAYS, DEFAULT, LINES, NUMBERS, TESTS, Order, OrderLine, limit_of
from engine.refusals import Faulty
from engine.text import printed, verbatim


def checked(spec: GameSpec, order: Order, state: Any) -> Order:
    """The order as it can be stored: it speaks of points, conditions and answers that there are, and comes to an end.

    What it lasts is filled in from the present position. Raises Faulty with a sentence for its author.
    """
    ordering = spec.orders
    if ordering is None:
        raise Faulty("{game} has no standing orders.", game=printed(spec.name))
    if not 0 < len(order.lines) <= LINES or not order.points:
        raise Faulty("An order needs one to {most} lines and at least one question it is for.", most=LINES)
    points = [ordering.point(no) for no in order.points]
    for no, point in zip(order.points, points):
        if point is None:
            raise Faulty("There is no question {no} to decide in advance.", no=verbatim(no))
        fixed = ordering.fixed(order.kind)
        if (order.lasts not in point.lasts) if fixed is None else (order.lasts != fixed):
            raise Faulty("An order for this question can't last that long.", rule="P-23")
    if order.times is not None and order.times < 1:
        raise Faulty("An order must work at least once.")
    for line in order.lines:
        _check_line(spec, ordering, line, {point.grows for point in points if point and point.grows})
    if order.lasts == ALWAYS:
        return order.model_copy(update={"span": ""})
    span = order.span or ordering.spans(state, order.seat).get(order.lasts)
    if not span:
        raise Faulty("This order can't be limited like that now. Choose how long it lasts.")
    return order.model_copy(update={"span": span})


def _check_line(spec: GameSpec, ordering: Ordering, line: OrderLine, grows: set[str]) -> None:
    if len(line.when) > TESTS:
        raise Faulty("A line has at most {most} conditions.", most=TESTS)
    for test in line.when:
        condition = ordering.condition(test.fact)
        if condition is None:
            raise Faulty("There is no condition {fact}.", fact=verbatim(test.fact))
        kind = {"flag": bool, "number": int, "choice": str}[condition.kind]
        if type(test.value) is not kind or (condition.kind != "number" and test.op not in ("is", "is_not")):
            raise Faulty("A line can't compare {fact} like that.", fact=condition.said)
    if line.then is None or line.then.verb == DEFAULT:
        return
    action = next((action for action in spec.rules.actions if action.verb == line.then.verb), None)
    if action is None or set(line.then.fields) - set(action.model_fields):
        raise Faulty("{verb:Begin} can't be ordered like that.", verb=verbatim(line.then.verb))
    numbers = [wish for wish in (*line.then.fields.values(), line.most, line.toll) if isinstance(wish, int)]
    numbers += [limit for wish in line.then.fields.values() if (limit := limit_of(wish)) is not None]
    if any(not 0 <= number <= NUMBERS for number in numbers):
        raise Faulty("Numbers in an order go from 0 to {most}.", most=NUMBERS)
    named = any(isinstance(line.then.fields.get(name), int) for name in grows)
    if action.open_ended and grows and line.most is None and not named:
        raise Faulty("A line that raises needs a limit.", rule="P-26")
