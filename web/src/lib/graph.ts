// A graph of cards laid out by springs: the same cards always come to the same places.

export interface Link {
  first: number;
  second: number;
  weight: number;
}

export interface Point {
  x: number;
  y: number;
}

const STEPS = 260;

/** Places between 0 and 1 for nodes: links pull, all nodes push each other apart, and nothing is random. */
export function layout(nodes: number, links: readonly Link[]): Point[] {
  if (nodes === 0) return [];
  // A spiral to begin with, so that the first nodes, the most used cards, begin in the middle.
  const points = Array.from({ length: nodes }, (_, at) => {
    const [angle, radius] = [at * 2.399963, 0.5 * Math.sqrt((at + 0.5) / nodes)];
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
  });
  const ideal = 0.9 / Math.sqrt(nodes);
  // Cards with many links would be pulled into one heap, so a link pulls less the more links its ends have.
  const degrees = Array<number>(nodes).fill(0);
  for (const { first, second } of links) {
    degrees[first]! += 1;
    degrees[second]! += 1;
  }
  const most = Math.max(1e-9, ...links.map((link) => link.weight));
  for (let step = 0; step < STEPS; step += 1) {
    const heat = 0.06 * (1 - step / STEPS);
    const push = points.map(() => ({ x: 0, y: 0 }));
    for (let one = 0; one < nodes; one += 1) {
      for (let other = one + 1; other < nodes; other += 1)
        move(points, push, one, other, (gap) => (ideal * ideal) / gap);
      const at = points[one]!;
      push[one]!.x -= 1.2 * ideal * at.x;
      push[one]!.y -= 1.2 * ideal * at.y;
    }
    for (const { first, second, weight } of links)
      move(points, push, first, second, (gap) => {
        const shared = Math.sqrt(degrees[first]! * degrees[second]!);
        return ((-(gap * gap) / ideal) * (0.4 + (1.6 * weight) / most)) / shared;
      });
    for (const [at, point] of points.entries()) {
      const { x, y } = push[at]!;
      const size = Math.hypot(x, y) || 1;
      const length = Math.min(size, heat);
      point.x += (x / size) * length;
      point.y += (y / size) * length;
    }
  }
  return fitted(points);
}

function move(points: Point[], push: Point[], one: number, other: number, force: (gap: number) => number): void {
  const [from, to] = [points[one]!, points[other]!];
  const [x, y] = [from.x - to.x, from.y - to.y];
  const gap = Math.max(1e-4, Math.hypot(x, y));
  const size = force(gap) / gap;
  push[one]!.x += x * size;
  push[one]!.y += y * size;
  push[other]!.x -= x * size;
  push[other]!.y -= y * size;
}

function fitted(points: Point[]): Point[] {
  const [xs, ys] = [points.map((point) => point.x), points.map((point) => point.y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const within = (value: number, low: number, high: number): number =>
    high > low ? (value - low) / (high - low) : 0.5;
  return points.map(({ x, y }) => ({ x: within(x, left, right), y: within(y, top, bottom) }));
}
