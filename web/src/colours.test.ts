import { describe, expect, it } from "vitest";
import { GAITS, gaitColour, inkOn, LEGS } from "./colours";
import golden from "./golden.json";

describe("colours", () => {
  it("are those of the other pictures", () => {
    expect(LEGS).toEqual(golden.colours.legs);
    expect(GAITS).toEqual(golden.colours.gaits);
    expect(gaitColour("bow", 8)).toBe(gaitColour("bow", 1));
  });

  it("have an ink that can be read", () => {
    expect([inkOn("#000000"), inkOn("#ffffff")]).toEqual(["#ffffff", "#20261f"]);
  });
});
