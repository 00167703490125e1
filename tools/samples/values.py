"""The components of made-up positions, with the values that they were made with: values set anew change no picture."""
from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any


def struggle_of_empires(data: str) -> dict[str, Any]:
    """The components of a file of the game, with prices of tiles and strengths of neutral markers as `values.json` has them."""
    raw: dict[str, Any] = json.loads((files("data") / "struggle_of_empires" / data).read_bytes())
    kept = json.loads(Path(__file__).with_name("values.json").read_bytes())
    for listed, records in kept.items():
        raw[listed] = [record | records.get(record["id"], {}) for record in raw[listed]]
    return raw
