"""From a story to what each picture shows. Public scenes are made from public views, whoever looks; only the board holds what its
reader alone may see."""
from __future__ import annotations

from collections.abc import Mapping

from engine.games.imperial_struggle.components import Parts
from engine.games.imperial_struggle.pictures.scenes import Board, People, Region
from engine.games.imperial_struggle.state import State
from engine.games.imperial_struggle.view import View, view
from engine.kernel import Seat
from engine.kernel.game_spec import Picture, Story


def _people(story: Story, s: State) -> People:
    """Whose player is called what."""
    if s.phase in ("setup", "sides"):
        return ()
    named = [(s.power(Seat(seat)), story.people.get(Seat(seat), "")) for seat in s.seats]
    return tuple((side, name) for side, name in named if name)


def _views(story: Story, s: State, seat: Seat | None) -> tuple[View, View | None]:
    """The view now, and the one that the reader knows if it is another one."""
    known = story.known()
    now, before = view(s, seat), view(known, seat) if known is not None else None
    return now, before if before != now else None


def board(story: Story) -> Board:
    """The board for the story's reader, with what is new since the last look."""
    s: State = story.end()
    now, before = _views(story, s, story.seat)
    return Board(now=now, before=before, people=_people(story, s))


# --- a region -------------------------------------------------------------------------------------------------

def regions(parts: Parts) -> Mapping[str, str]:
    """What a close-up can be about."""
    return {region.id: region.name for region in parts.regions}


def _changed(now: View, before: View | None) -> list[str]:
    """The regions where something is new to the reader."""
    if before is None:
        return []
    known = dict(zip((space.space for space in before.spaces), before.spaces))
    return list(dict.fromkeys(space.region for space in now.spaces if space != known[space.space]))


def region(story: Story) -> Region:
    """A region close up: the subject, or the first one where something is new, or Europe."""
    s: State = story.end()
    now, before = _views(story, s, None)
    about = story.subject if story.subject in regions(s.parts) else next(iter(_changed(now, before)), s.parts.regions[0].id)
    return Region(region=about, now=now, before=before, people=_people(story, s))


PICTURES = (
    Picture(key="board", title="Board", scene=board, posted=True, private=True),
    Picture(key="region", title="Region", scene=region, subjects=regions))
