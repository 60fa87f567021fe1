// Shared by the dialogs of the kit: elements, the modal dialog, and downloads.

let styled;

/** Adds the kit's style sheet to the page once. */
function style() {
  if (styled) return;
  styled = document.createElement("link");
  styled.rel = "stylesheet";
  styled.href = new URL("./kit.css", import.meta.url);
  document.head.append(styled);
}

/** Returns an element with properties and children; strings become text nodes. */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element && name !== "list" && name !== "form") element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** Lets a click on the backdrop close a dialog, if it begins there: not one on the scroll bar, or that selects text. */
export function closeOutside(box) {
  const isOutside = ({ clientX: x, clientY: y }) => {
    const { left, right, top, bottom } = box.getBoundingClientRect();
    return x < left || x > right || y < top || y > bottom;
  };
  let began;
  box.addEventListener("pointerdown", (event) => (began = isOutside(event)));
  box.addEventListener("click", (event) => began && event.target === box && isOutside(event) && box.close());
}

/** Opens a modal dialog. Escape and its button close it, and the focus returns to the element that had it before. */
export function openDialog({ title, close, lang }, ...children) {
  style();
  const before = document.activeElement;
  const inside = before?.shadowRoot?.activeElement;
  const heading = el("h2", { id: "kit-title", textContent: title });
  const cross = el("button", {
    type: "button",
    className: "kit-close",
    textContent: close,
    onclick: () => box.close(),
  });
  const box = el(
    "dialog",
    { className: "kit", lang, "aria-labelledby": "kit-title" },
    el("header", {}, heading, cross),
    ...children,
  );
  box.addEventListener("close", () => {
    box.remove();
    (inside ?? before)?.focus?.();
  });
  closeOutside(box);
  document.body.append(box);
  box.showModal();
  return box;
}

/** The keys that copy what is selected. */
export const copyKeys = () => (/Mac|iPhone|iPad/.test(navigator.platform) ? "⌘C" : "Ctrl+C");

/** Downloads a file. */
export function download(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = el("a", { href: address, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Formats a number of bytes, rounded, in the largest unit in which it is at least 1. */
export function formatSize(bytes, lang) {
  const units = ["B", "kB", "MB", "GB"];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)));
  const value = bytes / 1000 ** step;
  return `${new Intl.NumberFormat(lang, { maximumSignificantDigits: value < 100 ? 2 : 3 }).format(value)} ${units[step]}`;
}
