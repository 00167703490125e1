"""The tables as versions 1 to 20 made them; released, so none of them is ever edited."""
from __future__ import annotations

from sqlite_utils import Database

APPLICATION = 0x4368_6E63       # "Chnc" in the head of the file: tells our databases from those of other programs


def m0001_games(db: Database) -> None:
    """Games, who sits at them, and what they are played with."""
    db.execute(f"PRAGMA application_id={APPLICATION}")
    db.execute("CREATE TABLE components (hash TEXT PRIMARY KEY, data BLOB NOT NULL) STRICT")
    db.execute("""
        CREATE TABLE games (
            id INTEGER PRIMARY KEY, key TEXT NOT NULL, edition TEXT NOT NULL, options TEXT NOT NULL, title TEXT NOT NULL,
            guild INTEGER, channel INTEGER NOT NULL, owner INTEGER NOT NULL, seats INTEGER NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('open', 'running', 'paused', 'over', 'closed')),
            pack_hash TEXT NOT NULL REFERENCES components (hash), commitment TEXT NOT NULL, secret TEXT NOT NULL,
            created_at TEXT NOT NULL, started_at TEXT, told TEXT NOT NULL) STRICT""")
    db.execute("CREATE INDEX games_by_channel ON games (channel)")
    db.execute("""
        CREATE TABLE seats (
            game INTEGER NOT NULL REFERENCES games (id), seat TEXT NOT NULL, user INTEGER, private INTEGER NOT NULL,
            PRIMARY KEY (game, seat), UNIQUE (game, user)) STRICT""")
    db.execute("CREATE INDEX seats_by_user ON seats (user)")


def m0002_log(db: Database) -> None:
    """The rows of each game, which never change, and the states from which they are replayed."""
    db.execute("""
        CREATE TABLE log (
            game INTEGER NOT NULL REFERENCES games (id), no INTEGER NOT NULL, seat TEXT NOT NULL, by TEXT NOT NULL,
            verb TEXT NOT NULL, answer TEXT NOT NULL, events TEXT NOT NULL, at TEXT NOT NULL,
            PRIMARY KEY (game, no)) STRICT, WITHOUT ROWID""")
    for deed in ("UPDATE", "DELETE"):
        db.execute(f"""
            CREATE TRIGGER log_refuses_{deed.lower()} BEFORE {deed} ON log
            BEGIN SELECT RAISE(ABORT, 'rows of the log never change'); END""")
    db.execute("""
        CREATE TABLE checkpoints (
            game INTEGER NOT NULL REFERENCES games (id), no INTEGER NOT NULL, throws INTEGER NOT NULL, state BLOB NOT NULL,
            PRIMARY KEY (game, no)) STRICT, WITHOUT ROWID""")


def m0003_outbox(db: Database) -> None:
    """What Discord is still to be told, and the messages that must be found again."""
    db.execute("""
        CREATE TABLE outbox (
            id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games (id), no INTEGER NOT NULL, kind TEXT NOT NULL,
            audience TEXT NOT NULL, key TEXT, payload TEXT NOT NULL, nonce TEXT NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0, problem TEXT, sent_at TEXT, message INTEGER) STRICT""")
    db.execute("CREATE INDEX outbox_unsent ON outbox (game, id) WHERE sent_at IS NULL")
    db.execute("""
        CREATE TABLE messages (
            game INTEGER NOT NULL REFERENCES games (id), key TEXT NOT NULL, message INTEGER NOT NULL,
            PRIMARY KEY (game, key)) STRICT, WITHOUT ROWID""")


def m0004_masters(db: Database) -> None:
    """Which role makes a game master on a server, and what game masters did."""
    db.execute("CREATE TABLE settings (guild INTEGER PRIMARY KEY, gm_role INTEGER) STRICT")
    db.execute("""
        CREATE TABLE audit (
            id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games (id), at TEXT NOT NULL, user INTEGER,
            deed TEXT NOT NULL) STRICT""")
    db.execute("CREATE INDEX audit_by_game ON audit (game)")


