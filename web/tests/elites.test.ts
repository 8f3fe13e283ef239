// Maps as data: who is in a cell when, where cells are, and how to walk them.
import { expect, test } from "vitest";
import { ramp, scaleOf, stepOf } from "../src/lib/colours";
import {
  bestCell,
  boxOf,
  copiesOf,
  deckOf,
  elitesAt,
  indexAt,
  places,
  step,
  valuesOf,
  wholeNumbers,
  type MapData,
} from "../src/lib/elites";
import { duration, lift } from "../src/lib/format";
import { ticks } from "../src/lib/paint";

const rates = { value: [1, 2, 3], low: [0, 1, 2], high: [2, 3, 4], is_share: false };
const map: MapData = {
  name: "small",
  objective: "score",
  objective_title: "score",
  measures: ["a", "b"],
  columns: [],
  x: { name: "a", title: "a", edges: [0, 1, 1, 4], reachable: [true, false, true] },
  y: { name: "b", title: "b", edges: [0, 1, 2], reachable: [true, true] },
  evaluations: 9,
  cards: [
    { id: "f", name: "Fireball", cost: 4 },
    { id: "w", name: "Wisp", cost: 0 },
  ],
  filling: {
    number: [0, 3, 8],
    cell: [0, 5, 0],
    found: [1, 4, 9],
    games: [10, 10, 20],
    objective: rates,
    win_rate: null,
    decks: [
      [0, 2, 1, 1],
      [1, 2],
      [0, 1],
    ],
  },
  code: { command: "", python: "" },
};

test("a cell has its last improvement before a moment", () => {
  expect([...elitesAt(map, 3)]).toEqual([0, -1, -1, -1, -1, -1]);
  expect([...elitesAt(map, 8)]).toEqual([0, -1, -1, -1, -1, 1]);
  expect([...elitesAt(map, Infinity)]).toEqual([2, -1, -1, -1, -1, 1]);
});

test("colours show the objective, the age, or copies of a card", () => {
  const now = elitesAt(map, Infinity);
  expect([...valuesOf(map, now, "objective", -1)].filter((each) => !Number.isNaN(each))).toEqual([3, 2]);
  expect(valuesOf(map, now, "age", -1)[5]).toBe(4);
  expect(valuesOf(map, now, "copies", 0)[0]).toBe(1);
  expect(copiesOf(map.filling.decks[1], 0)).toBe(0);
});

test("a deck is sorted by cost", () => {
  expect(deckOf(map, 0).map((card) => `${card.copies} ${card.name}`)).toEqual(["1 Wisp", "2 Fireball"]);
});

test("boundaries are even, or true to their values", () => {
  expect(places([0, 1, 1, 4], true, 300)).toEqual([0, 100, 200, 300]);
  expect(places([0, 1, 1, 4], false, 400)).toEqual([0, 100, 100, 400]);
  expect(places([0, null, 4], false, 100)).toEqual([0, 50, 100]);
});

test("a place belongs to the cell around it, and outside to the nearest with room", () => {
  expect([-5, 0, 99, 100, 399, 999].map((place) => indexAt([0, 100, 100, 400], place))).toEqual([0, 0, 0, 2, 2, 2]);
  expect(indexAt([0, 100, 400, 400], 999)).toBe(1);
});

test("walking leaves out cells that nothing can be in, and ends at the border", () => {
  expect(step(map, { x: 0, y: 0 }, 1, 0)).toEqual({ x: 2, y: 0 });
  expect(step(map, { x: 2, y: 1 }, 1, 0)).toEqual({ x: 2, y: 1 });
  expect(step(map, { x: 2, y: 1 }, 0, -1)).toEqual({ x: 2, y: 0 });
});

test("the best cell is the one with the greatest value", () => {
  expect(bestCell(Float64Array.from([NaN, 1, 5, 2]), 2)).toEqual({ x: 1, y: 0 });
  expect(bestCell(Float64Array.from([NaN]), 1)).toBeNull();
});

test("a box has both corners, whichever came first", () => {
  expect(boxOf({ x: 3, y: 1 }, { x: 1, y: 2 })).toEqual({ left: 1, right: 3, bottom: 1, top: 2 });
});

test("addresses that are no cells are ignored", () => {
  expect(wholeNumbers("12,4", 2, 100)).toEqual([12, 4]);
  for (const wrong of ["", "12", "a,b", "1,-2", "1,2,3", "400,1"]) expect(wholeNumbers(wrong, 2, 100)).toBeNull();
});

test("ramps go from their first to their last colour, and scales around zero are even", () => {
  const magma = ramp("magma");
  expect([magma[0], magma[255]]).toEqual(["rgb(0,0,4)", "rgb(252,253,191)"]);
  expect(scaleOf([NaN, -1, 3], true)).toEqual({ low: -3, high: 3 });
  expect([-3, 0, 3].map((value) => stepOf(value, { low: -3, high: 3 }))).toEqual([0, 128, 255]);
  expect(scaleOf([NaN])).toEqual({ low: 0, high: 1 });
});

test("ticks keep their distance, with the last one always there", () => {
  expect(ticks([0, 10, 20, 30, 100], 25)).toEqual([0, 3, 4]);
});

test("lifts and durations are short", () => {
  expect([lift(1.234), lift(1234567), lift(null)]).toEqual(["1.23", "1.2·10^6", "–"]);
  expect([duration(0), duration(59.6), duration(3700), duration(90000)]).toEqual([
    "0 s",
    "1 min",
    "1 h 1 min",
    "1 d 1 h",
  ]);
});
