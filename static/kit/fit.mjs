// The size of a figure that is presented: as large as the window lets it be.

/** Reference size of a window, in CSS pixels: in a window of this size the projector theme has its nominal size. */
export const WINDOW = { width: 1280, height: 720 };
/** The scale of type that is read from afar in such a window, as figures on the page have it (src/web/bench/tabs.rs). */
const READABLE = 1.9;
/** A figure has at least this width, in pixels of the size that it has on a page. */
const NARROWEST = 560;
const LEAST = 0.75;
const MOST = 5;

/** Two frames: the first draws what has changed, the second finds it laid out. */
const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));

/**
 * Fits a figure into the stage; `base` is the theme's own scale. With type that is read from afar its picture is given the height that the
 * stage leaves; then all of it is enlarged, or made smaller, until it fills the stage. Resolves to false if the figure has been removed meanwhile
 * or `wanted()` is false.
 */
export async function fillStage(stage, figure, base, wanted) {
  const most = Math.max(1, Math.min(MOST, innerWidth / base / NARROWEST));
  const ofReference = Math.min(innerWidth / WINDOW.width, innerHeight / WINDOW.height);
  let times = Math.min(most, Math.max(LEAST, (READABLE / base) * ofReference));
  let maxHeight = stage.clientHeight;
  const show = async () => {
    // Read with `enlarge`: of the attributes data-… the figure does not hear.
    figure.setAttribute("data-max-height", Math.round(maxHeight));
    figure.setAttribute("enlarge", times.toFixed(2));
    do {
      await drawn();
      if (!wanted() || !figure.isConnected) return false;
    } while (!figure.hasAttribute("data-mounted"));
    return true;
  };
  // Height of the figure when its picture was last given less room, and more; what fitted before all was enlarged.
  let squeezed, stretched, fitted;
  for (let tries = 0; tries < 14; tries++) {
    times = Math.min(most, Math.max(LEAST, times));
    if (!(await show())) return false;
    const high = figure.offsetHeight;
    const spare = stage.clientHeight - high;
    if (spare < 0) {
      if (fitted) {
        // Larger type may be laid out in another way, which needs more room.
        [times, maxHeight] = fitted;
        if (!(await show())) return false;
        break;
      }
      // The picture gives way first, then the type.
      if (high !== squeezed) maxHeight += spare;
      else if (times > LEAST) times *= Math.min(0.97, stage.clientHeight / high);
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
