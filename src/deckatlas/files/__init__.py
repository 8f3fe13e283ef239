"""The one way in and out for files: what is read has limits, what is written is replaced whole (docs/security.md)."""
