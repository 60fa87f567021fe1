// Stores the settings of the lesson's figures in the history.state of the current entry and restores them after a reload,
// and after Back from another page. Nothing is sent or stored beyond the life of the tab.
import { benchState } from "../core/posenc.js";
import { followsText, leaveText } from "./scenes.mjs";

/** The shortest time in milliseconds between two calls of replaceState, which browsers limit to a few per second. */
const SAVE_INTERVAL = 1000;

/** The last saved settings of the changed figures, by id. */
const changed = new Map();
/** The figures changed since the last save. */
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

/**
 * The settings to save: without those of the bench, which are in the address, and without sound, which no page starts by
 * itself.
 */
function settingsOf({ state, attributes: { group } }) {
  const inAddress = group?.value === "bench" ? benchState() : {};
  const isKept = (name) => name === "view" || (name !== "sound" && !(name in inAddress));
  return Object.fromEntries(Object.entries(state).filter(([name]) => isKept(name)));
}

const isLessonFigure = (element) => element?.localName === "pe-figure" && element.id && element.closest(".lesson");

/**
 * Scrolls to the position at which the reader left this entry for a new one. Later the browser restores the position itself.
 */
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

/** Restores the settings of the figures from the current entry, and saves every further change. */
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
    // The settings of the entry are older than those of the figures, which stay.
    if (changed.size || unsaved.size) saveSoon();
  });
  addEventListener("pagehide", () => timer && save());
}

// Added on import, since the first change may come before `start` restores the settings of the figures.
addEventListener("pe-change", onChange);
