"""The controller of networks keeps the contract: batches, resets, commands, feet, sizes, and errors with a remedy."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest

import canter
from canter import Character, Command
from canter.anatomy import understand
from canter.control.batch import BatchCommand, BatchController
from canter.control.registry import make_batch, make_controller
from canter.control.world import Rolling, World
from canter.motion import Asset, Motion, Skeleton
from canter.motion import rotations as rot
from canter.motion.kinematics import forward
from canter.neural.controller import TrajectoryController
from canter.neural.jumping import PATIENCE_SECONDS
from canter.neural.mann import MODELS, BatchMann
from canter.neural.model import Model, Prediction


class Replay:
    """A predictor that gives the joints of a stand, goes as told, and has the feet of a trot."""

    def __init__(self, model: Model) -> None:
        self.contract = model.contract
        self.frame = 0

    def predict(self, trajectory: np.ndarray, joints: np.ndarray, enabled: np.ndarray) -> Prediction:
        samples, now = len(self.contract.layout.window.times), self.contract.layout.window.now
        wanted = trajectory[:, 6 * samples + now]
        root = np.stack([wanted, np.zeros_like(wanted), np.zeros_like(wanted)], axis=1)
        self.frame += 1
        stand = np.tile(self.contract.stand.astype(np.float32), (len(joints), 1))
        return Prediction(stand, root, np.ones((len(joints), 4), np.float32), np.full((len(joints), 2), 0.5))


@pytest.fixture(scope="module")
def model(network: Path) -> Model:
    return Model(network)


def test_it_keeps_the_contract_of_batches(dog: Character, network: Path) -> None:
    batch = make_batch("mann", dog, 3, model=network)
    assert isinstance(batch, BatchController)
    assert batch.frame_rate == 60
    assert batch.capabilities.actions == ("sit", "lie", "upright", "jump")
    for _ in range(20):
        state = batch.step(BatchCommand.make(np.array([0.0, 1.0, 3.0]), 0.3))
    assert np.isfinite(state.positions).all()
    assert state.telemetry["expert"].shape == (3, 2)
    np.testing.assert_allclose(np.linalg.norm(state.rotations, axis=-1), 1, atol=1e-5)
    assert state.trajectory.positions.shape == (3, 12, 3)
    with pytest.raises(ValueError, match="2 commands for 3"):
        batch.step(BatchCommand.still(2))


def test_a_row_of_a_batch_is_the_animal_alone(dog: Character, network: Path) -> None:
    batch, alone = (BatchMann(dog, count, model=network) for count in (3, 1))
    for frame in range(40):
        action = -1 if frame < 20 else 0
        every = batch.step(BatchCommand.make(np.array([0.5, 1.5, 4.0]), np.array([0.0, 0.5, 1.0]), action=action))
        one = alone.step(BatchCommand.make(1.5, 0.5, action=action))
        np.testing.assert_allclose(every.positions[1], one.positions[0], atol=1e-4)
        np.testing.assert_allclose(every.place[1], one.place[0], atol=1e-4)


def test_a_reset_of_some_leaves_the_others(dog: Character, network: Path) -> None:
    batch = BatchMann(dog, 2, model=network)
    first = batch.reset()
    for _ in range(30):
        moved = batch.step(BatchCommand.make(np.full(2, 2.0), 0.0))
    again = batch.reset(who=np.array([True, False]))
    np.testing.assert_allclose(again.place[0], first.place[0])
    np.testing.assert_allclose(again.place[1], moved.place[1])
    np.testing.assert_allclose(again.positions[1], moved.positions[1], atol=1e-3)
    for _ in range(30):
        last = batch.step(BatchCommand.make(np.full(2, 2.0), 0.0))
    np.testing.assert_allclose(last.place[0], moved.place[0], atol=1e-6)


def test_the_same_commands_give_the_same_frames(dog: Character, network: Path) -> None:
    controller = make_controller("mann", dog, model=network)
    rides = []
    for _ in range(2):
        controller.reset()
        rides.append(canter.rollout(controller, [Command(speed=1.0), Command(action="sit")] * 20).rotations)
    np.testing.assert_array_equal(*rides)


def test_steering_and_report_follow_the_ground_track(dog: Character, model: Model) -> None:
    batch = TrajectoryController(dog, 1, predictor=Replay(model), lock_feet=False)
    for _ in range(60):
        state = batch.step(BatchCommand.make(1.0))
    assert state.place[0, 2] == pytest.approx(1.0, abs=0.05)  # held back while it idles no more
    assert state.velocity_world[0, 2] == pytest.approx(1.0, abs=1e-3)
    np.testing.assert_allclose(state.trajectory.positions[0, -1, 2] - state.place[0, 2], 5 / 6, atol=0.05)


def test_who_shall_rest_is_held_back_whatever_the_network_says(dog: Character, model: Model) -> None:
    class Creeping(Replay):
        def predict(self, trajectory: np.ndarray, joints: np.ndarray, enabled: np.ndarray) -> Prediction:
            made = super().predict(trajectory, joints, enabled)
            return Prediction(made.joints, np.full_like(made.root, 0.1), made.contacts, made.experts)

    batch = TrajectoryController(dog, 1, predictor=Creeping(model), lock_feet=False)
    for _ in range(600):
        state = batch.step(BatchCommand.still(1))
    assert np.linalg.norm(state.place) < 0.03


def test_feet_stand_on_hills(dog: Character, model: Model) -> None:
    world = World(terrain=Rolling(amplitude=0.1, seed=2))
    batch = TrajectoryController(dog, 1, predictor=Replay(model), world=world)
    for _ in range(90):
        state = batch.step(BatchCommand.make(1.0))
        pose = state.row(0, dog).pose
        feet = canter.motion.forward(dog.skeleton, pose.positions[None], pose.rotations[None])[0][0, dog.anatomy.feet]
        depth = world.height(feet[:, [0, 2]]) - feet[:, 1]
        assert depth.max() < 0.01 * dog.anatomy.hip_height


def test_animals_without_a_network_get_a_remedy(dog: Character, network: Path) -> None:
    with pytest.raises(ValueError, match="canter train"):
        make_controller("mann", canter.load("turtle"))
    with pytest.raises(ValueError, match=r"has no joint 'Hips'.*made for the dog, .*canter train.* one for the horse"):
        make_controller("mann", canter.load("horse"), model=network)


class Creeping(Replay):
    """Comes down beside a stand, and slides its feet to their places for ten seconds."""

    def predict(self, trajectory: np.ndarray, joints: np.ndarray, enabled: np.ndarray) -> Prediction:
        made = super().predict(trajectory, joints, enabled)
        off = 0.1 * np.exp(-self.frame / 600) * np.array([1.0, -1.0, -1.0, 1.0])
        made.joints[:, 3 * np.array(self.contract.layout.body.feet) + 2] += off
        made.contacts[:] = self.frame > 10
        return made


def test_feet_that_creep_into_a_stand_step_there_at_once(dog: Character, model: Model) -> None:
    batch = TrajectoryController(dog, 1, predictor=Creeping(model))
    feet = []
    for _ in range(6 * 60):
        state = batch.step(BatchCommand.still(1))
        feet.append(Motion(dog.skeleton, 60, state.positions, state.rotations).position_world[0, dog.anatomy.feet])
    moved = np.linalg.norm(np.array(feet) - feet[-1], axis=-1).max(axis=1)
    assert moved[10] > 0.05
    assert moved[120:].max() < 0.005


def test_feet_of_a_stand_are_still(dog: Character) -> None:
    """In height too, which wanders by millimetres in the poses of a network."""
    batch, feet = BatchMann(dog, 1), []
    for frame in range(8 * 60):
        state = batch.step(BatchCommand.make(np.full(1, 1.0 if frame < 60 else 0.0)))
        feet.append(Motion(dog.skeleton, 60, state.positions, state.rotations).position_world[0, dog.anatomy.feet])
    assert np.linalg.norm(np.array(feet[240:]) - feet[240], axis=-1).max() < 0.0005


@pytest.mark.parametrize("speed", [0.0, 1.9, 4.5])
def test_a_jump_that_is_told_for_a_moment_is_jumped_once(dog: Character, speed: float) -> None:
    """As by a tap on a key: it goes on by itself, says when it starts and when it has landed, and comes once."""
    batch = BatchMann(dog, 1)
    jump = batch.capabilities.actions.index("jump")
    events, flies = [], []
    for frame in range(360):
        state = batch.step(BatchCommand.make(speed, action=jump if 120 <= frame < 123 else -1))
        events += [(name, frame) for name, mask in state.events.items() if mask[0] and name in ("started", "finished")]
        flies.append(not state.contacts.any())
    (started, first), (finished, last) = events
    assert (started, first, finished) == ("started", 120, "finished")
    assert 120 + 20 < last < 120 + 120
    assert sum(flies[120:last]) > 15
    after = [len(list(frames)) for flight, frames in groupby(flies[last + 60 :]) if flight]
    assert max(after, default=0) < 10  # a gallop is in the air for a moment, a jump for long


def test_a_jump_that_never_leaves_the_ground_is_given_up(dog: Character, model: Model) -> None:
    batch = TrajectoryController(dog, 2, predictor=Replay(model), lock_feet=False)
    names = model.contract.layout.labels
    sit, jump = (batch.capabilities.actions.index(name) for name in ("sit", "jump"))
    events, labels = [], []
    for frame in range(240):
        state = batch.step(BatchCommand.make(np.ones(2), action=np.array([sit, jump if frame == 30 else -1])))
        events += [(name, frame, mask.tolist()) for name, mask in state.events.items()]
        labels.append([names[k] for k in batch.state.label])
    assert events[0] == ("started", 0, [True, False])
    assert events[1:] == [("started", 30, [False, True])]
    jumps = [frame for frame, (_, other) in enumerate(labels) if other == "jump"]
    assert jumps == list(range(30, 30 + len(jumps)))
    assert len(jumps) == pytest.approx(PATIENCE_SECONDS * 60, abs=2)
    assert {own for own, _ in labels} == {"sit"}


def with_a_longer_trunk(character: Character) -> Character:
    """The same animal with a spine of 1.2 times the length."""
    old = character.skeleton
    places = old.rest.positions.copy()
    places[list(character.anatomy.spine[1:])] *= 1.2
    return replace(character, skeleton=Skeleton(old.names, old.parents, places, old.rest.rotations, old.end_sites))


def test_feet_stay_under_the_shoulders_of_another_trunk(dog: Character) -> None:
    model, under = Model(MODELS / "dog_mann.onnx"), []
    for character in (dog, with_a_longer_trunk(dog)):
        batch = TrajectoryController(character, 1, predictor=model)
        states = [batch.step(BatchCommand.make(np.full(1, 1.9))) for _ in range(120)][30:]
        positions, rotations = (np.concatenate([getattr(s, x) for s in states]) for x in ("positions", "rotations"))
        places = Motion(character.skeleton, 60.0, positions, rotations).position_world
        leg = dog.anatomy.legs[0]
        under.append((places[:, leg.foot, 2] - places[:, leg.hip, 2]).mean())
    assert under[1] == pytest.approx(under[0], abs=0.015)


def on_a_turned_armature(character: Character) -> Character:
    """The same animal as many files have it: its root hangs on two joints that stand still and are turned."""
    frames = np.array([rot.about([1, 0, 0], -np.pi / 2), rot.about([0, 0, 1], 0.4)])
    above, offset = rot.multiply(*frames), np.array([0.1, 0.2, -0.3])

    def beneath(positions: np.ndarray, rotations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        shape = positions.shape[:-2]
        places = np.concatenate([np.zeros((*shape, 2, 3)), positions], axis=-2)
        turns = np.concatenate([np.broadcast_to(frames, (*shape, 2, 4)), rotations], axis=-2)
        places[..., 0, :] = offset
        places[..., 2, :] = rot.rotate(rot.conjugate(above), positions[..., 0, :] - offset)
        turns[..., 2, :] = rot.multiply(rot.conjugate(above), rotations[..., 0, :])
        return places, turns

    old = character.skeleton
    rest = beneath(old.rest.positions, old.rest.rotations)
    parents = np.concatenate([[-1, 0], np.where(old.parents < 0, 1, old.parents + 2)])
    ends = np.concatenate([[False, False], old.end_sites])
    skeleton = Skeleton(("Armature", "Root", *old.names), parents, *rest, ends)
    clips = [
        Motion(skeleton, c.motion.frame_rate, *beneath(c.motion.positions, c.motion.rotations), c.name)
        for c in character.clips[:6]
    ]
    found = understand(Asset(skeleton, tuple(clips), metres_per_unit=1.0))
    return replace(found, anatomy=replace(found.anatomy, hip_height=character.anatomy.hip_height))


def test_a_root_may_hang_on_joints_that_stand_still(dog: Character, model: Model) -> None:
    poses = []
    for character in (dog, on_a_turned_armature(dog)):
        batch = TrajectoryController(character, 1, predictor=Replay(model), lock_feet=False)
        for _ in range(30):
            state = batch.step(BatchCommand.make(1.0, 0.5))
        joints = [character.skeleton.names.index(name) for name in model.contract.layout.body.names]
        poses.append([x[0, joints] for x in forward(character.skeleton, state.positions, state.rotations)])
    (places, turns), (other_places, other_turns) = poses
    np.testing.assert_allclose(places, other_places, atol=1e-5)
    np.testing.assert_allclose(np.abs((turns * other_turns).sum(axis=-1)), 1, atol=1e-6)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, 1e30])
@pytest.mark.parametrize("count", [1, 2])
def test_a_root_that_is_no_speed_moves_nobody(dog: Character, model: Model, wrong: float, count: int) -> None:
    class Broken(Replay):
        def predict(self, *inputs: np.ndarray) -> Prediction:
            return replace(super().predict(*inputs), root=np.full((count, 3), wrong, np.float32))

    batch = TrajectoryController(dog, count, predictor=Broken(model))
    for _ in range(5):
        state = batch.step(BatchCommand.make(np.ones(count)))
    assert np.abs(state.place).max() == 0
    assert np.isfinite(state.positions).all()


def test_who_is_reset_in_an_action_is_as_new(dog: Character, model: Model) -> None:
    """While it jumps, and while it lies."""
    actions = model.contract.layout.labels[2:]
    batch, fresh = (TrajectoryController(dog, n, predictor=model) for n in (2, 1))
    told = np.array([actions.index("jump"), actions.index("lie")])
    for frame in range(100):
        action = np.where(frame < np.array([95, 90]), told, -1)
        batch.step(BatchCommand.make(np.ones(2), action=action))
    batch.reset(who=np.ones(2, bool))
    for _ in range(40):
        state, alone = batch.step(BatchCommand.make(np.ones(2))), fresh.step(BatchCommand.make(np.ones(1)))
    np.testing.assert_allclose(state.positions, np.repeat(alone.positions, 2, axis=0), atol=1e-5)


@pytest.mark.parametrize("controller", ["mann", "mann8"])
@pytest.mark.parametrize("action", ["sit", "lie", "upright"])
def test_a_dog_gets_up_before_it_goes(dog: Character, controller: str, action: str) -> None:
    """It stays on its feet and near its place until it has risen, as its teacher does; then it goes."""
    batch = make_batch(controller, dog, 1)
    number = batch.capabilities.actions.index(action)
    for _ in range(240):
        batch.step(BatchCommand.make(speed=0.0, action=number))
    shown = [batch.step(BatchCommand.make(speed=1.9)) for _ in range(150)]
    ahead = np.array([state.place[0, 2] for state in shown])
    feet = np.array([state.contacts[0].sum() for state in shown])
    assert ahead[60] - ahead[0] < dog.anatomy.hip_height
    assert (feet[:60] >= 1).all()
    assert np.hypot(*shown[-1].velocity_world[0, ::2]) > 0.7 * 1.9
