"""How a surrogate is made and trained: two recipes by name, and options that override them.

`published` is the training of the paper on deep surrogates, line by line. `deckatlas` is ours: targets of one scale,
all data, a falling rate, and a decay of weights, since the averages of a few games are noisy. A stronger decay flattens
the predictions: the map that they fill then has fewer cells than solutions can reach.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from deckatlas.errors import ModelError

Width = Annotated[int, Field(ge=1, le=4096)]
Share = Annotated[float, Field(ge=0, le=0.9, allow_inf_nan=False)]

RECIPES: dict[str, dict[str, Any]] = {
    "published": {
        "model": "network",
        "hidden": (128, 32, 16),
        "members": 5,
        "epochs": 20,
        "batch": 64,
        "rate": 0.01,
        "final_rate": 0.01,
        "weight_decay": 0.0,
        "normalise": False,
        "hold_out": 0.1,
        "shuffle": False,
        "input_noise": 1e-4,
        "warm_start": True,
        "encoding": "counts",
    },
    "deckatlas": {
        "model": "network",
        "hidden": (128, 32, 16),
        "members": 5,
        "epochs": 20,
        "batch": 64,
        "rate": 0.003,
        "final_rate": 0.0,
        "weight_decay": 0.5,
        "normalise": True,
        "hold_out": 0.0,
        "shuffle": True,
        "input_noise": 0.0,
        "warm_start": False,
        "encoding": "counts",
    },
}


class Training(BaseModel):
    """The options of a surrogate. What is not given is set by the recipe.

    Attributes:
        recipe: Where all other options come from.
        model: One affine layer, a network, or the mean of several networks.
        hidden: The sizes of a network's hidden layers.
        members: How many networks an ensemble has.
        epochs: How often a training goes over all data.
        batch: How many solutions a step of training takes.
        rate: The learning rate at the start of a training.
        final_rate: The learning rate at its end; in between it falls on a straight line.
        weight_decay: What share of every weight a step takes away, times the learning rate.
        normalise: Whether targets, and genes that are real numbers, are brought to mean 0 and deviation 1.
        hold_out: The share of solutions that are not trained on, but predicted to see the error.
        shuffle: Whether the solutions held out are drawn at random; otherwise they are the newest.
        input_noise: The standard deviation of noise on the inputs, drawn once for each training.
        warm_start: Whether a training continues from the last one, with the optimiser's moments. The scales of
            normalised numbers then stay as the first training found them.
        encoding: Whether inputs are counts, or counts and the attributes of cards.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    recipe: Literal["published", "deckatlas"] = "deckatlas"
    model: Literal["linear", "network", "ensemble"]
    hidden: tuple[Width, ...] = Field(min_length=1, max_length=8)
    members: int = Field(ge=2, le=64)
    epochs: int = Field(ge=1, le=10_000)
    batch: int = Field(ge=1, le=65_536)
    rate: float = Field(gt=0, le=1)
    final_rate: float = Field(ge=0, le=1)
    weight_decay: float = Field(ge=0, le=10)
    normalise: bool
    hold_out: Share
    shuffle: bool
    input_noise: float = Field(ge=0, le=1)
    warm_start: bool
    encoding: Literal["counts", "attributes"]

    @model_validator(mode="before")
    @classmethod
    def _fill_from_recipe(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        name = given.get("recipe", "deckatlas")
        filled = {**RECIPES.get(name if isinstance(name, str) else "", RECIPES["deckatlas"]), **given}
        if "rate" in given and "final_rate" not in given and isinstance(given["rate"], int | float):
            filled["final_rate"] = min(filled["final_rate"], given["rate"])
        # Strict validation takes no list for a tuple once a validator has seen the file's values.
        return filled | {"hidden": tuple(filled["hidden"])} if isinstance(filled["hidden"], list) else filled

    @model_validator(mode="after")
    def _rate_falls(self) -> Self:
        if self.final_rate > self.rate:
            raise ModelError(
                f"final_rate must be at most rate, which is {self.rate}, not {self.final_rate}: the rate only falls"
            )
        if self.rate * self.weight_decay > 1:
            raise ModelError(
                f"rate times weight_decay must be at most 1, not {self.rate * self.weight_decay:g}: "
                "a step would take away more than all of a weight"
            )
        return self

    @classmethod
    def by_name(cls, recipe: Literal["published", "deckatlas"]) -> Self:
        """A recipe as it is."""
        return cls.model_validate({"recipe": recipe})

    @property
    def hidden_layers(self) -> tuple[int, ...]:
        """The sizes of the hidden layers: none for a linear model."""
        return () if self.model == "linear" else self.hidden

    @property
    def networks(self) -> int:
        """How many networks are trained."""
        return self.members if self.model == "ensemble" else 1
