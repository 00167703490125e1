"""The command line, an edge: python -m engine selfplay | replay | verify | show | pack | values. See the README."""
from __future__ import annotations

import argparse
import json
import random
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from tqdm import tqdm

from engine import catalog, data_packs, house_values, record
from engine.components import Components, components, edition_of
from engine.kernel import Checkpoint, GameSpec, Seat, Table
from engine.options import dice
from engine.refusals import Drift, Faulty, Refusal
from engine.selfplay import beginning, play_on
from engine.text import Reader, count, say, text, verbatim


def main(words: Sequence[str] | None = None) -> int:
    """Run one command; the exit code: 0 for good, 1 if games were stuck, 2 with a sentence if something cannot be used."""
    parser = argparse.ArgumentParser(prog="python -m engine", description="Play, replay and show games.")
    commands = parser.add_subparsers(dest="command", required=True)

    selfplay = commands.add_parser("selfplay", help="play random legal games to the end")
    selfplay.add_argument("game", help=f"one of {', '.join(spec.key for spec in catalog.GAMES)}")
    selfplay.add_argument("--edition", help="without it the first")
    selfplay.add_argument("--seats", type=int, default=0, help="number of players; 0 takes each number in turn")
    selfplay.add_argument("--games", type=int, default=10)
    selfplay.add_argument("--seed", type=int, default=0)
    selfplay.add_argument("--out", type=Path, default=Path("stuck"), help="folder for games that got stuck")
    selfplay.add_argument("--keep", type=Path, help="folder for every finished game")
    selfplay.add_argument("--json", action="store_true", help="end with one line of JSON")
    selfplay.set_defaults(run=_selfplay)

    replay = commands.add_parser("replay", help="replay an exported game and check every step and roll")
    replay.add_argument("file", type=Path)
    replay.set_defaults(run=_replay)

    verify = commands.add_parser("verify", help="check every roll of a finished game against the hash published at its start")
    verify.add_argument("file", type=Path)
    verify.add_argument("--commitment", help="the hash as it was published, to be compared with that of the file")
    verify.set_defaults(run=_verify)

    show = commands.add_parser("show", help="print the board as text")
    show.add_argument("file", type=Path)
    show.add_argument("--row", type=int, help="after this step (default: the last)")
    show.add_argument("--seat", help="as this seat sees it (default: the public)")
    show.set_defaults(run=_show)

    pack = commands.add_parser("pack", help="print a data pack with every made-up value of an edition, to be corrected")
    pack.add_argument("game", help=f"one of {', '.join(spec.key for spec in catalog.GAMES)}")
    pack.add_argument("edition", nargs="?", help="without it the first")
    pack.set_defaults(run=_pack)

    values = commands.add_parser("values", help="print every made-up and inferred value of all games, with what it decides")
    values.set_defaults(run=_values)

    args = parser.parse_args(words)
    try:
        code: int = args.run(args)
    except Refusal as why:
        print(why, file=sys.stderr)
        return 2
    except Drift as why:
        print(f"The game does not replay: {why}.", file=sys.stderr)
        return 2
    return code


# --- selfplay -------------------------------------------------------------------------------------------

def _selfplay(args: argparse.Namespace) -> int:
    spec = catalog.find(args.game)
    if args.games < 1:
        raise Faulty("Play at least one game.")
    for folder in (args.out, args.keep):
        if folder is not None and folder.exists() and not folder.is_dir():
            raise Faulty("Name a folder for the games: {path} is a file.", path=verbatim(str(folder)))
    if args.seats and args.seats not in spec.seats:
        raise Faulty("{game} is for {players} players.", game=spec.name, players=spec.players)
    edition = args.edition or spec.editions[0].key
    found = components(spec, edition)
    counts = [args.seats] if args.seats else list(spec.seats)
    finished, stuck, rows, spent = 0, 0, 0, 0.0
    for number in tqdm(range(args.games), unit="game"):
        seats, rng = counts[number % len(counts)], random.Random(f"{args.seed}/{number}")
        secret = rng.randbytes(32).hex()
        start = beginning(spec, seats, edition, found.parts)
        table = Table(spec, found.parts, start, dice=dice(secret, {}), checkpoints=False)
        name = f"{spec.key}-{edition}-{seats}-{args.seed}-{number}"
        begin = perf_counter()
        try:
            for _ in play_on(table, rng.randrange):
                pass
            spent += perf_counter() - begin
            rows += len(table.fresh)
            _check(spec, table, start, found.parts)
        except Exception as why:            # whatever is wrong with a game must be seen, and played again from its file
            stuck += 1
            path = _keep(args.out, name, edition, found, table, secret)
            print(f"{path}: {type(why).__name__}: {why}", file=sys.stderr)
        else:
            finished += 1
            if args.keep:
                _keep(args.keep, name, edition, found, table, secret)
    speed = round(rows / spent) if spent else 0
    print(f"{finished} game{'s' * (finished != 1)} finished, {stuck} stuck; {rows} rows, {speed} rows/s")
    if args.json:
        print(json.dumps({"games": args.games, "finished": finished, "stuck": stuck, "rows": rows, "rows_per_second": speed}))
    return 1 if stuck else 0


