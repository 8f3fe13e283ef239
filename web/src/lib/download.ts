// Saving what a page shows: texts, and pictures of SVG elements.

/** Saves a file from the browser. */
export function save(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Saves a text. */
export function saveText(name: string, text: string, type = "text/plain"): void {
  save(name, new Blob([text], { type: `${type};charset=utf-8` }));
}

const COPIED = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "fill-opacity", "stroke-opacity"];
const OF_TEXT = ["font-family", "font-size", "font-weight", "text-anchor", "font-variant-numeric"];

/** An SVG element as a file of its own: the style sheet's values become its attributes. */
export function svgText(shown: SVGSVGElement): string {
  const copy = shown.cloneNode(true) as SVGSVGElement;
  const elements = [shown, ...shown.querySelectorAll<SVGElement>("*")];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  for (const [at, element] of elements.entries()) {
    const style = getComputedStyle(element);
    const names = element.tagName === "text" || element.tagName === "tspan" ? [...COPIED, ...OF_TEXT] : COPIED;
    for (const name of names) copies[at]?.setAttribute(name, style.getPropertyValue(name));
    copies[at]?.removeAttribute("class");
  }
  const box = shown.getBoundingClientRect();
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(box.width));
  copy.setAttribute("height", String(box.height));
  if (!copy.getAttribute("viewBox")) copy.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
  return new XMLSerializer().serializeToString(copy);
}

/** An SVG element as a PNG of twice its size, on the page's background. */
export async function svgToPng(shown: SVGSVGElement): Promise<Blob> {
  const box = shown.getBoundingClientRect();
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([svgText(shown)], { type: "image/svg+xml" }));
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil(2 * box.width);
  canvas.height = Math.ceil(2 * box.height);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser cannot draw on a canvas");
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return canvasToPng(canvas);
}

/** A canvas as a PNG. */
export function canvasToPng(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the canvas cannot be read"))), "image/png"),
  );
}
