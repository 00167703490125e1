"""Games and who sits at them."""
from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.domain.absence import USUAL, ReplacementRules
from bot.domain.announcements import Announced, Posting
from bot.domain.insights import SharedPast, may_be_shown
from bot.store.insights import Insights
from bot.store.numbers import Numbers
from bot.store.rows import GameRow, Holder, Owner, Status, Stored
from engine.kernel import Seat
from engine.refusals import Refusal

GAME = ("id", "key", "edition", "options", "title", "guild", "channel", "owner", "seats", "status", "pack_hash", "commitment",
        "created_at", "veil", "posting", "newcomers", "invite_only", "no_show", "language")
CHOSEN = ("replace_days", "replace_by", "level", "caretaker")
GAME_COLUMNS = ", ".join([*(f"games.{name}" for name in (*GAME, *CHOSEN)),
                          "(SELECT allowed FROM press_rules WHERE game = games.id)"])
SEAT = ("game", "seat", "user", "private", "name", "owner", "owner_private", "owner_name", "caretaker", "away", "until",
        "lapsed", "back", "level")
OF_MEMBER = "SELECT game FROM seats WHERE user = ?1 UNION SELECT game FROM seats WHERE owner = ?1"
ALIVE = "status IN ('open', 'running', 'paused')"
SEATED = f"games.id IN ({OF_MEMBER})"


