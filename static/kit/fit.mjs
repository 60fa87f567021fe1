// The size of a presented figure: as large as the window allows.

/** Reference size of a window, in CSS pixels, at which the projector theme has its nominal size. */
export const WINDOW = { width: 1280, height: 720 };
/**
 * The type scale for reading from a distance in a window of that size, as used for figures on the page
 * (src/web/bench/tabs.rs).
 */
const READABLE = 1.9;
/** The smallest width of a figure, in CSS pixels before scaling. */
const NARROWEST = 560;
const MIN_SCALE = 0.75;
const MAX_SCALE = 5;

/** Waits for two frames: the first draws the change, after the second its layout can be measured. */
const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

/**
 * Fits a figure into the stage; `base` is the theme's own scale. At the type scale for reading from a distance, its picture
 * gets the height that the stage leaves; then the whole figure is enlarged or reduced until it fills the stage. Resolves to
 * false if the figure has been removed in the meantime or `wanted()` is false.
 */
export async function fillStage(stage, figure, base, wanted) {
  const most = Math.max(1, Math.min(MAX_SCALE, innerWidth / base / NARROWEST));
  const ofReference = Math.min(innerWidth / WINDOW.width, innerHeight / WINDOW.height);
  let times = Math.min(most, Math.max(MIN_SCALE, (READABLE / base) * ofReference));
  let maxHeight = stage.clientHeight;
  const show = async () => {
    // Read together with `enlarge`: the figure does not observe data-… attributes.
    figure.setAttribute("data-max-height", Math.round(maxHeight));
    figure.setAttribute("enlarge", times.toFixed(2));
    do {
      await drawn();
      if (!wanted() || !figure.isConnected) return false;
      // While it computes over several frames, its texts and so its height still change.
    } while (!figure.matches("[data-mounted]:not([data-unfinished])"));
    return true;
  };
  // The figure's height when its picture last got less height, and more; the last values that fitted before the figure was
  // enlarged.
  let squeezed, stretched, fitted;
  for (let tries = 0; tries < 14; tries++) {
    times = Math.min(most, Math.max(MIN_SCALE, times));
    if (!(await show())) return false;
    const high = figure.offsetHeight;
    const spare = stage.clientHeight - high;
    if (spare < 0) {
      if (fitted) {
        // Larger type may cause a different layout, which needs more height.
        [times, maxHeight] = fitted;
        if (!(await show())) return false;
        break;
      }
      // The picture is reduced first, then the type.
      if (high !== squeezed) maxHeight += spare;
      else if (times > MIN_SCALE) times *= Math.min(0.97, stage.clientHeight / high);
      else break;
      squeezed = high;
    } else {
      const ratio = stage.clientHeight / high;
      if (ratio <= 1.005) break;
      if (high !== stretched) {
        maxHeight += spare - 1;
        stretched = high;
      } else if (ratio > 1.04 && times < most - 0.02 && tries < 8) {
        fitted = [times, maxHeight];
        times *= ratio;
      } else break;
    }
  }
  figure.toggleAttribute("data-fits", true);
  return true;
}
