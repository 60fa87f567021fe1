// Starts the bench as soon as its place on the page has been read, however much lesson is still to come.
import init, { mount } from "./core/posenc.js";

async function start() {
  while (!document.querySelector("#posenc + *") && document.readyState === "loading") {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await init();
  mount();
  await import("./posenc.js");
}

start().catch((error) => {
  const root = document.documentElement;
  // An old browser has been told so already, and a panic has its own words.
  if (!root.dataset.failure) root.dataset.failure = "load";
  root.dataset.posenc = "failed";
  console.warn(`posenc: ${error}`);
});
