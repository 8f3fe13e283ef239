// The studio itself: asked for once, for all pages that need to know what it may do.
import { answered, api, type Shapes } from "./api";

let known = $state.raw<Shapes["StudioShape"] | null>(null);
let asking = false;

/** The studio; null until it has answered. */
export function studio(): Shapes["StudioShape"] | null {
  if (!asking) {
    asking = true;
    answered(api.GET("/api/studio")).then(
      (found) => (known = found),
      () => (asking = false),
    );
  }
  return known;
}
