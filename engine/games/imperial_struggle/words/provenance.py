"""What hangs on those values of the components that no source gives (`engine.provenance`)."""
from __future__ import annotations

from engine.kernel.origins import Aspect, Origin
from engine.text import text

ORIGINS = (
    Origin("spaces", text("Spaces"), (
        Aspect("subregion", text("sub-region"), text("which effects that name a sub-region reach it"), ("IS-2.1.1",),
               says=lambda values: text("{subregion}", subregion=str(values["subregion"]))),)),
)
