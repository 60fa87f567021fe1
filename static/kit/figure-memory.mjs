// Keeps the settings of the lesson's figures in the history.state of the current entry and gives them back after a reload, and after Back
// from another page. Nothing is sent, and nothing is stored for the site: it goes with the tab.
import { benchState } from "../core/posenc.js";
import { followsText, leaveText } from "./scenes.mjs";

/** Milliseconds between two calls of replaceState, of which browsers allow few a second. */
const SAVE_INTERVAL = 1000;

/** The settings of the figures that have been changed, by their ids, as they were saved last. */
const changed = new Map();
/** The figures that have been changed since. */
const unsaved = new Set();
let timer;
let lastSave = -SAVE_INTERVAL;

function save() {
  clearTimeout(timer);
  timer = undefined;
  lastSave = performance.now();
  for (const figure of unsaved) if (figure.isConnected) changed.set(figure.id, settingsOf(figure));
  unsaved.clear();
  try {
    history.replaceState({ ...history.state, figures: Object.fromEntries(changed), scroll: undefined }, "");
  } catch {
    // replaceState throws in srcdoc, blob: and data: documents, which have no history of their own to keep anything in.
  }
}

const saveSoon = () => (timer ??= setTimeout(save, lastSave + SAVE_INTERVAL - performance.now()));

/** The settings to keep: without those that are in the address because the bench has them, and without sound, which no page begins by itself. */
function settingsOf({ state, attributes: { group } }) {
  const inAddress = group?.value === "bench" ? benchState() : {};
  const isKept = (name) => name === "view" || (name !== "sound" && !(name in inAddress));
  return Object.fromEntries(Object.entries(state).filter(([name]) => isKept(name)));
}

const isLessonFigure = (element) => element?.localName === "pe-figure" && element.id && element.closest(".lesson");

/** Scrolls to where the reader was when they left this entry for a new one. After that the browser restores the place by itself. */
function restoreScroll() {
  const { scroll } = history.state ?? {};
  if (!Number.isFinite(scroll)) return;
  requestAnimationFrame(() => scrollTo(scrollX, scroll));
  saveSoon();
}

function onChange({ target }) {
  if (!isLessonFigure(target) || followsText(target)) return;
  unsaved.add(target);
  saveSoon();
}

/** Gives the figures the settings that the current entry has for them, and keeps from now on what changes. */
export function start() {
  restoreScroll();
  for (const [id, settings] of Object.entries(history.state?.figures ?? {})) {
    const figure = document.getElementById(id);
    if (!isLessonFigure(figure)) continue;
    changed.set(id, settings);
    leaveText(figure);
    figure.setState(settings);
  }
  addEventListener("popstate", () => {
    restoreScroll();
    // The entry has the settings of an earlier time, and the figures keep theirs.
    if (changed.size || unsaved.size) saveSoon();
  });
  addEventListener("pagehide", () => timer && save());
}

// Added on import, since the first change may come before `start` restores the settings of the figures.
addEventListener("pe-change", onChange);
