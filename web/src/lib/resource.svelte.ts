// Something of the server that a page shows: asked for whenever what it depends on changes, or when `again` is called.
import { Refused } from "./api";

export interface Resource<Data> {
  readonly data: Data | null;
  readonly error: string;
  readonly loading: boolean;
  again(): void;
}

/** Asks with a function that reads what it depends on before its first `await`. The last answer stays until the next. */
export function resource<Data>(askFor: () => Promise<Data> | null): Resource<Data> {
  let data = $state.raw<Data | null>(null);
  let error = $state("");
  let loading = $state(true);
  let round = $state(0);
  let newest = 0;

  $effect(() => {
    void round;
    const asking = askFor();
    const mine = ++newest;
    if (asking === null) {
      loading = false;
      return;
    }
    loading = true;
    asking
      .then((found) => {
        if (mine !== newest) return;
        data = found;
        error = "";
      })
      .catch((problem: unknown) => {
        if (mine !== newest) return;
        error = problem instanceof Refused ? problem.message : String(problem);
      })
      .finally(() => {
        if (mine === newest) loading = false;
      });
  });

  return {
    get data() {
      return data;
    },
    get error() {
      return error;
    },
    get loading() {
      return loading;
    },
    again() {
      round += 1;
    },
  };
}
