"""What the studio has made and keeps: each answer is made once, however many ask for it at the same time."""

from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock
from typing import Any, TypeVar
from weakref import ref

Made = TypeVar("Made")


class Same:
    """A version that is an object itself, which is not kept alive; no two objects are the same version."""

    def __init__(self, made_of: object) -> None:
        self._made_of = ref(made_of)

    def __eq__(self, other: object) -> bool:
        mine = self._made_of()
        return mine is not None and isinstance(other, Same) and other._made_of() is mine

    __hash__ = None  # type: ignore[assignment]


class Answers:
    """Answers by key, each of one version of what it is made of; those that nobody asked for longest are dropped."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._kept: OrderedDict[object, tuple[object, Future[Any]]] = OrderedDict()

    def get(self, key: object, version: object, make: Callable[[], Made]) -> Made:
        """An answer: the kept one if it is of this version, and otherwise a new one.

        Who asks while it is being made waits for it, and gets the same error if it cannot be made. Errors are not kept.

        Args:
            key: What is asked for.
            version: The version of what it is made of.
            make: Makes it; it may take long, and must not ask for the same key.
        """
        with self._lock:
            known = self._kept.get(key)
            is_known = known is not None and known[0] == version
            if known is None or not is_known:
                known = self._kept[key] = (version, Future())
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        answer: Future[Made] = known[1]
        if not is_known:
            self._make(key, answer, make)
        return answer.result()

    def _make(self, key: object, answer: Future[Made], make: Callable[[], Made]) -> None:
        try:
            answer.set_result(make())
        except BaseException as error:
            with self._lock:
                if (kept := self._kept.get(key)) is not None and kept[1] is answer:
                    del self._kept[key]
            answer.set_exception(error)
