// Numbers and dates for people.
import { expect, test } from "vitest";
import { age, number, percent, rateInWords, turned } from "../src/lib/format";

test("numbers keep four significant digits, and commas from a thousand on", () => {
  expect([number(0.123456), number(12345.6), number(null), number(Infinity)]).toEqual(["0.1235", "12,346", "–", "–"]);
});

test("shares are percent", () => {
  expect(percent(0.51234)).toBe("51.2 %");
});

test("a rate has its interval and its games, from either side", () => {
  const rate = { value: 0.55, low: 0.51, high: 0.59, n: 1400, is_share: true };
  expect(rateInWords(rate)).toBe("55 % [51, 59] in 1,400 games");
  expect(rateInWords(turned(rate))).toBe("45 % [41, 49] in 1,400 games");
  expect(rateInWords(null)).toBe("not played");
});

test("an age is in the largest fitting unit", () => {
  const now = Date.parse("2020-01-02T00:00:00Z");
  expect(age("2020-01-01T23:59:59Z", now)).toBe("1 second ago");
  expect(age("2020-01-01T21:00:00Z", now)).toBe("3 hours ago");
});
