"""What versions 21 to 40 changed of the tables; released, so none of them is ever edited."""
from __future__ import annotations

from sqlite_utils import Database


def m0021_masters(db: Database) -> None:
    """The games under way of a game master are found without reading all others."""
    db.execute("CREATE INDEX games_by_owner ON games (owner) WHERE status IN ('open', 'running', 'paused')")


def m0022_forgotten(db: Database) -> None:
    """Which servers have removed the bot, and which of their games rest since; members who are forgotten once their games end."""
    db.execute("CREATE TABLE departures (guild INTEGER PRIMARY KEY, at TEXT NOT NULL) STRICT")
    db.execute("CREATE TABLE resting (game INTEGER PRIMARY KEY REFERENCES games (id)) STRICT")
    db.execute("CREATE TABLE forgotten (user INTEGER PRIMARY KEY, at TEXT NOT NULL) STRICT")


def m0023_automatic(db: Database) -> None:
    """Which seats an automatic player has, and of which strength one gets a seat that is given up."""
    for table in ("seats", "games"):
        db.execute(f"ALTER TABLE {table} ADD COLUMN level TEXT NOT NULL DEFAULT ''")


def m0024_nudges(db: Database) -> None:
    """How often members want to be reminded, in all games and in single ones; who is told of each move by direct message;
    and where direct messages to each member go, so that none has to be opened again."""
    db.execute("ALTER TABLE members ADD COLUMN nudges TEXT NOT NULL DEFAULT 'growing' "
               "CHECK (nudges IN ('growing', 'daily', 'once', 'none'))")
    db.execute("ALTER TABLE members ADD COLUMN notices INTEGER NOT NULL DEFAULT 0")
    db.execute("""
        CREATE TABLE nudges (
            game INTEGER NOT NULL REFERENCES games (id), user INTEGER NOT NULL,
            nudges TEXT NOT NULL CHECK (nudges IN ('growing', 'daily', 'once', 'none')),
            PRIMARY KEY (game, user)) STRICT, WITHOUT ROWID""")
    db.execute("""
        CREATE TABLE direct_channels (
            bot INTEGER NOT NULL, user INTEGER NOT NULL, channel INTEGER NOT NULL,
            PRIMARY KEY (bot, user)) STRICT, WITHOUT ROWID""")


def m0025_guests(db: Database) -> None:
    """Who is invited to an open game and who has been removed from it; games for invited members only; which game is the rematch
    of another."""
    db.execute("ALTER TABLE games ADD COLUMN invite_only INTEGER NOT NULL DEFAULT 0")
    db.execute("""
        CREATE TABLE guests (
            game INTEGER NOT NULL REFERENCES games (id), user INTEGER NOT NULL, invited INTEGER NOT NULL,
            PRIMARY KEY (game, user)) STRICT, WITHOUT ROWID""")
    db.execute("""
        CREATE TABLE rematches (
            game INTEGER PRIMARY KEY REFERENCES games (id), next INTEGER NOT NULL REFERENCES games (id)) STRICT""")


def m0026_free_seats(db: Database) -> None:
    """Since when each seat that has changed hands is its player's, or nobody's; who can take a free seat, and who has asked for
    one. Of games that were opened before, the game master decides."""
    db.execute("ALTER TABLE games ADD COLUMN newcomers TEXT NOT NULL DEFAULT 'asked' "
               "CHECK (newcomers IN ('free', 'asked', 'none'))")
    db.execute("CREATE INDEX seats_free ON seats (game) WHERE user IS NULL")
    db.execute("""
        CREATE TABLE tenures (
            game INTEGER NOT NULL REFERENCES games (id), seat TEXT NOT NULL, row INTEGER NOT NULL, at TEXT NOT NULL,
            PRIMARY KEY (game, seat)) STRICT, WITHOUT ROWID""")
    db.execute("""
        CREATE TABLE applications (
            game INTEGER NOT NULL REFERENCES games (id), user INTEGER NOT NULL, seat TEXT NOT NULL, name TEXT NOT NULL,
            at TEXT NOT NULL, declined INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (game, user)) STRICT, WITHOUT ROWID""")


