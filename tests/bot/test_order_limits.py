"""Every screen of orders, for every game that takes any, within what Discord shows."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from bot.discord.components import Persistent, view
from bot.discord.orders.editor import written_out
from bot.discord.orders.overview import Place
from bot.discord.orders.packets import ready_answers
from bot.domain import order_drafts
from bot.domain.announcements import reader_of
from bot.domain.order_drafts import Draft, DraftHistory
from bot.service.orders import OwnOrders, in_advance
from bot.store import GameRow
from engine.catalog import GAMES
from engine.kernel import GameSpec
from engine.orders import ALWAYS, checked
from engine.text import Text, say
from tests.bot.test_limits import positions, problems_of_row
from tests.toy import PEBBLES

EVERY = [spec for spec in (*GAMES, PEBBLES) if spec.orders is not None]
NOTHING = OwnOrders(kept=(), drafts={}, answered=False)
GAME = GameRow(id=1_000_000, key="", edition="", options={}, title="", guild=None, channel=1, owner=1, seats=2, status="running",
               pack_hash="", commitment="", created_at="")
STEP = 999_999_999


def place(spec: GameSpec, answers: int) -> Place:
    """The seat that is asked after so many answers."""
    table, seat = list(positions(spec, answers))[-1]
    assert spec.orders is not None
    return Place(GAME, table, seat, spec.orders, reader_of(table), NOTHING)


def values(items: Sequence[Persistent]) -> list[str]:
    """What can be chosen on a screen, and the buttons that lead on."""
    shown = view(items)
    assert shown is not None
    return [option["value"] for row in shown.to_components() for item in row["components"] if item["type"] == 3
            for option in item["options"] if "deskchoose" in item["custom_id"]]


def fits(told: Sequence[Text], items: Sequence[Persistent], here: Place) -> None:
    words = "\n".join(say(line, here.reader) for line in told)
    assert 0 < len(words) <= 2000 and "{" not in words
    shown = view(items)
    assert shown is not None and len(shown.to_components()) <= 5
    assert [fault for row in shown.to_components() for fault in problems_of_row(row)] == []


def ways(here: Place, draft: Draft, most: int) -> Iterator[Draft]:
    """All drafts that taps lead to, with some of the values of each choice, to complete lines."""
    if most == 0:
        return
    told, items = written_out(here, DraftHistory(now=draft, step=STEP))
    fits(told, items, here)
    if order_drafts.stage(here.ordering, draft) == "lines":
        yield draft
        return
    shown = values(items)
    some = shown if order_drafts.stage(here.ordering, draft) in ("point", "offer") else [*shown[:1], *shown[-1:]]
    for value in some:
        after = order_drafts.chosen(here.ordering, draft, value)
        if after.part is not None and after.part.wished:
            fits(*written_out(here, DraftHistory(now=after, step=STEP)), here)
            after = order_drafts.wished(here.ordering, after)
        yield from ways(here, after, most - 1)


@pytest.mark.parametrize("spec", EVERY, ids=lambda spec: spec.key)
def test_every_line_that_can_be_tapped_together_fits_and_can_be_stored(spec: GameSpec) -> None:
    here = place(spec, 40)
    beginnings = [Draft(), order_drafts.turn(here.ordering)]
    complete = [draft for first in beginnings for draft in ways(here, first, 9)]
    assert len(complete) > len(here.ordering.points)
    for draft in complete:
        again = Draft.model_validate_json(draft.model_dump_json())
        assert again == draft, "a restart changes what is half written"
        if draft.lasts in {ALWAYS, *here.ordering.spans(here.table.state, here.seat)}:
            checked(spec, order_drafts.finished(here.ordering, draft, here.seat), here.table.state)


@pytest.mark.parametrize("spec", EVERY, ids=lambda spec: spec.key)
def test_every_condition_that_can_be_tapped_together_fits(spec: GameSpec) -> None:
    here = place(spec, 40)
    for point in here.ordering.points:
        draft = order_drafts.chosen(here.ordering, order_drafts.for_point(here.ordering, point.no), order_drafts.ASK)
        for key in order_drafts.condition_keys(here.ordering, draft):
            asked = order_drafts.chosen(here.ordering, draft.model_copy(update={"fact": ""}), key)
            told, items = written_out(here, DraftHistory(now=asked, step=STEP))
            fits(told, items, here)
            for op in values(items):
                compared = order_drafts.chosen(here.ordering, asked, op)
                told, items = written_out(here, DraftHistory(now=compared, step=STEP))
                fits(told, items, here)
                if compared.fact is not None:
                    done = order_drafts.chosen(here.ordering, compared, values(items)[0])
                    assert done.lines[0].when and done.fact is None


@pytest.mark.parametrize("spec", EVERY, ids=lambda spec: spec.key)
def test_a_screen_with_twenty_long_lines_still_fits(spec: GameSpec) -> None:
    here = place(spec, 40)
    longest = max(ways(here, order_drafts.turn(here.ordering), 9), key=lambda draft: len(str(draft.lines)))
    full = longest.model_copy(update={"lines": longest.lines * 20})
    told, items = written_out(here, DraftHistory(now=full, step=STEP))
    fits(told, items, here)


@pytest.mark.parametrize("spec", EVERY, ids=lambda spec: spec.key)
def test_every_answer_in_advance_is_told_apart_and_fits(spec: GameSpec) -> None:
    """Of each question; of what is written for a turn, where it can be answered ahead in a game."""
    here = place(spec, 40)
    asked = {point.no: here for point in here.ordering.points if point.no not in here.ordering.written}
    for table, seat in positions(spec, 40):
        asked |= {no: Place(GAME, table, seat, here.ordering, here.reader, NOTHING) for no in in_advance(table, seat)}
    assert len(asked) > len(here.ordering.points) / 2
    for no, there in asked.items():
        ready = ready_answers(there, here.ordering.point(no))
        assert len({value for value, _, _ in ready}) == len(ready)
        assert all(len(value) <= 100 for value, _, _ in ready)
        told = [say(words, here.reader) for _, _, words in ready]
        assert all(told) and not any("…" in words for words in told)
