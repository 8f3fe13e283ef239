// Copies a text. Browsers have a clipboard on this machine and over TLS only; elsewhere a selected text can still be copied.

/** Copies a text; the answer says whether that worked. */
export async function copied(text: string): Promise<boolean> {
  if (window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return false; // the person has refused it
    }
  }
  const area = document.createElement("textarea");
  area.value = text;
  area.setAttribute("aria-hidden", "true");
  document.body.append(area);
  area.select();
  const worked = document.execCommand("copy");
  area.remove();
  return worked;
}
