"""`python -m tools.maps`: makes all plates anew and says which of them changed."""
from __future__ import annotations

import sys

from tools.maps import attack, imperial
from tools.maps.plates import write


def main() -> None:
    """Make every plate and print its name and whether it changed."""
    for path, changed in (*write(), *write(attack.PLATES, attack.FRAMES, attack.plate),
                          *write(imperial.PLATES, imperial.FRAMES)):
        sys.stdout.write(f"{path.parent.parent.name}, {path.name}: {'changed' if changed else 'as before'}\n")


if __name__ == "__main__":
    main()
