import { describe, expect, it } from "vitest";
import golden from "./golden.json";
import { decode, speedOf, type ActorFrame } from "./wire";

/** The frame that the server's packer made (tests/studio/golden.py). */
const bytes = (): ArrayBuffer => Uint8Array.from(atob(golden.frame.bytes), (c) => c.charCodeAt(0)).buffer;

/** Arrays as plain lists, and NaN as null, as JSON has them. */
const plain = (actor: ActorFrame): Record<string, unknown> =>
  JSON.parse(JSON.stringify(actor, (_, value: unknown) => (value instanceof Float32Array ? [...value] : value))) as Record<string, unknown>;

describe("decode", () => {
  it("reads what the server has packed", () => {
    const { actors, ...header } = decode(bytes());
    const { actors: expected, ...head } = golden.frame.decoded;
    expect(header).toEqual(head);
    expect(actors.map(plain)).toEqual(expected);
  });

  it("has NaN where a controller does not report something", () => {
    const [without, full] = decode(bytes()).actors;
    expect(without?.transition).toBeNaN();
    expect([...(without?.footholds ?? [])].every(Number.isNaN)).toBe(true);
    expect(without?.experts.length).toBe(0);
    expect(full?.transition).toBe(0.5);
    expect(full?.phases[2]).toBeNaN();
  });

  it("has the props of each actor, and none that are not sent", () => {
    const [beside, full] = decode(bytes()).actors;
    expect(beside?.props.map(({ shape }) => shape)).toEqual(["box"]);
    expect(beside?.forces.length).toBe(0);
    expect(full?.props.map(({ shape }) => shape)).toEqual(["box", "sphere", "plane"]);
    expect(full?.forces.length).toBe(12);
  });

  it("looks into the buffer instead of copying it", () => {
    const buffer = bytes();
    for (const actor of decode(buffer).actors) {
      expect(actor.positions.buffer).toBe(buffer);
      expect(actor.rotations.length / 4).toBe(actor.positions.length / 3);
    }
  });

  it("refuses what is no frame, another version, or cut off", () => {
    const foreign = bytes();
    new DataView(foreign).setUint32(0, 1, true);
    expect(() => decode(foreign)).toThrow("not a frame");
    const older = bytes();
    new DataView(older).setUint32(4, 1, true);
    expect(() => decode(older)).toThrow("another version");
    expect(() => decode(new ArrayBuffer(8))).toThrow("not a frame");
    expect(() => decode(bytes().slice(0, -4))).toThrow(RangeError);
  });
});

it("speed is that over ground", () => {
  expect(speedOf({ velocity: [3, 100, -4] } as ActorFrame)).toBe(5);
});
