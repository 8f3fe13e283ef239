import { describe, expect, test } from "vitest";
import { byStrength, strength, walked } from "../src/lib/matrix";
import { cellOf, evidence, pText } from "../src/lib/evidence";

describe("matrices", () => {
  test("a cell is as strong as it is far from the middle, and unknown ones have no side", () => {
    expect(strength(0.75, 0.5, 0.5)).toEqual({ side: "above", share: 0.5 });
    expect(strength(-0.5, 0, 0.25)).toEqual({ side: "below", share: 1 });
    expect(strength(null, 0.5, 0.5).side).toBe("none");
  });

  test("arrows walk and stay on the matrix", () => {
    expect(walked("ArrowDown", [0, 1], 3)).toEqual([1, 1]);
    expect(walked("ArrowRight", [2, 2], 3)).toEqual([2, 2]);
    expect(walked("ArrowUp", null, 3)).toEqual([0, 1]);
    expect(walked("a", [0, 0], 3)).toBeNull();
  });

  test("rows are ordered by what they win, without their own copies and unknown pairs", () => {
    expect(
      byStrength([
        [0.5, 0.4, null],
        [0.6, 0.5, 0.9],
        [null, 0.1, 0.5],
      ]),
    ).toEqual([1, 0, 2]);
  });
});

describe("evidence", () => {
  test("a sentence leads to the part that shows its number", () => {
    const address = evidence("a b", { topic: "deck", subject: "Zoo & more", place: "" });
    expect(address).toBe("/studies/a%20b?show=decks&on=Zoo+%26+more");
    expect(evidence("s", { topic: "matchup", subject: "A", place: "B" })).toContain("against=B");
  });

  test("a cell is found by the name that questions give it", () => {
    expect(cellOf("hunter fast cell 2, 3", "hunter", "fast", [4, 5])).toBe(13);
    expect(cellOf("mage fast cell 2, 3", "hunter", "fast", [4, 5])).toBeNull();
  });

  test("p values are written as sentences write them", () => {
    expect(pText(0.00001)).toBe("below 0.0001");
    expect(pText(0.0163)).toBe("0.016");
  });
});
