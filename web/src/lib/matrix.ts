// Matrices of rates: how strongly a cell is coloured, and how arrows walk from cell to cell.

export type Side = "above" | "below" | "none";

/** The difference of two rates with the full colour, in maps and matrices alike. */
export const FULL_DIFFERENCE = 0.25;

/** Which side of the middle a value is on, and how far, from 0 to 1; `full` is the distance with the full colour. */
export function strength(value: number | null, middle: number, full: number): { side: Side; share: number } {
  if (value === null || !Number.isFinite(value)) return { side: "none", share: 0 };
  const away = value - middle;
  return { side: away >= 0 ? "above" : "below", share: Math.min(1, Math.abs(away) / full) };
}

const STEPS: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** The cell that a key leads to from another; null if the key is none of ours. */
export function walked(key: string, cell: [number, number] | null, size: number): [number, number] | null {
  const step = STEPS[key];
  if (!step || !size) return null;
  if (!cell) return [0, Math.min(1, size - 1)];
  const within = (value: number): number => Math.max(0, Math.min(size - 1, value));
  return [within(cell[0] + step[0]), within(cell[1] + step[1])];
}

/** The same on a map of so many cells across and up, whose cells are numbered up each column. */
export function walkedOnMap(key: string, cell: number | null, [across, up]: [number, number]): number | null {
  const step = STEPS[key];
  if (!step) return null;
  if (cell === null) return 0;
  const x = Math.max(0, Math.min(across - 1, Math.floor(cell / up) + step[1]));
  const y = Math.max(0, Math.min(up - 1, (cell % up) - step[0]));
  return x * up + y;
}

const HATCH = 6; // pixels from line to line

/** Lines through a rectangle as a path; those of rectangles beside each other go on. */
export function hatching(left: number, top: number, width: number, height: number): string {
  const [right, bottom] = [left + width, top + height];
  let path = "";
  for (let sum = HATCH * Math.ceil((left + top) / HATCH); sum < right + bottom; sum += HATCH) {
    const from = Math.max(left, sum - bottom);
    const to = Math.min(right, sum - top);
    path += `M${from.toFixed(1)} ${(sum - from).toFixed(1)}L${to.toFixed(1)} ${(sum - to).toFixed(1)}`;
  }
  return path;
}

/** The numbers of rows from the highest mean to the lowest. */
export function byStrength(rates: readonly (readonly (number | null)[])[], shares?: readonly number[]): number[] {
  const mean = rates.map((row, at) => {
    let sum = 0;
    let weight = 0;
    row.forEach((value, other) => {
      const own = shares?.[other] ?? 1;
      if (other === at || value === null) return;
      sum += own * value;
      weight += own;
    });
    return weight ? sum / weight : 0;
  });
  return mean.map((_, at) => at).sort((a, b) => (mean[b] ?? 0) - (mean[a] ?? 0) || a - b);
}
