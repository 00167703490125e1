"""The recap of a story: a war or one of its rounds, board after board."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.games.struggle_of_empires.components import Parts
from engine.games.struggle_of_empires.events import AuctionBegun, OrderFixed, TurnEnded, WarEnded
from engine.games.struggle_of_empires.pictures.scenes import Board, Film
from engine.games.struggle_of_empires.pictures.story_facts import people
from engine.games.struggle_of_empires.state import WARS, State
from engine.games.struggle_of_empires.view import View, view
from engine.kernel.game_spec import Replay
from engine.refusals import Refusal
from engine.text import Text, text, verbatim

CHOICES = 25                # subjects that a menu can offer


@dataclass(frozen=True)
class Frame:
    """The board at a moment of a war; outside the rounds `round` is 0."""

    war: int
    round: int
    seen: View


def wars_and_rounds(components: Parts) -> Mapping[str, Text]:
    rounds = max(start.rounds_per_war for start in components.setup)
    named = {f"war_{war}": text("War {war}", war=war) for war in range(1, WARS + 1)}
    named |= {f"war_{war}_round_{number}": text("War {war}, round {round}", war=war, round=number) for war in range(1, WARS + 1)
              for number in range(1, rounds + 1)}
    return dict(list(named.items())[:CHOICES])


def recap(story: Replay) -> Film:
    """A war or one of its rounds, board after board; the war of the last thing that happened, if there is no subject."""
    frames = _frames(story)
    if not frames:
        raise Refusal("There is nothing to recap yet. A recap shows the board after each auction and turn.")
    war, number = _stretch(story) if story.subject else (frames[-1].war, 0)
    wanted = [index for index, frame in enumerate(frames) if frame.war == war and number in (0, frame.round)]
    s: State = story.end()
    if not wanted:
        raise Refusal("Nothing has happened yet in {stretch}.", stretch=wars_and_rounds(s.parts)[story.subject])
    now, named = view(s, None), people(story, s)
    boards = [Board(now=frames[index].seen, before=frames[index - 1].seen if index else None, people=named) for index in wanted]
    still_on = wanted[-1] == len(frames) - 1 and number in (0, now.round)
    if still_on and boards[-1].now != now:
        boards.append(Board(now=now, before=boards[-1].now, people=named))
    return Film(frames=tuple(boards))


def _stretch(story: Replay) -> tuple[int, int]:
    """War and round of a story's subject; round 0 is the whole war."""
    if story.subject not in wars_and_rounds(story.parts):
        raise Refusal("There is no war or round {stretch}.", stretch=verbatim(story.subject))
    war, _, number = story.subject.removeprefix("war_").partition("_round_")
    return int(war), int(number or 0)


def _frames(story: Replay) -> list[Frame]:
    frames: list[Frame] = []
    war, round_ = 1, 0                  # before the event
    for _, event, state in story.events():
        s: State = state
        match event:
            case TurnEnded():
                frames.append(Frame(war, round_, view(s, None)))
            case WarEnded() | OrderFixed():
                frames.append(Frame(war, 0, view(s, None)))
            case AuctionBegun() if s.row_a or s.row_b:      # the auction before this one is won and paid
                frames.append(Frame(war, 0, view(s, None)))
        war, round_ = s.war, s.round
    return frames
