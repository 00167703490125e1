"""What is watched of strong players in games of Imperial Struggle: points that lapse, ministries, debt, and which side wins."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.games.imperial_struggle import knowledge
from engine.games.imperial_struggle.actions.buying import Buying
from engine.games.imperial_struggle.actions.rounds import EndRound
from engine.games.imperial_struggle.actions.tiles import Upgrade
from engine.games.imperial_struggle.actions.turns import Appoint, eligible
from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.events.points import ActionOpened
from engine.games.imperial_struggle.events.turns import RoundEnded, RoundPassed
from engine.games.imperial_struggle.player import Mind
from engine.games.imperial_struggle.rules.points import lapsing
from engine.kernel import Action, Seat, Table

OFTEN = 0.1             # of the games in which a ministry can be chosen: in so many it is, if it counts as used
SETTLED = "T4"          # before it no debt should stand at its limit


@dataclass
class Watched:
    """What the strong players of one game did."""

    strong: frozenset[Seat]
    rounds: int = 0
    lapsed: int = 0                                     # action points, at the end of a round or of an action
    wasted: int = 0                                     # those of them for which, without debt, something was worth its price
    could: set[str] = field(default_factory=set)        # ministries that could be laid
    laid: set[str] = field(default_factory=set)
    at_limit: set[Side] = field(default_factory=set)    # before T4
    winner: str = ""

    def answering(self, table: Table, seat: Seat, answer: Action) -> None:
        if seat in self.strong and isinstance(answer, Appoint):
            self.could.update(eligible(table.state, table.state.power(seat)))
            self.laid.update(answer.cards)
        if seat in self.strong and table.state.round is not None and isinstance(answer, (Buying, EndRound, Upgrade)):
            self.wasted += wasted(table, seat, answer)

    def answered(self, table: Table, since: int) -> None:
        """Look at what has happened since this many rows were there."""
        s = table.state
        sides = {s.power(seat) for seat in self.strong} if s.sides else set()
        for event in (event for entry in table.fresh[since:] for event in entry.events):
            match event:
                case RoundEnded() if event.side in sides:
                    self.rounds, self.lapsed = self.rounds + 1, self.lapsed + event.lapsed
                case RoundPassed() if event.side in sides:
                    self.rounds += 1
                case ActionOpened() if event.side in sides:
                    self.lapsed += sum(points for _, points in event.lapsed)
        settled = next(number for number, step in enumerate(s.parts.turn_track) if step.id == SETTLED)
        if s.own and s.step < settled:
            self.at_limit.update(side for side in sides if s.own[side].debt >= s.own[side].limit > 0)
        self.winner = s.winner


def wasted(table: Table, seat: Seat, answer: Action) -> int:
    """Return how many of the points that an answer lets lapse could have bought what the player holds worth its price, without
    debt or treaty points: the dearest such purchase."""
    s, mind = table.state, Mind(knowledge.known(table.state, seat), table.state.power(seat))
    ends = isinstance(answer, EndRound)
    if not ends and not any(True for _ in lapsing(s, answer.action if isinstance(answer, Buying) else "upgrade")):
        return 0
    could = [option for option in table.options(seat) if isinstance(option, Buying) and not option.debt and not option.trp
             and (ends or option.action == s.current.open)]
    return max((mind.paid(option) for option in could if mind.net(option) >= 0), default=0)


def figures(games: Iterable[Watched], share_of: Any) -> Mapping[str, Any]:
    """Figures over games with strong players, with their 95 % intervals; the share of Britain where both are strong."""
    known = [game for game in games if game.strong]
    if not known:
        return {}
    could, laid = Counter(card for game in known for card in game.could), Counter(card for game in known for card in game.laid)
    limit, limit_off = share_of([len(game.at_limit) / len(game.strong) for game in known])
    wasted, wasted_off = _per_round([(game.wasted, game.rounds) for game in known])
    lapsed, lapsed_off = _per_round([(game.lapsed, game.rounds) for game in known])
    found: dict[str, Any] = {
        "points_wasted_per_round": wasted, "points_wasted_per_round_off": wasted_off,
        "points_lapsed_per_round": lapsed, "points_lapsed_per_round_off": lapsed_off,
        "ministries_used": sum(laid[card] >= OFTEN * could[card] for card in could),
        "debt_at_limit_before_t4": round(limit, 3), "debt_at_limit_before_t4_off": round(limit_off, 3)}
    mirrored = [float(game.winner == "britain") for game in known if len(game.strong) > 1]
    if mirrored:
        share, off = share_of(mirrored)
        found |= {"britain_share": round(share, 3), "britain_share_off": round(off, 3)}
    return found


def _per_round(games: Iterable[tuple[int, int]]) -> tuple[float, float]:
    """Points for each action round, and how far the 95 % interval reaches on either side."""
    found = [(points, rounds) for points, rounds in games if rounds]
    mean = sum(points for points, _ in found) / max(1, sum(rounds for _, rounds in found))
    off = sum((points / rounds - mean) ** 2 for points, rounds in found) / max(1, len(found) - 1) / max(1, len(found))
    return round(mean, 3), round(1.96 * off ** 0.5, 3)
