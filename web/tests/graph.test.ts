// A graph of cards laid out by springs.
import { expect, test } from "vitest";
import { layout } from "../src/lib/graph";

const LINKS = [
  { first: 0, second: 1, weight: 5 },
  { first: 2, second: 3, weight: 5 },
];

test("places are the same every time, and inside the picture", () => {
  const points = layout(6, LINKS);
  expect(layout(6, LINKS)).toEqual(points);
  for (const { x, y } of points) for (const value of [x, y]) expect(value >= 0 && value <= 1).toBe(true);
});

test("linked cards are nearer to each other than others", () => {
  const points = layout(6, LINKS);
  const gap = (one: number, other: number): number =>
    Math.hypot(points[one]!.x - points[other]!.x, points[one]!.y - points[other]!.y);
  expect(gap(0, 1)).toBeLessThan(gap(0, 4));
  expect(gap(2, 3)).toBeLessThan(gap(3, 5));
});

test("no card, no place", () => {
  expect(layout(0, [])).toEqual([]);
});