def m0005_pictures(db: Database) -> None:
    """How players are called, what each of them has seen of a game, and in which colours pictures are drawn for whom."""
    db.execute("ALTER TABLE seats ADD COLUMN name TEXT NOT NULL DEFAULT ''")
    db.execute("ALTER TABLE settings ADD COLUMN theme TEXT CHECK (theme IN ('dark', 'light'))")
    db.execute("CREATE TABLE members (user INTEGER PRIMARY KEY, theme TEXT CHECK (theme IN ('dark', 'light'))) STRICT")
    db.execute("""
        CREATE TABLE looks (
            game INTEGER NOT NULL REFERENCES games (id), user INTEGER NOT NULL, row INTEGER NOT NULL,
            PRIMARY KEY (game, user)) STRICT, WITHOUT ROWID""")
    db.execute("CREATE INDEX outbox_pictures ON outbox (game, no) WHERE kind = 'picture'")
    for known in ("$.pictured", "$.marked"):        # the next pictures of a game under way are marked from here on
        db.execute("UPDATE games SET told = json_set(told, ?, json_extract(told, '$.row'))", (known,))


def m0006_orders(db: Database) -> None:
    """Standing orders, which rows they answered, those that wait a while, and what is half written; how long they wait."""
    db.execute("""
        CREATE TABLE orders (
            game INTEGER NOT NULL REFERENCES games (id), id INTEGER NOT NULL, seat TEXT NOT NULL, user INTEGER NOT NULL,
            place INTEGER NOT NULL, paused INTEGER NOT NULL DEFAULT 0, body TEXT NOT NULL, made_at TEXT NOT NULL, dropped_at TEXT,
            PRIMARY KEY (game, id)) STRICT, WITHOUT ROWID""")
    db.execute("CREATE INDEX orders_kept ON orders (game, place) WHERE dropped_at IS NULL")
    db.execute("""
        CREATE TABLE order_uses (
            game INTEGER NOT NULL, no INTEGER NOT NULL, "order" INTEGER NOT NULL, PRIMARY KEY (game, no),
            FOREIGN KEY (game, no) REFERENCES log (game, no), FOREIGN KEY (game, "order") REFERENCES orders (game, id))
            STRICT, WITHOUT ROWID""")
    db.execute("""
        CREATE TABLE order_dues (
            game INTEGER NOT NULL REFERENCES games (id), seat TEXT NOT NULL, asked_at INTEGER NOT NULL, due_at TEXT NOT NULL,
            PRIMARY KEY (game, seat)) STRICT, WITHOUT ROWID""")
    db.execute("CREATE INDEX order_dues_by_time ON order_dues (due_at)")
    db.execute("""
        CREATE TABLE drafts (
            game INTEGER NOT NULL REFERENCES games (id), seat TEXT NOT NULL, kind TEXT NOT NULL, user INTEGER NOT NULL,
            body TEXT NOT NULL, PRIMARY KEY (game, seat, kind)) STRICT, WITHOUT ROWID""")
    db.execute("ALTER TABLE games ADD COLUMN veil INTEGER NOT NULL DEFAULT 0")


