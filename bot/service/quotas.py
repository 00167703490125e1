"""Whether a member, and a server, can have another game or another standing order at the same time."""
from __future__ import annotations

from bot.domain.limits import Limits
from bot.store import Ledger
from engine.refusals import Refusal
from engine.text import count


def require_room_for_game(limits: Limits, ledger: Ledger, owner: int, guild: int | None) -> None:
    """Raise Refusal if a member, or a server, has as many games that are open or under way as they can have."""
    quota, (own, all_of_them) = limits.games, ledger.games.live_games(owner, guild)
    if quota.member and own >= quota.member:
        raise Refusal("You're the game master of {games} already. Finish or close one first, with `/gm close`.",
                      games=count(own, "{n} game", "{n} games"))
    if quota.server and guild is not None and all_of_them >= quota.server:
        raise Refusal("This server has {games} already. Another one can be opened when one of them is over.",
                      games=count(all_of_them, "{n} game", "{n} games"))


def require_room_for_orders(limits: Limits, ledger: Ledger, user: int, guild: int | None, more: int) -> None:
    """Raise Refusal if a member, or all on a server, would have more orders in games under way than they can have."""
    quota = limits.orders
    if more <= 0 or not (quota.member or quota.server):
        return
    own, all_of_them = ledger.orders.live_orders(user, guild)
    if quota.member and own + more > quota.member:
        raise Refusal("You can have {most} orders in all your games together. Drop some first.", most=quota.member)
    if quota.server and guild is not None and all_of_them + more > quota.server:
        raise Refusal("This server has no room for more orders. Drop some of yours first.")