class Games(Insights, Numbers):
    def add_game(self, values: Mapping[str, Any], components: Mapping[str, Any]) -> int:
        """A new open game with its component data; its number."""
        self.conn.execute("INSERT OR IGNORE INTO components VALUES (?, ?)",
                          (values["pack_hash"], zlib.compress(json.dumps(components).encode())))
        number = self.next_game()
        game = {"id": number, "circle": number, "newcomers": "free", "replace_days": USUAL.days, **values,
                "options": json.dumps(values["options"]),
                "told": Announced().model_dump_json(), "secret": "", "commitment": "", "status": "open"}
        key = self.db.table("games").insert(game, pk="id").last_pk
        assert isinstance(key, int), "games are numbered"
        return key

    def games(self, *, channel: int | None = None, user: int | None = None, guild: int | None = None,
              number: int | None = None, status: Sequence[Status] = (), most: int = -1) -> list[GameRow]:
        """The games that fit all that is given, newest last; of each status at most so many, the newest (-1: all)."""
        wanted: dict[str, object] = {SEATED: user, "games.channel = ?": channel, "games.guild = ?": guild, "games.id = ?": number}
        given = {fits: value for fits, value in wanted.items() if value is not None}
        where = " AND ".join([*given, "games.status = ?"])
        sql = f"SELECT {GAME_COLUMNS} FROM games WHERE {where} ORDER BY games.id DESC LIMIT ?"
        found = [_game(row) for one in status for row in self.conn.execute(sql, (*given.values(), one, most))]
        return sorted(found, key=lambda game: game.id)

    def titles(self, guild: int | None, channel: int) -> set[str]:
        """What the games of a server are called, or those of a direct message; closed ones aside."""
        sql = "SELECT title FROM games WHERE status != 'closed' AND (guild = ?1 OR ?1 IS NULL AND channel = ?2)"
        return {title for (title,) in self.conn.execute(sql, (guild, channel))}

    def own_games(self, user: int) -> list[GameRow]:
        """The games under way, open ones included, in which a member has a seat or is game master; newest last."""
        own = f"{OF_MEMBER} UNION SELECT id FROM games WHERE owner = ?1 AND {ALIVE}"
        sql = f"SELECT {GAME_COLUMNS} FROM games WHERE id IN ({own}) AND {ALIVE} ORDER BY id"
        return [_game(row) for row in self.conn.execute(sql, (user,))]

    def live_games(self, owner: int, guild: int | None) -> tuple[int, int]:
        """How many games are open or under way: those with this game master, and those of this server."""
        own, all_of_them = self.conn.execute(
            f"SELECT count(*) FILTER (WHERE owner = ?), count(*) FILTER (WHERE guild = ?) FROM games WHERE {ALIVE}",
            (owner, guild)).fetchone()
        return own, all_of_them

    def seated(self, user: int) -> set[int]:
        return {game for (game,) in self.conn.execute(OF_MEMBER, (user,))}

    def game(self, game: int) -> Stored:
        """One game. Raises Refusal: there is none with this number."""
        sql = f"SELECT secret, started_at, told, {GAME_COLUMNS} FROM games WHERE id = ?"
        found = self.conn.execute(sql, (game,)).fetchone()
        if found is None:
            raise Refusal("There is no game number {game}.", game=game)
        secret, started_at, told, *row = found
        return Stored(row=_game(row), secret=secret, started_at=started_at, told=Announced.model_validate_json(told),
                      holders=self.holders(game))

    def knows(self, pack_hash: str) -> bool:
        return self._one("SELECT 1 FROM components WHERE hash = ?", pack_hash) is not None

    def components(self, pack_hash: str) -> Any:
        return json.loads(zlib.decompress(self._one("SELECT data FROM components WHERE hash = ?", pack_hash)))

    def progress(self, game: int, status: Status, told: Announced) -> None:
        """How a game stands, and what has been told of it. A game that is no longer paused is no longer deserted, and stands
        still no longer."""
        self.conn.execute("""UPDATE games SET status = ?1, told = ?2, deserted = deserted AND ?1 = 'paused',
                             stood_told = CASE WHEN status = 'paused' AND ?1 != 'paused' THEN NULL ELSE stood_told END
                             WHERE id = ?3""", (status, told.model_dump_json(), game))

    def set_options(self, game: int, *, edition: str, options: Mapping[str, Any], pack_hash: str,
                    components: Mapping[str, Any]) -> None:
        self.conn.execute("INSERT OR IGNORE INTO components VALUES (?, ?)",
                          (pack_hash, zlib.compress(json.dumps(components).encode())))
        self.conn.execute("UPDATE games SET edition = ?, options = ?, pack_hash = ? WHERE id = ?",
                          (edition, json.dumps(options), pack_hash, game))

    def begin(self, game: int, *, seats: int, secret: str, commitment: str, at: str) -> None:
        sql = "UPDATE games SET status = 'running', seats = ?, secret = ?, commitment = ?, started_at = ? WHERE id = ?"
        self.conn.execute(sql, (seats, secret, commitment, at, game))
        self.let_in(game)

    def set_posting(self, game: int, posting: Posting) -> None:
        self.conn.execute("UPDATE games SET posting = ? WHERE id = ?", (posting, game))

    def set_language(self, game: int, language: str) -> None:
        self.conn.execute("UPDATE games SET language = ? WHERE id = ?", (language, game))

    def set_owner(self, game: int, user: int) -> None:
        self.conn.execute("UPDATE games SET owner = ? WHERE id = ?", (user, game))

    def holders(self, game: int) -> tuple[Holder, ...]:
        rows = self.conn.execute(f"SELECT {', '.join(SEAT[1:])} FROM seats WHERE game = ? ORDER BY rowid", (game,)).fetchall()
        holders = tuple([_holder(row) for row in rows])
        if not self.doubly_known(game):                     # as nearly everywhere: the rule has nothing to say
            return holders
        circle = self.circle(game)
        return tuple([_sighted(holder, circle) for holder in holders])

    def seat_all(self, game: int, holders: Iterable[Holder]) -> None:
        """These seats, in this order, and no others. Who sat there before keeps the name that the file has."""
        names = dict(self.conn.execute("SELECT user, name FROM seats WHERE game = ? AND user NOT NULL", (game,)).fetchall())
        self.conn.execute("DELETE FROM seats WHERE game = ?", (game,))
        self.conn.executemany(f"INSERT INTO seats ({', '.join(SEAT)}) VALUES ({', '.join('?' * len(SEAT))})", [
            (game, holder.seat, holder.user, holder.private, names.get(holder.user, holder.name) if holder.user else "",
             *_owned(holder.owner), holder.caretaker, holder.away, holder.until, holder.lapsed, holder.back,
             holder.level) for holder in holders])
        self.let_in(game)

    def rename(self, user: int, name: str, guild: int | None) -> None:
        self.conn.execute("""UPDATE seats SET name = ? WHERE user = ? AND name <> ?
                             AND EXISTS (SELECT 1 FROM games WHERE id = seats.game AND guild IS ?)""", (name, user, name, guild))


def _game(values: Sequence[Any]) -> GameRow:
    (*values, days, agreement, level, caretaker, allowed), found = values, dict(zip(GAME, values))
    read = {"options": json.loads(found["options"]), "invite_only": bool(found["invite_only"])}
    return GameRow(**{**found, **read}, replacement=ReplacementRules(days, agreement), successor=level, caring=bool(caretaker),
                   allowed=allowed or "all")


def _holder(values: Sequence[Any]) -> Holder:
    seat, user, private, name, owner, owner_private, owner_name, caretaker, away, until, lapsed, back, level = values
    whose = None if owner is None else Owner(user=owner, private=bool(owner_private), name=owner_name)
    return Holder(seat=Seat(seat), user=user, private=bool(private), name=name, owner=whose, caretaker=bool(caretaker),
                  away=bool(away), until=until, lapsed=bool(lapsed), back=back, level=level)


def _sighted(holder: Holder, circle: SharedPast) -> Holder:
    """A seat that shows its secrets to nobody who must not see them."""
    blind = frozenset([user for user in holder.users if not may_be_shown(circle, holder.seat, user)])
    return replace(holder, blind=blind) if blind else holder


def _owned(owner: Owner | None) -> tuple[int | None, bool, str]:
    return (None, False, "") if owner is None else (owner.user, owner.private, owner.name)