def m0027_noticeboards(db: Database) -> None:
    """The one message of each server that says which games there are, and those that are still to be taken down."""
    db.execute("""
        CREATE TABLE noticeboards (
            guild INTEGER PRIMARY KEY, channel INTEGER NOT NULL, message INTEGER, user INTEGER NOT NULL, nonce TEXT NOT NULL,
            changed INTEGER NOT NULL DEFAULT 1, shown INTEGER NOT NULL DEFAULT 0, lost INTEGER NOT NULL DEFAULT 0) STRICT""")
    db.execute("""
        CREATE TABLE old_noticeboards (
            message INTEGER PRIMARY KEY, guild INTEGER NOT NULL, channel INTEGER NOT NULL) STRICT""")


def m0028_interests(db: Database) -> None:
    """Which games members would like to hear of, whom a game that was opened is told and when, and the role that is called."""
    db.execute("""
        CREATE TABLE interests (
            guild INTEGER NOT NULL, user INTEGER NOT NULL, key TEXT NOT NULL, seats INTEGER NOT NULL,
            PRIMARY KEY (guild, user, key, seats)) STRICT, WITHOUT ROWID""")
    db.execute("""
        CREATE TABLE openings (
            game INTEGER NOT NULL REFERENCES games (id), user INTEGER NOT NULL, due_at TEXT,
            PRIMARY KEY (game, user)) STRICT, WITHOUT ROWID""")
    db.execute("CREATE INDEX openings_by_time ON openings (due_at) WHERE due_at NOT NULL")
    db.execute("ALTER TABLE settings ADD COLUMN call_role INTEGER")


def m0029_stand_ins(db: Database) -> None:
    """Whom players have asked to stand in for them, until when, and what came of it."""
    db.execute("""
        CREATE TABLE stand_in_offers (
            id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games (id), seat TEXT NOT NULL, user INTEGER NOT NULL,
            asker INTEGER NOT NULL, name TEXT NOT NULL, until TEXT, due_at TEXT NOT NULL,
            ended TEXT CHECK (ended IN ('accepted', 'declined', 'withdrawn', 'over'))) STRICT""")
    db.execute("CREATE UNIQUE INDEX stand_in_offers_open ON stand_in_offers (game, seat) WHERE ended IS NULL")


def m0030_results(db: Database) -> None:
    """How each game that is over has ended, seat by seat; who wants to be in no table of results. A game that is not over any
    more has no result."""
    db.execute("CREATE TABLE results (game INTEGER PRIMARY KEY REFERENCES games (id), at TEXT NOT NULL) STRICT")
    db.execute("""
        CREATE TABLE result_seats (
            game INTEGER NOT NULL REFERENCES results (game) ON DELETE CASCADE, seat TEXT NOT NULL, own INTEGER NOT NULL,
            user INTEGER, side TEXT NOT NULL, place INTEGER NOT NULL, points INTEGER NOT NULL, pace INTEGER NOT NULL,
            PRIMARY KEY (game, seat)) STRICT, WITHOUT ROWID""")
    db.execute("CREATE INDEX result_seats_by_user ON result_seats (user) WHERE user NOT NULL")
    db.execute("CREATE TABLE unlisted (user INTEGER PRIMARY KEY) STRICT")
    db.execute("""
        CREATE TRIGGER results_are_of_games_that_are_over AFTER UPDATE OF status ON games
        WHEN OLD.status = 'over' AND NEW.status <> 'over'
        BEGIN DELETE FROM results WHERE game = NEW.id; END""")


def m0031_posting(db: Database) -> None:
    """How often a game posts pictures, and how often new games of a server do."""
    for table in ("games", "settings"):
        db.execute(f"ALTER TABLE {table} ADD COLUMN posting TEXT NOT NULL DEFAULT 'turns' "
                   "CHECK (posting IN ('turns', 'rounds', 'request'))")


def m0032_bookmarks(db: Database) -> None:
    """Steps of games that members have marked for themselves, with what they have noted there."""
    db.execute("""
        CREATE TABLE bookmarks (
            game INTEGER NOT NULL REFERENCES games (id), user INTEGER NOT NULL, row INTEGER NOT NULL, words TEXT NOT NULL,
            at TEXT NOT NULL, PRIMARY KEY (game, user, row)) STRICT, WITHOUT ROWID""")
    db.execute("CREATE INDEX bookmarks_by_user ON bookmarks (user)")


