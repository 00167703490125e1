"""python -m bench NAME [--json]: run one instrument, with a progress bar; --json ends with one line of JSON."""
from __future__ import annotations

import argparse
import json

from bench import engine, pictures, waiting

INSTRUMENTS = {"engine": engine.measure, "pictures": pictures.measure, "waiting": waiting.measure}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("name", choices=INSTRUMENTS)
    parser.add_argument("--json", action="store_true", help="end with one line of JSON")
    parser.add_argument("--seconds", type=float, default=3.0, help="length of each measurement")
    args = parser.parse_args()
    figures = INSTRUMENTS[args.name](args.seconds)
    for key, value in figures.items():
        print(f"{key:32} {value:>14,.2f}" if isinstance(value, float) else f"{key:32} {value:>14}")
    if args.json:
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
