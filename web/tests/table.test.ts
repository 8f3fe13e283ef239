// Tables as data: sorting and CSV.
import { expect, test } from "vitest";
import { csv, sorted } from "../src/lib/table";

test("unknown values come last in either direction", () => {
  const rows = [[1], [null], [3]];
  expect(sorted(rows, 0, true)).toEqual([[3], [1], [null]]);
  expect(sorted(rows, 0, false)).toEqual([[1], [3], [null]]);
});

test("numbers in texts sort as numbers", () => {
  expect(sorted([["run 10"], ["run 9"]], 0, false)).toEqual([["run 9"], ["run 10"]]);
});

test("CSV quotes commas, and texts that a spreadsheet would calculate", () => {
  const table = {
    columns: ["name", "n"],
    rows: [
      ['a,"b"', 1],
      ["=1+1", null],
    ],
  };
  expect(csv(table)).toBe('name,n\n"a,""b""",1\n\'=1+1,\n');
});
