// The positions of the dial and the clocks of the bench on the page, read from their picture as SVG.

/** The circles of the bench's rotation: their centres and radii in CSS pixels of the page. */
export const circles = (page) =>
  page.evaluate(async () => {
    const { bench } = await import("./kit/target.mjs");
    const svg = await bench.toSVG({ view: "rotation" });
    const stage = document.querySelector("[data-stage=rotation]").getBoundingClientRect();
    // The picture's units are smaller than CSS pixels.
    const [, width, units] = /<svg[^>]* width="(\d+)"[^>]* viewBox="0 0 (\d+)/.exec(svg);
    const scale = width / units;
    const found = [...svg.matchAll(/<circle cx="(-?[\d.]+)" cy="(-?[\d.]+)" r="([\d.]+)"/g)];
    return found.map(([, cx, cy, r]) => ({ x: stage.x + cx * scale, y: stage.y + cy * scale, r: r * scale }));
  });

/** The dial's rim. */
export const rim = async (page) => (await circles(page)).reduce((a, b) => (b.r > a.r ? b : a));

/** The frequency of pair 4 of 128 dimensions, in radians per position. */
export const OMEGA = 1e4 ** (-8 / 128);

/** A point on the rim at an angle in radians; `share` is its distance from the centre in units of the radius. */
export const at = (dial, angle, share = 1) => [
  dial.x + share * dial.r * Math.cos(angle),
  dial.y - share * dial.r * Math.sin(angle),
];

/** The clocks beside the dial, row by row. */
export async function clocks(page) {
  const all = await circles(page);
  const dial = all.reduce((a, b) => (b.r > a.r ? b : a));
  const found = all.filter(({ x, r }) => r > 12 && r < 60 && x - r > dial.x + dial.r);
  // The ring around the selected clock is not a clock.
  const own = found.filter(
    (one) => !found.some((two) => two !== one && two.r < one.r && Math.hypot(two.x - one.x, two.y - one.y) < 2),
  );
  return own.sort((a, b) => (Math.abs(a.y - b.y) > 2 ? a.y - b.y : a.x - b.x));
}
