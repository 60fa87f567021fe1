// Shared by presentations and the keyboard shortcuts of the page.
import { copyKeys, el } from "./dialog.mjs";
import { PAGE, say } from "./words.mjs";

/** Whether a modal dialog is open. */
export const isModal = () => document.querySelector("dialog[open]") !== null;

/** Adds CSS rules to the page. */
export function addStyles(css) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/** Returns the element that has the focus, including elements inside figures. */
export function focusedElement() {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}

/** Whether an element accepts typed characters. */
export const isField = (element) =>
  element instanceof Element &&
  (element.matches("select, textarea, [contenteditable]") ||
    (element.matches("input") && !["range", "checkbox", "radio", "button"].includes(element.type)));

/** Whether a key belongs to an input method; Safari marks the key that ends a composition by its code alone. */
export const isComposing = (event) => event.isComposing || event.keyCode === 229;

addStyles(`
.kit-said { position: fixed; z-index: 2147483600; left: 50%; bottom: calc(var(--kit-bar, 0px) + 1rem); transform: translateX(-50%); display: flex; gap: 0.6rem; align-items: center; max-width: min(44rem, 92vw); padding: 0.4rem 0.9rem; border-radius: 0.5rem; background: var(--ink); color: var(--panel); font-size: max(15px, 2vmin); overflow-wrap: anywhere; }
.kit-said:empty { visibility: hidden; }
.kit-said p { margin: 0; }
.kit-said button { color: inherit; background: none; border-color: currentColor; }
`);

let toast;
let hideTimer;

/** Shows and announces a message for four seconds, or until it is dismissed. */
export function announce(words, { stays = false } = {}) {
  toast ??= el("div", { className: "kit-said", role: "status" });
  if (!toast.isConnected) document.body.append(toast);
  const close = el(
    "button",
    { type: "button", "aria-label": say(PAGE.dismiss), onclick: () => toast.replaceChildren() },
    "×",
  );
  const text = el("p");
  toast.replaceChildren(text, ...(stays ? [close] : []));
  // Written after the insertion: a live region announces changes of its content.
  setTimeout(() => (text.textContent = words));
  clearTimeout(hideTimer);
  if (!stays) hideTimer = setTimeout(() => toast.replaceChildren(), 4000);
}

/** Copies a text to the clipboard; if the browser refuses, shows it selected in a field after `place`. */
export async function copyToClipboard(text, place, words) {
  try {
    await navigator.clipboard.writeText(text);
    announce(say(PAGE.copied));
  } catch {
    const field = el("input", {
      type: "text",
      readOnly: true,
      "aria-label": words,
      value: text,
      className: "kit-by-hand",
    });
    place.after(field);
    field.focus();
    field.select();
    field.addEventListener("blur", () => field.remove(), { once: true });
    announce(say(PAGE.byHand, { keys: copyKeys() }));
  }
}
