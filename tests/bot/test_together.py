"""No letter is written apart from what it tells, whatever its kind; and whoever looks for that would find it."""
from __future__ import annotations

from bot.domain.letters import KINDS, Notice, Opened
from bot.store import Ledger, Store
from tests.bot.desk import ANNA, opened, play_on
from tests.bot.together import WITH, watched


def test_of_every_kind_it_is_said_what_is_written_with_it() -> None:
    assert set(WITH) == set(KINDS)


async def test_news_that_are_noted_as_told_by_another_transaction_would_be_found(store: Store) -> None:
    game = await opened(play_on(store))

    def mark(ledger: Ledger) -> None:
        ledger.interests.opening_told(ANNA, [game])

    def tell(ledger: Ledger) -> None:
        ledger.outbox.add_letters(game, 0, [Opened(user=ANNA, games=[game]), Notice(text="News.")], "")

    with watched("tests.") as found:
        await store.write(lambda ledger: (mark(ledger), tell(ledger)))
        assert found == []
        await store.write(mark)
        await store.write(tell)
    assert sorted(found) == [f"tests.bot.test_together writes a {kind} with ['outbox']" for kind in ("notice", "opened")]
