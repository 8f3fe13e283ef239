// Whether the studio has fallen silent: any part of a page may notice, and the frame of all pages says so once.

let noticed = $state(0);

/** Whether some part of the page has no answer. */
export function isSilent(): boolean {
  return noticed > 0;
}

/** A part of the page has no answer; what is returned takes that back. */
export function noticeSilence(): () => void {
  noticed += 1;
  return () => {
    noticed -= 1;
  };
}
