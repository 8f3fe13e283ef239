"""The workers of a cluster as the process of a run knows them, and how long they may be silent."""

from dataclasses import dataclass

from deckatlas.runs.executors import WorkerStanding


@dataclass(frozen=True)
class Patience:
    """How long the workers of a cluster may be silent.

    Attributes:
        answer: The seconds after which a bundle is sent to another worker; ten times as long as it should take, if that
            is more.
        worker: The seconds without any worker that can play, after which the run ends.
    """

    answer: float = 60.0
    worker: float = 600.0


@dataclass(eq=False)
class KnownWorker:
    """A worker, as this process knows it.

    Attributes:
        address: Its address.
        name: Its name for people.
        threads: The number of its threads.
        is_greeted: Whether it has answered that it can play the run.
        refusal: Why it cannot.
        is_paused: Whether it takes no work, since its memory is full.
        is_silent: Whether it has not answered in time.
        games: The games that it has played.
        since: When it was greeted.
    """

    address: str
    name: str
    threads: int
    is_greeted: bool = False
    refusal: str = ""
    is_paused: bool = False
    is_silent: bool = False
    games: int = 0
    since: float = 0.0

    @property
    def is_fit(self) -> bool:
        """Whether it gets work."""
        return self.is_greeted and not self.is_paused

    @property
    def note(self) -> str:
        """What keeps it from playing; empty if nothing does."""
        if self.refusal:
            return f"refused: {self.refusal}"
        if self.is_paused:
            return "paused: its memory is full"
        return "does not answer" if self.is_silent else "" if self.is_greeted else "starting"

    def standing(self, now: float) -> WorkerStanding:
        """Its line in the progress."""
        seconds = now - self.since
        rate = self.games / seconds if self.is_greeted and seconds > 0 else 0.0
        return WorkerStanding(self.name, self.threads, self.games, rate, self.note)
