// The share dialog: what is on the page as a link, in a page of one's own, as a file.
import { bench, lang } from "./target.mjs";
import { download as handOver } from "./dialog.mjs";
import { code, online } from "./qr.mjs";
import { element, hash, iframe, opened } from "./snippet.mjs";
import { CONTROLS, SHARE, VIEWS, say } from "./words.mjs";

/** What is left to work a view of the bench with; a figure of the lesson keeps the controls that it has. */
const fewest = {
  bench: ["d_model", "max_len", "k", "play"],
  heatmap: ["d_model", "max_len"],
  waves: ["pair", "compare"],
  rotation: ["k", "play"],
  formula: ["pos", "pair", "member"],
};
/** The settings that the element has of these views. */
const fields = {
  heatmap: ["encoding", "d_model", "max_len", "k", "pos", "pair", "member", "layout", "colour"],
  waves: ["encoding", "d_model", "max_len", "k", "pos", "pair"],
  rotation: ["encoding", "d_model", "max_len", "k", "pos", "pair"],
};
const heights = { bench: 720, heatmap: 560, waves: 420, rotation: 620, formula: 360 };
/** What changes no value. */
const unlockable = ["link", "share", "save", "present", "lesson"];
const page = ["view", "lang", "theme", "hide", "lock"];
const apart = (names) =>
  names === "*"
    ? ["*"]
    : (names ?? "")
        .split(/[\s,]+/)
        .filter(Boolean)
        .map((name) => name.replaceAll("-", "_"));
const text = (value) => (value === true ? "on" : value === false ? "off" : String(value));

/** An element with attributes and children; what is undefined is left out. */
function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/** A file of the site beside this one; nothing where the module has no address of its own. */
function beside(name) {
  try {
    const address = new URL(`../${name}`, import.meta.url);
    return /^https?:$/.test(address.protocol) ? address.href : undefined;
  } catch {
    return undefined;
  }
}

/** The page is served by the computer that shows it: its address means another computer everywhere else. */
const local = /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);
const here = () => location.href.split("#")[0];

/** The controls that a view has, by name: what they are called, and whether they belong to the page and not to the figure. */
function controls(target, view) {
  const found = new Map();
  const note = (holder, ofPage) => {
    const name = holder.dataset.control;
    const parts = [...((holder.querySelector(".name") ?? holder.querySelector("label"))?.children ?? [])].map(
      (part) => part.textContent,
    );
    const called =
      (CONTROLS[name] && say(CONTROLS[name])) ??
      (parts.join(" ") || (holder.querySelector("[aria-label]")?.ariaLabel ?? holder.textContent));
    found.set(name, { called, ofPage });
  };
  const ofBench = target === bench;
  if (!ofBench)
    for (const holder of target.element.shadowRoot?.querySelectorAll(".fields [data-control]") ?? [])
      note(holder, false);
  const others = [];
  for (const holder of document.querySelectorAll("#posenc [data-control]")) {
    const panel = holder.closest(".panel");
    if (holder.closest(".masthead")) {
      if (ofBench || ["lang", "theme"].includes(holder.dataset.control)) others.push(holder);
    } else if (ofBench && (view === "bench" || !panel || panel.classList.contains(view))) note(holder, false);
  }
  for (const holder of others) note(holder, true);
  if (view === "bench") found.set("lesson", { called: say(CONTROLS.lesson), ofPage: true });
  return found;
}

/** Everything the dialog hands out, as things stand. */
function described(target, wish, offered) {
  const state = target.state;
  const asked = new URLSearchParams(`${document.documentElement.dataset.state ?? ""}&${location.search.slice(1)}`);
  const linked = new URLSearchParams(target.link().split("#")[1] ?? "");
  const own = [...linked].filter(([name]) => name in state && !page.includes(name));
  for (const name of asked.keys()) {
    if (name in state && !page.includes(name) && !linked.has(name)) own.push([name, text(state[name])]);
  }
  const names = [...offered.keys()];
  const shown = names.filter((name) => wish.shown.has(name));
  const locked = names.filter((name) => wish.locked.has(name));
  const hide = shown.length === 0 ? "*" : names.filter((name) => !wish.shown.has(name)).join();
  const restricted = { hide, lock: locked.join() };
  const said = (name, value, usual = "") => (value !== usual || asked.has(name) ? [[name, value]] : []);
  const stateOf = ({ hide, lock }) =>
    hash([
      ...said("view", wish.what, "bench"),
      ...own,
      ...said("lang", wish.lang),
      ...said("theme", wish.theme),
      ...said("hide", hide),
      ...said("lock", lock),
    ]);
  const address = (base, limits) => (stateOf(limits) ? `${base}#${stateOf(limits)}` : base);
  const open = wish.everything ? restricted : wish.asIs;
  const ofBench = target === bench;
  const title = ofBench ? wish.names[wish.what] : wish.names.figure;
  const known = ofBench ? fields[wish.what] : Object.keys(state);
  const script = beside("posenc.js");
  let tag;
  if (known && script) {
    const has = (name) => known.includes(name);
    const listed = (names) => names.filter(has).join(" ").replaceAll("_", "-");
    const pairs = [["view", wish.what], ...own.filter(([name]) => has(name))];
    // A figure of the lesson comes with its own controls.
    const usual =
      !ofBench && names.filter(has).every((name) => wish.shown.has(name)) && !target.element.hasAttribute("controls");
    if (!usual) pairs.push(["controls", listed(shown) || "none"]);
    if (listed(locked)) pairs.push(["lock", listed(locked)]);
    for (const name of ["lang", "theme"]) if (wish[name]) pairs.push([name, wish[name]]);
    tag = element({ script, pairs, title });
  }
  return {
    link: address(here(), open),
    preview: address(here(), restricted),
    iframe: iframe({
      src: address(online ? here() : "posenc.html", restricted),
      title: title === wish.names.bench ? title : `${title} – ${wish.names.bench}`,
      height: wish.height || wish.measured,
    }),
    element: tag,
    missing: own.map(([name]) => name).filter((name) => !known?.includes(name)),
    state: stateOf(open),
  };
}

