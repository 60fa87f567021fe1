// What CITATION.cff says of the project, for the built pages.

/** Reads CITATION.cff, with as much of YAML as that file needs: title, version, author, and the addresses that it has. */
export function citation(text) {
  const found = (name, indent = "") => new RegExp(`^${indent}${name}: (.*)$`, "m").exec(text)?.[1];
  const field = (name) => {
    const value = found(name, " *(?:- )?");
    if (!value) throw new Error(`CITATION.cff has no ${name}`);
    return value;
  };
  const addresses = { url: found("url"), "repository-artifact": found("repository-artifact") };
  return { title: field("title"), version: field("version"), author: field("name"), addresses };
}

/** Fills in the paragraphs of a page that name an address, and leaves out those whose address is not known. */
export const addressed = (page, addresses) =>
  page.replace(/<p data-address="([\w-]+)">(.*)<\/p>\n/g, (_, name, words) => {
    const address = addresses[name];
    return address ? `<p>${words.replace("<a></a>", `<a href="${address}">${address}</a>`)}</p>\n` : "";
  });

/** Names the public address of a page, where copies of it that are files find it. */
export const canonical = (page, { url }) =>
  url ? page.replace("</title>", `$&\n<link rel="canonical" href="${url}">`) : page;