def m0007_clock(db: Database) -> None:
    """Clocks of games, deadlines of questions and what their answers took; waking hours, vacations, votes; what members chose."""
    db.execute("""
        CREATE TABLE clocks (
            game INTEGER PRIMARY KEY REFERENCES games (id), clock TEXT NOT NULL, vacation INTEGER NOT NULL,
            extensions INTEGER NOT NULL, voted INTEGER NOT NULL DEFAULT 0) STRICT""")
    db.execute("""
        CREATE TABLE deadlines (
            game INTEGER NOT NULL REFERENCES games (id), seat TEXT NOT NULL, user INTEGER NOT NULL, asked_at INTEGER NOT NULL,
            since TEXT, spent INTEGER NOT NULL, allowed INTEGER, extra INTEGER NOT NULL, due_at TEXT, remind_at TEXT,
            reminded INTEGER NOT NULL, given TEXT NOT NULL CHECK (given IN ('', 'yes', 'clock')),
            PRIMARY KEY (game, seat)) STRICT, WITHOUT ROWID""")
    for column in ("due_at", "remind_at"):
        db.execute(f"CREATE INDEX deadlines_by_{column} ON deadlines ({column}) WHERE {column} NOT NULL")
    db.execute("CREATE INDEX deadlines_without_clock ON deadlines (since) WHERE allowed IS NULL")
    db.execute("CREATE INDEX deadlines_by_user ON deadlines (user)")
    db.execute("""
        CREATE TABLE answers (
            game INTEGER NOT NULL, no INTEGER NOT NULL, seat TEXT NOT NULL, user INTEGER NOT NULL, seconds INTEGER NOT NULL,
            missed INTEGER NOT NULL, stretch TEXT NOT NULL, at TEXT NOT NULL,
            PRIMARY KEY (game, no), FOREIGN KEY (game, no) REFERENCES log (game, no)) STRICT, WITHOUT ROWID""")
    db.execute("CREATE INDEX answers_by_seat ON answers (game, seat, no)")
    db.execute("CREATE INDEX answers_by_user ON answers (user, at) WHERE missed = 0")
    db.execute("""
        CREATE TABLE vacations (
            id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games (id), user INTEGER NOT NULL, starts TEXT NOT NULL,
            ends TEXT NOT NULL) STRICT""")
    db.execute("CREATE INDEX vacations_by_game ON vacations (game, user)")
    db.execute("""
        CREATE TABLE extensions (
            id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games (id), user INTEGER NOT NULL,
            asked_at INTEGER NOT NULL, at TEXT NOT NULL) STRICT""")
    db.execute("CREATE INDEX extensions_by_game ON extensions (game, user)")
    db.execute("""
        CREATE TABLE votes (
            game INTEGER NOT NULL REFERENCES games (id), user INTEGER NOT NULL, choice TEXT NOT NULL, at TEXT NOT NULL,
            PRIMARY KEY (game, user)) STRICT, WITHOUT ROWID""")
    db.execute("""
        CREATE TABLE escalations (
            game INTEGER NOT NULL REFERENCES games (id), seat TEXT NOT NULL, at TEXT NOT NULL,
            PRIMARY KEY (game, seat)) STRICT, WITHOUT ROWID""")
    db.execute("CREATE TABLE turns (game INTEGER PRIMARY KEY REFERENCES games (id), seat TEXT NOT NULL) STRICT")
    db.execute("CREATE TABLE heartbeat (id INTEGER PRIMARY KEY CHECK (id = 1), at TEXT NOT NULL) STRICT")
    for column in ("zone TEXT", "wake INTEGER NOT NULL DEFAULT 0", "sleep INTEGER NOT NULL DEFAULT 0",
                   "pings TEXT NOT NULL DEFAULT 'all' CHECK (pings IN ('all', 'reminders', 'none'))",
                   "direct INTEGER NOT NULL DEFAULT 1", "upcoming INTEGER NOT NULL DEFAULT 0"):
        db.execute(f"ALTER TABLE members ADD COLUMN {column}")
    db.execute("ALTER TABLE settings ADD COLUMN clock TEXT NOT NULL DEFAULT 'none'")


def m0008_talk(db: Database) -> None:
    """What seats say to each other through the bot, which of it a game allows, and the threads in which they talk."""
    db.execute("""
        CREATE TABLE press (
            id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games (id), seat TEXT NOT NULL, receiver TEXT,
            words TEXT NOT NULL, promise TEXT CHECK (promise IN ('open', 'kept', 'broken')), at TEXT NOT NULL,
            CHECK (promise IS NULL OR receiver NOT NULL)) STRICT""")
    db.execute("CREATE INDEX press_by_game ON press (game, seat, at)")
    db.execute("""
        CREATE TABLE press_rules (
            game INTEGER PRIMARY KEY REFERENCES games (id), allowed TEXT NOT NULL CHECK (allowed IN ('all', 'public', 'none'))
            ) STRICT""")
    db.execute("""
        CREATE TABLE threads (
            game INTEGER NOT NULL REFERENCES games (id), seats TEXT NOT NULL, thread INTEGER NOT NULL,
            PRIMARY KEY (game, seats)) STRICT, WITHOUT ROWID""")
    db.execute("""
        CREATE TABLE thread_members (
            thread INTEGER NOT NULL, user INTEGER NOT NULL, PRIMARY KEY (thread, user)) STRICT, WITHOUT ROWID""")


