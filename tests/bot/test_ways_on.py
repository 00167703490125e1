"""No dead ends: from every screen something leads on, three taps deep.

That is tried at moments of all kinds that are made by hand, in the lobby, and in whole games at random. What changes a game is
not pressed on these ways: what follows such a press is a screen of a later moment. Of buttons that lead to the same kind of
screen one is pressed.
"""
from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.catalog import GAMES
from engine.games.attack import GAME as ATTACK
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.turns import Begin
from engine.games.imperial_struggle import GAME as IMPERIAL
from engine.games.struggle_of_empires import GAME as STRUGGLE
from engine.games.struggle_of_empires.actions import Attack, Bid
from engine.kernel import Action, GameSpec
from engine.selfplay import Pick, random_answer
from tests.bot.discord_world import World
from tests.bot.menu_taps import SELECT, Control, controls, tapped_to, used
from tests.bot.test_panel import AFRICA, AUCTION
from tests.bot.test_whole_game import sketch
from tests.games.attack.scene import scene as attack_scene
from tests.games.imperial_struggle.scene import scene as imperial_scene
from tests.position import starting_at
from tests.scene import scene as struggle_scene

DEEP = 3
PLANNED = "planback"        # the button below a round that is being planned: its moves are made when it is published
CHANGING = {                # presses after which the game, a seat or who manages is another
    "do", "yes", "back", "before", "rollback", "agree", "refuse", "withdraw", "stopgap", "care", "join", "leave", "resign",
    "close", "askbranch", "branch", "master", "answer", "begin"}
BACKS = ("Back", "Back to the game", "Back to your move", "Your move", "My games", "Cancel", "Close",
         "Orders")              # buttons that lead back, and one of the first screen of a move, to which they lead
MOVES = ("my move", "game legal", "orders prepare")             # what they answer depends most on the moment
ROOTS = (*MOVES, "game status", "game history", "game closeup", "orders list")
WAR: dict[str, Any] = {"land": {"france": ("red", "3I 2T 1A"), "iberia": ("red", "2I"), "italy": ("blue", "2I")},
                       "capitals": {"france": "red", "italy": "blue"}, "hands": {"red": ("oil_3",), "blue": ("oil_2",)}}
MOMENTS: dict[str, tuple[GameSpec, Any, Sequence[Action]]] = {
    "an auction": (STRUGGLE, struggle_scene(**AUCTION), ()),
    "a raise": (STRUGGLE, struggle_scene(**AUCTION), (Bid(gold=1, a="austria", b="france"),)),
    "a turn": (STRUGGLE, struggle_scene(**AFRICA), ()),
    "a fight at sea": (STRUGGLE, struggle_scene(**{**AFRICA, "units": {
        "austria": {"army": {"africa": 2}, "navy": {"africa": 2}}, "britain": {"army": {"africa": 1}, "navy": {"africa": 1}}}}),
        (Attack(area="africa", target="britain"),)),
    "starting units": (STRUGGLE, struggle_scene(powers=("austria", "britain"), phase="placing", first="austria"), ()),
    "a turn of Attack!": (ATTACK, attack_scene(**WAR), ()),
    "orders to move": (ATTACK, attack_scene(**WAR), (
        Begin(action="movement"), Move(unit="tank", origin="france", to="italy", number=2))),
    "production": (ATTACK, attack_scene(**WAR), (Begin(action="production"),)),
    "first units": (ATTACK, attack_scene(phase="deploying", land={"france": ("red", "1I"), "italy": ("blue", "1I")},
                                         pools={"red": "3I 3T 3A 3P", "blue": "3I 3T 3A 3P"}), ()),
    "a round of Imperial Struggle": (IMPERIAL, imperial_scene(active="france", tile="4 DP / 2 MP"), ())}


def kind(control: Control) -> tuple[str, ...]:
    """Where a control leads, without numbers of games, rows and pages."""
    route, *facts = control.custom_id.split(":")
    path = next((fact for fact in facts if re.fullmatch(r"[a-z]+(\..*)?", fact)), "")
    label = "" if control.kind == SELECT and route != "pick" else re.sub(r"\d", "", control.label)
    return route, path.split(".")[0], label             # of a list any option will do, but of verbs each


