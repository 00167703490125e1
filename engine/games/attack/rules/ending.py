"""Chapter 19: who is out, the end by elimination, by rounds, by time, by agreement or by resignation, and the winner."""
from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, ClassVar, Literal

from engine.datetimes import in_utc
from engine.games.attack.rules.replies import Answer
from engine.games.attack.rules.turns import TurnEnded, actions_left
from engine.games.attack.state import Proposal, State
from engine.kernel import OVER, WORLD, Action, Alarm, Aside, Ask, Decree, Event, Game, Script, Seat, ask_each
from engine.kernel.model import later
from engine.refusals import Illegal
from engine.text import Text, text

TIMES = ("", "late", "up")              # what has been told in a timed game, in this order


# --- events -----------------------------------------------------------------------------------------------

class PlayerOut(Event):
    """A player has no land unit left; who plays on to the last also loses cards, ships and the sea lanes [ATK-19.1.1, 19.5.2]."""

    power: str
    returned: tuple[str, ...] = ()          # the cards that are shuffled into the deck
    cleared: bool = False

    def apply(self, s: State) -> None:
        s.out.append(self.power)
        if self.cleared:
            s.deck += self.returned
            s.hands[self.power] = []
            s.fleets[self.power] = {}
            s.damaged.pop(self.power, None)
            if s.controller == self.power:
                s.controller = ""

    def line(self) -> Text:
        return text("{power} has no land units left and is out of the game.", power=self.power)


class EndProposed(Event):
    power: str
    round: int

    def apply(self, s: State) -> None:
        s.proposals.append(Proposal(by=self.power, round=self.round))
        s.proposal = self.power

    def line(self) -> Text:
        return text("{power} proposes to end the game after this round. All others vote when this turn ends.", power=self.power)


class ProposalAnswered(Event):
    """All others have answered a proposal to end the game [ATK-19.3.6]."""

    power: str
    against: tuple[str, ...]

    def apply(self, s: State) -> None:
        s.proposal = ""
        s.closing = s.closing or not self.against

    def line(self) -> Text:
        if self.against:
            return text("The game goes on: {against} voted against ending it.", against=self.against)
        return text("All agree: the game ends after this round.")


class ProposalLapsed(Event):
    """Who proposed to end the game is out before all have answered [ATK-19.3.6]."""

    power: str

    def apply(self, s: State) -> None:
        s.proposal = ""

    def line(self) -> Text:
        return text("{power:possessive} proposal to end the game lapses.", power=self.power)


class TimeTold(Event):
    """How late it is in a timed game [ATK-17.4.1, 19.3.1]; `power` said it in a game of an earlier version."""

    power: str = later(default="")
    time: Literal["late", "up"]
    last: int = later(default=0)             # the round that is the last one now

    def apply(self, s: State) -> None:
        s.time = self.time

    def line(self) -> Text:
        if self.power and self.time == "up":
            return text("{power} calls time: this round is the last.", power=self.power)
        if self.power:
            return text("{power} calls the last half hour: no more deals.", power=self.power)
        if self.time == "up":
            return text("The agreed time is up: round {round} is the last.", round=self.last)
        return text("The agreed end is near: no more deals.")


class AllResigned(Event):
    """All other players have resigned, and the one who is left ends the game [ATK-21.2.6]."""

    power: str

    def line(self) -> Text:
        return text("All others have resigned: {power} ends the game and wins it.", power=self.power)


class GameEnded(Event):
    ranking: tuple[str, ...]
    winners: tuple[str, ...]
    territories: dict[str, int]
    units: dict[str, int]

    def apply(self, s: State) -> None:
        s.ranking, s.winners, s.phase = list(self.ranking), list(self.winners), OVER

    def line(self) -> Text:
        return text("The game ends.")


# --- asides -----------------------------------------------------------------------------------------------

class Propose(Aside):
    """Propose to end the game after this round. All others must agree, and are asked when this turn ends."""

    verb: ClassVar[str] = "propose"

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Propose]:
        if not _no_proposal(s, s.power(seat)):
            yield cls.of()

    def check(self, s: State, seat: Seat) -> None:
        if why := _no_proposal(s, s.power(seat)):
            raise why

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        if why := _no_proposal(s, s.power(seat)):
            raise why

    def events(self, s: State, seat: Seat) -> Iterable[Event]:
        yield EndProposed(power=s.power(seat), round=s.round)

    def label(self) -> Text:
        return text("End the game after this round")


def _no_proposal(s: State, power: str) -> Illegal | None:
    if s.phase != "turn" or power in s.out:
        return Illegal("You can propose the end only during the turns, while you are in the game.", rule="ATK-19.3.6")
    if s.closing:
        return Illegal("The game already ends after this round.", rule="ATK-19.3.6")
    if s.proposal:
        return Illegal("{power:possessive} proposal must be answered first.", rule="ATK-19.3.6", power=s.proposal)
    if any(made.by == power for made in s.proposals):
        return Illegal("You've already proposed it this round. You can again next round.", rule="ATK-19.3.6")
    return None


def agreement(s: State, waiting: tuple[Ask[Any], ...]) -> tuple[Seat, Action] | None:
    """Return what brings an end by agreement: to propose it, and to accept what is proposed [ATK-19.3.6]."""
    asked = next((question.seat for question in waiting if question.point == "D-24"), None)
    if asked is not None:
        return asked, Answer.of(True)
    proposing = next((power for power in s.powers if _no_proposal(s, power) is None), "")
    return (s.seat(proposing), Propose.of()) if proposing else None


# --- what the world outside says ------------------------------------------------------------------------------

