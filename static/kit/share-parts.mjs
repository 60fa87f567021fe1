// The parts of the share dialog: texts with copy buttons, the QR code, choices.
import { copyKeys, download } from "./dialog.mjs";
import { qrCode } from "./qr.mjs";
import { SHARE, say } from "./words.mjs";

/** Whether the page is served from localhost: on another device, that address refers to the other device. */
const local = /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);

/** Returns an element with attributes and children; undefined ones are omitted. */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** A text to copy: a read-only field, its copy button, and a note about the text. */
export function result(name, called, rows) {
  const field = make("textarea", {
    id: `share-${name}`,
    "data-result": name,
    readonly: true,
    rows,
    spellcheck: "false",
    wrap: "soft",
  });
  const copy = make(
    "button",
    { type: "button", "data-copy": name, "aria-label": say(SHARE.labelled, { what: say(SHARE.copy), which: called }) },
    say(SHARE.copy),
  );
  // `note` is about the text and updated with it; `said` is the result of copying, unseen where the button shows it.
  const note = make("p", { class: "note", role: "status" });
  const said = make("p", { class: "unseen", role: "status" });
  const row = make("div", { class: "share-result" }, make("label", { for: field.id }, called), copy, field, note, said);
  field.addEventListener("focus", () => field.select());
  copy.addEventListener("click", async () => {
    said.textContent = "";
    try {
      await navigator.clipboard.writeText(field.value);
      copy.textContent = said.textContent = say(SHARE.copied);
      said.className = "unseen";
      setTimeout(() => (copy.textContent = say(SHARE.copy)), 1500);
    } catch {
      field.focus();
      field.select();
      said.className = "note";
      said.textContent = say(SHARE.refused, { keys: copyKeys() });
    }
  });
  return { row, field, copy, note };
}

/** The QR code of the link, with buttons to copy and save it. */
export function codeResult() {
  const place = make("div", { class: "share-code" });
  const copy = make("button", { type: "button", "data-code": "copy" }, say(SHARE.codeCopy));
  const save = make("button", { type: "button", "data-code": "save" }, say(SHARE.codeSave));
  const words = make("p", { class: "note" });
  const said = make("p", { class: "note", role: "status" });
  const beside = make("div", { class: "share-code-words" }, words, copy, save, said);
  const row = make("div", { class: "share-result share-qr" }, make("b", {}, say(SHARE.code)), place, beside);
  // The buttons are disabled until the first code is drawn, for which a file of the core may have to load.
  copy.disabled = save.disabled = true;
  let of;

  const file = () => {
    const svg = place.firstChild.cloneNode(true);
    svg.removeAttribute("style");
    svg.removeAttribute("class");
    return new XMLSerializer().serializeToString(svg);
  };
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(file());
      said.textContent = say(SHARE.copied);
    } catch {
      said.textContent = say(SHARE.codeRefused);
    }
  });
  save.addEventListener("click", () => {
    download(new Blob([file()], { type: "image/svg+xml" }), "posenc-qr.svg");
    said.textContent = top === self ? say(SHARE.saved, { name: "posenc-qr.svg" }) : say(SHARE.framed);
  });

  async function show(link) {
    if (of === link) return;
    of = link;
    let drawn;
    let why = SHARE.codeFile;
    if (/^https?:/.test(link)) {
      try {
        drawn = await qrCode(link, say(SHARE.codeOf, { link }));
        why = SHARE.codeLong;
      } catch {
        why = SHARE.failed;
      }
    }
    // The link may have changed in the meantime.
    if (of !== link) return;
    place.replaceChildren(...(drawn ? [drawn] : []));
    copy.disabled = save.disabled = false;
    copy.hidden = save.hidden = place.hidden = !drawn;
    words.textContent = say(drawn ? (local ? SHARE.codeLocal : SHARE.codeWords) : why);
    said.textContent = "";
  }
  return { row, show };
}

/** The course package of a state: made from the site's files at `site`, or the command that makes it if there are none. */
export function courseResult(site) {
  const name = "posenc-scorm12.zip";
  const command = result("course", say(SHARE.course), 2);
  const save = make("button", { type: "button", "data-course": true }, say(SHARE.download));
  const said = make("p", { class: "note", role: "status" });
  const words = make("p", { class: "note" }, say(SHARE.courseWords));
  const row = make("div", { class: "share-result" }, make("b", {}, say(SHARE.course)), save, words, said);
  let of;
  const refuse = () => {
    row.replaceWith(command.row);
    command.note.textContent = say(SHARE.courseFailed);
    command.copy.focus();
  };
  save.addEventListener("click", async () => {
    save.disabled = true;
    said.textContent = say(SHARE.making);
    try {
      const { packed } = await import("./course.mjs");
      download(await packed(site, of), name);
      said.textContent = top === self ? say(SHARE.saved, { name }) : say(SHARE.framed);
    } catch (error) {
      console.warn(`posenc: no course package: ${error}`);
      refuse();
    }
    save.disabled = false;
  });
  if (!site) command.note.textContent = say(SHARE.courseFile);
  return {
    row: site ? row : command.row,
    show(state) {
      of = state;
      // A hash contains no character that ends a quoted argument in a shell.
      command.field.value = `scripts/package --scorm '${state}'`;
    },
  };
}

export function choice(name, called, options, value) {
  const list = make("select", { id: `share-${name}`, name: `share-${name}` });
  for (const [option, words] of options) list.append(make("option", { value: option }, words));
  list.value = value;
  return { row: make("div", { class: "share-choice" }, make("label", { for: list.id }, called), list), list };
}
