"""Two clubs on simulated Discords in which everybody does the same, one after the other, and that differ in one secret.

What `twins` compares function by function is compared here as people meet it: the whole bot answers commands, presses and
autocomplete, posts its messages and paints (or fails to). Besides secrets of the game these are secrets of the bot: orders
and what is half written of them, a message between two others, a sealed answer, a round that is planned in private. In some
clubs the host plays, too, and tries whatever a game master can do to see the secret, also by an account that nobody knows to
be his. Each member reads another language. In some a stranger looks on from another channel with a noticeboard, and perhaps
may not see the game. The delay is compared as what causes it: how often the database is read and written, and what is asked
of Discord.
"""
from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count, cycle, zip_longest
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Literal, TypeAlias

from discord import Permissions, app_commands
from simcord.backend.access import channel_accessible
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType
from simcord.results import to_discord_message

from bot.discord.lengths import CHOICES
from bot.domain.order_drafts import Draft, DraftHistory
from bot.service import Services
from bot.store import Store
from engine.kernel import Action, GameSpec, Seat, parse_events, planned_round
from engine.kernel.game_spec import loaded
from engine.selfplay import random_answer
from engine.text import say, text
from engine.text.languages import ENGLISH, LANGUAGES, speaking
from tests.bot.desk import at_once, lent
from tests.bot.discord_world import World, custom_ids, labels
from tests.checks.findings import Ear, Found, Output
from tests.checks.leak_pairs import MOST, idle
from tests.checks.secrets import Change, Secrets
from tests.toy import PEBBLES, SECRET

Kind: TypeAlias = Literal["state", "orders", "draft", "press", "sealed", "host", "plan"]
KINDS: tuple[Kind, ...] = ("state", "orders", "draft", "press", "sealed", "host", "plan")
Side: TypeAlias = Literal["nothing", "a board", "a denied role", "a free seat"]
SIDES: tuple[Side, ...] = ("nothing", "a board", "a denied role", "a free seat")         # what else there is in a club, in turn
OF_THE_GAME = ("state", "host")         # kinds in which a secret of the game itself differs

BEGIN, PAUSE = datetime(2026, 4, 1, 12, tzinfo=UTC), timedelta(minutes=7)           # between two answers
GAME = 1                    # the number of the one game
PLAYERS = 4                 # the one with the secret, one whom it is told, and two who look on; fewer if the game is for fewer
RECENT = 25                 # messages of a channel that are looked at again
LOOKS = 5                   # things that are tried after each answer
EVENING = 10                # pairs from one game
TYPED = 8                   # words that are typed where a list of suggestions is full
FILLINGS = 3                # so often the options of a command are filled in, each time otherwise
PLANNED = 3                 # steps of a plan
FAILS = 3                   # one picture in so many cannot be drawn
AHEAD = (30, 120)           # answers before the clubs begin to differ
SOON = (5, 25)              # the same where the host plays, who need not wait
FILES_KEPT = 8                    # files in which such answers were given already
ASKED = 0.7                 # of the secrets of the game are those of a seat whose possible answers can depend on them
SEARCHED = 60               # further answers within which an occasion to differ must come
BUTTON = 2                  # Discord's number of that kind of component
WITHDRAW = "Withdraw (game master only)"
MEANT = ("Start it", "Ask them", "Resign")           # buttons that a host presses who means it
NUMBERS = re.compile(r"\d{15,20}")      # of messages and presses: Discord counts all that happens, secrets too

READING: tuple[tuple[str, dict[str, object]], ...] = (
    ("game status", {}), ("game history", {}), ("my since", {}), ("game export", {}), ("game list", {}), ("game check", {}),
    ("game text", {}), ("game map", {}), ("game map", {"own": False}), ("game map", {"row": 10 ** 6}), ("game legal", {}),
    ("game recap", {}), ("game closeup", {}), ("game rules", {"wanted": "secret"}), ("gm audit", {}), ("talk read", {}),
    ("orders list", {}), ("orders prepare", {}), ("clock show", {}),
    ("settings", {}), ("gm secrets", {}))
ELSEWHERE: tuple[tuple[str, dict[str, object]], ...] = (
    ("table seats", {}), ("table seats", {"game": "1"}), ("game list", {}), ("game status", {"game": "1"}), ("my games", {}),
    ("talk read", {"game": "1"}), ("game closeup", {"game": "1"}), ("game map", {"game": "1"}))
