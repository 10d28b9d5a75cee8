import { Mesh, type Vector3 } from "three";
import { describe, expect, it } from "vitest";
import type { PropFrame } from "../wire";
import { Props } from "./props";

const ball = (x: number, radius = 0.1, rotation: PropFrame["rotation"] = [1, 0, 0, 0]): PropFrame => ({ name: 0, shape: "sphere", size: [radius, 0, 0], position: [x, 1, 0], rotation });
const places = (props: Props): number[] => props.places.map(({ place }: { place: Vector3 }) => place.x);

describe("things around an animal", () => {
  it("are added, moved between frames, and removed", () => {
    const props = new Props();
    props.update([ball(0)], [ball(0.1), ball(5)], 0.5, 1 / 60);
    expect(places(props)).toEqual([0.05, 5]);
    const [mesh] = props.group.children;
    props.update([ball(0.1), ball(5)], [ball(0.2), ball(5)], 1, 1 / 60);
    expect(props.group.children[0]).toBe(mesh);
    expect(places(props)).toEqual([0.2, 5]);
    props.update([ball(0.2), ball(5)], [ball(0.2)], 1, 1 / 60);
    expect(props.group.children.length).toBe(1);
    props.update([], [], 1, 0);
    expect(props.group.children.length).toBe(0);
  });

  it("turn the short way", () => {
    const props = new Props();
    const quarter = Math.SQRT1_2;
    props.update([ball(0)], [ball(0, 0.1, [-quarter, 0, -quarter, 0])], 0.5, 1 / 60);
    const { w, y } = (props.group.children[0] as Mesh).quaternion;
    expect(Math.abs(w)).toBeCloseTo(Math.cos(Math.PI / 8));
    expect(Math.abs(y)).toBeCloseTo(Math.sin(Math.PI / 8));
  });

  it("do not fly from the place of one that they replace", () => {
    const props = new Props();
    props.update([ball(0)], [ball(9)], 0.5, 1 / 60);
    expect(places(props)).toEqual([9]);
    props.update([ball(9)], [ball(9.1, 0.3)], 0.5, 1 / 60);
    expect(places(props)).toEqual([9.1]);
    expect(props.places[0]?.radius).toBe(0.3);
    expect(props.group.children.length).toBe(1);
  });

  it("have shapes of their size", () => {
    const props = new Props();
    const sizes = (["capsule", "cylinder"] as const).map((shape): number[] => {
      props.update([], [{ ...ball(0), shape, size: [0.1, 0.5, 0] }], 1, 0);
      const { geometry } = props.group.children[0] as Mesh;
      geometry.computeBoundingBox();
      return geometry.boundingBox?.max.toArray() ?? [];
    });
    for (const [x, y] of sizes) expect([x, y]).toEqual([expect.closeTo(0.1), expect.closeTo(0.25)]);
  });
});
