// The share dialog: the current state as a link, as code to embed in another page, or as a file.
import {
  controls,
  defaultControls,
  heights,
  publicUrl,
  shareOutputs,
  siteUrl,
  splitNames,
  unlockable,
} from "./handed-out.mjs";
import { closeOutside, download as handOver } from "./dialog.mjs";
import { isOnWeb } from "./qr.mjs";
import { choice, codeResult, courseResult, make, result } from "./share-parts.mjs";
import { pageWithState } from "./snippet.mjs";
import { bench, lang } from "./target.mjs";
import { SHARE, VIEWS, say } from "./words.mjs";

/** The settings that choose the exercises of a worksheet. */
const SHEET = ["seed", "topic", "count"];

let styles;

function styled() {
  styles ??= new Promise((resolve) => {
    const link = make("link", { rel: "stylesheet", href: new URL("./share.css", import.meta.url).href });
    // Without its style sheet the dialog is plain but usable.
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
  return styles;
}

/** Opens the dialog for the bench or a figure; the focus returns to `button`. */
export async function open(target, button) {
  await styled();
  if (document.querySelector("dialog.share")) return;
  const ofBench = target === bench;
  // In the meantime the address may have changed to that of a figure alone, or the figure may have been removed.
  if (ofBench ? !(bench.state.view in defaultControls) : !target.element.isConnected) return;
  const alone = target.element.hasAttribute("data-alone");
  const now = bench.state ?? {};
  const state = target.state;
  const names = {
    bench: document.querySelector("#posenc h1").textContent,
    heatmap: say(VIEWS.heatmap),
    waves: say(VIEWS.waves),
    rotation: say(VIEWS.rotation),
    formula: say(VIEWS.formula),
  };
  names.figure = target.element.shadowRoot?.querySelector("h3")?.textContent ?? state.view;

  const isSheet = state.view === "worksheet";
  const wish = {
    what: state.view,
    shown: new Set(),
    locked: new Set(),
    lang: now.lang ?? "",
    theme: now.theme ?? "",
    // Students get a sheet without what chooses it: the box below the controls is ticked.
    everything: isSheet,
    height: 0,
    measured: heights[state.view] ?? 600,
    names,
  };
  let offered;

  const title = make("h2", { id: "share-title" });
  const close = make("button", { type: "button", "aria-label": say(SHARE.close), title: say(SHARE.close) }, "✕");
  const frame = make("iframe", { title: say(SHARE.preview), inert: true, tabindex: "-1" });
  const preview = make("div", { class: "share-preview" }, frame);
  const results = {
    link: result("link", say(SHARE.link), 2),
    iframe: result("iframe", say(SHARE.iframe), 5),
    element: result("element", say(SHARE.element), 3),
  };
  const qr = codeResult();
  const visit = make("a", { class: "button", target: "_blank", rel: "noopener" }, say(SHARE.open));
  results.link.copy.before(visit);
  const download = make("button", { type: "button", "data-save": true }, say(SHARE.download));
  const fileSaid = make("p", { class: "note", role: "status" });
  const file = make(
    "div",
    { class: "share-result", hidden: true },
    make("b", {}, say(SHARE.file)),
    download,
    make("p", { class: "note" }, say(SHARE.fileWords)),
    fileSaid,
  );

  const what = ofBench
    ? choice(
        "what",
        say(SHARE.what),
        ["bench", "heatmap", "waves", "rotation", "formula"].map((view) => [view, say(VIEWS[view])]),
        wish.what,
      )
    : undefined;
  const language = choice(
    "lang",
    say(SHARE.lang),
    [
      ["", say(SHARE.browser)],
      ["en", "English"],
      ["zh", "中文"],
    ],
    wish.lang,
  );
  const theme = choice(
    "theme",
    say(SHARE.theme),
    [
      ["", say(SHARE.system)],
      ["light", say(SHARE.light)],
      ["dark", say(SHARE.dark)],
      ["projector", say(SHARE.projector)],
    ],
    wish.theme,
  );
  const height = make("input", { type: "number", id: "share-height", min: "100", max: "4000", step: "10" });
  const heightRow = make(
    "div",
    { class: "share-choice" },
    make("label", { for: height.id }, say(SHARE.height)),
    height,
  );
  const everything = make("input", { type: "checkbox", id: "share-everything" });
  everything.checked = wish.everything;
  const list = make("tbody");
  const head = make(
    "tr",
    {},
    make("th", { scope: "col" }, say(SHARE.control)),
    make("th", { scope: "col" }, say(SHARE.shown)),
    make("th", { scope: "col" }, say(SHARE.locked)),
  );
  const table = make("table", { "aria-label": say(SHARE.controls) }, make("thead", {}, head), list);
  const both = make("label", { class: "toggle", for: everything.id }, everything, say(SHARE.everything));
  const options = make(
    "form",
    { class: "share-options", autocomplete: "off" },
    what?.row,
    language.row,
    theme.row,
    make("details", {}, make("summary", {}, say(SHARE.choose)), heightRow, table, both),
  );
  const course = courseResult(siteUrl(""));
  const rows = [results.link, qr, results.iframe].map(({ row }) => row);
  const more = make("details", {}, make("summary", {}, say(SHARE.more)), results.element.row, file, course.row);
  const left = make("div", { class: "share-results" }, preview, ...rows, more);
  const header = make("header", {}, title, close);
  const dialog = make(
    "dialog",
    { class: "share", "aria-labelledby": title.id, lang: lang() },
    header,
    make("div", { class: "share-body" }, left, options),
  );

  /** Lists the controls of the chosen view with their checkboxes. */
  function offer() {
    offered = controls(target, wish.what);
    const restricted = ofBench || alone;
    const hidden = restricted ? splitNames(now.hide) : [];
    const lock = restricted ? splitNames(now.lock) : splitNames(target.element.getAttribute("lock"));
    const same = wish.what === state.view;
    wish.asIs = restricted && same ? { hide: now.hide ?? "", lock: now.lock ?? "" } : { hide: "", lock: lock.join() };
    const few = ofBench
      ? defaultControls[wish.what]
      : [...offered]
          .filter(([name, { ofPage }]) => !ofPage && !(isSheet && SHEET.includes(name)))
          .map(([name]) => name);
    const visible = (name) =>
      hidden.length && same ? !hidden.includes("*") && !hidden.includes(name) : few.includes(name);
    // Controls of a figure that the address hides cannot be offered, and stay hidden.
    wish.absent = same ? hidden.filter((name) => name !== "*" && !offered.has(name)) : [];
    wish.shown = new Set([...offered.keys()].filter(visible));
    wish.locked = new Set(
      [...offered.keys()].filter((name) => (lock.includes("*") || lock.includes(name)) && !unlockable.includes(name)),
    );
    const rows = [...offered].map(([name, { called }]) => {
      const tick = (set, words) => {
        const box = make("input", {
          type: "checkbox",
          "data-control-name": name,
          "aria-label": say(SHARE.labelled, { what: called, which: words }),
        });
        box.checked = set.has(name);
        box.addEventListener("change", () => {
          if (box.checked) set.add(name);
          else set.delete(name);
          update();
        });
        return make("label", {}, box);
      };
      const lockable = unlockable.includes(name) ? undefined : tick(wish.locked, say(SHARE.locked));
      return make(
        "tr",
        {},
        make("th", { scope: "row" }, called),
        make("td", {}, tick(wish.shown, say(SHARE.shown))),
        make("td", {}, ...(lockable ? [lockable] : [])),
      );
    });
    list.replaceChildren(...rows);
  }

  let shows;
  function update() {
    const given = shareOutputs(target, wish, offered);
    title.textContent = say(SHARE.labelled, {
      what: say(SHARE.share),
      which: ofBench ? wish.names[wish.what] : wish.names.figure,
    });
    results.link.field.value = given.link;
    visit.href = given.link;
    qr.show(given.link);
    course.show(given.state);
    results.iframe.field.value = given.iframe;
    results.iframe.note.textContent = publicUrl() ? "" : say(SHARE.nowhere);
    const { row, field, copy, note } = results.element;
    row.hidden = !isOnWeb;
    field.hidden = copy.hidden = given.element === undefined;
    field.value = given.element ?? "";
    note.textContent =
      given.element === undefined
        ? say(SHARE.byFrame)
        : given.missing.length
          ? say(SHARE.missing, { names: given.missing.join(", ") })
          : "";
    wish.state = given.state;
    height.placeholder = String(wish.measured);
    if (preview.hidden || given.preview === shows) return;
    // Only the first address adds an entry to the history.
    if (shows === undefined) frame.src = given.preview;
    else frame.contentWindow.location.replace(given.preview);
    shows = given.preview;
  }

  /** Scales the preview, which shows the frame at the width of a page. */
  function fit() {
    const width = wish.what === "bench" ? 1280 : 760;
    const tall = wish.height || wish.measured;
    const room = preview.clientWidth;
    const scale = Math.min(room / width, Math.max(180, Math.min(480, 0.5 * innerHeight)) / tall, 1);
    frame.style.cssText = `width:${width}px;height:${tall}px;transform:scale(${scale});margin-left:${(room - width * scale) / 2}px`;
    preview.style.height = `${Math.ceil(tall * scale)}px`;
  }

  /** Measures the height of the figure in the preview. */
  function measure() {
    let root;
    try {
      root =
        frame.contentDocument?.documentElement.dataset.posenc === "ready" &&
        frame.contentDocument.getElementById("posenc");
    } catch {
      // A document with an opaque origin may not access its frames.
    }
    if (!root || wish.what === "bench") return;
    const tall = Math.ceil((root.getBoundingClientRect().bottom + frame.contentWindow.scrollY) / 10) * 10;
    if (tall >= 100 && tall !== wish.measured) {
      wish.measured = tall;
      update();
      fit();
    }
  }

  const inputs = [
    [language.list, "lang"],
    [theme.list, "theme"],
  ];
  for (const [list, name] of inputs) list.addEventListener("change", () => ((wish[name] = list.value), update()));
  what?.list.addEventListener("change", () => {
    wish.what = what.list.value;
    wish.measured = heights[wish.what];
    offer();
    update();
    fit();
  });
  height.addEventListener("input", () => {
    wish.height = height.value && height.checkValidity() ? Number(height.value) : 0;
    update();
    fit();
  });
  everything.addEventListener("change", () => ((wish.everything = everything.checked), update()));
  options.addEventListener("submit", (event) => event.preventDefault());
  close.addEventListener("click", () => dialog.close());
  closeOutside(dialog);

  const source = siteUrl("posenc.html");
  download.addEventListener("click", async () => {
    try {
      const answer = await fetch(source);
      if (!answer.ok) throw new Error(answer.statusText);
      const name = `posenc-${wish.what}.html`;
      handOver(new Blob([pageWithState(await answer.text(), wish.state)], { type: "text/html" }), name);
      fileSaid.textContent = top === self ? say(SHARE.saved, { name }) : say(SHARE.framed);
    } catch {
      fileSaid.textContent = say(SHARE.failed);
    }
  });
  // The body is read although it is empty: otherwise the browser aborts the request some time later.
  if (source)
    fetch(source, { method: "HEAD" })
      .then((answer) => ((file.hidden = !answer.ok), answer.arrayBuffer()))
      .catch(() => {});

  let waiting;
  const forget = target.watch(() => {
    clearTimeout(waiting);
    waiting = setTimeout(update, 100);
  });
  const watch = setInterval(measure, 300);
  addEventListener("resize", fit);
  dialog.addEventListener("close", () => {
    forget();
    clearTimeout(waiting);
    clearInterval(watch);
    removeEventListener("resize", fit);
    dialog.remove();
    button?.focus();
  });

  // The preview needs a module URL, and the single file has none.
  preview.hidden = !import.meta.url || (!isOnWeb && location.protocol !== "file:");
  offer();
  document.body.append(dialog);
  dialog.showModal();
  // The autofocus attribute is not used, because browsers block it in cross-origin frames with an error.
  results.link.copy.focus();
  fit();
  update();
}