"""What a stranger types in another channel."""
MASTERLY: tuple[tuple[str, dict[str, object]], ...] = (
    ("gm undo", {}), ("gm rollback", {"row": 1}), ("gm answer", {"seat": "seat_1"}), ("gm hand", {"seat": "seat_1"}))
"""What is refused to everybody but the game master; whoever is, leaves it alone here, since it changes the game."""


class Sketcher:
    """A painter who gives the true words of a picture, and its scene in its place; one in so many he fails to paint."""

    def __init__(self) -> None:
        self.number = count(1)

    def __call__(self, spec: GameSpec, scene: Any, theme: str) -> tuple[bytes, str]:
        body = scene.model_dump_json()
        if next(self.number) % FAILS == 0:
            raise ValueError(body)
        return body.encode(), spec.views.describe(scene, 1024)


class Hall(World):
    """A simulated Discord whose clock stands still, until it is put on; what its file is called in nonces is the same in all."""

    def _opened(self) -> Store:
        store = super()._opened()
        store._ledger.outbox.origin = "club"
        return store

    def _services(self) -> Services:
        self.moment = BEGIN
        services = Services(self.store, self.games, now=lambda: self.moment, secret=lambda: SECRET)
        services.rehearsals.seed = lambda: SECRET
        return services


async def unsent(services: Services) -> None:
    """Leave out all that is to be sent."""
    while letters := await services.outbox.pending(200):
        for letter in letters:
            await services.outbox.note(letter.game, [(letter.id, None)])


