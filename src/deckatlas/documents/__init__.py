"""Configuration files: TOML held to models of pydantic, with one line that says where a mistake is and what is right."""
