"""Configuration files: TOML validated by pydantic models. An error is one line: where, what is wrong, what is right."""
