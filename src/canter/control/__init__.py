"""The contract that every method keeps: Command in, State out, one frame at a time."""

from canter.control.batch import BatchCommand, BatchController, BatchState, Single
from canter.control.command import Command, Disturbance, Goal, Ground, Push, Throw
from canter.control.contract import Capabilities, Controller, Style
from canter.control.registry import Entry, entries, load, make_batch, make_controller, register
from canter.control.rollout import Driver, rollout, states, to_clip, to_motion
from canter.control.state import EVENTS, TELEMETRY, Prop, State, Trajectory
from canter.control.world import World

__all__ = [
    "EVENTS",
    "TELEMETRY",
    "BatchCommand",
    "BatchController",
    "BatchState",
    "Capabilities",
    "Command",
    "Controller",
    "Disturbance",
    "Driver",
    "Entry",
    "Goal",
    "Ground",
    "Prop",
    "Push",
    "Single",
    "State",
    "Style",
    "Throw",
    "Trajectory",
    "World",
    "entries",
    "load",
    "make_batch",
    "make_controller",
    "register",
    "rollout",
    "states",
    "to_clip",
    "to_motion",
]
