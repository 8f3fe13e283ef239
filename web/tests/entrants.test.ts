// Entrants of metagames, and the addresses of their games.
import { expect, test } from "vitest";
import { gameOf, parts } from "../src/lib/entrants";

test("an entrant is a deck and its agent, or an agent alone", () => {
  expect(parts("Zoo (ladder 1)/default")).toEqual({ player: "Zoo (ladder 1)", pilot: "default" });
  expect(parts("planner")).toEqual({ player: "planner", pilot: "" });
});

test("the address of a game names decks, agents and the edition apart", () => {
  expect(gameOf("hearthstone", "A/fast", "B", "classic-2014")).toBe(
    "/games?game=hearthstone&first=A&second=B&first_pilot=fast&edition=classic-2014",
  );
});
