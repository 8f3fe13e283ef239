// Follows a run: `line` is the run in one line as it is now, `changes` counts its changes, and `problem` says why there is no news.
import type { Shapes } from "./api";
import { Hub, type News } from "./hub";

export interface Live {
  readonly line: Shapes["RunLine"] | null;
  readonly changes: number;
  readonly problem: string;
}

/** How long to wait before a change is counted: a hundredth of the run's age, since old runs are large and change slowly. */
export function patience(created: string | null, now = Date.now()): number {
  const age = created ? now - new Date(created).getTime() : 0;
  return Math.max(1000, Math.min(10_000, age / 100));
}

let own: Hub | null = null;

/** Hears the news of a run from the hub that all tabs share, or from one of this tab where browsers have no shared workers. */
function join(run: string, hear: (news: News) => void): () => void {
  if (typeof SharedWorker === "undefined") return (own ??= new Hub()).join(run, hear);
  const { port } = new SharedWorker(new URL("./hub.worker.ts", import.meta.url), { type: "module" });
  port.onmessage = ({ data }: MessageEvent<News>) => hear(data);
  port.postMessage(run);
  return () => {
    port.postMessage("");
    port.close();
  };
}

/** Follows the run of an id, if it is not empty, while the page is shown. Its line is always new; changes are counted every 1 to 10 seconds. */
export function live(run: () => string): Live {
  let line = $state.raw<Shapes["RunLine"] | null>(null);
  let changes = $state(0);
  let problem = $state("");

  $effect(() => {
    const followed = run();
    if (!followed) return;
    let leave: (() => void) | null = null;
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const hear = (news: News): void => {
      problem = news.error;
      if (news.line === null) return;
      const before = line;
      line = news.line;
      if (before === null) return;
      let wait = patience(line.created);
      if (line.state !== before.state) {
        clearTimeout(waiting); // an end, or a resumption, is shown at once
        waiting = undefined;
        wait = 0;
      }
      waiting ??= setTimeout(() => {
        waiting = undefined;
        changes += 1;
      }, wait);
    };
    // Hidden tabs do not listen, and those that are closed have been hidden before.
    const listen = (): void => {
      leave?.();
      leave = document.visibilityState === "hidden" ? null : join(followed, hear);
    };
    listen();
    document.addEventListener("visibilitychange", listen);
    return () => {
      clearTimeout(waiting);
      document.removeEventListener("visibilitychange", listen);
      leave?.();
    };
  });

  return {
    get line() {
      return line;
    },
    get changes() {
      return changes;
    },
    get problem() {
      return problem;
    },
  };
}
