"""Drives a network with NumPy and ONNX Runtime. MIT licence, as all of canter.

    driver = Driver("dog_mann.onnx", json.load(open("dog_mann.json")))
    pose, contacts = driver.step(speed=1.5)  # every frame, `frame_rate` of them a second
    position, forward, up = pose["Head"]  # in the world: metres, +Y up, +Z ahead and +X left at yaw 0

Places on the ground are complex: real is ahead (+Z), imaginary is left (+X).
"""

import numpy as np
import onnxruntime
from steering import Steering


class Driver:
    def __init__(self, model, contract):
        self.network = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
        self.contract, self.steering = contract, Steering(contract)
        self.joints = np.array([contract["stand"]], np.float32)
        self.place, self.yaw, self.velocity = 0j, 0.0, 0j  # of a frame on the ground; velocity ahead and to the left
        self.weights = np.eye(len(contract["labels"]))[0]
        self.past = [(0j, 0.0, 0j, 0.0, self.weights)] * (1 + contract["runtime"]["past_frames"][0])

    def step(self, speed, heading=0.0, facing=None, label=None):
        """One frame; `facing` None looks ahead, `label` names an action. The pose, and which feet stand."""
        c, r, labels = self.contract, self.contract["runtime"], self.contract["labels"]
        told = labels.index(label) if label else int(self.steering.goes(self.yaw, speed, facing))
        if labels[told] not in c["jumps"]:  # it shall rest, and is told so once it has slowed down
            speed, facing, told = 0.0, None, 1 if abs(self.velocity) > r["rest_speed"] else told
        one = np.eye(len(labels))[told]
        self.weights = self.weights + r["smoothing"] * (one - self.weights)
        ahead = self.steering.plan(self.place, self.yaw, self.velocity, speed, heading, facing)
        samples = [self.past[-1 - frames] for frames in r["past_frames"]]
        samples += [(*self.past[-1][:3], speed, self.weights)]
        samples += [(*a, speed, one + s * (self.weights - one)) for a, s in zip(ahead, r["labels_ahead"], strict=True)]
        places, yaws, velocities, speeds, weights = map(np.array, zip(*samples, strict=True))
        back = np.exp(-1j * self.yaw)  # all is seen from where the animal is, and as it faces
        planes = [(places - self.place) * back, np.exp(1j * (yaws - self.yaw)), velocities * back]
        trajectory = np.concatenate([*(plane.view(float) for plane in planes), speeds, weights.ravel()])
        feeds = {"trajectory": trajectory[None].astype(np.float32), "joints": self.joints}
        self.joints, root, contacts, _ = self.network.run(None, feeds | {"enabled": np.ones(c["experts"], np.float32)})
        holds = sum(self.weights[k] for k, name in enumerate(labels) if k > 0 and name not in c["jumps"])
        slow = min((1 - self.weights[0]) ** r["stand_exponent"], max(1 - holds, 0) ** r["hold_exponent"])
        u, v, turn = slow * root[0].astype(float)  # metres and radians a second
        self.velocity, dt = complex(u, v), 1 / c["frame_rate"]
        self.place += dt * self.velocity * np.exp(1j * (self.yaw + turn * dt / 2))
        self.yaw += turn * dt
        now = self.place, self.yaw, self.velocity * np.exp(1j * self.yaw), speed, self.weights
        self.past = [*self.past[1:], now]
        return self.pose(), contacts[0] > 0.5

    def pose(self):
        """Position, forward and up axis in the world of every joint by name; its left axis is up x forward."""
        names = self.contract["body"]["names"]
        x, y, z = self.joints.reshape(-1, 3).T  # places of J joints, then J pairs of axes, then J velocities
        turned = (z + 1j * x) * np.exp(1j * self.yaw)
        turned[: len(names)] += self.place
        vectors = np.stack([turned.imag, y, turned.real], axis=1)
        axes = vectors[len(names) : 3 * len(names)].reshape(-1, 2, 3)
        return {name: (vectors[k], *axes[k]) for k, name in enumerate(names)}
