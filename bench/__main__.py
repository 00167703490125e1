"""python -m bench NAME [--json]: run one instrument, with a progress bar; --json ends with one line of JSON.

The parameters of an instrument's function are its words on the command line: `game` is given as it is (and can be left out, if it
has a default), the others as --NAME.
"""
from __future__ import annotations

import argparse
import inspect
import json
import signal
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_type_hints

from bench import engine, load, pictures, players, replication
from engine.refusals import Refusal
from tests.checks import abuse, crash, fuzz, leaks, mutate, mutation, player_leaks, server, taps, walk

HELP = {
    "game": "key of a game, such as struggle_of_empires",
    "seconds": "length of each measurement",
    "seats": "number of players; 0 takes each number in turn",
    "games": "how many; 0: as many as the time allows, or one after the other",
    "pairs": "how many pairs of games that differ in one secret",
    "points": "how often the bot is killed",
    "faults": "requests to Discord that fail, in a hundred: half of them have been carried out",
    "actions": "how many changed actions are tried",
    "rows": "of the long game that is there",
    "members": "of the server",
    "days": "of its time",
    "off": "days in the middle, and besides, in which the bot is off; 0: none",
    "rate": "deeds of people a second",
    "edition": "key of an edition, such as deluxe",
    "jobs": "how many processes play, or test",
    "seed": "of what is random",
    "only": "a part of the names of pairs of levels; or the one room that is broken",
    "places": "how many are broken, one at a time",
    "process": "kill whole processes only",
    "automatic": "automatic players in so many of a hundred seats; 0: none",
    "abuser": "interactions a second of one member who presses everything; 0: nobody does",
    "litestream": "where the program litestream is",
    "soak": "minutes of live games on a Discord with faults; 0: none",
}

MOST = 10 ** 9          # of any amount


@dataclass(frozen=True)
class Instrument:
    """What measures, and the figures that must be 0: if one is not, the exit code says so."""

    measure: Callable[..., Mapping[str, Any]]
    none: tuple[str, ...] = ()
    told: Callable[[Mapping[str, Any]], Iterable[str]] = lambda figures: map(line, figures, figures.values())


def line(name: str, value: object) -> str:
    """One figure."""
    return f"{name:32} {value:>14,.2f}" if isinstance(value, float) else f"{name:32} {value!s:>14}"


INSTRUMENTS: dict[str, Instrument] = {
    "abuse": Instrument(abuse.measure, none=("too_long",)),
    "crash": Instrument(crash.measure, none=("lost", "doubled", "missing", "misplaced", "silent", "errors", "damage")),
    "engine": Instrument(engine.measure),
    "fuzz": Instrument(fuzz.measure, none=("stuck",)),
    "leaks": Instrument(leaks.measure, none=("differences", "foretold", "planted_missed")),
    "load": Instrument(load.measure, none=("lost", "doubled", "messages_missing", "messages_repeated", "messages_doubled",
                                           "games_missing", "memory_grows")),
    "mutate": Instrument(mutate.measure, none=("accepted", "crashed")),
    "mutation": Instrument(mutation.measure),
    "pictures": Instrument(pictures.measure),
    "players": Instrument(players.measure, told=players.told),
    "replication": Instrument(replication.measure, none=("broken_off", "lost_too_old", "invented", "messages_doubled")),
    "server": Instrument(server.measure, none=("standstills",)),
    "taps": Instrument(taps.measure),
    "twins": Instrument(player_leaks.measure, none=("differences", "planted_missed")),
    "walk": Instrument(walk.measure),
}


def main(words: Sequence[str] | None = None) -> int:
    """Run one instrument; the exit code: 0 for good, 1 if it found what must not be, 2 with a sentence for unusable words."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="The developer's instruments.")
    names = parser.add_subparsers(dest="name", required=True)
    for name, instrument in INSTRUMENTS.items():
        _add(names.add_parser(name, help=(inspect.getdoc(instrument.measure) or "").split("\n")[0]), instrument)
    args = vars(parser.parse_args(words))
    name, as_json = args.pop("name"), args.pop("json")
    try:
        figures = INSTRUMENTS[name].measure(**args)
    except Refusal as why:
        print(why, file=sys.stderr)
        return 2
    for words in INSTRUMENTS[name].told(figures):
        print(words)
    if as_json:
        print(json.dumps(figures))
    return 1 if any(figures.get(key) for key in INSTRUMENTS[name].none) else 0


def _add(parser: argparse.ArgumentParser, instrument: Instrument) -> None:
    """The parameters of a measurement as words of the command line."""
    types = get_type_hints(instrument.measure)
    for name, parameter in inspect.signature(instrument.measure).parameters.items():
        if name == "game" and parameter.default is parameter.empty:
            parser.add_argument("game", help=HELP["game"])
        elif name == "game":
            parser.add_argument("game", nargs="?", default=parameter.default,
                                help=f"{HELP['game']}; without it {parameter.default or 'all games'}")
        elif types[name] is bool:
            parser.add_argument(f"--{name}", action="store_true", help=HELP.get(name))
        else:
            kind = _amount(types[name], parameter.default) if types[name] in (int, float) else types[name]
            parser.add_argument(f"--{name}", type=kind, default=parameter.default, help=HELP.get(name))
    parser.add_argument("--json", action="store_true", help="end with one line of JSON")


def _amount(kind: type[int] | type[float], default: float) -> Callable[[str], float]:
    """What reads an amount: a number that is finite and above 0; or 0, if that is the default and so has a meaning."""
    wanted = f"{'a whole number' if kind is int else 'a number'} {'from 0' if not default else 'above 0'}"

    def amount(written: str) -> float:
        try:
            number = kind(written)
        except ValueError:
            number = -1
        if not (written.isascii() and 0 <= number <= MOST and (number or not default)):
            raise argparse.ArgumentTypeError(f"{written} cannot be used; give {wanted}.")
        return number

    return amount


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)           # whoever reads may stop, as `head` does
    sys.exit(main())
