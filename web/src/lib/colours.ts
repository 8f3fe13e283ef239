// Colours of numbers: two perceptual ramps (magma, and cividis for any colour vision), and one around zero for differences.

export type Palette = "magma" | "cividis" | "difference";
export const STEPS = 256;

const STOPS: Record<Palette, string[]> = {
  magma: ["#000004", "#180f3e", "#451077", "#721f81", "#9f2f7f", "#cd4071", "#f1605d", "#fd9567", "#feca8d", "#fcfdbf"],
  cividis: [
    "#00224e",
    "#123570",
    "#3b496c",
    "#575d6d",
    "#707173",
    "#8a8678",
    "#a59c74",
    "#c3b369",
    "#e1cc55",
    "#fee838",
  ],
  // As everywhere, blue is more and orange is less.
  difference: ["#8a3d00", "#dc7b1f", "#efb274", "#cfcfca", "#93bbe6", "#3a78c9", "#0b3c8c"],
};

/** A palette as colours from its first to its last, `STEPS` of them. */
export function ramp(palette: Palette): string[] {
  const stops = STOPS[palette].map(parts);
  return Array.from({ length: STEPS }, (_, step) => {
    const place = (step / (STEPS - 1)) * (stops.length - 1);
    const before = Math.min(Math.floor(place), stops.length - 2);
    const mixed = [0, 1, 2].map((at) => {
      const one = stops[before]?.[at] ?? 0;
      const other = stops[before + 1]?.[at] ?? 0;
      return Math.round(one + (other - one) * (place - before));
    });
    return `rgb(${mixed.join(",")})`;
  });
}

function parts(colour: string): number[] {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}

export interface Scale {
  low: number;
  high: number;
}

/** The scale from the least to the greatest finite value; around zero for differences. */
export function scaleOf(values: ArrayLike<number>, aroundZero = false): Scale {
  let low = Infinity;
  let high = -Infinity;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? NaN;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return { low: 0, high: 1 };
  if (aroundZero) {
    const end = Math.max(Math.abs(low), Math.abs(high)) || 1;
    return { low: -end, high: end };
  }
  return high > low ? { low, high } : { low, high: low + 1 };
}

/** The step of a value in a ramp. */
export function stepOf(value: number, scale: Scale): number {
  const share = (value - scale.low) / (scale.high - scale.low);
  return Math.max(0, Math.min(STEPS - 1, Math.round(share * (STEPS - 1))));
}

// A computed colour: its space, its three numbers, and its opacity unless that is 1.
const COMPUTED = /^(oklab\(|color\(srgb )([^/)]+)(?:\/([^)]+))?\)$/;

/** A computed colour as `rgb(…)`, which all readers of SVG know: browsers keep the space in which colours are mixed. */
export function inRgb(colour: string): string {
  const [, space, numbers = "", opacity] = COMPUTED.exec(colour) ?? [];
  if (!space) return colour;
  const values = numbers.trim().split(/\s+/).map(Number);
  const shares = space === "oklab(" ? ofOklab(values) : values;
  const mixed = shares.map((share) => Math.round(255 * Math.max(0, Math.min(1, share)))).join(", ");
  return opacity === undefined ? `rgb(${mixed})` : `rgba(${mixed}, ${Number(opacity)})`;
}

/** The shares of red, green and blue of a colour in Oklab, by the matrices of its definition; some are outside of 0 to 1. */
function ofOklab([light = 0, a = 0, b = 0]: number[]): number[] {
  const [l, m, s] = [
    (light + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (light - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (light - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ];
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((linear) => (linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055));
}
