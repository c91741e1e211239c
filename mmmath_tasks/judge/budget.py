"""A ceiling on what a run may spend: calls, tokens, money."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from mmmath_tasks.errors import InputError


class BudgetError(Exception):
    """The next call would go over the ceiling; the message says over which."""


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices in US dollars for a million tokens read and written."""

    tokens_in: float = 0.0
    tokens_out: float = 0.0

    def cost(self, tokens_in: int, tokens_out: int) -> float:
        """Return dollars."""
        return (tokens_in * self.tokens_in + tokens_out * self.tokens_out) / 1e6


class Promise:
    """What a question reserves for the one that will follow it: calls, tokens in and out; nothing once it is kept."""

    __slots__ = ("amounts",)

    def __init__(self) -> None:
        """Begin with nothing reserved."""
        self.amounts = (0, 0, 0)


class Budget:
    """Counts what is spent and refuses what would go over; for use from several threads.

    A call reserves its estimated input and its largest output before it is sent, and is charged what the endpoint
    reports afterwards. While other calls are in flight a call that does not fit waits for their true cost.

    Attributes:
        calls, tokens_in, tokens_out: spent so far; a call that failed counts as a call.
    """

    def __init__(
        self,
        calls: int | None = None,
        tokens: int | None = None,
        cost: float | None = None,
        prices: Prices | None = None,
    ) -> None:
        """Set the ceilings: requests sent, tokens in and out together, US dollars; None is no ceiling.

        Raises:
            InputError: a ceiling on money without prices.
        """
        self.prices = prices or Prices()
        if cost is not None and self.prices == Prices():
            raise InputError("a ceiling on cost needs the prices of the judge's tokens (--price-in, --price-out)")
        self._limits = (("calls", calls), ("tokens", tokens), ("cost", cost))
        self.calls = self.tokens_in = self.tokens_out = 0
        self._held = [0, 0, 0]  # calls in flight, and the tokens in and out reserved for them
        self._promised = [0, 0, 0]
        self._changed = threading.Condition()

    def reserve(
        self, tokens_in: int, tokens_out: int, promise: Promise | None = None, keeps: Promise | None = None
    ) -> None:
        """Hold what a call may use.

        Args:
            tokens_in: tokens that the call reads, about.
            tokens_out: tokens that it writes, at most.
            promise: hold as much again for the call that must follow this one if it is to be worth anything.
            keeps: the promise that this call redeems.

        Raises:
            BudgetError: it does not fit, even when all calls in flight have been settled.
        """
        with self._changed:
            if keeps is not None:
                self._keep(keeps)
            one = (1, tokens_in, tokens_out)
            new = promise is not None and not any(promise.amounts)
            wanted = tuple(2 * amount for amount in one) if new else one
            while over := self._over(*wanted):
                if not self._held[0] and not self._promised[0]:
                    raise BudgetError(over)
                self._changed.wait()
            self._hold(*one)
            if promise is not None and new:
                promise.amounts = one
                self._promised = [held + amount for held, amount in zip(self._promised, one, strict=True)]

    def keep(self, promise: Promise) -> None:
        """Give back what was promised, if it still is."""
        with self._changed:
            self._keep(promise)

    def _keep(self, promise: Promise) -> None:
        self._promised = [held - amount for held, amount in zip(self._promised, promise.amounts, strict=True)]
        promise.amounts = (0, 0, 0)
        self._changed.notify_all()

    def settle(self, reserved: tuple[int, int], used: tuple[int, int]) -> None:
        """Give back what `reserve` held and charge what was used: tokens in and out."""
        with self._changed:
            self._hold(-1, -reserved[0], -reserved[1])
            self.calls += 1
            self.tokens_in += used[0]
            self.tokens_out += used[1]
            self._changed.notify_all()

    @property
    def calls_left(self) -> int | None:
        """How many more calls fit under their ceiling; None where there is none."""
        limit = dict(self._limits)["calls"]
        return None if limit is None else max(0, int(limit) - self.calls)

    @property
    def cost(self) -> float:
        """Dollars spent so far."""
        return self.prices.cost(self.tokens_in, self.tokens_out)

    def _hold(self, *amounts: int) -> None:
        self._held = [held + amount for held, amount in zip(self._held, amounts, strict=True)]

    def _over(self, calls: int, tokens_in: int, tokens_out: int) -> str:
        """Name the first ceiling that so many more calls would break; "" if none."""
        read = self.tokens_in + self._held[1] + self._promised[1] + tokens_in
        written = self.tokens_out + self._held[2] + self._promised[2] + tokens_out
        would = {
            "calls": self.calls + self._held[0] + self._promised[0] + calls,
            "tokens": read + written,
            "cost": self.prices.cost(read, written),
        }
        return next((name for name, limit in self._limits if limit is not None and would[name] > limit), "")
