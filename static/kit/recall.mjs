// The values of the lesson's figures, kept in the state of the tab's entry of the history, which a reload and Back from another page find
// again. It is neither sent nor stored for the site: it goes with the tab.
import { benchState } from "../core/posenc.js";
import { follows, take } from "./scenes.mjs";

/** Milliseconds from one note to the next: browsers allow few calls a second. */
const PAUSE = 1000;

/** The settings of the figures that have been changed, by their ids. */
const changed = new Map();
let timer;
let noted = -PAUSE;

function note() {
  clearTimeout(timer);
  timer = undefined;
  noted = performance.now();
  try {
    history.replaceState({ ...history.state, figures: Object.fromEntries(changed), scroll: undefined }, "");
  } catch {
    // Not in srcdoc, blob: and data: documents.
  }
}

const noteSoon = () => (timer ??= setTimeout(note, noted + PAUSE - performance.now()));

/** What a figure shares with the bench is in the address, and no page begins to sound by itself. */
function own({ state, attributes: { group } }) {
  const shared = group?.value === "bench" ? benchState() : {};
  return Object.fromEntries(
    Object.entries(state).filter(([name]) => name === "view" || !(name === "sound" || name in shared)),
  );
}

const isOfLesson = (element) => element?.localName === "pe-figure" && element.id && element.closest(".lesson");

/** Scrolls to where the reader was when they left the entry for a new one. From now on the browser knows better. */
function scrollBack() {
  const { scroll } = history.state ?? {};
  if (!Number.isFinite(scroll)) return;
  requestAnimationFrame(() => scrollTo(scrollX, scroll));
  noteSoon();
}

/** Gives the figures the values that the entry has for them. */
export function recall() {
  scrollBack();
  for (const [id, settings] of Object.entries(history.state?.figures ?? {})) {
    const figure = document.getElementById(id);
    if (!isOfLesson(figure)) continue;
    changed.set(id, settings);
    take(figure);
    figure.setState(settings);
  }
}

addEventListener("pe-change", ({ target }) => {
  if (!isOfLesson(target) || follows(target)) return;
  changed.set(target.id, own(target));
  noteSoon();
});
// The entry that the reader comes to has the values of another time.
addEventListener("popstate", () => {
  scrollBack();
  if (changed.size) noteSoon();
});
addEventListener("pagehide", () => timer && note());
