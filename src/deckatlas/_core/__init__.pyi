"""The C++ core: rules, agents and runners."""

from deckatlas._core import locm as locm


build_flags: str = ...
