// What is pasted elsewhere: addresses, tags and files that show a figure in a state. Nothing here touches the page.

const letters = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;", "\n": "&#10;" };
const escapeHtml = (text) => String(text).replace(/[&"<>\n]/g, (letter) => letters[letter]);

const percent = (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
// Commas stay readable; what mail and chat take for the end of an address does not stay.
const encode = (text) =>
  encodeURIComponent(text)
    .replaceAll("%2C", ",")
    .replace(/[!'()~]/g, percent);

/** Names and values as the page reads them behind `#`. */
export const hash = (pairs) => pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");

export const iframe = ({ src, title, height }) =>
  `<iframe src="${escapeHtml(src)}" title="${escapeHtml(title)}" width="100%" height="${height}" style="border: 0" loading="lazy" allow="fullscreen; clipboard-write"></iframe>`;

/** The element of posenc.js, with the module that makes it one. */
export function element({ script, pairs, title }) {
  const attributes = pairs.map(([name, value]) => ` ${name.replaceAll("_", "-")}="${escapeHtml(value)}"`).join("");
  return `<script type="module" src="${escapeHtml(script)}"></script>\n<pe-figure${attributes}>${escapeHtml(title)}</pe-figure>`;
}

/** The text of a page, changed to open in this state: by data and no script, so that the page's own policy still holds. */
export const pageWithState = (page, hash) =>
  page.replace(/<html\b[^>]*>/i, (tag) =>
    tag.replace(/\sdata-state="[^"]*"/, "").replace(/>$/, () => ` data-state="${escapeHtml(hash)}">`),
  );