def m0009_seats(db: Database) -> None:
    """Stand-ins, caretakers and absences, and up to which row each member knows what has happened."""
    for column in ("owner INTEGER", "owner_private INTEGER NOT NULL DEFAULT 0", "owner_name TEXT NOT NULL DEFAULT ''",
                   "caretaker INTEGER NOT NULL DEFAULT 0", "away INTEGER NOT NULL DEFAULT 0", "until TEXT"):
        db.execute(f"ALTER TABLE seats ADD COLUMN {column}")
    db.execute("CREATE INDEX seats_by_owner ON seats (owner) WHERE owner NOT NULL")
    db.execute("CREATE INDEX seats_by_return ON seats (until) WHERE until NOT NULL")
    for column in ("caretaker", "deserted"):            # seats given up later get a caretaker; paused since nobody was there
        db.execute(f"ALTER TABLE games ADD COLUMN {column} INTEGER NOT NULL DEFAULT 0")
    db.execute("""
        CREATE TABLE visits (
            game INTEGER NOT NULL REFERENCES games (id), user INTEGER NOT NULL, row INTEGER NOT NULL, at TEXT NOT NULL,
            acted INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (game, user)) STRICT, WITHOUT ROWID""")


def m0010_learning(db: Database) -> None:
    """How far members have come in lessons, the tips that they have had, and who wants none."""
    db.execute("""
        CREATE TABLE lessons (
            user INTEGER NOT NULL, game TEXT NOT NULL, lesson TEXT NOT NULL, answers TEXT NOT NULL, at TEXT NOT NULL,
            PRIMARY KEY (user, game, lesson)) STRICT, WITHOUT ROWID""")
    db.execute("""
        CREATE TABLE tips (
            user INTEGER NOT NULL, game TEXT NOT NULL, point TEXT NOT NULL,
            PRIMARY KEY (user, game, point)) STRICT, WITHOUT ROWID""")
    db.execute("CREATE TABLE untipped (user INTEGER PRIMARY KEY) STRICT")


def m0011_returns(db: Database) -> None:
    """What players ask each other to take back, and who has agreed; which games go on from a row of another."""
    db.execute("""
        CREATE TABLE requests (
            id INTEGER PRIMARY KEY, game INTEGER NOT NULL REFERENCES games (id), seat TEXT NOT NULL, "to" INTEGER NOT NULL,
            newest INTEGER NOT NULL, due_at TEXT NOT NULL,
            ended TEXT CHECK (ended IN ('done', 'refused', 'late', 'overtaken', 'withdrawn'))) STRICT""")
    db.execute("CREATE UNIQUE INDEX requests_open ON requests (game) WHERE ended IS NULL")
    db.execute("CREATE INDEX requests_by_game ON requests (game)")
    db.execute("CREATE INDEX requests_by_time ON requests (due_at) WHERE ended IS NULL")
    db.execute("""
        CREATE TABLE consents (
            request INTEGER NOT NULL REFERENCES requests (id), seat TEXT NOT NULL, agreed INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (request, seat)) STRICT, WITHOUT ROWID""")
    db.execute("""
        CREATE TABLE branches (
            game INTEGER PRIMARY KEY REFERENCES games (id), origin INTEGER NOT NULL REFERENCES games (id),
            row INTEGER NOT NULL) STRICT""")
    db.execute("CREATE INDEX outbox_logs ON outbox (game, id) WHERE kind = 'log'")


def m0012_indexes(db: Database) -> None:
    """What is looked up by a server, a thread or a message is found without reading the whole table."""
    db.execute("CREATE INDEX games_by_guild ON games (guild)")
    db.execute("CREATE INDEX threads_by_thread ON threads (thread)")
    db.execute("CREATE INDEX outbox_messages ON outbox (game, id) WHERE message NOT NULL")


def m0013_turns(db: Database) -> None:
    """Answers that share the time of a turn; players who are away because the clock had ended too many of theirs."""
    for table in ("deadlines", "answers"):
        db.execute(f"ALTER TABLE {table} ADD COLUMN span TEXT NOT NULL DEFAULT ''")
    for column in ("lapsed", "back"):
        db.execute(f"ALTER TABLE seats ADD COLUMN {column} INTEGER NOT NULL DEFAULT 0")


def m0014_alarms(db: Database) -> None:
    """When each game is next to be told something that the world outside knows.

    Of games under way nobody has noted it: those that may have agreed on a moment, by an option, are looked at once.
    """
    db.execute("CREATE TABLE alarms (game INTEGER PRIMARY KEY REFERENCES games (id), due_at TEXT NOT NULL) STRICT")
    db.execute("CREATE INDEX alarms_by_time ON alarms (due_at)")
    db.execute("INSERT INTO alarms SELECT id, created_at FROM games WHERE status IN ('running', 'paused') AND options <> '{}'")


