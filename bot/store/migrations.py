"""The tables, one function for each change, in the order of their numbers; what has once been released is never edited.

`transform()` of sqlite-utils drops triggers: a migration that uses it on `log` must create them again.
"""
from __future__ import annotations

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from bot.store.migrations_1_to_20 import CHANGES_1_TO_20
from bot.store.migrations_21_to_40 import CHANGES_21_TO_40
from engine.refusals import Faulty
from engine.text import verbatim


def m0041_moves(db: Database) -> None:
    """Which servers are on their way from this file to another, or here, until that is finished."""
    db.execute("""
        CREATE TABLE moves (
            guild INTEGER PRIMARY KEY, way TEXT NOT NULL CHECK (way IN ('out', 'in')), file TEXT NOT NULL,
            token TEXT NOT NULL) STRICT""")


def m0042_freed_seats(db: Database) -> None:
    """When each member was last told that a seat of a game is free."""
    db.execute("ALTER TABLE openings ADD COLUMN seat_told TEXT")


def m0043_open_tables(db: Database) -> None:
    """When somebody last joined or left each open game, and when its people were last told that it is still open."""
    db.execute("ALTER TABLE games ADD COLUMN joined_at TEXT")
    db.execute("ALTER TABLE games ADD COLUMN open_told TEXT")
    db.execute("UPDATE games SET joined_at = strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now') WHERE status = 'open'")


def m0044_moved_away(db: Database) -> None:
    """Which servers have moved from this file to another one."""
    db.execute("CREATE TABLE moved_away (guild INTEGER PRIMARY KEY) STRICT")


def m0045_authors(db: Database) -> None:
    """Who wrote each message between seats; of earlier ones where only one member has ever held the seat."""
    db.execute("ALTER TABLE press ADD COLUMN user INTEGER")
    db.execute("""
        UPDATE press SET user = (
            SELECT max(insights.user) FROM insights JOIN games USING (circle)
            WHERE games.id = press.game AND insights.seat = press.seat AND held
            GROUP BY games.id HAVING count(DISTINCT insights.user) = 1)""")


def m0046_automatic_secret(db: Database) -> None:
    """What the small random preferences of automatic players are drawn from; nothing outside the file follows from it."""
    db.execute("CREATE TABLE automatic_secret (secret TEXT NOT NULL) STRICT")
    db.execute("INSERT INTO automatic_secret SELECT hex(randomblob(32))")


def m0047_outages(db: Database) -> None:
    """When the bot was off: that time is nobody's silence."""
    db.execute("CREATE TABLE outages (since TEXT PRIMARY KEY, until TEXT NOT NULL) STRICT, WITHOUT ROWID")


def m0048_troubles(db: Database) -> None:
    """When whoever runs the bot was last told of each kind of trouble."""
    db.execute("CREATE TABLE troubles (kind TEXT PRIMARY KEY, told_at TEXT NOT NULL) STRICT, WITHOUT ROWID")


def m0049_one_file(db: Database) -> None:
    """A server never moves to another file any more. Raises Faulty: one is on its way."""
    for (file,) in db.execute("SELECT file FROM moves"):
        raise Faulty("A server is still on its way between this file and {file}. Finish that with the version before: "
                     "`python -m bot servers` says how.", file=verbatim(file))
    db.execute("DROP TABLE moves")
    db.execute("DROP TABLE moved_away")


def m0050_letters_written(db: Database) -> None:
    """When each letter was written, and which of some messages are known: so one is found whose answer was lost."""
    db.execute("ALTER TABLE outbox ADD COLUMN at TEXT")
    db.execute("CREATE INDEX outbox_by_message ON outbox (message) WHERE message NOT NULL")
    db.execute("CREATE INDEX messages_by_message ON messages (message)")


def m0051_languages(db: Database) -> None:
    """The language that a member, a server and a game have chosen, and that in which a member was last seen on Discord."""
    for table, column in (("games", "language"), ("settings", "language"), ("members", "language"), ("members", "locale")):
        db.execute(f"ALTER TABLE {table} ADD COLUMN {column} TEXT")


CHANGES = (*CHANGES_1_TO_20, *CHANGES_21_TO_40,
           m0041_moves, m0042_freed_seats, m0043_open_tables, m0044_moved_away, m0045_authors,
           m0046_automatic_secret, m0047_outages, m0048_troubles, m0049_one_file,
           m0050_letters_written, m0051_languages)       # only ever longer

migrations = Migrations("chancery")
for change in CHANGES:
    migrations()(change)
