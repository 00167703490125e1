"""The state of a battle: an attack, a raid or a rising, as far as it has come."""
from __future__ import annotations

from pydantic import Field

from engine.kernel.model import later
from engine.kernel.state import Stateful


class Sent(Stateful):
    """What a helper committed and still has in the fight."""

    principal: str
    army: int
    navy: int


class Due(Stateful):
    """A unit that a side must lose now, and from whom first."""

    side: str
    own_first: bool
    fort_too: bool = later(default=False)        # a fort can be lost although it is a tie (SOE-9.10.10)


class Battle(Stateful):
    """One attack, raid or rising. `attacker` and `defender` are powers, or what fights in their place: the face of a neutral
    marker, "pirates", "slave_revolt"."""

    area: str
    attacker: str
    defender: str
    mover: str                              # the power whose turn it is
    sea: str = ""                           # the sea area of its naval stage; "" if it has none
    naval_only: bool = False
    surprise: bool = False
    raid: bool = False                      # Pirates or a Slave Revolt attack a marker
    strength: int = 0                       # of the neutral marker, captive or token that fights
    stage: str = ""                         # "sea" or "land" while one is fought
    sent: dict[str, Sent] = Field(default_factory=dict)     # helper -> what it committed
    heard: list[str] = Field(default_factory=list)  # powers that have said whether they help
    support: str = ""                       # the principal with naval support
    blockading: bool = False                # that support counts 2
    at_sea: dict[str, list[str]] = Field(default_factory=dict)  # principal -> alliances used at sea
    dice: dict[str, tuple[int, int]] = Field(default_factory=dict)  # side -> its roll
    decided: bool = False                   # the roll stands
    winner: str = ""                        # of the stage; "" in a tie
    withdrawn: bool = False                 # the defender used Fighting Withdrawal
    due: Due | None = None
    closed: list[str] = later(default=[])     # principals who are done with their calls (SOE-9.4.16)
    spared: dict[str, int] = later(default={})    # "britain fort": chosen to stay (SOE-12.18.9)

    def foe(self, side: str) -> str:
        return self.defender if side == self.attacker else self.attacker
