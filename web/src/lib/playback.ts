// Walking through a game: turns, steps, what a viewer may read, and who is winning. Pure functions over frames.
import type { Shapes } from "./api";

export type Frame = Shapes["FrameShape"];

export const SEATS = ["first", "second"] as const;
export const SPEEDS = [0.5, 1, 2, 4] as const;
const STEP_SECONDS = 1.2;

export interface Turn {
  /** The first frame of the turn. */
  at: number;
  turn: number;
  seat: number | null;
  /** Whether this is the draft or the mulligan. */
  opening: boolean;
}

/** The beginnings of turns: wherever the turn or, after the opening, the player changes. */
export function turnsOf(frames: readonly Frame[]): Turn[] {
  const found: Turn[] = [];
  for (const [at, frame] of frames.entries()) {
    const last = found.at(-1);
    const opening = frame.turn === 0;
    const same = last && last.turn === frame.turn && (opening || frame.seat === null || last.seat === frame.seat);
    if (!same) found.push({ at, turn: frame.turn, seat: opening ? null : frame.seat, opening });
  }
  return found;
}

/** The turn that a frame is in. */
export function turnAt(turns: readonly Turn[], at: number): number {
  const found = turns.findLastIndex((turn) => turn.at <= at);
  return Math.max(0, found);
}

/** A frame that exists. */
export function within(at: number, frames: number): number {
  return Math.max(0, Math.min(frames - 1, Math.round(Number.isFinite(at) ? at : 0)));
}

/** The first frame of the next turn, or of this one or the one before it. */
export function turnStep(turns: readonly Turn[], at: number, direction: 1 | -1, frames: number): number {
  const now = turnAt(turns, at);
  if (direction === 1) return turns[now + 1]?.at ?? frames - 1;
  const start = turns[now]?.at ?? 0;
  return start < at ? start : (turns[now - 1]?.at ?? 0);
}

/** The milliseconds between two frames at a speed. */
export function pause(speed: number): number {
  return (1000 * STEP_SECONDS) / speed;
}

/** What is done in a frame, for a viewer; null sees everything. */
export function wordsFor(frame: Frame, viewer: number | null): string {
  return viewer === null ? frame.words : (frame.seen[viewer] ?? frame.words);
}

/** Whether a viewer may read what the player of a frame considered. */
export function mayRead(frame: Frame, viewer: number | null): boolean {
  return viewer === null || frame.seat === null || frame.seat === viewer;
}

/** The last decision up to a frame whose lines are known: an action may continue a plan that was made before. */
export function decisionAt(frames: readonly Frame[], at: number): number | null {
  const now = frames[at];
  if (!now || now.seat === null) return null;
  for (let number = at; number >= 0; number -= 1) {
    const frame = frames[number];
    if (!frame || frame.seat !== now.seat || frame.turn !== now.turn) return null;
    if (frame.lines.length) return number;
  }
  return null;
}

/** How a player stands: the chance to win, from 0 to 1, and null where no pilot says. */
export function chancesOf(frames: readonly Frame[], viewer: number): (number | null)[] {
  return frames.map(({ chance }) => (chance === null ? null : viewer === 0 ? chance : 1 - chance));
}

interface Side {
  health?: number;
  armor?: number;
}

/** How far a player's health, with armour, is ahead in each frame; null in a draft. */
export function leadsOf(frames: readonly Frame[], viewer: number): (number | null)[] {
  return frames.map(({ state }) => {
    const sides = state["sides"] as Side[] | undefined;
    if (!sides) return null;
    const [own, other] = [sides[viewer], sides[1 - viewer]].map((side) => (side?.health ?? 0) + (side?.armor ?? 0));
    return (own ?? 0) - (other ?? 0);
  });
}

/** Whether players can have armour in this game. */
export function hasArmour(frames: readonly Frame[]): boolean {
  return frames.some(({ state }) => ((state["sides"] ?? []) as Side[]).some((side) => side.armor !== undefined));
}

/** Values with the last known one in each gap. */
export function carried(values: readonly (number | null)[]): (number | null)[] {
  let last: number | null = null;
  return values.map((value) => (last = value ?? last));
}

/** The steps of a line over frames as an SVG path; gaps where a value is not known. */
export function stepPath(
  values: readonly (number | null)[],
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  const parts: string[] = [];
  let open = false;
  for (const [at, value] of values.entries()) {
    if (value === null) {
      open = false;
      continue;
    }
    parts.push(
      open ? `V${round(y(value))}H${round(x(at + 1))}` : `M${round(x(at))},${round(y(value))}H${round(x(at + 1))}`,
    );
    open = true;
  }
  return parts.join("");
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
