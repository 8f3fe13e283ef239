// One event stream for everybody who follows runs: a browser opens only six connections to a server, and a stream keeps one.
import type { Shapes } from "./api";
import { plainJson } from "./plain";

/** The line of a run as it is now, or why it is not known. */
export interface News {
  run: string;
  line: Shapes["RunLine"] | null;
  error: string;
}

type Hear = (news: News) => void;

/** Why there is no news, and no answer, when the studio has gone. */
export const SILENT = "the studio does not answer: is `deckatlas studio` still running?";
const PATIENCE = 5000; // before a stream that was refused is asked for again

/** The followers of runs, and the stream that has the news of all these runs. */
export class Hub {
  #followers = new Map<Hear, string>();
  #newest = new Map<string, string>();
  #source: EventSource | null = null;
  #streamed = "";
  #waiting: ReturnType<typeof setTimeout> | undefined;

  /** Tells the news of a run, now and whenever it changes; the answer ends it. */
  join(run: string, hear: Hear): () => void {
    this.#followers.set(hear, run);
    const known = this.#newest.get(run);
    if (known !== undefined) hear(JSON.parse(known) as News);
    this.#listenSoon();
    return () => {
      this.#followers.delete(hear);
      this.#listenSoon();
    };
  }

  /** Pages come and go together, as when one opens another: the stream changes once for all of them. */
  #listenSoon(): void {
    this.#waiting ??= setTimeout(() => {
      this.#waiting = undefined;
      this.#listen();
    });
  }

  #listen(): void {
    const runs = [...new Set(this.#followers.values())].sort();
    const wanted = runs.map((run) => `run=${encodeURIComponent(run)}`).join("&");
    if (wanted === this.#streamed) return;
    this.#source?.close();
    this.#streamed = wanted;
    for (const run of this.#newest.keys()) if (!runs.includes(run)) this.#newest.delete(run);
    this.#source = wanted ? new EventSource(`/api/events?${wanted}`) : null;
    this.#source?.addEventListener("run", (event: MessageEvent<string>) => this.#hear(plainJson(event.data)));
    this.#source?.addEventListener("error", () => this.#lose());
  }

  /** A new stream begins with what is known already: nobody hears that twice. */
  #hear(text: string): void {
    const news = JSON.parse(text) as News;
    if (this.#newest.get(news.run) === text) return;
    this.#newest.set(news.run, text);
    this.#tell(news);
  }

  /** The browser asks again by itself unless it was refused; then everybody hears all news again. */
  #lose(): void {
    this.#newest.clear();
    if (this.#source?.readyState === EventSource.CLOSED) {
      this.#streamed = "";
      setTimeout(() => this.#listenSoon(), PATIENCE);
    }
    for (const run of new Set(this.#followers.values())) this.#tell({ run, line: null, error: SILENT });
  }

  #tell(news: News): void {
    for (const [hear, run] of this.#followers) if (run === news.run) hear(news);
  }
}
