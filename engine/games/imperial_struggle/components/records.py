"""What the records of all components share."""
from __future__ import annotations

from engine.kernel.model import Record


class Part(Record):
    provenance: str


class Named(Part):
    id: str
    name: str
