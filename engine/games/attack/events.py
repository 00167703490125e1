"""Every fact of the game; each is stored by its name."""
from __future__ import annotations

from engine.games.attack.rules import (
    battle,
    cards,
    combat,
    crossings,
    diplomacy,
    ending,
    movement,
    naval,
    production,
    rolls,
    setup,
    trade,
    turns,
)
from engine.kernel import Event

ALL: tuple[type[Event], ...] = (
    cards.CardDrawn, rolls.RolledTogether,
    setup.CardsDealt, setup.StartFound, setup.ColourChanged, setup.TerritoryClaimed, setup.UnitDeployed, setup.CapitalFounded,
    setup.PhaseBegun,
    turns.TurnBegun, turns.ActionChosen, turns.ActionDropped, turns.ActionSpent, turns.ActionFinished, turns.TurnEnded,
    movement.MoveOrdered, movement.MoveDropped, crossings.CrossingAnswered, crossings.CrossingMade,
    combat.BattleBegun, combat.CommandTaken, combat.TerritoryCaptured, combat.AttackFailed, combat.SpoilsTaken,
    battle.UnitsBrought, battle.HalfBegun, battle.BattleRolled,
    naval.ControlTaken, naval.ControllerWithdrew, naval.NavalBegun, naval.LinesShown, naval.PairFought, naval.NavalEnded,
    diplomacy.DiplomacyTried, diplomacy.TerritoryWon, diplomacy.DiplomacyFailed,
    production.PointsCounted, production.PurchaseChosen, production.PurchaseDropped,
    production.PurchaseMade, production.UnitsPlaced,
    trade.OfferMade, trade.OfferRecalled, trade.OfferFailed, trade.DealAgreed, trade.CardsTraded,
    ending.PlayerOut, ending.EndProposed, ending.ProposalAnswered, ending.ProposalLapsed, ending.TimeTold, ending.AllResigned,
    ending.GameEnded)
