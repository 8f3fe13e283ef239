// Saving what a page shows: texts, and pictures of SVG elements.
import { inRgb } from "./colours";

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

/** A copy of an SVG element for a file: the style sheet's values become its attributes. */
function styledCopy(shown: SVGSVGElement): SVGSVGElement {
  const copy = shown.cloneNode(true) as SVGSVGElement;
  const elements = [shown, ...shown.querySelectorAll<SVGElement>("*")];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  for (const [at, element] of elements.entries()) {
    const style = getComputedStyle(element);
    const names = element.tagName === "text" || element.tagName === "tspan" ? [...COPIED, ...OF_TEXT] : COPIED;
    for (const name of names) copies[at]?.setAttribute(name, inRgb(style.getPropertyValue(name)));
    copies[at]?.removeAttribute("class");
  }
  return copy;
}

/** The smallest rectangle around all of the elements, on the page. */
function boundsOf(shown: readonly Element[]): DOMRect {
  const boxes = shown.map((each) => each.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.right));
  const bottom = Math.max(...boxes.map((box) => box.bottom));
  return new DOMRect(left, top, right - left, bottom - top);
}

function place(svg: SVGSVGElement, box: DOMRect): void {
  for (const name of ["x", "y", "width", "height"] as const) svg.setAttribute(name, String(box[name]));
  if (!svg.getAttribute("viewBox")) svg.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
}

/** SVG elements as one file, each where the page has it. */
export function svgText(shown: readonly SVGSVGElement[]): string {
  const whole = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const bounds = boundsOf(shown);
  place(whole, new DOMRect(0, 0, bounds.width, bounds.height));
  for (const each of shown) {
    const copy = styledCopy(each);
    const { x, y, width, height } = each.getBoundingClientRect();
    place(copy, new DOMRect(x - bounds.x, y - bounds.y, width, height));
    whole.append(copy);
  }
  return new XMLSerializer().serializeToString(whole);
}

/** SVG elements as one PNG of twice their size, on the page's background. */
export async function svgToPng(shown: readonly SVGSVGElement[]): Promise<Blob> {
  const box = boundsOf(shown);
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
