// Paints a map on a canvas: cells in the colours of their numbers, outlines, boundaries with their values, a colour bar.
import { STEPS, stepOf, type Scale } from "./colours";
import { number } from "./format";

export interface Ink {
  ink: string;
  soft: string;
  line: string;
  empty: string;
  ground: string;
  accent: string;
}

export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Drawing {
  frame: Frame;
  /** Where boundaries are, from the left and from the bottom of the frame. */
  x: readonly number[];
  y: readonly number[];
  edges: { x: readonly (number | null)[]; y: readonly (number | null)[] };
  titles: { x: string; y: string; value: string };
  values: Float64Array;
  scale: Scale;
  colours: readonly string[];
  reachable: { x: readonly boolean[]; y: readonly boolean[] };
  /** Cells that are outlined. */
  marked: Uint8Array | null;
  /** Whether the axes and the colour bar are left out. */
  bare: boolean;
  /** How the numbers of the colour bar are written. */
  format: (value: number) => string;
}

type Context = CanvasRenderingContext2D;

/** The rectangle of a cell, in pixels of the page. */
export function rectangle(drawing: Pick<Drawing, "frame" | "x" | "y">, cell: { x: number; y: number }): Frame {
  const { frame, x, y } = drawing;
  const left = frame.left + (x[cell.x] ?? 0);
  const bottom = frame.top + frame.height - (y[cell.y] ?? 0);
  const top = frame.top + frame.height - (y[cell.y + 1] ?? 0);
  return { left, top, width: frame.left + (x[cell.x + 1] ?? 0) - left, height: bottom - top };
}

export function paint(context: Context, drawing: Drawing, ink: Ink): void {
  const { frame } = drawing;
  context.fillStyle = ink.ground;
  context.fillRect(0, 0, context.canvas.width, context.canvas.height);
  paintCells(context, drawing, ink);
  if (drawing.marked) outline(context, drawing, drawing.marked, ink);
  context.strokeStyle = ink.line;
  context.lineWidth = 1;
  context.strokeRect(frame.left - 0.5, frame.top - 0.5, frame.width + 1, frame.height + 1);
  if (drawing.bare) return;
  context.font = "12px system-ui, sans-serif";
  paintAxes(context, drawing, ink);
  paintBar(context, drawing, ink);
}

/** Cells by colour, so that the canvas changes its colour 256 times at most. */
function paintCells(context: Context, drawing: Drawing, ink: Ink): void {
  const rows = drawing.y.length - 1;
  const columns = drawing.x.length - 1;
  const steps: number[][] = [];
  const empty: number[] = [];
  for (let cell = 0; cell < columns * rows; cell++) {
    const value = drawing.values[cell] ?? NaN;
    if (!Number.isNaN(value)) (steps[stepOf(value, drawing.scale)] ??= []).push(cell);
    else if (drawing.reachable.x[Math.floor(cell / rows)] && drawing.reachable.y[cell % rows]) empty.push(cell);
  }
  const gap = Math.min(drawing.frame.width / columns, drawing.frame.height / rows) > 9 ? 1 : 0;
  const fill = (cells: number[], colour: string): void => {
    context.fillStyle = colour;
    for (const cell of cells) {
      const { left, top, width, height } = rectangle(drawing, { x: Math.floor(cell / rows), y: cell % rows });
      if (width > 0 && height > 0) context.fillRect(left, top, Math.max(width - gap, 0.5), Math.max(height - gap, 0.5));
    }
  };
  fill(empty, ink.empty);
  for (let at = 0; at < STEPS; at++) {
    const cells = steps[at];
    if (cells) fill(cells, drawing.colours[at] ?? ink.ink);
  }
}

/** A line in the colour of the page with one in the colour of its text inside it: one of them shows on every colour. */
function outline(context: Context, drawing: Drawing, marked: Uint8Array, ink: Ink): void {
  const rows = drawing.y.length - 1;
  for (let cell = 0; cell < marked.length; cell++) {
    if (!marked[cell]) continue;
    const { left, top, width, height } = rectangle(drawing, { x: Math.floor(cell / rows), y: cell % rows });
    const wide = Math.max(1, Math.min(3, Math.min(width, height) / 8));
    context.lineWidth = wide;
    for (const [inset, colour] of [
      [wide / 2, ink.ground],
      [1.5 * wide, ink.ink],
    ] as const) {
      context.strokeStyle = colour;
      if (width > 2 * inset && height > 2 * inset)
        context.strokeRect(left + inset, top + inset, width - 2 * inset, height - 2 * inset);
    }
  }
}

/** The places of boundaries whose numbers fit beside each other. */
export function ticks(places: readonly number[], room: number): number[] {
  const found: number[] = [];
  const last = places.length - 1;
  for (let at = 0; at <= last; at++) {
    const place = places[at] ?? 0;
    const previous = found.at(-1);
    const end = places[last] ?? 0;
    if (previous !== undefined && place - (places[previous] ?? 0) < room) continue;
    if (at !== last && end - place < room) continue;
    found.push(at);
  }
  if (found.at(-1) !== last) found.push(last);
  return found;
}

function paintAxes(context: Context, drawing: Drawing, ink: Ink): void {
  const { frame, edges, titles } = drawing;
  const bottom = frame.top + frame.height;
  context.fillStyle = ink.soft;
  context.strokeStyle = ink.line;
  context.textBaseline = "top";
  context.textAlign = "center";
  for (const at of ticks(drawing.x, 48)) {
    const place = frame.left + (drawing.x[at] ?? 0);
    context.fillText(number(edges.x[at], 3), place, bottom + 6);
    line(context, place, bottom, place, bottom + 4);
  }
  context.fillStyle = ink.ink;
  context.fillText(titles.x, frame.left + frame.width / 2, bottom + 24);
  if (!titles.y) return;
  context.fillStyle = ink.soft;
  context.textBaseline = "middle";
  context.textAlign = "right";
  for (const at of ticks(drawing.y, 20)) {
    const place = bottom - (drawing.y[at] ?? 0);
    context.fillText(number(edges.y[at], 3), frame.left - 7, place);
    line(context, frame.left - 4, place, frame.left, place);
  }
  context.save();
  context.translate(12, frame.top + frame.height / 2);
  context.rotate(-Math.PI / 2);
  context.textAlign = "center";
  context.fillStyle = ink.ink;
  context.fillText(titles.y, 0, 0);
  context.restore();
}

function paintBar(context: Context, drawing: Drawing, ink: Ink): void {
  const { frame, scale } = drawing;
  const left = frame.left + frame.width + 14;
  const width = 12;
  for (let step = 0; step < STEPS; step++) {
    context.fillStyle = drawing.colours[step] ?? ink.ink;
    const top = frame.top + frame.height * (1 - (step + 1) / STEPS);
    context.fillRect(left, top, width, frame.height / STEPS + 1);
  }
  context.strokeStyle = ink.line;
  context.strokeRect(left - 0.5, frame.top - 0.5, width + 1, frame.height + 1);
  context.fillStyle = ink.soft;
  context.textAlign = "left";
  context.textBaseline = "middle";
  for (const share of [0, 0.5, 1]) {
    const value = scale.low + share * (scale.high - scale.low);
    const place = frame.top + frame.height * (1 - share);
    context.fillText(
      drawing.format(value),
      left + width + 5,
      Math.min(Math.max(place, frame.top + 6), frame.top + frame.height - 6),
    );
  }
}

function line(context: Context, x0: number, y0: number, x1: number, y1: number): void {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}
