// Starts the bench as soon as its place on the page has been read, however much lesson is still to come.
import init, { mount } from "./core/posenc.js";

async function start() {
  while (!document.querySelector("#posenc + *") && document.readyState === "loading") {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await init();
  mount();
  await import("./posenc.js");
  if (window.parent !== window) import("./kit/messages.mjs").catch((error) => console.warn(`posenc: ${error}`));
}

// A button with data-kit="share" opens kit/share.mjs for the figure that it stands in, or else for what the page is about.
addEventListener("click", async (event) => {
  const path = event.composedPath();
  const button = path.find((node) => /^[a-z]+$/.test(node.dataset?.kit ?? ""));
  if (!button) return;
  event.preventDefault();
  const host = path.find((node) => node.localName === "pe-figure");
  const [{ open }, { current, figure }] = await Promise.all([import(`./kit/${button.dataset.kit}.mjs`), import("./kit/target.mjs")]);
  open(host ? figure(host) : current(), button);
});

start().catch((error) => {
  const root = document.documentElement;
  // An old browser has been told so already, and a panic has its own words.
  if (!root.dataset.failure) root.dataset.failure = "load";
  root.dataset.posenc = "failed";
  console.warn(`posenc: ${error}`);
});