def _check(spec: GameSpec, table: Table, start: Checkpoint, parts: object) -> None:
    rows = [entry.row() for entry in table.fresh]
    again = Table(spec, parts, start, rows, dice=table.dice, checkpoints=False)
    assert again.state.model_dump_json() == table.state.model_dump_json(), "the replay ends in another state"


def _keep(folder: Path, name: str, edition: str, found: Components, table: Table, secret: str) -> Path:
    path = folder / f"{name}.jsonl"
    seats = record.seat_names(table, map(Seat, table.state.seats))
    written = record.write(table, edition=edition, options={}, seats=seats, components=found, secret=secret,
                           log=[entry.row() for entry in table.fresh])
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(written, encoding="utf-8")
    except OSError as why:
        raise Faulty("I can't write {path}: {reason}.", path=verbatim(str(path)),
                     reason=verbatim((why.strerror or type(why).__name__).lower())) from None
    return path


# --- recorded games ---------------------------------------------------------------------------------------

def _read(path: Path) -> tuple[record.Record, GameSpec]:
    try:
        found = record.read(path.read_bytes().decode("utf-8"))
    except OSError:
        raise Faulty("I can't read the file {path}.", path=verbatim(str(path))) from None
    except UnicodeDecodeError:
        raise Faulty("The file {path} isn't a game record: it isn't text.", path=verbatim(str(path))) from None
    return found, catalog.find(found.header.game)


def _replay(args: argparse.Namespace) -> int:
    found, spec = _read(args.file)
    table = record.replay(found, spec)
    reader = Reader(spec.words.names(table.parts, table.state))
    print(f"{spec.name}: {len(found.rows)} rows, every move legal, every roll as the secret gives it.")
    if table.over:
        print(say(spec.words.result(table.state), reader))
        for seat, place, points in spec.rules.standings(table.state):
            print(f"{place}. {reader.name(spec.words.seat_name(table.state, seat))}: {points}")
    else:
        print(f"Not over: {say(spec.words.moment(table.state), reader)}.")
    print(f"state {record.state_hash(table)}")
    return 0


def _verify(args: argparse.Namespace) -> int:
    found, spec = _read(args.file)
    if args.commitment and args.commitment.strip().lower() != found.header.commitment:
        raise Faulty("The file states another hash than {published}.", published=verbatim(args.commitment))
    if not found.proves_epochs and any(throw.rolled.epoch for throw in found.rolls):
        raise Faulty("This record is in an older format, which doesn't say why the dice were rolled afresh.")
    table = record.replay(found, spec)
    if not table.over:
        raise Faulty("This game isn't over, so its dice are still secret.")
    reader = Reader(spec.words.names(table.parts, table.state))
    said = [text("{game}: {rolls} in {rows}, each as the rules ask for it and the secret gives it.", game=spec.name,
                 rolls=count(len(found.rolls), "{n} roll", "{n} rolls"),
                 rows=count(len(found.rows), "{n} step", "{n} steps"))]
    for no, back in found.returns:
        again = text(" The dice were rolled afresh from there.") if back.fresh else text("")
        said.append(text("Step {no} returned to step {to}.{again}", no=no, to=back.to, again=again))
    if (origin := found.header.origin) is not None:
        said.append(text("The rolls up to step {row} are those of the game with the hash {hash}, from which this one was "
                         "branched. Only that game's record can prove them.", row=origin.row, hash=verbatim(origin.commitment)))
    said.append(text("The secret fits the hash {hash}.", hash=verbatim(found.header.commitment)))
    if not args.commitment:
        said.append(text("Compare that hash with the one that `/game export` told while the game ran."))
    said.append(text("The last hash of the record is {hash}; *Record* below the result tells it, too.",
                     hash=verbatim(record.seal(args.file.read_bytes().decode()))))
    print("\n".join(say(sentence, reader) for sentence in said))
    return 0


def _show(args: argparse.Namespace) -> int:
    found, spec = _read(args.file)
    table = record.position(found, spec, args.row)
    print(spec.views.board(spec.views.view(table.state, _seat(spec, table, args.seat) if args.seat else None)))
    return 0


def _seat(spec: GameSpec, table: Table, wanted: str) -> Seat:
    """A seat by its id or by the name that it has now. Raises Faulty."""
    names = Reader(spec.words.names(table.parts, table.state))
    called = {seat: spec.words.seat_name(table.state, seat) for seat in map(Seat, table.state.seats)}
    for seat, id in called.items():
        if wanted.lower() in (seat, id, names.name(id).lower()):
            return seat
    raise Faulty("There is no seat {wanted}. Choose among: {seats}.", wanted=verbatim(wanted), seats=tuple(called.values()))


# --- component data ---------------------------------------------------------------------------------------

def _pack(args: argparse.Namespace) -> int:
    spec = catalog.find(args.game)
    edition = edition_of(spec, args.edition or spec.editions[0].key)
    print(data_packs.template(spec, edition, components(spec, edition.key).raw), end="")
    return 0


def _values(args: argparse.Namespace) -> int:
    print(house_values.page(catalog.GAMES), end="")
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)           # whoever reads may stop, as `head` does
    sys.exit(main())
