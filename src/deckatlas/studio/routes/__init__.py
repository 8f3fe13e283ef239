"""The API of the studio: one module for each page, each with its shapes and its routes."""

from fastapi import APIRouter

from deckatlas.studio.routes import (
    cards,
    compare,
    decks,
    events,
    games,
    growth,
    jobs,
    maps,
    metagames,
    overview,
    patches,
    runs,
    solutions,
    studies,
    studio,
)

ROUTERS: tuple[APIRouter, ...] = (
    studio.router,
    runs.router,
    events.router,
    studies.router,
    maps.router,
    overview.router,
    growth.router,
    compare.router,
    patches.router,
    metagames.router,
    jobs.router,
    games.router,
    solutions.router,
    decks.router,
    cards.router,
)
