// The outputs of the share dialog for a state: the link, the frame and the element, and which controls can be omitted.
import { element, hash, iframe } from "./snippet.mjs";
import { isOnWeb } from "./qr.mjs";
import { bench } from "./target.mjs";
import { CONTROLS, say } from "./words.mjs";

/** The controls with which each view of the bench is shared by default; a figure of the lesson keeps its own. */
export const defaultControls = {
  bench: ["d_model", "max_len", "k", "play", "pos"],
  heatmap: ["d_model", "max_len"],
  waves: ["pair", "compare"],
  rotation: ["k", "play", "pos"],
  formula: ["pos", "pair", "member"],
};
/** The settings that the element supports for these views; written by tests/native/generated.rs. */
const fields = {
  heatmap: "encoding d_model max_len k pos pair member base layout colour",
  waves: "encoding d_model max_len k pos pair",
  rotation: "encoding d_model max_len k pos pair",
};
export const heights = { bench: 720, heatmap: 560, waves: 420, rotation: 620, formula: 360 };
/** Controls that cannot be locked, because they change no value. */
export const unlockable = ["link", "share", "save", "present", "lesson"];
const page = ["view", "lang", "theme", "hide", "lock"];
/** Splits a list of names from an address or an attribute; "*" means all of them. */
export const splitNames = (names) =>
  names === "*"
    ? ["*"]
    : (names ?? "")
        .split(/[\s,]+/)
        .filter(Boolean)
        .map((name) => name.replaceAll("-", "_"));
const text = (value) => (value === true ? "on" : value === false ? "off" : String(value));

/** The URL of another file of this site; undefined if the module has no URL of its own. */
export function siteUrl(name) {
  try {
    const address = new URL(`../${name}`, import.meta.url);
    return /^https?:$/.test(address.protocol) ? address.href : undefined;
  } catch {
    return undefined;
  }
}

const here = () => location.href.split("#")[0];

/** The address at which others find this page: its own, or for a copy that is a file that of the public site, if it knows one. */
export const publicUrl = () => (isOnWeb ? here() : document.querySelector("link[rel=canonical]")?.href);

/** Returns the controls of a view by name: their labels, those of groups first, and whether they belong to the page rather than to the figure. */
export function controls(target, view) {
  const found = new Map();
  const note = (holder, ofPage) => {
    const name = holder.dataset.control;
    const parts = [...((holder.querySelector(".name") ?? holder.querySelector("label"))?.children ?? [])].map(
      (part) => part.textContent,
    );
    const called =
      (CONTROLS[name] && say(CONTROLS[name])) ??
      holder.getAttribute("aria-label") ??
      (parts.join(" ") || (holder.querySelector("[aria-label]")?.getAttribute("aria-label") ?? holder.textContent));
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

/** The settings that the query of the page and its file ask for. */
const askedSettings = () =>
  new URLSearchParams(`${document.documentElement.dataset.state ?? ""}&${location.search.slice(1)}`);

/** The changed settings of a target, as pairs. */
function changedSettings(target) {
  const state = target.state;
  const linked = new URLSearchParams(target.link().split("#")[1] ?? "");
  const own = [...linked].filter(([name]) => name in state && !page.includes(name));
  for (const name of askedSettings().keys()) {
    if (name in state && !page.includes(name) && !linked.has(name)) own.push([name, text(state[name])]);
  }
  return own;
}

/** The settings that an element with this view of the target has; undefined if there is none. */
export const elementFields = (target, view) =>
  target === bench ? fields[view]?.split(" ") : Object.keys(target.state);

/** The names of the changed settings that such an element lacks. */
export function missingSettings(target, view) {
  const known = elementFields(target, view);
  return changedSettings(target)
    .map(([name]) => name)
    .filter((name) => !known?.includes(name));
}

/** Returns the link, frame, element and preview for the current choices. */
export function shareOutputs(target, wish, offered) {
  const asked = askedSettings();
  const own = changedSettings(target);
  const names = [...offered.keys()];
  const shown = names.filter((name) => wish.shown.has(name));
  const locked = names.filter((name) => wish.locked.has(name));
  const hide = shown.length === 0 ? "*" : [...wish.absent, ...names.filter((name) => !wish.shown.has(name))].join();
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
  const known = elementFields(target, wish.what);
  const script = siteUrl("posenc.js");
  let tag;
  if (known && script) {
    const has = (name) => known.includes(name);
    const listed = (names) => names.filter(has).join(" ").replaceAll("_", "-");
    const pairs = [["view", wish.what], ...own.filter(([name]) => has(name))];
    // A figure of the lesson has its own controls by default.
    const usual =
      !ofBench &&
      wish.absent.length === 0 &&
      names.filter(has).every((name) => wish.shown.has(name)) &&
      !target.element.hasAttribute("controls");
    if (!usual) pairs.push(["controls", listed(shown) || "none"]);
    if (listed(locked)) pairs.push(["lock", listed(locked)]);
    for (const name of ["lang", "theme"]) if (wish[name]) pairs.push([name, wish[name]]);
    tag = element({ script, pairs, title });
  }
  return {
    link: address(publicUrl() ?? here(), open),
    preview: address(here(), restricted),
    iframe: iframe({
      src: address(publicUrl() ?? "posenc.html", restricted),
      title: title === wish.names.bench ? title : `${title} – ${wish.names.bench}`,
      height: wish.height || wish.measured,
    }),
    element: tag,
    missing: missingSettings(target, wish.what),
    state: stateOf(open),
  };
}
