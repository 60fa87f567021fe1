// Writes zip archives with fflate. An archive is made in one piece, which takes half a second for a site: in a streamed
// archive the sizes follow the files, which not every program can read.
import { zipSync } from "fflate";

const OPTIONS = {
  level: 9,
  // The earliest date in a zip archive; a fixed date makes archives reproducible.
  mtime: new Date(1980, 0, 1),
  // A regular Unix file that everybody may read.
  os: 3,
  attrs: 0o100644 << 16,
};

/** Returns the bytes of an archive of these files; `files` are pairs of names and bytes. */
export const zip = (files) => zipSync(Object.fromEntries([...files].map(([name, bytes]) => [name, [bytes, OPTIONS]])));
