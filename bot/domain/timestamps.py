"""Moments as the database has them: ISO 8601 in UTC, to the second, so that their order is that of their letters."""
from __future__ import annotations

from datetime import UTC, datetime


def timestamp(moment: datetime) -> str:
    """An aware moment as it is stored: "2027-01-31T18:00:00+00:00"."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def from_timestamp(stored: str | None) -> datetime | None:
    """The moment of a stored timestamp; None if there is none."""
    return None if stored is None else datetime.fromisoformat(stored)