def m0015_newest(db: Database) -> None:
    """The newest games of a server in one state are found without reading its others."""
    db.execute("CREATE INDEX games_by_status ON games (guild, status, id)")
    db.execute("DROP INDEX games_by_guild")


def m0016_reminders(db: Database) -> None:
    """Questions of games without a clock, of which nobody was reminded again: their players are reminded at once."""
    db.execute("UPDATE deadlines SET remind_at = since WHERE allowed IS NULL AND remind_at IS NULL AND since NOT NULL")


def m0017_claims(db: Database) -> None:
    """Since when a bot with a token has used the file: from then on the sandbox leaves it alone."""
    db.execute("CREATE TABLE claims (id INTEGER PRIMARY KEY CHECK (id = 1), at TEXT NOT NULL) STRICT")


def m0018_insights(db: Database) -> None:
    """Who has been let into which seat's secrets, in games with a past in common; what else than an undo needs the table's yes;
    who answered in a seat's name.

    Of earlier games: whoever holds a seat now goes on with it, and whoever is known to have held one is noted.
    """
    db.execute("ALTER TABLE games ADD COLUMN circle INTEGER NOT NULL DEFAULT 0")       # the oldest of the games that share a past
    db.execute("ALTER TABLE log ADD COLUMN proxy TEXT NOT NULL DEFAULT ''")
    db.execute("ALTER TABLE requests ADD COLUMN kind TEXT NOT NULL DEFAULT 'undo' "
               "CHECK (kind IN ('undo', 'hand', 'standin', 'branch'))")
    db.execute("ALTER TABLE requests ADD COLUMN asker INTEGER")
    db.execute("ALTER TABLE requests ADD COLUMN about TEXT NOT NULL DEFAULT '{}'")
    db.execute("ALTER TABLE branches ADD COLUMN request INTEGER")
    db.execute("""
        CREATE TABLE insights (
            id INTEGER PRIMARY KEY, circle INTEGER NOT NULL, seat TEXT NOT NULL, user INTEGER NOT NULL,
            held INTEGER NOT NULL, agreed INTEGER NOT NULL, UNIQUE (circle, seat, user)) STRICT""")
    db.execute("UPDATE games SET circle = id")
    db.execute("CREATE INDEX games_by_circle ON games (circle)")
    for game, origin in db.execute("SELECT game, origin FROM branches ORDER BY game").fetchall():
        db.execute("UPDATE games SET circle = (SELECT circle FROM games WHERE id = ?) WHERE id = ?", (origin, game))
    add = ("INSERT OR IGNORE INTO insights (circle, seat, user, held, agreed) SELECT circle, {} "
           "WHERE status IN ('running', 'paused')")
    for seat in ("seat, user, 1, 1 FROM seats JOIN games ON id = game AND user NOT NULL",
                 "seats.seat, seats.owner, 1, 1 FROM seats JOIN games ON id = game AND seats.owner NOT NULL",
                 "seat, user, 1, 0 FROM answers JOIN games ON id = game",
                 "seat, audit.user, 0, 1 FROM audit JOIN seats USING (game) JOIN games ON games.id = game "
                 "AND deed = 'looked at the secrets of all seats'"):
        db.execute(add.format(seat))


def m0019_dice(db: Database) -> None:
    """Games that were opened before keep their dice, which go by number; in later ones they go by decision unless chosen so."""
    db.execute("""UPDATE games SET options = json_set(options, '$."dice.by"', 'number')""")


def m0020_plans(db: Database) -> None:
    """What a seat has planned in private of the round that it plays, and how often that has changed."""
    db.execute("""
        CREATE TABLE plans (
            game INTEGER NOT NULL REFERENCES games (id), seat TEXT NOT NULL, user INTEGER NOT NULL, row INTEGER NOT NULL,
            round TEXT NOT NULL, revision INTEGER NOT NULL, steps TEXT NOT NULL,
            PRIMARY KEY (game, seat)) STRICT, WITHOUT ROWID""")


CHANGES_1_TO_20 = (m0001_games, m0002_log, m0003_outbox, m0004_masters, m0005_pictures, m0006_orders, m0007_clock,
                   m0008_talk, m0009_seats, m0010_learning, m0011_returns, m0012_indexes, m0013_turns, m0014_alarms,
                   m0015_newest, m0016_reminders, m0017_claims, m0018_insights, m0019_dice, m0020_plans)
