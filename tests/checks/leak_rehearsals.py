"""What a seat is shown of a rehearsal: the world that was dealt, every screen, whatever is asked of whom, and the board at its
end."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from bot.discord.game.action_menu import screen
from bot.domain.announcements import reader
from engine.kernel import Checkpoint, GameSpec, Row, Seat
from engine.kernel.game_spec import pictures
from engine.players.rehearsal import Given, Present, World, automatic, learnt
from engine.selfplay import random_answer
from engine.text import say
from tests.checks.findings import Output

GAME = 1                    # the number of the game in menus
AUTOMATIC = 0.4             # of the answers are an automatic player's
SEED = "5eed"


def rehearsed(spec: GameSpec, parts: Any, start: Checkpoint, rows: Sequence[Row], sealed: Sequence[int], seat: Seat, rng: Random,
              answers: int) -> Iterator[Output]:
    """A rehearsal of a seat that is asked, from what everybody knows of the game, with so many answers at most."""
    known = [row for row in rows if row.no > start.no and row.no not in sealed]
    present, given = Present(spec=spec, parts=parts, start=start, rows=known, seat=seat), list[Given]()
    try:
        world = present.played(SEED, ())
        yield "rehearsal: the world", world.state.model_dump_json()
        yield "rehearsal: it begins", shown(world, seat, -1)
        for number in range(answers):
            if world.over:
                break
            asked, since = world.waiting()[0].seat, world.last_no
            given.append(automatic(world, SEED) if rng.random() < AUTOMATIC else
                         (asked, random_answer(world.options(asked), rng.randrange)))
            world = present.played(SEED, given)
            yield f"rehearsal: answer {number}", (repr(given[-1]), shown(world, seat, since))
        scene = pictures(spec)[0].scene(present.story(SEED, world))
        yield "rehearsal: the board", scene.model_dump_json() if scene is not None else None
    except Exception as why:                            # the member reads one sentence, whatever it was
        yield "rehearsal: it can't go on", type(why).__name__


def shown(world: World, seat: Seat, since: int) -> object:
    """What is told of the last answer, and the screen below it."""
    who = reader(world.spec, world.parts, world.state, world.state.seats)
    told = [say(sentence, who) for sentence in learnt(world, seat, since)]
    if world.over:
        return told, say(world.spec.words.result(world.state), who)
    now = screen(world, GAME, world.waiting()[0].seat)
    return told, now.words, now.view.to_components() if now.view is not None else None
