"""`.canter` files keep an animal as it is, refuse what is damaged, and are built from any clips of one skeleton."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from canter import Character, Command, FormatError, load, read
from canter.anatomy.character_file import save_character
from canter.anatomy.join import join
from canter.cycles.build.built import Built
from canter.cycles.build.cycle import make_cycle
from canter.cycles.build.drivable import drivable
from canter.cycles.build.file import save
from canter.cycles.engine.laws import FROUDE_POWER, fit_stride_law
from canter.motion import Asset, Motion, Skeleton

COUNT = int(os.environ.get("CANTER_FUZZ", "400"))
CYCLE_NUMBERS = ("seconds", "velocity", "turn", "positions", "rotations", "touchdowns", "duty", "sweep")
FORMAT_1 = Path(__file__).parent / "format_1.canter"
"""The example animal, built and written before cycles were stored."""


@pytest.fixture(scope="module")
def built() -> Built:
    return drivable(load("example"))


@pytest.fixture(scope="module")
def file(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("built") / "example.canter"
    save(built, path, {"canter": "test"})
    return path


# Kept as it is -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["example", "turtle"])
def test_a_character_comes_back(name: str, tmp_path: Path) -> None:
    character = load(name)
    save_character(character, tmp_path / "kept.canter")
    again = load(tmp_path / "kept.canter")
    same(character, again)


def same(a: Character, b: Character) -> None:
    assert (a.name, a.skeleton.names) == (b.name, b.skeleton.names)
    np.testing.assert_array_equal(a.skeleton.parents, b.skeleton.parents)
    np.testing.assert_array_equal(a.skeleton.offsets, b.skeleton.offsets)
    for name, value in vars(a.anatomy).items():
        np.testing.assert_array_equal(np.asarray(value), np.asarray(getattr(b.anatomy, name)))
    assert len(a.clips) == len(b.clips)
    for ours, theirs in zip(a.clips, b.clips, strict=True):
        assert (ours.name, ours.motion.frame_rate) == (theirs.name, theirs.motion.frame_rate)
        np.testing.assert_array_equal(ours.motion.positions.astype(np.float32), theirs.motion.positions)
        turn = np.abs((ours.motion.rotations * theirs.motion.rotations).sum(axis=-1))
        np.testing.assert_allclose(turn, 1, atol=1e-6)
        for name, value in vars(ours.footfalls).items():
            if name != "spans":  # those of a take are not kept with what was cut out of it
                np.testing.assert_equal(getattr(theirs.footfalls, name), value)
    assert len(a.skins) == len(b.skins)
    for skin, kept in zip(a.skins, b.skins, strict=True):
        for name, value in vars(skin).items():
            if isinstance(value, np.ndarray):
                np.testing.assert_allclose(getattr(kept, name), value, rtol=1e-6, atol=1e-7)
            else:
                assert getattr(kept, name) == pytest.approx(value) or getattr(kept, name) == value


def test_it_drives_as_before(built: Built, file: Path) -> None:
    rides = [c.controller("gaits") for c in (built.character, load(file))]
    for frame in range(90):
        command = Command(speed=min(frame / 30, 2.0), heading=0.01 * frame)
        a, b = (ride.step(command) for ride in rides)
        np.testing.assert_allclose(a.pose.positions, b.pose.positions, atol=1e-4)


def test_cycles_come_back(built: Built, file: Path) -> None:
    again = drivable(load(file))
    assert again.law == built.law
    for a, b in zip(built.rows, again.rows, strict=True):
        assert (a.speeds, a.taken.source, a.taken.frames, a.taken.how) == (
            b.speeds,
            b.taken.source,
            b.taken.frames,
            b.taken.how,
        )
        assert (a.cycle.name, a.cycle.gait) == (b.cycle.name, b.cycle.gait)
        for name in CYCLE_NUMBERS:
            np.testing.assert_allclose(getattr(b.cycle, name), getattr(a.cycle, name), atol=1e-6)


def test_a_built_character_is_not_cut_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("it was cut or its cycles were made again")

    for name in ("drivable.cut", "rows.make_cycle", "animal_cycles.make_cycle"):
        monkeypatch.setattr(f"canter.cycles.build.{name}", fail)
    character = load(file)
    assert drivable(character).character is character
    assert drivable(character, model="auto").warnings == ()
    assert character.controller("gaits").capabilities.gaits.keys() == {"walk", "trot", "canter"}
    assert character.scaled(2.0).controller("gaits").capabilities.speed_range[1] > 4


def test_other_clips_are_cut_anew(file: Path) -> None:
    character = load(file)
    walks = drivable(replace(character, clips=(character.clip("walk"),)))
    assert [row.cycle.gait for row in walks.rows] == ["stand", "walk"]


@pytest.mark.parametrize("size", [0.5, 1.4])
def test_cycles_are_scaled_as_clips_are(size: float, built: Built) -> None:
    large, root = built.scaled(size), np.sqrt(size)
    for row, other in zip(built.rows, large.rows, strict=True):
        made = make_cycle(large.character, large.character.clip(row.taken.clip.name))
        for name in CYCLE_NUMBERS:
            np.testing.assert_allclose(getattr(other.cycle, name), getattr(made, name), atol=1e-5 * size)
        if row.speeds is not None and other.speeds is not None:
            np.testing.assert_allclose(other.speeds, root * np.array(row.speeds))


def test_a_shipped_animal_is_ready_and_keeps_its_gaits_in_a_file(tmp_path: Path) -> None:
    animal = load("dog")
    assert drivable(animal).character is animal
    save(drivable(animal), tmp_path / "dog.canter", {})
    again = load(tmp_path / "dog.canter")
    ours, theirs = (x.controller("gaits").capabilities for x in (animal, again))
    assert list(ours.gaits) == list(theirs.gaits)
    np.testing.assert_allclose(list(ours.gaits.values()), list(theirs.gaits.values()), rtol=1e-6)
    assert (ours.actions, ours.styles) == (theirs.actions, theirs.styles)
    assert (ours.side_speed, ours.back_speed) == pytest.approx((theirs.side_speed, theirs.back_speed))


def test_format_1_is_still_read(built: Built) -> None:
    assert FORMAT_1.stat().st_size < 200_000
    old = load(FORMAT_1)
    assert [clip.name for clip in old.clips] == ["stand", "walk", "trot", "canter"]
    rides = [c.controller("gaits") for c in (built.character, old)]
    for frame in range(90):
        a, b = (ride.step(Command(speed=min(frame / 30, 2.0), heading=0.01 * frame)) for ride in rides)
        np.testing.assert_allclose(a.pose.positions, b.pose.positions, atol=0.02)


def test_its_document_says_what_it_is(file: Path) -> None:
    with zipfile.ZipFile(file) as archive:
        document = json.loads(archive.read("character.json"))
    assert document["format"] == 2
    assert [row["gait"] for row in document["cycles"]] == ["stand", "walk", "trot", "canter"]
    assert document["laws"]["froude"]["b"] > 2
    assert document["provenance"] == {"canter": "test"}


def test_it_reads_as_an_asset(file: Path) -> None:
    asset = read(file)
    assert [clip.name for clip in asset.clips] == ["stand", "walk", "trot", "canter"]
    assert asset.metres_per_unit == 1.0


def test_unknown_parts_are_left_alone(file: Path, tmp_path: Path) -> None:
    path = tmp_path / "more.canter"
    path.write_bytes(file.read_bytes())
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("later/thing.bin", b"x" * 1000)
    assert load(path).clips


# Damage ------------------------------------------------------------------------------------------


def changed(file: Path, target: Path, name: str, edit: Callable[[bytes], bytes]) -> Path:
    """The file with one member edited."""
    with zipfile.ZipFile(file) as before, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as after:
        for member in before.namelist():
            content = before.read(member)
            after.writestr(member, edit(content) if member == name else content)
    return target


def edited(**changes: Any) -> Callable[[bytes], bytes]:
    return lambda data: json.dumps({**json.loads(data), **changes}).encode()


def npy(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def test_a_newer_format_names_the_remedy(file: Path, tmp_path: Path) -> None:
    path = changed(file, tmp_path / "new.canter", "character.json", edited(format=3))
    with pytest.raises(FormatError, match=r"newer.*pip install --upgrade canter"):
        load(path)


def test_a_zip_bomb_is_not_inflated(file: Path, tmp_path: Path) -> None:
    path = changed(file, tmp_path / "bomb.canter", "clips/001.positions.npy", lambda _: bytes(1 << 28))
    assert path.stat().st_size < 1 << 20
    with pytest.raises(FormatError, match="more than canter inflates"):
        load(path)


def test_too_many_members_are_refused(file: Path, tmp_path: Path) -> None:
    path = tmp_path / "many.canter"
    path.write_bytes(file.read_bytes())
    with zipfile.ZipFile(path, "a") as archive:
        for k in range(5000):
            archive.writestr(f"{k}", b"")
    with pytest.raises(FormatError, match="members"):
        load(path)


WRONG: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda data: data[:-9],
    "empty": lambda _: b"",
    "pickled": lambda _: npy(np.array([{}, {}], object)),
    "shape": lambda _: npy(np.zeros((3, 2))),
    "kind": lambda data: npy(np.load(io.BytesIO(data)).astype("S8")),
    "nan": lambda data: npy(np.load(io.BytesIO(data)) * np.float32("nan")),
    "zero": lambda data: npy(np.load(io.BytesIO(data)) * np.float32(0)),
}


@pytest.mark.parametrize("damage", WRONG)
def test_wrong_arrays_are_refused(damage: str, file: Path, tmp_path: Path) -> None:
    path = changed(file, tmp_path / "wrong.canter", "clips/001.rotations.npy", WRONG[damage])
    with pytest.raises(FormatError):
        load(path)


@pytest.mark.parametrize("damage", WRONG)
@pytest.mark.parametrize("array", ["001.rotations", "002.positions"])
def test_wrong_cycles_are_refused(damage: str, array: str, file: Path, tmp_path: Path) -> None:
    if (damage, array) == ("zero", "002.positions"):
        pytest.skip("all joints in one place are finite numbers")
    path = changed(file, tmp_path / "wrong.canter", f"cycles/{array}.npy", WRONG[damage])
    with pytest.raises(FormatError, match="cycles/"):
        load(path)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("clip", "fly"),
        ("seconds", 0),
        ("seconds", 1e9),
        ("touchdowns", [0, 0, 0, 1.5]),
        ("duty", [0.5, 0.5, 0.5]),
        ("duty", [0.0, 0.5, 0.5, 0.5]),
        ("velocity", [0, None]),
        ("sweep", [[0, 1]] * 3),
        ("speeds", [2.0, 1.0]),
    ],
)
def test_wrong_rows_of_cycles_are_refused(name: str, value: Any, file: Path, tmp_path: Path) -> None:
    def edit(data: bytes) -> bytes:
        document = json.loads(data)
        document["cycles"][1][name] = value
        return json.dumps(document).encode()

    with pytest.raises(FormatError, match=name):
        load(changed(file, tmp_path / "wrong.canter", "character.json", edit))


def test_cycles_on_another_grid_are_made_again(file: Path, tmp_path: Path) -> None:
    path = changed(file, tmp_path / "grid.canter", "character.json", edited(samples=60))
    assert [row.cycle.gait for row in drivable(load(path)).rows] == ["stand", "walk", "trot", "canter"]


ODD: list[Any] = [None, -1, 0, 1e30, 10**400, "x", [], {}, True, [[]], [-1], {"a": 1}, [None], 1.5]


def test_wrong_documents_are_refused(file: Path, tmp_path: Path) -> None:
    """Every value of the document is replaced by odd ones, some at a time."""
    rng = np.random.default_rng(5)
    with zipfile.ZipFile(file) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    path = tmp_path / "odd.canter"
    for _ in range(COUNT):
        document = json.loads(members["character.json"])
        node: Any = document
        while True:
            keys = list(node) if isinstance(node, dict) else list(range(len(node)))
            key = keys[int(rng.integers(len(keys)))]
            if not isinstance(node[key], dict | list) or not node[key] or rng.random() < 0.2:
                break
            node = node[key]
        node[key] = ODD[int(rng.integers(len(ODD)))]
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in {**members, "character.json": json.dumps(document).encode()}.items():
                archive.writestr(name, content)
        survives(path)


def test_damaged_files_are_refused(file: Path, tmp_path: Path) -> None:
    rng, data, path = np.random.default_rng(6), file.read_bytes(), tmp_path / "damaged.canter"
    for k in range(COUNT):
        broken = bytearray(data)
        for at in (
            rng.integers(0, len(data), rng.integers(1, 9)) if k % 2 else rng.integers(len(data) - 900, len(data), 3)
        ):
            broken[at] ^= 1 << int(rng.integers(8))
        path.write_bytes(bytes(broken if k % 5 else broken[: int(rng.integers(1, len(data)))]))
        survives(path)


def survives(path: Path) -> None:
    try:
        character = load(path)
    except FormatError as error:
        assert error.remedy  # noqa: PT017
    else:
        assert all(np.isfinite(clip.motion.positions).all() for clip in character.clips)


# Building ----------------------------------------------------------------------------------------


def test_files_of_one_skeleton_are_joined_whatever_the_order() -> None:
    character = load("example")
    walk, trot = (character.clip(name).motion for name in ("walk", "trot"))
    order = [*range(len(character.skeleton))]
    leaves = [j for j in order if not character.skeleton.children[j]]
    order.remove(leaves[0])
    order.append(leaves[0])
    other = reordered(trot, order)
    joined = join(
        [Asset(walk.skeleton, (walk,), source="walk.bvh"), Asset(other.skeleton, (other,), source="trot.bvh")]
    )
    assert [clip.name for clip in joined.clips] == ["walk", "trot"]
    np.testing.assert_array_equal(joined.clips[1].position_world, trot.position_world)


def reordered(motion: Motion, order: list[int]) -> Motion:
    s = motion.skeleton
    parents = [order.index(int(s.parents[j])) if s.parents[j] >= 0 else -1 for j in order]
    names = [s.names[j] for j in order]
    skeleton = Skeleton.make(names, parents, s.offsets[order], s.rotations[order], s.end_sites[order])
    return Motion(skeleton, motion.frame_rate, motion.positions[:, order], motion.rotations[:, order], motion.name)


def test_files_in_another_unit_are_scaled() -> None:
    walk = load("example").clip("walk").motion
    skeleton = replace(walk.skeleton, offsets=walk.skeleton.offsets * 100)
    large = Motion(skeleton, walk.frame_rate, walk.positions * 100, walk.rotations, "large")
    joined = join([Asset(walk.skeleton, (walk,), source="a.bvh"), Asset(skeleton, (large,), source="b.bvh")])
    np.testing.assert_allclose(joined.clips[1].positions, walk.positions, atol=1e-5)


def test_other_skeletons_are_refused_joint_by_joint() -> None:
    a, b = (load(name) for name in ("example", "turtle"))
    assets = [Asset(c.skeleton, (c.clips[0].motion,), source=f"{c.name}.glb") for c in (a, b)]
    with pytest.raises(ValueError, match=r"turtle\.glb has another skeleton than example\.glb: only example\.glb has"):
        join(assets)


def test_one_gait_is_enough_and_missing_ones_are_made() -> None:
    from canter.animals.animal import dog

    example = load("example")
    one = replace(example, clips=(example.clip("walk"),))
    alone = drivable(one)
    assert [row.cycle.gait for row in alone.rows] == ["stand", "walk"]
    assert alone.law[1] == FROUDE_POWER
    model = dog()
    model = replace(model, rows=tuple(row for row in model.rows if row.name in ("walk", "trot")))
    filled = drivable(one, model=model)
    assert [row.cycle.gait for row in filled.rows] == ["stand", "walk", "trot"]
    assert filled.rows[1].taken.source == "walk"


def test_no_gait_is_said_so() -> None:
    turtle = load("turtle")
    with pytest.raises(ValueError, match="no stride of a gait was found"):
        drivable(replace(turtle, clips=(turtle.clip("stand"),)))


@pytest.mark.parametrize(("size", "model"), [(1.0, "dog"), (3.0, "horse")])
def test_a_rig_without_gaits_gets_those_of_an_animal_of_its_size(size: float, model: str) -> None:
    example = load("example").scaled(size)
    bare = replace(example, clips=())
    with pytest.raises(ValueError, match="no stride of a gait was found"):
        drivable(bare)
    built = drivable(bare, model="auto")
    assert f"its gaits are made like those of the {model}" in built.warnings[0]
    assert {"stand", "walk", "trot", "gallop"} <= {row.cycle.gait for row in built.rows}
    assert drivable(example, model="auto").warnings == ()


def test_the_stride_law_is_found_again() -> None:
    lengths = np.array([0.6, 1.1, 2.4])
    speeds = np.sqrt(9.81 * 0.5 * 0.8 * (lengths / 0.5) ** 2.9)
    a, b = fit_stride_law(speeds.tolist(), lengths.tolist(), 0.5)
    assert (a, b) == pytest.approx((0.8, 2.9))
    assert fit_stride_law([1.0], [0.7], 0.5)[1] == FROUDE_POWER
    assert fit_stride_law([1.0, 1.1], [0.7, 2.0], 0.5)[1] == FROUDE_POWER
