import { describe, expect, it } from "vitest";
import { happened } from "./happened";

describe("happened", () => {
  it("says what was done with how many clips", () => {
    expect(happened(2, {}, 180)).toBe("your two clips are read facing the other way");
    expect(happened(1, {}, 270)).toBe("your clip is read turned by 90° to the right");
    expect(happened(30, { LF: "hoof" }, 90)).toBe("your 30 clips are read turned by 90° to the left, with hoof as the left fore foot");
    expect(happened(1, {}, 0)).toBe("your clip is read again");
  });
});
