"""No dead ends: from every screen something leads on, three taps deep, at moments of all kinds of the games.

What changes the game is not pressed here: what follows such a press is a screen of a later moment. Of buttons that lead to
the same kind of screen one is pressed.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.games.attack import GAME as ATTACK
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.turns import Begin
from engine.games.imperial_struggle import GAME as IMPERIAL
from engine.games.struggle_of_empires import GAME as STRUGGLE
from engine.games.struggle_of_empires.actions import Attack, Bid
from engine.kernel import Action, GameSpec
from tests.bot.discord_world import World
from tests.bot.menu_taps import SELECT, Control, controls, used
from tests.bot.test_panel import AFRICA, AUCTION
from tests.bot.test_whole_game import sketch
from tests.games.attack.scene import scene as attack_scene
from tests.games.imperial_struggle.scene import scene as imperial_scene
from tests.position import starting_at
from tests.scene import scene as struggle_scene

DEEP = 3
CHANGING = {                # presses after which the game, an order, a seat or a setting is another
    "do", "yes", "back", "before", "rollback", "agree", "refuse", "withdraw", "stopgap", "care", "packetsend", "alwaysdo",
    "deskdo", "orderpause", "ordermove", "orderdrop", "join", "leave", "here", "setprivate", "resign", "close",
    "vote", "amount", "untip", "askbranch", "branch", "master", "answer", "begin"}
ROOTS = ("{command} menu", "{command} mine", "game status", "game history", "game legal", "game closeup", "orders list",
         "orders prepare")
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


async def walked(world: World, person: Any, root: str, seen: set[tuple[str, ...]], check: Callable[[str, Any], None]) -> None:
    """Every way from the answer to a command, each kind of it once."""
    paths: list[tuple[Control, ...]] = [()]
    for path in paths:
        result = await person.slash(world.table, root)
        shown = result.response or result.followups[-1]
        for wanted in path:                     # what is being written has other numbers each time
            control = next((one for one in controls(shown) if (kind(one), one.value) == (kind(wanted), wanted.value)), None)
            if control is None:
                break
            result = await used(person, shown, control)
            if getattr(result, "modal", None):
                assert result.modal["components"], f"{root}: a form without fields"
                break
            shown = result.response or result.followups[-1]
        else:
            check(f"{root} > {' > '.join(control.label for control in path)}", shown)
            if len(path) < DEEP:
                for control in controls(shown):
                    route = control.custom_id.split(":")[0]
                    acts = route in CHANGING or (control.kind == SELECT and control.value.startswith("!"))
                    if not acts and kind(control) not in seen:
                        seen.add(kind(control))
                        paths.append((*path, control))


@pytest.mark.parametrize("moment", MOMENTS)
async def test_no_screen_is_without_a_way_on(tmp_path: Path, moment: str) -> None:
    spec, position, answers = MOMENTS[moment]
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

        def check(way: str, shown: Any) -> None:
            if " > " in way and way.split(" > ", 1)[1] and all(one.kind == SELECT for one in controls(shown)):      # a list alone
                dead.append(f"{way}: {shown.content[:80]}")

        (waiting, *_) = await world.services.queries.waiting(1)
        asked = next(person for person in people if person.id == waiting.user)
        seen: set[tuple[str, ...]] = set()
        for root in ROOTS:
            await walked(world, asked, root.format(command=spec.command), seen, check)
        await walked(world, world.olga, "game history", set(), check)
        for board in [message for message in world.table.history() if message.attachments]:
            for control in controls(board):
                drawn = await used(asked, board, control)
                if not drawn.response.attachments:
                    dead.append(f"{control.label} below a board: {drawn.response.content}")
        assert dead == []
        assert len(seen) > 10, "there is something to walk"