async def walked(person: Any, way: str, opened: Callable[[], Awaitable[Any]], seen: set[tuple[str, ...]], dead: list[str],
                 acting: Collection[str] = CHANGING, backs: Collection[str] = ()) -> None:
    """Every way from a message, each kind of it once; `dead` gets those that end where no button leads on, or if there are
    `backs`, where none of them leads back, unless it was one of them that has led there."""
    paths: list[tuple[Control, ...]] = [()]
    for path in paths:
        shown = await opened()
        for wanted in path:                     # what is being written has other numbers each time
            control = next((one for one in controls(shown) if (kind(one), one.value) == (kind(wanted), wanted.value)), None)
            if control is None:
                break
            result = await used(person, shown, control)
            if getattr(result, "modal", None):
                assert result.modal["components"], f"{way}: a form without fields"
                break
            shown = result.response or result.followups[-1]
        else:
            on = [one for one in controls(shown) if one.kind != SELECT]             # a list alone is no way on
            if path and (not any(one.label in backs for one in (*on, path[-1])) if backs else not on):
                dead.append(f"{way} > {' > '.join(control.label for control in path)}: {shown.content[:80]}")
            if len(path) < DEEP:
                for control in controls(shown):
                    route = control.custom_id.split(":")[0]
                    acts = route in acting or (control.kind == SELECT and control.value.startswith("!"))
                    if not acts and not control.disabled and kind(control) not in seen:
                        seen.add(kind(control))
                        paths.append((*path, control))


async def walked_from_commands(world: World, person: Any, command: str, seen: set[tuple[str, ...]], dead: list[str],
                               roots: Iterable[str] = ROOTS, backs: Collection[str] = ()) -> None:
    """Every way from the answers to commands."""
    for root in roots:
        async def asked(root: str = root.format(command=command)) -> Any:
            result = await person.slash(world.table, root)
            return result.response or result.followups[-1]

        await walked(person, root, asked, seen, dead, backs=backs)


async def walked_from_posts(world: World, person: Any, seen: set[tuple[str, ...]], dead: list[str],
                            acting: Collection[str] = CHANGING, backs: Collection[str] = ()) -> None:
    """Every way from the messages that the person sees now: those of the channel, and the direct ones."""
    channels = [world.table, *filter(None, [person.user.dm_channel])]
    for where, post in [(channel, post) for channel in channels for post in channel.history() if controls(post)]:
        async def found(where: Any = where, number: int = post.id) -> Any:
            return next(message for message in where.history() if message.id == number)

        await walked(person, "a message", found, seen, dead, acting, backs)


@pytest.mark.parametrize("moment", MOMENTS)
async def test_no_screen_is_without_a_way_on(tmp_path: Path, moment: str) -> None:
    """At later moments of a game only what is answered to whoever moves."""
    spec, position, answers = MOMENTS[moment]
    roots = ROOTS if moment == next(name for name, (other, *_) in MOMENTS.items() if other is spec) else MOVES
    async with World.at(tmp_path / "games.db", (starting_at(spec, position.start.state),), sketch) as world:
        people = (world.alice, world.bob, world.carol)[:len(position.state.seats)]
        await world.olga.slash(world.table, "game open", game=spec.key, seats=len(people))
        for person in people:
            await person.slash(world.table, "game join")
        await world.olga.slash(world.table, "game start")
        for action in answers:
            (waiting,) = await world.services.queries.waiting(1)
            await world.services.answers.answer(1, waiting.user, action)
        dead: list[str] = []
        (waiting, *_) = await world.services.queries.waiting(1)
        asked = next(person for person in people if person.id == waiting.user)
        seen: set[tuple[str, ...]] = set()
        await walked_from_commands(world, asked, spec.command, seen, dead, roots, backs=BACKS)
        await walked_from_commands(world, world.olga, spec.command, set(), dead, ["game history"])
        for board in [message for message in world.table.history() if message.attachments]:
            for control in controls(board):
                drawn = await used(asked, board, control)
                if not drawn.response.attachments:
                    dead.append(f"{control.label} below a board: {drawn.response.content}")
        assert dead == []
        assert len(seen) > 10, "there is something to walk"


