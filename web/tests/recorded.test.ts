import { expect, test } from "vitest";
import { addressOf, answerOf } from "../src/lib/recorded";

test("an answer is found whatever the order of its parameters, and without those that are empty", () => {
  const address = "/api/runs/run/map?x=turns&y=mana";
  expect(addressOf("report:/api/runs/run/map?y=mana&decks=&x=turns")).toBe(address);
  expect(addressOf("report:/api/runs/run/map?x=&y=")).toBe("/api/runs/run/map");
});

test("what was recorded is answered as it is, and anything else is refused with the reason", async () => {
  const recorded = {
    answers: ['{"name":"<b>"}'],
    addresses: { "/api/a": 0, "/api/b": 0 },
    refusals: { "/api/c": "there are too many sets" },
  };
  for (const address of ["/api/a", "/api/b"]) expect(await answerOf(recorded, address).json()).toEqual({ name: "<b>" });
  const refused = answerOf(recorded, "/api/c");
  expect(refused.ok).toBe(false);
  expect(await refused.json()).toEqual({ error: "there are too many sets" });
  expect((await answerOf(recorded, "/api/d").json()).error).toContain("this report has no more about it");
});
