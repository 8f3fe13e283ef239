"""The tables of a store. docs/store.md explains them; any change here needs a new format number and a migration."""

APPLICATION = 0x4465636B  # "Deck", at byte 68 of a SQLite file
FORMAT = 3  # at byte 60

# Stores made before cards were counted have no such table.
CARDS_TABLE = """
CREATE TABLE IF NOT EXISTS recheck_cards (
    solution INTEGER NOT NULL, games INTEGER NOT NULL, question TEXT NOT NULL, cards TEXT NOT NULL, hash BLOB NOT NULL,
    PRIMARY KEY (solution, games, question)
) WITHOUT ROWID;
"""

TABLES = f"""
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {FORMAT};
CREATE TABLE run (
    config TEXT NOT NULL, hash BLOB NOT NULL, seed INTEGER NOT NULL, versions TEXT NOT NULL, cards TEXT NOT NULL,
    description TEXT NOT NULL, names BLOB NOT NULL, created TEXT NOT NULL, finished TEXT
);
CREATE TABLE columns (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, unit TEXT NOT NULL, storage TEXT NOT NULL,
    over TEXT NOT NULL, of TEXT NOT NULL, scale REAL NOT NULL
);
CREATE TABLE measures (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, storage TEXT NOT NULL);
CREATE TABLE genes (number INTEGER PRIMARY KEY, name TEXT NOT NULL, id TEXT NOT NULL, facts TEXT NOT NULL);
CREATE TABLE samples (
    first_game INTEGER NOT NULL, games INTEGER NOT NULL, units INTEGER NOT NULL, freedom INTEGER NOT NULL,
    PRIMARY KEY (first_game, games)
) WITHOUT ROWID;
CREATE TABLE solutions (number INTEGER PRIMARY KEY, parent INTEGER, genes BLOB NOT NULL, measures BLOB NOT NULL);
CREATE TABLE evaluations (
    number INTEGER PRIMARY KEY, batch INTEGER, first INTEGER NOT NULL, second INTEGER,
    first_game INTEGER NOT NULL, games INTEGER NOT NULL, numbers BLOB NOT NULL, outcomes BLOB, margins BLOB
);
CREATE TABLE notes (evaluation INTEGER PRIMARY KEY REFERENCES evaluations, note TEXT NOT NULL);
CREATE TABLE generations (
    number INTEGER PRIMARY KEY, evaluations INTEGER NOT NULL, games INTEGER NOT NULL, facts TEXT NOT NULL,
    hash BLOB NOT NULL
);
CREATE TABLE populations (
    generation INTEGER NOT NULL REFERENCES generations, rank INTEGER NOT NULL,
    solution INTEGER NOT NULL REFERENCES solutions, score REAL NOT NULL, PRIMARY KEY (generation, rank)
) WITHOUT ROWID;
CREATE TABLE commits (
    evaluations INTEGER PRIMARY KEY, solutions INTEGER NOT NULL, generations INTEGER NOT NULL, games INTEGER NOT NULL,
    best REAL, made TEXT NOT NULL, asked BLOB NOT NULL, hash BLOB NOT NULL
);
CREATE TABLE elites (
    cell TEXT PRIMARY KEY, solution INTEGER NOT NULL, objective REAL NOT NULL, text TEXT NOT NULL, columns TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE rechecks (
    solution INTEGER NOT NULL, games INTEGER NOT NULL, units INTEGER NOT NULL, freedom INTEGER NOT NULL,
    numbers BLOB NOT NULL, outcomes BLOB, margins BLOB, hash BLOB NOT NULL, PRIMARY KEY (solution, games)
) WITHOUT ROWID;
{CARDS_TABLE}"""
