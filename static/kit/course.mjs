// A SCORM 1.2 package of the site that opens in a given state: made in the page, and by scripts/package --scorm.
import { pageWithState } from "./snippet.mjs";

/** The files that only such a package uses, and the list of its files; scripts/kit/site.mjs writes both. */
const FOLDER = "course/";
const LIST = `${FOLDER}files.json`;
const NAME = { en: "Positional Encoding Explorer", zh: "位置编码探索台" };
const TITLE = `${NAME.en} · ${NAME.zh}`;

const escaped = (text) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Returns the text of imsmanifest.xml for these files. */
export function manifest(names, { version, title = TITLE }) {
  const files = names.map((name) => `      <file href="${escaped(name)}"/>`).join("\n");
  return `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="posenc" version="${escaped(version)}" xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.imsproject.org/xsd/imscp_rootv1p1p2 imscp_rootv1p1p2.xsd http://www.adlnet.org/xsd/adlcp_rootv1p2 adlcp_rootv1p2.xsd">
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>1.2</schemaversion>
  </metadata>
  <organizations default="course">
    <organization identifier="course">
      <title>${escaped(title)}</title>
      <item identifier="page" identifierref="site">
        <title>${escaped(title)}</title>
      </item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="site" type="webcontent" adlcp:scormtype="sco" href="index.html">
${files}
    </resource>
  </resources>
</manifest>
`;
}

/** Returns the page that opens in a state and starts the session with the learning management system. */
function page(text, state) {
  const start = /<script type="module" async src="\.\/start\.mjs"><\/script>/;
  if (!start.test(text)) throw new Error("index.html starts otherwise than it did");
  return pageWithState(text.replace(start, '<script type="module" async src="./scorm.mjs"></script>'), state);
}

/** Returns the files of the package by name. `read` returns the bytes of a file of the site. */
export async function files(read, state) {
  const text = async (name) => new TextDecoder().decode(await read(name));
  const bytes = (text) => new TextEncoder().encode(text);
  const { version, names } = JSON.parse(await text(LIST));
  const own = (name) => name.replace(FOLDER, "");
  const contents = names.map(async (name) =>
    name === "index.html" ? bytes(page(await text(name), state)) : new Uint8Array(await read(name)),
  );
  const built = names.map(own);
  return new Map([
    ["imsmanifest.xml", bytes(manifest(built, { version }))],
    ...(await Promise.all(contents)).map((bytes, i) => [built[i], bytes]),
  ]);
}

/** Returns the package as a Blob, made from the site's files at `base`. */
export async function packed(base, state) {
  const read = async (name) => {
    const answer = await fetch(new URL(name, base));
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    return answer.arrayBuffer();
  };
  const [{ zip }, all] = await Promise.all([import("./zip.mjs"), files(read, state)]);
  // Lets the browser paint the progress message before the packing blocks the page.
  await new Promise((resolve) => setTimeout(resolve, 50));
  return new Blob([zip(all)], { type: "application/zip" });
}
