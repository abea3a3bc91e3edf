"""Counting fragments of trajectories that stay with their owners: simulations, and the client of a campaign."""

from __future__ import annotations

from collections.abc import Sequence

from . import _wayveil
from ._types import Number
from ._verbs.simulate import simulate

__all__ = ["Client", "simulate"]


class Client:
    """One trajectory in a campaign. It never leaves the object; one randomised answer does.

    ``terms`` are the bytes of a campaign's terms, ``trajectory`` the numbers of the locations visited. What its owner
    agrees to are limits: the largest ``epsilon``, the most fragments in a question (``per_client``) and the longest
    fragment (``length``); terms that ask for more raise a ``RefusedError``. ``insecure_seed`` makes the same noise
    every time, for tests.
    """

    def __init__(
        self,
        terms: bytes,
        trajectory: Sequence[int],
        *,
        epsilon: Number,
        per_client: int = 16,
        length: int = 8,
        insecure_seed: int | None = None,
    ) -> None:
        self._inner = _wayveil.Client(
            terms,
            list(trajectory),
            epsilon=str(epsilon),
            per_client=per_client,
            length=length,
            insecure_seed=insecure_seed,
        )

    @property
    def round(self) -> int | None:
        """The round in which it answers; none if it is not among the clients drawn."""
        return self._inner.round

    @property
    def place(self) -> int:
        """The uniform 64-bit word that says which block of its round it is in."""
        return self._inner.place

    def answer(self, question: bytes) -> bytes:
        """Answers the bytes of a question with the bytes of an answer.

        The same question again gets the same answer; any other is refused.
        """
        return self._inner.answer(question)

    def __reduce__(self) -> str | tuple[object, ...]:
        raise TypeError("a client is not copied: a second one would answer with fresh noise")
