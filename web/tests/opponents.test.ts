// Opponents of a solution, which may share a deck.
import { expect, test } from "vitest";
import { keyOf, namesOf } from "../src/lib/opponents";

test("opponents with the same deck are told apart by their pilots, others by their names alone", () => {
  const random = { opponent: "Starter Mage", pilot: "random" };
  const pass = { opponent: "Starter Mage", pilot: "pass" };
  const other = { opponent: "Starter Druid", pilot: "random" };
  expect(namesOf([random, pass, other])).toEqual(
    new Map([
      [keyOf(random), "Starter Mage by random"],
      [keyOf(pass), "Starter Mage by pass"],
      [keyOf(other), "Starter Druid"],
    ]),
  );
});
