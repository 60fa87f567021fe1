// Starts the bench as soon as its place on the page has been read, however much lesson is still to come.
import init, { benchLoadFailed, mount } from "./core/posenc.js";

async function start() {
  while (!document.querySelector("#posenc + *") && document.readyState === "loading") {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await init();
  let error;
  try {
    mount();
  } catch (first) {
    error = first;
  }
  // The still has had its time.
  delete document.documentElement.dataset.linked;
  const { fail, held, keep, look } = await import("./recovery.mjs");
  keep(bench(held));
  if (error) fail();
  else look();
  const [memory, scenes, predictions, printing] = await Promise.all([
    import("./kit/figure-memory.mjs"),
    import("./kit/scenes.mjs"),
    import("./kit/predict.mjs"),
    import("./kit/print.mjs"),
    import("./posenc.js"),
  ]);
  memory.begin();
  scenes.begin();
  predictions.begin();
  printing.begin();
  begin();
  if (window.parent !== window) import("./kit/messages.mjs").catch((error) => console.warn(`posenc: ${error}`));
}

/** The bench, for recovery.mjs. */
function bench(held) {
  const root = document.getElementById("posenc");
  let giveBack;
  return {
    lost() {
      const at = document.activeElement;
      giveBack = held(root?.contains(at) ? at : undefined);
      const { kept } = root ?? {};
      if (kept === undefined || kept === location.hash.slice(1)) return;
      try {
        history.replaceState(history.state, "", `#${kept}`);
      } catch {
        // Not in srcdoc, blob: and data: documents.
        location.hash = kept;
      }
    },
    again(notice) {
      mount(true);
      notice.due = false;
      giveBack?.(root);
    },
    stop(notice) {
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

// What is pressed or asked for in the address loads its part of the kit.
const kit = {
  numbers: () => import("./kit/numbers.mjs"),
  present: () => import("./kit/present.mjs"),
  save: () => import("./kit/save.mjs"),
  share: () => import("./kit/share.mjs"),
};

addEventListener("click", async (event) => {
  const path = event.composedPath();
  const button = path.find((element) => kit[element.dataset?.kit]);
  if (!button) return;
  const parts = Promise.all([kit[button.dataset.kit](), import("./kit/target.mjs")]);
  const [{ open }, { current, figure }] = await parts.catch((error) => {
    button.textContent = document.querySelector(
      `[data-reason=part] :lang(${document.documentElement.lang})`,
    ).textContent;
    throw error;
  });
  const host = path.find((element) => element.localName === "pe-figure");
  open(host ? figure(host) : current(), button);
});
addEventListener("keydown", async (event) => {
  if (!["p", "m", "?"].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
    return;
  const path = event.composedPath();
  (await kit.present()).key(event.key, path);
});
const begin = async () => /[#&](present(=1)?(&|$)|steps=)/.test(location.hash) && (await kit.present()).begin();
addEventListener("hashchange", begin);

// The bench asks for the second half of the core where it is to show a table that comes with it.
document.addEventListener("posenc:wanted", () =>
  import("./core/figures.mjs")
    .then(({ load }) => load())
    .catch((error) => {
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
