// Ways to a figure. `climb` runs in the page, in any engine.
import { settle } from "./browser.mjs";

/**
 * Scrolls up until an element is in the middle of the window, in steps of at most 0.6 windows. Returns the largest shift of
 * visible text, in CSS pixels, that is not due to the scrolling, and the number of steps with such text.
 */
export const climb = async (id) => {
  // After the frame is painted: within the frame, size observers have not made their corrections yet.
  const frame = () =>
    new Promise((resolve) => {
      requestAnimationFrame(() => setTimeout(resolve));
      setTimeout(resolve, 250);
    });
  const near = () =>
    [...document.querySelectorAll(".lesson pe-figure")].filter((figure) => {
      const { top, bottom } = figure.getBoundingClientRect();
      return bottom > -0.7 * innerHeight && top < 1.7 * innerHeight;
    });
  const most = Math.round(0.6 * innerHeight);
  const way = () => {
    const { top, height } = document.getElementById(id).getBoundingClientRect();
    return Math.round(Math.min(most, scrollY, innerHeight / 2 - top - height / 2));
  };
  let worst = 0;
  let stands = 0;
  // No page is a thousand steps high.
  for (let step = way(), steps = 0; step > 0 && steps < 1000; step = way(), steps++) {
    const read = [...document.querySelectorAll(".prose :is(p, h2)")].find((element) => {
      const { top, height } = element.getBoundingClientRect();
      return height > 0 && top >= 0 && top < innerHeight - step && !element.closest("pe-figure");
    });
    const before = read?.getBoundingClientRect().top;
    scrollBy(0, -step);
    const moved = () => read && Math.abs(read.getBoundingClientRect().top - before - step);
    // The position at the first paint, and after the figures are built.
    for (let still = 0, tries = 0; still < 3 && tries < 3000; tries++) {
      await frame();
      if (read) worst = Math.max(worst, moved());
      still = near().every((figure) => figure.hasAttribute("data-mounted")) ? still + 1 : 0;
    }
    if (read) stands++;
  }
  return { worst, stands };
};

/**
 * Shows a figure alone, on the open page. Language and theme are not taken from the page's address, which may be behind what
 * was just chosen.
 */
export async function alone(page, view, { lang, theme = "light" }) {
  // Repeated, since the page may just have replaced the hash by its own address.
  await page.waitForFunction(
    ([view, lang, theme]) => {
      if (new URLSearchParams(location.hash.slice(1)).get("view") !== view)
        location.hash = new URLSearchParams({ view, lang, theme });
      return document.querySelector("#posenc[data-alone] .alone pe-figure[data-mounted]")?.state.view === view;
    },
    [view, lang, theme],
  );
  await settle(page, 60);
}
