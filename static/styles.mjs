// The style sheet that the shadow roots of all figures share. Its text is fetched from the page's own files: rules read back
// from the browser have lost shorthands that contain variables.

const read = async (name) => {
  const answer = await fetch(new URL(name, import.meta.url), { cache: "force-cache" });
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return answer.text();
};

/** The texts of theme.css and figure.css. */
export const texts = () => Promise.all([read("./theme.css"), read("./figure.css")]);
