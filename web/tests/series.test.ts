// Lines of charts as data.
import { expect, test } from "vitest";
import { curveTable, labelsOf, seriesOf, sparkPath } from "../src/lib/series";

test("a table of curves has a row for each place, and ends where there is a band", () => {
  const one = seriesOf("a", [1, 2], [5, null]);
  const other = seriesOf("b", [2, 3], [7, 8], { low: [6, 7], high: [8, 9] });
  expect(curveTable("games", [one, other])).toEqual({
    columns: ["games", "a", "b", "b low", "b high"],
    rows: [
      [1, 5, null, null, null],
      [2, null, 7, 6, 8],
      [3, null, 8, 7, 9],
    ],
  });
});

test("places that are unknown are left out", () => {
  expect(seriesOf("a", [1, null], [5, 6]).points).toEqual([{ at: 1, value: 5 }]);
});

test("a sparkline goes from the left to the right, the greatest on top", () => {
  expect(sparkPath([0, 2, 1], 10, 10)).toBe("M1.0,9.0L5.0,1.0L9.0,5.0");
  expect(sparkPath([1], 10, 10)).toBe("");
});

test("names at the ends of lines do not hide each other", () => {
  const lines = [10, 10, 0].map((end, at) => seriesOf(`line ${at}`, [0, 1], [0, end]));
  expect(labelsOf(lines, 100, false).map((label) => label.shift)).toEqual([0, 13, 0]);
  expect(labelsOf([seriesOf("a name of more than twenty letters", [1], [1])], 100, false)[0]?.text).toHaveLength(20);
});
