"""A Hub of its own for each test that asks for one."""

from hub_server import hub

__all__ = ["hub"]
