// Starts the bench as soon as its element has been parsed, while the rest of the lesson is still loading.
import { startCore } from "./core/bench.mjs";
import { benchLoadFailed, mount } from "./core/posenc.js";

let mounted = false;

async function start() {
  while (!document.querySelector("#posenc + *") && document.readyState === "loading") {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all([startCore(), translated()]);
  let error;
  try {
    mount();
    mounted = true;
  } catch (first) {
    error = first;
  }
  // The still picture is not needed any more.
  delete document.documentElement.dataset.linked;
  const [{ checkHealth, handleCrash, register, rememberFocus }, memory, scenes, predictions] = await Promise.all([
    import("./recovery.mjs"),
    import("./kit/figure-memory.mjs"),
    import("./kit/scenes.mjs"),
    import("./kit/predict.mjs"),
  ]);
  register(benchPart(rememberFocus));
  if (error) handleCrash();
  else checkHealth();
  predictions.start();
  await Promise.all([
    // Figures are made last: what a reader sets in them at once must be noticed.
    import("./posenc.js").then(() => {
      memory.start();
      scenes.start();
      awaitNumbers();
    }),
    import("./kit/print.mjs").then((printing) => printing.start()),
  ]);
  startPresentation();
  if (window.parent !== window) await import("./kit/messages.mjs").catch((error) => console.warn(`posenc: ${error}`));
  // Everything that the page loads by itself listens now.
  document.documentElement.dataset.parts = "started";
}

/**
 * If the address contains an anchor in the lesson: waits until its translation has loaded or failed, because the target
 * would move.
 */
function translated() {
  const { first, translation } = document.documentElement.dataset;
  if (first !== "lesson" || translation !== "loading") return undefined;
  return new Promise((resolve) => document.addEventListener("posenc:translated", resolve, { once: true }));
}

/** Lets numbers in sentences be dragged once one of them is near the window. */
function awaitNumbers() {
  const near = async (entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    document.removeEventListener("posenc:translated", observe);
    (await import("./kit/scrub.mjs")).start();
  };
  const observer = new IntersectionObserver(near, { rootMargin: "100%" });
  const observe = () => {
    for (const number of document.querySelectorAll("[data-shows]")) observer.observe(number);
  };
  observe();
  document.addEventListener("posenc:translated", observe);
}

/** The bench as a part that recovery.mjs restores. */
function benchPart(rememberFocus) {
  const root = document.getElementById("posenc");
  let restoreFocus;
  return {
    onCrash() {
      const focused = document.activeElement;
      restoreFocus = rememberFocus(root?.contains(focused) ? focused : undefined);
      const { recoveryHash } = root ?? {};
      if (recoveryHash === undefined || recoveryHash === location.hash.slice(1)) return;
      try {
        history.replaceState(history.state, "", `#${recoveryHash}`);
      } catch {
        // history.replaceState throws in srcdoc, blob: and data: documents.
        location.hash = recoveryHash;
      }
    },
    onRestart(notice) {
      mount(true);
      mounted = true;
      notice.due = false;
      restoreFocus?.(root);
    },
    onGiveUp(notice) {
      notice.due = false;
      document.documentElement.dataset.posenc = "failed";
      document.documentElement.dataset.failure = "panic";
      for (const link of document.querySelectorAll("[data-reason=panic] a")) {
        // The empty link shows the full address of the current state, to be copied.
        if (link.textContent) link.href = location.href.split(/[?#]/)[0];
        else link.textContent = link.href = location.href;
      }
    },
  };
}

const loadSecondHalf = async () => (await import("./core/figures.mjs")).load();

// Parts of the kit are loaded when their button is pressed or the address requests them.
const kit = {
  numbers: async () => {
    await loadSecondHalf();
    return import("./kit/numbers.mjs");
  },
  present: () => import("./kit/present.mjs"),
  save: () => import("./kit/save.mjs"),
  share: () => import("./kit/share.mjs"),
};

addEventListener("click", async (event) => {
  const path = event.composedPath();
  const button = path.find((element) => kit[element.dataset?.kit]);
  if (!button) return;
  const parts = Promise.all([kit[button.dataset.kit](), import("./kit/target.mjs")]);
  const [{ open }, { currentTarget, figureTarget }] = await parts.catch((error) => {
    button.textContent = document.querySelector(
      `[data-reason=part] :lang(${document.documentElement.lang})`,
    ).textContent;
    throw error;
  });
  const host = path.find((element) => element.localName === "pe-figure");
  open(host ? figureTarget(host) : currentTarget(), button);
});
// The buttons in sentences are spans (scripts/kit/site.mjs).
addEventListener("keydown", (event) => {
  if (!["Enter", " "].includes(event.key) || !event.target.matches?.("span[role=button]")) return;
  event.preventDefault();
  event.target.click();
});
addEventListener("keydown", async (event) => {
  if (!["p", "m", "?"].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
    return;
  // By the time the module has loaded a dialog may have closed.
  if (document.querySelector("dialog[open]")) return;
  const path = event.composedPath();
  (await kit.present()).handleKey(event.key, path);
});
const startPresentation = async () =>
  /[#&](present(=1)?(&|$)|steps=)/.test(location.hash) && (await kit.present()).start();
addEventListener("hashchange", startPresentation);

// The bench requests the second half of the core when it shows a table of an encoding in that half.
document.addEventListener("posenc:wanted", () =>
  loadSecondHalf().catch((error) => {
    console.warn(`posenc: ${error}`);
    benchLoadFailed();
  }),
);

start().catch((error) => {
  const root = document.documentElement;
  // An old browser has its own message already, and so has a panic.
  root.dataset.failure ||= mounted ? "part" : "load";
  if (!mounted) root.dataset.posenc = "failed";
  console.warn(`posenc: ${error}`);
});
