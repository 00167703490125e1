"""Sheets made up by hand, for `make pictures` and for tests: no rules engine is asked whether they could come about."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from engine.games.struggle_of_empires.pictures import scenes as sc
from engine.games.struggle_of_empires.view import AuctionView, PowerView
from tools.samples.boards import SEATING, sample

TITLE = "Struggle of Empires"
PLAYERS = ("Mina", "Théodore the Patient of Upper Saxony", "Günther", "Ольга", "נועה", "Bo", "Kim 🎲 [DE]")
PEOPLE: sc.People = tuple(zip(SEATING, PLAYERS))
STEPS: tuple[sc.Step, ...] = ("points", "unrest", "collapse", "penalties", "ranking")


def _powers(players: int) -> tuple[PowerView, ...]:
    return sample(players).powers


def _people(players: int) -> sc.People:
    return PEOPLE[:players]


def _moment() -> sc.Moment:
    return sc.Moment(war=2, round=3, rounds=5, phase="turn")


def progress(players: int = 7, *, stops: int | None = None, rounds: int = 5, seed: int = 1) -> sc.Progress:
    """A game of three wars to its end, or only its first stops."""
    chance = Random(seed)
    axis = [sc.Stop(war=0, round=0)]
    for war in (1, 2, 3):
        axis += [sc.Stop(war=war, round=round) for round in range(1, rounds + 1)]
        axis.append(sc.Stop(war=war, round=0))
    axis.append(sc.Stop(war=3, round=0, last=True))
    axis = axis[:stops]
    lines = []
    for power in _powers(players):
        points = [0]
        for stop in axis[1:]:
            step = -chance.choice((0, 0, 4, 7)) if stop.last else chance.randint(0, 2) if stop.round else chance.randint(4, 22)
            points.append(points[-1] + step)
        lines.append(sc.Line(power=power.power, name=power.name, points=tuple(points)))
    lines.sort(key=lambda line: -line.points[-1])
    return sc.Progress(title=TITLE, stops=tuple(axis), lines=tuple(lines), people=_people(players))


def level(points: Sequence[Sequence[int]]) -> sc.Progress:
    """A plot with these points: a row for each power, a stop for each column, all in the first war."""
    stops = tuple([sc.Stop(war=min(n, 1), round=n) for n in range(len(points[0]))])
    lines = [sc.Line(power=power.power, name=power.name, points=tuple(row)) for power, row in zip(_powers(len(points)), points)]
    return sc.Progress(title=TITLE, stops=stops, lines=tuple(lines))


def forecast(players: int = 7, *, seed: int = 1) -> sc.Forecast:
    """The second war as it stands; every area with markers of some powers."""
    chance, view = Random(seed), sample(players)
    areas, gains = [], dict.fromkeys(SEATING[:players], 0)
    for area in view.areas:
        here = chance.sample(SEATING[:players], min(players, len(area.values) + 1))
        markers = sorted([(chance.randint(1, 6), power) for power in here], reverse=True)
        row = []
        for n, (number, power) in enumerate(markers):
            points = area.values[n] if n < len(area.values) else 0
            gains[power] += points
            row.append(sc.Gain(power=power, markers=number, points=points))
        areas.append(sc.AreaForecast(area=area.area, name=area.name, values=area.values, gains=tuple(row)))
    totals = [sc.Total(power=power.power, name=power.name, now=power.points, gain=gains[power.power],
                       then=power.points + gains[power.power]) for power in view.powers]
    totals.sort(key=lambda total: -total.then)
    return sc.Forecast(title=TITLE, moment=_moment(), areas=tuple(areas), totals=tuple(totals), people=_people(players))


def auction_sheet(players: int = 7, *, bids: int = 11) -> sc.Auction:
    """The second auction of a war, after so many bids."""
    powers = _powers(players)
    free = SEATING[2:players] or SEATING[:players]
    row_a, row_b = (SEATING[:1], SEATING[1:2]) if players > 3 else ((), ())
    made = []
    for n in range(bids):
        bidder = powers[n % players]
        made.append(sc.Bid(bidder=bidder.power, name=bidder.name, gold=n, a=free[n % len(free)], b=free[(n + 1) % len(free)]))
    standing = AuctionView(bidder="", gold=0, a="", b="")
    if made:
        standing = AuctionView(bidder=made[-1].bidder, gold=made[-1].gold, a=made[-1].a, b=made[-1].b)
    bidders = [sc.Bidder(power=power.power, name=power.name, gold=power.gold, state="to bid" if n == bids % players else "in")
               for n, power in enumerate(powers)]
    if players > 2:
        bidders[-1] = bidders[-1].model_copy(update={"state": "passed"})
    return sc.Auction(title=TITLE, war=2, number=2, row_a=row_a, row_b=row_b, standing=standing, bids=tuple(made),
                      bidders=tuple(bidders), people=_people(players))


EFFECTS = ("+1 army strength in each of your fights on land", "Once a war in a fight: roll all four dice again",
           "Once a war: 1 gold for each marker in India and the East Indies, up to 4", "",
           "You lose no unit in a fight that you don't win if you withdraw", "+1 population")


def stock(players: int = 7, *, seed: int = 1) -> sc.Stock:
    """All tiles of the first edition, some of them with powers."""
    chance, view = Random(seed), sample(players)
    items = []
    for n, kind in enumerate(view.stock):
        sold = [chance.choice(SEATING[:players]) for _ in range(kind.of - kind.left)]
        owners = [sc.Owner(power=power, number=sold.count(power), used=chance.randint(0, sold.count(power)))
                  for power in SEATING[:players] if power in sold]
        items.append(sc.Item(tile=kind.tile, name=kind.name, kind=kind.kind, left=kind.left, of=kind.of, gold=kind.gold,
                             population=kind.population, unrest=kind.unrest, owners=tuple(owners),
                             effect=EFFECTS[n % len(EFFECTS)]))
    powers = tuple([sc.Power(power=power.power, name=power.name) for power in view.powers])
    return sc.Stock(title=TITLE, moment=_moment(), items=tuple(items), powers=powers)


def reveal(players: int = 7, *, fallen: int = 1) -> sc.Reveal:
    """The end of a game in which the last ones of the ranking have collapsed."""
    rows = []
    for n, power in enumerate(_powers(players)):
        collapsed = n >= players - fallen
        before = 74 - 5 * n
        unrest = 22 + n if collapsed else 3 + 2 * n
        penalty = before if collapsed else {0: 7, 1: 4}.get(players - fallen - 1 - n, 0)
        rows.append(sc.Reckoned(power=power.power, name=power.name, before=before, unrest=unrest, collapsed=collapsed,
                                penalty=penalty, points=before - penalty, place=n + 1, winner=n == 0 and not collapsed))
    return sc.Reveal(title=TITLE, collapse=20, most=21 + players if fallen else 1 + 2 * players, penalties=(7, 4),
                     rows=tuple(rows), people=_people(players))


def reckoned(players: int, step: sc.Step) -> sc.Reveal:
    """The reckoning of the same game when it has come so far; of all unrest the most is not revealed yet."""
    whole, at = reveal(players), STEPS.index(step)
    rows = []
    for n, row in enumerate(whole.rows):
        hidden: dict[str, object] = {"place": 0, "winner": False}
        if at < STEPS.index("penalties") and not (row.collapsed and step == "collapse"):
            hidden |= {"collapsed": False, "penalty": None, "points": row.before}
        if step == "points" or (step == "unrest" and n == players - 1):
            hidden["unrest"] = None
        rows.append(row.model_copy(update=hidden))
    return whole if step == "ranking" else whole.model_copy(update={"step": step, "rows": tuple(rows)})


def reckoning(players: int = 7) -> sc.Reckoning:
    return sc.Reckoning(frames=tuple(reckoned(players, step) for step in STEPS))


def sheets() -> Iterator[tuple[str, object]]:
    yield "progress", progress()
    yield "progress-start", progress(5, stops=1)
    yield "progress-short", progress(4, stops=4)
    yield "progress-level", level(((0, 3, 3, 5), (0, 3, 3, 2), (0, 3, -4, -6)))
    for players in (2, 7):
        yield f"forecast-{players}", forecast(players)
        yield f"auction-{players}", auction_sheet(players)
        yield f"stock-{players}", stock(players)
        yield f"reveal-{players}", reveal(players)
    yield "auction-start", auction_sheet(5, bids=0)
    yield "reveal-nobody", reveal(3, fallen=3)
    for step in STEPS[:-1]:
        yield f"reckoning-{step}", reckoned(7, step)
