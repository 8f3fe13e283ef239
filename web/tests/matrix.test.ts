import { describe, expect, test } from "vitest";
import { byStrength, hatching, strength, walked, walkedOnMap } from "../src/lib/matrix";
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

  test("arrows walk up and across a map and stay on it", () => {
    const shape: [number, number] = [3, 4]; // three across, four up: cell 4 is at the bottom of the second column
    expect(walkedOnMap("ArrowUp", 4, shape)).toBe(5);
    expect(walkedOnMap("ArrowDown", 4, shape)).toBe(4);
    expect(walkedOnMap("ArrowUp", 7, shape)).toBe(7);
    expect(walkedOnMap("ArrowRight", 7, shape)).toBe(11);
    expect(walkedOnMap("ArrowLeft", 3, shape)).toBe(3);
    expect(walkedOnMap("ArrowLeft", null, shape)).toBe(0);
    expect(walkedOnMap("Enter", 4, shape)).toBeNull();
  });

  test("lines of empty cells stay inside of them", () => {
    const ends = [...hatching(10, 20, 30, 12).matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [
      Number(x),
      Number(y),
    ]);
    expect(ends.length).toBeGreaterThan(8);
    for (const [x = NaN, y = NaN] of ends) {
      expect(x >= 10 && x <= 40 && y >= 20 && y <= 32).toBe(true);
      expect((x + y) % 6).toBeCloseTo(0);
    }
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