async def answered(world: World, people: Mapping[int, Any], pick: Pick, asked: set[tuple[str, type[Action]]],
                   seen: set[tuple[str, ...]], dead: list[str]) -> None:
    """One random answer: by taps, if it is the first of its kind to such a question. A new question is walked before."""
    waiting = await world.services.queries.waiting(1)
    one = waiting[pick(len(waiting))]
    table = await world.services.session.table(1)
    action = random_answer(table.options(one.seat), pick)
    if (one.ask.point, type(action)) in asked:
        await world.services.answers.answer(1, one.user, action)
        return
    await world.env.settle()
    person, other = people[one.user], next(person for id, person in people.items() if id != one.user)
    at, before = table.asked_at, await world.newest()
    if one.ask.point not in {point for point, _ in asked}:
        await walked_from_commands(world, person, table.spec.command, seen, dead)
        for member in (person, other, world.olga):
            await walked_from_posts(world, member, seen, dead)
    asked.add((one.ask.point, type(action)))
    if (await world.services.session.table(1)).asked_at != at:      # a way was an answer: the last field of one
        return
    shown = (await person.slash(world.table, "my move")).response
    while await world.newest() == before and PLANNED not in {control.custom_id.split(":")[0] for control in controls(shown)}:
        shown = await tapped_to(person, shown, action, await world.services.queries.reader(1))
    if all(control.kind == SELECT for control in controls(shown)):
        dead.append(f"{action!r}: {shown.content[:80]}")


async def test_no_screen_of_a_lobby_is_without_a_way_on(tmp_path: Path) -> None:
    """Everything is pressed here but *Start*, by the host, players and somebody whom the game has no seat for."""
    async with World.at(tmp_path / "games.db", GAMES, sketch) as world:
        dead, seen = list[str](), set[tuple[str, ...]]()

        async def opening() -> Any:
            return (await world.olga.slash(world.table, "game open")).response

        await walked(world.olga, "game open", opening, seen, dead, {"openhere", "openalone"})
        for spec in (STRUGGLE, ATTACK, IMPERIAL):
            await world.olga.slash(world.table, "game open", game=spec.key, seats=2)
            for member in (world.olga, world.alice, world.bob, world.carol):
                await walked_from_posts(world, member, seen, dead, {"start"}, (*BACKS, "Options"))
        assert dead == []
        assert len(seen) > 25, "there is something to walk"


async def test_no_screen_of_the_settings_is_without_a_way_on(tmp_path: Path) -> None:
    """Of a member, a game and a server, by somebody who manages it, and by somebody who doesn't; also what is chosen there."""
    async with World.at(tmp_path / "games.db", (STRUGGLE,), sketch) as world:
        await world.olga.slash(world.table, "game open", game=STRUGGLE.key, seats=2)
        role, forum = world.guild.create_role("Players"), world.guild.create_forum_channel("games")
        for label, pick, wanted in (
                ("Noticeboard", "boardin", world.elsewhere), ("Forum for games", "gamesforum", forum),
                ("Forum for games", "talkchannel", world.elsewhere), ("Role that is pinged", "callrolepick", role),
                ("", "setrole:1", role)):
            page = (await world.server_page(world.max, label)).response
            after = (await world.max.select(page, [wanted], custom_id=pick)).response
            assert any(control.kind != SELECT for control in controls(after)), f"{label}: {after.content}"
        dead = list[str]()
        for member in (world.olga, world.max, world.alice):
            await walked_from_commands(world, member, "", set(), dead, ["settings"])
        assert dead == []


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "seats", "seed"), [(STRUGGLE, 4, 3), (ATTACK, 3, 8), (IMPERIAL, 2, 5)],
                         ids=["struggle", "attack", "imperial"])
async def test_no_screen_of_a_whole_game_is_without_a_way_on(tmp_path: Path, spec: GameSpec, seats: int, seed: int) -> None:
    """Up to the end: whatever is asked for the first time is walked from commands and messages, by all whom it may concern."""
    async with World.at(tmp_path / "games.db", (spec,), sketch) as world:
        people = [world.guild.add_member(world.env.create_user(f"player{number}")) for number in range(seats)]
        dead, seen, asked = list[str](), set[tuple[str, ...]](), set[tuple[str, type[Action]]]()
        await world.olga.slash(world.table, "game open", game=spec.key, seats=seats)
        for person in people:
            await person.slash(world.table, "game join")
        await world.olga.slash(world.table, "game start")
        pick = Random(seed).randrange
        while not (await world.services.session.table(1)).over:
            await answered(world, {person.id: person for person in people}, pick, asked, seen, dead)
        await world.env.settle()
        for person in (people[0], world.olga):
            await walked_from_commands(world, person, spec.command, seen, dead)
            await walked_from_posts(world, person, seen, dead)
        assert dead == []
        assert len({point for point, _ in asked}) >= 10, "questions of many kinds were asked"
