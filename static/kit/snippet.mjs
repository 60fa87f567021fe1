// Builds what is pasted elsewhere: addresses, tags and files that show a figure in a state. This module does not access the
// page.

const letters = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;", "\n": "&#10;" };
const escapeHtml = (text) => String(text).replace(/[&"<>\n]/g, (letter) => letters[letter]);

const percent = (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
// Commas stay readable; characters that mail and chat programs take for the end of an address are escaped.
const encode = (text) =>
  encodeURIComponent(text)
    .replaceAll("%2C", ",")
    .replace(/[!'()~]/g, percent);

/** Encodes names and values for the hash of an address. */
export const hash = (pairs) => pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");

export const iframe = ({ src, title, height }) =>
  `<iframe src="${escapeHtml(src)}" title="${escapeHtml(title)}" width="100%" height="${height}" style="border: 0" loading="lazy" allow="fullscreen; clipboard-write"></iframe>`;

/** The HTML of a <pe-figure> element, with the script element that defines it. */
export function element({ script, pairs, title }) {
  const attributes = pairs.map(([name, value]) => ` ${name.replaceAll("_", "-")}="${escapeHtml(value)}"`).join("");
  return `<script type="module" src="${escapeHtml(script)}"></script>\n<pe-figure${attributes}>${escapeHtml(title)}</pe-figure>`;
}

/**
 * Returns the text of a page, changed to open in this state. The state is an attribute, not a script, so that the page's
 * policy still allows it.
 */
export const pageWithState = (page, hash) =>
  page.replace(/<html\b[^>]*>/i, (tag) =>
    tag.replace(/\sdata-state="[^"]*"/, "").replace(/>$/, () => ` data-state="${escapeHtml(hash)}">`),
  );