class Club:
    """One of the two: a server with a game, and everybody who is there."""

    def __init__(self, world: Hall, spec: GameSpec) -> None:
        self.world, self.spec = world, spec
        self.people: list[Any] = [world.guild.add_member(world.env.create_user(f"player{n}"))
                                  for n in range(min(PLAYERS, max(spec.seats)))]
        self.stranger: Any = None                   # who looks on from another channel
        self.counted: list[str] = []                # what the database and Discord were asked for
        for name in ("read", "write"):
            self._count(name)

    @classmethod
    async def made(cls, path: Path, spec: GameSpec, named: Mapping[str, str], *, playing: bool = False,
                   side: Side = "nothing") -> Club:
        """A club in which a game has just begun; its host is the first player, or does not play."""
        club = cls(await Hall.made(path, (spec,), Sketcher()), spec)
        host = club.people[0] if playing else club.world.olga
        for person, language in zip(club.people, cycle(LANGUAGES)):
            await club.world.services.settings.set_language(person.id, language)
        await host.slash(club.world.table, "game open", game=spec.key, seats=len(club.people), **named)
        for person in club.people:
            await person.slash(club.world.table, "game join")
        await host.slash(club.world.table, "game start")
        if side != "nothing":
            await club._furnished(side)
        return club

    async def _furnished(self, side: Side) -> None:
        """A noticeboard in another channel, a stranger there, and a private thread of two players; in some clubs the stranger has
        a role that may not see the game, and in some a player has left."""
        world, role = self.world, self.world.guild.create_role("Strangers")
        self.stranger = world.guild.add_member(world.env.create_user("stranger"), roles=[role])
        if side == "a denied role":
            world.env.backend.set_overwrite(world.table.id, Overwrite(
                role.id, OverwriteType.ROLE, deny=Permissions(view_channel=True).value))
        await world.services.noticeboards.hang_noticeboard(world.guild.id, world.elsewhere.id, world.max.id)
        other, reader = (await world.services.queries.holders(GAME))[1].seat, await world.services.queries.reader(GAME)
        await self.people[0].slash(world.table, "talk private", **{"with": reader.name(other)})
        if side == "a free seat":
            shown = await self.people[-1].slash(world.table, "game resign")
            with speaking(world.services.session.languages.of_member(self.people[-1].id, ENGLISH)):
                await self.people[-1].click(shown.response, label=say(text("Resign")))
        world.bot.outbox.boards.retry(world.guild.id)
        await world.env.settle()

    def _count(self, name: str) -> None:
        real: Callable[..., Awaitable[Any]] = getattr(self.world.store, name)

        async def counting(work: Any, **more: Any) -> Any:
            self.counted.append(name)
            return await real(work, **more)

        setattr(self.world.store, name, counting)

    def asked_for(self) -> Output:
        """What was asked of the database and of Discord since the last time: all that takes time."""
        requests = [f"{request.method} {NUMBERS.sub('#', request.path)}" for request in self.world.env.http_requests]
        counted, self.counted = [*self.counted, *requests], []
        self.world.env.backend.http_requests.clear()
        return "work", counted

    def hush(self) -> None:
        """Post nothing until `speak`: what happens until then is soon over."""
        self.world.mute()

    async def speak(self) -> None:
        """Post again, and leave out what has been missed."""
        await unsent(self.world.services)
        await self._resume()

    async def _resume(self) -> None:
        outbox = self.world.bot.outbox
        del outbox.wake
        self.world.services.session.store.on_news = outbox.wake
        outbox.wake([GAME])
        await self.world.env.settle()

    async def user(self, seat: Seat) -> int:
        """Who holds a seat."""
        return next(holder.user or 0 for holder in await self.world.services.queries.holders(GAME) if holder.seat == seat)

    async def answer(self, seat: Seat, action: Action) -> None:
        """A member answers, through the core as buttons and commands do it."""
        self.world.moment += PAUSE
        await self.world.services.answers.answer(GAME, await self.user(seat), action)
        self.world.bot.outbox.answered(GAME)
        await self.world.env.settle()

    async def plan(self, seat: Seat) -> None:
        """A member plans some steps of the round under way, and publishes none of them."""
        user, rng = await self.user(seat), Random(seat)
        for _ in range(PLANNED):
            planned = await self.world.services.plans.standing(GAME, user)
            if planned is None or planned.closed is not None:
                return
            await self.world.services.plans.plan_steps(GAME, user, [random_answer(planned.table.options(seat), rng.randrange)])

    async def changed(self, change: Change, seat: Seat, amount: int) -> bool:
        """Give a seat other secrets in the file, as if it had always had them; False where rows would contradict that."""
        parts = (await self.world.services.session.table(GAME)).parts

        def rewrite(ledger: Any) -> bool:
            start = ledger.log.checkpoint(GAME, range(10 ** 6))
            state = loaded(self.spec, parts, start)
            if start.no != ledger.log.newest(GAME) or not change(state, seat, amount):
                return False
            ledger.conn.execute("DELETE FROM checkpoints WHERE game = ? AND no = ?", (GAME, start.no))
            ledger.log.add_checkpoint(GAME, replace(start, state=state.model_dump_json()))
            return True

        self.world.services.session.live.clear()
        return bool(await self.world.store.write(rewrite))

    def recent(self, channel: Any, person: Any, label: str = "") -> list[Any]:
        """The newest messages of a channel that somebody sees; only those with such a button, if one is named."""
        env = self.world.env
        kept = sorted(env.backend.messages.get(channel.id, {}).values(), key=lambda message: message.id)
        seen = [message for message in kept if message.visible_to(person.id) and label in repr(message.components)]
        return [to_discord_message(env, message) for message in seen[-RECENT:]]

    async def visible(self, person: Any) -> list[Output]:
        """All messages that somebody sees: those of the channel, and his own; each with whom it notifies."""
        backend: Any = self.world.env.backend
        seen = [channel for channel in backend.channels.values() if channel_accessible(backend, channel.id, person.id)]
        return [(f"message in {channel.name or 'private'}",
                 (await _message(message), sorted(backend.messages[channel.id][message.id].ping_user_ids), message.flags.value))
                for channel in seen for message in self.recent(channel, person)]

    async def looks_from_afar(self, rng: Random) -> list[Output]:
        """What the stranger is shown who types something in another channel, and presses a button there."""
        self.hush()
        name, given = rng.choice(ELSEWHERE)
        result = await self.stranger.slash(self.world.elsewhere, name, **given)
        said = [(f"stranger: /{name}", await _answered(result))]
        posted = self.recent(self.world.elsewhere, self.world.olga)[-1:]
        for message in (*([result.response] if result.response else ()), *posted):
            if buttons := custom_ids(message):
                label = rng.choice([*buttons])
                pressed = await self.stranger.click(message, custom_id=buttons[label])
                said.append((f"stranger: {label}", await _answered(pressed)))
        await self._resume()
        return [*said, *await self.visible(self.stranger)]

    async def look(self, person: Any, rng: Random) -> list[Output]:
        """Somebody tries one of the things that anybody can try, and is answered; what is posted besides comes afterwards."""
        tried = rng.choices((self.read, self.complete, self.move, self.press), (5, 2, 1, 2))[0]
        self.hush()
        self.asked_for()
        said = [*await tried(person, rng), self.asked_for()]
        await self._resume()
        return said

    async def read(self, person: Any, rng: Random) -> list[Output]:
        """A command that changes nothing, or is refused."""
        name, given = rng.choice(READING if person is self.world.olga else (*READING, *MASTERLY))
        given = {**given, "member": person} if name == "gm hand" else given
        return [(f"/{name} {given}", await _answered(await person.slash(self.world.table, name, **given)))]

    async def schemes(self, seat: Seat) -> list[Output]:
        """All that a host who plays can try to see what another seat knows, by himself and by an account that nobody knows."""
        host, alt, said = self.people[0], self.world.carol, list[Output]()
        mine, row = "my move", await self.world.services.queries.public_newest(GAME)

        async def tries(person: Any, name: str, **given: Any) -> None:
            """A command, and whatever can be pressed below the answer but to leave it."""
            result = await person.slash(self.world.table, name, **given)
            said.append((f"{person.name}: /{name}", await _answered(result)))
            for label in MEANT:
                if result.response is not None and label in labels(result.response):
                    said.append((f"{person.name}: {label}", await _answered(await person.click(result.response, label=label))))
            for asked in self.recent(self.world.table, host, WITHDRAW)[:1]:
                await host.click(asked, label=WITHDRAW)

        await tries(host, "gm secrets")
        for name in ("gm standin", "gm hand"):
            await tries(host, name, seat=seat, member=alt)
            await tries(alt, mine)
        await tries(host, "gm branch", row=row, place="this channel")
        await tries(host, "game resign", game="2")
        await tries(host, "gm hand", seat=seat, member=host, game="2")
        await tries(host, mine, game="2")
        await tries(host, "gm hand", seat="seat_1", member=alt)
        await tries(host, "gm hand", seat=seat, member=host)
        for person, name in ((host, mine), (alt, mine), (host, "gm audit"), (host, "game export"), (host, "game status")):
            await tries(person, name, game="1")
        said.append(("suggestions", await host.autocomplete(self.world.table, "gm answer", "answer", "", seat=seat, game="1")))
        return [*said, *await self.visible(host), *await self.visible(alt)]

    async def suggested_for(self, seat: Seat) -> list[Output]:
        """What is suggested to the host who answers for a seat: at first, and of each kind of answer whose list is secret."""
        kinds = ["", *(kind.verb for kind in self.spec.rules.actions if kind.secret)]
        return [(f"suggestions for {seat}, typed {typed}", await self.world.olga.autocomplete(
            self.world.table, "gm answer", "answer", typed, seat=seat)) for typed in kinds]

    async def answered_for(self, seat: Seat) -> list[Output]:
        """What the host is shown who answers for a seat, whether its sealed answer is in already or not."""
        host, said = self.world.olga, list[Output]()
        tried: tuple[tuple[str, dict[str, object]], ...] = (
            ("gm rollback", {"row": 0}), ("gm rollback", {"row": 1}), ("gm answer", {"seat": seat}), ("gm audit", {}),
            ("game history", {}), ("game status", {}))
        for name, given in tried:
            said.append((f"host: /{name}", await _answered(await host.slash(self.world.table, name, **given))))
        return [*await self.suggested_for(seat), *said, *await self.visible(host)]

    async def complete(self, person: Any, rng: Random) -> list[Output]:
        """Help with the options of a command, one after the other, each beside what was chosen for those before it."""
        commands = self.asking
        known = [name for name in commands if person is not self.world.olga or name.startswith("gm ")]
        name = rng.choices(known, [len({*commands[name]} - {"game"}) ** 2 or 0.2 for name in known])[0]
        out: list[Output] = []
        for _ in range(FILLINGS):
            filled: dict[str, Any] = {}
            for option in rng.sample(commands[name], len(commands[name])) if out else commands[name]:
                shown = await person.autocomplete(self.world.table, name, option, "", **filled)
                out.append((f"autocomplete of {option} in /{name} beside {filled}", shown))
                for typed in rng.sample(self.words, TYPED) if len(shown) == CHOICES else ():         # not all of it is shown
                    more = await person.autocomplete(self.world.table, name, option, typed, **filled)
                    out.append((f"autocomplete of {option} in /{name} beside {filled}, typed {typed}", more))
                if shown and option != "game":
                    filled[option] = rng.choice(shown)["value"]
        return out

    async def move(self, person: Any, rng: Random) -> list[Output]:
        """A command that answers without a word more."""
        name = rng.choice([f"{self.spec.command} {kind.verb}" for kind in self.spec.rules.actions
                           if self.spec.words.menus[kind.verb].typed
                           and not any(field.is_required() for field in kind.model_fields.values())]
                          or ["game status"])
        return [(f"/{name}", await _answered(await person.slash(self.world.table, name)))]

    async def press(self, person: Any, rng: Random) -> list[Output]:
        """A button below one of the last messages, whoever it is for."""
        posted = [(message, item["custom_id"]) for message in self.recent(self.world.table, person)
                  for row in message.components for item in row.to_dict().get("components", ())
                  if item["type"] == BUTTON and not item.get("disabled")]
        if not posted:
            return []
        message, custom_id = rng.choice(posted)
        return [(f"press of {custom_id}", await _answered(await person.click(message, custom_id=custom_id)))]

    @property
    def words(self) -> list[str]:
        """What somebody types who looks for more than a list has room for."""
        return [*dict.fromkeys([kind.verb for kind in (*self.spec.rules.actions, *self.spec.rules.asides)]), *"aeinorst"]

    @property
    def asking(self) -> dict[str, list[str]]:
        """Every command that is helped with, and its options with which it is."""
        helped = {command.qualified_name: [option.display_name for option in command.parameters if option.autocomplete]
                  for command in self.world.bot.tree.walk_commands() if not isinstance(command, app_commands.Group)}
        return {name: options for name, options in helped.items() if options}


