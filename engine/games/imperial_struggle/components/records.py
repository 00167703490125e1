"""What the records of all components share."""
from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")
    provenance: str


class Named(Part):
    id: str
    name: str
