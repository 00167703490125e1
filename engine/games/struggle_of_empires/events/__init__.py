"""Every fact of the game: its effect and its sentence. A file for each chapter; here they are listed, each stored by its name."""
from __future__ import annotations

from engine.games.struggle_of_empires.events.attack import (
    AllianceUsedAtSea,
    AttackDeclared,
    CallClosed,
    DiceRolled,
    FightDecided,
    HelpSent,
    RaidBegun,
    ReservesUsed,
    SeaDeclined,
    StageBegun,
    SupportDoubled,
    SupportGained,
)
from engine.games.struggle_of_empires.events.auction import AuctionBegun, AuctionPassed, AuctionWon, BidPlaced, OrderFixed
from engine.games.struggle_of_empires.events.build import (
    BuildBegun,
    ColonyDue,
    CrossingRolled,
    FarLandsRolled,
    MendingDone,
    MendingDue,
    MoveBegun,
    MovesDone,
    SendingDone,
    UnitBuilt,
    UnitMoved,
    UnitRazed,
    UnitSunk,
    UnitTurnedBack,
)
from engine.games.struggle_of_empires.events.minor import AllianceFormed, TokenBack, TokenSent
from engine.games.struggle_of_empires.events.money import (
    GoldGiven,
    GoldPaid,
    GoldTaken,
    PointsGained,
    PopulationPaid,
    UnrestChanged,
)
from engine.games.struggle_of_empires.events.outcome import (
    AttackEnded,
    CaptiveFreed,
    Captured,
    LossDue,
    MarkerTaken,
    NeutralBeaten,
    NothingToLose,
    UnitLost,
    UnitWithdrawn,
    Withdrawn,
)
from engine.games.struggle_of_empires.events.setup import (
    FirstPlayerFound,
    MarkerPutBack,
    NeutralsPlaced,
    NonPlayerPlaced,
    PlacingBegun,
    PowerChosen,
    StartDrawn,
    UnitPlaced,
)
from engine.games.struggle_of_empires.events.tiles import (
    BlockadeLaid,
    BlockadeLifted,
    TileRemoved,
    TileReturned,
    TileTaken,
    TileUsed,
)
from engine.games.struggle_of_empires.events.turns import ActionSpent, Passed, Settled, TurnBegun, TurnEnded
from engine.games.struggle_of_empires.events.war_end import (
    AreaScored,
    Collapsed,
    GameEnded,
    IncomeTaken,
    Penalised,
    PopulationGrown,
    UnrestRevealed,
    WarEnded,
)
from engine.games.struggle_of_empires.events.words import a_unit, bare_unit, gold, proposal, units
from engine.games.struggle_of_empires.rules.unrest_bag import BagShaken, UnrestDrawn
from engine.kernel import Event

ALL: tuple[type[Event], ...] = (
    NeutralsPlaced, FirstPlayerFound, PowerChosen, StartDrawn, PlacingBegun, UnitPlaced, GoldPaid, GoldTaken, UnrestChanged,
    PopulationPaid, PointsGained, GoldGiven, AuctionBegun, BidPlaced, AuctionPassed, AuctionWon, OrderFixed, TurnBegun,
    ActionSpent, Passed, TurnEnded, Settled, BuildBegun, UnitBuilt, UnitRazed, ColonyDue, SendingDone, MoveBegun, UnitMoved,
    CrossingRolled, UnitTurnedBack, UnitSunk, MovesDone, TileTaken, TileUsed, TileReturned, TileRemoved, BlockadeLaid,
    BlockadeLifted, AttackDeclared, RaidBegun, HelpSent, SeaDeclined, SupportGained, SupportDoubled, AllianceUsedAtSea,
    StageBegun, DiceRolled, ReservesUsed, FightDecided, MarkerTaken, NeutralBeaten, Captured, CaptiveFreed, LossDue, UnitLost,
    UnitWithdrawn, NothingToLose, Withdrawn, AttackEnded, IncomeTaken, PopulationGrown, AreaScored, WarEnded, UnrestRevealed,
    Collapsed, Penalised, GameEnded, FarLandsRolled, MendingDue, MendingDone, AllianceFormed, TokenSent, TokenBack,
    NonPlayerPlaced, MarkerPutBack, BagShaken, UnrestDrawn, CallClosed)
