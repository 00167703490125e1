"""Rehearsals: a seat plays on from the present position in a world that may be the true one, as a try.

What the seat does not know is dealt anew from what it may see, by a seed that has nothing to do with the game's own secret; so
are the dice. Games that differ in others' secrets alone give the same rehearsals from the same seed. Nothing of the true game is
changed, and nothing that goes wrong here says anything of it.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.dice import SecretDice, commitment
from engine.kernel import Action, Checkpoint, Event, GameSpec, Row, Seat, Table
from engine.kernel.actions import Aside
from engine.kernel.events import told
from engine.kernel.game_spec import Replay, loaded
from engine.players import Seeded, choose, position
from engine.players.search import deal_anew
from engine.text import Text

Given: TypeAlias = tuple[Seat, Action]
"""An answer, and the seat for which it was given."""


class World(Table):
    """A table of a rehearsal: as the game's own, but for what is done at any time, which is public at once."""

    @property
    def asides(self) -> tuple[type[Aside], ...]:
        return ()


@dataclass(frozen=True, kw_only=True)
class Present:
    """Where a rehearsal begins: a checkpoint, and the rows since then of which everybody may know."""

    spec: GameSpec
    parts: Any
    start: Checkpoint
    rows: Sequence[Row]
    seat: Seat                          # who rehearses, and from whose view the rest is dealt anew

    def deal(self, seed: str) -> World:
        dice = SecretDice(commitment(seed.encode().hex()), by_decision=True)
        world = World(self.spec, self.parts, self.start, self.rows, dice=dice, run_on=False, checkpoints=False)
        deal_anew(world, self.seat, Seeded(seed))
        return world

    def played(self, seed: str, given: Iterable[Given]) -> World:
        """Such a world after these answers. Raises Refusal: one of them is not possible; and whatever a world raises that
        cannot be the true one."""
        world = self.deal(seed)
        world.go_on()
        for seat, action in given:
            world.answer(seat, action)
        return world

    def story(self, seed: str, world: World) -> Replay:
        """Return what a picture for the seat that rehearses is made from, marked with what the rehearsal has changed."""
        begun = self.deal(seed)
        start = Checkpoint(begun.last_no, begun.rolls, begun.state.model_dump_json())
        return _Story(spec=self.spec, parts=self.parts, start=start, rows=[entry.row() for entry in world.fresh], seat=self.seat,
                      since=start.no, options=world.options(self.seat))


class _Story(Replay):
    """A story that begins in the middle of a phase: what that did when it began has been done."""

    def _begin(self) -> tuple[Any, tuple[Event, ...]]:
        return loaded(self.spec, self.parts, self.start), ()


def automatic(world: World, seed: str) -> Given:
    """Return what a solid player answers to the first question that waits."""
    asked = world.waiting()[0]
    seen = position(world, asked.seat)
    assert seen is not None, "somebody is asked, in a game that has automatic players"
    return asked.seat, choose(world.spec, "solid", seen, seed)


def learnt(world: World, seat: Seat, since: int) -> list[Text]:
    """Return what a seat reads of the rows of a rehearsal after this one: what everybody does, and what it alone learns."""
    return [sentence for entry in world.fresh if entry.no > since for sentence in (
        *told(entry.events), *(words for reached, words in entry.private if reached == seat))]