class Time(Decree):
    """How late it is in a timed game: deals have come to their end, or the time is up."""

    verb: ClassVar[str] = "time"
    once_by_seats: ClassVar[bool] = True
    time: Literal["late", "up"]

    def check(self, s: State, seat: Seat) -> None:
        if s.options.end_mode != "timed":
            raise Illegal("Only a timed game ends by the clock.", rule="ATK-19.3.1")
        if TIMES.index(self.time) <= TIMES.index(s.time):
            raise Illegal("That has already happened.", rule="ATK-19.3.1")

    def events(self, s: State, seat: Seat) -> Iterable[Event]:
        if seat != WORLD:
            yield TimeTold(power=s.power(seat), time=self.time)
        else:
            yield TimeTold(time=self.time, last=s.round if self.time == "up" else 0)


def alarms(s: State) -> Sequence[Alarm]:
    """When deals come to their end in a timed game, and when the time is up [ATK-17.4.1, 19.3.1]."""
    if not s.options.end_time or s.time == "up" or s.phase == OVER:
        return ()
    at = in_utc(s.options.end_time)
    end = Alarm(at=at, decree=Time.of("up"), name=text("Agreed end"))
    if s.time or not s.options.trade_ban:
        return (end,)
    near = s.parts.numbers.trade_ban_minutes_before_end
    return Alarm(at=at, minutes_before=near, decree=Time.of("late"), name=text("Last deals")), end


class LeftAlone(Decree):
    """All others have resigned, and the player who is left ends the game as its winner."""

    verb: ClassVar[str] = "left_alone"
    power: str

    def check(self, s: State, seat: Seat) -> None:
        if self.power not in s.playing:
            raise Illegal("Only a player still in the game can win it.", rule="ATK-21.2.6")

    def events(self, s: State, seat: Seat) -> Iterable[Event]:
        yield AllResigned(power=self.power)
        yield ended(s, first=self.power)


def left_alone(s: State, held: Collection[Seat]) -> tuple[Seat, Decree] | None:
    """The one player still in the game who has not resigned, if all others have [ATK-21.2.6]."""
    left = [power for power in s.playing if s.seat(power) in held]
    return (s.seat(left[0]), LeftAlone.of(left[0])) if len(left) == 1 and s.phase != OVER else None


# --- the end ------------------------------------------------------------------------------------------------

def fallen(g: Game[State], loser: str) -> None:
    """Put a player out if a capture has ended its game, with what follows [ATK-19.1, 19.2.1, 19.5]."""
    s = g.state
    if s.land_units(loser):
        return
    to_the_last = s.options.end_mode == "last_standing"
    g.emit(PlayerOut(power=loser, returned=tuple(s.hands[loser]) if to_the_last else (), cleared=to_the_last))
    if s.proposal == loser and s.rules_version > 1:
        g.emit(ProposalLapsed(power=loser))
    if not to_the_last or len(s.playing) == 1:
        close(g)


def close(g: Game[State]) -> None:
    """The game ends with the present position [ATK-19.4]."""
    g.emit(ended(g.state))


def ended(s: State, *, first: str = "") -> GameEnded:
    """Territories, then land units, decide; those who are out come last, who fell later before [ATK-19.4].

    `first`: who wins whatever the others have.
    """
    score = {power: (len(s.territories(power)), s.land_units(power)) for power in s.powers}
    ranking = sorted(s.playing, key=lambda power: (power != first, -score[power][0], -score[power][1])) + s.out[::-1]
    best = score[ranking[0]]
    winners = (first,) if first else tuple(power for power in s.playing if score[power] == best)
    return GameEnded(ranking=tuple(ranking), winners=winners, territories={power: score[power][0] for power in s.powers},
                     units={power: score[power][1] for power in s.powers})


def last_round(s: State) -> bool:
    """True if the game closes when this round is complete [ATK-19.3.1, 19.3.2, 19.3.6]."""
    return s.closing or s.time == "up" or (s.options.end_mode == "round_limit" and s.round >= s.options.rounds)


def why(s: State) -> Text:
    """Why a game that is over has ended."""
    if s.out and (s.options.end_mode != "last_standing" or len(s.playing) == 1):
        return text("{power} had no land units left.", power=s.out[-1])
    if s.closing:
        return text("All had agreed to end it.")
    if s.time == "up":
        return text("The agreed time was up.")
    if last_round(s):
        return text("Round {round} was the last.", round=s.round)
    return text("All others had resigned.")


def end_turn(g: Game[State], power: str) -> Script[None]:
    """A proposal is answered; then the next player's turn, or the end of the round and perhaps of the game [ATK-19.3.4].

    Those who are away or have resigned agree to end the game once all others do [ATK-21.2.3].
    """
    s = g.state
    if s.proposal:
        by = s.proposal
        answers = yield from ask_each([s.seat(other) for other in s.others(by)], Answer, point="D-24", default=Answer.of(False),
                                      in_absence=Answer.of(True), power=by,
                                      prompt="{power} proposes to end the game after this round. Do you agree?")
        g.emit(ProposalAnswered(power=by, against=tuple(other for other in s.others(by) if not answers[s.seat(other)].accept)))
    order = s.in_turn_order()
    after = [other for other in order[order.index(power) + 1:] if other not in s.out]
    if not after and last_round(s):
        close(g)
        return
    following = after[0] if after else next(other for other in order if other not in s.out)
    g.emit(TurnEnded(power=power, place=s.powers.index(following), round=s.round if after else s.round + 1,
                     unused=max(0, actions_left(s))))
