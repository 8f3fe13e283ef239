"""The rounds of a training, and adaptations, in words."""

from collections.abc import Iterator

from deckatlas.games.hearthstone.training.adaptation import Adaptation
from deckatlas.games.hearthstone.training.rounds import RoundResult


def round_in_words(result: RoundResult) -> Iterator[str]:
    """Lines about a round: its games, what was learnt, and its strength if it was measured."""
    measures = result.measures
    if games := measures.get("games"):
        yield (
            f"round {result.number}: {games['games']:,} games by {games['pilot']} "
            f"with {games['positions']:,} positions in {games['seconds']:,} s"
        )
    epochs = [line for stage, line in measures.items() if stage.startswith("epoch")]
    if epochs:
        last = epochs[-1]
        compared = "".join(
            f" ({words}: {measures[stage]['held_out_loss']})"
            for stage, words in (("start", "before"), ("baseline", "the pilots' own rating"))
            if stage in measures
        )
        yield (
            f"  learnt in {sum(epoch['seconds'] for epoch in epochs):,.1f} s; "
            f"loss {last['training_loss']} in training, "
            f"{last['held_out_loss']} on {last['held_out_positions']:,} positions held out"
            f"{compared}; calibration error {last['calibration_error']}"
        )
    if strength := measures.get("strength"):
        weakest = min(strength["decks"], key=strength["decks"].__getitem__)
        yield (
            f"  won {strength['won']:.1%} of {strength['games']:,} games against {strength['opponent']}; "
            f"least with {weakest}, {strength['decks'][weakest]:.1%}"
        )
    yield f"  {result.weights}"


def adaptation_in_words(result: Adaptation) -> Iterator[str]:
    """Lines about an adaptation: what was learnt, its strength, and the pilot."""
    won = result.won
    yield f"{result.games:,} games, in turn under {result.edition} and without the patch"
    yield (
        f"loss on {result.positions:,} held-out positions under {result.edition}: "
        f"{result.loss_before} before, {result.loss_after} after"
    )
    yield (
        f"adapted against unadapted under {result.edition}: "
        f"won {won.value:.1%} ({won.low:.1%} to {won.high:.1%}) of {won.n:,} games"
    )
    yield result.pilot
