// Decks as numbers.
import { expect, test } from "vitest";
import { curveOf, typesOf } from "../src/lib/deck";

const CARDS = [
  { cost: 1, type: "spell", copies: 2 },
  { cost: 9, type: "minion", copies: 1 },
  { cost: 7, type: "minion", copies: 2 },
];

test("the curve counts copies, and 7 and more together", () => {
  expect(curveOf(CARDS).map(({ cards }) => cards)).toEqual([0, 2, 0, 0, 0, 0, 0, 3]);
  expect(curveOf(CARDS).at(-1)?.cost).toBe("7+");
});

test("the most common type comes first", () => {
  expect(typesOf(CARDS)).toEqual([
    ["minion", 3],
    ["spell", 2],
  ]);
});
