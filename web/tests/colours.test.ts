// Colours for files: what readers of SVG know.
import { expect, test } from "vitest";
import { inRgb } from "../src/lib/colours";

test("colours that were mixed in Oklab become red, green and blue", () => {
  expect(inRgb("oklab(1 0 0)")).toBe("rgb(255, 255, 255)");
  expect(inRgb("oklab(0.627955 0.224863 0.125846)")).toBe("rgb(255, 0, 0)");
  expect(inRgb("oklab(0.519752 -0.140302 0.107676)")).toBe("rgb(0, 128, 0)");
  expect(inRgb("oklab(0.452014 -0.032457 -0.311528 / 0.5)")).toBe("rgba(0, 0, 255, 0.5)");
});

test("other colours keep their red, green and blue", () => {
  expect(inRgb("color(srgb 1 0.4 0)")).toBe("rgb(255, 102, 0)");
  expect(inRgb("color(srgb 0 0 0 / 0.25)")).toBe("rgba(0, 0, 0, 0.25)");
  for (const known of ["rgb(1, 2, 3)", "rgba(1, 2, 3, 0.5)", "none", 'url("#shade")', "2px"])
    expect(inRgb(known)).toBe(known);
});