/** A text to take away: the field, the button that copies it, and what there is to say about it. */
function result(name, called, rows) {
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
  const said = make("p", { class: "note", role: "status" });
  const row = make("div", { class: "share-result" }, make("label", { for: field.id }, called), copy, field, said);
  field.addEventListener("focus", () => field.select());
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(field.value);
      copy.textContent = say(SHARE.copied);
      said.textContent = "";
      setTimeout(() => (copy.textContent = say(SHARE.copy)), 1500);
    } catch {
      field.focus();
      field.select();
      said.textContent = say(SHARE.refused, { keys: /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘C" : "Ctrl+C" });
    }
  });
  return { row, field, copy, said };
}

/** The QR code of the link, with the buttons that take it away. */
function codeResult() {
  const place = make("div", { class: "share-code" });
  const copy = make("button", { type: "button", "data-code": "copy" }, say(SHARE.codeCopy));
  const save = make("button", { type: "button", "data-code": "save" }, say(SHARE.codeSave));
  const words = make("p", { class: "note" });
  const said = make("p", { class: "note", role: "status" });
  const beside = make("div", { class: "share-code-words" }, words, copy, save, said);
  const row = make("div", { class: "share-result share-qr" }, make("b", {}, say(SHARE.code)), place, beside);
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
    handOver(new Blob([file()], { type: "image/svg+xml" }), "posenc-qr.svg");
    said.textContent = top === self ? say(SHARE.saved, { name: "posenc-qr.svg" }) : say(SHARE.framed);
  });

  async function show(link) {
    if (of === link) return;
    of = link;
    let drawn;
    let why = SHARE.codeFile;
    if (online) {
      try {
        drawn = await code(link, say(SHARE.codeOf, { link }));
        why = SHARE.codeLong;
      } catch {
        why = SHARE.failed;
      }
    }
    // Meanwhile there may be another link.
    if (of !== link) return;
    place.replaceChildren(...(drawn ? [drawn] : []));
    copy.hidden = save.hidden = place.hidden = !drawn;
    words.textContent = say(drawn ? (local ? SHARE.codeLocal : SHARE.codeWords) : why);
    said.textContent = "";
  }
  return { row, show };
}

function choice(name, called, options, value) {
  const list = make("select", { id: `share-${name}`, name: `share-${name}` });
  for (const [option, words] of options) list.append(make("option", { value: option }, words));
  list.value = value;
  return { row: make("div", { class: "share-choice" }, make("label", { for: list.id }, called), list), list };
}

let sheet;

