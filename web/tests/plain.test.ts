// Characters that nobody sees are shown as text.
import { expect, test } from "vitest";
import { plain, plainJson } from "../src/lib/plain";

test("controls and marks of direction become visible", () => {
  expect(plain("a\u001b[31m\u202eb\u0000\u200d")).toBe("a\\u001b[31m\\u202eb\\u0000\\u200d");
  expect(plain("\u{e0041}")).toBe("\\ue0041");
});

test("lines, tabs, letters of all writings and markup stay", () => {
  const text = '<b>Größe</b>\n\tשלום 漢字 ½ & "quoted"';
  expect(plain(text)).toBe(text);
});

test("texts and names anywhere in JSON are plain", () => {
  const json = JSON.stringify({ "a\u202e": ["\u001b", { b: "\u2066" }, 1, null, true] });
  expect(JSON.parse(plainJson(json))).toEqual({ "a\\u202e": ["\\u001b", { b: "\\u2066" }, 1, null, true] });
  expect(JSON.parse(plainJson('{"a": ["x\\n", "\\\\u001b"]}'))).toEqual({ a: ["x\n", "\\u001b"] });
});
