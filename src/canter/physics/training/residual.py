"""The preset `residual`: from an animal that can be driven by gaits to a policy that keeps it on its feet.

Servo targets are the angles of `gaits` and what the policy adds to them. It learns on motion that the animal
improvises, and while it learns more and more happens to it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from canter.anatomy import Character
from canter.body.articulation import Articulation, articulate
from canter.control.improvise import IDLE, LOCOMOTION, Repertoire, improvise
from canter.formats.files import write_atomic
from canter.neural.export import to_onnx, write_onnx
from canter.physics.environment import Environment
from canter.physics.perturbations import Perturbation, RandomGround, RandomPushes
from canter.physics.policy import PolicyContract, body_hash
from canter.physics.reference import reference_of
from canter.physics.rewards import own_time
from canter.physics.training.learner import GROUP, Learner, Progress
from canter.physics.training.recipe import PpoRecipe

REPERTOIRE = Repertoire(
    {IDLE: 10.0, LOCOMOTION: 120.0},
    idle_seconds=(1.0, 4.0),
    from_all_gaits=True,
    styles=0.0,
    around=0.15,
    around_speeds=(0.1, 0.6),
    around_spans=3,
    circling=0.4,
    options={"one_lead": True},
)
"""What the animal improvises: it goes at all speeds in all gaits and turns, and rests at times."""
DATA_MINUTES = 20.0
TAKES_RATE = 60.0
CALM_SHARE = 0.3
"""The share of the time in which nothing happens yet."""
LICENCE = "MIT"

Note = Callable[[str], None]


def perturbations(body: Articulation, strength: float) -> tuple[Perturbation, ...]:
    """What happens to a body that learns, of a strength from 0 to 1, by the animal's own unit of speed."""
    unit = body.hip_height / own_time(body.hip_height)
    return (
        RandomPushes((0.0, 0.7 * unit * strength)),
        RandomGround((0.9 * 0.08**strength, 0.9 * 1.3**strength), (0.0, 13.0 * strength), (0.0, 0.3 * strength)),
    )


def train_residual(
    character: Character,
    output: Path,
    minutes: float,
    recipe: PpoRecipe | None = None,
    *,
    data_minutes: float = DATA_MINUTES,
    progress: Progress = lambda *_: None,
    note: Note = lambda _: None,
) -> Learner:
    """Trains a policy for so many minutes and writes `output`, its curve and its card beside it. A checkpoint lies
    beside it while it trains: called again after a stop, it goes on from there."""
    recipe = recipe or PpoRecipe()
    body = articulate(character)
    note(f"improvising {data_minutes:g} minutes of the {character.name}")
    takes = improvise(character, data_minutes, recipe.seed, frame_rate=TAKES_RATE, repertoire=REPERTOIRE)
    env = Environment(body, reference_of(body, takes), recipe.bodies, recipe.seed, perturbations(body, 0.0))
    learner = Learner(env, recipe, output.with_name(output.stem + ".checkpoint.npz"))
    if learner.resume():
        note(f"going on after {learner.samples} samples, {learner.seconds / 60:.1f} minutes")

    def harder(seconds: float, figures: Any) -> None:
        share = seconds / (60 * minutes)
        env.perturb(perturbations(body, min(max((share - CALM_SHARE) / (1 - 2 * CALM_SHARE), 0.0), 1.0)))
        progress(seconds, figures)

    learner.run(60 * minutes, harder)
    write_policy(learner, body, output, "residual")
    write_atomic(output.with_suffix(".curve.json"), json.dumps(learner.curve).encode())
    write_atomic(output.with_suffix(".md"), policy_card(output.stem, body, learner).encode())
    if learner.path is not None:
        learner.path.unlink(missing_ok=True)
    return learner


class _Acting(torch.nn.Module):
    """A policy without its noise."""

    def __init__(self, learner: Learner) -> None:
        super().__init__()
        self.normaliser, self.layers = learner.actor.obs_normalizer, learner.actor.mlp

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = self.layers(self.normaliser(observation))
        return result


def write_policy(learner: Learner, body: Articulation, path: Path, kind: str) -> None:
    """Writes the policy of a learner as ONNX with its contract."""
    inputs = learner.observation[GROUP].shape[1]
    about = {
        "animal": body.character.name,
        "samples": learner.samples,
        "minutes": round(learner.seconds / 60, 1),
        "recipe": learner.recipe.fields(),
        "licence": LICENCE,
    }
    contract = PolicyContract(kind, body_hash(body), inputs, learner.env.actions, about)
    model = to_onnx(_Acting(learner), (torch.zeros(2, inputs),), ["observation"], ["action"], batched=(True,))
    write_onnx(model, contract.fields(), path)


def policy_card(name: str, body: Articulation, learner: Learner) -> str:
    """What a policy is, and how it was made, for whoever finds the file."""
    last = learner.curve[-1] if learner.curve else {}
    return f"""# {name}

A policy that moves a simulated {body.character.name} ({body.mass:.3g} kg, {len(body.segments)} segments,
{learner.env.actions} servos): it adds to the angles of the preset `gaits` what keeps the body on its feet.

- Training: proximal policy optimisation, {learner.samples:,} samples in {learner.seconds / 60:.0f} minutes on this
  computer, {len(learner.env.reference) / 1800:.0f} minutes of improvised motion
- At the end, with the noise of the training: reward {last.get("reward", 0):.2f}, one fall in
  {1 / max(last.get("falls_per_second", 0), 1e-4):.0f} seconds
- Licence: {LICENCE}
- Recipe: `{json.dumps(learner.recipe.fields())}`
"""
