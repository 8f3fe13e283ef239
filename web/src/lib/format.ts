// Numbers and dates for people: the same everywhere.
import type { Rate } from "./api";

const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** The id of a run as people read it: without the hash that an id has where the run's name is not plain. */
export function readable(run: string): string {
  return run.split("~")[0] ?? run;
}

/** A text as the beginning of a sentence. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A rate in words with its interval and its games, such as "55 % [51, 59] in 400 games". */
export function rateInWords(rate: Rate | null | undefined): string {
  if (rate?.value == null) return "not played";
  const whole = (value: number | null): string => (100 * (value ?? NaN)).toFixed(0);
  const ends = rate.low === null || rate.high === null ? "" : ` [${whole(rate.low)}, ${whole(rate.high)}]`;
  return `${whole(rate.value)} %${ends} in ${count(rate.n)} games`;
}

/** A rate seen from the other side. */
export function turned(rate: Rate): Rate {
  const rest = (value: number | null): number | null => (value === null ? null : 1 - value);
  return { ...rate, value: rest(rate.value), low: rest(rate.high), high: rest(rate.low) };
}

/** A count, with commas. */
export function count(value: number): string {
  return WHOLE.format(value);
}

/** A number with up to four significant digits; a dash where it is not known. */
export function number(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 1000) return WHOLE.format(value);
  return String(Number(value.toPrecision(digits)));
}

/** A share of 1 in percent. */
export function percent(value: number | null | undefined, digits = 1): string {
  return value === null || value === undefined || !Number.isFinite(value) ? "–" : `${(100 * value).toFixed(digits)} %`;
}

/** How many times more often; very large ones as a power of ten. */
export function lift(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  return value >= 1e5 ? value.toExponential(1).replace(/e\+?/, "·10^") : number(value, 3);
}

/** A length of time in words, in its two largest units. */
export function duration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return "–";
  const whole = Math.round(seconds);
  const parts: [number, string][] = [
    [Math.floor(whole / 86400), "d"],
    [Math.floor(whole / 3600) % 24, "h"],
    [Math.floor(whole / 60) % 60, "min"],
    [whole % 60, "s"],
  ];
  const first = parts.findIndex(([value]) => value > 0);
  if (first < 0) return "0 s";
  const shown = parts.slice(first, first + 2).filter(([value]) => value > 0);
  return shown.map(([value, unit]) => `${value} ${unit}`).join(" ");
}

/** A moment in local time. */
export function moment(text: string | null | undefined): string {
  if (!text) return "";
  const date = new Date(text);
  const two = (part: number): string => String(part).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** How long ago a moment was, in words. */
export function age(text: string | null | undefined, now = Date.now()): string {
  if (!text) return "";
  const seconds = Math.max(0, (now - new Date(text).getTime()) / 1000);
  const steps: [number, string][] = [
    [60, "second"],
    [60, "minute"],
    [24, "hour"],
    [365, "day"],
    [Infinity, "year"],
  ];
  let value = seconds;
  for (const [size, name] of steps) {
    if (value < size) {
      const whole = Math.floor(value);
      return `${whole} ${name}${whole === 1 ? "" : "s"} ago`;
    }
    value /= size;
  }
  return "";
}

/** The name of a column for people: "win_rate" is "win rate". */
export function columnName(name: string): string {
  return name.replaceAll("_", " ");
}
