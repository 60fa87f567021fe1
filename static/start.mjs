// Starts the bench as soon as its place on the page has been read, however much lesson is still to come.
import { startCore } from "./core/bench.mjs";
import { benchLoadFailed, mount } from "./core/posenc.js";

async function start() {
  while (!document.querySelector("#posenc + *") && document.readyState === "loading") {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all([startCore(), translated()]);
  let error;
  try {
    mount();
  } catch (first) {
    error = first;
  }
  // The still has had its time.
  delete document.documentElement.dataset.linked;
  const { checkHealth, handleCrash, register, rememberFocus } = await import("./recovery.mjs");
  register(benchPart(rememberFocus));
  if (error) handleCrash();
  else checkHealth();
  const [memory, scenes, predictions, printing] = await Promise.all([
    import("./kit/figure-memory.mjs"),
    import("./kit/scenes.mjs"),
    import("./kit/predict.mjs"),
    import("./kit/print.mjs"),
    import("./posenc.js"),
  ]);
  memory.start();
  scenes.start();
  predictions.start();
  printing.start();
  startPresentation();
  if (window.parent !== window) import("./kit/messages.mjs").catch((error) => console.warn(`posenc: ${error}`));
}

/** Where the address names a place in the lesson: until its text is there, or cannot be had, since the place would move away. */
function translated() {
  const { first, translation } = document.documentElement.dataset;
  if (first !== "lesson" || translation !== "loading") return undefined;
  return new Promise((resolve) => document.addEventListener("posenc:translated", resolve, { once: true }));
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
        // Not in srcdoc, blob: and data: documents.
        location.hash = recoveryHash;
      }
    },
    onRestart(notice) {
      mount(true);
      notice.due = false;
      restoreFocus?.(root);
    },
    onGiveUp(notice) {
      notice.due = false;
      document.documentElement.dataset.posenc = "failed";
      document.documentElement.dataset.failure = "panic";
      for (const link of document.querySelectorAll("[data-reason=panic] a")) {
        // The one that is empty is to be handed on.
        if (link.textContent) link.href = location.href.split(/[?#]/)[0];
        else link.textContent = link.href = location.href;
      }
    },
  };
}

const loadSecondHalf = async () => (await import("./core/figures.mjs")).load();

// What is pressed or asked for in the address loads its part of the kit.
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
addEventListener("keydown", async (event) => {
  if (!["p", "m", "?"].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
    return;
  const path = event.composedPath();
  (await kit.present()).handleKey(event.key, path);
});
const startPresentation = async () =>
  /[#&](present(=1)?(&|$)|steps=)/.test(location.hash) && (await kit.present()).start();
addEventListener("hashchange", startPresentation);

// The bench asks for the second half of the core where it is to show a table that comes with it.
document.addEventListener("posenc:wanted", () =>
  loadSecondHalf().catch((error) => {
    console.warn(`posenc: ${error}`);
    benchLoadFailed();
  }),
);

start().catch((error) => {
  const root = document.documentElement;
  // An old browser has been told so already, and a panic has its own words.
  if (!root.dataset.failure) root.dataset.failure = "load";
  root.dataset.posenc = "failed";
  console.warn(`posenc: ${error}`);
});
