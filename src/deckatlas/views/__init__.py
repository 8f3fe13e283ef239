"""Views: what people look at. Figures, pages and terminal output, shared by the command line and the studio."""
