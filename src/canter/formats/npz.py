"""npz archives of global positions and quaternions (w, x, y, z), the habit of research code; read and written.

Every array's size is read from its header before it is inflated, and pickled arrays are refused.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import Path

import numpy as np

from canter.formats.errors import FormatError
from canter.formats.files import MAX_FRAME_RATE, MAX_JOINT_FRAMES, MAX_JOINTS, check_finite, check_size, write_atomic
from canter.motion import rotations as rot
from canter.motion.arrays import Floats, Ints
from canter.motion.kinematics import local
from canter.motion.skeleton import Asset, Motion, Skeleton

NAMES = ("bone_names", "names", "joint_names", "joints")
PARENTS = ("parents", "bone_parents")
POSITIONS = ("positions", "global_positions", "positions_world")
ROTATIONS = ("quaternions_wxyz", "quaternions", "rotations", "global_quaternions", "global_rotations")
RATES = ("framerate", "frame_rate", "fps")
REMEDY = "Write bone_names (J,), parents (J,), positions (T, J, 3), quaternions_wxyz (T, J, 4) and framerate"
MAX_ARRAY_BYTES = 8 * 4 * MAX_JOINT_FRAMES


def parse(data: bytes, path: Path) -> Asset:
    """The one clip of an archive; its skeleton's offsets are the medians over time."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}
            position = _array(archive, members, POSITIONS, path)
            rotation = _array(archive, members, ROTATIONS, path)
            parents = _array(archive, members, PARENTS, path)
            names = _names(archive, members, parents.size, path)
            rate = _rate(archive, members, path)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(path, "", f"the archive is damaged ({error})", "Write the npz again") from None
    position, rotation = _checked(position, rotation, parents, path)
    return _asset(names, parents.astype(np.int64), position, rotation, rate, path)


def _array(
    archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo], keys: tuple[str, ...], path: Path
) -> np.ndarray:
    key = next((k for k in keys if k in members), None)
    if key is None:
        raise FormatError(path, "", f"there is no array {keys[0]!r}; there are {', '.join(members)[:200]}", REMEDY)
    try:
        with archive.open(members[key]) as file:
            version = np.lib.format.read_magic(file)
            header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            shape, _, dtype = header(file)
            size = dtype.itemsize
            for length in shape:
                size *= int(length)
            if dtype.hasobject or size > MAX_ARRAY_BYTES or size > members[key].file_size or min(shape, default=0) < 0:
                raise FormatError(path, key, f"an array {shape} of {dtype} is not read", REMEDY)
        with archive.open(members[key]) as file:
            return np.asarray(np.lib.format.read_array(file, allow_pickle=False))
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError, OverflowError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(path, key, f"the array is damaged ({error})", "Write the npz again") from None


def _names(archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo], joints: int, path: Path) -> list[str]:
    if not any(key in members for key in NAMES):
        return [f"joint_{i}" for i in range(joints)]
    names = _array(archive, members, NAMES, path)
    if names.shape != (joints,) or names.dtype.kind not in "US":
        raise FormatError(path, "names", f"{names.shape} {names.dtype} is not {joints} names", REMEDY)
    return [x.decode("latin-1") if isinstance(x, bytes) else str(x) for x in names.tolist()]


def _rate(archive: zipfile.ZipFile, members: dict[str, zipfile.ZipInfo], path: Path) -> float:
    value = _array(archive, members, RATES, path)
    if value.size != 1 or value.dtype.kind not in "iuf" or not 0 < float(value.reshape(())) <= MAX_FRAME_RATE:
        raise FormatError(path, "framerate", "this is not one number above zero", REMEDY)
    return float(value.reshape(()))


def _checked(position: np.ndarray, rotation: np.ndarray, parents: Ints, path: Path) -> tuple[Floats, Floats]:
    joints, kinds = parents.size, position.dtype.kind + rotation.dtype.kind
    if parents.ndim != 1 or parents.dtype.kind not in "iu" or not 0 < joints <= MAX_JOINTS:
        raise FormatError(path, "parents", f"{parents.shape} {parents.dtype} is not one parent a joint", REMEDY)
    if not ((parents < np.arange(joints)) & (parents.astype(np.int64) >= -1)).all():
        raise FormatError(
            path, "parents", "a parent does not stand before its child", "List parents first, -1 for roots"
        )
    frames = len(position) if position.ndim else 0
    if position.shape != (frames, joints, 3) or rotation.shape != (frames, joints, 4) or set(kinds) - set("fiu"):
        raise FormatError(
            path, "positions", f"{position.shape} and {rotation.shape} do not fit {joints} joints", REMEDY
        )
    check_size(path, frames, joints)
    position, rotation = position.astype(np.float64), rotation.astype(np.float64)
    check_finite(path, "positions", position)
    check_finite(path, "rotations", rotation)
    if not frames:
        raise FormatError(path, "positions", "there are no frames", REMEDY)
    return position, rot.unit(rotation)


def _asset(names: list[str], parents: Ints, position: Floats, rotation: Floats, rate: float, path: Path) -> Asset:
    bare = Skeleton.make(names, parents, np.zeros((len(names), 3)))
    positions, rotations = local(bare, position, rotation)
    offsets = np.median(positions, axis=0)
    offsets[parents < 0] = 0
    skeleton = Skeleton.make(names, parents, offsets)
    return Asset(skeleton, (Motion(skeleton, rate, positions, rotations, path.stem),))


def write(asset: Asset, path: Path) -> None:
    """The asset's one clip as global positions and quaternions."""
    if len(asset.clips) != 1:
        problem = f"an npz keeps one clip and the asset has {len(asset.clips)}"
        raise FormatError(path, "", problem, "Write a GLB, or choose one clip")
    clip = asset.clips[0]
    position, rotation = clip.world
    buffer = io.BytesIO()
    np.savez_compressed(
        buffer,
        bone_names=np.array(clip.skeleton.names),
        parents=clip.skeleton.parents.astype(np.int64),
        positions=position.astype(np.float32),
        quaternions_wxyz=rot.positive(rotation).astype(np.float32),
        framerate=np.float64(clip.frame_rate),
    )
    write_atomic(path, buffer.getvalue())
