// Asking the server, or in a report what was recorded: typed by its OpenAPI description (`make web-types`), with errors of one line.
import createClient from "openapi-fetch";
import { SILENT } from "./hub";
import { plainJson } from "./plain";
import { isReport, recordedAnswer } from "./recorded";
import type { components, paths } from "./schema";

export type Shapes = components["schemas"];
export type Rate = Shapes["Rate"];

export const api = createClient<paths>(isReport ? { baseUrl: "report:", fetch: recordedAnswer } : {});
api.use({
  async onResponse({ response }) {
    if (!response.headers.get("content-type")?.startsWith("application/json")) return undefined;
    const { status, headers } = response;
    return new Response(plainJson(await response.text()), { status, headers });
  },
});

/** Why the server refused, in one line. */
export class Refused extends Error {}

interface Answer<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** What the server answered; throws `Refused` with its reason. */
export async function answered<Data>(asking: Promise<Answer<Data>>): Promise<Data> {
  let answer: Answer<Data>;
  try {
    answer = await asking;
  } catch {
    throw new Refused(
      isReport ? "this report cannot be read: the file is damaged, or this browser is too old" : SILENT,
    );
  }
  if (answer.data !== undefined) return answer.data;
  const error = answer.error;
  const why = typeof error === "object" && error !== null && "error" in error ? String(error.error) : "";
  throw new Refused(why || `the studio answered with status ${answer.response.status}`);
}
