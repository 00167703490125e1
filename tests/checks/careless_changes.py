"""The careless changes of code that `planted_faults` plants: each a function in the place of a real one, or made from it."""
from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import bot.service.incidents
import engine.options
from bot.discord import components
from bot.discord.outbox import Outbox
from bot.service import Done
from bot.service.answers import Answers
from bot.service.incidents import Incidents
from bot.service.plans import Plans
from bot.service.session import Session
from bot.store import Ledger, PlanRow
from bot.store.bookmarks import Bookmarks
from engine.dice import SecretDice
from engine.games.struggle_of_empires import GAME as EMPIRES
from engine.games.struggle_of_empires.actions import Pass
from engine.kernel import Action, Table
from tests.bot.frail import FrailStore
from tests.toy import SECRET


async def nothing_async(*args: Any, **more: Any) -> None:
    """Do nothing."""


@contextmanager
def in_two_transactions() -> Iterator[None]:
    """The letters of an answer are stored after its rows, by themselves."""
    real = FrailStore.write

    async def write(self: FrailStore, work: Callable[[Ledger], Any], *, delivers: bool = False) -> Any:
        later: list[tuple[Any, ...]] = []

        def first(ledger: Any) -> Any:
            with patch.object(ledger, "add_letters", lambda *letters: later.append(letters)):
                return work(ledger)

        def second(ledger: Ledger) -> None:
            for letters in later:
                ledger.add_letters(*letters)

        if getattr(work, "__name__", "") != "save":
            return await real(self, work, delivers=delivers)
        result = await real(self, first)
        await real(self, second)
        return result

    with patch.object(FrailStore, "write", write):
        yield


def as_often_as_one_likes(real: Any) -> Any:
    """A hand that is asked for kinds of cards, not for how many of each."""
    return lambda state, power, wanted: real(state, power, [*dict.fromkeys(wanted)])


def unstamped(real: Any) -> Any:
    """A table that believes an answer to an earlier question."""
    def examine(self: Table, seat: Any, action: Any, *, asked_at: int | None = None) -> None:
        real(self, seat, action)
    return examine


def same_secret(real: Any) -> Any:
    """A branch that throws the dice of the game from which it comes."""
    return lambda secret, options: real(SECRET, options)


def biased(real: Any) -> Any:
    """Dice that now and then show a low value once more."""
    def call(self: SecretDice, epoch: int, throw: int, sides: tuple[int, ...], purpose: str = "") -> tuple[int, ...]:
        shown = real(self, epoch, throw, sides, purpose)
        return tuple([1 if value == side and throw % 3 == 0 else value for value, side in zip(shown, sides)])
    return call


def without_epoch(real: Any) -> Any:
    """Dice that are not thrown afresh."""
    return lambda self, epoch, throw, sides, purpose="": real(self, 0, throw, sides, purpose)


async def put_anyhow(self: Outbox, channel: Any, words: str, *, game: int, nonce: str, **extra: Any) -> int:
    """Post under a nonce of this moment alone."""
    return int((await channel.send(words, nonce=f"n{random.random()}"[:20], **extra)).id)


@contextmanager
def untold_choice() -> Iterator[None]:
    """Who sees what is a choice like any other."""
    choice = engine.options.choice_of(EMPIRES, "gm.sees_secrets")
    object.__setattr__(choice, "told", False)
    try:
        yield
    finally:
        object.__setattr__(choice, "told", True)


@contextmanager
def nothing_to_do() -> Iterator[None]:
    """Somebody who could attack cannot do anything else: a question without a legal answer."""
    with patch.object(Pass, "options", classmethod(lambda cls, state, seat: () if state.round > 1 else (cls.of(),))):
        yield


async def always(*args: Any, **more: Any) -> bool:
    """Say yes, whatever is asked."""
    return True


def anybodys_note(self: Bookmarks, game: int, user: int, row: int) -> Any:
    """What whoever it was has noted at a step."""
    return next((note.words for (writer,) in self.conn.execute("SELECT user FROM bookmarks").fetchall()
                 for note in self.bookmarks(writer) if (note.game, note.row) == (game, row)), None)


async def by_number(interaction: Any, number: int) -> Any:
    """The game with this number, whoever asks."""
    return await interaction.client.services.queries.game(number)


def but_the_last(real: Any) -> Any:
    """The course of a game without its last row."""
    async def story(*asked: Any, **more: Any) -> Any:
        found = await real(*asked, **more)
        return replace(found, rows=found.rows[:-1])
    return story


def as_they_come(self: components.Registered, words: Any) -> list[Any] | None:
    """The facts of a button, whatever they are."""
    return [*words] if len(words) == len(self.kinds) else None


@contextmanager
def without_route(name: str) -> Iterator[None]:
    """Buttons of this name lead nowhere, as if it had been given another one."""
    with patch.dict(components._registered):
        del components._registered[name]
        yield


def unveiled(real: Any) -> Any:
    """A table whose orders answer at once."""
    return lambda *given, **more: real(*given, **{**more, "veiled": False})


def in_nobodys_name(real: Any) -> Any:
    """Answers that pass for those of the seat."""
    async def give(self: Session, *given: Any, proxy: Any = None, **more: Any) -> Any:
        return await real(self, *given, **more)
    return give


def reminding_once(real: Any) -> Any:
    """A game without a clock that reminds once and never again."""
    return lambda self, now, hours: None if self.allowed is None and self.reminded else real(self, now, hours)


def quoting(what: str, why: BaseException) -> None:
    """A line of the log with the words of the error."""
    bot.service.incidents.log.error("%s: %s: %s", what, type(why).__name__, why)


def oldest_first(self: Incidents) -> None:
    """Throw the oldest capsules away, of whatever kind."""
    for path in self.files()[:-bot.service.incidents.KEPT]:
        path.unlink()


def asking_each_round(real: Any) -> Any:
    """A battle that asks for reinforcements, whatever was ordered."""
    return lambda self, state, question, options: None if question.point == "D-11" else real(self, state, question, options)


def to_who_has_not_ordered(real: Any) -> Any:
    """An invitation to those who have no orders."""
    def packet(table: Any, told: Any, who: Any) -> Any:
        letter, span = real(table, told, who)
        invited = [seat for seat in letter.seats if not table.deputy.of(seat)] if letter is not None else []
        return (letter if letter is None else letter.model_copy(update={"seats": invited})), span
    return packet


def by_the_present_rulings(real: Any) -> Any:
    """Games that are set up by the present rulings, whenever they began."""
    return lambda self, seats, options, parts, *, version: real(self, seats, options, parts, version=self.rules.version)


def by_default(real: Any) -> Any:
    """Questions that are answered by their default for whoever is away."""
    return lambda *given, **more: real(*given, **{**more, "in_absence": None})


def from_the_beginning(real: Any) -> Any:
    """The rest of a question as a question of its own."""
    return lambda *given, **more: real(*given, **{**more, "continues": False})


async def noted(self: Plans, game: int, plan: PlanRow) -> None:
    """A plan that is kept where everybody can read of it."""
    def keep(ledger: Ledger) -> None:
        ledger.keep_plan(game, plan)
        ledger.note(game, plan.user, "planned a step", self.session.time())
    await self.store.write(keep)


async def one_by_one(self: Answers, game: int, user: int, actions: Sequence[Action], *, asked_at: int) -> Done:
    """Several answers, of which those before the first that is not legal count."""
    for action in actions[:-1]:
        await self.answer(game, user, action)
    return await self.answer(game, user, actions[-1])
