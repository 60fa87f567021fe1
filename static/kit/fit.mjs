// The size of a figure that is presented: as large as the window lets it be.

/** Reference size of a window, in CSS pixels: in a window of this size the projector theme has its nominal size. */
export const WINDOW = { width: 1280, height: 720 };
/** A figure has at least this width, in pixels of the size that it has on a page. */
const NARROWEST = 560;
const LEAST = 0.75;
const MOST = 5;

/** Two frames: the first draws what has changed, the second finds it laid out. */
const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

/**
 * Enlarges a figure until it fills the stage; `base` is the theme's own scale. Resolves to false if the figure has been removed
 * meanwhile or `wanted()` is false.
 */
export async function fillStage(stage, figure, base, wanted) {
  const most = Math.max(1, Math.min(MOST, innerWidth / base / NARROWEST));
  let times = Number(figure.getAttribute("enlarge")) || Math.min(most, innerHeight / WINDOW.height);
  for (let tries = 0; tries < 8; tries++) {
    times = Math.min(most, Math.max(LEAST, times));
    figure.setAttribute("enlarge", times.toFixed(2));
    do {
      await drawn();
      if (!wanted() || !figure.isConnected) return false;
    } while (!figure.hasAttribute("data-mounted"));
    const ratio = stage.clientHeight / figure.offsetHeight;
    const isLow = ratio > 1.04 && times < most - 0.02;
    const isHigh = ratio < 1 && times > LEAST;
    if (!isLow && !isHigh) break;
    // Text wraps differently at each size: the first four tries enlarge or shrink the figure, later ones only shrink it.
    times *= isHigh ? Math.min(0.97, ratio) : tries < 4 ? ratio : 1;
    if (isLow && tries >= 4) break;
  }
  figure.toggleAttribute("data-fits", true);
  return true;
}
