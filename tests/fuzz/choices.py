"""Random choices that come from bytes: whatever makes data with a `Random` can then be steered by a fuzzer."""

from __future__ import annotations

from random import Random


class Choices(Random):
    """A `Random` whose bits are those of some bytes; behind their end they come from a fixed stream."""

    def __new__(cls, data: bytes) -> Choices:
        """A new one; Python would seed it with the bytes otherwise."""
        del data
        return super().__new__(cls, 0)  # type: ignore[call-arg]

    def __init__(self, data: bytes) -> None:
        super().__init__(len(data))
        self._data = data
        self._at = 0

    def random(self) -> float:
        """A float from 0 to just below 1, in steps of 2 to the power of -16."""
        return self.getrandbits(16) / 65536

    def getrandbits(self, k: int, /) -> int:
        """The next bits, from as many whole bytes as they need."""
        count = (k + 7) // 8
        taken = self._data[self._at : self._at + count]
        self._at += count
        if len(taken) < count:
            return super().getrandbits(k)
        return int.from_bytes(taken, "little") & ((1 << k) - 1)

    def rest(self) -> bytes:
        """What has not been used."""
        return self._data[self._at :]