def m0033_replacements(db: Database) -> None:
    """When the players of a game can vote to replace one who is gone, and these votes. Of games that were opened before, they
    can't, as nobody was told so."""
    db.execute("ALTER TABLE games ADD COLUMN replace_days INTEGER NOT NULL DEFAULT 0")
    db.execute("ALTER TABLE games ADD COLUMN replace_by TEXT NOT NULL DEFAULT 'half' CHECK (replace_by IN ('half', 'all'))")
    db.execute("""
        CREATE TABLE replacements (
            id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games (id), seat TEXT NOT NULL, user INTEGER NOT NULL,
            asker INTEGER NOT NULL, newest INTEGER NOT NULL, at TEXT NOT NULL, look_at TEXT NOT NULL, due_at TEXT NOT NULL,
            needed INTEGER NOT NULL, ended TEXT CHECK (ended IN ('done', 'here', 'moved', 'kept', 'late', 'over')),
            ended_at TEXT) STRICT""")
    db.execute("CREATE UNIQUE INDEX replacements_open ON replacements (game, seat) WHERE ended IS NULL")
    db.execute("CREATE INDEX replacements_by_seat ON replacements (game, seat)")
    db.execute("""
        CREATE TABLE ballots (
            replacement INTEGER NOT NULL, game INTEGER NOT NULL REFERENCES games (id), user INTEGER NOT NULL,
            agrees INTEGER NOT NULL, PRIMARY KEY (replacement, user)) STRICT""")


def m0034_forums(db: Database) -> None:
    """In which forum of a server games get posts, and in which channel their players talk in private."""
    for column in ("forum", "talk"):
        db.execute(f"ALTER TABLE settings ADD COLUMN {column} INTEGER")


def m0035_no_shows(db: Database) -> None:
    """What each game does about a player who never makes a first move."""
    db.execute("ALTER TABLE games ADD COLUMN no_show TEXT NOT NULL DEFAULT 'wait' CHECK (no_show IN ('wait', 'replace', 'drop'))")


def m0036_message_steps(db: Database) -> None:
    """Of which step each message in a game's channel tells; of earlier ones as far as their letters are kept."""
    db.execute("""
        CREATE TABLE message_steps (
            message INTEGER NOT NULL, game INTEGER NOT NULL REFERENCES games (id), row INTEGER NOT NULL,
            PRIMARY KEY (message, game)) STRICT, WITHOUT ROWID""")
    db.execute("""
        INSERT INTO message_steps (message, game, row) SELECT message, game, min(max(no), coalesce(
            (SELECT json_extract(told, '$.public') FROM games WHERE id = game), max(no))) FROM outbox WHERE message NOT NULL
        AND kind IN ('log', 'picture', 'question', 'packet', 'series', 'final', 'status', 'notice') GROUP BY message, game""")


def m0037_weekly(db: Database) -> None:
    """Which servers want a weekly summary in their noticeboard's channel, and when the last week ended."""
    db.execute("ALTER TABLE noticeboards ADD COLUMN weekly TEXT")


def m0038_full_tables(db: Database) -> None:
    """Since when all seats of an open game are taken, and how often its players were called as its host does not start it."""
    db.execute("ALTER TABLE games ADD COLUMN full_at TEXT")
    db.execute("ALTER TABLE games ADD COLUMN late_calls INTEGER NOT NULL DEFAULT 0")
    db.execute("""UPDATE games SET full_at = strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')
                  WHERE status = 'open' AND seats = (SELECT count(*) FROM seats WHERE game = games.id)""")


def m0039_weekly_for_members(db: Database) -> None:
    """Which members want a weekly summary of their own games, and when the last week ended."""
    db.execute("ALTER TABLE members ADD COLUMN weekly TEXT")


def m0040_standstills(db: Database) -> None:
    """When a server was last told that a game stands still and nobody of its people is seen."""
    db.execute("ALTER TABLE games ADD COLUMN stood_told TEXT")


CHANGES_21_TO_40 = (m0021_masters, m0022_forgotten, m0023_automatic, m0024_nudges, m0025_guests, m0026_free_seats,
                    m0027_noticeboards, m0028_interests, m0029_stand_ins, m0030_results, m0031_posting, m0032_bookmarks,
                    m0033_replacements, m0034_forums, m0035_no_shows, m0036_message_steps, m0037_weekly,
                    m0038_full_tables, m0039_weekly_for_members, m0040_standstills)
