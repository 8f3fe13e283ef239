// A report is one file without a server: the answers that it needs travel in it, packed, and stand in for the API.

const packed = typeof document === "undefined" ? null : document.getElementById("answers");

/** Whether this is a report, which has no server and no other pages. */
export const isReport = packed !== null;

/** What a report carries: answers as JSON, where each is by its address, and why some things have none. */
export interface Recorded {
  answers: string[];
  addresses: Record<string, number>;
  refusals: Record<string, string>;
}

const opened = packed ? unpack(packed.textContent ?? "") : null;

/** What stands in for asking the server. */
export async function recordedAnswer(request: Request): Promise<Response> {
  const recorded = await opened;
  if (!recorded) throw new Error("this is no report");
  return answerOf(recorded, addressOf(request.url));
}

/** The address of an answer: the path, and the parameters that have a value, in alphabetical order. */
export function addressOf(url: string): string {
  const { pathname, searchParams } = new URL(url);
  const asked = new URLSearchParams([...searchParams].filter(([, value]) => value));
  asked.sort();
  return asked.size ? `${pathname}?${asked}` : pathname;
}

/** The recorded answer of an address, or the refusal of what a report does not have. */
export function answerOf(recorded: Recorded, address: string): Response {
  const headers = { "content-type": "application/json" };
  const answer = recorded.answers[recorded.addresses[address] ?? -1];
  if (answer !== undefined) return new Response(answer, { headers });
  const error = recorded.refusals[address] ?? "this report has no more about it; the studio has";
  return new Response(JSON.stringify({ error }), { status: 404, headers });
}

async function unpack(text: string): Promise<Recorded> {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(stream).json()) as Recorded;
}
