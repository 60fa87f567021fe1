// QR codes of addresses, dark on white in every theme, on screen and on paper.
import { arrived, load, loadNow } from "../core/figures.mjs";
import { qrPath } from "../core/posenc.js";

const SVG = "http://www.w3.org/2000/svg";

/** Whether other devices can follow an address of this page. */
export const isOnWeb = /^https?:$/.test(location.protocol);

function part(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** Returns the QR code of `text` with its quiet zone; undefined if the text is too long. `label` is its accessible name. */
function drawn(text, label) {
  const [side, path] = qrPath(text).split(" ");
  if (!path) return undefined;
  const svg = part("svg", { viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": label, class: "qr" });
  // A module is a whole number of pixels on screen, and half a millimetre on paper.
  svg.style.setProperty("--side", side);
  svg.append(part("path", { fill: "#fff", d: `M0,0h${side}v${side}h-${side}z` }), part("path", { d: path }));
  return svg;
}

export async function qrCode(text, label) {
  await load();
  return drawn(text, label);
}

/** The same, loaded synchronously, for printing. */
export function qrCodeSync(text, label) {
  if (!arrived()) loadNow();
  return drawn(text, label);
}
