"""A fence: what a letter tells is written by the transaction that writes the letter. So no death between two of them leaves news
that are noted as told and nobody has heard, or news that are told twice."""
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from bot.store import Ledger, database

WITH: Mapping[str, str] = {         # kind -> tables of which the transaction changes at least one, too
    "log": "games", "picture": "games", "question": "games", "ballot": "games", "packet": "games", "series": "games",
    "private": "games", "final": "games", "proxy": "log", "plan": "plans", "press": "press", "strike": "log", "notice": "*",
    "status": "",                               # made up when it is sent: it tells nothing of its own
    "full": "seats", "invitation": "games", "called": "games", "rematch": "games", "invited": "guests", "late": "games",
    "opened": "openings", "stillopen": "games", "quiet": "games", "week": "members", "summary": "noticeboards",
    "application": "applications seats", "replacing": "replacements ballots", "replaced": "replacements",
    "voters": "replacements", "standin": "stand_in_offers",
    "alone": "seats", "farewell": "seats", "reminder": "deadlines", "escalation": "escalations",
    "waiting": "escalations", "stands": "games", "longpause": "games", "master": "games", "lapse": "seats", "upcoming": "games",
    "vote": "votes", "request": "requests consents"}
WRITES = re.compile(r"\s*(?:INSERT(?: OR \w+)? INTO|REPLACE INTO|UPDATE(?: OR \w+)?|DELETE FROM)\s+(?:main\.)?\"?(\w+)")
LETTER = re.compile(r"INSERT INTO outbox \([^)]*\) VALUES \(\d+, \d+, \d+, '(\w+)'")
BESIDE = {"outbox", "noticeboards"}     # what every letter changes, or every change of a status


@contextmanager
def watched(room: str = "bot.") -> Iterator[list[str]]:
    """The transactions of the bot, or of another room, that write letters without what these tell."""
    found, real = list[str](), database._attempt

    def attempt(ledger: Ledger, job: Any, *, alone: bool) -> None:
        whose = getattr(job.work, "__module__", "")
        if not job.writes or not whose.startswith(room):
            real(ledger, job, alone=alone)
            return
        said = list[str]()
        ledger.conn.set_trace_callback(said.append)
        real(ledger, job, alone=alone)
        ledger.conn.set_trace_callback(None)
        changed = {match[1] for sql in said if (match := WRITES.match(sql))}
        for kind in {match[1] for sql in said if (match := LETTER.match(sql))}:
            wanted = changed - BESIDE if WITH[kind] == "*" else {*WITH[kind].split()}
            if job.error is None and WITH[kind] and not changed & wanted:
                found.append(f"{whose} writes a {kind} with {sorted(changed)}")

    with patch.object(database, "_attempt", attempt):
        yield found
