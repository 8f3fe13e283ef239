"""What pages show of a run, as shapes with a schema: the answers of the studio's API, and what a report carries."""
