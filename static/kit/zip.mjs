// Files as a zip archive; the coding is fflate's. In one go, half a second for a site: an archive that is written piece by piece has
// the sizes of its files behind them, which not every reader takes.
import { zipSync } from "fflate";

const OPTIONS = {
  level: 9,
  // The first moment that a zip archive can say: the same files give the same bytes.
  mtime: new Date(1980, 0, 1),
  // An ordinary file of Unix, which everybody may read.
  os: 3,
  attrs: 0o100644 << 16,
};

/** The bytes of an archive of these files; `files` are pairs of names and bytes. */
export const zip = (files) => zipSync(Object.fromEntries([...files].map(([name, bytes]) => [name, [bytes, OPTIONS]])));