async def _answered(result: Any) -> object:
    """What somebody is answered: in a message or in a window to type in."""
    messages = [message for message in (result.response, *result.followups) if message is not None]
    return [*[await _message(message) for message in messages], NUMBERS.sub("#", repr(result.modal))]


async def _message(message: Any) -> object:
    files = [(file.filename, file.description, await file.read()) for file in message.attachments]
    rows = [row if isinstance(row, dict) else row.to_dict() for row in message.components]
    return NUMBERS.sub("#", repr((message.content, rows, [embed.to_dict() for embed in message.embeds], files)))


# --- what happens in each of them -----------------------------------------------------------------------------------

LED: dict[tuple[bytes, Any, int], tuple[bytes, Any, datetime]] = {}         # a file, chance and answers -> what comes of them


class Evening:
    """What happens in a club: the same in both, but for the secret. Each part of it is told as what others see of it."""

    def __init__(self, club: Club, secrets: Secrets, seed: int, kind: Kind, *, second: bool) -> None:
        self.club, self.secrets, self.kind, self.second = club, secrets, kind, second
        self.rng, self.afar = Random(f"clubs {seed}"), Random(f"afar {seed}")
        self.services = club.world.services
        self.hidden: set[Seat] = set()              # who knows the secret

    async def told(self, ear: Ear, pairs: int) -> list[list[Output]]:
        """Play on for a while, then let the secret begin, and look around so often; nothing if it finds no occasion."""
        self.club.hush()
        if self.kind != "sealed":
            await self._led_in(self.rng.randint(*(SOON if self.kind == "host" else AHEAD)))
        for _ in range(SEARCHED):
            if await self._begun():
                break
            await self._go_on()
        else:
            return []
        await self.club.speak()
        ear.taken()
        looks: list[list[Output]] = []
        known = await self._known()
        while len(looks) < pairs and not (await self.services.session.table(GAME)).over and await self._known() == known:
            newest = await self.services.queries.newest(GAME)
            looked = [*[output for _ in range(LOOKS) for output in await self._look(ear)], *await self._helped()]
            if await self._laid_open(newest):               # whoever looked has pressed an answer of his own
                break
            if self.club.stranger is not None:
                looked += await self.club.looks_from_afar(self.afar)
            looks.append(looked)
            if self.kind == "sealed":
                looks[-1] += await self.club.answered_for(*self.hidden)
            if self.kind in ("sealed", "host"):
                break                               # the next answer may make it public; or the seats are others'
            await self._go_on()
            if await self._laid_open(newest):
                break
        return looks

    def sent_astray(self) -> list[Output]:
        """What the bot itself would not send, or sent to somebody who doesn't see its game: never the same in both clubs."""
        astray, self.club.world.misread = self.club.world.misread, []
        return [("sent astray", (self.second, astray))] if astray else []

    async def _led_in(self, answers: int) -> None:
        """So many answers before the clubs differ. They are given once in a file: as long as nobody has a secret, they tell
        nothing, neither in these two clubs nor in others with the same file and the same chance."""
        world = self.club.world
        with lent(world.store):
            begun = world.path.read_bytes(), self.rng.getstate(), answers
            if begun not in LED:
                if len(LED) == FILES_KEPT:
                    del LED[next(iter(LED))]
                LED[begun] = await self._played(answers)
            kept, chance, world.moment = LED[begun]
            self.rng.setstate(chance)
            world.path.write_bytes(kept)
        self.services.session.live.clear()

    async def _played(self, answers: int) -> tuple[bytes, Any, datetime]:
        """The file of the club after so many answers, of which nothing is sent; what chance and the clock say then."""
        world, rng = self.club.world, Random()
        rng.setstate(self.rng.getstate())
        store, moment = at_once(lambda: Store(world.path)), world.moment
        try:
            services = Services(store, world.games, now=lambda: moment, secret=lambda: SECRET)
            for _ in range(answers):
                table = await services.session.table(GAME)
                if table.over:
                    break
                asked = rng.choice(table.waiting())
                moment += PAUSE
                holders = {holder.seat: holder.user or 0 for holder in await services.queries.holders(GAME)}
                await services.answers.answer(GAME, holders[asked.seat],
                                              random_answer(table.options(asked.seat), rng.randrange))
            await unsent(services)
        finally:
            store.close()
        return world.path.read_bytes(), rng.getstate(), moment

    async def _go_on(self) -> None:
        """One more answer, the same in both clubs."""
        table = await self.services.session.table(GAME)
        if not table.over:
            asked = self.rng.choice(table.waiting())
            options = table.options(asked.seat)
            if self.kind in OF_THE_GAME and asked.seat in self.hidden:          # what can be answered may be a part of the secret
                options = tuple(option for option in options if not option.secret) or (table.default(asked.seat),)
            await self.club.answer(asked.seat, random_answer(options, self.rng.randrange))

    async def _known(self) -> object:
        """What is secret and known to those who look on: once it changes, they may have been shown what differs."""
        if self.kind not in OF_THE_GAME:
            return None
        shown = self.secrets.shown((await self.services.session.table(GAME)).state, ())
        return {seat: what for seat, what in shown.items() if seat not in self.hidden}

    async def _laid_open(self, since: int) -> bool:
        """Whether something of the game that may differ has been shown to all after a row."""
        if self.kind not in OF_THE_GAME:
            return False
        rows = await self.club.world.store.read(lambda ledger: ledger.log.rows(GAME, since=since))
        return self.secrets.laid_open([event for row in rows for event in parse_events(self.club.spec, row.events)])

    async def _begun(self) -> bool:
        """Let the secret begin, if this is an occasion for it."""
        table = await self.services.session.table(GAME)
        seat, partner, *_ = self.rng.sample([Seat(seat) for seat in table.state.seats], len(table.state.seats))
        amount = self.rng.randint(1, MOST) * self.second
        waiting = table.waiting()
        if waiting and (self.kind == "plan" or (
                self.kind == "state" and self.rng.random() < ASKED and any(kind.secret for kind in waiting[0].accepts))):
            seat = waiting[0].seat
        self.hidden = {seat, partner} if self.kind == "press" else {seat}
        match self.kind:
            case "state" | "host":
                if not await self.club.user(seat):
                    return False
                self.hidden = self.secrets.sharing(table.state, seat)
                if self.kind == "host" and await self.services.queries.seat_of(GAME, self.club.people[0].id) in self.hidden:
                    return False
                return await self.club.changed(self.secrets.of_seat, seat, amount)
            case "orders" if self.second:
                await self.services.orders.give_orders(GAME, await self.club.user(seat), 
                                            list(idle(self.club.spec, table.state, seat, Random(seat))))
            case "draft" if self.second:
                draft = DraftHistory(now=Draft(), step=1).model_dump_json()
                await self.services.orders.keep_draft(GAME, await self.club.user(seat), "order", draft)
            case "press":
                words = "We march on India." if self.second else "I want nothing of you."
                await self.services.talk.say(GAME, await self.club.user(seat), partner, words)
            case "plan":
                if not planned_round(table, seat):
                    return False
                if self.second:
                    await self.club.plan(seat)
            case "sealed":
                if len(waiting) < 2:
                    return False
                self.hidden = {waiting[0].seat}
                if self.second:
                    await self.club.answer(waiting[0].seat, table.options(waiting[0].seat)[1])
                else:
                    self.club.world.moment += PAUSE
        return True

    async def _helped(self) -> list[Output]:
        """What is suggested to the game master, who can name every seat and sees none of their secrets: for who has one, too."""
        return [*await self.club.complete(self.club.world.olga, Random(self.rng.random())),
                *await self.club.suggested_for(sorted(self.hidden)[0])]

    async def _look(self, ear: Ear) -> list[Output]:
        """Somebody who does not know the secret tries something, and looks at everything. Whoever knows it looks too: that
        shows in the program's log, which is read by others."""
        if self.kind == "host":
            return [*await self.club.schemes(sorted(self.hidden)[0]), *ear.taken()]
        known = [await self.club.user(seat) for seat in self.hidden]
        people = [*self.club.people, self.club.world.carol, self.club.world.olga]
        onlooker = self.rng.choice([person for person in people if person.id not in known])
        for person in people:
            if person.id in known:
                await self.club.read(person, Random(self.rng.random()))
        looked = await self.club.look(onlooker, Random(self.rng.random()))
        named = [(f"{onlooker.name}: {name}", shown) for name, shown in (*looked, *await self.club.visible(onlooker))]
        return [*named, *ear.taken()]


