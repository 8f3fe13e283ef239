// Walking through a game.
import { expect, test } from "vitest";
import {
  carried,
  chancesOf,
  decisionAt,
  hasArmour,
  leadsOf,
  mayRead,
  pause,
  stepPath,
  turnAt,
  turnsOf,
  turnStep,
  within,
  wordsFor,
  type Frame,
} from "../src/lib/playback";

const frame = (seat: number | null, turn: number, more: Partial<Frame> = {}): Frame => ({
  seat,
  turn,
  words: "all",
  seen: ["one", "other"],
  state: {},
  lines: [],
  chance: null,
  ...more,
});
const line = { words: "end the turn", chance: 0.6, rating: null };
// An opening of two, two actions of the first player, one of the second, and the end.
const FRAMES = [frame(0, 0), frame(1, 0), frame(0, 1, { lines: [line] }), frame(0, 1), frame(1, 1), frame(null, 1)];

test("a turn begins where the player changes, and the opening is one", () => {
  expect(turnsOf(FRAMES)).toEqual([
    { at: 0, turn: 0, seat: null, opening: true },
    { at: 2, turn: 1, seat: 0, opening: false },
    { at: 4, turn: 1, seat: 1, opening: false },
  ]);
});

test("steps by turns go to beginnings and stay in the game", () => {
  const turns = turnsOf(FRAMES);
  expect([turnAt(turns, 0), turnAt(turns, 3), turnAt(turns, 5)]).toEqual([0, 1, 2]);
  expect([0, 2, 4].map((at) => turnStep(turns, at, 1, FRAMES.length))).toEqual([2, 4, 5]);
  expect([5, 4, 3, 0].map((at) => turnStep(turns, at, -1, FRAMES.length))).toEqual([4, 2, 2, 0]);
  expect([within(-1, 6), within(99, 6), within(NaN, 6), within(2.4, 6)]).toEqual([0, 5, 0, 2]);
});

test("a higher speed waits less", () => {
  expect(pause(2)).toBe(pause(1) / 2);
});

test("a viewer reads only what it may", () => {
  const [first] = FRAMES as [Frame];
  expect([wordsFor(first, null), wordsFor(first, 0), wordsFor(first, 1)]).toEqual(["all", "one", "other"]);
  expect([mayRead(first, null), mayRead(first, 0), mayRead(first, 1)]).toEqual([true, true, false]);
});

test("an action that continues a plan shows the decision that began it", () => {
  expect(FRAMES.map((_, at) => decisionAt(FRAMES, at))).toEqual([null, null, 2, 2, null, null]);
});

test("chances and leads are those of the viewer", () => {
  const frames = [
    frame(0, 1, { chance: 0.75, state: { sides: [{ health: 30, armor: 2 }, { health: 20 }] } }),
    frame(1, 1),
  ];
  expect(chancesOf(frames, 0)).toEqual([0.75, null]);
  expect(chancesOf(frames, 1)).toEqual([0.25, null]);
  expect(leadsOf(frames, 0)).toEqual([12, null]);
  expect(leadsOf(frames, 1)).toEqual([-12, null]);
});

test("armour is spoken of where players can have some", () => {
  const sides = (side: object): Frame[] => [frame(0, 0), frame(0, 1, { state: { sides: [side, side] } })];
  expect(hasArmour(sides({ health: 30, armor: 0 }))).toBe(true);
  expect(hasArmour(sides({ health: 30 }))).toBe(false);
});

test("a gap is filled with the value before it", () => {
  expect(carried([null, 1, null, 2])).toEqual([null, 1, 1, 2]);
});

test("a path has a step for each known value and a gap for each unknown one", () => {
  expect(
    stepPath(
      [1, 2, null, 3],
      (at) => 10 * at,
      (value) => value,
    ),
  ).toBe("M0,1H10V2H20M30,3H40");
});
