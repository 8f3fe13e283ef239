// A small text beside what is hovered or focused, such as the text of a card: one for the whole studio.

export interface TipText {
  title: string;
  text: string;
}

export const tip = $state<{ shown: TipText | null; left: number; top: number; bottom: number }>({
  shown: null,
  left: 0,
  top: 0,
  bottom: 0,
});

/** Shows a text while an element is hovered or has the focus; an action. */
export function tipped(
  node: HTMLElement,
  given: TipText | null,
): { update(next: TipText | null): void; destroy(): void } {
  let text = given;
  const show = (): void => {
    if (!text) return;
    const { left, top, bottom } = node.getBoundingClientRect();
    Object.assign(tip, { shown: text, left, top, bottom });
    node.setAttribute("aria-describedby", "tip");
  };
  const hide = (): void => {
    if (tip.shown === text) tip.shown = null;
    node.removeAttribute("aria-describedby");
  };
  const events: [string, () => void][] = [
    ["pointerenter", show],
    ["pointerleave", hide],
    ["focus", show],
    ["blur", hide],
  ];
  for (const [name, listener] of events) node.addEventListener(name, listener);
  return {
    update(next) {
      if (tip.shown === text && text !== null) tip.shown = next;
      text = next;
    },
    destroy() {
      hide();
      for (const [name, listener] of events) node.removeEventListener(name, listener);
    },
  };
}
