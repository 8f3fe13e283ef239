"""The limits of what is read from files, each with a name. docs/security.md lists them, and a test compares.

Each is far above what the commands of Deckatlas write, and low enough that a file of a stranger costs seconds and some
hundred megabytes at most.
"""

MOST_TOML_BYTES = 2**20  # a configuration, suite, patch or metagame
MOST_JSON_BYTES = 64 * 2**20  # a network, a model, weights or a draft policy
MOST_ARRAY_BYTES = 2**30  # the arrays of a trained rating or of a training, unpacked
MOST_STREAM_BYTES = 4 * 2**30  # traces, scenarios and deck files, unpacked; they are never in memory as a whole
MOST_LINE_BYTES = 8 * 2**20  # one line of these
MOST_DECKS = 200_000  # in one deck file
MOST_LIST_LINES = 1_000  # of one deck that is a list of cards
MOST_DEPTH = 64  # tables and lists inside each other
MOST_DIGITS = 1000  # of a whole number in JSON; numbers in TOML have 64 bits
MOST_EFFECT_CHARACTERS = 10_000  # the effect of a card, as text
MOST_TRIED_CHARACTERS = 1_000_000  # of the effects that the knobs of a file of targets make, all combinations together
MOST_KNOBS = 200  # in a file of targets
MOST_STORED_JSON_BYTES = 16 * 2**20  # one JSON text in a store, such as its configuration