function styled() {
  sheet ??= new Promise((resolve) => {
    const link = make("link", { rel: "stylesheet", href: new URL("./share.css", import.meta.url).href });
    // Plain but usable without its sheet.
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
  return sheet;
}

/** Shows the dialog for the bench or a figure; the focus goes back to `button`. */
export async function open(target, button) {
  await styled();
  if (document.querySelector("dialog.share")) return;
  const ofBench = target === bench;
  // Meanwhile the address may have changed to that of a figure alone, or the figure may be gone.
  if (ofBench ? !(bench.state.view in fewest) : !target.element.isConnected) return;
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

  const wish = {
    what: state.view,
    shown: new Set(),
    locked: new Set(),
    lang: now.lang ?? "",
    theme: now.theme ?? "",
    everything: false,
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
    course: result("course", say(SHARE.course), 2),
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
  const list = make("tbody");
  const head = make(
    "tr",
    {},
    make("th", { scope: "col" }, say(SHARE.control)),
    make("th", { scope: "col" }, say(SHARE.shown)),
    make("th", { scope: "col" }, say(SHARE.locked)),
  );
  const table = make("table", {}, make("caption", {}, say(SHARE.controls)), make("thead", {}, head), list);
  const both = make("label", { class: "toggle", for: everything.id }, everything, say(SHARE.everything));
  const options = make(
    "form",
    { class: "share-options", autocomplete: "off" },
    what?.row,
    language.row,
    theme.row,
    heightRow,
    table,
    both,
  );
  results.course.said.textContent = say(SHARE.courseWords);
  const rows = [results.link, qr, results.iframe, results.element].map(({ row }) => row);
  const left = make("div", { class: "share-results" }, preview, ...rows, file, results.course.row);
  const header = make("header", {}, title, close);
  const dialog = make(
    "dialog",
    { class: "share", "aria-labelledby": title.id, lang: lang() },
    header,
    make("div", { class: "share-body" }, left, options),
  );

  /** The controls of the view at hand, with their ticks. */
  function offer() {
    offered = controls(target, wish.what);
    const restricted = ofBench || alone;
    const hidden = restricted ? apart(now.hide) : [];
    const lock = restricted ? apart(now.lock) : apart(target.element.getAttribute("lock"));
    const same = wish.what === state.view;
    wish.asIs = restricted && same ? { hide: now.hide ?? "", lock: now.lock ?? "" } : { hide: "", lock: lock.join() };
    const few = ofBench ? fewest[wish.what] : [...offered].filter(([, { ofPage }]) => !ofPage).map(([name]) => name);
    const visible = (name) =>
      hidden.length && same ? !hidden.includes("*") && !hidden.includes(name) : few.includes(name);
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
    const given = described(target, wish, offered);
    title.textContent = say(SHARE.labelled, {
      what: say(SHARE.share),
      which: ofBench ? wish.names[wish.what] : wish.names.figure,
    });
    results.link.field.value = given.link;
    visit.href = given.link;
    qr.show(given.link);
    // What a hash may hold ends no quoted word of a shell.
    results.course.field.value = `scripts/package --scorm '${given.state}'`;
    results.iframe.field.value = given.iframe;
    results.iframe.said.textContent = online ? "" : say(SHARE.nowhere);
    const { row, field, copy, said } = results.element;
    row.hidden = !online;
    field.hidden = copy.hidden = given.element === undefined;
    field.value = given.element ?? "";
    said.textContent =
      given.element === undefined
        ? say(SHARE.byFrame)
        : given.missing.length
          ? say(SHARE.missing, { names: given.missing.join(", ") })
          : "";
    wish.state = given.state;
    height.placeholder = String(wish.measured);
    if (preview.hidden || given.preview === shows) return;
    // Only the first address is an entry of the history.
    if (shows === undefined) frame.src = given.preview;
    else frame.contentWindow.location.replace(given.preview);
    shows = given.preview;
  }

  /** The preview is the frame at the width of a page, made smaller. */
  function fit() {
    const width = wish.what === "bench" ? 1280 : 760;
    const tall = wish.height || wish.measured;
    const room = preview.clientWidth;
    const scale = Math.min(room / width, Math.max(150, Math.min(260, 0.36 * innerHeight)) / tall, 1);
    frame.style.cssText = `width:${width}px;height:${tall}px;transform:scale(${scale});margin-left:${(room - width * scale) / 2}px`;
    preview.style.height = `${Math.ceil(tall * scale)}px`;
  }

  /** The height that the figure has in the preview. */
  function measure() {
    let root;
    try {
      root =
        frame.contentDocument?.documentElement.dataset.posenc === "ready" &&
        frame.contentDocument.getElementById("posenc");
    } catch {
      // A page without an origin does not look into its frames.
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
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());

  const source = beside("posenc.html");
  download.addEventListener("click", async () => {
    try {
      const answer = await fetch(source);
      if (!answer.ok) throw new Error(answer.statusText);
      const name = `posenc-${wish.what}.html`;
      handOver(new Blob([opened(await answer.text(), wish.state)], { type: "text/html" }), name);
      fileSaid.textContent = top === self ? say(SHARE.saved, { name }) : say(SHARE.framed);
    } catch {
      fileSaid.textContent = say(SHARE.failed);
    }
  });
  // A body that nobody reads, even an empty one, is a request that the browser breaks off some time later.
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

  // An address of its own is what the preview needs, and the offline file shows nothing but itself.
  preview.hidden = !import.meta.url || (!online && location.protocol !== "file:");
  offer();
  document.body.append(dialog);
  dialog.showModal();
  // Not by autofocus, which frames from elsewhere are refused with an error.
  results.link.copy.focus();
  fit();
  update();
}
