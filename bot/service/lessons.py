"""Lessons, which touch no game, and tips for a member's first one."""
from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bot.core.incidents import operation
from bot.core.service import Service
from bot.store import Ledger
from engine.components import components
from engine.kernel import GameSpec
from engine.kernel.lesson import Lesson
from engine.lessons import LessonProgress, fitting, leading, stand
from engine.refusals import Refusal


class Lessons(Service):
    async def lesson(self, user: int, spec: GameSpec, lesson: Lesson) -> LessonProgress:
        """Where a member stands in a lesson: at its first step, if it has not been begun."""
        noted = await self.store.read(lambda ledger: ledger.lessons.learnt(user, spec.key, lesson.key))
        return await self._stand(spec, lesson, noted)

    async def lessons(self, user: int, games: Sequence[GameSpec]) -> list[tuple[GameSpec, Lesson, int]]:
        """Every lesson of these games, with the step at which a member stands in it, from 0."""
        known = [(spec, lesson) for spec in games for lesson in spec.words.lessons]
        noted = await self.store.read(
            lambda ledger: [ledger.lessons.learnt(user, spec.key, lesson.key) for spec, lesson in known])
        return [(spec, lesson, len(fitting(lesson, answers))) for (spec, lesson), answers in zip(known, noted)]

    @operation
    async def learn(self, user: int, spec: GameSpec, lesson: Lesson, step: int, answer: str) -> LessonProgress:
        """Take a member's answer to a step, and go on to the next one; to another step than the present one it changes nothing.

        Raises Refusal: the answer does not lead on.
        """
        at = self.session.time()

        def note(ledger: Ledger) -> Sequence[str]:
            noted = fitting(lesson, ledger.lessons.learnt(user, spec.key, lesson.key))
            if len(noted) != step or step == len(lesson.steps) - 1:
                return noted
            if answer not in leading(lesson.steps[step]):
                raise Refusal("The lesson goes another way. Choose one of the moves it offers.")
            ledger.lessons.learn(user, spec.key, lesson.key, [*noted, answer], at)
            return [*noted, answer]

        return await self._stand(spec, lesson, await self.store.write(note))

    @operation
    async def begin_anew(self, user: int, spec: GameSpec, lesson: Lesson) -> LessonProgress:
        at = self.session.time()
        await self.store.write(lambda ledger: ledger.lessons.learn(user, spec.key, lesson.key, (), at))
        return await self._stand(spec, lesson, ())

    @operation
    async def tip(self, user: int, game: str, point: str) -> bool:
        """A member gets the tip on a decision point now; False: that has happened before."""
        return await self.store.write(lambda ledger: ledger.lessons.note_tip(user, game, point))

    @operation
    async def no_tips(self, user: int) -> None:
        await self.store.write(lambda ledger: ledger.lessons.no_tips(user))

    async def _stand(self, spec: GameSpec, lesson: Lesson, noted: Sequence[str]) -> LessonProgress:
        found = await asyncio.to_thread(components, spec, lesson.edition)
        return await asyncio.to_thread(stand, spec, found.parts, lesson, noted)
