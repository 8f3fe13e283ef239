import { expect, test } from "vitest";
import { changed, isBetter, readChanges, sign } from "../src/lib/patch";

test("a value that is the card's own is no change", () => {
  const first = changed({}, "A", "cost", 4, 6);
  expect(first).toEqual({ A: { cost: 4 } });
  expect(changed(first, "A", "cost", 6, 6)).toEqual({});
  expect(changed(first, "A", "attack", 2, 1)).toEqual({ A: { cost: 4, attack: 2 } });
  expect(changed(first, "A", "cost", null, 6)).toEqual({});
});

test("an address with something else holds no changes", () => {
  expect(readChanges("")).toEqual({});
  expect(readChanges("[1")).toEqual({});
  expect(readChanges("[1]")).toEqual({});
  expect(readChanges('{"A":{"cost":4,"x":null},"B":3}')).toEqual({ A: { cost: 4 } });
});

test("changes have a sign, and a smaller cost is better", () => {
  expect(sign(4, 6)).toBe("−2");
  expect(sign(7, 6)).toBe("+1");
  expect(sign(6, 6)).toBe("");
  expect(isBetter(4, 6, true)).toBe(true);
  expect(isBetter(4, 6, false)).toBe(false);
  expect(isBetter("taunt", "", false)).toBeNull();
});
