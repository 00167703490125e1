"""What the records of all components share."""
from __future__ import annotations

from pydantic import ConfigDict

from engine.kernel.model import Model


class Record(Model):
    """Something that never changes, as the data has it; what the rules do not know is left out."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Part(Record):
    provenance: str


class Named(Part):
    id: str
    name: str
