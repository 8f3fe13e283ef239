"""Who plays.

| module | what |
|---|---|
| `spec` | short texts that name an agent and its options |
| `locm` | the registry of Legends of Code and Magic's draft policies and battle agents |
| `players` | one interface for agents of the core, Python callables and external programs |
| `locm_protocol` | the official text protocol of Legends of Code and Magic, both ways |
| `external` | programs that play over pipes, with time limits (POSIX only) |
"""
