"""Views: figures, web pages and terminal output for people, shared by the command line and the studio."""
