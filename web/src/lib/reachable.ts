// Wide tables scroll in boxes of their own (the class "wide"). Those that do so can be reached by keyboard, to be scrolled.

/** Makes boxes that scroll reachable by the Tab key, as long as they scroll; an action for the element they are in. */
export function reachable(root: HTMLElement): { destroy(): void } {
  let waiting = 0;
  const look = (): void => {
    waiting = 0;
    for (const box of root.querySelectorAll<HTMLElement>(".wide")) {
      const scrolls = box.scrollWidth > box.clientWidth && !box.querySelector("a, button, input, select");
      if (scrolls) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
    }
  };
  const later = (): void => {
    waiting ||= requestAnimationFrame(look);
  };
  const changes = new MutationObserver(later);
  changes.observe(root, { childList: true, subtree: true, characterData: true });
  const sizes = new ResizeObserver(later);
  sizes.observe(root);
  return {
    destroy() {
      cancelAnimationFrame(waiting);
      changes.disconnect();
      sizes.disconnect();
    },
  };
}
