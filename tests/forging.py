"""Records as a forger hands them in: any of their lines changed, and all hashes mended."""
from __future__ import annotations

import hashlib
import json
from typing import Any

Lines = list[dict[str, Any]]


def bodies(text: str) -> Lines:
    return [json.loads(line) for line in text.splitlines()]


def chained(lines: Lines) -> str:
    """Lines with their hashes, as somebody would write them who knows how."""
    chain, out = "", []
    for body in lines:
        body.pop("chain", None)
        plain = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
        chain = hashlib.sha256(f"{chain}{plain}".encode(errors="replace")).hexdigest()
        out.append(json.dumps({**body, "chain": chain}, ensure_ascii=False, separators=(",", ":")))
    return "".join(f"{line}\n" for line in out)
