"""Where a member chooses: at the table itself, in a round that is planned in private, or in a rehearsal.

Nothing else tells these three apart. Each says what becomes of what is chosen there, and shows how its seat stands.
"""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

from bot.core.incidents import unheard
from bot.core.visit import PLAYED_FOR, Outcome, Visit
from bot.discord.admission import asker, charge
from bot.discord.components import Persistent
from bot.discord.context import Interaction
from bot.discord.errors import explain
from bot.discord.game import menu_path as mp
from bot.discord.game.action_menu import Screen, screen
from bot.discord.game.briefing import briefing
from bot.discord.game.extras import few
from bot.discord.game.lessons import advised
from bot.discord.game.plan_panel import closed_screen, fallen_steps, plan_buttons, so_far
from bot.discord.game.rehearsal_panel import HEAD, rehearsed_picture, show_rehearsal
from bot.discord.game.weighing import outlooks_of, to_weigh
from bot.discord.orders.buttons import always
from bot.discord.pictures import Drawn
from bot.discord.responses import in_public, reply, say_nothing
from bot.discord.visits import again, note
from bot.domain.announcements import choice_id, reader_of
from bot.service.odds import odds
from bot.service.plans import Planned
from bot.service.rehearsals import Rehearsal, is_rehearsed
from engine import notation
from engine.kernel import Action, Aside, Preview, Seat, Table
from engine.kernel.game_spec import Picture
from engine.players import NAMES, level_of
from engine.refusals import NotAsked, Refusal, Stale
from engine.text import Text, lines, say, text, verbatim

NOTED = text("Saved.")
MOST_NEWS, ENDING = 8, 3    # lines that everybody reads, in the answer to whoever pressed; of more, the last ones
CHANGED = text("Something has happened since. Choose again.")


class Position(ABC):
    """Where a member's seat chooses, and what becomes of what is chosen."""

    counts = True               # what is done here is done in the game, so that it ends an absence

    def __init__(self, interaction: Interaction, visit: Visit, table: Table, seat: Seat) -> None:
        self.interaction, self.visit, self.table, self.seat = interaction, visit, table, seat

    @property
    def ahead(self) -> Preview | None:
        """The table that a plan leads to, which the board of the game doesn't show; None: there is no such plan."""
        return self.table if isinstance(self.table, Preview) else None

    @abstractmethod
    async def take(self, action: Action, *, asked_at: int | None = None, confirmed: bool = False) -> None:
        """Choose an answer: it is shown first what it means, if that should be weighed, and what follows when it counts.

        `asked_at` is the stamp of the button or menu; a typed command has none. Raises Refusal, and then nothing has changed.
        """

    @abstractmethod
    async def give(self, actions: Sequence[Action], *, asked_at: int | None = None) -> None:
        """Give answers, all of them or none, and show what follows. Raises Refusal, and then nothing has changed."""

    @abstractmethod
    async def show(self, *, above: str = "", head: bool = True, more: Iterable[Persistent] = ()) -> None:
        """Reply with the first screen of the seat: where it stands, and all that it can do; `more` can be pressed below."""

    async def show_step(self, path: mp.Path, page: int = 0) -> None:
        """Reply with a step of a menu. Raises Stale for a dead path."""
        if path or page:
            await self._reply(screen(self.table, self.visit.id, self.seat, path, page, board=not path or self.ahead is None))
        else:
            await self.show()

    async def afresh(self, stale: Refusal, path: mp.Path = ()) -> None:
        """Say why a press did nothing, and show the present question if there is one; of an aside, with which the path that led
        there begins, its first step as long as it is possible."""
        now = await position_of(self.interaction, await again(self.interaction, self.visit.id), self.seat)
        reader = reader_of(now.table)
        if mp.possible_aside(now.table, now.seat, path):
            await self._reply(screen(now.table, now.visit.id, now.seat, path[:1], above=say(CHANGED, reader),
                                     board=now.ahead is None))
            return
        why = say(stale.text, reader)
        if now.table.question(now.seat) is None:
            why = f"{why.split('. ')[0].removesuffix('.')}."    # without the sentence that announces the present question
        await now.show(above=f"{why} ({stale.rule})" if stale.rule else why)

    async def drawn(self, picture: Picture, *, subject: str = "", options: Sequence[Action] | None = None) -> Drawn:
        """A picture of where the seat stands here, marked with what a plan changes. Raises Refusal: there is nothing to show."""
        bot = self.interaction.client
        drawn = await bot.gallery.picture(
            self.visit.id, picture, self.visit.facts.theme, seat=self.seat, subject=subject,
            since=await bot.services.queries.newest(self.visit.id), ahead=self.ahead, options=options, by=asker(self.interaction))
        if drawn is None:
            raise Refusal("This picture has nothing to show right now.")
        return drawn

    def headed(self, words: Text) -> Text:
        """What stands above a picture of this position."""
        return words

    def meant(self, what: str) -> Action:
        """The answer that a button names, found among what is legal now. Raises Stale."""
        for option in mp.listed(self.table, self.seat):
            if choice_id(option) == what:
                return option
        if "=" in what:
            return notation.read(self.table.spec, what)
        for kind in self.table.asides:
            if not kind.model_fields and choice_id(kind.of()) == what and (
                    why := kind.obstacle(self.table.state, self.seat)) is not None:
                raise Stale(why.text.template, rule=why.rule, **why.text.facts)
        raise Stale("That's no longer possible. Here is what you can do now.")

    async def _reply(self, what: Screen) -> None:
        await reply(self.interaction, what.words, what.view)


