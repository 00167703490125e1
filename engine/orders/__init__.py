"""Standing orders: what a seat answers before it is asked, as a list of lines "if this holds, answer so" [P-21, P-22].

Orders are private and never part of the log: a row says only that it was answered, and the bot keeps beside it which order
did so. An order answers from what its seat can see, and only with an answer that is legal at that moment.
"""
from __future__ import annotations

from engine.kernel.decision_points import EACH, Condition, Noun, Offer, Ordering, Pace, Point, Series, Slot, Span
from engine.kernel.order import (
    ALWAYS,
    DEFAULT,
    LEAST,
    LINES,
    MOST,
    NUMBERS,
    ORDERS,
    RANK,
    TESTS,
    TURN,
    UP_TO,
    Kind,
    Op,
    Order,
    OrderLine,
    Reply,
    Test,
    Value,
    Wish,
    parsed,
)
from engine.orders.answering import Orders, steps
from engine.orders.validation import checked
from engine.orders.wording import answer_text, line_text, offer_text, order_text
