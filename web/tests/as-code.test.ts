// Command and Python lines with what is chosen on a page.
import { expect, test } from "vitest";
import { withChoices } from "../src/lib/as-code";

const code = { command: "deckatlas plot a.db -o map.png", python: 'plot_map(deckatlas.open_run("a.db"), "map.png")' };

test("choices are options of the command and arguments of the call", () => {
  expect(withChoices(code, { what: "cells", colour: "EX1_538" })).toEqual({
    command: "deckatlas plot a.db -o map.png --what cells --colour EX1_538",
    python: 'plot_map(deckatlas.open_run("a.db"), "map.png", what="cells", colour="EX1_538")',
  });
});

test("numbers stay numbers", () => {
  const { command, python } = withChoices(code, { at: 20 });
  expect(command).toBe("deckatlas plot a.db -o map.png --at 20");
  expect(python).toBe('plot_map(deckatlas.open_run("a.db"), "map.png", at=20)');
});

test("what is not chosen is left out", () => {
  expect(withChoices(code, { what: "", colour: "" })).toEqual(code);
});

test("where there is no command, there is none with choices", () => {
  const { command, python } = withChoices({ ...code, command: "" }, { seat: "second" });
  expect(command).toBe("");
  expect(python).toBe('plot_map(deckatlas.open_run("a.db"), "map.png", seat="second")');
});

test("a shell takes what is chosen as one word", () => {
  const { command, python } = withChoices(code, { colour: `it's; "$(here)"` });
  expect(command).toBe(`deckatlas plot a.db -o map.png --colour 'it'"'"'s; "$(here)"'`);
  expect(python).toBe(`plot_map(deckatlas.open_run("a.db"), "map.png", colour="it's; \\"$(here)\\"")`);
});
