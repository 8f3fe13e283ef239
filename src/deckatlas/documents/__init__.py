"""Configuration files: TOML held to models of pydantic; what is wrong is one line that says where and what is right."""
