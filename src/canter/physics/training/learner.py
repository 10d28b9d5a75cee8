"""Policies that learn by proximal policy optimisation: rsl-rl-lib's, on N bodies, with checkpoints of plain arrays."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rsl_rl.algorithms import PPO
from rsl_rl.models import MLPModel
from rsl_rl.storage import RolloutStorage
from tensordict import TensorDict

from canter.motion.arrays import Bools, Floats
from canter.neural.training.checkpoint import (
    optimizer_tensors,
    read_checkpoint,
    restore_network,
    restore_optimizer,
    write_checkpoint,
)
from canter.physics.environment import Environment, Outcome
from canter.physics.mirror import Mirror
from canter.physics.reference import POLICY_RATE
from canter.physics.training.recipe import PpoRecipe

LAST_LAYER = 0.01
"""The weights of the last layer of a new policy, relative to their usual size: it begins with hardly any action
(Andrychowicz et al. 2021)."""
CHECKPOINT_SECONDS = 30.0
GROUP = "policy"

Observe = Callable[[Environment], Floats]
Progress = Callable[[float, Mapping[str, float]], None]


@dataclass(frozen=True, eq=False)
class Symmetry:
    """Mirror images of observations and actions, for tensors."""

    observation: Mirror
    action: Mirror

    def augment(self, env: Any, obs: TensorDict | None, actions: torch.Tensor | None) -> tuple[Any, Any]:
        """Batches followed by their mirror images, as rsl-rl-lib asks for them."""
        if obs is not None:
            values = obs[GROUP]
            obs = TensorDict({GROUP: self._twice(values, self.observation)}, batch_size=[2 * len(values)])
        return obs, None if actions is None else self._twice(actions, self.action)

    @staticmethod
    def _twice(values: torch.Tensor, mirror: Mirror) -> torch.Tensor:
        sign = torch.as_tensor(mirror.sign, dtype=values.dtype)
        return torch.cat([values, values[:, torch.as_tensor(mirror.source)] * sign])


class Learner:
    """A policy and a critic that learn on an environment."""

    def __init__(self, env: Environment, recipe: PpoRecipe, checkpoint: Path | None = None) -> None:
        torch.manual_seed(recipe.seed)
        self.env, self.recipe, self.path = env, recipe, checkpoint
        self.observation = self._observe()
        groups = {"actor": [GROUP], "critic": [GROUP]}
        spread = {"class_name": "GaussianDistribution", "init_std": recipe.noise, "std_type": "log"}
        spread |= {"std_range": (recipe.least_noise, recipe.noise)}
        shared: dict[str, Any] = {"hidden_dims": recipe.hidden, "activation": "elu", "obs_normalization": True}
        self.actor = MLPModel(self.observation, groups, "actor", env.actions, distribution_cfg=spread, **shared)
        self.critic = MLPModel(self.observation, groups, "critic", 1, **shared)
        last = [layer for layer in self.actor.mlp if isinstance(layer, torch.nn.Linear)][-1]
        with torch.no_grad():
            last.weight.mul_(LAST_LAYER)
            last.bias.zero_()
        senses = env.senses
        mirror = Mirror.join([senses.own_mirror, env.servos.mirror, senses.ahead_mirror])
        augment = Symmetry(mirror, env.servos.mirror).augment
        symmetry = {"env": env, "data_augmentation_func": augment, "use_data_augmentation": True}
        self.ppo = PPO(
            self.actor,
            self.critic,
            RolloutStorage("rl", env.count, recipe.steps, self.observation, [env.actions], "cpu"),
            num_learning_epochs=recipe.epochs,
            num_mini_batches=recipe.batches,
            gamma=recipe.discount,
            lam=recipe.smoothing,
            entropy_coef=0.0,
            learning_rate=recipe.learning_rate,
            schedule="adaptive",
            desired_kl=recipe.divergence,
            symmetry_cfg=symmetry if recipe.mirrored else None,
        )
        self.samples, self.seconds = 0, 0.0
        self.curve: list[dict[str, float]] = []

    def _observe(self) -> TensorDict:
        parts = self.env.observe()
        values = np.concatenate([parts[name] for name in ("own", "action", "ahead")], axis=1)
        return TensorDict({GROUP: torch.as_tensor(values, dtype=torch.float32)}, batch_size=[self.env.count])

    def run(self, seconds: float, progress: Progress = lambda *_: None) -> None:
        """Learns until so many seconds of learning are over, those before a stop included."""
        saved = began = time.perf_counter()
        before = self.seconds
        while self.seconds < seconds:
            figures = self._round()
            self.seconds = before + time.perf_counter() - began
            self.curve.append({"samples": self.samples, "seconds": round(self.seconds, 1), **figures})
            if not np.isfinite(figures["reward"]):
                raise FloatingPointError(f"the reward is no number any more after {self.samples} samples")
            progress(self.seconds, self.curve[-1])
            if self.path is not None and time.perf_counter() - saved > CHECKPOINT_SECONDS:
                self.save()
                saved = time.perf_counter()
        self.save()

    def _round(self) -> dict[str, float]:
        """Steps of all bodies, and an update."""
        sums: dict[str, float] = {}
        fallen = 0
        for _ in range(self.recipe.steps):
            with torch.no_grad():
                action = self.ppo.act(self.observation)
            outcome = self.env.step(action.numpy().astype(np.float64))
            fallen += int(outcome.fallen.sum())
            for name, values in ({"reward": outcome.reward} | outcome.parts).items():
                sums[name] = sums.get(name, 0.0) + float(values.mean())
            self._end_step(outcome)
        with torch.no_grad():
            self.ppo.compute_returns(self.observation)
        losses = self.ppo.update()
        count = self.recipe.steps * self.env.count
        self.samples += count
        means = {name: round(value / self.recipe.steps, 4) for name, value in sums.items()}
        return means | {
            "falls_per_second": round(fallen * POLICY_RATE / count, 4),
            "value_loss": round(float(losses["value"]), 4),
            "learning_rate": self.ppo.learning_rate,
            "noise": round(float(self.actor.output_std.detach().mean()), 4),
        }

    def _end_step(self, outcome: Outcome) -> None:
        """Who has fallen or whose time is over begins anew."""
        done: Bools = outcome.fallen | outcome.over
        self.env.reset(done)
        self.observation = self._observe()
        self.ppo.process_env_step(
            self.observation,
            torch.as_tensor((1 - self.recipe.discount) * outcome.reward, dtype=torch.float32),  # values from 0 to 1
            torch.as_tensor(done),
            {"time_outs": torch.as_tensor(outcome.over, dtype=torch.float32)},
        )

    # Checkpoints ---------------------------------------------------------------------------------

    def save(self) -> None:
        """Writes the checkpoint."""
        if self.path is None:
            return
        tensors = {f"network.actor.{name}": value for name, value in self.actor.state_dict().items()}
        tensors |= {f"network.critic.{name}": value for name, value in self.critic.state_dict().items()}
        tensors |= optimizer_tensors(self.ppo.optimizer, "optimizer")
        notes = {
            "recipe": self.recipe.fields(),
            "samples": self.samples,
            "seconds": self.seconds,
            "curve": self.curve,
            "learning_rate": self.ppo.learning_rate,
        }
        write_checkpoint(self.path, tensors, notes)

    def resume(self) -> bool:
        """Goes on from the checkpoint, if there is one of the same recipe."""
        if self.path is None or not self.path.is_file():
            return False
        tensors, notes = read_checkpoint(self.path)
        if notes.get("recipe") != self.recipe.fields():
            raise ValueError(f"{self.path}: this checkpoint was made with another recipe; delete it to begin anew")
        restore_network(self.path, torch.nn.ModuleDict({"actor": self.actor, "critic": self.critic}), tensors)
        restore_optimizer(self.ppo.optimizer, tensors, "optimizer")
        self.samples, self.seconds, self.curve = notes["samples"], notes["seconds"], notes["curve"]
        self.ppo.learning_rate = notes["learning_rate"]
        for group in self.ppo.optimizer.param_groups:
            group["lr"] = self.ppo.learning_rate
        return True