class Live(Position):
    """At the table itself: what is chosen counts at once."""

    def __init__(self, interaction: Interaction, visit: Visit, seat: Seat) -> None:
        super().__init__(interaction, visit, visit.table, seat)

    async def take(self, action: Action, *, asked_at: int | None = None, confirmed: bool = False) -> None:
        self.table.examine(self.seat, action, asked_at=asked_at)
        tapped = asked_at is not None
        if tapped and not confirmed:
            charge(self.interaction, "previews")
        weighed = None if confirmed else await to_weigh(self.table, self.visit.id, self.seat, action, tapped=tapped)
        if weighed is not None:
            await self._reply(weighed)
        else:
            await self.give([action], asked_at=asked_at)

    async def give(self, actions: Sequence[Action], *, asked_at: int | None = None) -> None:
        answers, facts = self.interaction.client.services.answers, (self.visit.id, self.visit.user)
        shortcut = list(always(self.visit.id, self.table, self.seat, actions[0])) if len(actions) == 1 else []
        label = _label(self.table, self.seat, actions[0])
        if len(actions) == 1:
            done = await answers.answer(*facts, actions[0], asked_at=asked_at)
        else:
            assert asked_at is not None, "several answers come from a form"
            done = await answers.answer_in_turn(*facts, actions, asked_at=asked_at)
        assert done.visit is not None, "it was read with what was stored"
        now = Live(self.interaction, note(self.interaction, done.visit), self.seat)
        chosen = (actions[0], label) if len(actions) == 1 else None
        asked = now.table.asked(self.seat)
        if in_public(self.interaction) and done.lines and asked is None and not done.private:
            await say_nothing(self.interaction)                 # the channel says what has come of it
        else:                                                   # beside another question the shortcut would seem to mean that one
            await now.show(above=_news(done, now.table, self.seat, chosen), more=shortcut if asked is None else ())
        self.interaction.client.outbox.answered(self.visit.id)

    async def show(self, *, above: str = "", head: bool = True, more: Iterable[Persistent] = ()) -> None:
        told = await briefing(self.interaction, self.visit, self.table, self.seat)
        await self._panel(above, head=head, more=more, told=told)

    async def _panel(self, above: str, *, head: bool, more: Iterable[Persistent], told: Sequence[str] = (),
                     board: bool = True) -> None:
        held = self.visit.holder(self.seat)
        if held.level:
            away = text("You're away: an automatic player ({level}) plays for you.", level=NAMES[level_of(held.level)])
            above = "\n".join(filter(None, (above, say(away))))
        shown = screen(self.table, self.visit.id, self.seat, above=above, head=head, planned=told, board=board,
                       more=[*more, *few(self.visit, self.table, self.seat)],
                       outlooks=await outlooks_of(self.table, self.seat))
        await self._reply(await advised(self.interaction, self.visit, self.table, self.seat, shown))

    async def take_step_back(self) -> bool:
        """Take the last step of the plan back, and show the rest; False: nothing is planned."""
        return False


class InPlan(Live):
    """In a round that a seat plans in private: what is chosen becomes a step, and counts when the plan is published."""

    def __init__(self, interaction: Interaction, visit: Visit, seat: Seat, planned: Planned) -> None:
        super().__init__(interaction, visit, seat)
        self.planned, self.table = planned, planned.table

    async def take(self, action: Action, *, asked_at: int | None = None, confirmed: bool = False) -> None:
        if self.planned.open and not action.unasked:
            await self.give([action], asked_at=asked_at)
        else:
            await Live(self.interaction, self.visit, self.seat).take(action, asked_at=asked_at, confirmed=confirmed)

    async def give(self, actions: Sequence[Action], *, asked_at: int | None = None) -> None:
        if not self.planned.open:
            await Live(self.interaction, self.visit, self.seat).give(actions, asked_at=asked_at)
            return
        plans = self.interaction.client.services.plans
        planned = await plans.plan_steps(self.visit.id, self.visit.user, actions, asked_at=asked_at)
        await InPlan(self.interaction, self.visit, self.seat, planned).show()

    async def show(self, *, above: str = "", head: bool = True, more: Iterable[Persistent] = ()) -> None:
        planned = await self.interaction.client.services.plans.reviewed(self.visit.id, self.visit.user)
        if planned is None:                                     # it has been published, or its round is over
            await Live(self.interaction, self.visit, self.seat).show(above=above, head=head, more=more)
            return
        self.planned, self.table = planned, planned.table
        above = "\n".join(filter(None, (above, fallen_steps(planned))))
        if planned.closed is not None:
            (outlook,) = await odds(self.table, self.seat, [planned.steps[-1].action])
            await self._reply(closed_screen(planned, self.visit.id, above=above, outlook=outlook))
            return
        told = [] if planned.steps else await briefing(self.interaction, self.visit, self.table, self.seat)
        begun = planned.open and bool(planned.steps)
        await self._panel(above, head=head, more=[*(plan_buttons(planned, self.visit.id) if planned.open else ()), *more],
                          told=[*told, *(so_far(planned) if planned.open else ())], board=not begun)

    async def take_step_back(self) -> bool:
        if not self.planned.steps:
            return False
        await self.interaction.client.services.plans.take_step_back(self.visit.id, self.visit.user, self.planned.stamp)
        await self.show()
        return True


