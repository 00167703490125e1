"""What becomes of planned rounds in the transaction that stores the rows of a game."""
from __future__ import annotations

from pydantic import ValidationError

from bot.core.commit import Commit
from bot.domain.announcements import reader_of
from bot.domain.letters import PlanDropped
from bot.store import Ledger
from engine.kernel import Action, GameSpec, planned_round
from engine.refusals import Illegal
from engine.text import Text, count, say, text, verbatim


def drop_outdated(ledger: Ledger, commit: Commit) -> None:
    """Drop the plans of rounds that are not being played any more, and tell each in private to whoever planned it.

    Who wants no direct messages is told when the plan is next looked at, so it stays until then.
    """
    live, table, game = commit.live, commit.live.table, commit.live.row.id
    for plan in ledger.plans.plans(game) if table.spec.planning is not None else ():
        if planned_round(table, plan.seat) == plan.round:
            continue
        holder = next(one for one in live.holders if one.seat == plan.seat)
        told = bool(plan.steps) and not table.over and holder.reader == plan.user
        if told and not holder.private:
            continue
        ledger.plans.drop_plan(game, plan.seat)
        if told:
            steps = tuple(label_of(table.spec, planned) for planned in plan.steps)
            news = text("The round you were planning is over, so I've dropped your plan ({n}): {steps}. "
                        "Nobody else has seen it.", n=count(len(steps), "{n} step", "{n} steps"), steps=steps)
            ledger.outbox.add_letters(game, table.last_no, [
                PlanDropped(audience=plan.seat, user=plan.user, text=say(news, reader_of(
                    table, commit.languages.of_member(plan.user, commit.live.row.spoken))))], commit.at)


def read_step(spec: GameSpec, planned: tuple[str, str]) -> Action:
    """A planned answer. Raises Illegal: another version of the bot wrote it."""
    verb, answer = planned
    kind = spec.verb(verb)
    try:
        if kind is not None:
            return kind.model_validate_json(answer)
    except ValidationError:
        pass
    raise Illegal("It was written by another version of the bot.")


def label_of(spec: GameSpec, planned: tuple[str, str]) -> Text:
    """A planned answer in words; its verb alone, if another version of the bot wrote it."""
    try:
        return read_step(spec, planned).label()
    except Illegal:
        return verbatim(planned[0])