async def evening(spec: GameSpec, secrets: Secrets, kind: Kind, seed: int, pairs: int, ear: Ear, *, second: bool,
                  named: Mapping[str, str]) -> list[list[Output]]:
    """What others see of an evening in one of the two clubs."""
    side = SIDES[seed % len(SIDES)]
    if kind == "host" or (kind != "state" and side == "a free seat"):
        side = "nothing"
    with TemporaryDirectory(prefix="club-") as folder:
        club = await Club.made(Path(folder) / "games.db", spec, named, playing=kind == "host", side=side)
        try:
            played = Evening(club, secrets, seed, kind, second=second)
            looks = await played.told(ear, pairs)
            astray = played.sent_astray()
            return [*looks, astray] if astray else looks
        finally:
            await club.world.shutdown()


def opening(edition: str, mixture: Mapping[str, Any]) -> dict[str, str]:
    """What a member types besides who plays: the edition, and the options that differ from it."""
    options = ", ".join(f"{key}={value}" for key, value in mixture.items())
    return {**({"edition": edition} if edition else {}), **({"options": options} if options else {})}


async def search(spec: GameSpec, secrets: Secrets, pairs: int, seed: int, ear: Ear, *, edition: str = "",
                 kinds: Sequence[Kind] = KINDS, any_will_do: bool = False) -> Found:
    """So many pairs, from evenings of all kinds in turn, or only until something differs, if any difference will do."""
    found = Found()
    if spec.planning is None:
        kinds = [kind for kind in kinds if kind != "plan"]
    for number in count(seed * 1000):                   # sealed answers are rare in most games, and begin that of pebbles
        if found.pairs >= pairs or (any_will_do and found.differences):
            break
        looked: list[Output]
        again: list[Output]
        kind = kinds[number % len(kinds)]
        game = PEBBLES if kind == "sealed" else spec
        mixture = secrets.shown_to_hosts if kind == "host" else secrets.mixtures[number // len(kinds) % len(secrets.mixtures)]
        named = opening(edition, mixture) if game is spec else {}
        one, other = [await evening(game, secrets, kind, number, min(EVENING, pairs - found.pairs), ear, second=second,
                                    named=named) for second in (False, True)]
        for looked, again in zip_longest(one, other, fillvalue=[]):
            found.pairs += 1
            found.compare(f"clubs {number}, {kind}", looked, again)
    return found
