"""Experiments: reports over many runs. A TOML file names the runs, the report and the published numbers."""