class Rehearsed(Position):
    """In a rehearsal: nothing of it counts, and whoever is asked there can be answered for."""

    counts = False

    def __init__(self, interaction: Interaction, visit: Visit, now: Rehearsal) -> None:
        super().__init__(interaction, visit, now.table, now.asked)
        self.now = now

    async def take(self, action: Action, *, asked_at: int | None = None, confirmed: bool = False) -> None:
        await self.give([action], asked_at=asked_at)

    async def give(self, actions: Sequence[Action], *, asked_at: int | None = None) -> None:
        rehearsals, above = self.interaction.client.services.rehearsals, ""
        try:
            self.now = await rehearsals.answer_in_rehearsal(self.visit.id, self.visit.user, self.now.asked, actions,
                                                            self.now.table.asked_at)
        except Refusal as why:
            self.now = await rehearsals.rehearsal(self.visit.id, self.visit.user)
            above = self._explained(why)
        await show_rehearsal(self.interaction, self.visit.game, self.now, above=above)

    async def show(self, *, above: str = "", head: bool = True, more: Iterable[Persistent] = ()) -> None:
        await show_rehearsal(self.interaction, self.visit.game, self.now, above=above)

    async def show_step(self, path: mp.Path, page: int = 0) -> None:
        await show_rehearsal(self.interaction, self.visit.game, self.now, path, page)

    async def afresh(self, stale: Refusal, path: mp.Path = ()) -> None:
        await self.show(above=self._explained(stale))

    async def drawn(self, picture: Picture, *, subject: str = "", options: Sequence[Action] | None = None) -> Drawn:
        return await rehearsed_picture(self.interaction, self.visit, self.now, picture, subject=subject, options=options)

    def headed(self, words: Text) -> Text:
        return lines([HEAD, words])

    def _explained(self, why: Refusal) -> str:
        with unheard():
            return explain(why, reader_of(self.now.table))


async def position_of(interaction: Interaction, visit: Visit, seat: Seat | None = None) -> Live:
    """Where a member chooses in the game: at the table, or in the plan of the round. Raises NotAsked: the member has no seat."""
    seat = visit.own_seat() if seat is None else seat
    planned = None if visit.spec.planning is None else await interaction.client.services.plans.standing(visit.id, visit.user)
    return Live(interaction, visit, seat) if planned is None else InPlan(interaction, visit, seat, planned)


async def position_put_to(interaction: Interaction, visit: Visit, put_to: str, stands: int = 0) -> Position:
    """Where the presser of a button chooses that was put to a seat. With the stamp of a rehearsal it is the presser's own one.

    Raises NotAsked if the question is put to another seat, Refusal if the rehearsal is over.
    """
    if is_rehearsed(stands):
        return Rehearsed(interaction, visit, await interaction.client.services.rehearsals.rehearsal(visit.id, visit.user))
    if visit.seat != put_to:
        if visit.sight == put_to:
            raise NotAsked(PLAYED_FOR)
        raise NotAsked("It's {seat:possessive} move.", seat=Seat(put_to))
    return await position_of(interaction, visit, Seat(put_to))


def _label(table: Table, seat: Seat, action: Action) -> Text:
    """What a seat has pressed to give this answer."""
    question, ordering = table.asked(seat), table.spec.orders
    if question is None or ordering is None or not ordering.vote(question.point):
        return action.label()
    return text("Agree") if action == next(iter(table.options(seat))) else text("Refuse")


def _news(done: Outcome, table: Table, seat: Seat, chosen: tuple[Action, Text] | None) -> str:
    """Return what everybody may read of the new rows, and what the caller learns besides; without any, what was chosen.

    Nothing while the seat puts together moves that the panel numbers: it shows them; nor what the next question says itself.
    """
    if table.spec.views.ordered(table.state, seat) and not (chosen is not None and isinstance(chosen[0], Aside)):
        return ""
    reader, question = reader_of(table), table.question(seat)
    public = [say(line, reader) for line in done.lines]
    if len(public) > MOST_NEWS:                         # the channel tells it all
        public = [public[0], "…", *public[-ENDING:]]
    if told := [*public, *(say(line, reader) for line in done.private)]:
        return "\n".join(told)
    if chosen is None:
        return say(NOTED, reader)
    choice = say(chosen[1], reader)
    repeated = question is not None and say(question.text(), reader).casefold().startswith(choice.casefold())
    return "" if repeated else say(text("Chosen: {choice}.", choice=verbatim(choice)), reader)
